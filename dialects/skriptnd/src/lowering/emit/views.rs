//! Views as tensor operations, and back.

mod continued;

use super::arithmetic;
use super::extents::{Extents, tensor_type, type_of};
use crate::lowering::plan::TensorShape;
use crate::lowering::view::{Fill, View};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::TensorRef;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::ops::tensor::{self, Slice};

/// Where operations go, and the extents that are known there.
pub type Place<'p, 'c, 'a> = (&'p Builder<'c, 'a>, &'p Extents<'c, 'a>);

/// Applies a view to a tensor; `tensor_of` gives others by what formulas call them.
pub fn apply<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    tensor: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
    tensor_of: impl FnOnce(TensorRef) -> Result<Value<'c, 'a>, Failure>,
) -> Result<Value<'c, 'a>, Failure> {
    let mut value = tensor;
    if let (true, Some(fill)) = (view.is_padded(), &view.fill) {
        let fill = match fill {
            Fill::Constant(constant) => arithmetic::constant(builder, constant, dtype)?,
            Fill::Element(from) => tensor::extract(builder, tensor_of(*from)?, &[])?,
        };
        value = pad((builder, extents), value, dtype, view, fill)?;
    }
    if view.continued.iter().any(Option::is_some) {
        value = continued::emit((builder, extents), value, dtype, view)?;
    }
    if view.is_sliced() {
        let r#type = tensor_type(builder, dtype, &sliced(view))?;
        value = tensor::extract_slice(builder, value, &slice_of((builder, extents), view)?, r#type)?;
    }
    let kept = kept_extents(view);
    if kept.len() != view.split.len() {
        value = collapse(builder, value, dtype, &drop_groups(view), &kept)?;
    }
    let shape = view.shape();
    if shape != kept {
        value = expand((builder, extents), value, dtype, &split_groups(view), &shape)?;
    }
    reverse((builder, extents), value, dtype, view)
}

/// Puts a tensor with the shape of the view back to where the view took it from. `current` is what the parts outside
/// consist of.
pub fn restore<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    part: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
    current: impl FnOnce() -> Result<Value<'c, 'a>, Failure>,
) -> Result<Value<'c, 'a>, Failure> {
    let mut value = reverse((builder, extents), part, dtype, view)?;
    let kept = kept_extents(view);
    if view.shape() != kept {
        value = collapse(builder, value, dtype, &split_groups(view), &kept)?;
    }
    if kept.len() != view.split.len() {
        value = expand((builder, extents), value, dtype, &drop_groups(view), &sliced(view))?;
    }
    if view.is_sliced() {
        value = tensor::insert_slice(builder, value, current()?, &slice_of((builder, extents), view)?)?;
    }
    Ok(value)
}

/// A copy with the dimensions reversed that the view walks from their ends; reversed once more, they are as they were.
fn reverse<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
) -> Result<Value<'c, 'a>, Failure> {
    if view.reversed.is_empty() {
        return Ok(value);
    }
    let shape = view.shape();
    let mut source = Map::identity(shape.len());
    for &dim in &view.reversed {
        let extent = shape.get(dim).and_then(SymExpr::as_known).ok_or("a reversed dimension of unknown extent")?;
        source.results[dim] = Expr::Dim(dim).times(-1).plus(Expr::Const(extent - 1));
    }
    let maps = [source, Map::identity(shape.len())];
    let parallel = vec![false; shape.len()];
    let target = empty((builder, extents), &TensorShape { dtype, shape })?;
    let copy = linalg::generic(builder, &[value], &[target], &maps, &parallel)?;
    linalg::r#yield(&copy.builder, &copy.arguments[..1])?;
    copy.operation.result(0)
}

/// `tensor.empty`
pub fn empty<'c: 'a, 'a>((builder, extents): Place<'_, 'c, 'a>, shape: &TensorShape) -> Result<Value<'c, 'a>, Failure> {
    tensor::empty(builder, type_of(builder, shape)?, &extents.open(builder, &shape.shape)?)
}

/// A tensor of one value: `linalg.fill` of an empty one.
pub fn filled<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    shape: &TensorShape,
    scalar: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let target = empty((builder, extents), shape)?;
    linalg::fill(builder, scalar, target)
}

fn pad<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
    fill: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = tensor_type(builder, dtype, &continued::shape_before(view))?;
    let sizes = |(low, high): &(SymExpr, SymExpr)| Ok((extents.size(builder, low)?, extents.size(builder, high)?));
    let none = (SymExpr::Const(0), SymExpr::Const(0));
    let padding = view.padding.iter().zip(&view.continued);
    let padding = padding.map(|(padding, continued)| if continued.is_some() { &none } else { padding });
    let padding = padding.map(sizes).collect::<Result<Vec<_>, Failure>>()?;
    tensor::pad(builder, value, &padding, fill, r#type)
}

fn sliced(view: &View) -> Vec<SymExpr> {
    view.slice.iter().map(|dimension| dimension.size.clone()).collect()
}

/// The extents of the slice without the dimensions that are dropped.
fn kept_extents(view: &View) -> Vec<SymExpr> {
    let kept = view.slice.iter().zip(&view.split).filter(|(_, split)| !split.is_empty());
    kept.map(|(slice, _)| slice.size.clone()).collect()
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

fn collapse<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    dtype: ScalarType,
    groups: &[Vec<usize>],
    shape: &[SymExpr],
) -> Result<Value<'c, 'a>, Failure> {
    tensor::collapse_shape(builder, value, groups, tensor_type(builder, dtype, shape)?)
}

fn expand<'c: 'a, 'a>(
    (builder, extents): Place<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    dtype: ScalarType,
    groups: &[Vec<usize>],
    shape: &[SymExpr],
) -> Result<Value<'c, 'a>, Failure> {
    tensor::expand_shape(builder, value, groups, &extents.sizes(builder, shape)?, tensor_type(builder, dtype, shape)?)
}

fn slice_of<'c: 'a, 'a>((builder, extents): Place<'_, 'c, 'a>, view: &View) -> Result<Slice<'c, 'a>, Failure> {
    let offsets = view.slice.iter().map(|dimension| extents.size(builder, &dimension.offset));
    Ok(Slice {
        offsets: offsets.collect::<Result<_, _>>()?,
        sizes: extents.sizes(builder, &sliced(view))?,
        strides: view.slice.iter().map(|dimension| dimension.stride).collect(),
    })
}
