//! A heap of elements in the results of `top_k`: none stands before those below it in order of the result, so that the last
//! one is the root.

use super::super::emit::{scalar_constant, zero};
use super::loops::repeat;
use super::search::{Element, Search};
use super::whole;
use crate::scalars::Scalars as _;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

/// The heap of one sequence. The results are the values and the positions.
pub struct Heap<'s, 'c, 'a> {
    /// What is looked for, which decides the order.
    pub search: &'s Search<'c, 'a>,
    /// The indices of all other dimensions.
    pub around: &'s [Value<'c, 'a>],
    /// Whether there is an element at each place.
    pub is_full: bool,
}

impl<'c: 'a, 'a> Heap<'_, 'c, 'a> {
    /// The indices of a place along the dimension.
    pub fn position(&self, place: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let (before, after) = self.around.split_at(self.search.axis);
        [before, &[place], after].concat()
    }

    /// What stands at a place.
    pub fn read(
        &self,
        builder: &Builder<'c, 'a>,
        results: &[Value<'c, 'a>],
        place: Value<'c, 'a>,
    ) -> Result<Element<'c, 'a>, Failure> {
        let [values, indices] = *results else { return Err("needs two results".into()) };
        let position = self.position(place);
        Ok(Element {
            item: tensor::extract(builder, values, &position)?,
            at: tensor::extract(builder, indices, &position)?,
        })
    }

    /// The results with an element at a place.
    pub fn write(
        &self,
        builder: &Builder<'c, 'a>,
        results: &[Value<'c, 'a>],
        place: Value<'c, 'a>,
        element: Element<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let [values, indices] = *results else { return Err("needs two results".into()) };
        let position = self.position(place);
        let values = tensor::insert(builder, element.item, values, &position)?;
        Ok(vec![values, tensor::insert(builder, element.at, indices, &position)?])
    }

    /// Whether an element of the heap, or one that may come into it, stands behind another one.
    pub fn is_behind(
        &self,
        builder: &Builder<'c, 'a>,
        a: Element<'c, 'a>,
        b: Element<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        if self.is_full { self.search.follows(builder, a, b) } else { self.search.is_behind(builder, a, b) }
    }

    /// No elements at any place.
    pub fn emptied(&self, builder: Builder<'c, 'a>, results: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let dtype = self.search.dtype;
        let none = Element { item: scalar_constant(&builder, &zero(dtype), dtype)?, at: builder.int(-1)? };
        repeat(builder, self.search.count, results, |builder, place, results| {
            self.write(&builder, results, place, none)
        })
    }

    /// The heap of the places below an end, with an element in place of its root.
    pub fn with_root(
        &self,
        builder: Builder<'c, 'a>,
        results: &[Value<'c, 'a>],
        end: Value<'c, 'a>,
        element: Element<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let root = builder.index(0)?;
        let lower = self.rising(&builder, results, (root, end), element)?;
        let sifting = scf::r#while(&builder, &[results, &[root, lower]].concat())?;
        let [.., lower] = sifting.tested[..] else { return Err("a loop without a state".into()) };
        let goes_on = whole(&sifting.before, BinaryOp::Ge, lower, sifting.before.index(0)?)?;
        scf::condition(&sifting.before, goes_on, &sifting.tested)?;
        let [values, indices, hole, lower] = sifting.state[..] else { return Err("a loop without a state".into()) };
        let inside = sifting.after;
        let risen = self.read(&inside, &[values, indices], lower)?;
        let moved = self.write(&inside, &[values, indices], hole, risen)?;
        let next = self.rising(&inside, &moved, (lower, end), element)?;
        scf::r#yield(&inside, &[moved, vec![lower, next]].concat())?;
        let state = sifting.operation.result_values();
        self.write(&builder, &state[..2], state[2], element)
    }

    /// The place, of the two below a hole, of what must rise into it so that an element can stand below; -1 if the element
    /// can stand in the hole itself.
    fn rising(
        &self,
        builder: &Builder<'c, 'a>,
        results: &[Value<'c, 'a>],
        (hole, end): (Value<'c, 'a>, Value<'c, 'a>),
        element: Element<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let left = builder.index_plus(whole(builder, BinaryOp::Add, hole, hole)?, 1)?;
        let right = builder.index_plus(left, 1)?;
        let has_left = whole(builder, BinaryOp::Lt, left, end)?;
        let has_right = whole(builder, BinaryOp::Lt, right, end)?;
        // Where there are none, some place is read.
        let left = arith::select(builder, has_left, left, builder.index(0)?)?;
        let right = arith::select(builder, has_right, right, left)?;
        let (on_left, on_right) = (self.read(builder, results, left)?, self.read(builder, results, right)?);
        let right_is_last = self.is_behind(builder, on_right, on_left)?;
        let lower = arith::select(builder, right_is_last, right, left)?;
        let last = Element {
            item: arith::select(builder, right_is_last, on_right.item, on_left.item)?,
            at: arith::select(builder, right_is_last, on_right.at, on_left.at)?,
        };
        let rises = arith::andi(builder, has_left, self.is_behind(builder, last, element)?)?;
        arith::select(builder, rises, lower, builder.index(-1)?)
    }

    /// The elements in order: the root changes places with the last one of ever smaller heaps.
    pub fn ordered(&self, builder: Builder<'c, 'a>, results: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let root = builder.index(0)?;
        repeat(builder, self.search.count, results, |builder, number, results| {
            let end = whole(&builder, BinaryOp::Sub, builder.index_plus(self.search.count, -1)?, number)?;
            let (last, end_element) = (self.read(&builder, results, root)?, self.read(&builder, results, end)?);
            let written = self.write(&builder, results, end, last)?;
            self.with_root(builder, &written, end, end_element)
        })
    }
}
