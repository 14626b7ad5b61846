//! Building the few operations on tensors that the rewrites need.

use crate::Error;
use crate::structured::maps_attribute;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Attribute, Builder, OperationRef, Type, Value, attributes, types};

/// A static tensor type.
pub fn tensor<'c>(element: Type<'c>, shape: &[i64]) -> Result<Type<'c>, Error> {
    let extents: Vec<_> = shape.iter().map(|&extent| u64::try_from(extent).ok()).collect();
    types::tensor(element, &extents).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))
}

/// Builds an operation without regions before another and gives its result.
pub fn value<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    kind: Type<'c>,
    attributes: &[(&str, Attribute<'c>)],
) -> Result<Value<'c, 'a>, Error> {
    Ok(Builder::before(place)?.value(name, operands, attributes, kind)?)
}

/// Builds an operation that copies elements from `source` to a destination, by their maps from a common iteration space
/// without reductions. On tensors it has a result, on memrefs none.
pub fn copy<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    (source, source_map): (Value<'c, 'a>, &Map),
    (destination, destination_map): (Value<'c, 'a>, &Map),
) -> Result<OperationRef<'c, 'a>, Error> {
    let context = builder.context();
    let kind = destination.r#type();
    let results: Vec<Type<'c>> = if types::is_ranked_tensor(kind) { vec![kind] } else { Vec::new() };
    let structure = [
        ("indexing_maps", maps_attribute(context, &[source_map.clone(), destination_map.clone()])),
        ("iterator_types", attributes::iterator_types(context, &vec![false; source_map.dims])),
        ("operandSegmentSizes", attributes::segment_sizes(context, &[1, 1])),
    ];
    let elements = [types::element(source.r#type()), types::element(kind)];
    let copy = builder.with_regions("linalg.generic", &[source, destination], &structure, &results, &[&elements])?;
    let (body, arguments) = builder.inside(copy, 0)?;
    body.operation("linalg.yield", &arguments[..1], &[], &[])?;
    Ok(copy)
}

/// A copy into a fresh tensor, before `place`.
pub fn copied<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    source_map: &Map,
    shape: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(place)?;
    let destination = builder.value("tensor.empty", &[], &[], tensor(types::element(source.r#type()), shape)?)?;
    let copy = copy(builder, (source, source_map), (destination, &Map::identity(shape.len())))?;
    Ok(copy.result(0)?)
}

/// Appends zeros: `high` further elements in each dimension, before `place`.
pub fn padded<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    shape: &[i64],
    high: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(place)?;
    let context = builder.context();
    let element = types::element(source.r#type());
    let zero = attributes::typed_real(context, element, 0.0).or_else(|| attributes::typed_integer(element, 0));
    let zero =
        builder.constant(zero.ok_or_else(|| Error::malformed(format!("no zero of type {element}")))?, element)?;
    let grown: Vec<i64> = shape.iter().zip(high).map(|(extent, more)| extent + more).collect();
    let attributes = [
        ("static_low", attributes::integers(context, &vec![0; shape.len()])),
        ("static_high", attributes::integers(context, high)),
        ("operandSegmentSizes", attributes::segment_sizes(context, &[1, 0, 0])),
    ];
    let indices = vec![types::index(context); shape.len()];
    let results = [tensor(element, &grown)?];
    let pad = builder.with_regions("tensor.pad", &[source], &attributes, &results, &[&indices])?;
    builder.inside(pad, 0)?.0.operation("tensor.yield", &[zero], &[], &[])?;
    Ok(pad.result(0)?)
}

/// Sets the indexing maps of a structured operation.
pub fn set_maps<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, maps: &[Map]) {
    operation.set("indexing_maps", maps_attribute(operation.context(), maps));
}
