//! Elements without those that are equal to others, by comparing each with each.

use super::Results;
use crate::element::ElementType;
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Tensor, made};
use skriptnd_syntax::build::Element;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Unique" => Some(unique(t, node)),
        _ => None,
    }
}

fn unique(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let (tensor, axis) = match node.int("axis")? {
        Some(axis) => (tensor.clone(), tensor.axis(axis)?),
        None => (t.reshaped(&tensor, vec![tensor.volume()])?, 0),
    };
    let is_sorted = node.flag("sorted", true)?;
    let rows = rows(t, &tensor, axis)?;
    let (first, place) = places(t, &rows, is_sorted)?;
    let chosen = occurrences(t, &first, &place, is_sorted)?;
    let found = chosen.shape[0].clone();
    let mut shape = tensor.shape.clone();
    shape[axis] = found.clone();
    let call = t.call("layout.gather").int("axis", axis as i64);
    let values = call.on(&tensor).on(&chosen).gives(tensor.element, shape);
    let call = t.call("onnx.count_places").on(&chosen).on(&place);
    let counts = call.gives(ElementType::Int64, vec![found]);
    Ok(vec![values, chosen, place, counts])
}

/// For each row the first one that is equal to it, and where that stands in the result.
fn places(t: &mut Translator<'_>, rows: &Tensor, is_sorted: bool) -> Result<(Tensor, Tensor), String> {
    let (count, length) = (rows.shape[0].clone(), rows.shape[1].clone());
    let shape = vec![count.clone()];
    if length.known() == Some(1) {
        let first = t.call("onnx.first_equal_element").on(rows).gives(ElementType::Int64, shape.clone());
        let call = t.call("onnx.place_among_elements").flag("sorted", is_sorted);
        let place = call.on(rows).on(&first).gives(ElementType::Int64, shape);
        return Ok((first, place));
    }
    let most = count.known().unwrap_or(1);
    made(&[most, most])?;
    let difference = t.call("onnx.first_difference").on(rows).gives(ElementType::Int64, vec![count.clone(), count]);
    let call = t.call("onnx.first_equal").attribute("length", length.expression()).on(&difference);
    let first = call.gives(ElementType::Int64, shape.clone());
    let call = t.call("onnx.place_among_unique").flag("sorted", is_sorted);
    let place = call.on(rows).on(&difference).on(&first).gives(ElementType::Int64, shape);
    Ok((first, place))
}

/// What is compared as rows of numbers.
fn rows(t: &mut Translator<'_>, tensor: &Tensor, axis: usize) -> Result<Tensor, String> {
    let perm: Vec<usize> = [axis].into_iter().chain((0..tensor.rank()).filter(|at| *at != axis)).collect();
    let moved = t.transposed(tensor, &perm);
    let rows = t.reshaped(&moved, vec![moved.shape[0].clone(), volume(&moved.shape[1..])])?;
    Ok(if tensor.element == ElementType::Bool { t.as_int(&rows) } else { rows })
}

/// The first index of each value, in the order of the results.
fn occurrences(t: &mut Translator<'_>, first: &Tensor, place: &Tensor, is_sorted: bool) -> Result<Tensor, String> {
    let count = first.shape[0].clone();
    let call = t.call("layout.range").dtype(Element::Int).int("first", 0).attribute("last", count.expression());
    let numbers = call.gives(ElementType::Int64, vec![count.clone()]);
    let is_first = t.compared("math.eq", first, &numbers)?;
    let found = t.call("layout.nonzero").on(&is_first);
    let found = found.gives_found(ElementType::Int64, 1, &count, |found| vec![Extent::from(1), found]);
    let shape = vec![found.shape[1].clone()];
    let index = t.call("layout.squeeze").ints("axes", [0]).on(&found).gives(ElementType::Int64, shape.clone());
    if !is_sorted {
        return Ok(index);
    }
    let call = t.call("layout.gather").int("axis", 0);
    let places = call.on(place).on(&index).gives(ElementType::Int64, shape.clone());
    let call = t.call("layout.scatter").int("axis", 0);
    Ok(call.on(&index).on(&places).on(&index).gives(ElementType::Int64, shape))
}
