//! Forms in which a graph may take its inputs and variables, and give its outputs. The language has `real` and `int` without
//! precision or size (section 2.2), so it is who runs a model that says how they are stored.

use super::graph::{Encoding, Graph, Origin, Tensor, TensorId};
use skriptnd_runtime::{ElementType, Storage, Values};
use std::fmt;

/// Why something is not stored as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unstorable {
    /// The name that was given.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
    /// Whether the graph has nothing of this name.
    pub is_unknown: bool,
}

impl fmt::Display for Unstorable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Graph {
    /// Says how inputs, variables and outputs are stored, by their names; `real` or `int` in place of a name are all inputs and
    /// variables of that type which no name tells of, but for variables that a run changes.
    ///
    /// # Errors
    /// The first that can't be stored so, or is not there; all others are.
    pub fn store(&mut self, given: &[(String, Storage)]) -> Result<(), Unstorable> {
        let mut stored = Ok(());
        for (name, storage) in given.iter().filter(|(name, _)| is_type(name)) {
            let all = self.storable().into_iter().filter(|id| self.tensor(*id).ty.dtype.keyword() == name);
            for id in all.filter(|id| !self.is_updated(*id)).collect::<Vec<_>>() {
                stored = stored.and(self.store_one(name, id, *storage));
            }
        }
        for (name, storage) in given.iter().filter(|(name, _)| !is_type(name)) {
            stored = stored.and(self.store_named(name, *storage));
        }
        stored
    }

    fn store_named(&mut self, name: &str, storage: Storage) -> Result<(), Unstorable> {
        let named: Vec<TensorId> = self.storable().into_iter().filter(|id| self.is_called(*id, name)).collect();
        let outputs: Vec<usize> = (0..self.outputs.len()).filter(|&at| self.outputs[at].name == name).collect();
        if named.is_empty() && outputs.is_empty() {
            let reason = format!("graph {} has no input, variable or output `{name}`", self.name);
            return Err(Unstorable { name: name.to_owned(), reason, is_unknown: true });
        }
        for id in named {
            self.store_one(name, id, storage)?;
        }
        for at in outputs {
            let tensors = self.outputs[at].tensors.items().to_vec();
            tensors.into_iter().try_for_each(|id| self.check(name, id, storage).map(drop))?;
            self.output_storage.insert(at, storage);
        }
        Ok(())
    }

    fn store_one(&mut self, name: &str, id: TensorId, storage: Storage) -> Result<(), Unstorable> {
        match self.check(name, id, storage)? == storage {
            true => self.storage.remove(&id),
            false => self.storage.insert(id, storage),
        };
        Ok(())
    }

    /// What a tensor is computed with, if it can be stored so.
    fn check(&self, name: &str, id: TensorId, storage: Storage) -> Result<Storage, Unstorable> {
        let Tensor { ty, .. } = self.tensor(id);
        let element_type: ElementType = ty.dtype.element_type();
        if storage.holds(element_type) {
            return Ok(element_type.into());
        }
        let reason = format!("`{name}` is {}, which can't be stored as {storage}", ty.dtype.keyword());
        Err(Unstorable { name: name.to_owned(), reason, is_unknown: false })
    }

    /// Notes between which numbers the integers of variables lie that no run changes, rounded up to bits: code may rely on it. `read` tells
    /// them of one that is stored in a form. Forms of 8 bits say as much.
    pub fn note_values(&mut self, read: impl Fn(&Tensor, Storage) -> Option<Values>) {
        let fixed: Vec<TensorId> = self.variables.iter().copied().filter(|id| !self.is_updated(*id)).collect();
        for id in fixed {
            let tensor = self.tensor(id);
            let element_type = tensor.ty.dtype.element_type();
            let storage = self.storage.get(&id).copied().unwrap_or(element_type.into());
            if element_type == ElementType::I64 && storage.size() > 1 {
                let values = read(tensor, storage);
                if let Some(values) = values.map(Values::of_bits) {
                    self.encodings.entry(id).or_insert(Encoding { values, steps: None }).values = values;
                }
            }
        }
    }

    /// How an output is given, by its number.
    pub fn form_of_output(&self, output: usize) -> Option<Storage> {
        let port = self.outputs.get(output)?;
        let computed = || Some(self.tensor(*port.tensors.items().first()?).ty.dtype.element_type().into());
        self.output_storage.get(&output).copied().or_else(computed)
    }

    /// Inputs and variables.
    fn storable(&self) -> Vec<TensorId> {
        let inputs = self.inputs.iter().flat_map(|port| port.tensors.items());
        inputs.chain(&self.variables).copied().collect()
    }

    fn is_updated(&self, id: TensorId) -> bool {
        self.updates.iter().any(|(updated, _)| *updated == id)
    }

    fn is_called(&self, id: TensorId, name: &str) -> bool {
        let port = self.inputs.iter().any(|port| port.name == name && port.tensors.items().contains(&id));
        let tensor = self.tensor(id);
        let file = match &tensor.origin {
            Origin::Variable { file } => file == name || file.strip_prefix("main.") == Some(name),
            _ => false,
        };
        port || file || tensor.name == name
    }
}

/// Whether a name is that of a type: these are keywords, so no tensor has them.
fn is_type(name: &str) -> bool {
    ["real", "int"].contains(&name)
}
