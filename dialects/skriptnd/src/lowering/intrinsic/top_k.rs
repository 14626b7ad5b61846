//! The largest or smallest elements along a dimension, chosen in a heap that lies in the results. So a sequence takes time
//! that is nearly linear, whatever its elements are, and no memory beside the results. All elements in order are merged instead.

use super::heap::Heap;
use super::loops::{Bounds, nest, repeat, up_to};
use super::merge::{Merge, Row};
use super::search::{Element, Search};
use super::{Invocation, counted, whole};
use crate::lowering::emit::empty;
use crate::lowering::plan::TensorShape;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

/// Elements that are asked at once whether any is taken.
const PART: i64 = 16;

pub fn emit<'c: 'a, 'a>(invocation: &Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let search = Search::new(invocation)?;
    let mut around = invocation.indices(&invocation.input(0)?.0.shape)?;
    around.remove(search.axis);
    let (around, results) = (up_to(&builder, &around)?, invocation.results()?);
    let sorted = invocation.bool("sorted")?;
    if sorted && invocation.input(0)?.0.shape == invocation.output(0)?.shape {
        return all_sorted(invocation, &search, &around, &results);
    }
    let kinds: Vec<_> = results.iter().map(|result| result.r#type()).collect();
    // A heap needs a root.
    let takes_some = whole(&builder, BinaryOp::Gt, search.count, builder.index(0)?)?;
    let branch = scf::r#if(&builder, takes_some, &kinds)?;
    let found = nest(branch.then, &around, &results, |builder, around, results| {
        let heap = Heap { search: &search, around, is_full: false };
        let filled = fill(&heap, builder, results)?;
        let heap = Heap { is_full: true, ..heap };
        let chosen = choose(&heap, builder, &filled)?;
        if sorted { heap.ordered(builder, &chosen) } else { in_place(&heap, builder, &chosen) }
    })?;
    scf::r#yield(&branch.then, &found)?;
    scf::r#yield(&branch.otherwise, &results)?;
    Ok(branch.operation.result_values())
}

/// Every element, in order.
fn all_sorted<'c: 'a, 'a>(
    invocation: &Invocation<'_, 'c, 'a>,
    search: &Search<'c, 'a>,
    around: &[Bounds<'c, 'a>],
    results: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let mut carried = results.to_vec();
    for shape in invocation.outputs {
        let beside = TensorShape { dtype: shape.dtype, shape: vec![shape.shape[search.axis].clone()] };
        carried.push(empty((&invocation.builder, invocation.extents), &beside)?);
    }
    let found = nest(invocation.builder, around, &carried, |builder, around, carried| {
        let (before, behind) = around.split_at(search.axis);
        Merge { search, row: Row { before, behind } }.sorted(builder, carried)
    })?;
    Ok(found[..results.len()].to_vec())
}

/// An element of the input.
fn element<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: &Builder<'c, 'a>,
    at: Value<'c, 'a>,
) -> Result<Element<'c, 'a>, Failure> {
    let item = tensor::extract(builder, heap.search.input, &heap.position(at))?;
    Ok(Element { item, at: counted(builder, at)? })
}

/// Lets the first elements fill the heap, as many as it has places.
fn fill<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: Builder<'c, 'a>,
    results: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let empty = heap.emptied(builder, results)?;
    repeat(builder, first_rest(heap, &builder)?, &empty, |builder, at, results| {
        heap.with_root(builder, results, heap.search.count, element(heap, &builder, at)?)
    })
}

/// The first element that finds no place left.
fn first_rest<'c: 'a, 'a>(heap: &Heap<'_, 'c, 'a>, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::minsi(builder, heap.search.count, heap.search.length)
}

/// Leaves the elements that are taken in the heap, the last one of the result at its root. The others stand behind it in the input: to be
/// taken, one must precede the root. Few do, so parts of the input are asked whether any does.
fn choose<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: Builder<'c, 'a>,
    results: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let (root, first) = (builder.index(0)?, first_rest(heap, &builder)?);
    let carried = [results, &[heap.read(&builder, results, root)?.item]].concat();
    let length = whole(&builder, BinaryOp::Sub, heap.search.length, first)?;
    let rest = arith::remui(&builder, length, builder.index(PART)?)?;
    let end = whole(&builder, BinaryOp::Sub, heap.search.length, rest)?;
    let found = builder.count_between([first, end], PART, &carried, |builder, at, carried| {
        let kinds: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
        let branch = scf::r#if(&builder, any_precedes(heap, &builder, at, carried)?, &kinds)?;
        let behind = branch.then.index_plus(at, PART)?;
        scf::r#yield(&branch.then, &exchange(heap, branch.then, (at, behind), carried)?)?;
        scf::r#yield(&branch.otherwise, carried)?;
        Ok::<_, Failure>(branch.operation.result_values())
    })?;
    let found = exchange(heap, builder, (end, heap.search.length), &found)?;
    Ok(found[..results.len()].to_vec())
}

/// Whether any element of a part precedes the root, which is the last of the carried values.
fn any_precedes<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: &Builder<'c, 'a>,
    at: Value<'c, 'a>,
    carried: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    let [.., last] = carried else { return Err("a loop without results".into()) };
    let mut any = None;
    for number in 0..PART {
        let place = heap.position(builder.index_plus(at, number)?);
        let item = tensor::extract(builder, heap.search.input, &place)?;
        let precedes = heap.search.precedes(builder, item, *last)?;
        any = Some(any.map_or(Ok(precedes), |any| arith::ori(builder, any, precedes))?);
    }
    any.ok_or_else(|| "a part of no elements".into())
}

/// Takes those of the elements from one place up to another that precede the root, each in place of that.
fn exchange<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: Builder<'c, 'a>,
    range: Bounds<'c, 'a>,
    carried: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let root = builder.index(0)?;
    nest(builder, &[range], carried, |builder, at, carried| {
        let [results @ .., last] = carried else { return Err("a loop without results".into()) };
        let element = element(heap, &builder, at[0])?;
        let kinds: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
        let branch = scf::r#if(&builder, heap.search.precedes(&builder, element.item, *last)?, &kinds)?;
        let replaced = heap.with_root(branch.then, results, heap.search.count, element)?;
        let last = heap.read(&branch.then, &replaced, root)?.item;
        scf::r#yield(&branch.then, &[replaced, vec![last]].concat())?;
        scf::r#yield(&branch.otherwise, carried)?;
        Ok(branch.operation.result_values())
    })
}

/// The elements as they stand in the input: all that are not behind the last one that is taken.
fn in_place<'c: 'a, 'a>(
    heap: &Heap<'_, 'c, 'a>,
    builder: Builder<'c, 'a>,
    results: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let first = builder.index(0)?;
    let last = heap.read(&builder, results, first)?;
    let carried = [results, &[first]].concat();
    let found = repeat(builder, heap.search.length, &carried, |builder, at, carried| {
        let [results @ .., place] = carried else { return Err("a loop without results".into()) };
        let element = element(heap, &builder, at)?;
        let kinds: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
        let branch = scf::r#if(&builder, heap.is_behind(&builder, element, last)?, &kinds)?;
        scf::r#yield(&branch.then, carried)?;
        let written = heap.write(&branch.otherwise, results, *place, element)?;
        scf::r#yield(&branch.otherwise, &[written, vec![branch.otherwise.index_plus(*place, 1)?]].concat())?;
        Ok(branch.operation.result_values())
    })?;
    Ok(found[..results.len()].to_vec())
}
