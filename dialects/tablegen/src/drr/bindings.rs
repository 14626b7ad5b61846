//! The names of a pattern, and what they stand for.

use super::{
    emit::Emitter,
    model::Reference,
    natives::ParameterKind,
    parts::{Part, Side, is_told_apart},
    pdl::{ATTRIBUTE, Binding, OPERATION, Passed, TYPE, VALUE, VALUES},
};
use crate::{
    error::{Error, Result},
    ods::Arity,
};

impl Emitter<'_, '_> {
    pub fn bind(&mut self, symbol: &Reference, binding: Binding) -> Result<()> {
        if self.bindings.contains_key(&symbol.name) {
            return self.error(&symbol.place, format!("'${}' is bound twice", symbol.name));
        }
        self.bindings.insert(symbol.name.clone(), binding);
        Ok(())
    }

    /// What a name stands for, if it is bound.
    pub fn known(&self, reference: &Reference) -> Option<Binding> {
        self.bindings.get(&reference.name).cloned()
    }

    pub fn lookup(&self, reference: &Reference) -> Result<Binding> {
        match self.known(reference) {
            // One of so many values.
            Some(Binding::Group(names)) if reference.index.is_some_and(|index| index < names.len()) => {
                Ok(Binding::Value(names[reference.index.unwrap_or_default()].clone()))
            }
            Some(binding) if !has_part(&binding, reference.index) => {
                let (name, index) = (&reference.name, reference.index.unwrap_or_default());
                let has = match binding {
                    Binding::Group(names) => format!("{} values", names.len()),
                    _ => "no results".to_string(),
                };
                self.error(&reference.place, format!("'${name}__{index}' is not there: '${name}' has {has}"))
            }
            Some(binding) => Ok(binding),
            None => Err(self.not_bound(reference)),
        }
    }

    fn not_bound(&self, reference: &Reference) -> Error {
        let error =
            reference.place.error(format!("pattern '{}': '${}' is not bound", self.pattern.definition, reference.name));
        let names: Vec<String> = self.bindings.keys().map(|name| format!("'${name}'")).collect();
        match (reference.name.as_str(), names.as_slice()) {
            ("_", _) => error.help("'$_' keeps nothing: give what it stands for a name"),
            (_, []) => error,
            (_, names) => error.help(format!("bound here: {}", names.join(", "))),
        }
    }

    /// One of the values that a native call returned.
    pub fn returned<'v>(&self, returned: &'v [Passed], reference: &Reference) -> Result<&'v Passed> {
        let index = reference.index.unwrap_or(0);
        returned.get(index).map_or_else(
            || {
                let (name, count) = (&reference.name, returned.len());
                self.error(
                    &reference.place,
                    format!("'${name}__{index}' is not there: the call returns {count} values"),
                )
            },
            Ok,
        )
    }

    /// What is passed to a native function for a name.
    pub fn passed_reference(&mut self, reference: &Reference) -> Result<(Vec<Passed>, ParameterKind)> {
        Ok(match self.lookup(reference)? {
            Binding::Value(name) => (vec![(name, VALUE)], ParameterKind::Value),
            Binding::Values(name) if self.optional.contains(&name) => {
                (vec![(name, VALUES)], ParameterKind::OptionalValue)
            }
            Binding::Values(name) => (vec![(name, VALUES)], ParameterKind::Values(None)),
            Binding::Group(names) => {
                let count = names.len();
                (names.into_iter().map(|name| (name, VALUE)).collect(), ParameterKind::Values(Some(count)))
            }
            Binding::Part { operation, part } => self.passed_part(operation, part),
            Binding::Attribute(name) => (vec![(name, ATTRIBUTE)], ParameterKind::Attribute),
            Binding::OptionalAttribute { operation, attribute, default } => {
                let mut given = vec![self.matched_as(&operation), (self.text(&attribute), ATTRIBUTE)];
                let Some(default) = default else { return Ok((given, ParameterKind::OptionalAttribute)) };
                given.push((self.constant(&default), ATTRIBUTE));
                (given, ParameterKind::Attribute)
            }
            Binding::Operation { name, operation } => {
                if self.library.get(operation).operation.results.is_empty() {
                    return Ok((vec![(name, OPERATION)], ParameterKind::Operation));
                }
                return self.passed_values(reference, name, operation);
            }
            Binding::Native(returned) => {
                let value = self.returned(&returned, reference)?.clone();
                let kind = match value.1 {
                    ATTRIBUTE => ParameterKind::Attribute,
                    OPERATION => ParameterKind::Operation,
                    TYPE => ParameterKind::Type,
                    _ => ParameterKind::Value,
                };
                (vec![value], kind)
            }
        })
    }

    fn passed_values(
        &mut self,
        reference: &Reference,
        name: String,
        operation: usize,
    ) -> Result<(Vec<Passed>, ParameterKind)> {
        let declared = self.library.get(operation);
        if let (false, false, Some(index)) =
            (self.rewriting, is_told_apart(&declared.operation, Side::Results), reference.index)
            && index < declared.operation.results.len()
        {
            return Ok(self.passed_part(name, Part::of(&declared.operation, Side::Results, index)));
        }
        let values = self.results_of(&name, operation, reference)?;
        let open = values.iter().any(|(_, kind)| *kind == VALUES);
        let kind = match (values.len(), open) {
            (1, false) => ParameterKind::Value,
            (1, true) if declared.operation.results[reference.index.unwrap_or(0)].arity == Arity::Optional => {
                ParameterKind::OptionalValue
            }
            (1, true) => ParameterKind::Values(None),
            (count, false) => ParameterKind::Values(Some(count)),
            (_, true) => {
                let message = format!("say which of the results by '${}__N': some are variadic", reference.name);
                return self.error(&reference.place, message);
            }
        };
        Ok((values, kind))
    }
}

/// Whether `__N` may say which part of what is bound is meant: a single value is its own first part.
fn has_part(binding: &Binding, index: Option<usize>) -> bool {
    match (binding, index) {
        (Binding::Operation { .. } | Binding::Native(_), _) | (_, None) => true,
        (Binding::Value(_), Some(index)) => index == 0,
        (_, Some(_)) => false,
    }
}
