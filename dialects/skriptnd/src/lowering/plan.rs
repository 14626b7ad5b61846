//! What becomes of one assignment of a formula: data movement, a structured operation on whole tensors, or loops.
//!
//! The decision looks at the structure of the indices only, never at the operator's name, so that custom operators
//! are treated as well as those of the standard library.

mod bordered;

use super::form::IndexForm;
use super::limits::Limits;
use super::neutral::padding_value;
use super::view::{AccessDimension, Fill, Loops, View};
use super::walk;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, FormulaConstant, Guard, LoopIndex, ScalarExpr, ScalarKind, TensorRef,
};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::AssignOp;

/// Expressions nested deeper than this are refused: everything that follows recurses over them.
const MAXIMUM_DEPTH: usize = 1000;

/// Element type and extents of a tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorShape {
    /// Element type.
    pub dtype: ScalarType,
    /// Extents.
    pub shape: Vec<SymExpr>,
}

impl TensorShape {
    /// Of known extents.
    pub fn known(dtype: ScalarType, shape: &[i64]) -> TensorShape {
        TensorShape { dtype, shape: shape.iter().copied().map(SymExpr::Const).collect() }
    }

    /// Of a type.
    pub fn of(ty: &TensorType) -> TensorShape {
        TensorShape { dtype: ty.dtype, shape: ty.shape.iter().map(|extent| extent.value.clone()).collect() }
    }

    /// Of a constant of a formula.
    pub fn of_constant(constant: &FormulaConstant) -> TensorShape {
        TensorShape::known(constant.dtype, &constant.shape)
    }

    /// The extents if all are known.
    pub fn as_known(&self) -> Option<Vec<i64>> {
        self.shape.iter().map(SymExpr::as_known).collect()
    }

    /// Whether it has no elements, for sure.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&SymExpr::Const(0))
    }
}

/// How often a loop runs.
pub fn extent_of(index: &LoopIndex) -> SymExpr {
    index.dynamic.clone().unwrap_or(SymExpr::Const(index.extent))
}

/// The tensors that a formula works on.
#[derive(Debug, Clone, Copy)]
pub struct Tensors<'a> {
    /// Operands.
    pub inputs: &'a [TensorShape],
    /// Results.
    pub outputs: &'a [TensorShape],
    /// Constants of the operator.
    pub constants: &'a [TensorShape],
    /// What is known of extents that only a run knows.
    pub limits: &'a Limits,
}

impl<'a> Tensors<'a> {
    /// The shape of a tensor.
    pub fn get(&self, tensor: TensorRef) -> Option<&'a TensorShape> {
        match tensor {
            TensorRef::Input(number) => self.inputs.get(number),
            TensorRef::Output(number) => self.outputs.get(number),
            TensorRef::Constant(number) => self.constants.get(number),
        }
    }
}

/// Why an assignment can't be lowered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Too deep for what follows.
    #[error("a formula is nested more than {MAXIMUM_DEPTH} levels deep")]
    TooDeep,
    /// The formula contradicts the tensors.
    #[error("a formula accesses a tensor that the operator does not have, or with a wrong number of indices")]
    Inconsistent,
}

/// How an assignment is computed.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan<'a> {
    /// It does nothing: some loop has no iteration.
    Nothing,
    /// On whole tensors.
    Structured(Structured<'a>),
    /// Element by element, in the order of the formula.
    Sequential,
}

/// An assignment as a structured operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Structured<'a> {
    /// The dimensions of the iteration space: first the parallel ones in the order of the first target, then the
    /// reductions.
    pub loops: Vec<usize>,
    /// How many are parallel.
    pub parallel: usize,
    /// For each target where it is written.
    pub targets: Vec<View>,
    /// Accesses that become operands.
    pub operands: Vec<Operand<'a>>,
    /// Accesses that read what the first, second, ... target has been so far.
    pub currents: Vec<(&'a ScalarExpr, usize)>,
    /// Loops whose extents no operand determines.
    pub window: Vec<usize>,
    /// Whether the value is just the only operand, with the indices of the target.
    pub is_movement: bool,
}

/// An access that reads whole tensors.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand<'a> {
    /// The access; equal ones share the operand.
    pub access: &'a ScalarExpr,
    /// The tensor.
    pub tensor: TensorRef,
    /// How it is seen.
    pub view: View,
}

/// Whether everything that follows can deal with an assignment.
pub fn check(assignment: &Assignment) -> Result<(), PlanError> {
    if walk::depth(assignment) > MAXIMUM_DEPTH { Err(PlanError::TooDeep) } else { Ok(()) }
}

/// Decides how an assignment is computed.
pub fn plan<'a>(assignment: &'a Assignment, tensors: Tensors<'_>) -> Result<Plan<'a>, PlanError> {
    check(assignment)?;
    let planner = Planner::new(assignment, tensors)?;
    if planner.extents.iter().any(|extent| extent.as_known().is_some_and(|extent| extent <= 0)) {
        return Ok(Plan::Nothing);
    }
    Ok(planner.structured().map_or(Plan::Sequential, Plan::Structured))
}

/// Operands of a structured operation, and the reads of targets with the targets' numbers.
type Operands<'a> = (Vec<Operand<'a>>, Vec<(&'a ScalarExpr, usize)>);

/// An access with the affine forms of its indices.
struct AnalysedAccess<'a> {
    tensor: TensorRef,
    indices: &'a [AccessIndex],
    forms: Vec<Option<IndexForm>>,
    /// What stands for indices outside, where both are affine.
    remapped: Vec<Option<[IndexForm; 2]>>,
    shape: Vec<SymExpr>,
}

struct Planner<'a, 't> {
    assignment: &'a Assignment,
    extents: Vec<SymExpr>,
    limits: &'t Limits,
    targets: Vec<AnalysedAccess<'a>>,
    reads: Vec<(&'a ScalarExpr, AnalysedAccess<'a>)>,
    /// The affine forms of intermediate values.
    locals: Vec<Option<IndexForm>>,
    /// Loops of one iteration whose index is replaced by 0.
    fixed: Vec<bool>,
}

impl<'a, 't> Planner<'a, 't> {
    fn new(assignment: &'a Assignment, tensors: Tensors<'t>) -> Result<Self, PlanError> {
        let extents: Vec<SymExpr> = assignment.loops.iter().map(extent_of).collect();
        let mut locals = Vec::new();
        for local in &assignment.locals {
            locals.push(IndexForm::of(local, &locals));
        }
        let analyse = |tensor: TensorRef, indices: &'a [AccessIndex]| {
            let shape = tensors.get(tensor).ok_or(PlanError::Inconsistent)?.shape.clone();
            if shape.len() != indices.len() {
                return Err(PlanError::Inconsistent);
            }
            let forms = indices.iter().map(|index| IndexForm::of(&index.index, &locals)).collect();
            let remapped = indices.iter().map(|index| match &index.guard {
                Guard::Remap { below, above } => Some([IndexForm::of(below, &locals)?, IndexForm::of(above, &locals)?]),
                _ => None,
            });
            Ok(AnalysedAccess { tensor, indices, forms, remapped: remapped.collect(), shape })
        };
        let targets = assignment.targets.iter().map(|target| analyse(target.tensor, &target.indices));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        let mut reads = Vec::new();
        for access in walk::accesses(assignment) {
            if let ScalarKind::Access { tensor, indices } = &access.kind {
                reads.push((access, analyse(*tensor, indices)?));
            }
        }
        let limits = tensors.limits;
        let mut planner = Planner { assignment, extents, limits, targets, reads, locals, fixed: Vec::new() };
        planner.fix_unit_loops();
        Ok(planner)
    }

    /// A loop of one iteration stays only where it stands for a dimension of extent 1 everywhere: then the structure
    /// is that of larger extents.
    fn fix_unit_loops(&mut self) {
        let accesses = || self.targets.iter().chain(self.reads.iter().map(|read| &read.1));
        let stands_alone = |number: usize| {
            let mut appears = false;
            let mut alone = true;
            for access in accesses() {
                for (form, extent) in access.forms.iter().zip(&access.shape) {
                    let Some(form) = form else { continue };
                    if form.terms().iter().any(|term| term.0 == number) {
                        appears = true;
                        alone &= form.as_index() == Some(number) && *extent == SymExpr::Const(1);
                    }
                }
            }
            appears && alone
        };
        let is_unit = |number: usize| self.extents[number] == SymExpr::Const(1);
        let fixed = (0..self.extents.len()).map(|number| is_unit(number) && !stands_alone(number)).collect();
        self.fixed = fixed;
    }

    fn view(&self, access: &AnalysedAccess<'a>, fill: Option<Fill>) -> Option<View> {
        let without = |form: &IndexForm| form.without(&self.fixed);
        let dimension = |number: usize| AccessDimension {
            form: access.forms[number].as_ref().map(without),
            guard: &access.indices[number].guard,
            remapped: access.remapped[number].as_ref().map(|forms| forms.each_ref().map(without)),
            extent: access.shape[number].clone(),
        };
        let dimensions: Vec<_> = (0..access.indices.len()).map(dimension).collect();
        View::new(&dimensions, Loops { extents: &self.extents, limits: self.limits }, fill)
    }

    fn structured(&self) -> Option<Structured<'a>> {
        let targets: Vec<View> = self.targets.iter().map(|target| self.view(target, None)).collect::<Option<_>>()?;
        let mut loops = targets.first()?.loops()?;
        let same_loops = |view: &View| {
            view.loops().is_some_and(|own| own.len() == loops.len() && own.iter().all(|number| loops.contains(number)))
        };
        if !targets.iter().all(same_loops) || !self.targets_are_distinct() {
            return None;
        }
        let parallel = loops.len();
        let reductions = (0..self.extents.len()).filter(|number| !self.fixed[*number] && !loops.contains(number));
        loops.extend(reductions.collect::<Vec<_>>());
        let replaces = matches!(self.assignment.op, AssignOp::Set | AssignOp::Update);
        if replaces && loops.len() > parallel {
            // Iterations write the same element: the last one that does wins.
            return None;
        }
        let (operands, currents) = match self.bordered(targets.first()?) {
            Some(operand) => (vec![operand], Vec::new()),
            None => self.operands()?,
        };
        let window = self.undetermined(&loops, &targets, &operands);
        let mut plan = Structured { loops, parallel, targets, operands, currents, window, is_movement: false };
        plan.is_movement = self.is_movement(&plan);
        Some(plan)
    }

    fn targets_are_distinct(&self) -> bool {
        let tensors: Vec<TensorRef> = self.targets.iter().map(|target| target.tensor).collect();
        tensors.iter().enumerate().all(|(at, tensor)| !tensors[..at].contains(tensor))
    }

    /// Operands and reads of targets; none if a target is read elsewhere than where it is written.
    fn operands(&self) -> Option<Operands<'a>> {
        let (mut operands, mut currents) = (Vec::new(), Vec::new());
        for (access, analysed) in &self.reads {
            if let Some(number) = self.targets.iter().position(|target| target.tensor == analysed.tensor) {
                if analysed.indices != self.targets[number].indices {
                    return None;
                }
                currents.push((*access, number));
                continue;
            }
            let guarded = analysed.indices.iter().any(|index| index.guard == Guard::Skip);
            let fill = if guarded { padding_value(self.assignment, access).map(Fill::Constant) } else { None };
            if let Some(view) = self.view(analysed, fill) {
                operands.push(Operand { access, tensor: analysed.tensor, view });
            }
        }
        Some((operands, currents))
    }

    fn undetermined(&self, loops: &[usize], targets: &[View], operands: &[Operand<'_>]) -> Vec<usize> {
        let views = || targets.iter().chain(operands.iter().map(|operand| &operand.view));
        let determined =
            |number: usize| views().any(|view| view.indices.iter().any(|form| form.as_index() == Some(number)));
        loops.iter().copied().filter(|&number| !determined(number)).collect()
    }

    fn is_movement(&self, plan: &Structured<'a>) -> bool {
        let assignment = self.assignment;
        let replaces = matches!(assignment.op, AssignOp::Set | AssignOp::Update) && assignment.condition.is_none();
        match (plan.operands.as_slice(), plan.targets.as_slice(), assignment.values.as_slice()) {
            ([operand], [target], [value]) if replaces => {
                // What fills a border is an element of its own.
                let is_all = self.reads.len() == 1 || matches!(operand.view.fill, Some(Fill::Element(_)));
                is_all && *operand.access == *value && operand.view.loops() == target.loops()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
