//! Sequences, whose lengths are known, and optionals, of which it is known whether they hold something.

use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::slices::Part;
use crate::translate::Translator;
use crate::value::{Known, Tensor, Value};

/// The results of a node, or why there are none.
type Results = Result<Vec<Value>, String>;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "Identity" | "Optional" | "OptionalGetElement" => return passed(node),
        "OptionalHasElement" => Ok(truth(matches!(node.inputs.first(), Some(Some(_))))),
        "SequenceEmpty" => Ok(Value::Sequence(Vec::new())),
        "SequenceConstruct" => node.tensors().map(|tensors| Value::Sequence(tensors.into_iter().cloned().collect())),
        "SequenceLength" => sequence(node).map(|items| Value::Tensor(Tensor::int(items.len() as i64))),
        "SequenceAt" => at(t, node),
        "SequenceInsert" => insert(node),
        "SequenceErase" => erase(node),
        "SplitToSequence" => split(t, node),
        "ConcatFromSequence" => concat(t, node),
        _ => return None,
    };
    Some(result.map(|value| vec![value]))
}

/// What is given on as it is; tensors' own rule knows `Identity` of a tensor.
fn passed(node: &Node<'_>) -> Option<Results> {
    let value = node.inputs.first().cloned().flatten();
    match (node.proto.op_type.as_str(), value) {
        ("Identity", Some(Value::Tensor(_))) => None,
        ("OptionalGetElement", None) => Some(Err("its operand holds nothing".into())),
        (_, value) => Some(Ok(vec![value.unwrap_or(Value::Nothing)])),
    }
}

fn truth(value: bool) -> Value {
    Value::Tensor(Tensor::known(ElementType::Bool, Vec::new(), Known::Bools(vec![value])))
}

fn sequence<'n>(node: &'n Node<'_>) -> Result<&'n [Tensor], String> {
    match node.inputs.first() {
        Some(Some(Value::Sequence(items))) => Ok(items),
        _ => Err("its operand 0 is no sequence".into()),
    }
}

/// A place among so many, counted from the end where it is negative.
fn place(node: &Node<'_>, operand: usize, count: usize) -> Result<usize, String> {
    let given = node.fixed_ints(operand)?.first().copied().ok_or("its position is empty")?;
    let counted = if given < 0 { given + count as i64 } else { given };
    let place = usize::try_from(counted).ok().filter(|place| *place < count);
    place.ok_or_else(|| format!("its position {given} is none of {count}"))
}

fn at(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Value, String> {
    let items = sequence(node)?;
    let position = node.input(1)?;
    if position.known.is_some() {
        return Ok(Value::Tensor(items[place(node, 1, items.len())?].clone()));
    }
    let first = items.first().ok_or("its sequence is empty")?;
    if items.iter().any(|item| item.shape != first.shape) {
        return Err("its position must be known, as the items of the sequence have different extents: give it by \
                    `--value`"
            .into());
    }
    let all = t.stacked(&items.iter().collect::<Vec<_>>(), 0);
    let call = t.call("layout.gather").int("axis", 0).on(&all).on(position);
    let shape = [&position.shape[..], &first.shape].concat();
    Ok(Value::Tensor(call.gives(first.element, shape)))
}

fn insert(node: &Node<'_>) -> Result<Value, String> {
    let mut items = sequence(node)?.to_vec();
    let tensor = node.input(1)?.clone();
    let count = items.len();
    let at = match node.optional(2) {
        // Behind the last one is a place as well.
        Some(position) if position.ints().is_some_and(|at| at.first() == Some(&Extent::from(count as i64))) => count,
        Some(_) => place(node, 2, count)?,
        None => count,
    };
    items.insert(at, tensor);
    Ok(Value::Sequence(items))
}

fn erase(node: &Node<'_>) -> Result<Value, String> {
    let mut items = sequence(node)?.to_vec();
    let at = match node.optional(1) {
        Some(_) => place(node, 1, items.len())?,
        None => items.len().checked_sub(1).ok_or("its sequence is empty")?,
    };
    items.remove(at);
    Ok(Value::Sequence(items))
}

fn split(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Value, String> {
    let tensor = node.input(0)?.clone();
    let axis = tensor.axis(node.int_or("axis", 0)?)?;
    let extent = tensor.shape[axis].known();
    let extent = || extent.ok_or("how many parts there are depends on an extent of the run: bound or fix it");
    let sizes: Vec<i64> = match node.optional(1) {
        Some(sizes) if sizes.rank() == 1 => node.fixed_ints(1)?,
        given => {
            let size = if given.is_some() { node.fixed_ints(1)?.first().copied().unwrap_or(0) } else { 1 };
            if size <= 0 {
                return Err(format!("its parts have extent {size}"));
            }
            let extent = extent()?;
            (0..extent).step_by(size as usize).map(|begin| size.min(extent - begin)).collect()
        }
    };
    let drops_axis = node.optional(1).is_none() && !node.flag("keepdims", true)?;
    let mut items = Vec::new();
    let mut begin = 0;
    for size in sizes {
        let part = Part { axis, begin: Extent::from(begin), step: 1, extent: Extent::from(size) };
        let item = t.sliced(&tensor, &[part]);
        let mut shape = item.shape.clone();
        if drops_axis {
            shape.remove(axis);
        }
        items.push(t.reshaped(&item, shape)?);
        begin += size;
    }
    Ok(Value::Sequence(items))
}

fn concat(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Value, String> {
    let items: Vec<&Tensor> = sequence(node)?.iter().collect();
    let first = items.first().ok_or("its sequence is empty")?;
    let axis = node.int("axis")?.ok_or("its `axis` is missing")?;
    if node.flag("new_axis", false)? {
        let axis = crate::value::axis_of(axis, first.rank() + 1)?;
        return Ok(Value::Tensor(t.stacked(&items, axis)));
    }
    let axis = first.axis(axis)?;
    t.concatenated(&items, axis).map(Value::Tensor)
}
