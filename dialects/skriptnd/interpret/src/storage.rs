//! What is left of tensors when they were stored as a graph takes and gives them.

use skriptnd_language::compose::graph::{Graph, TensorId};
use skriptnd_runtime::{Storage, Tensor};
use std::sync::Arc;

/// Of an input or a variable.
///
/// # Errors
/// Where an element can't be stored so.
pub fn taken(graph: &Graph, id: TensorId, mut tensor: Tensor) -> Result<Tensor, String> {
    graph.storage.get(&id).map_or(Ok(()), |storage| storage.round(&mut tensor.data))?;
    Ok(tensor)
}

/// Of an output or the new value of a variable.
pub fn given(storage: Option<Storage>, tensor: &Arc<Tensor>) -> Arc<Tensor> {
    match storage.filter(|storage| *storage != tensor.element_type().into()) {
        Some(storage) => {
            let mut tensor = Tensor::clone(tensor);
            storage.wrap(&mut tensor.data);
            Arc::new(tensor)
        }
        None => tensor.clone(),
    }
}
