//! Views as tensor operations, and back.

use super::arithmetic;
use crate::builder::Builder;
use crate::lowering::plan::TensorShape;
use crate::lowering::view::{SliceDimension, View};
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, Value, attributes, types};

/// Applies a view to a tensor.
pub fn apply<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
) -> Result<Value<'c, 'a>, Failure> {
    let mut value = tensor;
    if let (true, Some(fill)) = (view.is_padded(), &view.fill) {
        value = pad(builder, value, dtype, view, fill)?;
    }
    if view.is_sliced() {
        let r#type = builder.tensor_type(dtype, &sliced(view))?;
        let attributes = slice_attributes(builder.context(), &view.slice);
        value = builder.value(
            "tensor.extract_slice",
            &[value],
            &with_segments(builder, attributes, &[1, 0, 0, 0]),
            r#type,
        )?;
    }
    let kept = kept_extents(view);
    if kept.len() != view.split.len() {
        value = collapse(builder, value, dtype, &drop_groups(view), &kept)?;
    }
    let shape = view.shape();
    if shape != kept {
        value = expand(builder, value, dtype, &split_groups(view), &shape)?;
    }
    Ok(value)
}

/// Puts a tensor with the shape of the view back to where the view took it from. `current` is what the parts outside
/// consist of.
pub fn restore<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    part: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
    current: impl FnOnce() -> Result<Value<'c, 'a>, Failure>,
) -> Result<Value<'c, 'a>, Failure> {
    let mut value = part;
    let kept = kept_extents(view);
    if view.shape() != kept {
        value = collapse(builder, value, dtype, &split_groups(view), &kept)?;
    }
    if kept.len() != view.split.len() {
        value = expand(builder, value, dtype, &drop_groups(view), &sliced(view))?;
    }
    if view.is_sliced() {
        let r#type = builder.tensor_type(dtype, &view.padded)?;
        let attributes = slice_attributes(builder.context(), &view.slice);
        let attributes = with_segments(builder, attributes, &[1, 1, 0, 0, 0]);
        value = builder.value("tensor.insert_slice", &[value, current()?], &attributes, r#type)?;
    }
    Ok(value)
}

/// `tensor.empty`
pub fn empty<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    dtype: ScalarType,
    shape: &[i64],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("tensor.empty", &[], &[], builder.tensor_type(dtype, shape)?)
}

/// A tensor of one value: `linalg.fill` of an empty one.
pub fn filled<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    shape: &TensorShape,
    scalar: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = builder.tensor_type(shape.dtype, &shape.shape)?;
    let element = builder.scalar_type(shape.dtype)?;
    let target = empty(builder, shape.dtype, &shape.shape)?;
    let body = builder.region(&[element, element], |body, arguments| {
        body.operation("linalg.yield", &arguments[..1], &[], &[]).map(drop)
    })?;
    let segments = [("operandSegmentSizes", attributes::segment_sizes(builder.context(), &[1, 1]))];
    let fill = builder.with_regions("linalg.fill", &[scalar, target], &segments, &[r#type], vec![body])?;
    Ok(skriptnd_mlir::ir::OperationLike::result(&fill, 0)?.into())
}

fn pad<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
    fill: &Constant,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = builder.tensor_type(dtype, &view.padded)?;
    let context = builder.context();
    let fill = arithmetic::constant(builder, fill, dtype)?;
    let index = types::index(context);
    let body = builder.region(&vec![index; view.padded.len()], |body, _| {
        body.operation("tensor.yield", &[fill], &[], &[]).map(drop)
    })?;
    let (low, high): (Vec<i64>, Vec<i64>) = view.padding.iter().copied().unzip();
    let attributes = [
        ("static_low", attributes::integers(context, &low)),
        ("static_high", attributes::integers(context, &high)),
        ("operandSegmentSizes", attributes::segment_sizes(context, &[1, 0, 0])),
    ];
    let pad = builder.with_regions("tensor.pad", &[tensor], &attributes, &[r#type], vec![body])?;
    Ok(skriptnd_mlir::ir::OperationLike::result(&pad, 0)?.into())
}

fn sliced(view: &View) -> Vec<i64> {
    view.slice.iter().map(|dimension| dimension.size).collect()
}

/// The extents of the slice without the dimensions that are dropped.
fn kept_extents(view: &View) -> Vec<i64> {
    view.slice.iter().zip(&view.split).filter(|(_, split)| !split.is_empty()).map(|(slice, _)| slice.size).collect()
}

/// For each kept dimension the dimensions of the slice that it consists of: dropped ones go with the kept one before
/// them, leading ones with the first.
fn drop_groups(view: &View) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut leading = Vec::new();
    for (number, split) in view.split.iter().enumerate() {
        match groups.last_mut() {
            _ if !split.is_empty() => {
                leading.push(number);
                groups.push(std::mem::take(&mut leading));
            }
            Some(group) => group.push(number),
            None => leading.push(number),
        }
    }
    groups
}

/// For each kept dimension the dimensions that it is split into.
fn split_groups(view: &View) -> Vec<Vec<usize>> {
    let mut next = 0;
    let kept = view.split.iter().filter(|split| !split.is_empty());
    kept.map(|split| {
        let group = (next..next + split.len()).collect();
        next += split.len();
        group
    })
    .collect()
}

fn reassociation<'c>(context: &'c Context, groups: &[Vec<usize>]) -> Attribute<'c> {
    let group = |group: &Vec<usize>| {
        let dimensions: Vec<_> = group.iter().map(|&number| attributes::integer(context, number as i64)).collect();
        attributes::array(context, &dimensions)
    };
    attributes::array(context, &groups.iter().map(group).collect::<Vec<_>>())
}

fn collapse<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    dtype: ScalarType,
    groups: &[Vec<usize>],
    shape: &[i64],
) -> Result<Value<'c, 'a>, Failure> {
    let groups = reassociation(builder.context(), groups);
    let r#type = builder.tensor_type(dtype, shape)?;
    builder.value("tensor.collapse_shape", &[tensor], &[("reassociation", groups)], r#type)
}

fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    dtype: ScalarType,
    groups: &[Vec<usize>],
    shape: &[i64],
) -> Result<Value<'c, 'a>, Failure> {
    let attributes = [
        ("reassociation", reassociation(builder.context(), groups)),
        ("static_output_shape", attributes::integers(builder.context(), shape)),
    ];
    builder.value("tensor.expand_shape", &[tensor], &attributes, builder.tensor_type(dtype, shape)?)
}

fn slice_attributes<'c>(context: &'c Context, slice: &[SliceDimension]) -> Vec<(&'static str, Attribute<'c>)> {
    let integers =
        |part: fn(&SliceDimension) -> i64| attributes::integers(context, &slice.iter().map(part).collect::<Vec<_>>());
    vec![
        ("static_offsets", integers(|dimension| dimension.offset)),
        ("static_sizes", integers(|dimension| dimension.size)),
        ("static_strides", integers(|dimension| dimension.stride)),
    ]
}

fn with_segments<'c>(
    builder: &Builder<'c, '_>,
    mut attributes: Vec<(&'static str, Attribute<'c>)>,
    segments: &[i32],
) -> Vec<(&'static str, Attribute<'c>)> {
    attributes.push(("operandSegmentSizes", skriptnd_mlir::ir::attributes::segment_sizes(builder.context(), segments)));
    attributes
}
