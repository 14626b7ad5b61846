//! Compiled models, and what they say about themselves.

use crate::call::{answer, given, guarded, hand_over, text, unfailing};
use crate::status::{Failure, SKRIPTND_NAME};
use crate::tensor::dtype_of;
use skriptnd_runtime::Library;
use skriptnd_runtime::library::{PrepareFunction, RunFunction, ShapesFunction};
use skriptnd_runtime::metadata::{Extent, OPEN_BOUND, TensorInfo};
use skriptnd_runtime::weights::Weights;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::sync::Arc;

/// Tensors that a run takes.
pub const SKRIPTND_INPUT: i32 = 0;
/// Tensors that a model is given.
pub const SKRIPTND_VARIABLE: i32 = 1;
/// Tensors that a run gives.
pub const SKRIPTND_OUTPUT: i32 = 2;
/// Variables that a run changes.
pub const SKRIPTND_STATE: i32 = 3;

/// What `skriptnd compile` made.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct skriptnd_library {
    pub(crate) library: Arc<Library>,
    /// By role, what is said of each tensor.
    tensors: [Vec<Described>; 4],
    extents: Vec<CString>,
}

/// A tensor in the words of C.
struct Described {
    name: CString,
    dtype: i32,
    shape: Vec<i64>,
    texts: Vec<CString>,
    bounds: Vec<i64>,
}

/// What a model says of a tensor. The pointers last as long as the library.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct skriptnd_tensor_info {
    /// Its name; of a variable the stem of its file.
    pub name: *const c_char,
    /// SKRIPTND_F32, SKRIPTND_I64 or another one: how the elements lie.
    pub dtype: i32,
    /// The number of extents.
    pub rank: i32,
    /// The extents; -1 for those that only a run knows.
    pub shape: *const i64,
}

impl Described {
    fn new(info: &TensorInfo) -> Described {
        let word = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let extent = |extent: &Extent| match extent {
            Extent::Known(known) => word(*known),
            Extent::Open { .. } => -1,
        };
        let text = |extent: &Extent| extent.expression().map_or_else(|| extent.to_string(), str::to_owned);
        let bound = |extent: &Extent| match extent {
            Extent::Known(known) => Some(*known),
            Extent::Open { bound, .. } => *bound,
        };
        Described {
            name: CString::new(info.name.as_str()).unwrap_or_default(),
            dtype: dtype_of(info.storage),
            shape: info.extents.iter().map(extent).collect(),
            texts: info.extents.iter().map(|extent| CString::new(text(extent)).unwrap_or_default()).collect(),
            bounds: info.extents.iter().map(|extent| bound(extent).map_or(-1, word)).collect(),
        }
    }
}

impl skriptnd_library {
    fn new(library: Library) -> skriptnd_library {
        let metadata = library.metadata();
        let described = |infos: &[TensorInfo]| infos.iter().map(Described::new).collect::<Vec<_>>();
        let lists = [&metadata.inputs, &metadata.variables, &metadata.outputs, &metadata.states];
        let tensors = lists.map(|infos| described(infos));
        let extents =
            metadata.extents.iter().map(|open| CString::new(open.name.as_str()).unwrap_or_default()).collect();
        skriptnd_library { tensors, extents, library: Arc::new(library) }
    }

    fn tensors(&self, role: i32) -> Result<&[Described], Failure> {
        let list = usize::try_from(role).ok().and_then(|role| self.tensors.get(role));
        list.map(Vec::as_slice).ok_or_else(|| Failure::new(SKRIPTND_NAME, format!("there is no role {role}")))
    }

    fn tensor(&self, role: i32, index: usize) -> Result<&Described, Failure> {
        let missing = || Failure::new(SKRIPTND_NAME, format!("there is no tensor {index} of role {role}"));
        self.tensors(role)?.get(index).ok_or_else(missing)
    }
}

/// Loads the shared library at `path` as its file is now; what is written to the file later does not change it. That runs code of
/// it: it must come from a trusted place. The status is SKRIPTND_LIBRARY where its code is for another machine or asks for what
/// this processor does not have.
///
/// # Safety
/// `path` must be NULL or end with a zero; `library` must be NULL or have room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_load(path: *const c_char, library: *mut *mut skriptnd_library) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let path = unsafe { text(path, "the path") }?;
        // SAFETY: likewise.
        unsafe { hand_over(library, || Ok(skriptnd_library::new(Library::load(Path::new(path))?))) }
    })
}

/// Takes a model that is linked into the program. Its arguments but the last are SKRIPTND_FUNCTIONS of skriptnd.h, or
/// PREFIX_FUNCTIONS of the header that `skriptnd compile --prefix` wrote.
///
/// # Safety
/// The functions and the metadata must be those of one compiled model; `library` must be NULL or have room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_link(
    metadata: *const c_char,
    prepare: Option<PrepareFunction>,
    shapes: Option<ShapesFunction>,
    run: Option<RunFunction>,
    library: *mut *mut skriptnd_library,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let linked = unsafe { linked(metadata, (prepare, shapes, run)) }?;
        // SAFETY: likewise.
        unsafe { hand_over(library, || Ok(skriptnd_library::new(linked))) }
    })
}

/// Takes a model that is linked into the program with the values of its variables: `weights` is skriptnd_weights of skriptnd.h, or
/// PREFIX_weights; the other arguments are those of skriptnd_library_link.
///
/// # Safety
/// The functions, the metadata and the weights must be those of one compiled model; `library` must be NULL or have room for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_embed(
    metadata: *const c_char,
    prepare: Option<PrepareFunction>,
    shapes: Option<ShapesFunction>,
    run: Option<RunFunction>,
    weights: *const *const c_void,
    library: *mut *mut skriptnd_library,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let linked = unsafe { linked(metadata, (prepare, shapes, run)) }?;
        // SAFETY: likewise.
        let weights = unsafe { Weights::at(weights) }.ok_or_else(|| Failure::null("the array of weights"))?;
        // SAFETY: likewise.
        unsafe { hand_over(library, || Ok(skriptnd_library::new(linked.with_weights(Some(weights))))) }
    })
}

/// The functions of a compiled model, which may be NULL.
type Functions = (Option<PrepareFunction>, Option<ShapesFunction>, Option<RunFunction>);

/// # Safety
/// The functions and the metadata must be those of one compiled model.
unsafe fn linked(metadata: *const c_char, functions: Functions) -> Result<Library, Failure> {
    let (Some(prepare), Some(shapes), Some(run)) = functions else {
        return Err(Failure::null("a function"));
    };
    if metadata.is_null() {
        return Err(Failure::null("the metadata"));
    }
    // SAFETY: what the caller promises.
    Ok(unsafe { Library::link(CStr::from_ptr(metadata), prepare, shapes, run) }?)
}

/// Frees a library; NULL is none. Models made of it stay.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_free(library: *mut skriptnd_library) {
    if !library.is_null() {
        // SAFETY: what the documentation asks for.
        unfailing(|| drop(unsafe { Box::from_raw(library) }));
    }
}

/// What the model says about itself, as JSON (skriptnd.h says of what form); NULL if `library` is. It lasts as long as the
/// library.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_metadata(library: *const skriptnd_library) -> *const c_char {
    // SAFETY: what the documentation asks for.
    unsafe { library.as_ref() }.map_or(std::ptr::null(), |library| library.library.metadata_text().as_ptr())
}

/// How many tensors of a role there are: SKRIPTND_INPUT, SKRIPTND_VARIABLE, SKRIPTND_OUTPUT or SKRIPTND_STATE.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `count` NULL or have room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_count(library: *const skriptnd_library, role: i32, count: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        unsafe { answer(count, given(library, "the library")?.tensors(role)?.len()) }
    })
}

/// What is said of a tensor.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `info` NULL or have room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_tensor(
    library: *const skriptnd_library,
    role: i32,
    index: usize,
    info: *mut skriptnd_tensor_info,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let Described { name, dtype, shape, .. } = unsafe { given(library, "the library") }?.tensor(role, index)?;
        let rank = i32::try_from(shape.len()).unwrap_or(i32::MAX);
        let told = skriptnd_tensor_info { name: name.as_ptr(), dtype: *dtype, rank, shape: shape.as_ptr() };
        // SAFETY: likewise.
        unsafe { answer(info, told) }
    })
}

/// An extent of a tensor as the model writes it: a number, or an expression of the extents that a run knows. `bound` is the largest
/// value that it may have, or -1 where nothing limits it. The text lasts as long as the library.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `expression` and `bound` NULL or have room for their values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_extent(
    library: *const skriptnd_library,
    role: i32,
    index: usize,
    dimension: usize,
    expression: *mut *const c_char,
    bound: *mut i64,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let tensor = unsafe { given(library, "the library") }?.tensor(role, index)?;
        let missing = || Failure::new(SKRIPTND_NAME, format!("there is no dimension {dimension}"));
        // SAFETY: likewise.
        unsafe {
            answer(bound, *tensor.bounds.get(dimension).ok_or_else(missing)?)?;
            answer(expression, tensor.texts.get(dimension).ok_or_else(missing)?.as_ptr())
        }
    })
}

/// The number of the tensor of a role that has a name.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `name` NULL or end with a zero; `index` NULL or have room for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_find(
    library: *const skriptnd_library,
    role: i32,
    name: *const c_char,
    index: *mut usize,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (library, name) = unsafe { (given(library, "the library")?, text(name, "the name")?) };
        let found = library.tensors(role)?.iter().position(|tensor| tensor.name.to_bytes() == name.as_bytes());
        let found = found.ok_or_else(|| Failure::new(SKRIPTND_NAME, format!("there is no `{name}` of role {role}")))?;
        // SAFETY: likewise.
        unsafe { answer(index, found) }
    })
}

/// How many extents the inputs leave to a run.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `count` NULL or have room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_extent_count(library: *const skriptnd_library, count: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        unsafe { answer(count, given(library, "the library")?.extents.len()) }
    })
}

/// The name of such an extent, and its upper bound, or -1 if it has none. The name lasts as long as the library.
///
/// # Safety
/// `library` must be NULL or one that was made and not freed; `name` and `bound` NULL or have room for their values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_library_open_extent(
    library: *const skriptnd_library,
    index: usize,
    name: *mut *const c_char,
    bound: *mut i64,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let library = unsafe { given(library, "the library") }?;
        let missing = || Failure::new(SKRIPTND_NAME, format!("there is no extent {index}"));
        let text = library.extents.get(index).ok_or_else(missing)?;
        let open = library.library.metadata().extents.get(index).ok_or_else(missing)?;
        // SAFETY: likewise.
        unsafe {
            answer(bound, open.bound.filter(|bound| *bound < OPEN_BOUND).unwrap_or(-1))?;
            answer(name, text.as_ptr())
        }
    })
}
