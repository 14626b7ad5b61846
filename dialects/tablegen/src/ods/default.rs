//! The values that stand for absent attributes and properties.

use super::constraint::{AttributeKind, Constraint};
use crate::{
    cpp,
    error::{Diagnostic, Error, Place, Result},
    records::Records,
};

/// A declared default value.
pub(super) struct DefaultValue<'a> {
    /// What it is the value of.
    pub name: &'a str,
    /// The value in C++.
    pub value: &'a str,
    /// The attribute that it is, as MLIR writes it, where the C++ is understood.
    pub text: Option<&'a str>,
    /// Whether it is that of a property, which is a number in C++ where an attribute has the bits of one.
    pub is_property: bool,
    /// Where it is declared.
    pub place: &'a Place,
}

impl DefaultValue<'_> {
    /// That no attribute of `base` has it.
    pub fn refusal(&self, base: &str) -> Error {
        self.place.error(format!("the default value {} is no value of '{base}'", self.value))
    }

    /// Warns of C++ that has no counterpart, unless absence is the value; refuses what is no C++, or what a constraint
    /// excludes.
    pub fn check(&self, records: &Records, is_absence: bool, constraint: &Constraint) -> Result<()> {
        let Self { name, value, text, place, .. } = self;
        if let Some(slip) = cpp::slip(value).filter(|_| text.is_none() && !is_absence) {
            return Err(place.error(format!("the default value '{value}' of '{name}' is no expression: {slip}")));
        }
        if text.is_none() && !is_absence {
            let message = format!(
                "the default value '{value}' is C++ without a counterpart: the getter of '{name}' knows no value for an absent one"
            );
            records.warn_of_own(Diagnostic::warning((*place).clone(), message));
        }
        // MLIR's own files have such values.
        let is_upstream = place.position().is_some_and(|(file, ..)| records.is_upstream(file));
        if is_upstream || !self.is_excluded(constraint) {
            return Ok(());
        }
        let message = format!("the default value {value} of '{name}' is none that its constraint admits");
        Err(place.error(message).help(format!("it must be {}", constraint.summary)))
    }

    /// Whether it is none that a constraint admits, as far as that is known.
    fn is_excluded(&self, constraint: &Constraint) -> bool {
        let known = self.text.zip(constraint.predicate.expression().ok());
        known.is_some_and(|(text, expression)| cpp::holds(&expression, text, self.is_property) == Some(false))
    }
}

/// Whether a comma stands outside of all brackets and texts, which no initializer of one thing has.
pub(super) fn has_bare_comma(value: &str) -> bool {
    let (mut depth, mut quote, mut escaped) = (0_i32, None, false);
    for c in value.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth -= 1,
            (None, ',') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Warns of `DefaultValuedAttr<..., "">`, which has none.
pub(super) fn warn_of_empty(records: &Records, name: &str, kind: AttributeKind, place: &Place) {
    let help = match kind {
        AttributeKind::String => ": write \"\\\"\\\"\" for the empty text",
        _ => "",
    };
    let message = format!("the default value of '{name}' is empty, so that it has none and must be given{help}");
    records.warn_of_own(Diagnostic::warning(place.clone(), message));
}
