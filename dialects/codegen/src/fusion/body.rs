//! The scalar computation of a structured operation, from its body.

use crate::nest::computation::{Computation, Instruction, Ref};
use crate::nest::op::Op;
use crate::views::elements;
use skriptnd_mlir::ir::{BlockRef, OperationRef, Value, block_arguments, block_operations};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::{linalg, memref, tensor};
use std::collections::HashMap;

/// The computation of a body, which `number`s what it takes from outside beside its arguments. None where it is no list of
/// operations on scalars.
pub fn computation<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    mut number: impl FnMut(Value<'c, 'a>) -> usize,
) -> Option<Computation> {
    let mut known = HashMap::new();
    let mut arguments = Vec::new();
    for (number, argument) in block_arguments(body).enumerate() {
        known.insert(argument.key(), Ref::Argument(number));
        arguments.push(elements::of(argument.r#type())?);
    }
    let mut instructions = Vec::new();
    for operation in block_operations(body) {
        let used = |operand: Value<'c, 'a>| known.get(&operand.key()).copied();
        let operands =
            operation.operands().map(|operand| used(operand).unwrap_or_else(|| Ref::Operand(number(operand))));
        let operands: Vec<Ref> = operands.collect();
        if operation.full_name() == linalg::YIELD {
            let (&result, further) = operands.split_first()?;
            return Some(Computation { arguments, instructions, result, further: further.to_vec() });
        }
        for (number, result) in operation.result_values().iter().enumerate() {
            known.insert(result.key(), Ref::Result(instructions.len(), number));
        }
        instructions.push(instruction(operation, operands)?);
    }
    None
}

/// None for operations with regions, those whose results are no scalars, and those that kernels don't have.
fn instruction(operation: OperationRef<'_, '_>, operands: Vec<Ref>) -> Option<Instruction> {
    let results = operation.result_types().into_iter().map(elements::of).collect::<Option<_>>()?;
    let op = op(operation).filter(|_| operation.region_count() == 0)?;
    Some(Instruction { op, operands, results })
}

/// What an operation is on scalars. Of permissions to compute in other ways, `fastmath` and `overflowFlags`, those are used that passes give.
fn op(operation: OperationRef<'_, '_>) -> Option<Op> {
    let number = |name: &str| operation.get_integer(name);
    Some(match operation.full_name() {
        arith::CONSTANT => Op::Constant(elements::constant(operation.get("value")?)?),
        linalg::INDEX => Op::Index(usize::try_from(number("dim")?).ok()?),
        arith::CMPF => Op::CmpF(FloatPredicate::of(number("predicate")?)?),
        arith::CMPI => Op::CmpI(IntegerPredicate::of(number("predicate")?)?),
        memref::LOAD | tensor::EXTRACT => Op::Fetch,
        _ if operation.get("roundingmode").is_some() => return None,
        arith::MAXIMUMF if may(operation, "nnan") => Op::GreaterF,
        arith::DIVF if may(operation, "arcp") => Op::QuotientF,
        name => Op::named(name)?,
    })
}

/// Whether an operation may be computed in just this other way.
fn may(operation: OperationRef<'_, '_>, flags: &str) -> bool {
    let given = operation.get(arith::FAST_MATH);
    given.is_some() && given == arith::fast_math(operation.context(), flags).ok()
}
