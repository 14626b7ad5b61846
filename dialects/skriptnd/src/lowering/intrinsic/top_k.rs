//! The largest or smallest elements along a dimension: one pass over a sequence for each of them, which takes the first
//! element, in order of the result, behind the one taken before. So no memory is needed beside the results.

use super::super::emit::{negation, scalar_constant, zero};
use super::loops::{nest, repeat, up_to};
use super::{Invocation, arithmetic, counted, whole};
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

pub fn emit<'c: 'a, 'a>(invocation: &Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let search = Search::new(invocation)?;
    let mut around = invocation.indices(&invocation.input(0)?.0.shape)?;
    around.remove(search.axis);
    let sorted = invocation.bool("sorted")?;
    nest(builder, &up_to(&builder, &around)?, &invocation.results()?, |builder, around, results| {
        let sequence = Sequence { search: &search, around };
        if sorted { sequence.in_order(builder, results) } else { sequence.in_place(builder, results) }
    })
}

/// What is looked for.
struct Search<'c, 'a> {
    input: Value<'c, 'a>,
    dtype: ScalarType,
    axis: usize,
    length: Value<'c, 'a>,
    count: Value<'c, 'a>,
    largest: bool,
}

impl<'c: 'a, 'a> Search<'c, 'a> {
    fn new(invocation: &Invocation<'_, 'c, 'a>) -> Result<Self, Failure> {
        let (shape, input) = invocation.input(0)?;
        let Constant::Int(axis) = *invocation.attribute("axis")? else {
            return Err("has an attribute 'axis' that only a run knows".into());
        };
        let axis = if axis < 0 { axis + shape.shape.len() as i64 } else { axis };
        let axis = usize::try_from(axis).ok().filter(|&axis| axis < shape.shape.len());
        let axis = axis.ok_or("has an attribute 'axis' that is not a dimension of the input")?;
        let found = invocation.output(0)?.shape.get(axis).ok_or("has a result of another rank")?;
        Ok(Search {
            input,
            dtype: shape.dtype,
            axis,
            length: invocation.extents.index(&invocation.builder, &shape.shape[axis])?,
            count: invocation.extents.index(&invocation.builder, found)?,
            largest: invocation.bool("largest")?,
        })
    }

    /// Whether one element stands before another one in the result, whatever their positions.
    fn precedes(
        &self,
        builder: &Builder<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (a, b) = if self.largest { (a, b) } else { (b, a) };
        let is_greater = arithmetic::binary(builder, BinaryOp::Gt, self.dtype, a, b)?;
        if self.dtype != ScalarType::Real {
            return Ok(is_greater);
        }
        // What is not a number is larger than everything else.
        let is_nan = arithmetic::binary(builder, BinaryOp::Ne, self.dtype, a, a)?;
        let is_number = arithmetic::binary(builder, BinaryOp::Eq, self.dtype, b, b)?;
        arith::ori(builder, is_greater, arith::andi(builder, is_nan, is_number)?)
    }

    /// Whether an element stands behind another one; of equal ones the lower position comes first. Everything stands behind
    /// a position below 0.
    fn is_behind(
        &self,
        builder: &Builder<'c, 'a>,
        (a, a_at): (Value<'c, 'a>, Value<'c, 'a>),
        (b, b_at): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Value<'c, 'a>, Failure> {
        let is_higher = whole(builder, BinaryOp::Gt, a_at, b_at)?;
        let is_before = self.precedes(builder, a, b)?;
        let follows = arith::andi(builder, negation(builder, is_before)?, is_higher)?;
        let follows = arith::ori(builder, follows, self.precedes(builder, b, a)?)?;
        arith::ori(builder, follows, is_none(builder, b_at)?)
    }
}

/// The position of no element.
fn none<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    builder.index(-1)
}

fn is_none<'c: 'a, 'a>(builder: &Builder<'c, 'a>, at: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    whole(builder, BinaryOp::Lt, at, builder.index(0)?)
}

/// One sequence, at the indices of all other dimensions.
struct Sequence<'s, 'c, 'a> {
    search: &'s Search<'c, 'a>,
    around: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Sequence<'_, 'c, 'a> {
    /// The elements in their order.
    fn in_order(&self, builder: Builder<'c, 'a>, results: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let carried = [results, &self.nothing(&builder)?].concat();
        let found = repeat(builder, self.search.count, &carried, |builder, place, carried| {
            let [values, indices, last @ ..] = carried else { return Err("a loop without results".into()) };
            let next = self.next(builder, last)?;
            let written = self.write(&builder, [*values, *indices], place, (next[0], next[1]))?;
            Ok([written, next].concat())
        })?;
        Ok(found[..results.len()].to_vec())
    }

    /// The elements as they stand in the input: all that are not behind the last one that is taken.
    fn in_place(&self, builder: Builder<'c, 'a>, results: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let last =
            repeat(builder, self.search.count, &self.nothing(&builder)?, |builder, _, last| self.next(builder, last))?;
        let carried = [results, &[builder.index(0)?]].concat();
        let found = repeat(builder, self.search.length, &carried, |builder, at, carried| {
            let [values, indices, place] = *carried else { return Err("a loop without results".into()) };
            let item = self.item(&builder, at)?;
            let is_left = self.search.is_behind(&builder, (item, at), (last[0], last[1]))?;
            let kinds: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
            let branch = scf::r#if(&builder, is_left, &kinds)?;
            scf::r#yield(&branch.then, carried)?;
            let written = self.write(&branch.otherwise, [values, indices], place, (item, at))?;
            scf::r#yield(&branch.otherwise, &[written, vec![branch.otherwise.index_plus(place, 1)?]].concat())?;
            Ok(branch.operation.result_values())
        })?;
        Ok(found[..results.len()].to_vec())
    }

    /// An element at no position.
    fn nothing(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let dtype = self.search.dtype;
        Ok(vec![scalar_constant(builder, &zero(dtype), dtype)?, none(builder)?])
    }

    /// The element that comes next behind one, and its position.
    fn next(&self, builder: Builder<'c, 'a>, last: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        repeat(builder, self.search.length, &self.nothing(&builder)?, |builder, at, best| {
            let item = self.item(&builder, at)?;
            let is_candidate = self.search.is_behind(&builder, (item, at), (last[0], last[1]))?;
            let is_better = self.search.precedes(&builder, item, best[0])?;
            let is_better = arith::ori(&builder, is_better, is_none(&builder, best[1])?)?;
            let is_next = arith::andi(&builder, is_candidate, is_better)?;
            let choose = |new, old| arith::select(&builder, is_next, new, old);
            Ok(vec![choose(item, best[0])?, choose(at, best[1])?])
        })
    }

    fn position(&self, at: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (before, after) = self.around.split_at(self.search.axis);
        [before, &[at], after].concat()
    }

    fn item(&self, builder: &Builder<'c, 'a>, at: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        tensor::extract(builder, self.search.input, &self.position(at))
    }

    fn write(
        &self,
        builder: &Builder<'c, 'a>,
        [values, indices]: [Value<'c, 'a>; 2],
        place: Value<'c, 'a>,
        (item, at): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let position = self.position(place);
        let values = tensor::insert(builder, item, values, &position)?;
        let indices = tensor::insert(builder, counted(builder, at)?, indices, &position)?;
        Ok(vec![values, indices])
    }
}
