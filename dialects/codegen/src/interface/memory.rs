//! The memory that a caller of a compiled model gives.

use crate::buffers::plan::{aligned, bytes};
use crate::views::functions::{PREPARE, RUN};
use crate::{Error, Target, notes};
use skriptnd_mlir::ir::{OperationRef, attributes};

/// Sizes that are known when everything is planned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Offsets of the prepared tensors.
    pub prepared_offsets: Vec<i64>,
    /// Bytes of prepared memory.
    pub prepared_bytes: i64,
    /// Bytes of the workspace of a run.
    pub run_bytes: i64,
    /// Bytes of the workspace of the preparation.
    pub prepare_bytes: i64,
    /// Where workspace and prepared memory begin: at a multiple of so many bytes.
    pub alignment: i64,
    /// Whether tensors begin so, too; others are aligned as their elements.
    pub aligns_tensors: bool,
}

impl Memory {
    /// Lays out the prepared tensors one behind the other; workspaces are those that the plan of memory noted.
    ///
    /// # Errors
    /// Where a note is missing, or a tensor has no size.
    pub fn noted(module: OperationRef<'_, '_>) -> Result<Memory, Error> {
        let prepared = attributes::as_array(notes::read(module, notes::PREPARED, "codegen-split-preparation")?);
        let target = Target::noted(module);
        let (alignment, aligns_tensors) = (target.alignment(), target.aligns_tensors());
        let mut memory = Memory { alignment, aligns_tensors, ..Memory::default() };
        for kind in prepared.unwrap_or_default().into_iter().filter_map(attributes::as_type) {
            memory.prepared_offsets.push(memory.prepared_bytes);
            memory.prepared_bytes += aligned(bytes(kind)?, alignment);
        }
        let planned = notes::read(module, notes::WORKSPACE, "codegen-plan-memory")?;
        let planned = attributes::as_dictionary(planned).unwrap_or_default();
        let workspace = |name| planned.iter().find(|(function, _)| *function == name);
        let workspace = |name| workspace(name).and_then(|(_, size)| attributes::as_integer(*size)).unwrap_or(0);
        (memory.run_bytes, memory.prepare_bytes) = (workspace(RUN), workspace(PREPARE));
        Ok(memory)
    }

    /// Bytes of the one workspace that serves both functions.
    pub fn workspace_bytes(&self) -> i64 {
        self.run_bytes.max(self.prepare_bytes)
    }
}
