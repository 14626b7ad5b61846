//! Executables of one model.

use crate::call::{guarded, items};
use crate::status::Failure;
use skriptnd_runtime::library::{PrepareFunction, RunFunction, ShapesFunction};
use skriptnd_runtime::weights::Weights;
use skriptnd_runtime::{Library, program};
use std::ffi::{CStr, OsString, c_char, c_void};
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::AtomicPtr;

/// The main function of a program that does nothing but run one model, as `skriptnd compile --emit exe` makes them: reads the
/// tensors that the command line names, and writes the outputs; `--help` tells more. `note` is JSON that has the files of
/// variables by their names; `weights` is NULL, or skriptnd_weights of skriptnd.h; `group` is NULL, or where that has skriptnd_group.
/// Gives the exit code.
///
/// # Safety
/// `argv` must lead to `argc` texts that end with a zero, `note` to one; the functions, the metadata and the weights must be
/// those of one compiled model, and so must be the word of the group.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_main(
    argc: i32,
    argv: *const *const c_char,
    metadata: *const c_char,
    prepare: Option<PrepareFunction>,
    shapes: Option<ShapesFunction>,
    run: Option<RunFunction>,
    note: *const c_char,
    weights: *const *const c_void,
    group: *mut *mut c_void,
) -> i32 {
    let mut code = 1;
    let status = guarded(|| {
        let (Some(prepare), Some(shapes), Some(run)) = (prepare, shapes, run) else {
            return Err(Failure::null("a function"));
        };
        // SAFETY: what the documentation asks for.
        let arguments = unsafe { items(argv, usize::try_from(argc).unwrap_or(0), "the arguments") }?;
        if metadata.is_null() || note.is_null() || arguments.iter().any(|argument| argument.is_null()) {
            return Err(Failure::null("a text"));
        }
        // SAFETY: likewise; none is NULL.
        let (library, note) = unsafe {
            let library = Library::link(CStr::from_ptr(metadata), prepare, shapes, run)?;
            let group = (!group.is_null()).then(|| AtomicPtr::from_ptr(group));
            (library.with_weights(Weights::at(weights)).with_group(group), CStr::from_ptr(note).to_string_lossy())
        };
        let argument = |argument: &*const c_char| {
            // SAFETY: likewise.
            OsString::from_vec(unsafe { CStr::from_ptr(*argument) }.to_bytes().to_vec())
        };
        skriptnd_runtime::atomic::take_limits_as_errors();
        code = i32::from(program::main(library, arguments.iter().map(argument), &note));
        Ok(())
    });
    if status != 0 {
        // SAFETY: it is never NULL and ends with a zero.
        let text = unsafe { CStr::from_ptr(crate::skriptnd_last_error()) }.to_string_lossy();
        // SAFETY: what the documentation asks for, which is a name only where there are arguments.
        let name = if argc > 0 { unsafe { argv.as_ref() } } else { None }.filter(|name| !name.is_null());
        // SAFETY: likewise; it is not NULL.
        let name = name.map_or("model".into(), |name| unsafe { CStr::from_ptr(*name) }.to_string_lossy());
        eprintln!("{name}: error: {text}");
    }
    code
}
