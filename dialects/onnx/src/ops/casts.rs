//! Conversions between types of elements.

use super::unsigned::is_unsigned;
use super::{Results, one};
use crate::element::{ElementType, Grid};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;
use skriptnd_syntax::build::Element;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Cast" => one(cast(t, node)),
        "CastLike" => one(cast_like(t, node)),
        "BitCast" => one(super::bits::cast(t, node)),
        _ => None,
    }
}

fn cast(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let element = node.element("to")?.ok_or("its attribute `to` is missing")?;
    t.cast_by(&tensor, element, &rounding(node)?)
}

fn cast_like(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, like) = (node.input(0)?.clone(), node.input(1)?.element);
    t.cast_by(&tensor, like, &rounding(node)?)
}

/// What becomes of reals that a type has not.
#[derive(Debug, Clone)]
pub struct Rounding {
    /// Whether what is greater than the greatest number of 8 bits becomes that.
    pub saturates: bool,
    /// Where powers of 2 are rounded to.
    pub mode: String,
}

impl Default for Rounding {
    fn default() -> Rounding {
        Rounding { saturates: true, mode: "up".into() }
    }
}

fn rounding(node: &Node<'_>) -> Result<Rounding, String> {
    Ok(Rounding { saturates: node.flag("saturate", true)?, mode: node.string_or("round_mode", "up")? })
}

impl Translator<'_> {
    /// The elements as those of another type.
    ///
    /// # Errors
    /// Where the language has no such elements.
    pub fn cast(&mut self, tensor: &Tensor, element: ElementType) -> Result<Tensor, String> {
        self.cast_by(tensor, element, &Rounding::default())
    }

    /// The elements as those of another type, which may have fewer.
    ///
    /// # Errors
    /// Where the language has no such elements.
    pub fn cast_by(&mut self, tensor: &Tensor, element: ElementType, rounding: &Rounding) -> Result<Tensor, String> {
        let unsaid = |element: ElementType| format!("elements of type {} can't be said", element.name());
        let from = tensor.element.language().ok_or_else(|| unsaid(tensor.element))?;
        let to = element.language().ok_or_else(|| unsaid(element))?;
        let shape = tensor.shape.clone();
        let converted = match (from, to) {
            (from, to) if from == to => Tensor { element, ..tensor.clone() },
            (Element::Int, Element::Bool) => Tensor { element, ..self.compared("math.ne", tensor, &Tensor::int(0))? },
            (Element::Real, Element::Bool) => {
                Tensor { element, ..self.compared("math.ne", tensor, &Tensor::real(0.0))? }
            }
            (_, Element::Real) if is_unsigned(tensor) => Tensor { element, ..self.real_unsigned(tensor)? },
            (_, to) => self.call("layout.cast").dtype(to).on(tensor).gives(element, shape),
        };
        if tensor.element == element || from == Element::Bool {
            return Ok(converted);
        }
        if element.is_real() {
            return Ok(self.rounded(converted, rounding));
        }
        // Whole numbers fit where there were fewer bits before.
        let fits = match (tensor.element.integers(), element.integers()) {
            (Some((from, was_signed)), Some((to, is_signed))) => {
                from < to && (is_signed || !was_signed) || from == to && was_signed == is_signed
            }
            _ => element.integers().is_none(),
        };
        Ok(if fits { converted } else { self.wrapped(converted) })
    }

    /// Reals as the type of the tensor has them: the language's have 32 bits.
    pub fn rounded(&mut self, tensor: Tensor, rounding: &Rounding) -> Tensor {
        let (element, shape) = (tensor.element, tensor.shape.clone());
        if element == ElementType::Float8E8M0 {
            let call = self.call("onnx.round_power").word("mode", &rounding.mode);
            return call.flag("saturate", rounding.saturates).on(&tensor).gives(element, shape);
        }
        let named = match element {
            ElementType::Float16 => Some("onnx.round_f16"),
            ElementType::Bfloat16 => Some("onnx.round_bf16"),
            _ => None,
        };
        if let Some(operator) = named {
            return self.call(operator).on(&tensor).gives(element, shape);
        }
        let Some(Grid { mantissa, least, most, is_infinite }) = element.grid() else { return tensor };
        let saturates = element == ElementType::Float4E2M1 || element.bits() == 8 && rounding.saturates;
        let call = self.call("onnx.round_float").int("mantissa", mantissa).int("least", least).real("most", most);
        let call = if saturates { call.flag("saturate", true) } else { call };
        let call = if is_infinite { call } else { call.flag("infinite", false) };
        let call = if element == ElementType::Float4E2M1 { call.flag("nan", false) } else { call };
        call.on(&tensor).gives(element, shape)
    }
}
