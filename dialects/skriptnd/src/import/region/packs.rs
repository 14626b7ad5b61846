//! Packs of which only a run knows the length.

use super::Importer;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{Argument, Port};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, attributes};

impl<'s, 'l, 'c: 'a, 'a> Importer<'s, 'l, 'c, 'a> {
    /// The length of a pack, where only the run knows it.
    pub(super) fn length(&self, argument: &Argument) -> Option<&'s Extent> {
        let Argument::Pack(items) = argument else { return None };
        let first = *items.first()?;
        // Another pack may begin with the same tensor.
        self.open_packs.get(&first).filter(|count| **count == items.len())?;
        self.graph.pack_length(first)
    }

    /// Notes packs whose length only the run knows.
    pub(super) fn note_packs<'t>(&mut self, arguments: impl Iterator<Item = &'t Argument>) {
        for items in arguments.map(Argument::items) {
            if let Some(first) = items.first().filter(|first| self.graph.pack_length(**first).is_some()) {
                self.open_packs.insert(*first, items.len());
                self.missing.extend(items);
            }
        }
    }

    /// Expressions of the lengths of packs, empty for those that are known; none if all are.
    pub(super) fn lengths(&self, arguments: &[Argument]) -> Result<Option<Attribute<'c>>, Failure> {
        let text = |argument: &Argument| match self.length(argument) {
            Some(length) if length.as_known().is_none() => Ok(self.symbols.of(&length.value)?.to_string()),
            _ => Ok(String::new()),
        };
        let texts = arguments.iter().map(text).collect::<Result<Vec<_>, Failure>>()?;
        if texts.iter().all(String::is_empty) {
            return Ok(None);
        }
        let texts: Vec<_> = texts.iter().map(|text| attributes::string(self.context(), text)).collect();
        Ok(Some(attributes::array(self.context(), &texts)))
    }

    /// Packs of which items may be missing are given as they are: behind other items theirs would have other places.
    pub fn check_packs(&self, arguments: &[Argument]) -> Result<(), Failure> {
        for argument in arguments.iter().filter(|argument| self.length(argument).is_none()) {
            if let Argument::Pack(items) = argument
                && let Some(id) = items.iter().find(|id| self.missing.contains(id))
            {
                let name = &self.graph.tensor(*id).name;
                return Err(format!("has a pack of which only the run knows the length, from `{name}` on").into());
            }
        }
        Ok(())
    }

    /// The interface of a graph has no lengths of packs.
    pub fn check_results(&self, ports: &[Port]) -> Result<(), Failure> {
        let open = ports.iter().flat_map(|port| port.tensors.items()).find(|id| self.missing.contains(id));
        match open {
            Some(id) => {
                let name = &self.graph.tensor(*id).name;
                Err(format!("gives a pack of which only the run knows the length, from `{name}` on").into())
            }
            None => Ok(()),
        }
    }
}
