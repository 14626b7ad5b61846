//! Sums over all items before one: a loop that carries them. Where enough lies behind the items, a row is added in each
//! iteration; else one element, in loops along all other dimensions.

use super::{FormulaState, arithmetic, views};
use crate::lowering::plan::TensorShape;
use crate::lowering::scan::Scan;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::tensor::{self, Slice};
use skriptnd_mlir::ops::{Size, arith, linalg, scf};
use skriptnd_syntax::ast::AssignOp;

/// Elements behind an item from which on they are added as a row.
const LEAST_ROW: i64 = 8;

/// Sums that are computed together, each in its own row.
const TOGETHER: i64 = 4;

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

    /// The loops along the other dimensions, and inside of them the one that carries a sum; several sums in the innermost ones: each
    /// waits for the addition before it, but not for those of the others.
    fn elements(
        &self,
        builder: Builder<'c, 'a>,
        indices: &mut Vec<Value<'c, 'a>>,
        tensor: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let dimension = self.dimension(indices.len());
        let Some(extent) = self.shape.shape.get(dimension) else {
            return self.sums(builder, std::slice::from_ref(indices), tensor);
        };
        if self.dimension(indices.len() + 1) >= self.shape.shape.len() {
            return self.together(builder, indices, tensor);
        }
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, extent)?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[tensor])?;
        indices.push(repeated.index);
        let result = self.elements(repeated.body, indices, repeated.carried[0])?;
        indices.pop();
        scf::r#yield(&repeated.body, &[result])?;
        repeated.operation.result(0)
    }

    /// The dimension of so many-th of the other loops.
    fn dimension(&self, number: usize) -> usize {
        number + usize::from(number >= self.scan.dimension)
    }

    /// The innermost of the other loops, in steps of several sums, then one by one.
    fn together(
        &self,
        builder: Builder<'c, 'a>,
        around: &[Value<'c, 'a>],
        tensor: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let extent = &self.shape.shape[self.dimension(around.len())];
        let rest = SymExpr::apply(SymOp::Mod, vec![extent.clone(), SymExpr::Const(TOGETHER)]);
        let whole = rest.and_then(|rest| extent.minus(&rest)).ok_or("an extent that is too large")?;
        let parts = [(SymExpr::Const(0), whole.clone(), TOGETHER), (whole, extent.clone(), 1)];
        parts.into_iter().filter(|(begin, end, _)| begin != end).try_fold(tensor, |tensor, (begin, end, step)| {
            let at = |expr: &SymExpr| self.state.extents.index(&builder, expr);
            let repeated = scf::r#for(&builder, [at(&begin)?, at(&end)?, builder.index(step)?], &[tensor])?;
            let inside = &repeated.body;
            let row = |number: i64| {
                let own = match number {
                    0 => repeated.index,
                    number => arith::addi(inside, repeated.index, inside.index(number)?)?,
                };
                Ok([around, &[own]].concat())
            };
            let rows = (0..step).map(row).collect::<Result<Vec<_>, Failure>>()?;
            let result = self.sums(*inside, &rows, repeated.carried[0])?;
            scf::r#yield(inside, &[result])?;
            repeated.operation.result(0)
        })
    }

    /// The sums along the dimension at some places of the other ones.
    fn sums(
        &self,
        builder: Builder<'c, 'a>,
        rows: &[Vec<Value<'c, 'a>>],
        tensor: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let zero = arithmetic::constant(&builder, &super::zero(self.shape.dtype), self.shape.dtype)?;
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, &self.scan.count)?, builder.index(1)?];
        let carried = [vec![tensor], vec![zero; rows.len()]].concat();
        let repeated = scf::r#for(&builder, bounds, &carried)?;
        let inside = &repeated.body;
        let (to, from) = self.places(inside, repeated.index)?;
        let at = |row: &[Value<'c, 'a>], place| {
            [&row[..self.scan.dimension], &[place], &row[self.scan.dimension..]].concat()
        };
        let (whole, sums) = repeated.carried.split_first().ok_or("a loop without a tensor")?;
        let sum = |(row, sum): (&Vec<Value<'c, 'a>>, &Value<'c, 'a>)| {
            let item = tensor::extract(inside, self.source, &at(row, from))?;
            self.added(inside, *sum, item)
        };
        let sums = rows.iter().zip(sums).map(sum).collect::<Result<Vec<_>, _>>()?;
        let mut written = *whole;
        for (row, sum) in rows.iter().zip(&sums) {
            written = tensor::insert(inside, *sum, written, &at(row, to))?;
        }
        scf::r#yield(inside, &[&[written], sums.as_slice()].concat())?;
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
