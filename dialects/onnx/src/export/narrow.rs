//! Which values of 64 bits are in fewer bits, too.

use super::few::{Few, limits};
use super::scope::Scope;
use crate::constant::Constant;
use crate::element::ElementType;

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
