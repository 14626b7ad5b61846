//! How an operation names values, blocks and operations inside of it in text (`OpAsmOpInterface`).

use std::ffi::c_void;

use mlir_sys::{MlirOperation, MlirRegion};

use super::OperationSpec;
use crate::ffi;
use crate::ir::{BlockRef, OperationRef, RegionRef, Value, guard};

/// Values with the names that text gives them. That of a result holds for those behind it, up to the next that has one.
pub type ValueNames<'c, 'a> = Vec<(Value<'c, 'a>, String)>;

type ResultNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync;
type ArgumentNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync;
type BlockNames = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Vec<(BlockRef<'c, 'a>, String)> + Send + Sync;

#[derive(Default)]
pub(crate) struct Names {
    results: Option<Box<ResultNames>>,
    arguments: Option<Box<ArgumentNames>>,
    blocks: Option<Box<BlockNames>>,
    pub(crate) default_dialect: &'static str,
}

impl Names {
    pub(crate) fn any(&self) -> bool {
        let named = self.results.is_some() || self.arguments.is_some() || self.blocks.is_some();
        named || !self.default_dialect.is_empty()
    }
}

impl OperationSpec {
    /// Sets what results are called in text.
    pub fn result_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync + 'static,
    ) -> Self {
        self.names.results = Some(Box::new(names));
        self
    }

    /// Sets what the arguments of the blocks of a region are called in text.
    pub fn argument_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync + 'static,
    ) -> Self {
        self.names.arguments = Some(Box::new(names));
        self
    }

    /// Sets what blocks are called in text.
    pub fn block_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Vec<(BlockRef<'c, 'a>, String)> + Send + Sync + 'static,
    ) -> Self {
        self.names.blocks = Some(Box::new(names));
        self
    }

    /// Sets the dialect whose operations are written without its name inside of this operation.
    pub fn default_dialect(mut self, dialect: &'static str) -> Self {
        self.names.default_dialect = dialect;
        self
    }
}

/// What the bridge asks; see `callbacks.rs` for what holds of what it passes.
unsafe fn names_of<'s>(spec: *const c_void) -> &'s Names {
    unsafe { &(*spec.cast::<OperationSpec>()).names }
}

fn push(names: ValueNames<'_, '_>, sink: *mut c_void) {
    // SAFETY: the bridge passed the sink, and the values are valid.
    names.iter().for_each(|(value, name)| unsafe { ffi::skndPushValueName(sink, value.to_raw(), ffi::text(name)) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameResults(spec: *const c_void, operation: MlirOperation, sink: *mut c_void) {
    let (names, operation) = unsafe { (names_of(spec), OperationRef::from_raw(operation)) };
    let Some(results) = &names.results else { return };
    push(guard(|| Ok(results(operation))).unwrap_or_default(), sink);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameArguments(
    spec: *const c_void,
    operation: MlirOperation,
    region: MlirRegion,
    sink: *mut c_void,
) {
    let names = unsafe { names_of(spec) };
    let (operation, region) = unsafe { (OperationRef::from_raw(operation), RegionRef::from_raw(region)) };
    let Some(arguments) = &names.arguments else { return };
    push(guard(|| Ok(arguments(operation, region))).unwrap_or_default(), sink);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustNameBlocks(spec: *const c_void, operation: MlirOperation, sink: *mut c_void) {
    let (names, operation) = unsafe { (names_of(spec), OperationRef::from_raw(operation)) };
    let Some(blocks) = &names.blocks else { return };
    for (block, name) in guard(|| Ok(blocks(operation))).unwrap_or_default() {
        // SAFETY: the bridge passed the sink, and the block is valid.
        unsafe { ffi::skndPushBlockName(sink, block.to_raw(), ffi::text(&name)) };
    }
}
