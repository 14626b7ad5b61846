//! Printing.

use std::ffi::c_void;

use mlir_sys::{
    MlirStringRef, mlirOpPrintingFlagsCreate, mlirOpPrintingFlagsDestroy, mlirOpPrintingFlagsElideLargeElementsAttrs,
    mlirOpPrintingFlagsEnableDebugInfo, mlirOpPrintingFlagsPrintGenericOpForm, mlirOperationPrintWithFlags,
};

use super::OperationRef;

/// How an operation is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintForm {
    /// In generic form.
    pub generic: bool,
    /// With locations.
    pub locations: bool,
    /// Constants with more elements than this are left out.
    pub elide_elements_over: Option<usize>,
}

/// Prints an operation and what it contains.
pub fn print(operation: OperationRef<'_, '_>, form: PrintForm) -> String {
    let mut bytes = Vec::new();
    // SAFETY: the flags live until destroyed, and the callback gets the vector that it expects.
    unsafe {
        let flags = mlirOpPrintingFlagsCreate();
        if form.generic {
            mlirOpPrintingFlagsPrintGenericOpForm(flags);
        }
        if form.locations {
            mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
        }
        if let Some(limit) = form.elide_elements_over {
            mlirOpPrintingFlagsElideLargeElementsAttrs(flags, limit as isize);
        }
        mlirOperationPrintWithFlags(operation.to_raw(), flags, Some(collect_bytes), (&raw mut bytes).cast());
        mlirOpPrintingFlagsDestroy(flags);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A callback for MLIR's printing functions whose user data is a `Vec<u8>`.
pub(crate) unsafe extern "C" fn collect_bytes(text: MlirStringRef, sink: *mut c_void) {
    // SAFETY: callers pass a vector as user data.
    let sink = unsafe { &mut *sink.cast::<Vec<u8>>() };
    // SAFETY: MLIR passes a valid string.
    sink.extend_from_slice(unsafe { crate::ffi::bytes_from(text) });
}
