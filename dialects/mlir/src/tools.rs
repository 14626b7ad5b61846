//! The main functions of the tools that MLIR ships as libraries, with our dialects and passes.
//!
//! They own the process: LLVM's command line parser works once, and keeps what it is given.

use std::ffi::{OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use mlir_sys::MlirStringRef;

use crate::diagnostics::Failure;
use crate::ir::guard;
use crate::rewrite::has_failed_outside;
use crate::{Registry, ffi};

/// A text that a translation reads.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name: a path, or `<stdin>`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A translation from text to text.
pub type Translate = dyn for<'a> Fn(Source<'a>) -> Result<String, Failure> + Send + Sync;

/// A translation that `translate_main` offers as `--<name>`.
pub struct Translation {
    name: String,
    description: String,
    translate: Box<Translate>,
}

impl Translation {
    /// A translation by its command line argument, without dashes. The message of a failure is printed as it is.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        translate: impl for<'a> Fn(Source<'a>) -> Result<String, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), description: description.into(), translate: Box::new(translate) }
    }
}

/// Makes the text of a module from an input that is no file for MLIR, such as a model's folder; none where it is one.
pub type Import = dyn Fn(&Path) -> Option<Result<String, Failure>>;

/// An `mlir-opt` with the dialects of a registry and all registered passes; every stock flag works. The first argument is
/// the program's name; the help begins with `about`. Returns the exit code.
pub fn opt_main(arguments: &[impl AsRef<OsStr>], about: &str, registry: &Registry, import: &Import) -> i32 {
    let (count, values) = keep_arguments(arguments);
    let name = ffi::keep(about);
    // SAFETY: the arguments are never freed, the registry is valid, and `import` outlives the call.
    let code = unsafe { ffi::skndOptMain(count, values, name, registry.raw().to_raw(), (&raw const import).cast()) };
    // Passes of MLIR go on where rules failed.
    if code == 0 && has_failed_outside() { 1 } else { code }
}

/// An `mlir-translate` with the stock translations and those given. The first argument is the program's name. Returns the
/// exit code; the help begins with `about`.
pub fn translate_main(arguments: &[impl AsRef<OsStr>], about: &str, translations: Vec<Translation>) -> i32 {
    let (count, values) = keep_arguments(arguments);
    let translations: &'static [Translation] = Box::leak(translations.into_boxed_slice());
    let definitions = translations.iter().map(|translation| ffi::TranslationDefinition {
        spec: (&raw const *translation).cast(),
        name: ffi::text(&translation.name),
        description: ffi::text(&translation.description),
    });
    let (definitions, definition_count) = ffi::keep_slice(definitions.collect());
    let name = ffi::keep(about);
    // SAFETY: the arguments and the translations are never freed.
    unsafe { ffi::skndTranslateMain(count, values, name, definitions, definition_count) }
}

/// The language server for `.mlir` files. The first argument is the program's name. Returns the exit code.
pub fn language_server_main(arguments: &[impl AsRef<OsStr>], registry: &Registry) -> i32 {
    let (count, values) = keep_arguments(arguments);
    // SAFETY: the arguments are never freed, and the registry is valid.
    unsafe { ffi::skndLanguageServerMain(count, values, registry.raw().to_raw()) }
}

/// Arguments as C's `main` has them: ended by a null pointer, which is not counted, and never freed.
fn keep_arguments(arguments: &[impl AsRef<OsStr>]) -> (c_int, *mut *mut c_char) {
    let strings = arguments.iter().map(|argument| ffi::keep_c_string(argument.as_ref().as_bytes()).cast_mut());
    let values: Vec<*mut c_char> = strings.chain([std::ptr::null_mut()]).collect();
    let count = c_int::try_from(values.len() - 1).unwrap_or(c_int::MAX);
    (count, Box::leak(values.into_boxed_slice()).as_mut_ptr())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustImport(import: *const c_void, path: MlirStringRef, output: *mut c_void) -> c_int {
    // SAFETY: `opt_main` gives a pointer to its reference; the path is valid during the call.
    let (import, path) = unsafe { (*import.cast::<&Import>(), Path::new(OsStr::from_bytes(ffi::bytes_from(path)))) };
    let (code, text) = match guard(|| import(path).transpose()) {
        Ok(None) => return 0,
        Ok(Some(text)) => (1, text),
        Err(failure) => (2, format!("{}\n", failure.to_string().trim_end())),
    };
    // SAFETY: the output is what the bridge gave.
    unsafe { ffi::skndPushText(output, ffi::text(&text)) };
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustTranslate(
    translation: *const c_void,
    name: MlirStringRef,
    text: MlirStringRef,
    output: *mut c_void,
) -> bool {
    // SAFETY: the translation is never freed; the strings are valid during the call.
    let (translation, name, bytes) =
        unsafe { (&*translation.cast::<Translation>(), ffi::string_from(name), ffi::bytes_from(text)) };
    let translated = guard(|| {
        let text = std::str::from_utf8(bytes).map_err(|error| Failure::new(format!("{name}: not UTF-8: {error}")))?;
        (translation.translate)(Source { name: &name, text })
    });
    let done = translated.is_ok();
    let text = translated.unwrap_or_else(|failure| format!("{}\n", failure.to_string().trim_end()));
    // SAFETY: the output is what the bridge gave.
    unsafe { ffi::skndPushText(output, ffi::text(&text)) };
    done
}
