//! The C interface of the bridge in `cmake/`.

use std::ffi::c_void;

use mlir_sys::*;

use crate::diagnostics::Severity;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Parser(pub *mut c_void);
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Printer(pub *mut c_void);
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct OperationState(pub *mut c_void);
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Pass(pub *mut c_void);

/// Mirrors `OpAsmParser::UnresolvedOperand`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct UnresolvedOperand {
    pub location: *const i8,
    pub name: MlirStringRef,
    pub number: u32,
}

pub(crate) fn emit_diagnostic(location: melior::ir::Location<'_>, severity: Severity, message: &str, notes: &[String]) {
    todo!()
}

/// The bytes of a string.
///
/// # Safety
///
/// The string must be valid for the chosen lifetime.
pub(crate) unsafe fn bytes_from<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: a string that is not empty has that many bytes.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// A string that MLIR guarantees to be an identifier; empty should it not be UTF-8.
///
/// # Safety
///
/// The string must be valid for the chosen lifetime.
pub(crate) unsafe fn str_from<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: as the caller promises.
    std::str::from_utf8(unsafe { bytes_from(text) }).unwrap_or_default()
}

unsafe extern "C" {
    pub(crate) fn skndOperationGetPrevious(operation: MlirOperation) -> MlirOperation;
    pub(crate) fn skndIntegerAttributeValue(attribute: MlirAttribute) -> i64;
}
