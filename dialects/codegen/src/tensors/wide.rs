//! Sums and products of many reals as the formulas have them (docs/semantics.md): each term is rounded to 32 bits, they are combined
//! one after the other in 64 bits, and the last is rounded. What a formula goes on with on the same elements goes on with all bits.

use super::operations::converted;
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{
    Builder, OperationRef, Type, Value, block_arguments, block_operations, operations_named, types,
};
use skriptnd_mlir::ops::{arith, linalg};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Widens the sums and products of a function. Returns how many there are.
pub fn widen<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let (mut wide, mut count) = (HashMap::new(), 0);
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(sum) = Structured::read(operation).and_then(Sum::of) else { continue };
        let begun = wide.get(&sum.initial().key()).copied();
        if sum.structured.is_parallel() && begun.is_none() {
            // One rounding from 64 bits is that of 32.
            continue;
        }
        let [whole, rounded] = sum.build(begun)?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[rounded]))?;
        wide.insert(rounded.key(), whole);
        count += 1;
    }
    Ok(count)
}

/// An operation that adds terms to reals of 32 bits, or multiplies them, also where a condition holds.
struct Sum<'c, 'a> {
    structured: Structured<'c, 'a>,
    /// The values of its body, by their keys, that the accumulator becomes.
    chain: HashSet<usize>,
}

impl<'c: 'a, 'a> Sum<'c, 'a> {
    fn of(structured: Structured<'c, 'a>) -> Option<Self> {
        let [output] = structured.outputs.as_slice() else { return None };
        let is_real = types::element(output.r#type()) == types::f32(structured.context());
        let accumulator = block_arguments(structured.body).nth(structured.inputs.len())?;
        let mut chain = HashSet::from([accumulator.key()]);
        for operation in block_operations(structured.body) {
            let on: Vec<bool> = operation.operands().map(|operand| chain.contains(&operand.key())).collect();
            match (operation.full_name(), on.as_slice()) {
                (arith::ADDF | arith::MULF, [true, false] | [false, true]) | (arith::SELECT, [false, true, true]) => {
                    chain.extend(operation.results().map(|result| result.key()));
                }
                (linalg::YIELD, [true]) => {}
                (_, on) if on.contains(&true) => return None,
                _ => {}
            }
        }
        let given = structured.body.terminator()?.operand(0).ok()?;
        let is_chain = given.key() != accumulator.key() && chain.contains(&given.key());
        let is_tensor = structured.operation.result_count() == 1;
        let is_flat = block_operations(structured.body).all(|operation| operation.region_count() == 0);
        (is_real && is_chain && is_tensor && is_flat).then_some(Sum { structured, chain })
    }

    /// What it begins with.
    fn initial(&self) -> Value<'c, 'a> {
        self.structured.outputs[0]
    }

    /// The same in 64 bits, and rounded. It begins with what has all bits, if that is given.
    fn build(&self, begun: Option<Value<'c, 'a>>) -> Result<[Value<'c, 'a>; 2], Error> {
        let Structured { operation, inputs, maps, reduced, .. } = &self.structured;
        let builder = Builder::before(*operation)?;
        let (narrow, initial) = (self.initial().r#type(), self.initial());
        let shape = types::shape(narrow).unwrap_or_default();
        let kind = types::tensor(types::f64(builder.context()), &shape);
        let kind = kind.ok_or_else(|| Error::malformed("a sum that is no tensor"))?;
        let initial = begun.map_or_else(|| converted(&builder, initial, arith::EXTF, kind), Ok)?;
        let made = linalg::generic(&builder, inputs, &[initial], maps, reduced)?;
        let arguments = block_arguments(self.structured.body).zip(made.arguments.iter().copied());
        let sum = self.body(&made.builder, arguments.map(|(old, new)| (old.key(), new)).collect())?;
        linalg::r#yield(&made.builder, &[sum])?;
        let whole = made.operation.result(0)?;
        Ok([whole, converted(&builder, whole, arith::TRUNCF, narrow)?])
    }

    /// Copies the body; its chain has 64 bits.
    fn body(
        &self,
        builder: &Builder<'c, 'a>,
        mut known: HashMap<usize, Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Error> {
        let double = types::f64(builder.context());
        let of = |known: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>| {
            known.get(&value.key()).copied().unwrap_or(value)
        };
        for operation in block_operations(self.structured.body) {
            let operands: Vec<_> = operation.operands().map(|value| of(&known, value)).collect();
            if operation.full_name() == linalg::YIELD {
                return operands.first().copied().ok_or_else(|| Error::malformed("a sum that gives nothing"));
            }
            let is_chain = operation.results().any(|result| self.chain.contains(&result.key()));
            let made = match is_chain {
                true => {
                    let operands = operands.into_iter().map(|operand| extended(builder, operand, double));
                    builder.value(operation.full_name(), &operands.collect::<Result<Vec<_>, _>>()?, &[], double)?
                }
                false => {
                    let copied = builder.copy(operation, &operands)?;
                    known.extend(operation.results().zip(copied.results()).map(|(own, copied)| (own.key(), copied)));
                    continue;
                }
            };
            known.extend(operation.results().map(|own| (own.key(), made)));
        }
        Err(Error::malformed("a sum that gives nothing"))
    }
}

/// A real of 32 bits in 64; other values as they are.
fn extended<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    double: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    match value.r#type() == types::f32(builder.context()) {
        true => Ok(arith::extf(builder, value, double)?),
        false => Ok(value),
    }
}
