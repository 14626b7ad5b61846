//! Parts of tensors.

use super::{Results, one};
use crate::extent::Extent;
use crate::node::Node;
pub use crate::parts::Part;
use crate::parts::parts;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Slice" => one(slice(t, node)),
        _ => None,
    }
}

fn slice(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let parts = parts(node, &tensor.shape)?;
    Ok(t.sliced(&tensor, &parts))
}

impl Translator<'_> {
    /// Parts of a tensor.
    pub fn sliced(&mut self, tensor: &Tensor, parts: &[Part]) -> Tensor {
        let is_whole = |part: &&Part| part.step != 1 || part.extent != tensor.shape[part.axis];
        let parts: Vec<&Part> = parts.iter().filter(is_whole).collect();
        if parts.is_empty() {
            return tensor.clone();
        }
        let mut shape = tensor.shape.clone();
        for part in &parts {
            shape[part.axis] = part.extent.clone();
        }
        let begins: Vec<Extent> = parts.iter().map(|part| part.begin.clone()).collect();
        // One step behind the last index, or where that is before the first one, -extent - 1: the language counts as Python does.
        let end = |part: &&Part| {
            let end = part.begin.add(&part.extent.mul(&Extent::from(part.step)));
            match (part.step < 0, end.known()) {
                (true, Some(known)) if known < 0 => Extent::from(-1).sub(&tensor.shape[part.axis]),
                _ if part.step > 1 => end.lesser(&tensor.shape[part.axis]),
                _ => end,
            }
        };
        let ends: Vec<Extent> = parts.iter().map(end).collect();
        let axes = parts.iter().map(|part| part.axis as i64);
        let mut call = self.call("layout.slice").ints("axes", axes).extents("begin", &begins).extents("end", &ends);
        if parts.iter().any(|part| part.step != 1) {
            call = call.ints("stride", parts.iter().map(|part| part.step));
        }
        call.on(tensor).gives(tensor.element, shape)
    }
}
