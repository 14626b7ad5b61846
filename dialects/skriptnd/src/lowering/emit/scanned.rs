//! Sums over all items before one: a loop that carries them. Where enough lies behind the items, a row is added in each
//! iteration; else one element, in loops along all other dimensions.

use super::{FormulaState, arithmetic, views};
use crate::lowering::plan::TensorShape;
use crate::lowering::scan::Scan;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_mlir::ops::{Size, arith, linalg, scf};
use skriptnd_syntax::ast::AssignOp;

/// Elements behind an item from which on they are added as a row.
const LEAST_ROW: i64 = 8;

/// Emits an assignment as a scan.
pub fn emit<'c: 'a, 'a>(state: &mut FormulaState<'_, 'c, 'a>, scan: &Scan) -> Result<(), Failure> {
    let shape = state.shape(scan.output)?.clone();
    let is_covered = shape.shape[scan.dimension] == scan.count;
    let start = match is_covered {
        true => views::empty(state.place(), &shape)?,
        false => state.current(scan.output, false)?,
    };
    let behind = &shape.shape[scan.dimension + 1..];
    let row = behind.iter().try_fold(1i64, |row, extent| row.checked_mul(state.tensors.limits.estimate(extent)?));
    let source = state.tensor(scan.input)?;
    let nest = Nest { state, scan, shape: &shape, source };
    let result = match row {
        Some(row) if row < LEAST_ROW => nest.elements(state.builder, &mut Vec::new(), start)?,
        _ => nest.rows(start)?,
    };
    state.set(scan.output, result)
}

struct Nest<'s, 'n, 'c, 'a> {
    state: &'n FormulaState<'s, 'c, 'a>,
    scan: &'n Scan,
    shape: &'n TensorShape,
    source: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Nest<'_, '_, 'c, 'a> {
    fn rows(&self, start: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let (builder, dtype) = (self.state.builder, self.shape.dtype);
        let mut others = self.shape.shape.clone();
        others.remove(self.scan.dimension);
        let row = TensorShape { dtype, shape: others };
        let zero = arithmetic::constant(&builder, &super::zero(dtype), dtype)?;
        let sums = views::filled(self.state.place(), &row, zero)?;
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, &self.scan.count)?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[start, sums])?;
        let (inside, carried) = (&repeated.body, &repeated.carried);
        let (to, from) = self.places(inside, repeated.index)?;
        let kind = super::extents::type_of(inside, &row)?;
        let item = tensor::extract_slice(inside, self.source, &self.slice(inside, from)?, kind)?;
        let target = self.slice(inside, to)?;
        let written = tensor::extract_slice(inside, carried[0], &target, kind)?;
        let maps = vec![Map::identity(row.shape.len()); 3];
        let sum = linalg::generic(inside, &[item], &[carried[1], written], &maps, &vec![false; row.shape.len()])?;
        let added = self.added(&sum.builder, sum.arguments[1], sum.arguments[0])?;
        linalg::r#yield(&sum.builder, &[added, added])?;
        let whole = tensor::insert_slice(inside, sum.operation.result(1)?, carried[0], &target)?;
        scf::r#yield(inside, &[whole, sum.operation.result(0)?])?;
        repeated.operation.result(0)
    }

    /// The loops along the other dimensions, and inside of them the one that carries a sum.
    fn elements(
        &self,
        builder: Builder<'c, 'a>,
        indices: &mut Vec<Value<'c, 'a>>,
        tensor: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let dimension = indices.len() + usize::from(indices.len() >= self.scan.dimension);
        let Some(extent) = self.shape.shape.get(dimension) else { return self.sums(builder, indices, tensor) };
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, extent)?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[tensor])?;
        indices.push(repeated.index);
        let result = self.elements(repeated.body, indices, repeated.carried[0])?;
        indices.pop();
        scf::r#yield(&repeated.body, &[result])?;
        repeated.operation.result(0)
    }

    fn sums(
        &self,
        builder: Builder<'c, 'a>,
        indices: &[Value<'c, 'a>],
        tensor: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let zero = arithmetic::constant(&builder, &super::zero(self.shape.dtype), self.shape.dtype)?;
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, &self.scan.count)?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[tensor, zero])?;
        let inside = &repeated.body;
        let (to, from) = self.places(inside, repeated.index)?;
        let at = |place| [&indices[..self.scan.dimension], &[place], &indices[self.scan.dimension..]].concat();
        let item = tensor::extract(inside, self.source, &at(from))?;
        let sum = self.added(inside, repeated.carried[1], item)?;
        let whole = tensor::insert(inside, sum, repeated.carried[0], &at(to))?;
        scf::r#yield(inside, &[whole, sum])?;
        repeated.operation.result(0)
    }

    fn added(
        &self,
        builder: &Builder<'c, 'a>,
        sum: Value<'c, 'a>,
        item: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        arithmetic::combine(builder, AssignOp::Add, self.shape.dtype, || Ok(sum), item)
    }

    /// Where the sum of an iteration is written, and where its last item is.
    fn places(
        &self,
        builder: &Builder<'c, 'a>,
        iteration: Value<'c, 'a>,
    ) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
        let place = |first: &SymExpr| {
            let first = self.state.extents.index(builder, first)?;
            match self.scan.is_reversed {
                true => arith::subi(builder, first, iteration),
                false => arith::addi(builder, first, iteration),
            }
        };
        Ok((place(&self.scan.first.0)?, place(&self.scan.first.1)?))
    }

    /// What lies at one place of the dimension.
    fn slice(&self, builder: &Builder<'c, 'a>, place: Value<'c, 'a>) -> Result<Slice<'c, 'a>, Failure> {
        let rank = self.shape.shape.len();
        let mut offsets: Vec<Size<'c, 'a>> = (0..rank).map(|_| Size::Known(0)).collect();
        let mut sizes = self.state.extents.sizes(builder, &self.shape.shape)?;
        offsets[self.scan.dimension] = Size::Value(place);
        sizes[self.scan.dimension] = Size::Known(1);
        Ok(Slice { offsets, sizes, strides: vec![1; rank] })
    }
}
