//! Whole numbers in few bits: what the language has in 64, models for ONNX have in the bits that they need, as far as it is
//! known which these are.

use super::scope::Scope;
use crate::constant::Constant;
use crate::element::ElementType;

/// A value of 64 bits as one of fewer, less a zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Few {
    /// The value in few bits.
    pub name: String,
    /// Its type.
    pub element: ElementType,
    /// What is subtracted from it, of its type.
    pub zero: Option<String>,
}

/// Sums of products of bytes that a node could requantize as it computes them.
#[derive(Debug, Clone)]
pub struct Sums {
    /// The operator that does so.
    pub operator: &'static str,
    /// The operands, each less its zero.
    pub factors: [Few; 2],
    /// What is added, in 32 bits.
    pub bias: Option<String>,
    /// Of the operator.
    pub attributes: Vec<crate::proto::AttributeProto>,
}

/// The type whose least and greatest value these are.
pub fn element_of(least: i64, most: i64) -> Option<ElementType> {
    let types = [ElementType::Uint8, ElementType::Int8, ElementType::Uint16, ElementType::Int16];
    types.into_iter().find(|element| limits(*element) == Some((least, most)))
}

/// The least and the greatest value of a type of whole numbers that few bits hold.
pub fn limits(element: ElementType) -> Option<(i64, i64)> {
    let (bits, is_signed) = element.integers().filter(|(bits, _)| *bits <= 32)?;
    Some(if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}

impl Scope {
    /// A value in few bits as one of 64; who can take few bits asks [`Scope::few`].
    pub fn widened(&mut self, name: &str, element: ElementType) -> String {
        let wide = self.nodes.cast(name, ElementType::Int64);
        self.note_few(&wide, Few { name: name.to_owned(), element, zero: None });
        wide
    }

    /// Notes in which few bits a value is.
    pub fn note_few(&mut self, wide: &str, few: Few) {
        self.few.insert(wide.to_owned(), few);
    }

    /// A value in the few bits that it is in.
    pub fn few(&self, wide: &str) -> Option<&Few> {
        self.few.get(wide)
    }

    /// A value as one of few bits, without a zero, of a type where one is asked for: as it is, or a constant that fits.
    pub fn few_as(&mut self, wide: &str, element: Option<ElementType>) -> Option<(String, ElementType)> {
        let asked = |found| element.is_none_or(|element| element == found);
        if let Some(few) = self.few(wide).filter(|few| few.zero.is_none() && asked(few.element)) {
            return Some((few.name.clone(), few.element));
        }
        let constant = self.nodes.known(wide)?.clone();
        let element = element.or_else(|| {
            let types = [ElementType::Uint8, ElementType::Int8, ElementType::Int32];
            types.into_iter().find(|element| fits(&constant, *element))
        })?;
        let narrow = fits(&constant, element).then(|| constant.converted(element).ok())??;
        Some((self.nodes.constant(&narrow), element))
    }
}

fn fits(constant: &Constant, element: ElementType) -> bool {
    let limits = limits(element).filter(|_| constant.element == ElementType::Int64);
    limits.is_some_and(|(least, most)| constant.ints().all(|value| least <= value && value <= most))
}
