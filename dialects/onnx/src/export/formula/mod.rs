//! Formulas as operators on whole tensors: what a formula computes for one iteration is computed for all of them at once, in
//! tensors that have a dimension for each loop.

mod access;
mod assign;
mod contraction;
mod lane;
mod places;
mod power;
mod scalar;
mod scatter;
mod steps;

use super::constants::constant_tensor;
use super::scope::{Scope, Why};
use lane::Lane;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::formula::{
    Assignment, Formula, Guard, Interval, LinearForm, Ranges, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{ScalarType, Value};
use std::collections::HashMap;

/// Elements of what is computed at once on the way to a result that has fewer, at most.
const MOST_ELEMENTS: i128 = 1 << 28;

/// A formula with its operands.
pub struct Given<'a> {
    /// What is computed.
    pub formula: &'a Formula,
    /// Names and types of the operands.
    pub inputs: &'a [(String, TensorType)],
    /// Types of the results.
    pub outputs: &'a [TensorType],
}

/// The values of the results.
///
/// # Errors
/// What of the formula has no form in ONNX.
pub fn write(scope: &mut Scope, given: &Given<'_>) -> Result<Vec<String>, Why> {
    let states = vec![State::Unset; given.outputs.len()];
    let mut writer = FormulaWriter { scope, given, states };
    for assignment in &given.formula.assignments {
        writer.assignment(assignment)?;
    }
    (0..given.outputs.len()).map(|at| writer.output(at)).collect()
}

/// What a result has so far.
#[derive(Debug, Clone)]
enum State {
    Unset,
    /// The same for all elements.
    Uniform(Value),
    Value(String),
}

struct FormulaWriter<'s, 'a> {
    scope: &'s mut Scope,
    given: &'s Given<'a>,
    states: Vec<State>,
}

/// One nest of loops.
struct Nest<'a> {
    assignment: &'a Assignment,
    locals: Vec<Lane>,
    /// What locals can be.
    ranges: Vec<Option<Interval>>,
    /// What they are where they are affine.
    forms: Vec<Option<LinearForm>>,
    /// Loops that run one iteration after the other: the numbers of the one that is written.
    fixed: HashMap<usize, String>,
    /// Whether what is computed may be dropped afterwards: then indices must not leave their tensors.
    is_tentative: bool,
}

impl<'a> Nest<'a> {
    fn new(assignment: &'a Assignment, fixed: HashMap<usize, String>) -> Nest<'a> {
        let (locals, ranges, forms) = Default::default();
        let is_tentative = assignment.condition.is_some() || skips(assignment);
        Nest { assignment, locals, ranges, forms, fixed, is_tentative }
    }

    fn depth(&self) -> usize {
        self.assignment.loops.len()
    }

    /// Whether there may be no iterations, for all that is known.
    fn is_open(&self) -> bool {
        (0..self.depth()).any(|number| self.extent(number).is_none())
    }

    /// How often a loop runs, where it is known.
    fn extent(&self, number: usize) -> Option<i64> {
        let index = &self.assignment.loops[number];
        index.dynamic.is_none().then_some(index.extent)
    }

    fn extent_expression(&self, number: usize) -> SymExpr {
        let index = &self.assignment.loops[number];
        index.dynamic.clone().unwrap_or(SymExpr::Const(index.extent))
    }

    /// Whether a loop runs as often as an extent says.
    fn covers(&self, number: usize, extent: &Extent) -> bool {
        !self.fixed.contains_key(&number) && self.extent_expression(number) == extent.value
    }

    /// The values that an expression can have.
    fn range(&self, formula: &Formula, expression: &ScalarExpr) -> Option<Interval> {
        let ranges = Ranges { loops: &self.assignment.loops, constants: &formula.constants, locals: &self.ranges };
        ranges.of(expression)
    }

    /// The loops that the indices of a target depend on.
    fn placed(&self, target: &Target) -> Vec<usize> {
        let mut found = Vec::new();
        for access in &target.indices {
            self.loops(&access.index, &mut found);
            if let Guard::Remap { below, above } = &access.guard {
                [below, above].into_iter().for_each(|part| self.loops(part, &mut found));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The loops that they do not depend on.
    fn free(&self, target: &Target) -> Vec<usize> {
        let placed = self.placed(target);
        (0..self.depth()).filter(|number| !placed.contains(number) && !self.fixed.contains_key(number)).collect()
    }

    /// The loops that an expression depends on, in order.
    fn loops(&self, expression: &ScalarExpr, found: &mut Vec<usize>) {
        match &expression.kind {
            ScalarKind::Index(number) if self.fixed.contains_key(number) => {}
            ScalarKind::Index(number) => found.push(*number),
            ScalarKind::Local(number) => self.loops(&self.assignment.locals[*number], found),
            _ => parts(expression, &mut |part| self.loops(part, found)),
        }
    }
}

/// Whether an index outside lets an iteration go.
fn skips(assignment: &Assignment) -> bool {
    fn skips(expression: &ScalarExpr) -> bool {
        let mut found = matches!(&expression.kind, ScalarKind::Access { indices, .. }
            if indices.iter().any(|access| access.guard == Guard::Skip));
        parts(expression, &mut |part| found |= skips(part));
        found
    }
    let targets = assignment.targets.iter().flat_map(|target| &target.indices);
    let is_skipped = targets.clone().any(|access| access.guard == Guard::Skip || skips(&access.index));
    is_skipped || assignment.values.iter().chain(&assignment.locals).any(skips)
}

/// Calls `visit` with what an expression is made of.
fn parts<'e>(expression: &'e ScalarExpr, visit: &mut dyn FnMut(&'e ScalarExpr)) {
    match &expression.kind {
        ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_) => {}
        ScalarKind::Access { indices, .. } => {
            for access in indices {
                visit(&access.index);
                if let Guard::Remap { below, above } = &access.guard {
                    visit(below);
                    visit(above);
                }
            }
        }
        ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => visit(a),
        ScalarKind::Binary(_, a, b) => [a, b].into_iter().for_each(|part| visit(part)),
        ScalarKind::Select(a, b, c) => [a, b, c].into_iter().for_each(|part| visit(part)),
    }
}

impl FormulaWriter<'_, '_> {
    /// A result as it is so far.
    fn output(&mut self, at: usize) -> Result<String, Why> {
        let ty = &self.given.outputs[at];
        let value = match self.states[at].clone() {
            State::Value(name) => return Ok(name),
            State::Uniform(value) => value,
            State::Unset => zero(ty.dtype),
        };
        let scalar = self.scope.scalar(&value, ty.dtype)?;
        let filled = match ty.shape.is_empty() {
            true => scalar,
            false => {
                let shape = self.scope.shape(&ty.shape)?;
                self.scope.nodes.add("Expand", &[&scalar, &shape], Vec::new())
            }
        };
        self.states[at] = State::Value(filled.clone());
        Ok(filled)
    }

    /// A tensor that the formula reads, with its type.
    fn tensor(&mut self, tensor: TensorRef) -> Result<(String, TensorType), Why> {
        match tensor {
            TensorRef::Input(at) => Ok(self.given.inputs[at].clone()),
            TensorRef::Output(at) => Ok((self.output(at)?, self.given.outputs[at].clone())),
            TensorRef::Constant(at) => {
                let constant = &self.given.formula.constants[at];
                let shape = constant.shape.iter().map(|extent| Extent::known(*extent)).collect();
                let ty = TensorType { dtype: constant.dtype, shape };
                Ok((constant_tensor(self.scope, &constant.value, &ty)?, ty))
            }
        }
    }

    /// Refuses what would have very many elements for iterations of some loops, of which the results have fewer.
    fn check_size(&self, nest: &Nest<'_>, loops: &[usize]) -> Result<(), Why> {
        let is_own = |number: &usize| loops.contains(number) && !nest.fixed.contains_key(number);
        let count = volume((0..nest.depth()).filter(is_own).filter_map(|number| nest.extent(number)));
        let results = self.given.outputs.iter().map(|ty| volume(ty.shape.iter().filter_map(Extent::as_known)));
        match count > results.max().unwrap_or(0).max(MOST_ELEMENTS) {
            true => Err(format!("it would compute {count} elements at once, of which there may be {MOST_ELEMENTS}")),
            false => Ok(()),
        }
    }

    fn element_type(&self, tensor: TensorRef) -> ScalarType {
        match tensor {
            TensorRef::Input(at) => self.given.inputs[at].1.dtype,
            TensorRef::Output(at) => self.given.outputs[at].dtype,
            TensorRef::Constant(at) => self.given.formula.constants[at].dtype,
        }
    }
}

/// How many elements there are, those of open extents not counted.
fn volume(extents: impl Iterator<Item = i64>) -> i128 {
    extents.map(|extent| i128::from(extent.max(0))).fold(1, i128::saturating_mul)
}

/// The value of `T()`.
fn zero(dtype: ScalarType) -> Value {
    match dtype {
        ScalarType::Real => Value::Real(0.0),
        ScalarType::Bool => Value::Bool(false),
        _ => Value::Int(0),
    }
}
