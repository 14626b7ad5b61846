//! What an assembly format has bound so far: each thing may stand in it once.

use std::collections::BTreeSet;

use super::format::Reference;

type Checked = Result<(), String>;

/// What has been seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// Operands, attributes, properties, regions and successors.
    pub variables: BTreeSet<Reference>,
    /// Operands and results whose types have been seen; [`Reference::Operands`] and [`Reference::Results`] for all.
    pub types: BTreeSet<Reference>,
    /// Whether `operands` has been seen.
    pub all_operands: bool,
    /// Whether `regions` has been seen.
    pub all_regions: bool,
    /// Whether `successors` has been seen.
    pub all_successors: bool,
    /// Whether `attr-dict` has been seen.
    pub dictionary: bool,
    /// Whether `prop-dict` has been seen.
    pub properties: bool,
}

impl Seen {
    /// A variable that stands in the format.
    pub fn bind(&mut self, reference: Reference, name: &str) -> Checked {
        if self.covered(reference) || !self.variables.insert(reference) {
            return Err(format!("{} '{name}' is already bound", reference.kind()));
        }
        Ok(())
    }

    /// A variable inside of `ref`.
    pub fn refer(&self, reference: Reference, name: &str) -> Checked {
        match self.covered(reference) || self.variables.contains(&reference) {
            true => Ok(()),
            false => Err(format!("{} '{name}' must be bound before it is referenced", reference.kind())),
        }
    }

    fn covered(&self, reference: Reference) -> bool {
        match reference {
            Reference::Operand(_) => self.all_operands,
            Reference::Region(_) => self.all_regions,
            Reference::Successor(_) => self.all_successors,
            _ => false,
        }
    }

    /// What `type` is given, or `ref(type(...))`.
    pub fn type_of(&mut self, reference: Reference, name: &str, referred: bool) -> Checked {
        let all = match reference {
            Reference::Operand(_) | Reference::Operands => Reference::Operands,
            _ => Reference::Results,
        };
        let one_of = |seen: &Reference| match all {
            Reference::Operands => matches!(seen, Reference::Operand(_)),
            _ => matches!(seen, Reference::Result(_)),
        };
        let is_all = reference == all;
        let shown = match reference {
            Reference::Operands => "operands".to_string(),
            Reference::Results => "results".to_string(),
            _ => format!("${name}"),
        };
        let known = self.types.contains(&all) || self.types.contains(&reference);
        if referred && !known {
            return Err(format!("'ref' of 'type({shown})' is not bound by a prior 'type' directive"));
        }
        if !referred && (known || is_all && self.types.iter().any(one_of)) {
            return Err(match is_all {
                true => format!("'{shown}' 'type' is already bound"),
                false => format!("'type' of '{name}' is already bound"),
            });
        }
        self.types.insert(reference);
        Ok(())
    }

    /// `attr-dict`, or `ref(attr-dict)`.
    pub fn dictionary(&mut self, referred: bool) -> Checked {
        match (referred, self.dictionary) {
            (true, false) => Err("'ref' of 'attr-dict' is not bound by a prior 'attr-dict' directive".into()),
            (false, true) => Err("'attr-dict' directive has already been seen".into()),
            _ => {
                self.dictionary = true;
                Ok(())
            }
        }
    }

    /// `prop-dict`.
    pub fn properties(&mut self) -> Checked {
        match std::mem::replace(&mut self.properties, true) {
            true => Err("'prop-dict' directive has already been seen".into()),
            false => Ok(()),
        }
    }

    /// `operands`, or `ref(operands)`.
    pub fn all_operands(&mut self, referred: bool) -> Checked {
        let some = self.variables.iter().any(|seen| matches!(seen, Reference::Operand(_)));
        once(&mut self.all_operands, some, referred, "operands")
    }

    /// `regions`, or `ref(regions)`.
    pub fn all_regions(&mut self, referred: bool) -> Checked {
        let some = self.variables.iter().any(|seen| matches!(seen, Reference::Region(_)));
        once(&mut self.all_regions, some, referred, "regions")
    }

    /// `successors`, or `ref(successors)`.
    pub fn all_successors(&mut self, referred: bool) -> Checked {
        let some = self.variables.iter().any(|seen| matches!(seen, Reference::Successor(_)));
        once(&mut self.all_successors, some, referred, "successors")
    }
}

fn once(all: &mut bool, some: bool, referred: bool, what: &str) -> Checked {
    match (referred, *all) {
        (true, false) => Err(format!("'ref' of '{what}' is not bound by a prior '{what}' directive")),
        (false, _) if *all || some => Err(format!("'{what}' directive creates overlap in format")),
        _ => {
            *all = true;
            Ok(())
        }
    }
}
