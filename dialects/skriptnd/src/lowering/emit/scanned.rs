//! Sums over all items before one: a reduction along these that carries its sums and writes each. Where sums go backwards over as many
//! items as only a run knows, no map of indices says so: a loop adds a row in each of its iterations.

use super::{FormulaState, arithmetic, views};
use crate::lowering::plan::TensorShape;
use crate::lowering::scan::Scan;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_mlir::ops::{Size, arith, linalg, scf};
use skriptnd_syntax::ast::AssignOp;

/// Emits an assignment as a scan.
pub fn emit<'c: 'a, 'a>(state: &mut FormulaState<'_, 'c, 'a>, scan: &Scan) -> Result<(), Failure> {
    let shape = state.shape(scan.output)?.clone();
    let is_covered = shape.shape[scan.dimension] == scan.count;
    let start = match is_covered {
        true => views::empty(state.place(), &shape)?,
        false => state.current(scan.output, false)?,
    };
    let source = state.tensor(scan.input)?;
    let nest = Nest { state, scan, shape: &shape, source };
    let result = match (scan.is_reversed, scan.count.as_known()) {
        // No item has a sum.
        (_, Some(0)) => start,
        (false, _) => nest.whole(start, Expr::Dim(scan.dimension))?,
        (true, Some(count)) => nest.whole(start, Expr::Dim(scan.dimension).times(-1).plus(Expr::Const(count - 1)))?,
        (true, None) => nest.rows(start)?,
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
    /// One operation that gives the last sums and all of them. In its iterations, the item is that of `place`.
    fn whole(&self, start: Value<'c, 'a>, place: Expr) -> Result<Value<'c, 'a>, Failure> {
        let (builder, dimension, rank) = (&self.state.builder, self.scan.dimension, self.shape.shape.len());
        let target = self.items(&self.shape.shape, &self.scan.first.0)?;
        let source = self.items(&self.state.shape(self.scan.input)?.shape, &self.scan.first.1)?;
        let mut items = self.shape.clone();
        items.shape[dimension] = self.scan.count.clone();
        let kind = super::extents::type_of(builder, &items)?;
        let part = |whole, slice: &Option<Slice<'c, 'a>>| match slice {
            Some(slice) => tensor::extract_slice(builder, whole, slice, kind),
            None => Ok(whole),
        };
        let (read, written) = (part(self.source, &source)?, part(start, &target)?);
        // It says how far the iterations go.
        let count = TensorShape { dtype: ScalarType::Real, shape: vec![self.scan.count.clone()] };
        let count = views::empty(self.state.place(), &count)?;
        let along = |dim: usize| if dim == dimension { place.clone() } else { Expr::Dim(dim) };
        let others = (0..rank).filter(|dim| *dim != dimension).map(Expr::Dim);
        let of = |results: Vec<Expr>| Map { dims: rank, results };
        let walked = of((0..rank).map(along).collect());
        let maps = [walked.clone(), of(vec![Expr::Dim(dimension)]), of(others.collect()), walked];
        let reduced: Vec<bool> = (0..rank).map(|dim| dim == dimension).collect();
        let sum = linalg::generic(builder, &[read, count], &[self.zeros()?, written], &maps, &reduced)?;
        let added = self.added(&sum.builder, sum.arguments[2], sum.arguments[0])?;
        linalg::r#yield(&sum.builder, &[added, added])?;
        let sums = sum.operation.result(1)?;
        target.map_or(Ok(sums), |target| tensor::insert_slice(builder, sums, start, &target))
    }

    /// A loop that adds the items at one place of the dimension after those of the other.
    fn rows(&self, start: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let builder = self.state.builder;
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, &self.scan.count)?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[start, self.zeros()?])?;
        let (inside, carried) = (&repeated.body, &repeated.carried);
        let place = |last: &SymExpr| {
            let last = self.state.extents.index(inside, last)?;
            self.slice(inside, Size::Value(arith::subi(inside, last, repeated.index)?), Size::Known(1))
        };
        let (to, from) = (place(&self.scan.first.0)?, place(&self.scan.first.1)?);
        let row = self.row();
        let kind = super::extents::type_of(inside, &row)?;
        let item = tensor::extract_slice(inside, self.source, &from, kind)?;
        let written = tensor::extract_slice(inside, carried[0], &to, kind)?;
        let maps = vec![Map::identity(row.shape.len()); 3];
        let sum = linalg::generic(inside, &[item], &[carried[1], written], &maps, &vec![false; row.shape.len()])?;
        let added = self.added(&sum.builder, sum.arguments[1], sum.arguments[0])?;
        linalg::r#yield(&sum.builder, &[added, added])?;
        let whole = tensor::insert_slice(inside, sum.operation.result(1)?, carried[0], &to)?;
        scf::r#yield(inside, &[whole, sum.operation.result(0)?])?;
        repeated.operation.result(0)
    }

    /// What a sum at each place of the other dimensions is.
    fn row(&self) -> TensorShape {
        let mut row = self.shape.clone();
        row.shape.remove(self.scan.dimension);
        row
    }

    fn zeros(&self) -> Result<Value<'c, 'a>, Failure> {
        let zero = arithmetic::constant(&self.state.builder, &super::zero(self.shape.dtype), self.shape.dtype)?;
        views::filled(self.state.place(), &self.row(), zero)
    }

    fn added(
        &self,
        builder: &Builder<'c, 'a>,
        sum: Value<'c, 'a>,
        item: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        arithmetic::combine(builder, AssignOp::Add, self.shape.dtype, || Ok(sum), item)
    }

    /// The places of the dimension that iterations walk, of which this is the first, where these are not all that there are.
    fn items(&self, shape: &[SymExpr], first: &SymExpr) -> Result<Option<Slice<'c, 'a>>, Failure> {
        let (builder, count) = (&self.state.builder, &self.scan.count);
        if shape[self.scan.dimension] == *count {
            return Ok(None);
        }
        let least = match self.scan.is_reversed {
            true => first.minus(count).and_then(|before| before.plus(&SymExpr::Const(1))),
            false => Some(first.clone()),
        };
        let least = least.ok_or("an extent that is too large")?;
        let size = |expr: &SymExpr| self.state.extents.size(builder, expr);
        self.slice(builder, size(&least)?, size(count)?).map(Some)
    }

    /// What lies at some places of the dimension.
    fn slice(
        &self,
        builder: &Builder<'c, 'a>,
        place: Size<'c, 'a>,
        count: Size<'c, 'a>,
    ) -> Result<Slice<'c, 'a>, Failure> {
        let rank = self.shape.shape.len();
        let mut offsets: Vec<Size<'c, 'a>> = (0..rank).map(|_| Size::Known(0)).collect();
        let mut sizes = self.state.extents.sizes(builder, &self.shape.shape)?;
        offsets[self.scan.dimension] = place;
        sizes[self.scan.dimension] = count;
        Ok(Slice { offsets, sizes, strides: vec![1; rank] })
    }
}
