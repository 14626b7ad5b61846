//! Whole numbers that stand for reals: `(value - zero) * scale`.

use super::casts::Rounding;
use super::exact::{Factor, of_channels};
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor};

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "QuantizeLinear" => quantize(t, node),
        "DequantizeLinear" => dequantize(t, node),
        "DynamicQuantizeLinear" => return Some(dynamic(t, node)),
        "MatMulInteger" => matmul(t, node),
        "ConvInteger" => conv(t, node),
        "QLinearMatMul" => quantized_matmul(t, node),
        "QLinearConv" => quantized_conv(t, node),
        _ => return None,
    };
    one(result)
}

/// What whole numbers stand for.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    /// The distance of neighbours.
    pub scale: Tensor,
    /// What stands for 0; 0 where it is left out.
    pub zero: Option<Tensor>,
}

impl Scale {
    /// The operands of a node for one scale and its zero.
    pub fn of(node: &Node<'_>, at: usize) -> Result<Scale, String> {
        Ok(Scale { scale: node.input(at)?.clone(), zero: node.optional(at + 1).cloned() })
    }

    /// In a shape that a tensor's shape can be aligned with: one scale, one for each index of a dimension, or one for each
    /// block along it.
    pub fn aligned(self, t: &mut Translator<'_>, shape: &[Extent], axis: i64, block: i64) -> Result<Scale, String> {
        let scale = aligned(t, &self.scale, shape, axis, block)?;
        let zero = self.zero.map(|zero| aligned(t, &zero, shape, axis, block)).transpose()?;
        Ok(Scale { scale, zero })
    }
}

fn aligned(t: &mut Translator<'_>, tensor: &Tensor, shape: &[Extent], axis: i64, block: i64) -> Result<Tensor, String> {
    if tensor.volume().known() == Some(1) {
        return t.reshaped(tensor, Vec::new());
    }
    let axis = crate::value::axis_of(axis, shape.len())?;
    if block > 0 {
        return repeated(t, tensor, shape, axis, block);
    }
    if tensor.rank() != 1 || tensor.shape[0].differs_from(&shape[axis]) {
        return Err(format!("its scales are expected to be one for each index of dimension {axis}"));
    }
    let behind = vec![Extent::from(1); shape.len() - axis - 1];
    t.reshaped(tensor, [vec![tensor.shape[0].clone()], behind].concat())
}

/// Each element as often as a block is long.
fn repeated(
    t: &mut Translator<'_>,
    tensor: &Tensor,
    shape: &[Extent],
    axis: usize,
    block: i64,
) -> Result<Tensor, String> {
    let block = Extent::from(block);
    if tensor.rank() != shape.len() || shape[axis].div_up(&block).as_ref() != Some(&tensor.shape[axis]) {
        return Err("its scales are expected to be one for each block".into());
    }
    let mut lifted = tensor.shape.clone();
    lifted.insert(axis + 1, Extent::from(1));
    let mut spread = lifted.clone();
    spread[axis + 1] = block.clone();
    let mut flat = tensor.shape.clone();
    flat[axis] = flat[axis].mul(&block);
    let lifted = t.reshaped(tensor, lifted)?;
    let spread = t.expanded(&lifted, &spread)?;
    let flat = t.reshaped(&spread, flat)?;
    let part = super::slices::Part { axis, begin: 0.into(), step: 1, extent: shape[axis].clone() };
    Ok(t.sliced(&flat, &[part]))
}

fn quantize(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let scale = Scale::of(node, 1)?;
    let given = node.element("output_dtype").ok().flatten();
    let element = scale.zero.as_ref().map(|zero| zero.element).or(given).unwrap_or(ElementType::Uint8);
    let scale = scale.aligned(t, &tensor.shape, node.int_or("axis", 1)?, node.int_or("block_size", 0)?)?;
    let rounding = Rounding { saturates: node.flag("saturate", true)?, ..Rounding::default() };
    t.quantized_by(&tensor, &scale, element, &rounding)
}

fn dequantize(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let scale = Scale::of(node, 1)?;
    let element = node.element("output_dtype")?.unwrap_or(scale.scale.element);
    let scale = scale.aligned(t, &tensor.shape, node.int_or("axis", 1)?, node.int_or("block_size", 0)?)?;
    let result = t.dequantized(&tensor, &scale)?;
    Ok(Tensor { element, ..result })
}

/// The least and the greatest of the integers that can be quantized values.
fn limits_of(element: ElementType) -> Result<(i64, i64), String> {
    let limits = element.integers().filter(|(bits, _)| *bits <= 16);
    let (bits, is_signed) =
        limits.ok_or_else(|| format!("it is expected to give at most 16 bits, but gives {}", element.name()))?;
    Ok(if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}

impl Translator<'_> {
    /// The reals that whole numbers stand for.
    pub(super) fn dequantized(&mut self, tensor: &Tensor, scale: &Scale) -> Result<Tensor, String> {
        let Scale { scale, zero } = scale;
        if tensor.element.is_real() {
            let tensor = Tensor { element: scale.element, ..tensor.clone() };
            return self.binary("math.mul", &tensor, scale);
        }
        let zero = zero.as_ref().filter(|zero| zero.uniform() != Some(0.0));
        let call = self.call("onnx.dequantize").on(tensor).on(scale).on_any(zero);
        Ok(call.gives(scale.element, tensor.shape.clone()))
    }

    /// The whole numbers, or the reals of a few bits, that stand for reals.
    pub(super) fn quantized(&mut self, tensor: &Tensor, scale: &Scale, element: ElementType) -> Result<Tensor, String> {
        self.quantized_by(tensor, scale, element, &Rounding::default())
    }

    fn quantized_by(
        &mut self,
        tensor: &Tensor,
        scale: &Scale,
        element: ElementType,
        rounding: &Rounding,
    ) -> Result<Tensor, String> {
        let real = self.as_real(tensor);
        if element.is_real() {
            let scaled = self.binary("math.div", &real, &scale.scale)?;
            return Ok(self.rounded(Tensor { element, ..scaled }, rounding));
        }
        let (least, most) = limits_of(element)?;
        let zero = scale.zero.as_ref().filter(|zero| zero.uniform() != Some(0.0));
        let call = self.call("onnx.quantize").int("least", least).int("most", most);
        Ok(call.on(&real).on(&scale.scale).on_any(zero).gives(element, real.shape.clone()))
    }

    /// Sums, multiplied by a factor, as whole numbers of few bits.
    pub(super) fn requantized(
        &mut self,
        sums: &Tensor,
        factor: &Tensor,
        zero: Option<Tensor>,
        element: ElementType,
    ) -> Result<Tensor, String> {
        let (least, most) = limits_of(element)?;
        let sums = self.as_int(sums);
        let zero = zero.as_ref().filter(|zero| zero.uniform() != Some(0.0));
        let call = self.call("onnx.requantize").int("least", least).int("most", most);
        Ok(call.on(&sums).on(factor).on_any(zero).gives(element, sums.shape.clone()))
    }

    /// What is computed of scales, at once where both are known.
    fn of_scales(&mut self, operator: &str, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let computed = |left: f64, right: f64| {
            let (left, right) = (left as f32, right as f32);
            crate::node::shortest(if operator == "math.mul" { left * right } else { left / right })
        };
        let known =
            |values: Vec<f64>, like: &Tensor| Tensor { known: Some(Known::Reals(values)), text: None, ..like.clone() };
        match (left.reals(), right.reals(), left.scalar(), right.scalar()) {
            (Some(values), _, _, Some(right)) => {
                Ok(known(values.into_iter().map(|left| computed(left, right)).collect(), left))
            }
            (_, Some(values), Some(left), _) => {
                Ok(known(values.into_iter().map(|right| computed(left, right)).collect(), right))
            }
            _ => self.binary(operator, left, right),
        }
    }
}

/// Quantizes by the least and the greatest element.
fn dynamic(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let (scale, zero) = t.range_of(&tensor)?;
    let scaled = Scale { scale: scale.clone(), zero: Some(zero.clone()) };
    let result = t.quantized(&tensor, &scaled, ElementType::Uint8)?;
    Ok(vec![result, scale, zero])
}

impl Translator<'_> {
    /// The scale and the zero of 8 bits for all elements of a tensor, and 0.
    pub(super) fn range_of(&mut self, tensor: &Tensor) -> Result<(Tensor, Tensor), String> {
        let along = super::reductions::Along { axes: (0..tensor.rank()).collect(), are_kept: false };
        let least = self.reduced("math.min_reduce", tensor, &along);
        let most = self.reduced("math.max_reduce", tensor, &along);
        let least = self.binary("math.min", &least, &Tensor::real(0.0))?;
        let most = self.binary("math.max", &most, &Tensor::real(0.0))?;
        let range = self.binary("math.sub", &most, &least)?;
        let scale = self.binary("math.div", &range, &Tensor::real(255.0))?;
        // Where all is 0, any scale would do.
        let is_zero = self.compared("math.eq", &scale, &Tensor::real(0.0))?;
        let scale = self.select(&is_zero, &Tensor::real(1.0), &scale)?;
        let distance = self.unary("math.neg", &least);
        let zero = self.quantized(&distance, &Scale { scale: scale.clone(), zero: None }, ElementType::Uint8)?;
        Ok((scale, zero))
    }
}

/// What belongs to each row of a matrix, as a column.
pub(super) fn of_rows(t: &mut Translator<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    match tensor.rank() {
        1 if tensor.shape[0].known() == Some(1) => t.reshaped(tensor, Vec::new()),
        1 => t.reshaped(tensor, vec![tensor.shape[0].clone(), 1.into()]),
        _ => Ok(tensor.clone()),
    }
}

/// What belongs to each column of a matrix; a single one without dimensions.
pub(super) fn of_columns(t: &mut Translator<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    if tensor.volume().known() == Some(1) { t.reshaped(tensor, Vec::new()) } else { Ok(tensor.clone()) }
}

/// The product of two tensors of whole numbers less their zeros.
pub(super) fn product(
    t: &mut Translator<'_>,
    (left, left_zero): (&Tensor, Option<&Tensor>),
    (right, right_zero): (&Tensor, Option<&Tensor>),
) -> Result<Tensor, String> {
    let left_zero = left_zero.map(|zero| of_rows(t, zero)).transpose()?;
    let right_zero = right_zero.map(|zero| of_columns(t, zero)).transpose()?;
    let left = Factor { tensor: left.clone(), zero: left_zero };
    t.exact_product(&left, &Factor { tensor: right.clone(), zero: right_zero })
}

/// What a sum is multiplied by, as ONNX Runtime does: the product of the operands' scales, by the result's.
pub(super) fn multiplier(
    t: &mut Translator<'_>,
    scales: [&Tensor; 2],
    result: Option<&Tensor>,
) -> Result<Tensor, String> {
    let product = t.of_scales("math.mul", scales[0], scales[1])?;
    match result {
        Some(result) => t.of_scales("math.div", &product, result),
        None => Ok(product),
    }
}

/// Whole numbers of 32 bits, which sums wrap around in.
fn whole_sums(t: &mut Translator<'_>, sums: &Tensor) -> Tensor {
    let whole = Tensor { element: ElementType::Int32, ..sums.clone() };
    if sums.element == ElementType::Int32 { whole } else { t.wrapped(whole) }
}

fn matmul(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let result = product(t, (&left, node.optional(2)), (&right, node.optional(3)))?;
    Ok(whole_sums(t, &result))
}

fn quantized_matmul(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(3)?.clone());
    let (left_scale, right_scale) = (Scale::of(node, 1)?, Scale::of(node, 4)?);
    let result = Scale::of(node, 6)?;
    let element = result.zero.as_ref().map_or(left.element, |zero| zero.element);
    let sums = product(t, (&left, left_scale.zero.as_ref()), (&right, right_scale.zero.as_ref()))?;
    let (rows, columns) = (of_rows(t, &left_scale.scale)?, of_columns(t, &right_scale.scale)?);
    let scale = of_rows(t, &result.scale)?;
    let factor = multiplier(t, [&rows, &columns], Some(&scale))?;
    let zero = result.zero.map(|zero| of_rows(t, &zero)).transpose()?;
    t.requantized(&sums, &factor, zero, element)
}

fn conv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    let tensor_zero = node.optional(2).map(|zero| t.reshaped(zero, Vec::new())).transpose()?;
    let filter_zero = node.optional(3).map(|zero| of_channels(t, zero, filter.rank())).transpose()?;
    let (tensor, filter) = (Factor { tensor, zero: tensor_zero }, Factor { tensor: filter, zero: filter_zero });
    let result = t.exact_convolution(node, &tensor, &filter, None)?;
    Ok(whole_sums(t, &result))
}

fn quantized_conv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(3)?.clone());
    let (tensor_scale, filter_scale) = (Scale::of(node, 1)?, Scale::of(node, 4)?);
    let result = Scale::of(node, 6)?;
    let element = result.zero.as_ref().map_or(tensor.element, |zero| zero.element);
    let result = result.aligned(t, &[], 0, 0)?;
    let tensor_zero = tensor_scale.zero.map(|zero| t.reshaped(&zero, Vec::new())).transpose()?;
    let filter_zero = filter_scale.zero.map(|zero| of_channels(t, &zero, filter.rank())).transpose()?;
    let (tensor, filter) = (Factor { tensor, zero: tensor_zero }, Factor { tensor: filter, zero: filter_zero });
    let sums = t.exact_convolution(node, &tensor, &filter, node.optional(8))?;
    let tensor_factor = t.reshaped(&tensor_scale.scale, Vec::new())?;
    let filter_factor = of_channels(t, &filter_scale.scale, sums.rank() - 1)?;
    let factor = multiplier(t, [&tensor_factor, &filter_factor], Some(&result.scale))?;
    t.requantized(&sums, &factor, result.zero, element)
}
