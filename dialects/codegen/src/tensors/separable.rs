//! The greatest or the least of large windows that overlap: first of their lines, then of what these gave, so that what windows share is
//! compared once. Which of several equal numbers it is makes no difference.

use super::narrow::{broadcast, filled};
use super::operations::tensor;
use crate::views::shapes::static_shape;
use crate::views::structured::Structured;
use crate::{Error, Target};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, block_operations, operations_named, types};
use skriptnd_mlir::ops::{self, arith, linalg};
use skriptnd_mlir::rewrite::with_rewriter;

/// What may be combined with the same number twice.
const EXTREMES: [&str; 8] = [
    arith::MAXIMUMF,
    arith::MINIMUMF,
    arith::MAXNUMF,
    arith::MINNUMF,
    arith::MAXSI,
    arith::MINSI,
    arith::MAXUI,
    arith::MINUI,
];
/// What it costs to store a number between and to load it again, in comparisons.
const STORED: f64 = 2.0;
/// By how much fewer comparisons must be.
const LEAST_GAIN: f64 = 1.6;

/// Takes the windows of a function apart where that is faster. Returns how many.
pub fn separate_windows<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    // There, kernels share what windows have in common.
    if target.isa.only_whole {
        return Ok(0);
    }
    let mut separated = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(pool) = Structured::read(operation).and_then(Pool::of).filter(Pool::pays) else { continue };
        pool.separate()?;
        separated += 1;
    }
    Ok(separated)
}

/// A dimension of the input along which windows slide.
#[derive(Clone, Copy)]
struct Window {
    /// Its place in the input's map.
    place: usize,
    /// The dimension that counts windows.
    windows: usize,
    /// The dimension that goes through one.
    inside: usize,
}

/// The greatest or the least of windows along two dimensions.
struct Pool<'c, 'a> {
    structured: Structured<'c, 'a>,
    combiner: &'static str,
    /// The number that all begin with.
    begin: Value<'c, 'a>,
    outer: Window,
    inner: Window,
}

impl<'c: 'a, 'a> Pool<'c, 'a> {
    fn of(structured: Structured<'c, 'a>) -> Option<Self> {
        let mut steps = block_operations(structured.body);
        let combined = steps.next().filter(|_| steps.count() == 1)?;
        let combiner = *EXTREMES.iter().find(|name| combined.full_name() == **name)?;
        let argument = |place: usize| block_arguments(structured.body).nth(place).map(|argument| argument.key());
        let operands: Vec<usize> = combined.operands().map(|operand| operand.key()).collect();
        let has = |place: usize| argument(place).is_some_and(|key| operands.contains(&key));
        let is_plain =
            structured.is_static() && structured.outputs.len() == 1 && structured.operation.result_count() == 1;
        if !is_plain || structured.inputs.is_empty() || !has(0) || !has(structured.inputs.len()) {
            return None;
        }
        structured.output_map()?.as_dims()?;
        let mut windows = (0..structured.maps[0].results.len()).filter_map(|place| window(&structured, place));
        let (outer, inner) = (windows.next()?, windows.next()?);
        let reduced = (0..structured.extents.len()).filter(|&dim| structured.reduced[dim]).count();
        if windows.next().is_some() || reduced != 2 {
            return None;
        }
        let (begin, _) = broadcast(structured.outputs[0]).filter(|(begin, _)| !begin.r#type().is_ranked_tensor())?;
        Some(Pool { combiner, begin, outer, inner, structured })
    }

    /// Whether there are fewer comparisons for each result, of which there are as many lines as the input has.
    fn pays(&self) -> bool {
        let extent = |dim: usize| self.structured.extents[dim] as f64;
        let shape = static_shape(self.structured.inputs[0].r#type()).unwrap_or_default();
        let lines = shape[self.outer.place] as f64 / extent(self.outer.windows).max(1.0);
        let (high, wide) = (extent(self.outer.inside), extent(self.inner.inside));
        high * wide >= LEAST_GAIN * (wide * lines + high + STORED)
    }

    fn separate(&self) -> Result<(), Error> {
        let operation = self.structured.operation;
        let builder = Builder::before(operation)?;
        let lines = self.lines(&builder)?;
        let Window { place, windows, inside } = self.inner;
        let without = |dim: usize| Expr::Dim(dim - usize::from(dim > inside));
        let dims: Vec<Expr> = (0..self.structured.extents.len()).map(without).collect();
        let count = dims.len() - 1;
        let moved = |expr: &Expr| expr.substitute(&dims).unwrap_or_else(|| expr.clone());
        let mut read: Vec<Expr> = self.structured.maps[0].results.iter().map(moved).collect();
        read[place] = dims[windows].clone();
        let written = self.structured.output_map().map(|map| map.results.iter().map(moved).collect());
        let window = (self.outer.inside, dims[self.outer.inside].clone());
        let maps = [Map { dims: count, results: read }, Map { dims: count, results: written.unwrap_or_default() }];
        let mut reduced = self.structured.reduced.clone();
        reduced.remove(inside);
        let result = self.reduction(&builder, [lines, self.structured.outputs[0]], (maps, window), &reduced)?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?)
    }

    /// The greatest or the least of the lines of windows, at all lines of the input.
    fn lines(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let input = self.structured.inputs[0];
        let (Window { place, windows, inside }, element) = (self.inner, types::element(input.r#type()));
        let mut shape = static_shape(input.r#type()).unwrap_or_default();
        shape[place] = self.structured.extents[windows];
        let kind = tensor(element, &shape)?;
        let begin = filled(builder, (kind, ops::tensor::empty(builder, kind, &[])?), self.begin)?;
        let rank = shape.len();
        let mut dims: Vec<Expr> = vec![Expr::Const(0); self.structured.extents.len()];
        (dims[windows], dims[inside]) = (Expr::Dim(place), Expr::Dim(rank));
        let mut read: Vec<Expr> = (0..rank).map(Expr::Dim).collect();
        let along = self.structured.maps[0].results[place].substitute(&dims);
        read[place] = along.ok_or_else(|| Error::malformed("a window along no dimension"))?;
        let maps = [Map { dims: rank + 1, results: read }, Map { dims: rank + 1, ..Map::identity(rank) }];
        let reduced: Vec<bool> = (0..=rank).map(|dim| dim == rank).collect();
        self.reduction(builder, [input, begin], (maps, (inside, Expr::Dim(rank))), &reduced)
    }

    /// A reduction along one dimension of the pool, whose extent a tensor tells that is not read.
    fn reduction(
        &self,
        builder: &Builder<'c, 'a>,
        [input, begin]: [Value<'c, 'a>; 2],
        ([read, written], (inside, along)): ([Map; 2], (usize, Expr)),
        reduced: &[bool],
    ) -> Result<Value<'c, 'a>, Error> {
        let element = types::element(begin.r#type());
        let window = ops::tensor::empty(builder, tensor(element, &[self.structured.extents[inside]])?, &[])?;
        let maps = [read, Map { dims: reduced.len(), results: vec![along] }, written];
        let body = linalg::generic(builder, &[input, window], &[begin], &maps, reduced)?;
        let pair = [body.arguments[2], body.arguments[0]];
        let combined = body.builder.value(self.combiner, &pair, &[], element)?;
        linalg::r#yield(&body.builder, &[combined])?;
        Ok(body.operation.result(0)?)
    }
}

/// The window at a place of the input's map: a sum of a parallel dimension and a reduced one that nothing else is read by.
fn window(structured: &Structured<'_, '_>, place: usize) -> Option<Window> {
    let results = &structured.maps[0].results;
    let used = |reduced: bool| {
        let mut dims = (0..structured.extents.len()).filter(|&dim| structured.reduced[dim] == reduced);
        let found = dims.find(|&dim| results[place].uses(dim))?;
        (!dims.any(|dim| results[place].uses(dim))).then_some(found)
    };
    let (windows, inside) = (used(false)?, used(true)?);
    let others = results.iter().enumerate().filter(|(other, _)| *other != place);
    let is_own = others.into_iter().all(|(_, expr)| !expr.uses(windows) && !expr.uses(inside));
    is_own.then_some(Window { place, windows, inside })
}
