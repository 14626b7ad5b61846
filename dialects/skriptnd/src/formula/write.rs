//! From formulas to operations.

use super::names::{Function, assign_name};
use crate::generated::operations::{
    AccessOpBuilder, ApplyOpBuilder, AssignOpBuilder, ConstantOpBuilder, FormulaOpBuilder,
};
use crate::lowering::emit::extents::type_of;
use crate::lowering::emit::{Origin, scalar_constant, tensor_attribute, zero};
use crate::lowering::plan::{TensorShape, check};
use crate::scalars::Scalars as _;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Formula, Guard, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value};

/// Writes the assignments of a formula one after the other; gives its outputs.
pub fn write<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    formula: &Formula,
    operands: &[Value<'c, 'a>],
    outputs: &[TensorShape],
    origin: &dyn Origin<'c>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let constant = |shape: &TensorShape, value: &Constant| {
        let r#type = type_of(builder, shape)?;
        let value = tensor_attribute(builder, shape, value)?;
        let constant = ConstantOpBuilder::new(builder).value(value);
        constant.output_type(r#type).build()?.output()
    };
    let mut constants = Vec::new();
    for item in &formula.constants {
        constants.push(constant(&TensorShape::of_constant(item), &item.value)?);
    }
    let initial = outputs.iter().map(|shape| constant(shape, &zero(shape.dtype)));
    let mut current = initial.collect::<Result<Vec<_>, _>>()?;
    for assignment in &formula.assignments {
        check(assignment).map_err(|error| Failure::new(error.to_string()))?;
        let writer = Writer { assignment, operands, constants: &constants, outputs: current.clone() };
        let written = writer.write(&builder.located(origin.location(assignment.span)))?;
        for (target, value) in writer.written().into_iter().zip(written) {
            if let TensorRef::Output(number) = target {
                current[number] = value;
            }
        }
    }
    Ok(current)
}

struct Writer<'s, 'c, 'a> {
    assignment: &'s Assignment,
    operands: &'s [Value<'c, 'a>],
    constants: &'s [Value<'c, 'a>],
    outputs: Vec<Value<'c, 'a>>,
}

/// The body of one formula operation.
struct Body<'s, 'c, 'a> {
    writer: &'s Writer<'s, 'c, 'a>,
    builder: Builder<'c, 'a>,
    indices: &'s [Value<'c, 'a>],
    current: &'s [Value<'c, 'a>],
    locals: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Writer<'_, 'c, 'a> {
    /// The tensors that are written, each once.
    fn written(&self) -> Vec<TensorRef> {
        let mut written = Vec::new();
        for target in &self.assignment.targets {
            if !written.contains(&target.tensor) {
                written.push(target.tensor);
            }
        }
        written
    }

    fn write(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let initial = self.written().into_iter().map(|tensor| self.outer(tensor)).collect::<Result<Vec<_>, _>>()?;
        let types: Vec<Type<'c>> = initial.iter().map(|value| value.r#type()).collect();
        let loops = &self.assignment.loops;
        let mut arguments = vec![builder.scalar_type(ScalarType::Int)?; loops.len()];
        arguments.extend(&types);
        let extents: Vec<i64> = loops.iter().map(|index| index.extent).collect();
        let formula = FormulaOpBuilder::new(builder)
            .combine(assign_name(self.assignment.op))
            .extents(&extents)
            .initial(initial)
            .outputs_type(types)
            .body_arguments(&arguments)
            .build()?;
        let (builder, arguments) = formula.inside_body(builder)?;
        let (indices, current) = arguments.split_at(loops.len());
        let mut body = Body { writer: self, builder, indices, current, locals: Vec::new() };
        for local in &self.assignment.locals {
            let value = body.expression(local)?;
            body.locals.push(value);
        }
        body.assign()?;
        Ok(formula.outputs())
    }

    fn outer(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        let value = match tensor {
            TensorRef::Input(number) => self.operands.get(number),
            TensorRef::Output(number) => self.outputs.get(number),
            TensorRef::Constant(number) => self.constants.get(number),
        };
        value.copied().ok_or_else(|| "a formula accesses a tensor that it does not have".into())
    }
}

/// The operands of an access or of the target of an assignment.
#[derive(Default)]
struct Indices<'c, 'a> {
    indices: Vec<Value<'c, 'a>>,
    replacements: Vec<Value<'c, 'a>>,
    guards: Vec<i64>,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    fn assign(&self) -> Result<(), Failure> {
        let assignment = self.writer.assignment;
        let values = assignment.values.iter().map(|value| self.expression(value)).collect::<Result<Vec<_>, _>>()?;
        let mut indices = Indices::default();
        for Target { indices: own, .. } in &assignment.targets {
            self.indices(own, &mut indices)?;
        }
        let condition = assignment.condition.as_ref().map(|condition| self.expression(condition)).transpose()?;
        let tensors = self.writer.written();
        let slots = assignment.targets.iter().filter_map(|target| tensors.iter().position(|own| *own == target.tensor));
        let slots: Vec<i64> = slots.map(|slot| slot as i64).collect();
        let assign = AssignOpBuilder::new(&self.builder)
            .values(values)
            .indices(indices.indices)
            .replacements(indices.replacements)
            .condition(condition)
            .guards(&indices.guards)
            .targets(&slots);
        assign.build().map(drop)
    }

    fn indices(&self, indices: &[AccessIndex], into: &mut Indices<'c, 'a>) -> Result<(), Failure> {
        for AccessIndex { index, guard } in indices {
            into.indices.push(self.expression(index)?);
            into.guards.push(match guard {
                Guard::None => 0,
                Guard::Skip => 1,
                Guard::Remap { below, above } => {
                    into.replacements.push(self.expression(below)?);
                    into.replacements.push(self.expression(above)?);
                    2
                }
            });
        }
        Ok(())
    }

    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        match self.writer.written().iter().position(|own| *own == tensor) {
            Some(slot) => self.current.get(slot).copied().ok_or_else(|| "a formula without its tensor".into()),
            None => self.writer.outer(tensor),
        }
    }

    fn expression(&self, expression: &ScalarExpr) -> Result<Value<'c, 'a>, Failure> {
        let apply = |function: Function, arguments: &[&ScalarExpr]| {
            let operands = arguments.iter().map(|argument| self.expression(argument)).collect::<Result<Vec<_>, _>>()?;
            let apply = ApplyOpBuilder::new(&self.builder);
            let apply = apply.function(function.name()).arguments(operands);
            apply.output_type(self.builder.scalar_type(expression.dtype)?).build()?.output()
        };
        let missing = || Failure::new("a formula uses a value that it does not define");
        match &expression.kind {
            ScalarKind::Const(value) => scalar_constant(&self.builder, value, expression.dtype),
            ScalarKind::Index(number) => self.indices.get(*number).copied().ok_or_else(missing),
            ScalarKind::Local(number) => self.locals.get(*number).copied().ok_or_else(missing),
            ScalarKind::Access { tensor, indices } => self.access(*tensor, indices, expression.dtype),
            ScalarKind::Unary(op, a) => apply(Function::Unary(*op), &[a]),
            ScalarKind::Binary(op, a, b) => apply(Function::Binary(*op), &[a, b]),
            ScalarKind::Builtin(function, a) => apply(Function::Builtin(*function), &[a]),
            ScalarKind::Cast(a) => apply(Function::Cast, &[a]),
            ScalarKind::Select(condition, a, b) => apply(Function::Select, &[condition, a, b]),
        }
    }

    fn access(&self, tensor: TensorRef, indices: &[AccessIndex], dtype: ScalarType) -> Result<Value<'c, 'a>, Failure> {
        let mut own = Indices::default();
        self.indices(indices, &mut own)?;
        let access = AccessOpBuilder::new(&self.builder)
            .tensor(self.tensor(tensor)?)
            .indices(own.indices)
            .replacements(own.replacements)
            .guards(&own.guards);
        access.output_type(self.builder.scalar_type(dtype)?).build()?.output()
    }
}
