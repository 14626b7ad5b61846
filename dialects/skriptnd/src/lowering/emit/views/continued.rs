//! Tensors that are continued outside by elements of their own: constant, repeated or reflected. The inside is one copy, and each side
//! and corner another, all of rows that lie as they are read.

use super::{Place, empty, tensor_type};
use crate::lowering::plan::TensorShape;
use crate::lowering::view::{Outside, View};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::ops::tensor::{self, Slice};

/// A part of a dimension of the result.
#[derive(Clone)]
struct Segment {
    /// Where it begins.
    at: SymExpr,
    size: SymExpr,
    /// The first element of the source that it consists of.
    from: SymExpr,
    /// How they follow each other: -1, 0 or 1.
    factor: i64,
}

/// The extents before dimensions are continued.
pub(super) fn shape_before(view: &View) -> Vec<SymExpr> {
    let extents = view.padded.iter().zip(&view.continued);
    extents
        .map(|(padded, continued)| continued.as_ref().map_or(padded, |continued| &continued.extent).clone())
        .collect()
}

/// The tensor with the padding that continues it.
pub(super) fn emit<'c: 'a, 'a>(
    place: Place<'_, 'c, 'a>,
    source: Value<'c, 'a>,
    dtype: ScalarType,
    view: &View,
) -> Result<Value<'c, 'a>, Failure> {
    let mut boxes: Vec<Vec<Segment>> = vec![Vec::new()];
    for dimension in 0..view.padded.len() {
        let segments = segments(view, dimension).ok_or("padding of too many elements")?;
        boxes = boxes
            .iter()
            .flat_map(|known| segments.iter().map(|next| [known, [next.clone()].as_slice()].concat()))
            .collect();
    }
    let mut value = empty(place, &TensorShape { dtype, shape: view.padded.clone() })?;
    for segments in boxes {
        let part = part(place, source, dtype, &segments)?;
        let target = slice(place, segments.iter().map(|segment| (&segment.at, &segment.size)))?;
        value = tensor::insert_slice(place.0, part, value, &target)?;
    }
    Ok(value)
}

/// The parts of a dimension; none on overflow.
fn segments(view: &View, dimension: usize) -> Option<Vec<Segment>> {
    let (zero, one) = (SymExpr::Const(0), SymExpr::Const(1));
    let whole =
        |at: &SymExpr, size: &SymExpr| Segment { at: at.clone(), size: size.clone(), from: zero.clone(), factor: 1 };
    let Some(continued) = &view.continued[dimension] else { return Some(vec![whole(&zero, &view.padded[dimension])]) };
    let ((low, high), extent) = (&view.padding[dimension], &continued.extent);
    // The position of the first element behind `at`, as the source counts.
    let side = |outside: &Outside, at: &SymExpr, size: &SymExpr| {
        let first = at.minus(low)?;
        let position = if outside.factor < 0 { first.plus(size)?.minus(&one)? } else { first };
        let from = position.times(&SymExpr::Const(outside.factor))?.plus(&outside.offset)?;
        Some(Segment { at: at.clone(), size: size.clone(), from, factor: outside.factor })
    };
    let mut segments = Vec::new();
    if let Some(outside) = &continued.below {
        segments.push(side(outside, &zero, low)?);
    }
    segments.push(whole(low, extent));
    if let Some(outside) = &continued.above {
        segments.push(side(outside, &low.plus(extent)?, high)?);
    }
    Some(segments)
}

/// The elements of the source that a box of the result consists of.
fn part<'c: 'a, 'a>(
    place: Place<'_, 'c, 'a>,
    source: Value<'c, 'a>,
    dtype: ScalarType,
    segments: &[Segment],
) -> Result<Value<'c, 'a>, Failure> {
    let one = SymExpr::Const(1);
    let taken = |segment: &Segment| if segment.factor == 0 { one.clone() } else { segment.size.clone() };
    let sizes: Vec<SymExpr> = segments.iter().map(taken).collect();
    let part = slice(place, segments.iter().map(|segment| &segment.from).zip(&sizes))?;
    let part = tensor::extract_slice(place.0, source, &part, tensor_type(place.0, dtype, &sizes)?)?;
    let shape: Vec<SymExpr> = segments.iter().map(|segment| segment.size.clone()).collect();
    if shape == sizes && segments.iter().all(|segment| segment.factor >= 0) {
        return Ok(part);
    }
    let mut read = Map::identity(segments.len());
    for (dim, segment) in segments.iter().enumerate() {
        if segment.factor == 0 {
            read.results[dim] = Expr::Const(0);
        } else if segment.factor < 0 {
            let size = segment.size.as_known().ok_or("a reversed part of unknown extent")?;
            read.results[dim] = Expr::Dim(dim).times(-1).plus(Expr::Const(size - 1));
        }
    }
    let maps = [read, Map::identity(segments.len())];
    let target = empty(place, &TensorShape { dtype, shape })?;
    let copy = linalg::generic(place.0, &[part], &[target], &maps, &vec![false; segments.len()])?;
    linalg::r#yield(&copy.builder, &copy.arguments[..1])?;
    copy.operation.result(0)
}

fn slice<'c: 'a, 'a, 's>(
    (builder, extents): Place<'_, 'c, 'a>,
    parts: impl Iterator<Item = (&'s SymExpr, &'s SymExpr)> + Clone,
) -> Result<Slice<'c, 'a>, Failure> {
    let offsets = parts.clone().map(|(from, _)| extents.size(builder, from)).collect::<Result<Vec<_>, Failure>>()?;
    let sizes = parts.map(|(_, size)| extents.size(builder, size)).collect::<Result<Vec<_>, Failure>>()?;
    let strides = vec![1; sizes.len()];
    Ok(Slice { offsets, sizes, strides })
}
