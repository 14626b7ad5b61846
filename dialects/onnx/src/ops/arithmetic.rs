//! Operators of two or more operands: arithmetic, order, logic.

use super::unsigned::is_unsigned;
use super::{Results, one};
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;
use skriptnd_syntax::build::Element;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "Add" => arithmetic(t, node, "math.add"),
        "Sub" => arithmetic(t, node, "math.sub"),
        "Mul" => arithmetic(t, node, "math.mul"),
        "Div" => divide(t, node),
        "Mod" => modulo(t, node),
        "Pow" => power(t, node),
        "Max" => folded(t, node, "math.max"),
        "Min" => folded(t, node, "math.min"),
        "Sum" => folded(t, node, "math.add"),
        "Mean" => mean(t, node),
        "Less" => compared(t, node, "math.lt"),
        "LessOrEqual" => compared(t, node, "math.le"),
        "Greater" => compared(t, node, "math.gt"),
        "GreaterOrEqual" => compared(t, node, "math.ge"),
        "Equal" => compared(t, node, "math.eq"),
        "And" => compared(t, node, "math.and"),
        "Or" => compared(t, node, "math.or"),
        "Xor" => compared(t, node, "math.xor"),
        _ => return None,
    };
    one(result)
}

/// The two operands; before version 7 the second was aligned by `axis`, with `broadcast` set.
fn operands(t: &mut Translator<'_>, node: &Node<'_>) -> Result<(Tensor, Tensor), String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let Some(axis) = node.int("axis")?.filter(|_| node.version < 7) else { return Ok((left, right)) };
    let behind = left.rank().saturating_sub(left.axis(axis)? + right.rank());
    let shape = [right.shape.clone(), vec![1.into(); behind]].concat();
    let right = t.reshaped(&right, shape)?;
    Ok((left, right))
}

fn arithmetic(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let (left, right) = operands(t, node)?;
    let result = t.binary(name, &left, &right)?;
    Ok(t.wrapped(result))
}

fn divide(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = operands(t, node)?;
    if is_unsigned(&left) {
        return t.divided_unsigned(&left, &right);
    }
    let name = if left.element.is_real() { "math.div" } else { "onnx.div_trunc" };
    let result = t.binary(name, &left, &right)?;
    Ok(t.wrapped(result))
}

fn modulo(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = operands(t, node)?;
    if is_unsigned(&left) {
        return t.rest_unsigned(&left, &right);
    }
    let of_dividend = node.flag("fmod", false)?;
    let name = match (left.element.is_real(), of_dividend) {
        (true, true) | (false, false) => "math.mod",
        (true, false) => "onnx.mod_floor",
        (false, true) => "onnx.mod_trunc",
    };
    t.binary(name, &left, &right)
}

fn power(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = operands(t, node)?;
    let element = left.element;
    if left.element.is_real() {
        match right.uniform() {
            Some(2.0) => return Ok(t.unary("math.sqr", &left)).and_then(|square| shaped(t, square, &right)),
            Some(0.5) => return Ok(t.unary("math.sqrt", &left)).and_then(|root| shaped(t, root, &right)),
            _ => {}
        }
    }
    let is_whole = !left.element.is_real() && !right.element.is_real();
    if is_whole {
        let result = t.binary("math.pow", &left, &right)?;
        return Ok(t.wrapped(result));
    }
    let (base, exponent) = (t.as_real(&left), t.as_real(&right));
    let result = t.binary("math.pow", &base, &exponent)?;
    if element.is_real() {
        return Ok(Tensor { element, ..result });
    }
    let whole = t.call("layout.cast").dtype(Element::Int).on(&result).gives(element, result.shape.clone());
    Ok(t.wrapped(whole))
}

/// A result whose other operand may have had more dimensions.
fn shaped(t: &mut Translator<'_>, result: Tensor, other: &Tensor) -> Result<Tensor, String> {
    if other.rank() <= result.rank() { Ok(result) } else { t.expanded(&result, &other.shape) }
}

fn folded(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let tensors: Vec<Tensor> = node.tensors()?.into_iter().cloned().collect();
    let (first, rest) = tensors.split_first().ok_or("it has no operands")?;
    let mut result = first.clone();
    for tensor in rest {
        result = match name {
            "math.max" | "math.min" if is_unsigned(tensor) => t.chosen_unsigned(name, &result, tensor)?,
            _ => t.binary(name, &result, tensor)?,
        };
    }
    Ok(result)
}

fn mean(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let sum = folded(t, node, "math.add")?;
    t.binary("math.div", &sum, &Tensor::real(node.inputs.len() as f64))
}

fn compared(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let (left, right) = operands(t, node)?;
    let is_order = !matches!(name, "math.eq" | "math.and" | "math.or" | "math.xor");
    if is_order && is_unsigned(&left) {
        return t.compared_unsigned(name, &left, &right);
    }
    t.compared(name, &left, &right)
}

impl Translator<'_> {
    /// Whole numbers in the bits of their type: the language's have 64.
    pub fn wrapped(&mut self, tensor: Tensor) -> Tensor {
        match tensor.element.integers() {
            Some((bits, is_signed)) if bits < 64 => {
                let call = self.call("onnx.wrap").int("bits", bits.into()).flag("signed", is_signed);
                call.on(&tensor).gives(tensor.element, tensor.shape.clone())
            }
            _ => tensor,
        }
    }

    /// The elements as reals.
    pub fn as_real(&mut self, tensor: &Tensor) -> Tensor {
        if tensor.element.is_real() {
            return tensor.clone();
        }
        if let Some(values) = tensor.reals() {
            let known = Some(crate::value::Known::Reals(values));
            return Tensor { element: ElementType::Float, known, text: None, shape: tensor.shape.clone() };
        }
        self.call("layout.cast").dtype(Element::Real).on(tensor).gives(ElementType::Float, tensor.shape.clone())
    }

    /// The elements as whole numbers of 64 bits.
    pub fn as_int(&mut self, tensor: &Tensor) -> Tensor {
        match tensor.element.language() {
            Some(Element::Int) => Tensor { element: ElementType::Int64, ..tensor.clone() },
            _ => {
                self.call("layout.cast").dtype(Element::Int).on(tensor).gives(ElementType::Int64, tensor.shape.clone())
            }
        }
    }
}
