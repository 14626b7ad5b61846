//! Assembly formats that could be parsed in two ways.

use super::format::{Clause, Element, Reference};
use super::lexer::Wrong;
use super::operation::{Arity, Operation};

/// The first ambiguity, as upstream's `OpFormatGen` finds it.
pub fn check(elements: &[Element], operation: &Operation) -> Result<(), Wrong> {
    let search = Search { operation };
    search.adjacent(elements, &|element| search.untyped_attribute(element), &colon)?;
    search.adjacent(elements, &|element| search.dictionary(element), &|base, element| search.region(base, element))?;
    clauses(elements)
}

struct Search<'a> {
    operation: &'a Operation,
}

/// Whether an element may stand behind the one that was met, or the message.
type Conflict<'a> = dyn Fn(&str, &Element) -> Option<String> + 'a;
/// The name of an element that something must not stand behind.
type Base<'a> = dyn Fn(&Element) -> Option<String> + 'a;

/// The attribute grammar has an optional trailing `: type`.
fn colon(attribute: &str, element: &Element) -> Option<String> {
    matches!(element, Element::Literal(text) if text == ":").then(|| {
        format!(
            "format ambiguity caused by `:` literal found after attribute `{attribute}` which does not have a buildable type"
        )
    })
}

impl Search<'_> {
    /// An attribute that is read with its type.
    fn untyped_attribute(&self, element: &Element) -> Option<String> {
        let (inner, qualified) = match element {
            Element::Qualified(inner) => (inner.as_ref(), true),
            other => (other, false),
        };
        let Element::Variable(Reference::Attribute(index)) = inner else { return None };
        let attribute = &self.operation.attributes[*index];
        let generic = qualified || matches!(attribute.storage.as_str(), "::mlir::Attribute" | "Attribute");
        (generic && attribute.value_type_builder.is_none()).then(|| attribute.name.clone())
    }

    fn dictionary(&self, element: &Element) -> Option<String> {
        matches!(element, Element::AttributeDictionary { keyword: false }).then(String::new)
    }

    /// A region begins with the bracket that begins an attribute dictionary.
    fn region(&self, _: &str, element: &Element) -> Option<String> {
        let Element::Variable(Reference::Region(index)) = element else { return None };
        let name = &self.operation.regions[*index].name;
        Some(format!("format ambiguity caused by `attr-dict` directive followed by region `{name}`"))
    }

    /// Looks behind each base; the name of a base behind which nothing certain stands any more.
    fn adjacent(
        &self,
        elements: &[Element],
        base: &Base<'_>,
        conflict: &Conflict<'_>,
    ) -> Result<Option<String>, Wrong> {
        for (index, element) in elements.iter().enumerate() {
            let found = match element {
                Element::Optional { then, otherwise, .. } => {
                    let then = self.adjacent(then, base, conflict)?;
                    let otherwise = self.adjacent(otherwise, base, conflict)?;
                    then.or(otherwise)
                }
                element => base(element),
            };
            let Some(found) = found else { continue };
            if !self.follows(&found, &elements[index + 1..], conflict, false)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether something that must be there follows; what comes before it must not conflict.
    fn follows(&self, base: &str, elements: &[Element], conflict: &Conflict<'_>, guarded: bool) -> Result<bool, Wrong> {
        for (index, element) in elements.iter().enumerate() {
            if let Some(message) = conflict(base, element) {
                return Err(Wrong::new(0, message));
            }
            if let Element::Optional { then, otherwise, .. } = element {
                // The first element of a group that is there must be there.
                self.follows(base, then, conflict, true)?;
                self.follows(base, otherwise, conflict, true)?;
                continue;
            }
            if (guarded && index == 0) || !self.may_be_missing(element) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn may_be_missing(&self, element: &Element) -> bool {
        match element {
            Element::Variable(Reference::Attribute(index)) => self.operation.attributes[*index].may_be_absent(),
            Element::Variable(Reference::Property(index)) => {
                let property = &self.operation.properties[*index];
                property.default.is_some() && property.has_optional_parser
            }
            Element::Variable(reference) => self.operation.arity_of(*reference) != Some(Arity::One),
            Element::Literal(text) => text.trim().is_empty(),
            Element::AttributeDictionary { .. } => true,
            _ => false,
        }
    }
}

/// The words of two `oilist` beside each other, and of a literal behind one, must differ.
fn clauses(elements: &[Element]) -> Result<(), Wrong> {
    let mut taken: Vec<&str> = Vec::new();
    for element in elements {
        let wrong = |literal: &str, where_else: &str| {
            Err(Wrong::new(0, format!("format ambiguity because {literal} is used {where_else}")))
        };
        match element {
            Element::Clauses(clauses) => {
                let literals = || clauses.iter().map(|Clause { literal, .. }| literal.as_str());
                if let Some(literal) = literals().find(|literal| taken.contains(literal)) {
                    return wrong(literal, "in two adjacent oilist elements");
                }
                let twice = |(index, literal): (usize, &str)| literals().take(index).any(|earlier| earlier == literal);
                if let Some((_, literal)) = literals().enumerate().find(|item| twice(*item)) {
                    return wrong(literal, "twice in one oilist");
                }
                taken.extend(literals());
            }
            Element::Literal(literal) if taken.contains(&literal.as_str()) => {
                return wrong(literal, "both in oilist element and the adjacent literal");
            }
            _ => taken.clear(),
        }
    }
    Ok(())
}
