//! Conversions between types of elements.

use super::{Results, one};
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;
use skriptnd_syntax::build::Element;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Cast" => one(cast(t, node)),
        "CastLike" => one(cast_like(t, node)),
        _ => None,
    }
}

fn cast(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let element = node.element("to")?.ok_or("its attribute `to` is missing")?;
    t.cast(&tensor, element)
}

fn cast_like(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, like) = (node.input(0)?.clone(), node.input(1)?.element);
    t.cast(&tensor, like)
}

impl Translator<'_> {
    /// The elements as those of another type.
    ///
    /// # Errors
    /// Where the language has no such elements.
    pub fn cast(&mut self, tensor: &Tensor, element: ElementType) -> Result<Tensor, String> {
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
            (_, to) => self.call("layout.cast").dtype(to).on(tensor).gives(element, shape),
        };
        // Truth values fit everywhere, and whole numbers where there were fewer bits before.
        let fits = match (tensor.element.integers(), element.integers()) {
            (Some((from, was_signed)), Some((to, is_signed))) => {
                from < to && (is_signed || !was_signed) || from == to && was_signed == is_signed
            }
            _ => from == Element::Bool || element.integers().is_none(),
        };
        Ok(if fits { converted } else { self.wrapped(converted) })
    }
}
