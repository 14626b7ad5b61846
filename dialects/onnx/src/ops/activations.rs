//! Activations and questions about single elements that are compositions of standard operators.

use super::{Results, one};
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor};

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "IsNaN" => node.input(0).cloned().and_then(|tensor| t.compared("math.ne", &tensor, &tensor)),
        "IsInf" => is_infinite(t, node),
        "Celu" => celu(t, node),
        "LeakyRelu" => node.input(0).cloned().and_then(|tensor| leaky_relu(t, &tensor, node.float_or("alpha", 0.01)?)),
        "ThresholdedRelu" => thresholded_relu(t, node),
        "Shrink" => shrink(t, node),
        "Swish" => node.input(0).cloned().and_then(|tensor| swish(t, node, &tensor)),
        "SwiGLU" => swiglu(t, node),
        _ => return None,
    };
    one(result)
}

fn is_infinite(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let finds = (node.flag("detect_negative", true)?, node.flag("detect_positive", true)?);
    let sought = match finds {
        (true, true) => t.unary("math.abs", &tensor),
        (true, false) => t.unary("math.neg", &tensor),
        (false, true) => tensor,
        (false, false) => {
            let never = Tensor::known(ElementType::Bool, Vec::new(), Known::Bools(vec![false]));
            return t.filled(&never, tensor.shape.clone());
        }
    };
    t.compared("math.eq", &sought, &Tensor::real(f64::INFINITY))
}

/// max(0, x) + min(0, alpha (exp(x / alpha) - 1))
fn celu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let alpha = node.float_or("alpha", 1.0)?;
    let scaled = t.binary("math.div", &tensor, &Tensor::real(alpha))?;
    let curved = t.call("nn.elu").real("alpha", alpha).on(&scaled).gives(tensor.element, tensor.shape.clone());
    let is_negative = t.compared("math.lt", &tensor, &Tensor::real(0.0))?;
    t.select(&is_negative, &curved, &tensor)
}

/// A line with another slope below 0, which the standard library has where it is the greater of two lines.
pub(super) fn leaky_relu(t: &mut Translator<'_>, tensor: &Tensor, alpha: f64) -> Result<Tensor, String> {
    if (0.0..=1.0).contains(&alpha) {
        return Ok(t.call("nn.relu").real("alpha", alpha).on(tensor).gives(tensor.element, tensor.shape.clone()));
    }
    let scaled = t.binary("math.mul", tensor, &Tensor::real(alpha))?;
    let is_negative = t.compared("math.lt", tensor, &Tensor::real(0.0))?;
    t.select(&is_negative, &scaled, tensor)
}

fn thresholded_relu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let limit = node.float_or("alpha", 1.0)?;
    if limit >= 0.0 {
        let call = t.call("nn.thresholded_relu").real("theta", limit).on(&tensor);
        return Ok(call.gives(tensor.element, tensor.shape.clone()));
    }
    let is_above = t.compared("math.gt", &tensor, &Tensor::real(limit))?;
    t.select(&is_above, &tensor, &Tensor::real(0.0))
}

fn shrink(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (bias, limit) = (node.float_or("bias", 0.0)?, node.float_or("lambd", 0.5)?);
    let real = t.as_real(&tensor);
    let raised = t.binary("math.add", &real, &Tensor::real(bias))?;
    let lowered = t.binary("math.sub", &real, &Tensor::real(bias))?;
    let is_low = t.compared("math.lt", &real, &Tensor::real(-limit))?;
    let is_high = t.compared("math.gt", &real, &Tensor::real(limit))?;
    let above = t.select(&is_high, &lowered, &Tensor::real(0.0))?;
    let result = t.select(&is_low, &raised, &above)?;
    t.cast(&result, tensor.element)
}

/// x / (1 + exp(-alpha x))
fn swish(t: &mut Translator<'_>, node: &Node<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    let alpha = node.float_or("alpha", 1.0)?;
    if alpha == 1.0 {
        return Ok(t.unary("nn.silu", tensor));
    }
    let scaled = t.binary("math.mul", tensor, &Tensor::real(alpha))?;
    let gate = t.unary("nn.sigmoid", &scaled);
    t.binary("math.mul", tensor, &gate)
}

fn swiglu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (gate, linear) = (node.input(0)?.clone(), node.input(1)?.clone());
    let activated = swish(t, node, &gate)?;
    t.binary("math.mul", &activated, &linear)
}
