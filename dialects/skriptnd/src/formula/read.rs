//! From operations back to formulas.

use super::names::{Function, parse_assign};
use crate::call::read_static_type;
use crate::generated::operations::{AccessOp, ApplyOp, AssignOp, FormulaOp};
use crate::lowering::limits::Limits;
use crate::lowering::plan::{Plan, TensorShape, Tensors, plan};
use crate::scalars::dtype_of;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Guard, LoopIndex, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::value::Value as Constant;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, Type, Value, attributes, block_arguments, block_operations};
use skriptnd_mlir::ops::arith;
use skriptnd_source::{FileId, Span};
use std::collections::HashMap;

/// Expressions nested deeper than this are kept as intermediate values.
const MAXIMUM_NESTING: usize = 256;

/// A formula operation read back.
pub struct FormulaOperation<'c, 'a> {
    /// The assignment; its inputs are `operands`, its outputs the written tensors.
    pub assignment: Assignment,
    /// The tensors read, by number.
    pub operands: Vec<Value<'c, 'a>>,
    /// Their shapes.
    pub inputs: Vec<TensorShape>,
    /// Shapes of the written tensors.
    pub outputs: Vec<TensorShape>,
}

/// Verifies a formula operation.
pub fn verify<'c: 'a, 'a>(formula: FormulaOp<'c, 'a>) -> Result<(), Failure> {
    let formula = read(formula.operation())?;
    let tensors =
        Tensors { inputs: &formula.inputs, outputs: &formula.outputs, constants: &[], limits: &Limits::default() };
    let plan: Plan<'_> = plan(&formula.assignment, tensors).map_err(|error| Failure::new(error.to_string()))?;
    drop(plan);
    Ok(())
}

/// Reads a formula operation.
pub fn read<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<FormulaOperation<'c, 'a>, Failure> {
    let formula = FormulaOp::new(operation).ok_or("is no formula")?;
    let combine = parse_assign(formula.combine()?).ok_or("needs the attribute 'combine'")?;
    let extents = formula.extents()?;
    if extents.iter().any(|&extent| extent < 0) {
        return Err("has a negative extent".into());
    }
    let block = formula.body()?.first_block().ok_or("needs a body")?;
    let arguments: Vec<Value<'c, 'a>> = block_arguments(block).collect();
    let results = operation.result_types();
    check_arguments(&arguments, extents.len(), &results, &operation.operand_types())?;
    let mut reader =
        Reader { known: HashMap::new(), tensors: HashMap::new(), operands: Vec::new(), locals: Vec::new() };
    let (indices, current) = arguments.split_at(extents.len());
    for (number, index) in indices.iter().enumerate() {
        reader.define(*index, ScalarKind::Index(number), 1)?;
    }
    for (number, tensor) in current.iter().enumerate() {
        reader.tensors.insert(tensor.key(), TensorRef::Output(number));
    }
    let terminator = reader.body(block)?;
    let name = |(number, &extent): (usize, &i64)| LoopIndex { name: format!("i{number}"), extent, dynamic: None };
    let (targets, values, condition) = reader.assign(terminator, &results)?;
    let assignment = Assignment {
        loops: extents.iter().enumerate().map(name).collect(),
        locals: reader.locals,
        op: combine,
        targets,
        values,
        condition,
        span: Span { file: FileId(0), start: 0, end: 0 },
    };
    let inputs = reader.operands.iter().map(|operand| shape(operand.r#type())).collect::<Result<_, _>>()?;
    let outputs = results.into_iter().map(shape).collect::<Result<_, _>>()?;
    Ok(FormulaOperation { assignment, operands: reader.operands, inputs, outputs })
}

fn check_arguments<'c: 'a, 'a>(
    arguments: &[Value<'c, 'a>],
    loops: usize,
    results: &[Type<'c>],
    initial: &[Type<'c>],
) -> Result<(), Failure> {
    let types: Vec<Type<'c>> = arguments.iter().map(|argument| argument.r#type()).collect();
    if results != initial {
        return Err("must have results of the operands' types".into());
    }
    let are_indices = types.iter().take(loops).all(|r#type| skriptnd_mlir::ir::types::is_integer(*r#type, 64));
    match types.split_at_checked(loops) {
        Some((_, tensors)) if are_indices && tensors == results => Ok(()),
        _ => Err("must have a body whose arguments are an 'i64' for each extent, then the operands".into()),
    }
}

fn shape(r#type: Type<'_>) -> Result<TensorShape, Failure> {
    let ty = read_static_type(r#type).ok_or_else(|| format!("{} is no tensor of known extents", r#type))?;
    Ok(TensorShape::of(&ty))
}

struct Reader<'c, 'a> {
    /// Scalars by value, with how deep they are nested.
    known: HashMap<usize, (ScalarExpr, usize)>,
    tensors: HashMap<usize, TensorRef>,
    operands: Vec<Value<'c, 'a>>,
    locals: Vec<ScalarExpr>,
}

type Assigned = (Vec<Target>, Vec<ScalarExpr>, Option<ScalarExpr>);

impl<'c: 'a, 'a> Reader<'c, 'a> {
    fn define(&mut self, value: Value<'c, 'a>, kind: ScalarKind, depth: usize) -> Result<(), Failure> {
        let dtype = dtype_of(value.r#type()).ok_or_else(|| format!("{} is no scalar type", value.r#type()))?;
        let mut expression = ScalarExpr { dtype, kind };
        let mut depth = depth;
        let is_simple = matches!(expression.kind, ScalarKind::Index(_) | ScalarKind::Const(_));
        // Shared values are computed once, and nothing grows deep.
        if !is_simple && (value.uses().len() > 1 || depth > MAXIMUM_NESTING) {
            self.locals.push(expression);
            expression = ScalarExpr { dtype, kind: ScalarKind::Local(self.locals.len() - 1) };
            depth = 1;
        }
        self.known.insert(value.key(), (expression, depth));
        Ok(())
    }

    /// The operations of the body; gives the last one.
    fn body(&mut self, block: skriptnd_mlir::ir::BlockRef<'c, 'a>) -> Result<AssignOp<'c, 'a>, Failure> {
        for operation in block_operations(block) {
            if let Some(assign) = AssignOp::new(operation) {
                return Ok(assign);
            } else if let Some(access) = AccessOp::new(operation) {
                self.access(access)?;
            } else if let Some(apply) = ApplyOp::new(operation) {
                self.apply(apply)?;
            } else if operation.full_name() != arith::CONSTANT {
                let name = operation.full_name();
                return Err(format!("has '{name}' in its body, which is no part of formulas").into());
            }
        }
        Err(format!("must end with '{}'", AssignOp::NAME).into())
    }

    fn scalar(&mut self, value: Value<'c, 'a>) -> Result<(ScalarExpr, usize), Failure> {
        if let Some(known) = self.known.get(&value.key()) {
            return Ok(known.clone());
        }
        let constant = value.defining_operation().filter(|operation| operation.full_name() == arith::CONSTANT);
        let attribute = constant.and_then(|operation| operation.get("value"));
        let attribute = attribute.ok_or("uses a scalar from outside that is no constant")?;
        let kind = attributes::as_bool(attribute)
            .map(Constant::Bool)
            .or_else(|| attributes::as_real(attribute).map(Constant::Real))
            .or_else(|| attributes::as_integer(attribute).map(Constant::Int))
            .ok_or("uses a constant that is no scalar")?;
        self.define(value, ScalarKind::Const(kind), 1)?;
        self.known.get(&value.key()).cloned().ok_or_else(|| "uses an unknown value".into())
    }

    fn tensor(&mut self, value: Value<'c, 'a>) -> TensorRef {
        let operands = &mut self.operands;
        *self.tensors.entry(value.key()).or_insert_with(|| {
            operands.push(value);
            TensorRef::Input(operands.len() - 1)
        })
    }

    /// Indices with their guards; the depth is that of the deepest.
    fn indices(
        &mut self,
        guards: Vec<i64>,
        indices: &[Value<'c, 'a>],
        replacements: &[Value<'c, 'a>],
    ) -> Result<(Vec<AccessIndex>, usize), Failure> {
        if guards.len() != indices.len() {
            return Err("needs a guard for each index".into());
        }
        let mut replacements = replacements.iter();
        let (mut read, mut depth) = (Vec::new(), 0);
        for (index, guard) in indices.iter().zip(guards) {
            let (index, own_depth) = self.scalar(*index)?;
            depth = depth.max(own_depth);
            let mut replacement = || -> Result<Box<ScalarExpr>, Failure> {
                let value = replacements.next().ok_or("needs two replacements for each guard that is 2")?;
                let (expression, own_depth) = self.scalar(*value)?;
                depth = depth.max(own_depth);
                Ok(Box::new(expression))
            };
            let guard = match guard {
                0 => Guard::None,
                1 => Guard::Skip,
                2 => Guard::Remap { below: replacement()?, above: replacement()? },
                other => return Err(format!("has the unknown guard {other}").into()),
            };
            read.push(AccessIndex { index, guard });
        }
        Ok((read, depth))
    }

    fn access(&mut self, access: AccessOp<'c, 'a>) -> Result<(), Failure> {
        let (indices, depth) = self.indices(access.guards()?, &access.indices(), &access.replacements())?;
        let tensor = self.tensor(access.tensor()?);
        self.define(access.output()?, ScalarKind::Access { tensor, indices }, depth + 1)
    }

    fn apply(&mut self, apply: ApplyOp<'c, 'a>) -> Result<(), Failure> {
        let name = apply.function().unwrap_or_default();
        let function = Function::parse(name).ok_or_else(|| format!("applies the unknown function '{name}'"))?;
        let mut depth = 0;
        let mut arguments = Vec::new();
        for operand in apply.arguments() {
            let (argument, own_depth) = self.scalar(operand)?;
            depth = depth.max(own_depth);
            arguments.push(Box::new(argument));
        }
        let mut arguments = arguments.into_iter();
        let mut next = || arguments.next().ok_or_else(|| format!("applies '{name}' to too few arguments"));
        let kind = match function {
            Function::Unary(op) => ScalarKind::Unary(op, next()?),
            Function::Binary(op) => ScalarKind::Binary(op, next()?, next()?),
            Function::Builtin(function) => ScalarKind::Builtin(function, next()?),
            Function::Cast => ScalarKind::Cast(next()?),
            Function::Select => ScalarKind::Select(next()?, next()?, next()?),
        };
        if arguments.next().is_some() {
            return Err(format!("applies '{name}' to too many arguments").into());
        }
        self.define(apply.output()?, kind, depth + 1)
    }

    fn assign(&mut self, assign: AssignOp<'c, 'a>, tensors: &[Type<'c>]) -> Result<Assigned, Failure> {
        let values = assign.values();
        let slots = assign.targets()?;
        if slots.len() != values.len() {
            return Err("needs a target for each value".into());
        }
        let (mut indices, _) = self.indices(assign.guards()?, &assign.indices(), &assign.replacements())?;
        let mut targets = Vec::new();
        for slot in slots {
            let tensor = usize::try_from(slot).ok().and_then(|slot| Some((slot, tensors.get(slot)?)));
            let (slot, r#type) = tensor.ok_or("assigns to a tensor that it does not have")?;
            let rank = skriptnd_mlir::ir::types::rank(*r#type).unwrap_or(0);
            if rank > indices.len() {
                return Err("needs an index for each dimension of its targets".into());
            }
            let rest = indices.split_off(rank);
            targets.push(Target { tensor: TensorRef::Output(slot), indices: std::mem::replace(&mut indices, rest) });
        }
        let mut scalars = Vec::new();
        for value in values {
            scalars.push(self.scalar(value)?.0);
        }
        let condition = assign.condition().map(|condition| self.scalar(condition)).transpose()?;
        Ok((targets, scalars, condition.map(|condition| condition.0)))
    }
}
