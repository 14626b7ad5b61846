//! What an assembly format leaves out: whether and how it is found again when an operation is parsed.
//!
//! The rules are those of upstream's `OpFormatGen`, so that a format is refused here for the reasons for which it is
//! refused there.

use std::collections::BTreeMap;

use super::ambiguity;
use super::format::{Element, Format, Reference, TypeSource};
use super::lexer::Wrong;
use super::operation::{Arity, Operation};
use super::seen::Seen;
use super::traits::TypeRelation;

/// The whole format, or all that is wrong with it.
pub fn resolve(elements: Vec<Element>, seen: &Seen, operation: &Operation) -> Result<Format, Vec<Wrong>> {
    let resolver = Resolver { operation, seen, known: known_types(operation, seen) };
    let mut wrongs = Vec::new();
    if !seen.dictionary {
        wrongs.push(Wrong::new(0, "'attr-dict' directive not found in custom assembly format"));
    }
    wrongs.extend(ambiguity::check(&elements, operation).err());
    let (mut operand_types, mut result_types) = (Vec::new(), Vec::new());
    for index in 0..operation.operands.len() {
        resolver.operand_present(index).unwrap_or_else(|wrong| wrongs.push(wrong));
        resolver.operand_type(index).map_or_else(|wrong| wrongs.push(wrong), |source| operand_types.push(source));
    }
    for index in 0..operation.results.len() {
        resolver.result_type(index).map_or_else(|wrong| wrongs.push(wrong), |source| result_types.push(source));
    }
    resolver.blocks_present(&mut wrongs);
    match wrongs.is_empty() {
        true => Ok(Format { elements, operand_types, result_types }),
        false => Err(wrongs),
    }
}

struct Resolver<'a> {
    operation: &'a Operation,
    seen: &'a Seen,
    /// How the types of operands and results follow from others.
    known: BTreeMap<Reference, TypeSource>,
}

impl Resolver<'_> {
    fn operand_present(&self, index: usize) -> Result<(), Wrong> {
        if self.seen.all_operands || self.seen.variables.contains(&Reference::Operand(index)) {
            return Ok(());
        }
        Err(missing("operand", index, &self.operation.operands[index].name))
    }

    fn operand_type(&self, index: usize) -> Result<TypeSource, Wrong> {
        let reference = Reference::Operand(index);
        if self.seen.types.contains(&Reference::Operands) || self.seen.types.contains(&reference) {
            return Ok(TypeSource::Text);
        }
        if let Some(source) = self.known.get(&reference) {
            return Ok(source.clone());
        }
        let operand = &self.operation.operands[index];
        match &operand.builder_call {
            Some(call) if !self.seen.all_operands || operand.arity == Arity::One => Ok(TypeSource::Built(call.clone())),
            _ => Err(not_buildable("operand", index, &operand.name)),
        }
    }

    fn result_type(&self, index: usize) -> Result<TypeSource, Wrong> {
        let reference = Reference::Result(index);
        if self.seen.types.contains(&Reference::Results) || self.seen.types.contains(&reference) {
            return Ok(TypeSource::Text);
        }
        let any_seen = self.seen.types.iter().any(|seen| matches!(seen, Reference::Result(_)));
        if !any_seen && self.operation.infers_types() {
            return Ok(TypeSource::Inferred);
        }
        if let Some(source) = self.known.get(&reference) {
            return Ok(source.clone());
        }
        let result = &self.operation.results[index];
        match &result.builder_call {
            Some(call) if result.arity == Arity::One => Ok(TypeSource::Built(call.clone())),
            _ => Err(not_buildable("result", index, &result.name)),
        }
    }

    fn blocks_present(&self, wrongs: &mut Vec<Wrong>) {
        for (index, region) in self.operation.regions.iter().enumerate() {
            if !self.seen.all_regions && !self.seen.variables.contains(&Reference::Region(index)) {
                wrongs.push(missing("region", index, &region.name));
            }
        }
        for (index, successor) in self.operation.successors.iter().enumerate() {
            if !self.seen.all_successors && !self.seen.variables.contains(&Reference::Successor(index)) {
                wrongs.push(missing("successor", index, &successor.name));
            }
        }
    }
}

fn missing(what: &str, index: usize, name: &str) -> Wrong {
    Wrong::new(0, format!("{what} #{index}, named '{name}', is missing")).help(format!("add '${name}' to the format"))
}

fn not_buildable(what: &str, index: usize, name: &str) -> Wrong {
    let message =
        format!("the type of {what} #{index}, named '{name}', is missing: it is not buildable and cannot be inferred");
    Wrong::new(0, message).help(format!("add 'type(${name})' to the format, or a trait that gives the type"))
}

/// What traits say of types, from what the format has. Later traits go before earlier ones.
fn known_types(operation: &Operation, seen: &Seen) -> BTreeMap<Reference, TypeSource> {
    let mut known = BTreeMap::new();
    // What stands in the format, by name.
    let found = |name: &str| match operation.find(name)? {
        reference @ (Reference::Operand(_) | Reference::Result(_)) => {
            seen.types.contains(&reference).then_some(reference)
        }
        reference @ Reference::Attribute(_) => seen.variables.contains(&reference).then_some(reference),
        _ => None,
    };
    for relation in &operation.type_relations {
        match relation {
            TypeRelation::Same(names) => {
                for from in names.iter().filter(|name| found(name).is_some()) {
                    for name in names.iter().filter(|name| *name != from) {
                        if let (Some(to), Some(from)) = (operation.find(name), found(from)) {
                            known.insert(to, TypeSource::Same(from));
                        }
                    }
                }
            }
            TypeRelation::Transformed { from, to, transformer, .. } => {
                if let (Some(from), Some(to)) = (found(from), operation.find(to)) {
                    known.insert(to, TypeSource::Transformed(from, transformer.clone()));
                }
            }
            TypeRelation::Elements { shaped, elements } => {
                if let (Some(from), Some(to)) = (found(shaped), operation.find(elements)) {
                    known.insert(to, TypeSource::ElementsOf(from));
                }
            }
        }
    }
    for (name, results) in [("SameTypeOperands", false), ("SameOperandsAndResultType", true)] {
        if operation.has_trait(name) {
            same_types(operation, seen, results, &mut known);
        }
    }
    known
}

/// All operands (and results) have the type of the first of them whose type is in the format.
fn same_types(operation: &Operation, seen: &Seen, results: bool, known: &mut BTreeMap<Reference, TypeSource>) {
    let first = |wanted: fn(&Reference) -> bool| seen.types.iter().copied().find(wanted);
    let operand = first(|reference| matches!(reference, Reference::Operand(_)));
    let result = || first(|reference| matches!(reference, Reference::Result(_))).filter(|_| results);
    let Some(from) = operand.or_else(result) else { return };
    let operands = (0..operation.operands.len()).map(Reference::Operand);
    let results = (0..if results { operation.results.len() } else { 0 }).map(Reference::Result);
    for to in operands.chain(results).filter(|to| !seen.types.contains(to)) {
        known.insert(to, TypeSource::Same(from));
    }
}
