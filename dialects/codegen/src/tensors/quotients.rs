//! Products of matrices whose rows were divided by their sums, as those of attention, are divided themselves: they have fewer elements, and
//! the rows are gone through once less.

use super::operations::{copy_body, open_extents};
use crate::Error;
use crate::views::shapes::volume;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Attribute, Builder, OperationRef, Value, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::{arith, linalg, math, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// What an extent that only a run knows is taken for, as that of rows of attention.
const LONG: i64 = 1024;

/// Divides products behind, where their factors are divided before. Returns how many.
pub fn divide_products<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut divided = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(product) = Structured::read(operation).filter(|view| view.operation.result_count() == 1) else {
            continue;
        };
        let factors = product.contraction().map(|contraction| contraction.factors.map(|factor| factor.0));
        let found = factors.into_iter().flatten().find_map(|operand| Quotient::of(&product, operand));
        if let Some(quotient) = found {
            quotient.divide(&product)?;
            divided += 1;
        }
    }
    Ok(divided)
}

/// A factor of a product whose rows were divided by their sums.
struct Quotient<'c, 'a> {
    operand: usize,
    /// What was divided, as the product reads it.
    rows: (Value<'c, 'a>, Map),
    /// By what, as the product's elements tell it.
    sums: (Value<'c, 'a>, Map),
    /// In which other ways that may be computed.
    flags: Option<Attribute<'c>>,
}

impl<'c: 'a, 'a> Quotient<'c, 'a> {
    fn of(product: &Structured<'c, 'a>, operand: usize) -> Option<Self> {
        let quotient = Structured::read(product.inputs[operand].defining_operation()?)?;
        let [rows, sums] = <[Value<'c, 'a>; 2]>::try_from(quotient.inputs.clone()).ok()?;
        let is_quotient = quotient.operation.result_count() == 1
            && is_read_once(product.inputs[operand])
            && computes(&quotient, arith::DIVF)
            && are_powers(rows)
            && are_sums(sums, rows);
        let dims = quotient.output_map().filter(|_| is_quotient)?.inverse()?.after(&product.maps[operand])?;
        let written = product.output_map()?.as_dims()?;
        let sum_dims = quotient.maps[1].after(&dims)?.as_dims()?;
        let places = sum_dims.into_iter().map(|dim| written.iter().position(|own| *own == dim).map(Expr::Dim));
        let sum_map = Map { dims: written.len(), results: places.collect::<Option<_>>()? };
        let extent = |&dim: &usize| if product.open[dim].is_some() { LONG } else { product.extents[dim] };
        let elements = |map: &[usize]| volume(&map.iter().map(extent).collect::<Vec<_>>());
        let pays = elements(&product.maps[operand].as_dims()?) > elements(&written);
        let read = quotient.maps[0].after(&dims)?;
        let flags = block_operations(quotient.body).next().and_then(|step| step.get(arith::FAST_MATH));
        pays.then_some(Quotient { operand, rows: (rows, read), sums: (sums, sum_map), flags })
    }

    /// Builds the product of what was not divided, and its quotient.
    fn divide(self, product: &Structured<'c, 'a>) -> Result<(), Error> {
        let operation = product.operation;
        let builder = Builder::before(operation)?;
        let (mut inputs, mut maps) = (product.inputs.clone(), product.maps.clone());
        (inputs[self.operand], maps[self.operand]) = self.rows;
        let made = linalg::generic(&builder, &inputs, &product.outputs, &maps, &product.reduced)?;
        let arguments = block_arguments(product.body).zip(&made.arguments);
        let known = arguments.map(|(own, new)| (own.key(), *new)).collect();
        let results = copy_body(product.body, &made.builder, known)?;
        linalg::r#yield(&made.builder, &results)?;
        let whole = made.operation.result(0)?;
        let (kind, (sums, sum_map)) = (whole.r#type(), self.sums);
        let empty = tensor::empty(&builder, kind, &open_extents(&builder, whole)?)?;
        let each = Map::identity(sum_map.dims);
        let maps = [each.clone(), sum_map, each];
        let body = linalg::generic(&builder, &[whole, sums], &[empty], &maps, &vec![false; maps[0].dims])?;
        let divided = arith::divf(&body.builder, body.arguments[0], body.arguments[1])?;
        if let (Some(step), Some(flags)) = (divided.defining_operation(), self.flags) {
            step.set(arith::FAST_MATH, flags);
        }
        linalg::r#yield(&body.builder, &[divided])?;
        let divided = body.operation.result(0)?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[divided]))?)
    }
}

/// Whether one operation reads a value, without views that nothing reads.
fn is_read_once(value: Value<'_, '_>) -> bool {
    let read = |user: &OperationRef<'_, '_>| user.result_count() == 0 || user.is_used();
    value.uses().iter().filter(|(user, _)| read(user)).count() == 1
}

/// Whether an elementwise operation is only this of its arguments, in their order.
pub(super) fn computes(structured: &Structured<'_, '_>, name: &str) -> bool {
    let mut steps = block_operations(structured.body);
    let arguments = block_arguments(structured.body).map(|argument| argument.key());
    let is_it = |step: OperationRef<'_, '_>| {
        step.full_name() == name
            && step.operands().map(|operand| operand.key()).eq(arguments.take(step.operand_count()))
    };
    structured.is_parallel() && steps.next().is_some_and(is_it) && steps.count() == 1
}

/// Whether these are exponentials of differences, as those to the greatest of each row: they are 1 at most, so what is added up of them
/// overflows no earlier than where they are divided before.
fn are_powers<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let first = |value: Value<'c, 'a>, name: &str| {
        let made = value.defining_operation().and_then(Structured::read);
        made.filter(|made| computes(made, name)).map(|made| made.inputs[0])
    };
    first(value, math::EXP).and_then(|of| first(of, arith::SUBF)).is_some()
}

/// Whether a value is sums of elements of another.
pub(super) fn are_sums<'c: 'a, 'a>(value: Value<'c, 'a>, of: Value<'c, 'a>) -> bool {
    let made = value.defining_operation().and_then(Structured::read);
    made.is_some_and(|made| !made.is_parallel() && made.inputs.iter().any(|input| input.key() == of.key()))
}
