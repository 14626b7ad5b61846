//! External functions of HTP rules that stand in a shared library, as `include/skriptnd_rules.h` declares them.

mod replace;

use replace::ReplaceFunction;
pub use replace::{Node, Replacement, Source};
use std::ffi::{CString, c_char};
use std::path::{Path, PathBuf};

/// The largest number of extents that a function gives a shape.
const MOST_EXTENTS: usize = 8;

/// The output of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// The name of the DType.
    pub dtype: &'static str,
    /// The element that stands for 0.
    pub zero_offset: i32,
    /// The difference between neighbouring elements.
    pub step_size: f32,
    /// The extents.
    pub extents: Vec<u64>,
    /// The elements of a constant; none of other nodes.
    pub elements: Vec<f64>,
}

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A node.
    Tensor(Tensor),
    /// A scalar.
    Number(f64),
}

/// The slice of a split.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The dimension that is split.
    pub dimension: u64,
    /// Where the slice begins.
    pub start: u64,
    /// Its extent.
    pub size: u64,
}

#[repr(C)]
struct RawTensor {
    dtype: *const c_char,
    zero_offset: i32,
    step_size: f32,
    rank: u64,
    extents: *const u64,
    element_count: u64,
    elements: *const f64,
}

#[repr(C)]
struct RawArgument {
    tensor: *const RawTensor,
    number: f64,
}

type ShapeFunction = unsafe extern "C" fn(*const Split, u64, *const RawArgument, *mut u64) -> i32;
type ConstraintFunction = unsafe extern "C" fn(u64, *const RawArgument) -> i32;

/// A shared library with functions.
#[derive(Debug)]
pub struct Functions {
    path: PathBuf,
    loaded: libloading::Library,
}

impl Functions {
    /// Loads a library. Loading and calling runs code of it; it must come from a trusted place.
    ///
    /// # Errors
    /// Where the file is no shared library.
    pub fn load(path: &Path) -> Result<Functions, String> {
        let whole = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        // SAFETY: whoever gives a library vouches for what it does when it is loaded.
        let loaded = unsafe { libloading::Library::new(whole) };
        let loaded = loaded.map_err(|error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            format!("{}: {reason}", path.display())
        })?;
        Ok(Functions { path: path.into(), loaded })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a shape function of this name.
    pub fn has_shape(&self, name: &str) -> bool {
        self.symbol::<ShapeFunction>("shape", name).is_some()
    }

    /// Whether there is a constraint of this name.
    pub fn has_constraint(&self, name: &str) -> bool {
        self.symbol::<ConstraintFunction>("constraint", name).is_some()
    }

    /// Whether there is a replacement of this name.
    pub fn has_replacement(&self, name: &str) -> bool {
        self.symbol::<ReplaceFunction>("replace", name).is_some()
    }

    /// What takes the place of a node; none where the function has no answer.
    pub fn replacement(&self, name: &str, op: &str, output: &Tensor, inputs: &[Argument]) -> Option<Replacement> {
        replace::replacement(self.symbol::<ReplaceFunction>("replace", name)?, op, output, inputs)
    }

    /// The extents that a shape function gives; none where it has no answer.
    pub fn shape(&self, name: &str, split: Option<Split>, arguments: &[Argument]) -> Option<Vec<u64>> {
        let function = self.symbol::<ShapeFunction>("shape", name)?;
        let mut extents = [0; MOST_EXTENTS];
        let split = split.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let count = with_raw(arguments, |arguments| {
            // SAFETY: the symbol's name tells its type, and all pointers are valid during the call.
            unsafe { function(split, arguments.len() as u64, arguments.as_ptr(), extents.as_mut_ptr()) }
        });
        extents.get(..usize::try_from(count).ok()?).map(<[u64]>::to_vec)
    }

    /// Whether a constraint holds; none where it has no answer.
    pub fn constraint(&self, name: &str, arguments: &[Argument]) -> Option<bool> {
        let function = self.symbol::<ConstraintFunction>("constraint", name)?;
        let answer = with_raw(arguments, |arguments| {
            // SAFETY: as above.
            unsafe { function(arguments.len() as u64, arguments.as_ptr()) }
        });
        (answer >= 0).then_some(answer != 0)
    }

    fn symbol<F: Copy>(&self, kind: &str, name: &str) -> Option<F> {
        let symbol = CString::new(format!("skriptnd_{kind}_{name}")).ok()?;
        // SAFETY: the caller asks for the type that the header gives functions of this kind.
        unsafe { self.loaded.get::<F>(symbol.as_bytes_with_nul()) }.ok().map(|function| *function)
    }
}

/// A tensor as C has it, as long as it and the name of its DType live.
fn raw_tensor(tensor: &Tensor, dtype: &CString) -> RawTensor {
    RawTensor {
        dtype: dtype.as_ptr(),
        zero_offset: tensor.zero_offset,
        step_size: tensor.step_size,
        rank: tensor.extents.len() as u64,
        extents: tensor.extents.as_ptr(),
        element_count: tensor.elements.len() as u64,
        elements: tensor.elements.as_ptr(),
    }
}

/// Calls something with a tensor as C has it.
fn with_tensor<R>(tensor: &Tensor, call: impl FnOnce(*const RawTensor) -> R) -> R {
    let dtype = CString::new(tensor.dtype).unwrap_or_default();
    let raw = raw_tensor(tensor, &dtype);
    call(&raw const raw)
}

/// Calls something with arguments as C has them.
fn with_raw<R>(arguments: &[Argument], call: impl FnOnce(&[RawArgument]) -> R) -> R {
    let name = |argument: &Argument| match argument {
        Argument::Tensor(tensor) => CString::new(tensor.dtype).unwrap_or_default(),
        Argument::Number(_) => CString::default(),
    };
    let names: Vec<CString> = arguments.iter().map(name).collect();
    let tensor = |(argument, name): (&Argument, &CString)| match argument {
        Argument::Number(_) => None,
        Argument::Tensor(tensor) => Some(raw_tensor(tensor, name)),
    };
    let tensors: Vec<Option<RawTensor>> = arguments.iter().zip(&names).map(tensor).collect();
    let raw = arguments.iter().zip(&tensors).map(|(argument, tensor)| RawArgument {
        tensor: tensor.as_ref().map_or(std::ptr::null(), std::ptr::from_ref),
        number: if let Argument::Number(number) = argument { *number } else { 0.0 },
    });
    call(&raw.collect::<Vec<_>>())
}
