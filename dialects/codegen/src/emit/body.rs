//! Scalar bodies of structured operations, computed on scalars or on vectors.

use super::group::Stage;
use crate::Error;
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Type, Value, block_arguments, block_operations, types};
use skriptnd_mlir::ops::vector::CombiningKind;
use skriptnd_mlir::ops::{arith, linalg, math};
use std::collections::HashMap;

/// An associative operation with its neutral element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combiner {
    /// The name of the operation that combines two values.
    pub operation: &'static str,
    /// How it combines the lanes of a vector.
    pub kind: CombiningKind,
    neutral: Neutral,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Neutral {
    Real(f64),
    Integer(i64),
}

const COMBINERS: &[Combiner] = &[
    Combiner { operation: arith::ADDF, kind: CombiningKind::Add, neutral: Neutral::Real(0.0) },
    Combiner { operation: arith::MULF, kind: CombiningKind::Mul, neutral: Neutral::Real(1.0) },
    Combiner { operation: arith::MAXIMUMF, kind: CombiningKind::Maximumf, neutral: Neutral::Real(f64::NEG_INFINITY) },
    Combiner { operation: arith::MINIMUMF, kind: CombiningKind::Minimumf, neutral: Neutral::Real(f64::INFINITY) },
    Combiner { operation: arith::MAXNUMF, kind: CombiningKind::Maxnumf, neutral: Neutral::Real(f64::NEG_INFINITY) },
    Combiner { operation: arith::MINNUMF, kind: CombiningKind::Minnumf, neutral: Neutral::Real(f64::INFINITY) },
    Combiner { operation: arith::ADDI, kind: CombiningKind::Add, neutral: Neutral::Integer(0) },
    Combiner { operation: arith::MULI, kind: CombiningKind::Mul, neutral: Neutral::Integer(1) },
    Combiner { operation: arith::MAXSI, kind: CombiningKind::Maxsi, neutral: Neutral::Integer(i64::MIN) },
    Combiner { operation: arith::MINSI, kind: CombiningKind::Minsi, neutral: Neutral::Integer(i64::MAX) },
];

impl Combiner {
    /// The neutral element.
    pub fn neutral<'c: 'a, 'a>(&self, builder: Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        Ok(match self.neutral {
            Neutral::Real(value) => builder.real(element, value)?,
            Neutral::Integer(value) => builder.integer(element, value)?,
        })
    }
}

/// How a body combines its accumulator with what it computes from the inputs, if the accumulator is used for that only.
pub fn combiner(stage: &Stage<'_, '_>) -> Option<Combiner> {
    let result = stage.body.terminator()?.operand(0).ok()?;
    let operation = result.defining_operation()?;
    let accumulator = block_arguments(stage.body).last()?;
    let combined = operation.operands().filter(|operand| operand.key() == accumulator.key()).count() == 1;
    let alone = combined && accumulator.uses().len() == 1 && operation.block() == Some(stage.body);
    let wide = types::width(result.r#type()).is_some_and(|width| result.r#type().is_float() || width == 64);
    COMBINERS.iter().find(|known| alone && wide && known.operation == operation.full_name()).copied()
}

/// Whether every operation of a body works on vectors lane by lane.
pub fn is_vectorizable(body: BlockRef<'_, '_>) -> bool {
    block_operations(body).all(|operation| {
        let name = operation.full_name();
        let scalar = |r#type: Type<'_>| r#type.is_float() || r#type.is_integer() || r#type.is_index();
        let elementwise = name.starts_with("arith.") || name.starts_with("math.");
        let plain = elementwise && operation.result_types().into_iter().all(scalar);
        plain || name == linalg::INDEX || name == linalg::YIELD
    })
}

/// Whether a body can be copied operation by operation: it has no regions.
pub fn is_flat(body: BlockRef<'_, '_>) -> bool {
    block_operations(body).all(|operation| operation.region_count() == 0)
}

/// A point of the iteration space, or a row of points along the vectorized dimension.
pub struct Point<'k, 'c, 'a> {
    /// Number of lanes.
    pub lanes: i64,
    /// Values from outside the body by their keys.
    pub captured: &'k HashMap<usize, Value<'c, 'a>>,
    /// The index of each dimension: a scalar, or a vector where the dimension is the vectorized one.
    pub indices: &'k [Value<'c, 'a>],
    /// Whether products and sums are fused.
    pub fused: bool,
}

/// Values of a body that are built already, by the keys of those that they stand for.
type Known<'c, 'a> = HashMap<usize, Value<'c, 'a>>;

/// Appends the operations of a body. An argument that is a scalar stays one until it meets a vector.
pub fn evaluate<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    body: BlockRef<'c, 'a>,
    arguments: &[Option<Value<'c, 'a>>],
    point: &Point<'_, 'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let mut known = Known::new();
    for (argument, value) in block_arguments(body).zip(arguments) {
        known.extend(value.map(|value| (argument.key(), value)));
    }
    for operation in block_operations(body) {
        if operation.full_name() == linalg::YIELD {
            let result = lookup(&known, point, operation, 0)?;
            return Ok(builder.broadcast(result, point.lanes)?);
        }
        if point.fused && is_fused_product(operation) {
            continue;
        }
        let results = append(builder, &known, operation, point)?;
        known.extend(operation.result_values().iter().map(Value::key).zip(results));
    }
    Err(Error::malformed("a body without a terminator"))
}

fn lookup<'c: 'a, 'a>(
    known: &Known<'c, 'a>,
    point: &Point<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    operand: usize,
) -> Result<Value<'c, 'a>, Error> {
    let key = operation.operand(operand)?.key();
    let value = known.get(&key).or_else(|| point.captured.get(&key));
    value.copied().ok_or_else(|| Error::malformed(format!("`{operation}` uses a value that its body can't see")))
}

/// A product whose only use is a sum.
fn is_fused_product(operation: OperationRef<'_, '_>) -> bool {
    if operation.full_name() != arith::MULF {
        return false;
    }
    let Some(result) = operation.result_values().first().copied() else { return false };
    let uses = result.uses();
    matches!(uses.as_slice(), [(sum, _)] if sum.full_name() == arith::ADDF && sum.block() == operation.block())
        && result.r#type().is_float()
}

/// Appends one operation of a body; gives what stands for its results.
fn append<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    known: &Known<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    point: &Point<'_, 'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    if operation.full_name() == linalg::INDEX {
        let dim = operation.get_integer("dim").and_then(|dim| usize::try_from(dim).ok());
        return Ok(dim.and_then(|dim| point.indices.get(dim)).copied().into_iter().collect());
    }
    if point.fused && operation.full_name() == arith::ADDF {
        if let Some(result) = append_fused(builder, known, operation, point)? {
            return Ok(vec![result]);
        }
    }
    let operands: Vec<Value<'c, 'a>> =
        (0..operation.operand_count()).map(|index| lookup(known, point, operation, index)).collect::<Result<_, _>>()?;
    if !operands.iter().any(|operand| operand.r#type().is_vector()) {
        return Ok(builder.copy(operation, &operands)?.result_values());
    }
    let operands: Vec<Value<'c, 'a>> =
        operands.into_iter().map(|operand| builder.broadcast(operand, point.lanes)).collect::<Result<_, _>>()?;
    let results: Vec<Type<'c>> =
        operation.result_types().into_iter().map(|result| types::lanes(result, point.lanes)).collect();
    let attributes: Vec<_> = operation.attributes().collect();
    Ok(builder.operation(operation.full_name(), &operands, &attributes, &results)?.result_values())
}

fn append_fused<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    known: &Known<'c, 'a>,
    sum: OperationRef<'c, 'a>,
    point: &Point<'_, 'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, Error> {
    let product = |index: usize| {
        sum.operand(index)
            .ok()
            .and_then(|operand| operand.defining_operation())
            .filter(|product| is_fused_product(*product))
    };
    let Some((product, addend)) = product(0).map(|p| (p, 1)).or_else(|| product(1).map(|p| (p, 0))) else {
        return Ok(None);
    };
    // Where both operands are products, the second was left out as well.
    let addend = match sum.operand(addend).ok().and_then(|operand| operand.defining_operation()) {
        Some(other) if is_fused_product(other) => {
            let factors = [lookup(known, point, other, 0)?, lookup(known, point, other, 1)?];
            lanewise(builder, arith::MULF, &factors, point.lanes)?
        }
        _ => lookup(known, point, sum, addend)?,
    };
    let operands = [lookup(known, point, product, 0)?, lookup(known, point, product, 1)?, addend];
    lanewise(builder, math::FMA, &operands, point.lanes).map(Some)
}

/// An operation whose result has the type of its operands; scalars meet vectors as vectors.
pub fn lanewise<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    lanes: i64,
) -> Result<Value<'c, 'a>, Error> {
    let wide = operands.iter().any(|operand| operand.r#type().is_vector());
    let lanes = if wide { lanes } else { 1 };
    let operands: Vec<_> =
        operands.iter().map(|operand| builder.broadcast(*operand, lanes)).collect::<Result<_, _>>()?;
    Ok(builder.value(name, &operands, &[], operands[0].r#type())?)
}
