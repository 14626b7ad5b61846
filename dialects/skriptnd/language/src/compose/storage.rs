//! Narrow forms in which a graph may take its inputs and variables. The language has `real` and `int` without precision or
//! size (section 2.2), so it is who runs a model that says how they are stored.

use super::graph::{Graph, Origin, Tensor, TensorId};
use skriptnd_runtime::Storage;

impl Graph {
    /// Says how inputs and variables are stored, by their names; `real` or `int` in place of a name are all tensors of that
    /// type which no name tells of. Variables that a run changes stay as they are computed with.
    ///
    /// # Errors
    /// What can't be stored so, or is not there.
    pub fn store(&mut self, given: &[(String, Storage)]) -> Result<(), String> {
        for (name, storage) in given.iter().filter(|(name, _)| is_type(name)) {
            let all = self.storable().into_iter().filter(|id| self.tensor(*id).ty.dtype.keyword() == name);
            let all: Vec<TensorId> = all.filter(|id| !self.is_updated(*id)).collect();
            self.store_all(name, all, *storage)?;
        }
        for (name, storage) in given.iter().filter(|(name, _)| !is_type(name)) {
            let named = self.storable().into_iter().filter(|id| self.is_called(*id, name)).collect();
            self.store_all(name, named, *storage)?;
        }
        Ok(())
    }

    fn store_all(&mut self, name: &str, tensors: Vec<TensorId>, storage: Storage) -> Result<(), String> {
        if tensors.is_empty() && !is_type(name) {
            return Err(format!("graph {} has no input or variable `{name}`", self.name));
        }
        for id in tensors {
            let Tensor { ty, .. } = self.tensor(id);
            if !storage.holds(ty.dtype.element_type()) {
                return Err(format!("`{name}` is {}, which can't be stored as {storage}", ty.dtype.keyword()));
            }
            if self.is_updated(id) {
                return Err(format!("`{name}` is changed by runs, and can't be stored in another form"));
            }
            self.storage.insert(id, storage);
        }
        Ok(())
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
