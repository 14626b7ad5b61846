//! Operators that compute each element on its own.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let name = match node.proto.op_type.as_str() {
        "Relu" => return one(relu(t, node)),
        "Elu" => return one(elu(t, node)),
        "Selu" => return one(selu(t, node)),
        "HardSigmoid" => return one(hard_sigmoid(t, node)),
        "HardSwish" => return one(hard_swish(t, node)),
        "Gelu" => return one(gelu(t, node)),
        "Mish" => return one(mish(t, node)),
        "Clip" => return one(clip(t, node)),
        "Where" => return one(select(t, node)),
        "PRelu" => return one(prelu(t, node)),
        "Abs" => "math.abs",
        "Acos" => "math.acos",
        "Acosh" => "math.acosh",
        "Asin" => "math.asin",
        "Asinh" => "math.asinh",
        "Atan" => "math.atan",
        "Atanh" => "math.atanh",
        "Ceil" => "math.ceil",
        "Cos" => "math.cos",
        "Cosh" => "math.cosh",
        "Erf" => "nn.erf",
        "Exp" => "math.exp",
        "Floor" => "math.floor",
        "Log" => "math.log",
        "Neg" => "math.neg",
        "Not" => "math.not",
        "Reciprocal" => "math.rcp",
        "Sigmoid" => "nn.sigmoid",
        "Sign" => "math.sign",
        "Sin" => "math.sin",
        "Sinh" => "math.sinh",
        "Softplus" => "nn.softplus",
        "Sqrt" => "math.sqrt",
        "Tan" => "math.tan",
        "Tanh" => "math.tanh",
        "Round" => "onnx.round",
        "Softsign" => "onnx.softsign",
        _ => return None,
    };
    one(node.input(0).cloned().map(|tensor| t.unary(name, &tensor)))
}

/// The common shape of two tensors whose extents of 1 are repeated.
///
/// # Errors
/// Where two extents differ.
pub fn broadcast(left: &[Extent], right: &[Extent]) -> Result<Vec<Extent>, String> {
    let rank = left.len().max(right.len());
    let one = Extent::from(1);
    let extent =
        |shape: &[Extent], at: usize| (at + shape.len()).checked_sub(rank).map_or(one.clone(), |at| shape[at].clone());
    let common = |at: usize| match (extent(left, at), extent(right, at)) {
        (left, right) if left == right || right == one => Ok(left),
        (left, right) if left == one => Ok(right),
        (left, right) if left.differs_from(&right) => Err(format!(
            "its operands have extents {} and {} in one dimension",
            left.known().unwrap_or(-1),
            right.known().unwrap_or(-1)
        )),
        // One of them is only known in a run; where it is 1 there, the run says that they differ.
        (left, right) if right.known().is_some() && left.known().is_none() => Ok(right),
        (left, _) => Ok(left),
    };
    (0..rank).map(common).collect()
}

fn elu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let alpha = node.float_or("alpha", 1.0)?;
    Ok(t.call("nn.elu").real("alpha", alpha).on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn relu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    if tensor.element.is_real() {
        return Ok(t.unary("nn.relu", &tensor));
    }
    let zero = Tensor { element: tensor.element, shape: Vec::new(), ..Tensor::of_extents(vec![Extent::from(0)]) };
    t.binary("math.max", &tensor, &zero)
}

fn selu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let alpha = node.float_or("alpha", 1.673_263_2)?;
    let gamma = node.float_or("gamma", 1.050_701)?;
    let call = t.call("nn.selu").real("alpha", alpha).real("lambda", gamma);
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn hard_sigmoid(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (alpha, beta) = (node.float_or("alpha", 0.2)?, node.float_or("beta", 0.5)?);
    let call = t.call("nn.hard_sigmoid").real("alpha", alpha).real("beta", beta);
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn hard_swish(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let call = t.call("nn.hard_sigmoid").real("alpha", 1.0 / 6.0).real("beta", 0.5);
    let gate = call.on(&tensor).gives(tensor.element, tensor.shape.clone());
    t.binary("math.mul", &tensor, &gate)
}

fn gelu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let approximate = node.string_or("approximate", "none")?;
    let call = t.call("nn.gelu");
    let call = if approximate == "tanh" { call.word("approximate", "TANH") } else { call };
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn mish(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let soft = t.unary("nn.softplus", &tensor);
    let gate = t.unary("math.tanh", &soft);
    t.binary("math.mul", &tensor, &gate)
}

fn clip(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let limit = |at: usize, name: &str| -> Result<Option<Tensor>, String> {
        match (node.optional(at), node.float(name)?) {
            (Some(limit), _) => Ok(Some(limit.clone())),
            (None, Some(value)) => Ok(Some(Tensor::real(value))),
            (None, None) => Ok(None),
        }
    };
    let (least, most) = (limit(1, "min")?, limit(2, "max")?);
    match (least, most) {
        (Some(least), Some(most)) if crate::value::in_order(&least, &most) => {
            let call = t.call("math.clamp").on(&tensor).on(&least.as_scalar()).on(&most.as_scalar());
            Ok(call.gives(tensor.element, tensor.shape.clone()))
        }
        // Where the limits are in the wrong order, the greatest counts.
        (least, most) => {
            let lower = match least {
                Some(least) => t.binary("math.max", &tensor, &least.as_scalar())?,
                None => tensor,
            };
            match most {
                Some(most) => t.binary("math.min", &lower, &most.as_scalar()),
                None => Ok(lower),
            }
        }
    }
}

fn select(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (condition, left, right) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    t.select(&condition, &left, &right)
}

fn prelu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, slope) = (node.input(0)?.clone(), node.input(1)?.clone());
    // Before version 7 there was one slope for each channel.
    let per_channel = tensor.rank() > 1 && slope.shape.first() == tensor.shape.get(1);
    let is_channels = slope.rank() == 1 && node.version < 7
        || slope.rank() + 1 == tensor.rank()
            && per_channel
            && slope.shape[1..].iter().all(|extent| extent.known() == Some(1));
    if is_channels && per_channel {
        let slope = t.reshaped(&slope, vec![tensor.shape[1].clone()])?;
        return Ok(t.call("nn.prelu").on(&tensor).on(&slope).gives(tensor.element, tensor.shape.clone()));
    }
    let scaled = t.binary("math.mul", &tensor, &slope)?;
    let is_negative = t.compared("math.lt", &tensor, &Tensor::real(0.0))?;
    t.select(&is_negative, &scaled, &tensor)
}

impl Tensor {
    /// A real number.
    pub fn real(value: f64) -> Tensor {
        Tensor::known(ElementType::Float, Vec::new(), crate::value::Known::Reals(vec![value]))
    }

    /// A whole number.
    pub fn int(value: impl Into<Extent>) -> Tensor {
        Tensor { shape: Vec::new(), ..Tensor::of_extents(vec![value.into()]) }
    }

    /// A tensor whose known elements are all the same, and whose extents are 1, without dimensions: the text has a literal for it.
    pub fn as_scalar(&self) -> Tensor {
        let is_one = self.text.is_none() && self.shape.iter().all(|extent| extent.known() == Some(1));
        if is_one { Tensor { shape: Vec::new(), ..self.clone() } } else { self.clone() }
    }
}

impl Translator<'_> {
    /// An operator of one operand, whose result has its type and shape.
    pub fn unary(&mut self, name: &str, tensor: &Tensor) -> Tensor {
        self.call(name).on(tensor).gives(tensor.element, tensor.shape.clone())
    }

    /// An operator of two operands whose extents of 1 are repeated.
    ///
    /// # Errors
    /// Where their shapes do not agree.
    pub fn binary(&mut self, name: &str, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        self.two(name, left, right, left.element)
    }

    /// A comparison of two operands.
    ///
    /// # Errors
    /// Where their shapes do not agree.
    pub fn compared(&mut self, name: &str, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        self.two(name, left, right, ElementType::Bool)
    }

    fn two(&mut self, name: &str, left: &Tensor, right: &Tensor, element: ElementType) -> Result<Tensor, String> {
        let shape = broadcast(&left.shape, &right.shape)?;
        // A literal has no dimensions: it stands for a tensor of extents 1 where the other one has as many.
        let literal = |tensor: &Tensor, other: &Tensor| {
            if other.rank() >= tensor.rank() && tensor.known.is_some() { tensor.as_scalar() } else { tensor.clone() }
        };
        let (first, second) = (literal(left, right), literal(right, left));
        let first = if second.rank() < right.rank() { left.clone() } else { first };
        Ok(self.call(name).on(&first).on(&second).gives(element, shape))
    }

    /// Elements of one tensor or the other.
    ///
    /// # Errors
    /// Where their shapes do not agree.
    pub fn select(&mut self, condition: &Tensor, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
        let shape = broadcast(&broadcast(&condition.shape, &left.shape)?, &right.shape)?;
        let literal =
            |tensor: &Tensor| if condition.rank() == shape.len() { tensor.as_scalar() } else { tensor.clone() };
        let (first, second) = (literal(left), literal(right));
        Ok(self.call("math.select").on(condition).on(&first).on(&second).gives(left.element, shape))
    }
}
