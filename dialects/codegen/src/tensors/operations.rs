//! Building the few operations on tensors that the rewrites need.

use crate::Error;
use crate::affine::Map;
use crate::structured::maps_attribute;
use skriptnd_mlir::ir::{
    Attribute, Block, BlockLike, Context, Identifier, InContext, Location, Operation, OperationBuilder, OperationExt,
    OperationLike, OperationMutLike, OperationRef, Region, RegionLike, Type, Value, ValueLike, attributes, types,
};
use skriptnd_mlir::rewrite::with_rewriter;

/// A static tensor type.
pub fn tensor<'c>(element: Type<'c>, shape: &[i64]) -> Result<Type<'c>, Error> {
    let extents: Vec<_> = shape.iter().map(|&extent| u64::try_from(extent).ok()).collect();
    types::tensor(element, &extents).ok_or_else(|| Error::malformed(format!("no tensor of {element}")))
}

/// Inserts an operation before another.
pub fn insert<'c: 'a, 'a>(place: OperationRef<'c, 'a>, operation: Operation<'c>) -> OperationRef<'c, 'a> {
    with_rewriter(place, |rewriter| rewriter.insert(operation))
}

/// The only result.
pub fn result<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    Ok(operation.result(0).map_err(skriptnd_mlir::Error::from)?.into())
}

/// Builds an operation without regions before another and gives its result.
pub fn value<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    kind: Type<'c>,
    attributes: &[(&str, Attribute<'c>)],
) -> Result<Value<'c, 'a>, Error> {
    let context = place.in_context();
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
    let builder = OperationBuilder::new(name, place.location()).add_operands(operands).add_results(&[kind]);
    let built = builder.add_attributes(&attributes).build().map_err(skriptnd_mlir::Error::from)?;
    result(insert(place, built))
}

/// An operation that copies elements from `source` to a destination, by their maps from a common iteration space
/// without reductions. On tensors it has a result, on memrefs none.
pub fn copy<'c: 'a, 'a>(
    location: Location<'c>,
    (source, source_map): (Value<'c, 'a>, &Map),
    (destination, destination_map): (Value<'c, 'a>, &Map),
) -> Result<Operation<'c>, Error> {
    let context = source.r#type().in_context();
    let kind = destination.r#type();
    let element = types::element(kind);
    let block = Block::new(&[(types::element(source.r#type()), location), (element, location)]);
    let first: Value<'c, '_> = block.argument(0).map_err(skriptnd_mlir::Error::from)?.into();
    let end = OperationBuilder::new("linalg.yield", location).add_operands(&[first]).build();
    block.append_operation(end.map_err(skriptnd_mlir::Error::from)?);
    let region = Region::new();
    region.append_block(block);
    let results: Vec<Type<'c>> = if types::is_ranked_tensor(kind) { vec![kind] } else { Vec::new() };
    let built = OperationBuilder::new("linalg.generic", location)
        .add_operands(&[source, destination])
        .add_results(&results)
        .add_attributes(&structure(context, &[source_map.clone(), destination_map.clone()])?)
        .add_regions([region])
        .build();
    Ok(built.map_err(skriptnd_mlir::Error::from)?)
}

fn structure<'c>(context: &'c Context, maps: &[Map]) -> Result<Vec<(Identifier<'c>, Attribute<'c>)>, Error> {
    let named = |name: &str, value| (Identifier::new(context, name), value);
    let dims = maps.first().map_or(0, |map| map.dims);
    let parse = |text: &str| attributes::parse(context, text).ok_or_else(|| Error::malformed(text));
    let parallel = parse("#linalg.iterator_type<parallel>")?;
    let maps = maps_attribute(context, maps).ok_or_else(|| Error::malformed("indexing maps"))?;
    Ok(vec![
        named("indexing_maps", maps),
        named("iterator_types", attributes::array(context, &vec![parallel; dims])),
        named("operandSegmentSizes", attributes::segment_sizes(context, &[1, 1])),
    ])
}

/// A copy into a fresh tensor, before `place`.
pub fn copied<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    source_map: &Map,
    shape: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    let kind = tensor(types::element(source.r#type()), shape)?;
    let destination = value(place, "tensor.empty", &[], kind, &[])?;
    let identity = Map::identity(shape.len());
    result(insert(place, copy(place.location(), (source, source_map), (destination, &identity))?))
}

/// Appends zeros: `high` further elements in each dimension, before `place`.
pub fn padded<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    shape: &[i64],
    high: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    let context = place.in_context();
    let location = place.location();
    let element = types::element(source.r#type());
    let zero = attributes::typed_real(context, element, 0.0).or_else(|| attributes::typed_integer(element, 0));
    let zero = zero.ok_or_else(|| Error::malformed(format!("no zero of type {element}")))?;
    let zero = value(place, "arith.constant", &[], element, &[("value", zero)])?;
    let indices = vec![(types::index(context), location); shape.len()];
    let block = Block::new(&indices);
    let end = OperationBuilder::new("tensor.yield", location).add_operands(&[zero]).build();
    block.append_operation(end.map_err(skriptnd_mlir::Error::from)?);
    let region = Region::new();
    region.append_block(block);
    let grown: Vec<i64> = shape.iter().zip(high).map(|(extent, more)| extent + more).collect();
    let named = |name: &str, value| (Identifier::new(context, name), value);
    let built = OperationBuilder::new("tensor.pad", location)
        .add_operands(&[source])
        .add_results(&[tensor(element, &grown)?])
        .add_attributes(&[
            named("static_low", attributes::integers(context, &vec![0; shape.len()])),
            named("static_high", attributes::integers(context, high)),
            named("operandSegmentSizes", attributes::segment_sizes(context, &[1, 0, 0])),
        ])
        .add_regions([region])
        .build();
    result(insert(place, built.map_err(skriptnd_mlir::Error::from)?))
}

/// Sets the indexing maps of a structured operation.
pub fn set_maps<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, maps: &[Map]) -> Result<(), Error> {
    let attribute = maps_attribute(operation.in_context(), maps).ok_or_else(|| Error::malformed("indexing maps"))?;
    operation.set("indexing_maps", attribute);
    Ok(())
}

/// Replaces one operand.
pub fn set_operand<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, index: usize, value: Value<'c, 'a>) {
    with_rewriter(operation, |rewriter| {
        rewriter.modify(operation, |operation| operation.set_operand(index, value));
    });
}
