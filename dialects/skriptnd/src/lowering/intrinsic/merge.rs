//! All elements of a dimension in order: runs of them are merged, twice as long each time, between the results and memory beside them.

use super::loops::repeat;
use super::search::{Element, Search};
use super::{counted, whole};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

/// Where the sequences of two tensors lie, of values and of positions: indices before and behind that of an element.
#[derive(Clone, Copy)]
pub struct Row<'s, 'c, 'a> {
    /// Before.
    pub before: &'s [Value<'c, 'a>],
    /// Behind.
    pub behind: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Row<'_, 'c, 'a> {
    fn place(&self, at: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        [self.before, &[at], self.behind].concat()
    }

    fn write(
        &self,
        builder: &Builder<'c, 'a>,
        tensors: &[Value<'c, 'a>],
        at: Value<'c, 'a>,
        element: Element<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let [values, indices] = *tensors else { return Err("needs two results".into()) };
        let place = self.place(at);
        let values = tensor::insert(builder, element.item, values, &place)?;
        Ok(vec![values, tensor::insert(builder, element.at, indices, &place)?])
    }
}

/// What is sorted.
pub struct Merge<'s, 'c, 'a> {
    /// What decides the order.
    pub search: &'s Search<'c, 'a>,
    /// The sequence in the input and in the results.
    pub row: Row<'s, 'c, 'a>,
}

impl<'c: 'a, 'a> Merge<'_, 'c, 'a> {
    /// The results, and the memory beside them, with the elements in order in the results.
    pub fn sorted(&self, builder: Builder<'c, 'a>, carried: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let (results, beside) = carried.split_at(carried.len() / 2);
        let length = self.search.length;
        let filled = repeat(builder, length, results, |builder, at, results| {
            let item = tensor::extract(&builder, self.search.input, &self.row.place(at))?;
            let element = Element { item, at: counted(&builder, at)? };
            self.row.write(&builder, results, at, element)
        })?;
        let memory = Row { before: &[], behind: &[] };
        let carried = [&filled, beside, &[builder.index(1)?]].concat();
        let merged = repeat(builder, self.passes(&builder)?, &carried, |builder, _, carried| {
            let &[values, indices, items, places, width] = carried else { return Err("needs two results".into()) };
            let twice = whole(&builder, BinaryOp::Add, width, width)?;
            let beside = self.pass(builder, (self.row, &[values, indices]), (memory, &[items, places]), width)?;
            let results = self.pass(builder, (memory, &beside), (self.row, &[values, indices]), twice)?;
            Ok([results, beside, vec![whole(&builder, BinaryOp::Add, twice, twice)?]].concat())
        })?;
        Ok(merged[..4].to_vec())
    }

    /// How many times runs become four times as long, until one has all elements.
    fn passes(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let counting = scf::r#while(builder, &[builder.index(1)?, builder.index(0)?])?;
        let goes_on = whole(&counting.before, BinaryOp::Lt, counting.tested[0], self.search.length)?;
        scf::condition(&counting.before, goes_on, &counting.tested)?;
        let inside = counting.after;
        let width = arith::muli(&inside, counting.state[0], inside.index(4)?)?;
        scf::r#yield(&inside, &[width, inside.index_plus(counting.state[1], 1)?])?;
        counting.operation.result(1)
    }

    /// Merges pairs of runs of a width, from one place to another, of which it gives the tensors.
    fn pass(
        &self,
        builder: Builder<'c, 'a>,
        from: (Row<'_, 'c, 'a>, &[Value<'c, 'a>]),
        (row, tensors): (Row<'_, 'c, 'a>, &[Value<'c, 'a>]),
        width: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let length = self.search.length;
        let both = whole(&builder, BinaryOp::Add, width, width)?;
        builder.count_by([builder.index(0)?, length], both, tensors, |builder, begin, tensors| {
            let end_of = |start| arith::minsi(&builder, whole(&builder, BinaryOp::Add, start, width)?, length);
            let middle = end_of(begin)?;
            let end = end_of(middle)?;
            let state = [tensors, &[begin, middle]].concat();
            let merged =
                builder.count_by::<Failure>([begin, end], builder.index(1)?, &state, |builder, at, state| {
                    let [tensors @ .., left, right] = state else { return Err("a loop without a state".into()) };
                    let (element, from_right) = self.first(&builder, from, [*left, *right], [middle, end])?;
                    let written = row.write(&builder, tensors, at, element)?;
                    let from_left = arith::subi(&builder, builder.index(1)?, from_right)?;
                    let left = arith::addi(&builder, *left, from_left)?;
                    let right = arith::addi(&builder, *right, from_right)?;
                    Ok([written, vec![left, right]].concat())
                })?;
            Ok(merged[..tensors.len()].to_vec())
        })
    }

    /// The first element of two runs that go on at these places, up to the ends, and how many are of the right run: of equal ones, those of
    /// the left run are first. Nobody can foresee it, so it is no branch.
    fn first(
        &self,
        builder: &Builder<'c, 'a>,
        (row, tensors): (Row<'_, 'c, 'a>, &[Value<'c, 'a>]),
        [left, right]: [Value<'c, 'a>; 2],
        [middle, end]: [Value<'c, 'a>; 2],
    ) -> Result<(Element<'c, 'a>, Value<'c, 'a>), Failure> {
        let [values, indices] = *tensors else { return Err("needs two results".into()) };
        let has_left = whole(builder, BinaryOp::Lt, left, middle)?;
        let has_right = whole(builder, BinaryOp::Lt, right, end)?;
        // Where there is none, some place is read.
        let there = arith::select(builder, has_right, right, left)?;
        let (on_left, on_right) =
            (tensor::extract(builder, values, &row.place(left))?, tensor::extract(builder, values, &row.place(there))?);
        let is_first = arith::andi(builder, has_right, self.search.precedes(builder, on_right, on_left)?)?;
        let is_right = arith::select(builder, has_left, is_first, has_right)?;
        let from_right = arith::select(builder, is_right, builder.index(1)?, builder.index(0)?)?;
        let distance = arith::muli(builder, from_right, arith::subi(builder, there, left)?)?;
        let place = row.place(arith::addi(builder, left, distance)?);
        let item = tensor::extract(builder, values, &place)?;
        Ok((Element { item, at: tensor::extract(builder, indices, &place)? }, from_right))
    }
}
