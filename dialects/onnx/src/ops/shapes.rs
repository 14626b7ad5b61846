//! Operators that rearrange elements: other extents, other orders, repetitions.

use super::{Results, one};
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::targets::{flatten_target, reshape_target, squeeze_target, unsqueeze_target};
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Identity" => one(node.input(0).cloned()),
        "Reshape" => one(reshape(t, node, reshape_target)),
        "Flatten" => one(reshape(t, node, flatten_target)),
        "Squeeze" => one(squeeze(t, node)),
        "Unsqueeze" => one(unsqueeze(t, node)),
        "Transpose" => one(transpose(t, node)),
        "Concat" => one(concat(t, node)),
        "Split" => Some(split(t, node)),
        "Expand" => one(expand(t, node)),
        "Tile" => one(tile(t, node)),
        "DepthToSpace" => one(depth_to_space(t, node)),
        "SpaceToDepth" => one(space_to_depth(t, node)),
        _ => None,
    }
}

type Target = fn(&Node<'_>, &[Extent]) -> Result<Vec<Extent>, String>;

fn reshape(t: &mut Translator<'_>, node: &Node<'_>, target: Target) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let shape = target(node, &tensor.shape)?;
    t.reshaped(&tensor, shape)
}

fn squeeze(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (axes, shape) = squeeze_target(node, &tensor.shape)?;
    if axes.is_empty() {
        return Ok(tensor);
    }
    Ok(t.call("layout.squeeze")
        .ints("axes", axes.iter().map(|axis| *axis as i64))
        .on(&tensor)
        .gives(tensor.element, shape))
}

fn unsqueeze(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (axes, shape) = unsqueeze_target(node, &tensor.shape)?;
    Ok(t.unsqueezed(&tensor, &axes, shape))
}

fn transpose(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let reversed = || (0..tensor.rank() as i64).rev().collect();
    let perm: Vec<i64> = node.ints("perm")?.unwrap_or_else(reversed);
    let perm: Vec<usize> = perm.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?;
    if perm.len() != tensor.rank() {
        return Err(format!("its `perm` has {} axes, but its operand {} dimensions", perm.len(), tensor.rank()));
    }
    Ok(t.transposed(&tensor, &perm))
}

fn concat(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let parts: Vec<Tensor> = node.tensors()?.into_iter().cloned().collect();
    let first = parts.first().ok_or("it has no operands")?;
    let axis = first.axis(node.int_or("axis", 1)?)?;
    t.concatenated(&parts.iter().collect::<Vec<_>>(), axis)
}

fn split(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let axis = tensor.axis(node.int_or("axis", 0)?)?;
    let count = node.result_count() as i64;
    let sizes: Vec<Extent> = match (node.optional(1), node.ints("split")?) {
        (Some(_), _) => node.known_ints(1)?,
        (None, Some(sizes)) => sizes.into_iter().map(Extent::from).collect(),
        (None, None) => {
            // All parts are as large as the first; the last has what is left (`num_outputs`, version 18).
            let parts = node.int("num_outputs")?.unwrap_or(count);
            if parts != count {
                return Err(format!("its `num_outputs` is {parts}, but it has {count} results"));
            }
            let each = tensor.shape[axis].div_up(&Extent::from(parts)).ok_or("it has no results")?;
            let last = tensor.shape[axis].sub(&each.mul(&Extent::from(parts - 1)));
            (1..parts).map(|_| each.clone()).chain([last]).collect()
        }
    };
    let result = |size: &Extent| {
        let mut shape = tensor.shape.clone();
        shape[axis] = size.clone();
        (tensor.element, shape)
    };
    let results = sizes.iter().map(result).collect();
    Ok(t.call("layout.split").int("axis", axis as i64).extents("sizes", &sizes).on(&tensor).gives_pack(results))
}

fn expand(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let target = node.known_ints(1)?;
    t.expanded(&tensor, &target)
}

fn tile(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let repeats = node.known_ints(1)?;
    let shape = tensor.shape.iter().zip(&repeats).map(|(extent, times)| extent.mul(times)).collect();
    Ok(t.call("layout.tile").extents("repeats", &repeats).on(&tensor).gives(tensor.element, shape))
}

fn blocks_of(node: &Node<'_>, tensor: &Tensor) -> Result<Extent, String> {
    if tensor.rank() != 4 {
        return Err(format!("its operand has {} dimensions, where 4 are expected", tensor.rank()));
    }
    let size = node.int("blocksize")?.filter(|size| *size > 0);
    Ok(Extent::from(size.ok_or("its `blocksize` is missing")?))
}

fn depth_to_space(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let block = blocks_of(node, &tensor)?;
    let channels = tensor.shape[1].div(&block.mul(&block)).ok_or("its `blocksize` is 0")?;
    let shape = vec![tensor.shape[0].clone(), channels, tensor.shape[2].mul(&block), tensor.shape[3].mul(&block)];
    let blocks_first = node.string_or("mode", "DCR")? == "DCR";
    let call = t.call("layout.depth_to_space").extents("block_size", &[block.clone(), block]);
    Ok(call.flag("blocks_first", blocks_first).on(&tensor).gives(tensor.element, shape))
}

fn space_to_depth(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let block = blocks_of(node, &tensor)?;
    let part = |at: usize| tensor.shape[at].div(&block).ok_or("its `blocksize` is 0");
    let shape = vec![tensor.shape[0].clone(), tensor.shape[1].mul(&block).mul(&block), part(2)?, part(3)?];
    let blocks_first = node.string_or("mode", "DCR")? == "DCR";
    let call = t.call("layout.space_to_depth").extents("block_size", &[block.clone(), block]);
    Ok(call.flag("blocks_first", blocks_first).on(&tensor).gives(tensor.element, shape))
}

impl Translator<'_> {
    /// The same elements in other extents.
    ///
    /// # Errors
    /// Where they are more or fewer.
    pub fn reshaped(&mut self, tensor: &Tensor, shape: Vec<Extent>) -> Result<Tensor, String> {
        if shape == tensor.shape {
            return Ok(tensor.clone());
        }
        if volume(&shape).differs_from(&tensor.volume()) {
            return Err("the result has another number of elements than the operand".into());
        }
        Ok(self.call("layout.reshape").extents("shape", &shape).on(tensor).gives(tensor.element, shape))
    }

    /// New dimensions of extent 1.
    pub fn unsqueezed(&mut self, tensor: &Tensor, axes: &[usize], shape: Vec<Extent>) -> Tensor {
        let axes = axes.iter().map(|axis| *axis as i64);
        self.call("layout.unsqueeze").ints("axes", axes).on(tensor).gives(tensor.element, shape)
    }

    /// Dimensions in another order: the first of the result is `perm[0]` of the operand.
    pub fn transposed(&mut self, tensor: &Tensor, perm: &[usize]) -> Tensor {
        if perm.iter().enumerate().all(|(at, axis)| at == *axis) {
            return tensor.clone();
        }
        let shape = perm.iter().map(|axis| tensor.shape[*axis].clone()).collect();
        let axes = perm.iter().map(|axis| *axis as i64);
        self.call("layout.transpose").ints("perm", axes).on(tensor).gives(tensor.element, shape)
    }

    /// Tensors behind each other along a dimension.
    ///
    /// # Errors
    /// Where there are none.
    pub fn concatenated(&mut self, parts: &[&Tensor], axis: usize) -> Result<Tensor, String> {
        let first = parts.first().ok_or("it has no operands")?;
        if let [only] = parts {
            return Ok((*only).clone());
        }
        if parts.iter().any(|part| part.rank() != first.rank()) {
            return Err("its operands have different numbers of dimensions".into());
        }
        let mut shape = first.shape.clone();
        shape[axis] = parts.iter().fold(Extent::default(), |sum, part| sum.add(&part.shape[axis]));
        Ok(self.call("layout.concat").int("axis", axis as i64).on_pack(parts).gives(first.element, shape))
    }

    /// Elements repeated to the common shape of a tensor and a target.
    ///
    /// # Errors
    /// Where there is none.
    pub fn expanded(&mut self, tensor: &Tensor, target: &[Extent]) -> Result<Tensor, String> {
        let shape = super::elementwise::broadcast(&tensor.shape, target)?;
        if shape == tensor.shape {
            return Ok(tensor.clone());
        }
        let missing = shape.len() - tensor.rank();
        let axes: Vec<usize> = (0..missing).collect();
        let padded = [vec![Extent::from(1); missing], tensor.shape.clone()].concat();
        let lifted = if missing > 0 { self.unsqueezed(tensor, &axes, padded.clone()) } else { tensor.clone() };
        if padded == shape {
            return Ok(lifted);
        }
        Ok(self.spread(&lifted, shape))
    }

    /// Elements of dimensions of extent 1 repeated to a shape. The standard operator takes no extent of 0 for those that it
    /// repeats along.
    fn spread(&mut self, tensor: &Tensor, shape: Vec<Extent>) -> Tensor {
        if shape.iter().all(|extent| extent.known().is_some_and(|extent| extent > 0)) {
            return self.call("layout.broadcast").extents("shape", &shape).on(tensor).gives(tensor.element, shape);
        }
        let axes: Vec<usize> = (0..shape.len()).filter(|axis| tensor.shape[*axis] != shape[*axis]).collect();
        let extents: Vec<Extent> = axes.iter().map(|axis| shape[*axis].clone()).collect();
        if extents.iter().any(may_be_nothing) {
            return self.call("onnx.expand").extents("shape", &shape).on(tensor).gives(tensor.element, shape);
        }
        let call = self.call("layout.broadcast").ints("axes", axes.into_iter().map(|axis| axis as i64));
        call.extents("shape", &extents).on(tensor).gives(tensor.element, shape)
    }
}

/// Whether an extent is 0, or data determine it, who may say so.
fn may_be_nothing(extent: &Extent) -> bool {
    extent.known() == Some(0) || extent.has_symbol(&|symbol| symbol.contains('.'))
}
