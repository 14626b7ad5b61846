//! Operators that make tensors of numbers.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};
use skriptnd_syntax::build::Element;
use std::sync::Arc;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "ConstantOfShape" => one(constant_of_shape(t, node)),
        "Range" => one(range(t, node)),
        "Dropout" => Some(dropout(t, node)),
        _ => None,
    }
}

fn constant_of_shape(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let shape = node.known_ints(0)?;
    let value = match node.tensor("value")? {
        Some(value) => Tensor::stored(Arc::new(value)),
        None => Tensor::real(0.0),
    };
    t.filled(&value, shape)
}

impl Translator<'_> {
    /// A tensor of one value.
    ///
    /// # Errors
    /// Where the value is not known.
    pub fn filled(&mut self, value: &Tensor, shape: Vec<Extent>) -> Result<Tensor, String> {
        let scalar = Tensor { shape: Vec::new(), ..value.clone() };
        Ok(self.call("layout.uniform").extents("shape", &shape).on(&scalar).gives(value.element, shape))
    }
}

fn range(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let element = node.input(0)?.element;
    if element.is_real() {
        let known = |at: usize| node.known_reals(at)?.first().copied().ok_or("one of its limits is empty".to_owned());
        let (first, limit, step) = (known(0)?, known(1)?, known(2)?);
        let count = ((limit - first) / step).ceil().max(0.0);
        let values: Vec<f64> =
            (0..made(&[count as i64])?).map(|at| crate::node::shortest((first + at as f64 * step) as f32)).collect();
        return Ok(Tensor::known(element, vec![values.len()], Known::Reals(values)));
    }
    let single = |at: usize| node.known_ints(at)?.first().cloned().ok_or("one of its limits is empty".to_owned());
    let (first, limit, step) = (single(0)?, single(1)?, single(2)?);
    let by = step.known().filter(|by| *by != 0).ok_or("its step must be known, and not 0")?;
    let distance = if by > 0 { limit.sub(&first) } else { first.sub(&limit) };
    let count = distance.div_up(&by.saturating_abs().into()).ok_or("its step is 0")?;
    let count = if count.is_extent() { count } else { count.greater(&0.into()) };
    let last = first.add(&count.mul(&by.into()));
    let call = t.call("layout.range").dtype(Element::Int).attribute("first", first.expression());
    let call = call.attribute("last", last.expression());
    let call = if by == 1 { call } else { call.int("stride", by) };
    Ok(call.gives(element, vec![count]))
}

fn dropout(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let trains = match node.optional(2) {
        Some(_) => node.known_reals(2)?.contains(&1.0),
        None => false,
    };
    let ratio = match node.optional(1) {
        Some(ratio) => ratio.scalar(),
        None => Some(node.float_or("ratio", 0.5)?),
    };
    if trains && ratio != Some(0.0) {
        return dropped(t, node, &tensor, ratio.ok_or_else(|| unknown_ratio(node))?);
    }
    let mask =
        t.filled(&Tensor::known(ElementType::Bool, Vec::new(), Known::Bools(vec![true])), tensor.shape.clone())?;
    Ok(vec![tensor, mask])
}

fn unknown_ratio(node: &Node<'_>) -> String {
    format!("its ratio (`{}`) must be known when the model is imported: give it by `--value`", node.proto.input[1])
}

/// Elements that a random number spares are the greater for those that it does not.
fn dropped(t: &mut Translator<'_>, node: &Node<'_>, tensor: &Tensor, ratio: f64) -> Results {
    let drawn = t.uniform_random(node, tensor.shape.clone())?;
    let stays = t.compared("math.ge", &drawn, &Tensor::real(ratio))?;
    let scaled = t.binary("math.div", tensor, &Tensor::real(1.0 - ratio))?;
    let result = t.select(&stays, &scaled, &Tensor::real(0.0))?;
    Ok(vec![Tensor { element: tensor.element, ..result }, stays])
}
