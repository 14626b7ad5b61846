//! The shapes of a run: what follows from the extents that the inputs have, and what the run tells.

use crate::error::ModelError;
use crate::metadata::TensorInfo;
use crate::model::Model;
use crate::status::Status;
use crate::tensor::{ElementType, volume};
use crate::view::ViewMut;

/// What follows from the extents of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The extents themselves.
    pub extents: Vec<i64>,
    /// The shapes of inputs, outputs and new values of variables; of what data determine, the largest.
    pub shapes: Vec<Vec<usize>>,
    /// Bytes of workspace.
    pub workspace: usize,
}

/// Bytes of a tensor.
pub fn size(element_type: ElementType, shape: &[usize]) -> usize {
    volume(shape).unwrap_or(0) * element_type.size()
}

/// Says which shapes outputs will have; the first error where one has not enough memory.
pub fn take_shapes(
    infos: &[TensorInfo],
    shapes: &[Vec<usize>],
    outputs: &mut [ViewMut<'_>],
) -> Result<Option<ModelError>, ModelError> {
    let mut too_small = None;
    for ((info, shape), output) in infos.iter().zip(shapes).zip(outputs) {
        info.check_type("output", output.element_type())?;
        output.shape.clone_from(shape);
        let (needed, capacity) = (size(info.element_type, shape), output.capacity());
        if needed > capacity {
            too_small.get_or_insert(ModelError::Capacity { name: info.name.clone(), needed, capacity });
        }
    }
    Ok(too_small)
}

/// What follows from some extents.
pub fn follow(model: &Model, extents: Vec<i64>) -> Result<Found, ModelError> {
    let metadata = model.metadata();
    let infos: Vec<&TensorInfo> = metadata.inputs.iter().chain(metadata.written()).collect();
    let count: usize = infos.iter().map(|info| info.extents.len()).sum();
    let mut words = vec![0i64; count + 1];
    // SAFETY: there are as many extents as the metadata name, and words as all shapes have extents, and one.
    let status = Status(unsafe { (model.library().shapes)(extents.as_ptr(), words.as_mut_ptr()) });
    if !matches!(status, Status(0) | Status::EXTENT) {
        return Err(ModelError::Status(status));
    }
    let mut words = words.into_iter();
    let mut shapes = Vec::with_capacity(infos.len());
    for info in infos {
        let shape = words.by_ref().take(info.extents.len()).map(|word| usize::try_from(word).ok());
        let shape = shape.collect::<Option<Vec<usize>>>().filter(|shape| volume(shape).is_some());
        let wrong = || ModelError::Tensor {
            role: "tensor",
            name: info.name.clone(),
            message: "would have a negative extent, or too many elements".into(),
        };
        shapes.push(shape.ok_or_else(wrong)?);
    }
    if status == Status::EXTENT {
        return Err(ModelError::Status(status));
    }
    let workspace = words.next().and_then(|bytes| usize::try_from(bytes).ok()).ok_or(ModelError::Memory(usize::MAX))?;
    Ok(Found { extents, shapes, workspace })
}
