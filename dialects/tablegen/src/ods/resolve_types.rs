//! Types of results that follow from what an operation is built of, as upstream's operations tell them.

use super::format::{Reference, TypeSource};
use super::operation::{Arity, Operation};
use super::traits::TypeRelation;

impl Operation {
    /// How the type of each result follows from operands, attributes or other results; none where that of one does not,
    /// or where there is any number of results.
    pub fn result_types(&self) -> Option<Vec<TypeSource>> {
        if self.results.is_empty() || self.results.iter().any(|result| result.arity != Arity::One) {
            return None;
        }
        if self.has_trait("SameOperandsAndResultType") {
            let anchor = self.operands.iter().position(|operand| operand.arity == Arity::One)?;
            return Some(vec![TypeSource::Same(Reference::Operand(anchor)); self.results.len()]);
        }
        if self.has_trait("FirstAttrDerivedResultType") {
            return self.first_attribute().map(|first| vec![TypeSource::Same(first); self.results.len()]);
        }
        let built = |call: &String| TypeSource::Built(call.clone());
        let mut found: Vec<Option<TypeSource>> =
            self.results.iter().map(|result| result.builder_call.as_ref().map(built)).collect();
        // Each round finds what follows from what the one before found.
        for _ in 0..self.results.len() {
            self.type_relations.iter().for_each(|relation| self.relate(relation, &mut found));
        }
        found.into_iter().collect()
    }

    fn first_attribute(&self) -> Option<Reference> {
        let first = self.attributes.first()?;
        (!first.may_be_absent()).then_some(Reference::Attribute(0))
    }

    /// What a trait says of results, given those that are found.
    fn relate(&self, relation: &TypeRelation, found: &mut [Option<TypeSource>]) {
        let (pairs, transformer) = match relation {
            TypeRelation::Same(names) => {
                let Some(from) = names.iter().find_map(|name| self.known(name, found)) else { return };
                (names.iter().map(|to| (from, to)).collect::<Vec<_>>(), None)
            }
            TypeRelation::Transformed { from, to, transformer, .. } => match self.known(from, found) {
                Some(from) => (vec![(from, to)], Some(transformer)),
                None => return,
            },
            TypeRelation::Elements { .. } => return,
        };
        for (from, to) in pairs {
            if let Some(Reference::Result(index)) = self.find(to).filter(|to| *to != from) {
                let source = || match transformer {
                    Some(code) => TypeSource::Transformed(from, code.clone()),
                    None => TypeSource::Same(from),
                };
                found[index].get_or_insert_with(source);
            }
        }
    }

    /// What a name stands for, if its type is known when the operation is built.
    fn known(&self, name: &str, found: &[Option<TypeSource>]) -> Option<Reference> {
        let reference = self.find(name)?;
        let is_known = match reference {
            Reference::Operand(index) => self.operands[index].arity == Arity::One,
            Reference::Attribute(index) => !self.attributes[index].optional,
            Reference::Result(index) => found[index].is_some(),
            _ => false,
        };
        is_known.then_some(reference)
    }
}
