//! Models: libraries with the values of their variables.

use crate::call::{given, guarded, hand_over, items, text, unfailing};
use crate::library::skriptnd_library;
use crate::tensor::{copied, skriptnd_tensor};
use skriptnd_runtime::{Model, Stored, Variable};
use std::ffi::c_char;
use std::path::Path;

/// A library with the values of its variables, which any number of sessions share.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct skriptnd_model(pub(crate) Model);

/// Makes a model of a library and the values of its variables, in their order; they are copied.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `variables` must lead to `count` tensors, and those to their
/// memory; `model` must be NULL or have room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_model_new(
    library: *const skriptnd_library,
    variables: *const skriptnd_tensor,
    count: usize,
    model: *mut *mut skriptnd_model,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (library, variables) =
            unsafe { (given(library, "the library")?, items(variables, count, "the array of variables")?) };
        let owned = variables.iter().enumerate().map(|(number, variable)| {
            // SAFETY: likewise.
            unsafe { copied(variable, &format!("variable {number}")) }
        });
        let owned = owned.collect::<Result<Vec<Stored>, _>>()?;
        for (info, value) in library.library.metadata().variables.iter().zip(&owned) {
            info.check_storage("variable", value.view().storage())?;
        }
        let owned = owned.into_iter().map(Variable::Stored).collect();
        // SAFETY: likewise.
        unsafe { hand_over(model, || Ok(skriptnd_model(Model::new(library.library.clone(), owned)?))) }
    })
}

/// Makes a model of a library and the files of its variables, NAME.dat or NAME.npy in a folder. NAME of the variable w in the
/// graph G is main.G.w, G.w or w; files of several of these names must hold the same. Large files are mapped, not copied: where
/// one becomes shorter while it is in use, runs fail with SKRIPTND_FILE. Replace files by renaming others to them.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `folder` NULL or end with a zero; `model` NULL or have room for
/// a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_model_read(
    library: *const skriptnd_library,
    folder: *const c_char,
    model: *mut *mut skriptnd_model,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (library, folder) = unsafe { (given(library, "the library")?, text(folder, "the folder")?) };
        // SAFETY: likewise.
        unsafe {
            hand_over(model, || Ok(skriptnd_model(Model::with_files(library.library.clone(), Path::new(folder))?)))
        }
    })
}

/// Makes a model of a library and the values of its variables that come with it: those within it (`skriptnd compile
/// --embed-weights`), or else from the files that the note beside it names, or else from files beside it. A model that is linked into
/// the program is given its weights first: skriptnd_library_embed.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `model` NULL or have room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_model_load(library: *const skriptnd_library, model: *mut *mut skriptnd_model) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let library = unsafe { given(library, "the library")? };
        // SAFETY: likewise.
        unsafe { hand_over(model, || Ok(skriptnd_model(Model::with_own_values(library.library.clone())?))) }
    })
}

/// Frees a model; NULL is none. Sessions of it stay.
///
/// # Safety
/// `model` must be NULL or one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_model_free(model: *mut skriptnd_model) {
    if !model.is_null() {
        // SAFETY: what the documentation asks for.
        unfailing(|| drop(unsafe { Box::from_raw(model) }));
    }
}
