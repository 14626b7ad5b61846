//! Types and attributes whose dialect was defined from Rust, by name: `dialect.name`.

use std::ffi::c_void;

use mlir_sys::MlirAttribute;

use super::{Attribute, Context, Type};
use crate::diagnostics::Failure;
use crate::ffi;

/// The type of these parameters. Its dialect must be registered; it is loaded.
///
/// # Errors
/// Where there is no such type, or its verifier refuses the parameters.
pub fn r#type<'c>(context: &'c Context, name: &str, parameters: &[Attribute<'c>]) -> Result<Type<'c>, Failure> {
    let raw = raw_parameters(parameters);
    let get = |sink: *mut c_void, (dialect, name): (&str, &str)| {
        let (dialect, name) = (ffi::text(dialect), ffi::text(name));
        // SAFETY: the context and the parameters are live, and the texts outlive the call.
        unsafe { ffi::skndGetType(context.to_raw(), dialect, name, raw.as_ptr(), raw.len(), ffi::append_text, sink) }
    };
    let (made, failure) = make(name, get);
    // SAFETY: a type that is not null is one of the context.
    (!made.ptr.is_null()).then(|| unsafe { Type::from_raw(made) }).ok_or(failure)
}

/// The attribute of these parameters. Its dialect must be registered; it is loaded.
///
/// # Errors
/// Where there is no such attribute, or its verifier refuses the parameters.
pub fn attribute<'c>(context: &'c Context, name: &str, parameters: &[Attribute<'c>]) -> Result<Attribute<'c>, Failure> {
    let raw = raw_parameters(parameters);
    let get = |sink: *mut c_void, (dialect, name): (&str, &str)| {
        let (dialect, name) = (ffi::text(dialect), ffi::text(name));
        // SAFETY: as for types.
        unsafe {
            ffi::skndGetDefinedAttribute(
                context.to_raw(),
                dialect,
                name,
                raw.as_ptr(),
                raw.len(),
                ffi::append_text,
                sink,
            )
        }
    };
    let (made, failure) = make(name, get);
    // SAFETY: an attribute that is not null is one of the context.
    unsafe { Attribute::from_option_raw(made) }.ok_or(failure)
}

/// The parameter of an index, if the type was defined from Rust and has it.
pub fn type_parameter(r#type: Type<'_>, index: usize) -> Option<Attribute<'_>> {
    // SAFETY: the type is live, and so are its parameters.
    unsafe { Attribute::from_option_raw(ffi::skndTypeParameter(r#type.to_raw(), index)) }
}

/// The parameter of an index, if the attribute was defined from Rust and has it.
pub fn attribute_parameter(attribute: Attribute<'_>, index: usize) -> Option<Attribute<'_>> {
    // SAFETY: the attribute is live, and so are its parameters.
    unsafe { Attribute::from_option_raw(ffi::skndAttributeParameter(attribute.to_raw(), index)) }
}

fn raw_parameters(parameters: &[Attribute<'_>]) -> Vec<MlirAttribute> {
    parameters.iter().map(|parameter| parameter.to_raw()).collect()
}

/// What is made of a name, and the failure in case that it is nothing.
fn make<R>(name: &str, get: impl FnOnce(*mut c_void, (&str, &str)) -> R) -> (R, Failure) {
    let mut text = String::new();
    let made = get((&raw mut text).cast(), name.split_once('.').unwrap_or_default());
    let failure = match text.as_str() {
        "" => Failure::new(format!("`{name}` is not defined")),
        reason => Failure::new(format!("`{name}`: {reason}")),
    };
    (made, failure)
}
