//! Windows backwards: where the greatest elements stood, and images from the columns of their windows.

use super::products::Window;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "MaxUnpool" => one(max_unpool(t, node)),
        "Col2Im" => one(col_to_image(t, node)),
        _ => None,
    }
}

impl Translator<'_> {
    /// Where the greatest element of each window stands among all elements.
    pub(super) fn places_of_greatest(
        &mut self,
        node: &Node<'_>,
        tensor: &Tensor,
        greatest: &Tensor,
        size: &[Extent],
    ) -> Result<Tensor, String> {
        let window = Window::of(node, tensor, size)?;
        let count = size.len();
        let call = self.call("onnx.max_pool_index").extents("size", size);
        let call = call.ints("stride", window.stride).ints("dilation", window.dilation);
        let call = call.extents("before", &window.padding[..count]);
        let call = if node.flag("storage_order", false)? { call.flag("column_major", true) } else { call };
        Ok(call.on(tensor).on(greatest).gives(ElementType::Int64, greatest.shape.clone()))
    }
}

/// The elements at their places, between zeros.
fn max_unpool(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, index) = (node.input(0)?.clone(), node.input(1)?.clone());
    let size = node.ints("kernel_shape")?.ok_or("its `kernel_shape` is missing")?;
    let count = size.len();
    if tensor.rank() != count + 2 || tensor.shape != index.shape {
        return Err("its operands are expected to have the same extents, two more than its `kernel_shape` has".into());
    }
    let stride = node.ints("strides")?.unwrap_or_else(|| vec![1; count]);
    let pads = node.ints("pads")?.unwrap_or_else(|| vec![0; 2 * count]);
    if stride.len() != count || pads.len() != 2 * count {
        return Err("its strides and pads are not as many as its `kernel_shape` asks for".into());
    }
    let extent = |at: usize| {
        let reach = tensor.shape[at + 2].sub(&1.into()).mul(&stride[at].into());
        reach.add(&size[at].into()).sub(&pads[at].into()).sub(&pads[at + count].into())
    };
    let shape = [&tensor.shape[..2], &(0..count).map(extent).collect::<Vec<_>>()].concat();
    let zero = Tensor { element: tensor.element, ..t.zero_of(&tensor)? };
    let zeros = t.filled(&zero, vec![volume(&shape)])?;
    let places = t.reshaped(&index, vec![index.volume(), 1.into()])?;
    let elements = t.reshaped(&tensor, vec![tensor.volume()])?;
    let call = t.call("layout.scatter_nd").on(&zeros).on(&places).on(&elements);
    let flat = call.gives(tensor.element, zeros.shape.clone());
    let result = t.reshaped(&flat, shape)?;
    if node.optional(2).is_none() {
        return Ok(result);
    }
    in_corner(t, &result, &node.known_ints(2)?)
}

/// The elements at the begin of greater extents, zeros behind them.
fn in_corner(t: &mut Translator<'_>, tensor: &Tensor, wanted: &[Extent]) -> Result<Tensor, String> {
    let shape = &tensor.shape;
    if wanted.len() != shape.len() {
        return Err(format!("its `output_shape` has {} extents, where {} are expected", wanted.len(), shape.len()));
    }
    let behind = wanted.iter().zip(shape).map(|(wanted, there)| wanted.sub(there));
    let padding: Vec<Extent> = vec![Extent::from(0); shape.len()].into_iter().chain(behind).collect();
    Ok(t.call("layout.pad").extents("padding", &padding).on(tensor).gives(tensor.element, wanted.to_vec()))
}

impl Translator<'_> {
    /// The zero of a tensor's type.
    ///
    /// # Errors
    /// Where the language has no such elements.
    pub(super) fn zero_of(&mut self, like: &Tensor) -> Result<Tensor, String> {
        if like.element.is_real() {
            return Ok(Tensor { element: like.element, ..Tensor::real(0.0) });
        }
        match like.element.integers() {
            Some(_) => Ok(Tensor { element: like.element, ..Tensor::int(0) }),
            None => Err(format!("elements of type {} are no numbers", like.element.name())),
        }
    }
}

fn col_to_image(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (image, block) = (node.known_ints(1)?, node.known_ints(2)?);
    let count = image.len();
    if tensor.rank() != 3 || block.len() != count {
        return Err("its operand is expected to have 3 dimensions, and its block as many as its image".into());
    }
    let ones = || vec![1; count];
    let (stride, dilation) = (node.ints("strides")?.unwrap_or_else(ones), node.ints("dilations")?.unwrap_or_else(ones));
    let pads = node.ints("pads")?.unwrap_or_else(|| vec![0; 2 * count]);
    if stride.len() != count || dilation.len() != count || pads.len() != 2 * count {
        return Err("its strides, dilations and pads are not as many as its image asks for".into());
    }
    let places = |at: usize| {
        let reach = block[at].sub(&1.into()).mul(&dilation[at].into()).add(&1.into());
        let room = image[at].add(&pads[at].into()).add(&pads[at + count].into()).sub(&reach);
        room.div(&stride[at].into()).map(|steps| steps.add(&1.into())).ok_or("one of its strides is 0")
    };
    let places: Vec<Extent> = (0..count).map(places).collect::<Result<_, _>>()?;
    let channels = tensor.shape[1].div(&volume(&block)).ok_or("its block has no elements")?;
    let outer = [tensor.shape[0].clone(), channels];
    let columns = t.reshaped(&tensor, [&outer[..], &block[..], &places[..]].concat())?;
    let call = t
        .call("onnx.fold")
        .int("rank", count as i64)
        .extents("image", &image)
        .ints("stride", stride)
        .ints("dilation", dilation);
    let call = call.ints("before", pads[..count].iter().copied());
    Ok(call.on(&columns).gives(tensor.element, [&outer[..], &image[..]].concat()))
}
