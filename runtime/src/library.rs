//! Compiled models as functions: shared libraries that are loaded, and objects that are linked into the program, with the
//! functions of `include/skriptnd.h`.

use crate::error::ModelError;
use crate::group::{GroupFunctions, check_processes};
use crate::image::Image;
use crate::metadata::Metadata;
use crate::pool::PoolFunctions;
use crate::processor;
use crate::weights::Weights;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicPtr, Ordering};

/// `skriptnd_prepare`
pub type PrepareFunction = unsafe extern "C" fn(*const *const c_void, *mut c_void, *mut c_void) -> i32;
/// `skriptnd_shapes`
pub type ShapesFunction = unsafe extern "C" fn(*const i64, *mut i64) -> i32;
/// `skriptnd_run`
pub type RunFunction = unsafe extern "C" fn(
    *const *const c_void,
    *const *const c_void,
    *const c_void,
    *const *mut c_void,
    *const i64,
    *mut i64,
    *mut c_void,
    *mut i64,
    *const PoolFunctions,
) -> i32;
/// The same without a pool, as version 7 of the interface has it.
type RunFunctionOf7 = unsafe extern "C" fn(
    *const *const c_void,
    *const *const c_void,
    *const c_void,
    *const *mut c_void,
    *const i64,
    *mut i64,
    *mut c_void,
    *mut i64,
) -> i32;

/// The functions of a compiled model, and what it says about itself.
#[derive(Debug)]
pub struct Library {
    metadata: Metadata,
    text: CString,
    pub(crate) prepare: PrepareFunction,
    pub(crate) shapes: ShapesFunction,
    run: RunFunction,
    /// The values of the variables, if they are in it.
    weights: Option<Weights>,
    /// Where marked code finds the function that it calls.
    profiler: Option<&'static AtomicPtr<c_void>>,
    /// Where code that processes share finds its group.
    group: Option<&'static AtomicPtr<c_void>>,
    /// The file that it was loaded from.
    file: Option<PathBuf>,
    /// Dropped last: the functions are its.
    _loaded: Option<Loaded>,
}

/// What a run is given, as the header has it.
pub(crate) struct RunArguments {
    pub inputs: *const *const c_void,
    pub variables: *const *const c_void,
    pub prepared: *const c_void,
    pub outputs: *const *mut c_void,
    pub extents: *const i64,
    pub shapes: *mut i64,
    pub workspace: *mut c_void,
    pub record: *mut i64,
}

/// A library that the system has loaded, and behind it what it was loaded from, which is closed later.
type Loaded = (libloading::Library, Image);

impl Library {
    /// Loads a shared library as its file is now: what is written to the file later does not change it, and is loaded by who
    /// loads the file again. Loading runs code of it; it must come from a trusted place.
    ///
    /// # Errors
    /// Where the file is no compiled model, or one of another version, machine or processor.
    pub fn load(path: &Path) -> Result<Library, ModelError> {
        let library = Library::of_image(path, Image::of(path)?)?;
        Ok(Library { file: Some(path.into()), ..library })
    }

    /// Loads a shared library that was not written to a file; messages have the name. The same must hold of it.
    ///
    /// # Errors
    /// As [`Library::load`].
    pub fn load_bytes(name: &Path, bytes: &[u8]) -> Result<Library, ModelError> {
        Library::of_image(name, Image::of_bytes(name, bytes)?)
    }

    fn of_image(path: &Path, image: Image) -> Result<Library, ModelError> {
        let load_error = |source| ModelError::Load { path: path.into(), source };
        // SAFETY: a library that the compiler made has no initialisers; the caller vouches for others.
        let loaded = unsafe { libloading::Library::new(image.path()) }.map_err(load_error)?;
        let foreign = |_| ModelError::Foreign { path: path.into() };
        // SAFETY: the types are those of the header, whose version is compared before the functions are called.
        unsafe {
            let prepare = *loaded.get::<PrepareFunction>(b"skriptnd_prepare\0").map_err(foreign)?;
            let shapes = *loaded.get::<ShapesFunction>(b"skriptnd_shapes\0").map_err(foreign)?;
            let run = *loaded.get::<RunFunction>(b"skriptnd_run\0").map_err(foreign)?;
            let text = loaded.get::<*const c_char>(b"skriptnd_metadata\0").map_err(foreign)?;
            // The symbol is the array itself, which ends with a zero.
            let text = CStr::from_ptr(text.try_as_raw_ptr().unwrap_or(std::ptr::null_mut()).cast_const().cast());
            let weights = loaded.get::<*const c_void>(b"skriptnd_weights\0").ok();
            let weights = weights.and_then(|weights| Weights::at(weights.try_as_raw_ptr()?.cast_const().cast()));
            let profiler = loaded.get::<*mut c_void>(b"skriptnd_profiler\0").ok();
            // The word lies in the library, which stays loaded as long as the functions can be called.
            let profiler = profiler.and_then(|word| Some(AtomicPtr::from_ptr(word.try_as_raw_ptr()?.cast())));
            let group = loaded.get::<*mut c_void>(b"skriptnd_group\0").ok();
            // Likewise.
            let group = group.and_then(|word| Some(AtomicPtr::from_ptr(word.try_as_raw_ptr()?.cast())));
            let library = Library::of(path.into(), text.to_owned(), (prepare, shapes, run), Some((loaded, image)))?;
            Ok(Library { weights, profiler, group, ..library })
        }
    }

    /// The model whose functions are linked into this program.
    ///
    /// # Errors
    /// Where it is of another version, or for another processor.
    ///
    /// # Safety
    /// The functions and the metadata must be those of one compiled model, which stay where they are.
    pub unsafe fn link(
        metadata: &CStr,
        prepare: PrepareFunction,
        shapes: ShapesFunction,
        run: RunFunction,
    ) -> Result<Library, ModelError> {
        Library::of("the linked model".into(), metadata.to_owned(), (prepare, shapes, run), None)
    }

    fn of(
        path: PathBuf,
        text: CString,
        (prepare, shapes, run): (PrepareFunction, ShapesFunction, RunFunction),
        loaded: Option<Loaded>,
    ) -> Result<Library, ModelError> {
        let failed = |message| ModelError::Metadata { path: path.clone(), message };
        let metadata = Metadata::parse(text.as_bytes()).map_err(failed)?;
        let missing = processor::missing(&metadata.features);
        if !missing.is_empty() {
            return Err(ModelError::Processor { path, cpu: metadata.cpu, missing });
        }
        let (weights, profiler, group, file) = (None, None, None, None);
        Ok(Library { metadata, text, prepare, shapes, run, weights, profiler, group, file, _loaded: loaded })
    }

    /// The linked model with the values of its variables.
    #[must_use]
    pub fn with_weights(self, weights: Option<Weights>) -> Library {
        Library { weights, ..self }
    }

    /// The linked model with the word by which its code finds its group.
    #[must_use]
    pub fn with_group(self, group: Option<&'static AtomicPtr<c_void>>) -> Library {
        Library { group, ..self }
    }

    /// Lets the code do its part as one of several processes, from now on: before the model is made, so that it prepares its part.
    ///
    /// # Errors
    /// Where it was not compiled to be shared, or for another number of processes.
    pub fn join(&self, group: &'static GroupFunctions) -> Result<(), ModelError> {
        let (Some(word), Some(shard)) = (self.group, &self.metadata.shard) else { return Err(ModelError::NotShared) };
        check_processes(shard.processes, usize::try_from(group.processes).unwrap_or(0))?;
        word.store(std::ptr::from_ref(group).cast_mut().cast(), Ordering::Release);
        Ok(())
    }

    /// Calls the function that runs the model.
    ///
    /// # Safety
    /// The arguments must be as the header says.
    pub(crate) unsafe fn run(&self, arguments: RunArguments, pool: Option<&PoolFunctions>) -> i32 {
        let RunArguments { inputs, variables, prepared, outputs, extents, shapes, workspace, record } = arguments;
        if self.metadata.abi == 7 {
            // SAFETY: it is a function of that version, whatever it was taken for.
            let run = unsafe { std::mem::transmute::<RunFunction, RunFunctionOf7>(self.run) };
            // SAFETY: the caller vouches for the arguments.
            return unsafe { run(inputs, variables, prepared, outputs, extents, shapes, workspace, record) };
        }
        let pool = pool.map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: likewise.
        unsafe { (self.run)(inputs, variables, prepared, outputs, extents, shapes, workspace, record, pool) }
    }

    /// Whether it was compiled to be profiled: [`crate::Session::profile`] tells when its operations ran.
    pub fn is_marked(&self) -> bool {
        self.profiler.is_some()
    }

    pub(crate) fn profiler(&self) -> Option<&AtomicPtr<c_void>> {
        self.profiler
    }

    /// The file that it was loaded from, if it was.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The values of the variables, if they are in the library.
    pub fn weights(&self) -> Option<Weights> {
        self.weights
    }

    /// What the model says about itself.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The same as the JSON that the compiler wrote.
    pub fn metadata_text(&self) -> &CStr {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_library_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.so");
        assert!(matches!(Library::load(&path), Err(ModelError::Io { .. })));
        for (bytes, found) in
            [(&b"not a library"[..], "a text"), (b"\x93NUMPY", "a NumPy array (.npy)"), (b"", "an empty file")]
        {
            std::fs::write(&path, bytes).unwrap();
            let error = Library::load(&path).err().map(|error| error.to_string()).unwrap_or_default();
            let expected = format!(": expected a compiled model, which is a shared library, found {found}");
            assert!(error.ends_with(&expected), "{error}");
        }
    }
}
