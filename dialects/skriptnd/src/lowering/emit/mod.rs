//! From formulas to linalg, tensor, arith, math and scf operations.

mod ample;
pub mod arithmetic;
pub mod extents;
mod guarded;
pub mod integers;
mod required;
mod scalar;
mod scanned;
mod searched;
mod sequential;
mod slices;
mod structured;
pub mod truth;
mod views;

use super::limits::Limits;
use super::phases::phases;
use super::plan::{Plan, Structured, TensorShape, Tensors, plan};
use super::requirements::{reads_targets, requirements};
use super::scan::Scan;
use super::view::SliceDimension;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Assignment, Formula, FormulaConstant, Guard, TensorRef};
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Value, attributes};
use skriptnd_syntax::ast::AssignOp;
use std::borrow::Cow;

use extents::{Extents, type_of};
use scalar::Scope;
use searched::Search;
use views::Place;

pub use arithmetic::constant as scalar_constant;
pub use required::Origin;
pub use truth::negation;
pub use views::{empty, filled};

/// A formula while its assignments are emitted one after the other.
pub struct FormulaState<'s, 'c, 'a> {
    builder: Builder<'c, 'a>,
    tensors: Tensors<'s>,
    operands: &'s [Value<'c, 'a>],
    constants: Vec<Value<'c, 'a>>,
    /// The definitions of `constants`.
    definitions: &'s [FormulaConstant],
    origin: &'s dyn Origin<'c>,
    extents: &'s Extents<'c, 'a>,
    /// What each output is so far; nothing before it was written.
    outputs: Vec<Option<Value<'c, 'a>>>,
    /// Outputs that several assignments write part by part until all of it is written.
    pieced: Vec<bool>,
}

/// Emits all assignments of a formula; gives its outputs. `operands` are its input tensors.
pub fn formula<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    formula: &Formula,
    (inputs, outputs): (&[TensorShape], &[TensorShape]),
    operands: &[Value<'c, 'a>],
    origin: &dyn Origin<'c>,
    (extents, limits): (&Extents<'c, 'a>, &Limits),
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let constant_shapes: Vec<_> = formula.constants.iter().map(TensorShape::of_constant).collect();
    let tensors = Tensors { inputs, outputs, constants: &constant_shapes, limits };
    let constants = formula.constants.iter().zip(&constant_shapes);
    let constants = constants.map(|(constant, shape)| tensor_constant(&builder, shape, &constant.value));
    let constants = constants.collect::<Result<_, _>>()?;
    let mut state = FormulaState {
        builder,
        tensors,
        operands,
        constants,
        definitions: &formula.constants,
        origin,
        extents,
        outputs: vec![None; outputs.len()],
        pieced: Vec::new(),
    };
    let assignments = in_phases(&formula.assignments, tensors, &formula.constants)?;
    let plans = plans(&assignments, tensors)?;
    state.pieced = (0..outputs.len()).map(|number| is_pieced(&plans, number, tensors)).collect();
    for (number, (assignment, plan)) in plans.iter().enumerate() {
        if let Some(scan) = Scan::of(assignment, &assignments[..number], tensors, &formula.constants) {
            scanned::emit(&mut state, &scan)?;
            continue;
        }
        let search = Search::of(assignment, &assignments[..number]).filter(|_| *plan == Plan::Sequential);
        let is_done = search.map_or(Ok(false), |search| searched::emit(&mut state, &search))?;
        if !is_done {
            state.execute(assignment, plan)?;
        }
    }
    (0..outputs.len()).map(|number| state.current(TensorRef::Output(number), false)).collect()
}

/// Emits one assignment; gives its outputs. `operands` are its input tensors, `initial` what the outputs were before.
pub fn assignment<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    assignment: &Assignment,
    tensors: Tensors<'_>,
    operands: &[Value<'c, 'a>],
    initial: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let origin = required::Unnamed(builder.location());
    let mut state = FormulaState {
        builder,
        tensors,
        operands,
        constants: Vec::new(),
        definitions: &[],
        origin: &origin,
        extents: &Extents::default(),
        outputs: initial.iter().copied().map(Some).collect(),
        pieced: Vec::new(),
    };
    let assignments = in_phases(std::slice::from_ref(assignment), tensors, &[])?;
    for (assignment, plan) in plans(&assignments, tensors)? {
        state.execute(assignment, &plan)?;
    }
    (0..initial.len()).map(|number| state.tensor(TensorRef::Output(number))).collect()
}

/// What a tensor consists of before anything was assigned to it.
pub fn zero(dtype: ScalarType) -> Constant {
    match dtype {
        ScalarType::Real => Constant::Real(0.0),
        ScalarType::Int => Constant::Int(0),
        ScalarType::Bool | ScalarType::Str => Constant::Bool(false),
    }
}

/// Assignments that are better computed in phases, so; the others as they are.
fn in_phases<'f>(
    assignments: &'f [Assignment],
    tensors: Tensors<'_>,
    constants: &[FormulaConstant],
) -> Result<Cow<'f, [Assignment]>, Failure> {
    let mut turned = Cow::Borrowed(assignments);
    for (number, assignment) in assignments.iter().enumerate().rev() {
        let planned = plan(assignment, tensors).map_err(|error| Failure::new(error.to_string()))?;
        if let (Plan::Sequential, Some(phases)) = (planned, phases(assignment, tensors, constants)) {
            turned.to_mut().splice(number..=number, phases);
        }
    }
    Ok(turned)
}

fn plans<'f>(assignments: &'f [Assignment], tensors: Tensors<'_>) -> Result<Vec<(&'f Assignment, Plan<'f>)>, Failure> {
    let planned = |assignment: &'f Assignment| {
        let plan = plan(assignment, tensors).map_err(|error| Failure::new(error.to_string()))?;
        Ok((assignment, plan))
    };
    assignments.iter().map(planned).collect()
}

/// First index and the one behind the last, per dimension.
type Part = Vec<(SymExpr, SymExpr)>;

/// Whether an output is written in disjoint boxes that cover it, each by replacing what is there.
fn is_pieced(plans: &[(&Assignment, Plan<'_>)], number: usize, tensors: Tensors<'_>) -> bool {
    let mut boxes: Vec<Part> = Vec::new();
    for (assignment, plan) in plans {
        let Some(target) = assignment.targets.iter().position(|t| t.tensor == TensorRef::Output(number)) else {
            continue;
        };
        let Plan::Structured(plan) = plan else { return false };
        let replaces = assignment.op == AssignOp::Set && assignment.condition.is_none();
        let slice = &plan.targets[target].slice;
        if !replaces || slice.iter().any(|dimension| dimension.stride != 1) {
            return false;
        }
        let ends = |part: &SliceDimension| Some((part.offset.clone(), part.offset.plus(&part.size)?));
        let Some(part) = slice.iter().map(ends).collect() else { return false };
        boxes.push(part);
    }
    let volume = |part: &Part| {
        let mut sizes = part.iter().map(|(low, high)| high.minus(low));
        sizes.try_fold(SymExpr::Const(1), |volume, size| volume.times(&size?))
    };
    let covered = boxes.iter().try_fold(SymExpr::Const(0), |sum, part| sum.plus(&volume(part)?));
    let mut extents = tensors.outputs[number].shape.iter();
    let whole = extents.try_fold(SymExpr::Const(1), |volume, extent| volume.times(extent));
    let before = |a: &SymExpr, b: &SymExpr| tensors.limits.is_at_most(a, b);
    let apart = |a: &Part, b: &Part| a.iter().zip(b).any(|(a, b)| before(&a.1, &b.0) || before(&b.1, &a.0));
    // Items one behind the other are found with as many steps as there are items.
    let follows = |dimension: usize| boxes.windows(2).all(|pair| before(&pair[0][dimension].1, &pair[1][dimension].0));
    let in_row = (0..boxes.first().map_or(0, Vec::len)).any(follows);
    let disjoint = || boxes.iter().enumerate().all(|(at, part)| boxes[..at].iter().all(|other| apart(part, other)));
    covered.is_some() && covered == whole && (in_row || disjoint())
}

impl<'c: 'a, 'a> FormulaState<'_, 'c, 'a> {
    fn execute(&mut self, assignment: &Assignment, plan: &Plan<'_>) -> Result<(), Failure> {
        if matches!(plan, Plan::Nothing) {
            return Ok(());
        }
        if let Some((decides, rest)) = guarded::split(assignment) {
            return guarded::emit(self, &decides, &rest);
        }
        if ample::emit(self, assignment, plan)? {
            return Ok(());
        }
        self.perform(assignment, plan)
    }

    /// The same in the one way that a plan says.
    fn perform(&mut self, assignment: &Assignment, plan: &Plan<'_>) -> Result<(), Failure> {
        let required = requirements(assignment, self.tensors, self.definitions);
        match plan {
            Plan::Structured(plan) if !reads_targets(assignment, &required) => {
                required::emit_before(self, assignment, &required)?;
                structured::emit(self, assignment, plan)
            }
            _ => sequential::emit(self, assignment, &required),
        }
    }

    /// What expressions see.
    fn scope(&self) -> Scope<'_, 'c, 'a> {
        Scope { tensors: self.tensors, constants: self.definitions, extents: self.extents }
    }

    fn place(&self) -> Place<'_, 'c, 'a> {
        (&self.builder, self.extents)
    }

    fn shape(&self, tensor: TensorRef) -> Result<&TensorShape, Failure> {
        self.tensors.get(tensor).ok_or_else(|| "a formula accesses a tensor that it does not have".into())
    }

    /// The value of a tensor that is read.
    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        let value = match tensor {
            TensorRef::Input(number) => self.operands.get(number).copied(),
            TensorRef::Constant(number) => self.constants.get(number).copied(),
            TensorRef::Output(number) => self.outputs.get(number).copied().flatten(),
        };
        value.ok_or_else(|| "a formula reads a tensor that has no value yet".into())
    }

    /// What an output is so far; zeros before it was written, or anything if all of it will be.
    fn current(&mut self, tensor: TensorRef, in_pieces: bool) -> Result<Value<'c, 'a>, Failure> {
        if let Ok(value) = self.tensor(tensor) {
            return Ok(value);
        }
        let TensorRef::Output(number) = tensor else { return self.tensor(tensor) };
        let shape = self.shape(tensor)?.clone();
        let value = if in_pieces && self.pieced.get(number) == Some(&true) {
            views::empty(self.place(), &shape)?
        } else {
            let zero = arithmetic::constant(&self.builder, &zero(shape.dtype), shape.dtype)?;
            views::filled(self.place(), &shape, zero)?
        };
        self.set(tensor, value)?;
        Ok(value)
    }

    fn set(&mut self, tensor: TensorRef, value: Value<'c, 'a>) -> Result<(), Failure> {
        match tensor {
            TensorRef::Output(number) if number < self.outputs.len() => {
                self.outputs[number] = Some(value);
                Ok(())
            }
            _ => Err("a formula writes to a tensor that is not an output".into()),
        }
    }

    /// Whether a guard of an access that is fetched element by element may skip an iteration.
    fn may_skip(&self, assignment: &Assignment, plan: &Structured<'_>) -> Result<bool, Failure> {
        let fetched = |access: &skriptnd_language::compose::formula::ScalarExpr| {
            !plan.operands.iter().any(|operand| operand.access == access)
        };
        let skips = |indices: &[skriptnd_language::compose::formula::AccessIndex]| {
            indices.iter().any(|index| index.guard == Guard::Skip)
        };
        Ok(super::walk::accesses(assignment).into_iter().any(|access| match &access.kind {
            skriptnd_language::compose::formula::ScalarKind::Access { tensor, indices } => {
                fetched(access) && (skips(indices) || self.shape(*tensor).is_ok_and(TensorShape::is_empty))
            }
            _ => false,
        }))
    }
}

/// A constant tensor: a splat where all elements are equal.
pub fn tensor_constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    shape: &TensorShape,
    value: &Constant,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = type_of(builder, shape)?;
    builder.constant(tensor_attribute(builder, shape, value)?, r#type)
}

/// The elements attribute of a constant tensor.
pub fn tensor_attribute<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    shape: &TensorShape,
    value: &Constant,
) -> Result<Attribute<'c>, Failure> {
    let r#type = type_of(builder, shape)?;
    let scalar = builder.scalar_type(shape.dtype)?;
    let element = |value: &Constant| match (value, shape.dtype) {
        (Constant::Real(value), ScalarType::Real) => attributes::typed_real(builder.context(), scalar, *value),
        (Constant::Int(value), ScalarType::Real) => attributes::typed_real(builder.context(), scalar, *value as f64),
        (Constant::Int(value), ScalarType::Int) => Some(attributes::integer(builder.context(), *value)),
        (Constant::Bool(value), ScalarType::Bool) => Some(attributes::boolean(builder.context(), *value)),
        _ => None,
    };
    let mut is_open = false;
    value.symbols(&mut |_| is_open = true);
    if is_open {
        return Err("depends on extents that are known only at run time".into());
    }
    let wrong = || Failure::new("a constant has not the type or number of elements of its tensor");
    match value {
        Constant::Pack(items) => {
            let items: Vec<_> = items.iter().map(element).collect::<Option<_>>().ok_or_else(wrong)?;
            attributes::elements(r#type, &items).ok_or_else(wrong)
        }
        Constant::Repeat(item, _) => attributes::splat(r#type, element(item).ok_or_else(wrong)?).ok_or_else(wrong),
        single => attributes::splat(r#type, element(single).ok_or_else(wrong)?).ok_or_else(wrong),
    }
}
