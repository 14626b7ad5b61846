//! Formulas executed as they are written: one iteration after the other, each expression element by element. Slow and
//! obvious; what the faster engine computes is compared with it.

use super::compile;
use super::fault::FormulaFault;
use super::storage::{Buffer, Storage, Tensors};
use crate::limits::Clock;
use skriptnd_language::arithmetic::{self, IntResult, accumulator};
use skriptnd_language::compose::formula::{AccessIndex, Assignment, Guard, ScalarExpr, ScalarKind, Target, TensorRef};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_runtime::TensorData;
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};

/// How often the clock is looked at.
const ITERATIONS_BETWEEN_LOOKS: u32 = 1024;

/// Executes one assignment.
pub(super) fn execute(
    assignment: &Assignment,
    tensors: Tensors,
    storage: &mut Storage,
    clock: &Clock,
) -> Result<(), FormulaFault> {
    let expressions = assignment.locals.iter().chain(&assignment.condition).chain(&assignment.values);
    let indices = assignment.targets.iter().flat_map(|target| &target.indices).map(|access| &access.index);
    expressions.chain(indices).try_for_each(compile::check_depth)?;
    let extents: Vec<i64> = assignment.loops.iter().map(|index| index.extent).collect();
    if extents.iter().any(|&extent| extent <= 0) {
        return Ok(());
    }
    let mut indices = vec![0; extents.len()];
    let mut iterations = 0u32;
    loop {
        iterate(assignment, tensors, storage, &indices)?;
        iterations = iterations.wrapping_add(1);
        if iterations % ITERATIONS_BETWEEN_LOOKS == 0 && clock.has_run_out() {
            return Err(FormulaFault::Timeout);
        }
        if !advance(&mut indices, &extents) {
            return Ok(());
        }
    }
}

/// The next iteration, the innermost loop first; whether there is one.
fn advance(indices: &mut [i64], extents: &[i64]) -> bool {
    for (index, extent) in indices.iter_mut().zip(extents).rev() {
        *index += 1;
        if *index < *extent {
            return true;
        }
        *index = 0;
    }
    false
}

/// One iteration. It has no effect where a guard skips it or the condition does not hold; only where it has one, what has no
/// value is a fault, but the condition must always have a value. What has no value decides nothing: no branch is taken by it,
/// no guard skips for it.
fn iterate(
    assignment: &Assignment,
    tensors: Tensors,
    storage: &mut Storage,
    indices: &[i64],
) -> Result<(), FormulaFault> {
    let mut iteration = Iteration { tensors, storage, indices, locals: Vec::new(), skipped: false, fault: None };
    for local in &assignment.locals {
        let value = iteration.evaluate(local)?;
        iteration.locals.push(value);
    }
    let local_fault = iteration.fault.take();
    let holds = match &assignment.condition {
        Some(condition) => iteration.evaluate(condition)?.map(|value| value == Scalar::Bool(true)),
        None => Some(true),
    };
    let condition_fault = iteration.fault.take();
    let mut values = Vec::new();
    for (target, value) in assignment.targets.iter().zip(&assignment.values) {
        let dtype = tensors.shape(target.tensor)?.dtype;
        values.push(iteration.evaluate(value)?.map(|value| value.converted(dtype)).transpose()?);
    }
    let addresses: Vec<Option<usize>> =
        assignment.targets.iter().map(|target| iteration.target(target)).collect::<Result<_, _>>()?;
    let Iteration { skipped, fault, .. } = iteration;
    if skipped {
        return Ok(());
    }
    let counting = |fault: Option<FormulaFault>| fault.filter(|_| holds != Some(false));
    if let Some(fault) = counting(local_fault).or(condition_fault).or_else(|| counting(fault)) {
        return Err(fault);
    }
    if holds == Some(true) {
        for ((target, address), value) in assignment.targets.iter().zip(addresses).zip(values) {
            let (TensorRef::Output(number), Some(address), Some(value)) = (target.tensor, address, value) else {
                continue;
            };
            store(&mut storage.outputs[number], address, assignment.op, value)?;
        }
    }
    Ok(())
}

fn store(output: &mut Buffer, address: usize, op: AssignOp, value: Scalar) -> Result<(), FormulaFault> {
    match (output, value) {
        (Buffer::Wide(items), Scalar::Real(value)) => {
            let item = &mut items[address];
            *item = combined(op, *item, f64::from(value), arithmetic::real)?;
        }
        (Buffer::Real(items), Scalar::Real(value)) => {
            items[address] = combined(op, items[address], value, arithmetic::real)?;
        }
        (Buffer::Int(items), Scalar::Int(value)) => {
            let int = |op, a, b| arithmetic::int(op, a, b).and_then(|result| result.wrapped().ok());
            items[address] = combined(op, items[address], value, int)?;
        }
        (Buffer::Bool(items), Scalar::Bool(value)) => {
            items[address] = combined(op, items[address], value, arithmetic::logic)?;
        }
        _ => return Err(MISTYPED),
    }
    Ok(())
}

/// What is stored where `old` was.
fn combined<T>(
    op: AssignOp,
    old: T,
    value: T,
    arithmetic: impl Fn(BinaryOp, T, T) -> Option<T>,
) -> Result<T, FormulaFault> {
    match accumulator(op) {
        None => Ok(value),
        Some(op) => arithmetic(op, old, value).ok_or(MISTYPED),
    }
}

/// Formulas are typed when they are composed.
const MISTYPED: FormulaFault = FormulaFault::Inconsistent("an operand has not the type that its operator takes");

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scalar {
    Real(f32),
    Int(i64),
    Bool(bool),
}

impl Scalar {
    fn converted(self, dtype: ScalarType) -> Result<Scalar, FormulaFault> {
        Ok(match (self, dtype) {
            (Scalar::Real(value), ScalarType::Real) => Scalar::Real(value),
            // Towards zero; the infinities are the limits of `int` (section 2.4).
            (Scalar::Real(value), ScalarType::Int) => Scalar::Int(value as i64),
            (Scalar::Real(value), ScalarType::Bool) => Scalar::Bool(value != 0.0),
            (Scalar::Int(value), ScalarType::Real) => Scalar::Real(value as f32),
            (Scalar::Int(value), ScalarType::Int) => Scalar::Int(value),
            (Scalar::Int(value), ScalarType::Bool) => Scalar::Bool(value != 0),
            (Scalar::Bool(value), ScalarType::Real) => Scalar::Real(if value { 1.0 } else { 0.0 }),
            (Scalar::Bool(value), ScalarType::Int) => Scalar::Int(i64::from(value)),
            (Scalar::Bool(value), ScalarType::Bool) => Scalar::Bool(value),
            (_, ScalarType::Str) => return Err(FormulaFault::Strings),
        })
    }
}

struct Iteration<'a, 'b> {
    tensors: Tensors<'a>,
    storage: &'a Storage<'b>,
    indices: &'a [i64],
    locals: Vec<Option<Scalar>>,
    /// Whether a guard skips the iteration.
    skipped: bool,
    /// The first that has no value.
    fault: Option<FormulaFault>,
}

impl Iteration<'_, '_> {
    /// The value of an expression; none where an access in it has none, or an operator.
    fn evaluate(&mut self, expression: &ScalarExpr) -> Result<Option<Scalar>, FormulaFault> {
        let dtype = expression.dtype;
        let value = match &expression.kind {
            ScalarKind::Const(value) => Some(constant(value, dtype)?),
            ScalarKind::Index(number) => Some(Scalar::Int(self.indices[*number])),
            ScalarKind::Local(number) => self.locals[*number],
            ScalarKind::Access { tensor, indices } => {
                self.address(*tensor, indices)?.map(|address| self.load(*tensor, address))
            }
            ScalarKind::Unary(op, a) => self.evaluate(a)?.map(|a| unary(*op, a)).transpose()?,
            ScalarKind::Binary(op, a, b) => match (self.evaluate(a)?, self.evaluate(b)?) {
                (Some(a), Some(b)) => self.binary(*op, a, b)?,
                _ => None,
            },
            ScalarKind::Select(condition, a, b) => {
                let Some(condition) = self.evaluate(condition)? else { return Ok(None) };
                let chosen = if condition == Scalar::Bool(true) { a } else { b };
                self.evaluate(chosen)?.map(|value| value.converted(dtype)).transpose()?
            }
            ScalarKind::Cast(a) => self.evaluate(a)?.map(|a| a.converted(dtype)).transpose()?,
            ScalarKind::Builtin(function, a) => self.evaluate(a)?.map(|a| builtin(*function, a)).transpose()?,
        };
        Ok(value)
    }

    fn binary(&mut self, op: BinaryOp, a: Scalar, b: Scalar) -> Result<Option<Scalar>, FormulaFault> {
        let value = match (a, b) {
            (Scalar::Real(a), Scalar::Real(b)) => {
                let compared = || arithmetic::compare(op, a, b).map(Scalar::Bool);
                arithmetic::real(op, a, b).map(Scalar::Real).or_else(compared)
            }
            (Scalar::Int(left), Scalar::Int(right)) => match arithmetic::int(op, left, right).map(IntResult::wrapped) {
                Some(Ok(value)) => Some(Scalar::Int(value)),
                Some(Err(_)) => {
                    self.fail(FormulaFault::Undefined { op, left, right });
                    return Ok(None);
                }
                None => arithmetic::compare(op, left, right).map(Scalar::Bool),
            },
            (Scalar::Bool(a), Scalar::Bool(b)) => arithmetic::logic(op, a, b).map(Scalar::Bool),
            _ => None,
        };
        value.map(Some).ok_or(MISTYPED)
    }

    fn fail(&mut self, fault: FormulaFault) {
        self.fault.get_or_insert(fault);
    }

    fn load(&self, tensor: TensorRef, address: usize) -> Scalar {
        let data = match tensor {
            TensorRef::Input(number) => &self.storage.inputs[number].data,
            TensorRef::Constant(number) => &self.storage.constants[number].data,
            TensorRef::Output(number) => {
                return match &self.storage.outputs[number] {
                    Buffer::Real(items) => Scalar::Real(items[address]),
                    Buffer::Wide(items) => Scalar::Real(items[address] as f32),
                    Buffer::Int(items) => Scalar::Int(items[address]),
                    Buffer::Bool(items) => Scalar::Bool(items[address]),
                };
            }
        };
        match data {
            TensorData::F32(items) => Scalar::Real(items[address]),
            TensorData::I64(items) => Scalar::Int(items[address]),
            TensorData::Bool(items) => Scalar::Bool(items[address]),
        }
    }

    fn target(&mut self, target: &Target) -> Result<Option<usize>, FormulaFault> {
        self.address(target.tensor, &target.indices)
    }

    /// Where the element is; none outside of the tensor, which skips the iteration or is a fault, or where an index has no
    /// value.
    fn address(&mut self, tensor: TensorRef, indices: &[AccessIndex]) -> Result<Option<usize>, FormulaFault> {
        let tensors = self.tensors;
        let shape = &tensors.shape(tensor)?.shape;
        let mut address = Some(0);
        for (dimension, (access, &extent)) in indices.iter().zip(shape).enumerate() {
            let limit = extent as i64;
            let index = match (self.int(&access.index)?, &access.guard) {
                (Some(index), Guard::Remap { below, .. }) if index < 0 => self.int(below)?,
                (Some(index), Guard::Remap { above, .. }) if index >= limit => self.int(above)?,
                (index, _) => index,
            };
            let Some(index) = index else {
                address = None;
                continue;
            };
            if (0..limit).contains(&index) {
                address = address.map(|address| address * extent + index as usize);
                continue;
            }
            address = None;
            match access.guard {
                Guard::Skip => self.skipped = true,
                _ => self.fail(FormulaFault::OutOfRange { tensor, dimension, index, extent: limit }),
            }
        }
        Ok(address)
    }

    fn int(&mut self, expression: &ScalarExpr) -> Result<Option<i64>, FormulaFault> {
        match self.evaluate(expression)? {
            Some(Scalar::Int(value)) => Ok(Some(value)),
            Some(_) => Err(MISTYPED),
            None => Ok(None),
        }
    }
}

fn constant(value: &Value, dtype: ScalarType) -> Result<Scalar, FormulaFault> {
    match value {
        Value::Real(value) => Ok(Scalar::Real(*value as f32)),
        Value::Int(value) => Scalar::Int(*value).converted(dtype),
        Value::Bool(value) => Ok(Scalar::Bool(*value)),
        _ => Err(MISTYPED),
    }
}

fn builtin(function: Builtin, a: Scalar) -> Result<Scalar, FormulaFault> {
    match a {
        // Computed with 64 bits, then rounded.
        Scalar::Real(a) => Ok(Scalar::Real(arithmetic::real_builtin(function, f64::from(a)) as f32)),
        Scalar::Int(a) => {
            let result = arithmetic::int_builtin(function, a).map(IntResult::wrapped);
            result.and_then(Result::ok).map(Scalar::Int).ok_or(MISTYPED)
        }
        Scalar::Bool(_) => Err(MISTYPED),
    }
}

fn unary(op: UnaryOp, a: Scalar) -> Result<Scalar, FormulaFault> {
    Ok(match (op, a) {
        (UnaryOp::Plus, Scalar::Real(_) | Scalar::Int(_)) => a,
        (UnaryOp::Neg, Scalar::Real(a)) => Scalar::Real(-a),
        (UnaryOp::Neg, Scalar::Int(a)) => Scalar::Int(a.wrapping_neg()),
        (UnaryOp::Not, Scalar::Bool(a)) => Scalar::Bool(!a),
        _ => return Err(MISTYPED),
    })
}
