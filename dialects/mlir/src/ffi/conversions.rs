//! Strings and slices on their way to C++ and back.

use std::ffi::{c_char, c_void};

use melior::StringRef;
use mlir_sys::MlirStringRef;

use super::structures::Strings;

/// A string for a call; it must not be kept.
pub(crate) fn text(text: &str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// A string of a definition that is never freed.
pub(crate) fn keep(text: &str) -> MlirStringRef {
    self::text(Box::leak(text.to_string().into_boxed_str()))
}

/// A slice of a definition that is never freed.
pub(crate) fn keep_slice<T>(values: Vec<T>) -> (*const T, usize) {
    let values = Box::leak(values.into_boxed_slice());
    (values.as_ptr(), values.len())
}

/// Strings of a definition that are never freed.
pub(crate) fn keep_strings(texts: &[String]) -> Strings {
    let (data, size) = keep_slice(texts.iter().map(|text| keep(text)).collect());
    Strings { data, size }
}

/// A zero-terminated string that is never freed; it ends at a zero inside.
pub(crate) fn keep_c_string(text: impl AsRef<[u8]>) -> *const c_char {
    let text = text.as_ref().iter().copied();
    let bytes: Vec<u8> = text.take_while(|&byte| byte != 0).chain([0]).collect();
    keep_slice(bytes).0.cast()
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

/// A copy of a string.
///
/// # Safety
///
/// The string must be valid.
pub(crate) unsafe fn string_from(text: MlirStringRef) -> String {
    // SAFETY: as the caller promises.
    String::from_utf8_lossy(unsafe { bytes_from(text) }).into_owned()
}

/// A slice from a pointer, which may be anything if there are no elements.
///
/// # Safety
///
/// The elements must be valid for the chosen lifetime.
pub(crate) unsafe fn slice_from<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(data, count) }
}

/// A callback that appends text to a `String`.
///
/// # Safety
///
/// The sink must be a `String`.
pub(crate) unsafe extern "C" fn append_text(text: MlirStringRef, sink: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { (*sink.cast::<String>()).push_str(&string_from(text)) }
}

/// A callback that appends text to a `Vec<String>`.
///
/// # Safety
///
/// The sink must be a `Vec<String>`.
pub(crate) unsafe extern "C" fn push_text(text: MlirStringRef, sink: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { (*sink.cast::<Vec<String>>()).push(string_from(text)) }
}
