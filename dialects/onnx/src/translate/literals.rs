//! How the text says tensors whose elements are known: literals, constants, variables.

use super::Translator;
use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::{Extent, known_shape};
use crate::value::{Known, Tensor};
use skriptnd_syntax::build::{self, Element, Expression, Port};
use std::sync::Arc;

/// Vectors of so many elements at most stand in the text.
const MOST_IN_TEXT: usize = 8;

impl Translator<'_> {
    /// How the text refers to a tensor; what is known only gets its name, constant or variable here.
    pub fn operand(&mut self, tensor: &Tensor) -> Expression {
        if let Some(text) = &tensor.text {
            return text.clone();
        }
        let Some(known) = &tensor.known else { return Expression::Absent };
        if let Some(literal) = tensor.shape.is_empty().then(|| literal(tensor)).flatten() {
            return literal;
        }
        if let Known::Ints(values) = known {
            if values.iter().any(|value| value.known().is_none()) {
                return self.open_constant(tensor, values);
            }
        }
        if let Some(text) = (!self.is_parameter(tensor)).then(|| self.constant_in_text(tensor)).flatten() {
            return Expression::Name(text);
        }
        match known {
            Known::Stored(stored) => self.stored(stored),
            known => {
                let shape = known_shape(&tensor.shape).unwrap_or_default();
                let stored = Constant::of_known(known, shape.iter().map(|extent| *extent as usize).collect());
                self.stored(&Arc::new(stored))
            }
        }
    }

    /// A tensor of whole numbers some of which depend on extents of the run.
    fn open_constant(&mut self, tensor: &Tensor, values: &[Extent]) -> Expression {
        let call = self.call("layout.constant").dtype(Element::Int);
        let given = call.extents("shape", &tensor.shape).extents("value", values);
        let made = given.gives(tensor.element, tensor.shape.clone());
        made.text.unwrap_or(Expression::Absent)
    }

    /// A constant of the graph, where its elements are few or all the same.
    fn constant_in_text(&mut self, tensor: &Tensor) -> Option<String> {
        let element = tensor.element.language()?;
        let uniform = tensor.uniform().and_then(|value| number(element, value));
        let value = match uniform {
            Some(value) => value,
            None if tensor.rank() == 1 && tensor.volume().known()? <= MOST_IN_TEXT as i64 => {
                let numbers = tensor.reals()?.into_iter().map(|value| number(element, value));
                Expression::List(numbers.collect::<Option<_>>()?)
            }
            None => return None,
        };
        let extents = tensor.shape.iter().map(|extent| build::Extent::Known(extent.expression(), None)).collect();
        let same =
            |(port, found): &(Port, Expression)| found == &value && port.element == element && port.extents == extents;
        if let Some((port, _)) = self.constants.iter().find(|constant| same(constant)) {
            return Some(port.name.clone());
        }
        let name = self.names.fresh("constant");
        self.constants.push((Port { name: name.clone(), element, extents }, value));
        Some(name)
    }

    /// A variable of the graph.
    fn stored(&mut self, stored: &Arc<Constant>) -> Expression {
        let place = (stored.bytes.as_ptr() as usize, stored.bytes.len());
        if let Some(name) = self.placed.get(&place) {
            // Two views of the same bytes may differ in their shape or type.
            let is_same = |(port, other): &&(Port, Arc<Constant>)| {
                port.name == *name && (&other.shape, other.element) == (&stored.shape, stored.element)
            };
            if let Some((port, _)) = self.variables.iter().find(is_same) {
                return Expression::Name(port.name.clone());
            }
        }
        let name = self.names.fresh(if stored.name.is_empty() { "constant" } else { &stored.name });
        let extents = stored.shape.iter().map(|extent| Expression::Int(*extent as i64));
        let port = Port {
            name: name.clone(),
            element: stored.element.language().unwrap_or(Element::Real),
            extents: extents.map(|extent| build::Extent::Known(extent, None)).collect(),
        };
        self.variables.push((port, stored.clone()));
        self.placed.insert(place, name.clone());
        Expression::Name(name)
    }
}

/// The literal of a number; there is none of what is no number, and none of negative zero among integers.
fn number(element: Element, value: f64) -> Option<Expression> {
    match element {
        Element::Real => (!value.is_nan()).then_some(Expression::Real(value)),
        Element::Int => (value.abs() < 9e15).then_some(Expression::Int(value as i64)),
        Element::Bool => Some(Expression::Bool(value != 0.0)),
    }
}

/// The literal of a tensor without dimensions.
fn literal(tensor: &Tensor) -> Option<Expression> {
    let element = tensor.element.language()?;
    match (element, tensor.ints()) {
        (Element::Int, Some(values)) => Some(values.first()?.expression()),
        _ => number(element, tensor.scalar()?),
    }
}

impl Constant {
    /// The tensor of elements that do not depend on a run.
    fn of_known(known: &Known, shape: Vec<usize>) -> Constant {
        match known {
            Known::Stored(stored) => (**stored).clone(),
            Known::Ints(values) => {
                let values: Vec<i64> = values.iter().map(|value| value.known().unwrap_or(0)).collect();
                Constant { shape, ..Constant::of_ints(&values) }
            }
            Known::Reals(values) => {
                let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
                Constant { name: String::new(), element: ElementType::Float, shape, bytes: bytes.into() }
            }
            Known::Bools(values) => {
                let bytes: Vec<u8> = values.iter().map(|value| u8::from(*value)).collect();
                Constant { name: String::new(), element: ElementType::Bool, shape, bytes: bytes.into() }
            }
        }
    }
}
