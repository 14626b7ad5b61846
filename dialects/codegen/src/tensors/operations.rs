//! Building the few operations on tensors that the rewrites need.

use crate::Error;
use crate::generated::discardable::EncodingAttribute;
use crate::nest::element::Number;
use crate::views::elements;
use crate::views::made::Origin;
use crate::views::structured::{Structured, copy, maps_attribute};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{
    BlockRef, Builder, OperationRef, Type, Value, attributes, block_arguments, block_operations, types,
};
use skriptnd_mlir::ops::{self, Size, linalg};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// A static tensor type.
pub fn tensor<'c>(element: Type<'c>, shape: &[i64]) -> Result<Type<'c>, Error> {
    let extents: Vec<_> = shape.iter().map(|&extent| u64::try_from(extent).ok()).collect();
    types::tensor(element, &extents).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))
}

/// A copy into a fresh tensor whose dimensions are those of the source that `order` names, before `place`.
pub fn reordered<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    source_map: &Map,
    order: &[usize],
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(place)?;
    let shape = types::shape(source.r#type()).unwrap_or_default();
    let shape: Vec<_> = order.iter().map(|&dim| shape.get(dim).copied().flatten()).collect();
    let open = order.iter().zip(&shape).filter(|(_, extent)| extent.is_none());
    let open = open.map(|(&dim, _)| extent(&builder, source, dim)).collect::<Result<Vec<_>, _>>()?;
    let kind = types::tensor(types::element(source.r#type()), &shape);
    let kind = kind.ok_or_else(|| Error::malformed("no tensor of such elements"))?;
    let destination = ops::tensor::empty(&builder, kind, &open)?;
    let copy = copy(builder, (source, source_map), (destination, &Map::identity(shape.len())))?;
    Ok(copy.result(0)?)
}

/// Extents of a tensor that only a run knows.
pub fn open_extents<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
    let shape = types::shape(value.r#type()).unwrap_or_default();
    let open = shape.iter().enumerate().filter(|(_, extent)| extent.is_none());
    open.map(|(dim, _)| extent(builder, value, dim)).collect()
}

/// An extent of a tensor that only a run knows: what the tensor was made with, so that what reads its elements stays all that reads it.
pub fn extent<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>, dim: usize) -> Result<Value<'c, 'a>, Error> {
    match Origin::of(value, dim) {
        Origin::Given(extent) => Ok(extent),
        Origin::Tensor(tensor) => Ok(ops::tensor::dim(builder, tensor, dim)?),
    }
}

/// A fresh tensor of the elements of another one, each converted by an operation of this name.
pub fn converted<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    source: Value<'c, 'a>,
    conversion: &str,
    into: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let rank = types::rank(into).unwrap_or(0);
    let empty = ops::tensor::empty(builder, into, &open_extents(builder, source)?)?;
    let maps = vec![Map::identity(rank); 2];
    let body = linalg::generic(builder, &[source], &[empty], &maps, &vec![false; rank])?;
    let converted = body.builder.value(conversion, &[body.arguments[0]], &[], types::element(into))?;
    linalg::r#yield(&body.builder, &[converted])?;
    Ok(body.operation.result(0)?)
}

/// Appends a number: `high` further elements in each dimension, before `place`.
pub fn padded<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    high: &[i64],
    fill: i64,
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(place)?;
    let element = types::element(source.r#type());
    let fill = whole(&builder, element, fill)?;
    let shape = types::shape(source.r#type()).unwrap_or_default();
    let grown: Vec<_> =
        shape.iter().zip(high).map(|(extent, more)| extent.map(|extent| extent + more.unsigned_abs())).collect();
    let kind = types::tensor(element, &grown).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))?;
    let padding: Vec<_> = high.iter().map(|&high| (Size::Known(0), Size::Known(high))).collect();
    Ok(ops::tensor::pad(&builder, source, &padding, fill, kind)?)
}

/// What a `tensor.pad` adds, as numbers that are `fill` around another tensor, before it.
pub fn padded_by<'c: 'a, 'a>(
    pad: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    r#type: Type<'c>,
    fill: i64,
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(pad)?;
    let numbers = |name| pad.get_integers(name).ok_or_else(|| Error::malformed("padding without numbers"));
    let mut open = pad.operands().skip(1);
    let mut sizes = |name| {
        let size = |number: i64| match number {
            i64::MIN => open.next().map(Size::Value).ok_or_else(|| Error::malformed("padding without a number")),
            known => Ok(Size::Known(known)),
        };
        numbers(name)?.into_iter().map(size).collect::<Result<Vec<_>, Error>>()
    };
    let (low, high) = (sizes("static_low")?, sizes("static_high")?);
    let padding: Vec<_> = low.into_iter().zip(high).collect();
    let fill = whole(&builder, types::element(r#type), fill)?;
    Ok(ops::tensor::pad(&builder, source, &padding, fill, r#type)?)
}

/// Zero of a type, as a constant.
pub fn zero<'c: 'a, 'a>(builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
    whole(builder, element, 0)
}

/// A whole number of a type, as a constant.
fn whole<'c: 'a, 'a>(builder: &Builder<'c, 'a>, element: Type<'c>, number: i64) -> Result<Value<'c, 'a>, Error> {
    let real = attributes::typed_real(builder.context(), element, number as f64);
    let constant = real.or_else(|| attributes::typed_integer(element, number));
    let constant = constant.ok_or_else(|| Error::malformed(format!("no {number} of type {element}")))?;
    Ok(builder.constant(constant, element)?)
}

/// Sets the indexing maps of a structured operation. Nothing is known of what it gives then.
pub fn set_maps<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, maps: &[Map]) {
    EncodingAttribute::remove(operation);
    operation.set("indexing_maps", maps_attribute(operation.context(), maps));
}

/// Copies the operations of a structured operation's body that have no regions; gives what it yields. `known` are the values of its
/// arguments, by their keys.
pub fn copy_body<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    known: HashMap<usize, Value<'c, 'a>>,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let terminator = body.terminator().filter(|terminator| terminator.full_name() == linalg::YIELD);
    let terminator = terminator.ok_or_else(|| Error::malformed("a structured operation that yields nothing"))?;
    copy_values(body, builder, known, &terminator.operands().collect::<Vec<_>>())
}

/// The same; gives these values.
pub fn copy_values<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    mut known: HashMap<usize, Value<'c, 'a>>,
    values: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let of =
        |known: &HashMap<usize, Value<'c, 'a>>, value: Value<'c, 'a>| known.get(&value.key()).copied().unwrap_or(value);
    for operation in block_operations(body).filter(|operation| operation.full_name() != linalg::YIELD) {
        let operands: Vec<_> = operation.operands().map(|value| of(&known, value)).collect();
        let copied = builder.copy(operation, &operands)?;
        known.extend(operation.results().zip(copied.results()).map(|(own, copied)| (own.key(), copied)));
    }
    Ok(values.iter().map(|value| of(&known, *value)).collect())
}

/// Puts a structured operation in the place of one that computes the same, with these operands and maps, in which there is one more dimension
/// behind the others, along which it reduces.
pub fn reduce_within<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    maps: &[Map],
) -> Result<(), Error> {
    let builder = Builder::before(structured.operation)?;
    let reduced: Vec<bool> = structured.reduced.iter().copied().chain([true]).collect();
    let made = linalg::generic(&builder, inputs, &structured.outputs, maps, &reduced)?;
    let known = block_arguments(structured.body).map(|own| own.key()).zip(made.arguments.iter().copied()).collect();
    let results = copy_body(structured.body, &made.builder, known)?;
    linalg::r#yield(&made.builder, &results)?;
    let results = made.operation.result_values();
    Ok(with_rewriter(structured.operation, |rewriter| rewriter.replace(structured.operation, &results))?)
}

/// Numbers of a constant in another form, as a constant of the same shape.
pub fn known_as<'c: 'a, 'a>(made: OperationRef<'c, 'a>, numbers: &[i64], form: Number) -> Result<Value<'c, 'a>, Error> {
    let (element, bits) = (elements::r#type(made.context(), form.element())?, form.element().bytes() * 8);
    let kind = types::tensor(element, &types::shape(made.result(0)?.r#type()).unwrap_or_default());
    // Those without a sign are stored as those with it that have the same bits.
    let signed = |number: i64| number << (64 - bits) >> (64 - bits);
    let items = numbers.iter().map(|number| attributes::typed_integer(element, signed(*number)));
    let items = items.collect::<Option<Vec<_>>>();
    let known = kind.zip(items).and_then(|(kind, items)| Some((attributes::elements(kind, &items)?, kind)));
    let (known, kind) = known.ok_or_else(|| Error::malformed("no constant of integers"))?;
    Ok(Builder::before(made)?.constant(known, kind)?)
}
