//! Assignments in order that replace whole rows: where the innermost loops go through rows of the tensor that is written and of the
//! one that is read, an iteration of the loops around them copies a slice.

use super::scalar::{Guarded, Scalars};
use super::{FormulaState, extents};
use crate::lowering::plan::{TensorShape, Tensors, extent_of};
use crate::lowering::requirements::{Requirement, loops_of};
use crate::lowering::walk;
use skriptnd_language::arithmetic::accumulator;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{AccessIndex, Assignment, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_mlir::ops::{Size, arith};
use std::collections::BTreeSet;

/// Elements that a row has to have.
const LEAST_ROW: i64 = 2;

/// The rows that an assignment copies.
pub struct Rows<'e> {
    /// How many loops go around them.
    pub outer: usize,
    /// The extents of a row.
    shape: Vec<SymExpr>,
    source: TensorRef,
    indices: &'e [AccessIndex],
}

impl<'e> Rows<'e> {
    /// The longest rows; none where single elements are written.
    pub fn of(assignment: &'e Assignment, requirements: &[Requirement<'_>], tensors: Tensors<'_>) -> Option<Self> {
        let ([target], [value]) = (&assignment.targets[..], &assignment.values[..]) else { return None };
        let ScalarKind::Access { tensor: source, indices } = &value.kind else { return None };
        let (written, read) = (tensors.get(target.tensor)?, tensors.get(*source)?);
        let replaces = accumulator(assignment.op).is_none() && *source != target.tensor && written.dtype == read.dtype;
        let accesses = [(&target.indices[..], written), (&indices[..], read)];
        let count = assignment.loops.len();
        let goes_along = |behind: &usize| {
            let number = count - behind;
            let extent = extent_of(&assignment.loops[number]);
            accesses.iter().all(|(indices, shape)| dimension(indices, shape, *behind) == Some((number, &extent)))
        };
        let most = (1..=count).take_while(goes_along).count();
        let around = accesses.map(|(indices, _)| &indices[..indices.len() - most]);
        let used = used_around(assignment, requirements, around);
        let outer = (count - most).max(used.last().map_or(0, |last| last + 1));
        let shape: Vec<SymExpr> = assignment.loops.get(outer..)?.iter().map(extent_of).collect();
        let size = shape.iter().try_fold(1i64, |size, extent| size.checked_mul(tensors.limits.estimate(extent)?));
        let is_long = size.is_none_or(|size| size >= LEAST_ROW);
        (replaces && is_long && (1..count).contains(&outer)).then_some(Rows { outer, shape, source: *source, indices })
    }

    /// How often the outermost loop runs: never where a row has no elements, so that nothing is required then.
    pub fn count<'c: 'a, 'a>(
        &self,
        state: &FormulaState<'_, 'c, 'a>,
        builder: &Builder<'c, 'a>,
        count: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        match state.extents.are_positive(builder, &self.shape, state.tensors.limits)? {
            Some(has_elements) => arith::select(builder, has_elements, count, builder.index(0)?),
            None => Ok(count),
        }
    }

    /// The row that is read at the places of the loops around it.
    pub fn read<'c: 'a, 'a>(
        &self,
        state: &FormulaState<'_, 'c, 'a>,
        scalars: &Scalars<'_, 'c, 'a>,
    ) -> Result<Guarded<'c, 'a>, Failure> {
        let (builder, shape) = (scalars.builder(), state.shape(self.source)?);
        let places = scalars.positions(self.indices, &shape.shape)?;
        let row = TensorShape { dtype: shape.dtype, shape: self.shape.clone() };
        let slice = self.slice(state, builder, &places.indices)?;
        let kind = extents::type_of(&builder, &row)?;
        let value = tensor::extract_slice(&builder, state.tensor(self.source)?, &slice, kind)?;
        let condition = scalars.both(places.condition, scalars.has_elements(self.indices, &shape.shape)?)?;
        Ok(Guarded { value, condition, exists: places.exist })
    }

    /// A tensor with a row at some places.
    pub fn write<'c: 'a, 'a>(
        &self,
        state: &FormulaState<'_, 'c, 'a>,
        builder: Builder<'c, 'a>,
        (row, tensor, places): (Value<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]),
    ) -> Result<Value<'c, 'a>, Failure> {
        tensor::insert_slice(&builder, row, tensor, &self.slice(state, builder, places)?)
    }

    fn slice<'c: 'a, 'a>(
        &self,
        state: &FormulaState<'_, 'c, 'a>,
        builder: Builder<'c, 'a>,
        places: &[Value<'c, 'a>],
    ) -> Result<Slice<'c, 'a>, Failure> {
        let around = places.len() - self.shape.len();
        let single = (0..around).map(|_| Size::Known(1));
        let sizes = single.chain(state.extents.sizes(&builder, &self.shape)?).collect();
        let offset = |(dimension, place): (usize, &Value<'c, 'a>)| match dimension < around {
            true => Size::Value(*place),
            false => Size::Known(0),
        };
        let offsets = places.iter().enumerate().map(offset).collect();
        Ok(Slice { offsets, sizes, strides: vec![1; places.len()] })
    }
}

/// The loop along a dimension, counted from behind, if its index is the place there, and the extent of the dimension.
fn dimension<'e>(indices: &[AccessIndex], shape: &'e TensorShape, behind: usize) -> Option<(usize, &'e SymExpr)> {
    let dimension = indices.len().checked_sub(behind)?;
    Some((plain(&indices[dimension])?, shape.shape.get(dimension)?))
}

/// The loop whose index alone is the place.
fn plain(index: &AccessIndex) -> Option<usize> {
    match index.index.kind {
        ScalarKind::Index(number) => Some(number),
        _ => None,
    }
}

/// The loops that all but the places within a row depend on.
fn used_around(
    assignment: &Assignment,
    requirements: &[Requirement<'_>],
    places: [&[AccessIndex]; 2],
) -> BTreeSet<usize> {
    let mut used = loops_of(assignment, requirements);
    let mut add = |expression: &ScalarExpr| walk::loops(assignment, expression, &mut used);
    assignment.locals.iter().for_each(&mut add);
    places.iter().for_each(|indices| walk::index_parts(indices, &mut add));
    used
}
