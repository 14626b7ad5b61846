//! The rewrite section of a pattern.

use super::{
    emit::{Emitter, MatchedOperation},
    model::{NativeCall, Reference, ResultNode, ResultOperation},
    pdl::{Binding, Passed, VALUE, VALUES},
    uses,
};
use crate::error::{Diagnostic, Error, Place, Result};
use std::ops::Range;

/// Something made: an operation, or values.
pub(super) enum Made {
    Operation { name: String, operation: usize, index: Option<usize> },
    Values(Vec<Passed>),
}

/// The part of the root that something made replaces: the first of its results, and how many.
pub(super) struct Replaced<'m> {
    pub root: &'m MatchedOperation,
    pub first: usize,
    pub count: usize,
}

impl Emitter<'_, '_> {
    /// Emits what makes the results, and then what replaces the root.
    pub fn results(&mut self, root: &MatchedOperation) -> Result<()> {
        let pattern = self.pattern;
        let count = self.library.get(root.operation).operation.results.len();
        let first = self.first_replacement(&pattern.results, count);
        self.is_open = first.is_err();
        let mut errors = Vec::new();
        let mut replaced = 0;
        let mut replacements = Vec::new();
        for (index, node) in pattern.results.iter().enumerate() {
            let replaces = first.as_ref().is_ok_and(|first| index >= *first);
            let count = self.declared_values(node);
            let part = replaces.then_some(Replaced { root, first: replaced, count });
            match self.node(node, self.named_kind(node), part) {
                Ok(made) if replaces => {
                    let is_made = matches!(made, Made::Operation { .. });
                    self.warn_of_root_uses(root, replaced..replaced + count, is_made);
                    errors.extend(self.check_replacement(root, node, replaced).err());
                    replaced += count;
                    replacements.push((made, node_place(node)));
                }
                Ok(_) => {}
                Err(error) => errors.push(error),
            }
        }
        let unused = pattern.results.iter().take(*first.as_ref().unwrap_or(&0)).chain(&pattern.supplemental);
        unused.for_each(|node| self.warn_of_value(node));
        errors.extend(first.err());
        for node in &pattern.supplemental {
            errors.extend(self.node(node, self.named_kind(node), None).err());
        }
        Error::collect(errors)?;
        self.replace(root, count, replacements)
    }

    /// What a native call that replaces nothing returns: what its name is taken for.
    fn named_kind(&self, node: &ResultNode) -> &'static str {
        let symbol = match node {
            ResultNode::Native(call) => call.symbol.as_ref(),
            _ => None,
        };
        symbol.and_then(|symbol| uses::of_name(self.pattern, self.library, &symbol.name)).unwrap_or(VALUE)
    }

    /// What is made should take no result of the root that something made later, or with it, replaces: it takes itself
    /// then, or what stands behind it.
    fn warn_of_root_uses(&mut self, root: &MatchedOperation, replaced: Range<usize>, is_made: bool) {
        let taken = |index: &Option<usize>| index.is_none_or(|index| replaced.contains(&index));
        let Some((_, place)) = self.root_uses.iter().find(|(index, _)| is_made && !replaced.is_empty() && taken(index))
        else {
            return;
        };
        let (pattern, name) = (&self.pattern.definition, self.library.get(root.operation).operation.name());
        let message =
            format!("pattern '{pattern}': what replaces a result of the root '{name}' depends on that result");
        self.warnings.push(Diagnostic::warning(place.clone(), message));
    }

    /// `replaceWithValue` does nothing where it is none of the last results.
    fn warn_of_value(&mut self, node: &ResultNode) {
        if let ResultNode::Value(reference) = node {
            let message = format!("pattern '{}': this replaces nothing: the last results do", self.pattern.definition);
            self.warnings.push(Diagnostic::warning(reference.place.clone(), message));
        }
    }

    /// A result of the root is not replaced by a result of the root.
    fn check_replacement(&self, root: &MatchedOperation, node: &ResultNode, replaced: usize) -> Result<()> {
        let ResultNode::Value(reference) = node else { return Ok(()) };
        let index = match self.known(reference) {
            Some(Binding::Operation { name, .. }) if name == root.name => reference.index.unwrap_or(0),
            _ => return Ok(()),
        };
        let name = self.library.get(root.operation).operation.name();
        let help = "such a rule would apply to what it leaves again and again";
        match index == replaced {
            true => {
                self.error(&reference.place, format!("the result of the root '{name}' is replaced by itself; {help}"))
            }
            false => {
                self.error(&reference.place, format!("the root '{name}' is replaced by a result of its own; {help}"))
            }
        }
    }

    fn declared_values(&self, node: &ResultNode) -> usize {
        let index = |symbol: &Option<Reference>| symbol.as_ref().and_then(|symbol| symbol.index);
        match node {
            ResultNode::Value(_) => 1,
            ResultNode::Native(call) if index(&call.symbol).is_some() => 1,
            ResultNode::Native(call) => call.function.returns,
            ResultNode::Operation(operation) if index(&operation.symbol).is_some() => 1,
            ResultNode::Operation(operation) => self.library.get(operation.operation).operation.results.len(),
        }
    }

    /// The last results replace those of the root; what comes before only helps.
    fn first_replacement(&self, results: &[ResultNode], count: usize) -> Result<usize> {
        let mut covered = 0;
        for (index, node) in results.iter().enumerate().rev() {
            if covered == count {
                return Ok(index + 1);
            }
            covered += self.declared_values(node);
            if covered > count {
                let message = "an operation cannot both help and replace the root: it has more results than are left";
                return self.error(&node_place(node), message);
            }
        }
        match covered == count {
            true => Ok(0),
            false => {
                self.error(&self.pattern.place, format!("the root has {count} results, the pattern gives {covered}"))
            }
        }
    }

    fn replace(&mut self, root: &MatchedOperation, count: usize, replacements: Vec<(Made, Place)>) -> Result<()> {
        if count == 0 {
            self.line(format!("pdl.erase {}", root.name));
            return Ok(());
        }
        if let [(Made::Operation { name, index: None, .. }, _)] = replacements.as_slice() {
            self.line(format!("pdl.replace {} with {name}", root.name));
            return Ok(());
        }
        let mut values = Vec::new();
        for (made, place) in replacements {
            let made = self.values_of(made, &place)?;
            if made.iter().any(|(_, kind)| !matches!(*kind, VALUE | VALUES)) {
                return self.error(&place, "what replaces the root is to be a value, which this is not");
            }
            values.extend(made);
        }
        let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let kinds: Vec<&str> = values.iter().map(|(_, kind)| *kind).collect();
        self.line(format!("pdl.replace {} with ({} : {})", root.name, names.join(", "), kinds.join(", ")));
        Ok(())
    }

    /// The values of something made.
    pub fn values_of(&mut self, made: Made, place: &Place) -> Result<Vec<Passed>> {
        match made {
            Made::Values(values) => Ok(values),
            Made::Operation { name, operation, index } => {
                let reference = Reference { name: String::new(), index, place: place.clone() };
                self.results_of(&name, operation, &reference)
            }
        }
    }

    pub fn node(&mut self, node: &ResultNode, wanted: &'static str, replaced: Option<Replaced<'_>>) -> Result<Made> {
        match node {
            ResultNode::Operation(operation) => self.made_operation(operation, replaced),
            ResultNode::Native(call) => Ok(Made::Values(self.native(call, wanted)?)),
            ResultNode::Value(reference) => Ok(Made::Values(self.reference(reference)?)),
        }
    }

    /// The only value of something made.
    pub fn single(&mut self, made: Made, place: &Place) -> Result<Passed> {
        let values = self.values_of(made, place)?;
        match <[Passed; 1]>::try_from(values) {
            Ok([value]) => Ok(value),
            Err(values) if values.is_empty() => self.error(place, "one value is needed, and nothing is returned here"),
            Err(values) => self.error(place, format!("one value is needed, {} are given", values.len())),
        }
    }

    /// The values that a name stands for.
    pub fn reference(&mut self, reference: &Reference) -> Result<Vec<Passed>> {
        match self.lookup(reference)? {
            Binding::Value(name) => Ok(vec![(name, VALUE)]),
            Binding::Values(name) => Ok(vec![(name, VALUES)]),
            Binding::Part { operation, part } => Ok(vec![self.taken(&operation, &part)]),
            Binding::Group(names) => Ok(names.into_iter().map(|name| (name, VALUE)).collect()),
            Binding::Operation { name, operation } => {
                let count = self.library.get(operation).operation.results.len();
                if count != 1 && reference.index.is_none() {
                    let name = self.library.get(operation).operation.name();
                    let message = match count {
                        0 => format!("'{name}' has no result"),
                        _ => format!("'{name}' has {count} results: say which by '${}__N'", reference.name),
                    };
                    return self.error(&reference.place, message);
                }
                self.results_of(&name, operation, reference)
            }
            Binding::Native(returned) => match self.returned(&returned, reference)? {
                value @ (_, VALUE | VALUES) => Ok(vec![value.clone()]),
                _ => self.error(&reference.place, format!("'${}' is not a value", reference.name)),
            },
            Binding::Attribute(_) | Binding::OptionalAttribute { .. } => {
                self.error(&reference.place, format!("'${}' is an attribute; a value is needed", reference.name))
            }
        }
    }
}

/// Where something made stands.
pub(super) fn node_place(node: &ResultNode) -> Place {
    match node {
        ResultNode::Operation(ResultOperation { place, .. }) | ResultNode::Native(NativeCall { place, .. }) => {
            place.clone()
        }
        ResultNode::Value(reference) => reference.place.clone(),
    }
}
