//! Loading and running compiled models: shared libraries with the functions of `include/skriptnd.h`.

pub use crate::error::ModelError;
use crate::fault::{Failed, RECORD_WORDS};
use crate::file::TensorFile;
use crate::metadata::Metadata;
pub use crate::metadata::TensorInfo;
use crate::tensor::{Tensor, TensorData};
use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

/// The status where extents are none that the model takes.
const EXTENT: i32 = -3;
/// Alignment of prepared memory and workspace, in bytes.
const ALIGNMENT: usize = 64;

type PrepareFunction = unsafe extern "C" fn(*const *const c_void, *mut c_void, *mut c_void) -> i32;
type ShapesFunction = unsafe extern "C" fn(*const i64, *mut i64) -> i32;
type RunFunction = unsafe extern "C" fn(
    *const *const c_void,
    *const *const c_void,
    *const c_void,
    *const *mut c_void,
    *const i64,
    *mut i64,
    *mut c_void,
    *mut i64,
) -> i32;

/// The value of a variable: a mapped file is used where it lies, if its elements are stored as the machine wants them.
#[derive(Debug)]
pub enum Variable {
    /// In a file.
    Mapped(TensorFile),
    /// In memory.
    Owned(Tensor),
}

/// What follows from the extents of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    /// The extents themselves.
    extents: Vec<i64>,
    /// The shapes of inputs, outputs and new values of variables.
    shapes: Vec<Vec<usize>>,
    /// Bytes of workspace.
    workspace: usize,
}

/// A compiled model with its memory.
#[derive(Debug)]
pub struct Model {
    metadata: Metadata,
    prepare: PrepareFunction,
    shapes: ShapesFunction,
    run: RunFunction,
    /// The last extents, with the shapes that follow from them.
    found: Option<Found>,
    variables: Option<Vec<Variable>>,
    prepared: Memory,
    workspace: Memory,
    /// Dropped last: the functions are its.
    _library: Library,
}

impl Model {
    /// Loads a shared library. Loading runs code of it; it must come from a trusted place.
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        let whole = path.canonicalize().map_err(|source| ModelError::Io { path: path.into(), source })?;
        crate::elf::check(&whole).map_err(|source| ModelError::Io { path: path.into(), source })?;
        let load_error = |source| ModelError::Load { path: path.into(), source };
        // SAFETY: a library that the compiler made has no initialisers; the caller vouches for others.
        let library = unsafe { Library::new(whole) }.map_err(load_error)?;
        let foreign = |_| ModelError::Foreign { path: path.into() };
        // SAFETY: the types are those of the header, whose version is compared before the functions are called.
        let (prepare, shapes, run, text) = unsafe {
            let prepare: Symbol<'_, PrepareFunction> = library.get(b"skriptnd_prepare\0").map_err(foreign)?;
            let shapes: Symbol<'_, ShapesFunction> = library.get(b"skriptnd_shapes\0").map_err(foreign)?;
            let run: Symbol<'_, RunFunction> = library.get(b"skriptnd_run\0").map_err(foreign)?;
            let text: Symbol<'_, *const c_char> = library.get(b"skriptnd_metadata\0").map_err(foreign)?;
            // The symbol is the array itself, which ends with a zero.
            let text = CStr::from_ptr(text.try_as_raw_ptr().unwrap_or(std::ptr::null_mut()).cast_const().cast());
            (*prepare, *shapes, *run, text.to_bytes().to_vec())
        };
        let metadata = Metadata::parse(&text).map_err(|message| ModelError::Metadata { path: path.into(), message })?;
        Ok(Model {
            prepared: Memory::new(metadata.prepared_bytes)?,
            workspace: Memory::new(metadata.workspace_bytes)?,
            metadata,
            prepare,
            shapes,
            run,
            found: None,
            variables: None,
            _library: library,
        })
    }

    /// Inputs in the order in which they are given.
    pub fn inputs(&self) -> &[TensorInfo] {
        &self.metadata.inputs
    }

    /// Variables in the order in which they are given.
    pub fn variables(&self) -> &[TensorInfo] {
        &self.metadata.variables
    }

    /// Outputs in order.
    pub fn outputs(&self) -> &[TensorInfo] {
        &self.metadata.outputs
    }

    /// Variables that a run gives new values, in order.
    pub fn states(&self) -> &[TensorInfo] {
        &self.metadata.states
    }

    /// Bytes of workspace that a run uses.
    pub fn peak_bytes(&self) -> usize {
        self.metadata.peak_bytes
    }

    /// Bytes that are kept from the preparation.
    pub fn prepared_bytes(&self) -> usize {
        self.metadata.prepared_bytes
    }

    /// Gives the variables and computes what depends on them only.
    pub fn prepare(&mut self, variables: Vec<Variable>) -> Result<(), ModelError> {
        check_count("variable", self.metadata.variables.len(), variables.len())?;
        let mut kept = Vec::new();
        for (info, variable) in self.metadata.variables.iter().zip(variables) {
            kept.push(variable.checked(info)?);
        }
        let pointers: Vec<*const c_void> = kept.iter().map(Variable::pointer).collect();
        // SAFETY: types and extents were checked against the metadata; memory has the sizes that they ask for.
        let status = unsafe { (self.prepare)(pointers.as_ptr(), self.prepared.pointer(), self.workspace.pointer()) };
        self.variables = Some(kept);
        if status == 0 { Ok(()) } else { Err(ModelError::Status(status)) }
    }

    /// The shapes of all outputs and, behind them, of new values of variables, for inputs of these shapes: the largest ones where
    /// data determine them.
    pub fn output_shapes(&mut self, inputs: &[Tensor]) -> Result<Vec<Vec<usize>>, ModelError> {
        check_count("input", self.metadata.inputs.len(), inputs.len())?;
        let found = self.find(inputs)?;
        Ok(found.shapes[inputs.len()..].to_vec())
    }

    /// Runs the model once. Behind the outputs come the new values of variables.
    pub fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, ModelError> {
        let shapes = self.output_shapes(inputs)?;
        let mut outputs: Vec<Tensor> =
            self.metadata.written().zip(shapes).map(|(info, shape)| info.zeros(shape)).collect();
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// What follows from the extents that the inputs have; found again only where they change.
    fn find(&mut self, inputs: &[Tensor]) -> Result<&Found, ModelError> {
        for (info, tensor) in self.metadata.inputs.iter().zip(inputs) {
            info.check("input", tensor.element_type(), &tensor.shape)?;
        }
        let mut extents = Vec::with_capacity(self.metadata.extents.len());
        for open in &self.metadata.extents {
            let wrong = |message| {
                let name = self.metadata.inputs[open.input].name.clone();
                ModelError::Tensor { role: "input", name, message }
            };
            extents.push(open.solve(inputs[open.input].shape[open.dimension]).map_err(wrong)?);
        }
        if self.found.as_ref().is_none_or(|found| found.extents != extents) {
            let found = self.follow(extents)?;
            if found.workspace > self.workspace.size() {
                self.workspace = Memory::new(found.workspace)?;
            }
            self.found = Some(found);
        }
        let found = self.found.as_ref().ok_or(ModelError::Unprepared)?;
        for ((info, tensor), shape) in self.metadata.inputs.iter().zip(inputs).zip(&found.shapes) {
            info.check_shape("input", shape, tensor)?;
        }
        Ok(found)
    }

    /// What follows from some extents.
    fn follow(&self, extents: Vec<i64>) -> Result<Found, ModelError> {
        let infos: Vec<&TensorInfo> = self.metadata.inputs.iter().chain(self.metadata.written()).collect();
        let count: usize = infos.iter().map(|info| info.extents.len()).sum();
        let mut words = vec![0i64; count + 1];
        // SAFETY: there are as many extents as the metadata name, and words as all shapes have extents, and one.
        let status = unsafe { (self.shapes)(extents.as_ptr(), words.as_mut_ptr()) };
        if !matches!(status, 0 | EXTENT) {
            return Err(ModelError::Status(status));
        }
        let mut words = words.into_iter();
        let mut shapes = Vec::with_capacity(infos.len());
        for info in infos {
            let shape = words.by_ref().take(info.extents.len()).map(|word| usize::try_from(word).ok());
            let shape = shape.collect::<Option<Vec<usize>>>().filter(|shape| crate::tensor::volume(shape).is_some());
            let wrong = || ModelError::Tensor {
                role: "tensor",
                name: info.name.clone(),
                message: "would have a negative extent, or too many elements".into(),
            };
            shapes.push(shape.ok_or_else(wrong)?);
        }
        if status == EXTENT {
            return Err(ModelError::Status(status));
        }
        let workspace =
            words.next().and_then(|bytes| usize::try_from(bytes).ok()).ok_or(ModelError::Memory(usize::MAX))?;
        Ok(Found { extents, shapes, workspace })
    }

    /// Runs the model once, into tensors that are there already; nothing is allocated but short lists of pointers, and a
    /// larger workspace where extents need one.
    pub fn run_into(&mut self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<(), ModelError> {
        check_count("input", self.metadata.inputs.len(), inputs.len())?;
        check_count("output", self.metadata.written().count(), outputs.len())?;
        let found = self.find(inputs)?.clone();
        let shapes = &found.shapes[inputs.len()..];
        for ((info, tensor), shape) in self.metadata.written().zip(&mut *outputs).zip(shapes) {
            // An earlier run may have found a smaller one.
            if info.shape().is_none() && tensor.shape != *shape {
                *tensor = info.zeros(shape.clone());
            }
            info.check_shape("output", shape, tensor)?;
        }
        let variables = self.variables.as_ref().ok_or(ModelError::Unprepared)?;
        let inputs: Vec<*const c_void> = inputs.iter().map(|tensor| pointer(&tensor.data)).collect();
        let variables: Vec<*const c_void> = variables.iter().map(Variable::pointer).collect();
        let mut record = [0i64; RECORD_WORDS];
        let mut words = vec![0i64; self.metadata.found_words()];
        let places: Vec<*mut c_void> = outputs.iter_mut().map(|tensor| pointer_mut(&mut tensor.data)).collect();
        // SAFETY: types and extents of all tensors were checked against the metadata and what the library computes of the
        // extents, the outputs are exclusive, and memory and the record have the sizes that these ask for. Booleans are
        // written as 0 or 1.
        let status = unsafe {
            (self.run)(
                inputs.as_ptr(),
                variables.as_ptr(),
                self.prepared.pointer(),
                places.as_ptr(),
                found.extents.as_ptr(),
                words.as_mut_ptr(),
                self.workspace.pointer(),
                record.as_mut_ptr(),
            )
        };
        if status == 0 {
            return self.metadata.shape_found(outputs, &words);
        }
        let failed = Failed::of(&self.metadata.faults, &record);
        Err(failed.map_or(ModelError::Status(status), |failed| ModelError::Failed(Box::new(failed))))
    }
}

fn check_count(role: &'static str, expected: usize, found: usize) -> Result<(), ModelError> {
    if expected == found { Ok(()) } else { Err(ModelError::Count { role, expected, found }) }
}

fn pointer(data: &TensorData) -> *const c_void {
    match data {
        TensorData::F32(items) => items.as_ptr().cast(),
        TensorData::I64(items) => items.as_ptr().cast(),
        TensorData::Bool(items) => items.as_ptr().cast(),
    }
}

fn pointer_mut(data: &mut TensorData) -> *mut c_void {
    match data {
        TensorData::F32(items) => items.as_mut_ptr().cast(),
        TensorData::I64(items) => items.as_mut_ptr().cast(),
        TensorData::Bool(items) => items.as_mut_ptr().cast(),
    }
}

impl Variable {
    /// The value in memory.
    ///
    /// # Errors
    /// Where the file's elements can't be read; the reason.
    pub fn into_tensor(self) -> Result<Tensor, String> {
        match self {
            Variable::Mapped(file) => file.read().map_err(|error| error.to_string()),
            Variable::Owned(tensor) => Ok(tensor),
        }
    }

    /// The variable if it is what the model takes; files whose elements can't be used where they lie are read.
    fn checked(self, info: &TensorInfo) -> Result<Variable, ModelError> {
        match &self {
            Variable::Mapped(file) => info.check("variable", file.element_type(), file.shape())?,
            Variable::Owned(tensor) => info.check("variable", tensor.element_type(), &tensor.shape)?,
        }
        match self {
            Variable::Mapped(file) if file.as_f32().is_none() && file.as_i64().is_none() => {
                let read = file.read().map_err(|error| ModelError::Tensor {
                    role: "variable",
                    name: info.name.clone(),
                    message: error.to_string(),
                })?;
                Ok(Variable::Owned(read))
            }
            other => Ok(other),
        }
    }

    fn pointer(&self) -> *const c_void {
        match self {
            Variable::Owned(tensor) => pointer(&tensor.data),
            Variable::Mapped(file) => match (file.as_f32(), file.as_i64()) {
                (Some(items), _) => items.as_ptr().cast(),
                (_, Some(items)) => items.as_ptr().cast(),
                _ => std::ptr::null(),
            },
        }
    }
}

/// Zeroed memory, aligned.
#[derive(Debug)]
struct Memory {
    bytes: Vec<u8>,
    start: usize,
}

impl Memory {
    fn new(size: usize) -> Result<Memory, ModelError> {
        let whole = size.checked_add(ALIGNMENT).ok_or(ModelError::Memory(size))?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(whole).map_err(|_| ModelError::Memory(size))?;
        bytes.resize(whole, 0);
        let start = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Ok(Memory { bytes, start })
    }

    /// Bytes from the aligned start on.
    fn size(&self) -> usize {
        self.bytes.len() - ALIGNMENT
    }

    fn pointer(&mut self) -> *mut c_void {
        self.bytes[self.start..].as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_library_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.so");
        assert!(matches!(Model::load(&path), Err(ModelError::Io { .. })));
        std::fs::write(&path, "not a library").unwrap();
        let error = Model::load(&path).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.ends_with(": not a shared library of 64 bits"), "{error}");
    }

    #[test]
    fn memory_is_aligned_and_checked() {
        assert_eq!(Memory::new(100).unwrap().pointer() as usize % ALIGNMENT, 0);
        assert!(matches!(Memory::new(usize::MAX), Err(ModelError::Memory(_))));
        assert!(matches!(Memory::new(isize::MAX as usize), Err(ModelError::Memory(_))));
    }
}
