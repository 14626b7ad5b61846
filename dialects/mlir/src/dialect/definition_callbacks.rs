//! What the bridge calls of types and attributes (declared in `bridge/Bridge.h`).
//!
//! SAFETY, for all functions here: as for those of operations.

use std::ffi::c_void;

use mlir_sys::*;

use super::{DefinitionSpec, ParameterParser, ParameterPrinter};
use crate::ffi;
use crate::ir::context::context_from_raw;
use crate::ir::{Attribute, Type, guard};

/// # Safety
///
/// What is given must be a specification of a type or an attribute.
unsafe fn definition_spec<'s>(spec: *const c_void) -> &'s DefinitionSpec {
    unsafe { &*spec.cast() }
}

unsafe fn parameters_from<'c>(parameters: *const MlirAttribute, count: usize) -> Vec<Attribute<'c>> {
    let parameters = unsafe { ffi::slice_from(parameters, count) };
    parameters.iter().map(|&parameter| unsafe { Attribute::from_raw(parameter) }).collect()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVerifyParameters(
    spec: *const c_void,
    context: MlirContext,
    parameters: *const MlirAttribute,
    count: usize,
    message: *mut c_void,
) -> bool {
    let (spec, context) = unsafe { (definition_spec(spec), context_from_raw(context)) };
    let parameters = unsafe { parameters_from(parameters, count) };
    let verified = guard(|| spec.verify.as_ref().map_or(Ok(()), |verify| verify(context, &parameters)));
    if let Err(failure) = &verified {
        unsafe { ffi::skndPushText(message, ffi::text(&failure.to_string())) };
    }
    verified.is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustParseParameters(
    spec: *const c_void,
    parser: *mut c_void,
    self_type: MlirType,
    parameters: *mut c_void,
) -> bool {
    let spec = unsafe { definition_spec(spec) };
    let self_type = (!self_type.ptr.is_null()).then(|| unsafe { Type::from_raw(self_type) });
    let mut parser = unsafe { ParameterParser::of_parameters(parser, self_type) };
    let parsed = guard(|| spec.parse.as_ref().map_or(Ok(Vec::new()), |parse| parse(&mut parser)));
    match parsed {
        Ok(parsed) => {
            parsed.iter().for_each(|value| unsafe { ffi::skndPushAttribute(parameters, value.to_raw()) });
            true
        }
        Err(failure) => {
            failure.message().map(|message| parser.error(message));
            false
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustPrintParameters(
    spec: *const c_void,
    printer: *mut c_void,
    parameters: *const MlirAttribute,
    count: usize,
) {
    let spec = unsafe { definition_spec(spec) };
    let parameters = unsafe { parameters_from(parameters, count) };
    let Some(print) = &spec.print else { return };
    let mut printer = unsafe { ParameterPrinter::new(printer) };
    if let Err(failure) = guard(|| {
        print(&parameters, &mut printer);
        Ok(())
    }) {
        printer.text(&format!(" /* {failure} */"));
    }
}
