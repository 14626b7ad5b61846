//! Formulas as operators on whole tensors: what a formula computes for one iteration is computed for all of them at once, in
//! tensors that have a dimension for each loop.

mod access;
mod assign;
mod contraction;
mod lane;
mod scalar;
mod scatter;
mod steps;

use super::constants::constant_tensor;
use super::scope::{Scope, Why};
use lane::Lane;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::formula::{
    Assignment, Formula, Guard, Interval, LinearForm, Ranges, ScalarExpr, ScalarKind, TensorRef,
};
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{ScalarType, Value};
use std::collections::HashMap;

/// Iterations of a nest of loops that are computed at once, at most.
const MOST_ITERATIONS: i128 = 1 << 30;

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
        Nest { assignment, locals, ranges, forms, fixed, is_tentative: assignment.condition.is_some() }
    }

    fn depth(&self) -> usize {
        self.assignment.loops.len()
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

    fn element_type(&self, tensor: TensorRef) -> ScalarType {
        match tensor {
            TensorRef::Input(at) => self.given.inputs[at].1.dtype,
            TensorRef::Output(at) => self.given.outputs[at].dtype,
            TensorRef::Constant(at) => self.given.formula.constants[at].dtype,
        }
    }
}

/// The value of `T()`.
fn zero(dtype: ScalarType) -> Value {
    match dtype {
        ScalarType::Real => Value::Real(0.0),
        ScalarType::Bool => Value::Bool(false),
        _ => Value::Int(0),
    }
}
