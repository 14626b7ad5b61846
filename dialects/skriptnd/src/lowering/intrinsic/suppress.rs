//! Greedy non-maximum suppression. Again and again the box with the highest score is taken that is left of a batch item and class,
//! and those go that overlap it by more than the threshold: that takes time by the boxes that are taken, and a flag for each box.

use super::super::emit::negation;
use super::loops::{nest, repeat, up_to};
use super::{Invocation, counted, whole};
use crate::scalars::Scalars as _;
use skriptnd_language::compose::value::Value as Constant;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::tensor::Slice;
use skriptnd_mlir::ops::{Size, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

/// What is asked for.
struct Suppression<'c, 'a> {
    boxes: Value<'c, 'a>,
    scores: Value<'c, 'a>,
    /// Boxes of a batch item.
    count: Value<'c, 'a>,
    /// The same if it is known.
    known_count: Option<u64>,
    /// At most so many are taken of a batch item and class.
    most: Value<'c, 'a>,
    /// Rows that there is room for.
    room: Value<'c, 'a>,
    centered: bool,
    overlap_limit: Value<'c, 'a>,
    score_limit: Option<Value<'c, 'a>>,
}

/// Lower and upper bounds in two dimensions.
struct Sides<'c, 'a> {
    low: [Value<'c, 'a>; 2],
    high: [Value<'c, 'a>; 2],
}

pub fn emit<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let (_, boxes) = invocation.input(0)?;
    let (shape, scores) = invocation.input(1)?;
    let &[batch, classes, count] = invocation.indices(&shape.shape)?.as_slice() else {
        return Err("has scores of another rank".into());
    };
    let known_count = shape.shape.last().and_then(|count| u64::try_from(count.as_known()?).ok());
    let rows = invocation.most(0, 0)?;
    let index = types::index(builder.context());
    let suppression = Suppression {
        boxes,
        scores,
        count,
        known_count,
        most: arith::index_cast(&builder, invocation.int("max_outputs_per_class")?, index)?,
        room: invocation.extents.index(&builder, &rows)?,
        centered: matches!(invocation.attribute("box_format")?, Constant::Str(format) if &**format == "CENTER"),
        overlap_limit: narrow(&builder, invocation.real("iou_threshold")?)?,
        score_limit: match invocation.attribute("score_threshold")? {
            Constant::Null => None,
            _ => Some(narrow(&builder, invocation.real("score_threshold")?)?),
        },
    };
    if rows.as_known() == Some(0) {
        let none = builder.index(0)?;
        invocation.tell(0, 0, none)?;
        return invocation.results();
    }
    let word = types::integer(builder.context(), 64);
    let known = rows.as_known().and_then(|rows| u64::try_from(rows).ok());
    let kind = types::tensor(word, &[known, Some(3)]).ok_or("no such tensor type")?;
    let open = if known.is_none() { vec![suppression.room] } else { Vec::new() };
    let initial = [tensor::empty(&builder, kind, &open)?, builder.index(0)?];
    let found = nest(builder, &up_to(&builder, &[batch, classes])?, &initial, |builder, at, carried| {
        suppression.of_class(builder, at, carried)
    })?;
    let &[rows, taken] = found.as_slice() else { return Err("a loop without results".into()) };
    invocation.tell(0, 0, taken)?;
    let sizes = invocation.extents.sizes(&builder, &invocation.output(0)?.shape)?;
    let slice = Slice { offsets: vec![Size::Known(0); 2], sizes, strides: vec![1; 2] };
    let result = types::tensor(word, &[None, Some(3)]).ok_or("no such tensor type")?;
    Ok(vec![tensor::extract_slice(&builder, rows, &slice, result)?])
}

impl<'c: 'a, 'a> Suppression<'c, 'a> {
    /// The rows of one batch item and class behind those before: rows and their number.
    fn of_class(
        &self,
        builder: Builder<'c, 'a>,
        at: &[Value<'c, 'a>],
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let left = self.candidates(builder, at)?;
        let state = [carried, &[left, builder.index(0)?, builder.boolean(true)?]].concat();
        let search = scf::r#while(&builder, &state)?;
        let (test, body) = (search.before, search.after);
        let [.., number, found] = search.tested[..] else { return Err("a loop without state".into()) };
        let more = whole(&test, BinaryOp::Lt, number, self.most)?;
        scf::condition(&test, arith::andi(&test, more, found)?, &search.tested)?;

        let [rows, taken, left, number, _] = search.state[..] else { return Err("a loop without state".into()) };
        let best = self.best(body, at, left)?;
        let found = whole(&body, BinaryOp::Lt, best, self.count)?;
        let has_room = whole(&body, BinaryOp::Lt, taken, self.room)?;
        let takes = arith::andi(&body, found, has_room)?;
        let kinds = [rows.r#type(), taken.r#type(), left.r#type()];
        let branch = scf::r#if(&body, takes, &kinds)?;
        let inside = branch.then;
        let row = [at[0], at[1], best].into_iter().zip(0..).try_fold(rows, |rows, (number, column)| {
            tensor::insert(&inside, counted(&inside, number)?, rows, &[taken, inside.index(column)?])
        })?;
        let rest = self.rest(inside, at, (best, left))?;
        scf::r#yield(&inside, &[row, inside.index_plus(taken, 1)?, rest])?;
        scf::r#yield(&branch.otherwise, &[rows, taken, left])?;
        let mut next = branch.operation.result_values();
        next.extend([body.index_plus(number, 1)?, takes]);
        scf::r#yield(&body, &next)?;
        let mut results = search.operation.result_values();
        results.truncate(2);
        Ok(results)
    }

    /// A flag for each box that may be taken.
    fn candidates(&self, builder: Builder<'c, 'a>, at: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Failure> {
        let flags = types::tensor(types::integer(builder.context(), 1), &[self.known_count]);
        let open = if self.known_count.is_none() { vec![self.count] } else { Vec::new() };
        let empty = tensor::empty(&builder, flags.ok_or("no such tensor type")?, &open)?;
        let filled = repeat(builder, self.count, &[empty], |builder, number, carried| {
            let flag = match self.score_limit {
                Some(limit) => arith::cmpf(&builder, FloatPredicate::Ogt, self.score(&builder, at, number)?, limit)?,
                None => builder.boolean(true)?,
            };
            Ok(vec![tensor::insert(&builder, flag, carried[0], &[number])?])
        })?;
        Ok(filled[0])
    }

    fn score(
        &self,
        builder: &Builder<'c, 'a>,
        at: &[Value<'c, 'a>],
        number: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        tensor::extract(builder, self.scores, &[at[0], at[1], number])
    }

    /// The first of the boxes with the highest score that are left; the number of boxes if none is.
    fn best(
        &self,
        builder: Builder<'c, 'a>,
        at: &[Value<'c, 'a>],
        left: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let half = types::integer(builder.context(), 32);
        let initial = [self.count, builder.integer(half, i64::from(i32::MIN))?];
        let found = repeat(builder, self.count, &initial, |builder, number, carried| {
            let &[best, highest] = carried else { return Err("a loop without results".into()) };
            let rank = rank(&builder, self.score(&builder, at, number)?)?;
            let is_higher = arith::cmpi(&builder, IntegerPredicate::Sgt, rank, highest)?;
            let is_first = whole(&builder, BinaryOp::Eq, best, self.count)?;
            let is_better = arith::ori(&builder, is_higher, is_first)?;
            let is_left = tensor::extract(&builder, left, &[number])?;
            let chosen = arith::andi(&builder, is_left, is_better)?;
            Ok(vec![arith::select(&builder, chosen, number, best)?, arith::select(&builder, chosen, rank, highest)?])
        })?;
        Ok(found[0])
    }

    /// The boxes that are left when one is taken.
    fn rest(
        &self,
        builder: Builder<'c, 'a>,
        at: &[Value<'c, 'a>],
        (taken, left): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Value<'c, 'a>, Failure> {
        let own = self.sides(&builder, at[0], taken)?;
        let rest = repeat(builder, self.count, &[left], |builder, number, carried| {
            let other = self.sides(&builder, at[0], number)?;
            let overlap = overlap(&builder, &own, &other)?;
            let apart = arith::cmpf(&builder, FloatPredicate::Ole, overlap, self.overlap_limit)?;
            let is_other = negation(&builder, whole(&builder, BinaryOp::Eq, number, taken)?)?;
            let before = tensor::extract(&builder, carried[0], &[number])?;
            let stays = arith::andi(&builder, before, arith::andi(&builder, apart, is_other)?)?;
            Ok(vec![tensor::insert(&builder, stays, carried[0], &[number])?])
        })?;
        Ok(rest[0])
    }

    fn sides(
        &self,
        builder: &Builder<'c, 'a>,
        batch: Value<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Result<Sides<'c, 'a>, Failure> {
        let side = |at: i64| tensor::extract(builder, self.boxes, &[batch, number, builder.index(at)?]);
        let pairs = [(side(0)?, side(2)?), (side(1)?, side(3)?)];
        let bounds = |(a, b): (Value<'c, 'a>, Value<'c, 'a>)| -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
            if self.centered {
                let half = arith::divf(builder, b, builder.float(2.0)?)?;
                return Ok((arith::subf(builder, a, half)?, arith::addf(builder, a, half)?));
            }
            Ok((arith::minnumf(builder, a, b)?, arith::maxnumf(builder, a, b)?))
        };
        let [first, second] = [bounds(pairs[0])?, bounds(pairs[1])?];
        Ok(Sides { low: [first.0, second.0], high: [first.1, second.1] })
    }
}

/// Intersection over union; 0 where a box is empty.
fn overlap<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: &Sides<'c, 'a>,
    b: &Sides<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let zero = builder.float(0.0)?;
    let common = |at: usize| {
        let high = arith::minnumf(builder, a.high[at], b.high[at])?;
        let low = arith::maxnumf(builder, a.low[at], b.low[at])?;
        arith::maxnumf(builder, arith::subf(builder, high, low)?, zero)
    };
    let common = arith::mulf(builder, common(0)?, common(1)?)?;
    let area = |sides: &Sides<'c, 'a>| {
        let side = |at: usize| arith::subf(builder, sides.high[at], sides.low[at]);
        arith::mulf(builder, side(0)?, side(1)?)
    };
    let union = arith::subf(builder, arith::addf(builder, area(a)?, area(b)?)?, common)?;
    let is_empty = arith::cmpf(builder, FloatPredicate::Ole, common, zero)?;
    arith::select(builder, is_empty, zero, arith::divf(builder, common, union)?)
}

/// An integer of 32 bits with the place of a number in the total order of IEEE 754.
fn rank<'c: 'a, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let half = types::integer(builder.context(), 32);
    let bits = arith::bitcast(builder, number, half)?;
    let signs = arith::shrsi(builder, bits, builder.integer(half, 31)?)?;
    let flipped = arith::shrui(builder, signs, builder.integer(half, 1)?)?;
    arith::xori(builder, bits, flipped)
}

fn narrow<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::truncf(builder, value, types::f32(builder.context()))
}
