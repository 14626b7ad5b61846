//! `convert-skriptnd-to-linalg`: graphs become functions on tensors.

mod arranged;
mod branches;
mod found;
mod function;
mod largest;
mod loops;
mod packs;
mod results;
mod rolled;
mod rooms;
mod rounded;
mod sizes;
mod stored;
mod values;

use self::packs::Packs;
use self::rolled::Rolled;
use super::origin::OperatorOrigin;
use super::{encoded, named_shape};
use crate::call::operator_path;
use crate::formula;
use crate::generated::operations::{
    ArrangeOp, AssertOp, ConstantOp, ExtentOp, FormulaOp, GraphOp, IfOp, ItemsOp, KeepOp, LoopOp, PackOp,
    RequireOpBuilder, ReturnOp, RoundedOp, ShapedOp, UpdateOp, VariableOp, YieldOp,
};
use crate::locations::invocation;
use crate::lowering::defined;
use crate::lowering::emit;
use crate::lowering::emit::extents::Extents;
use crate::lowering::emit::negation;
use crate::lowering::intrinsic::{self, Draws, Invocation};
use crate::lowering::limits::Limits;
use crate::lowering::plan::Tensors;
use crate::operator;
use crate::report::report;
use skriptnd_language::compose::InstanceBody;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    BlockRef, Builder, Location, OperationRef, Type, Value, attributes, block_operations, operations_named,
};
use skriptnd_mlir::ops::arith;
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_source::diagnostics::Code;
use std::collections::HashMap;

/// Converts all graphs of a module.
pub fn run<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let graphs = operations_named(module, GraphOp::NAME);
    let converted: Vec<_> = graphs.iter().map(|graph| report(*graph, function::convert(*graph))).collect();
    converted.into_iter().collect::<Result<(), Failure>>()?;
    graphs.into_iter().try_for_each(|graph| with_rewriter(graph, |rewriter| rewriter.erase(graph)))
}

/// What the values of the graph have become.
#[derive(Default)]
struct Converter<'c, 'a> {
    values: HashMap<usize, Value<'c, 'a>>,
    variables: HashMap<String, Value<'c, 'a>>,
    outputs: Vec<Value<'c, 'a>>,
    /// The types of the outputs in the graph, with the names of extents.
    output_types: Vec<Type<'c>>,
    states: Vec<(String, Value<'c, 'a>)>,
    extents: Extents<'c, 'a>,
    /// The function that checks extents, with those that it is given.
    checks: Option<(Builder<'c, 'a>, Extents<'c, 'a>)>,
    limits: Limits,
    /// Items of packs that loops go through or collect.
    packs: Packs<'c, 'a>,
    /// Where random numbers begin that have no seed.
    draws: Draws<'c, 'a>,
    /// What could not be required.
    unchecked: Vec<(OperationRef<'c, 'a>, Failure)>,
    /// Whether an operation could not be converted; what uses its results has nothing to say of its own.
    failed: bool,
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    fn define(&mut self, old: Value<'c, 'a>, new: Value<'c, 'a>) {
        self.values.insert(old.key(), new);
    }

    fn operands(&self, operation: OperationRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        self.values(&operation.operands().collect::<Vec<_>>())
    }

    fn values(&self, old: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        old.iter().map(|old| self.value(*old)).collect()
    }

    fn value(&self, old: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        self.values.get(&old.key()).copied().ok_or_else(|| match self.failed {
            true => Failure::reported(),
            false => "an operand has no value".into(),
        })
    }

    /// The operations of a block; gives what its terminator hands on.
    fn block(&mut self, builder: Builder<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut handed = Vec::new();
        for operation in block_operations(block) {
            let builder = builder.located(place(operation));
            match operation.full_name() {
                YieldOp::NAME => handed = self.operands(operation)?,
                ReturnOp::NAME => {
                    self.output_types = operation.operand_types();
                    self.outputs = self.operands(operation)?;
                }
                // The others are converted all the same, so that all that has no conversion is reported.
                _ => match report(operation, self.operation(builder, operation)) {
                    Ok(results) => self.define_results(operation, results),
                    Err(_) => self.failed = true,
                },
            }
        }
        if self.failed { Err(Failure::reported()) } else { Ok(handed) }
    }

    fn define_results(&mut self, operation: OperationRef<'c, 'a>, results: Vec<Value<'c, 'a>>) {
        results.iter().for_each(|result| encoded::carry(operation, *result));
        operation.result_values().into_iter().zip(results).for_each(|(old, new)| self.define(old, new));
    }

    fn operation(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        if let Some(variable) = VariableOp::new(operation) {
            let label = variable.label()?;
            Ok(vec![self.variables.get(label).copied().ok_or("a variable that is no argument")?])
        } else if let Some(update) = UpdateOp::new(operation) {
            let label = update.label()?.to_owned();
            self.states.push((label, self.value(update.value()?)?));
            Ok(Vec::new())
        } else if let Some(required) = AssertOp::new(operation) {
            self.assert(&builder, required)?;
            Ok(Vec::new())
        } else if KeepOp::new(operation).is_some() {
            // What their formulas require stands where they are computed.
            Ok(Vec::new())
        } else if let Some(constant) = ConstantOp::new(operation) {
            let value = constant.value()?;
            Ok(vec![builder.constant(value, constant.output()?.r#type())?])
        } else if let Some(shaped) = ShapedOp::new(operation) {
            Ok(vec![self.shaped(&builder, shaped)?])
        } else if let Some(arranged) = ArrangeOp::new(operation) {
            self.arrange(&builder, arranged)
        } else if let Some(items) = ItemsOp::new(operation) {
            self.items(&builder, items)
        } else if let Some(pack) = PackOp::new(operation) {
            Ok(vec![self.pack(&builder, pack)?])
        } else if let Some(rounded) = RoundedOp::new(operation) {
            Ok(vec![rounded::to_half(&builder, self.value(rounded.input()?)?)?])
        } else if let Some(told) = ExtentOp::new(operation) {
            self.extent(&builder, told)?;
            Ok(Vec::new())
        } else if let Some(branch) = IfOp::new(operation) {
            branches::convert(self, builder, branch)
        } else if let Some(repetition) = LoopOp::new(operation) {
            loops::convert(self, builder, repetition)
        } else if FormulaOp::new(operation).is_some() {
            self.formula(builder, operation)
        } else if operator_path(operation.full_name()).is_some() {
            self.operator(builder, operation)
        } else {
            Err("has no conversion to linalg yet".into())
        }
    }

    /// The value of an expression of extents.
    fn expression(&self, builder: &Builder<'c, 'a>, text: &str) -> Result<Value<'c, 'a>, Failure> {
        self.extents.int(builder, &parsed(text)?)
    }

    /// A condition on extents becomes one on values: that of a graph in a function of its own, so that nothing is computed
    /// with extents that can't be.
    fn assert(&mut self, builder: &Builder<'c, 'a>, required: AssertOp<'c, 'a>) -> Result<(), Failure> {
        let at_graph =
            required.operation().parent_operation().is_some_and(|parent| parent.full_name() == GraphOp::NAME);
        let condition = parsed(required.condition()?)?;
        let result = match &self.checks {
            Some((inside, extents)) if at_graph && extents.knows(&condition) => {
                require(&inside.located(builder.location()), (extents, &self.limits), required)
            }
            _ => require(builder, (&self.extents, &self.limits), required).and_then(|()| found::leave(builder)),
        };
        // Whatever makes an extent that no input tells has more to say.
        self.unchecked.extend(result.err().map(|failure| (required.operation(), failure)));
        Ok(())
    }

    fn formula(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let formula = formula::read(operation)?;
        let initial = self.operands(operation)?;
        let operands = self.values(&formula.operands)?;
        let tensors =
            Tensors { inputs: &formula.inputs, outputs: &formula.outputs, constants: &[], limits: &self.limits };
        emit::assignment(builder, &formula.assignment, tensors, &operands, &initial)
    }

    fn operator(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let instance = operator::instance(operation)?
            .ok_or("has operands of dynamic extents without names; bind the extents to compile the model")?;
        let operands = self.operands(operation)?;
        let shapes = |types: Vec<Type<'c>>| types.into_iter().map(named_shape).collect::<Result<Vec<_>, _>>();
        let inputs = shapes(operation.operand_types())?;
        let outputs = shapes(operation.result_types())?;
        self.require_values(&builder, operation, &instance, &outputs)?;
        match &instance.body {
            InstanceBody::Formula(formula) => {
                let rolled = self.rolled(&builder, operation, formula, (&inputs, &outputs), &operands)?;
                let Rolled { formula, inputs, operands } = &rolled;
                let origin = OperatorOrigin { operation, instance: &instance, formula };
                let known = (&self.extents, &self.limits);
                let results = emit::formula(builder, formula, (inputs, &outputs), operands, &origin, known)?;
                self.packs.note(&results);
                Ok(results.into_iter().map(|result| self.packs.rejoined(result)).collect())
            }
            InstanceBody::Composition(_) => Err("was not decomposed".into()),
            InstanceBody::Intrinsic => intrinsic::emit(&mut Invocation {
                builder,
                call: &instance.call,
                inputs: &inputs,
                outputs: &outputs,
                operands: &operands,
                extents: &mut self.extents,
                limits: &self.limits,
                draws: &mut self.draws,
            }),
        }
    }
}

fn parsed(text: &str) -> Result<SymExpr, Failure> {
    text.parse().map_err(|()| Failure::new(format!("`{text}` is no expression of extents")))
}

fn require<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (extents, limits): (&Extents<'c, 'a>, &Limits),
    required: AssertOp<'c, 'a>,
) -> Result<(), Failure> {
    let text = required.condition()?;
    let condition = parsed(text)?;
    if !defined::has_fitting_powers(&condition, limits) {
        return Err(values::too_large_power());
    }
    let mut holds = extents.truth(builder, &condition)?;
    if let Some(defined) = defined::condition(&condition, limits) {
        let has_value = extents.truth(builder, &defined)?;
        if required.code()? == Code::NegativeExtent.name() {
            // Whoever needs the extent tells that it has no value.
            holds = arith::ori(builder, holds, negation(builder, has_value)?)?;
        } else {
            crate::require::require(builder, has_value, &Fault::undefined_condition(text), &[])?;
        }
    }
    let values = required.values_attribute().and_then(attributes::as_strings).unwrap_or_default();
    let values = values.into_iter().map(|text| extents.int(builder, &parsed(text)?));
    let values = values.collect::<Result<Vec<_>, Failure>>()?;
    let requirement = RequireOpBuilder::new(builder)
        .condition(holds)
        .message(required.message().unwrap_or_default())
        .values(values)
        .code(required.code().unwrap_or_default())
        .help_attribute(required.help_attribute());
    requirement.build().map(drop)
}

/// Notes what the function of checks requires before anything is computed; not where an extent without a value is excused.
fn note_holds(limits: &mut Limits, required: &[AssertOp<'_, '_>], told: &Extents<'_, '_>) -> Result<(), Failure> {
    for required in required {
        let condition = parsed(required.condition()?)?;
        if told.knows(&condition) && required.code()? != Code::NegativeExtent.name() {
            limits.note_holds(&condition);
        }
    }
    Ok(())
}

/// Where an operation stands; what is computed of an operator has its name.
fn place<'c>(operation: OperationRef<'c, '_>) -> Location<'c> {
    let operator = operation.full_name().strip_prefix("skriptnd.").filter(|name| name.contains('.'));
    operator.map_or_else(|| operation.location(), |operator| invocation(operator, operation.location()))
}
