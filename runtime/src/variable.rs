//! The values of variables.

pub mod embedded;
pub mod files;
pub mod note;

pub use embedded::Embedded;

use crate::error::ModelError;
use crate::file::TensorFile;
use crate::library::Library;
use crate::metadata::TensorInfo;
use crate::storage::Storage;
use crate::stored::Stored;
use crate::tensor::Tensor;
use crate::view::View;
use std::path::Path;
use std::sync::Arc;

/// The value of a variable: a mapped file is used where it lies, if its elements are stored as the machine wants them.
#[derive(Debug)]
pub enum Variable {
    /// In a file.
    Mapped(TensorFile),
    /// In memory, as it is computed with.
    Owned(Tensor),
    /// In memory, in the form in which the model takes it.
    Stored(Stored),
    /// In the compiled model.
    Embedded(Embedded),
}

impl Variable {
    /// From its file in a folder: one of the names that it goes by, with `.dat` or `.npy`.
    ///
    /// # Errors
    /// Where there is no such file, several differ, or it is malformed.
    pub fn find(folder: &Path, names: &[String], info: &TensorInfo) -> Result<Variable, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        let found = files::fitting(folder, names);
        match (found.first(), files::differing(&found)) {
            (None, _) => Err(failed(files::nowhere(folder, names))),
            (Some(file), others) if others.is_empty() => Variable::open(file, info),
            (Some(file), others) => Err(failed(files::ambiguity(file, &others))),
        }
    }

    /// From the file of a saved state. It has the shortest name; a folder of a model may have files of the others, too.
    pub(crate) fn find_saved(folder: &Path, names: &[String], info: &TensorInfo) -> Result<Variable, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        match files::fitting(folder, names).last() {
            Some(file) => Variable::open(file, info),
            None => Err(failed(files::nowhere(folder, names))),
        }
    }

    /// What was found, if nothing is wrong with any of it; else all that is wrong.
    pub(crate) fn all<T>(found: impl Iterator<Item = Result<T, ModelError>>) -> Result<Vec<T>, ModelError> {
        let (mut all, mut wrong) = (Vec::new(), Vec::new());
        for one in found {
            match one {
                Ok(one) => all.push(one),
                Err(error) => wrong.push(error),
            }
        }
        match wrong.len() {
            0 => Ok(all),
            1 => Err(wrong.remove(0)),
            _ => Err(ModelError::Several(wrong)),
        }
    }

    /// The one that a compiled model has itself, by its number, if it has.
    pub fn embedded(library: &Arc<Library>, number: usize) -> Option<Variable> {
        Embedded::of(library, number).map(Variable::Embedded)
    }

    /// From a file.
    ///
    /// # Errors
    /// Where it can't be read or is malformed.
    pub fn open(file: &Path, info: &TensorInfo) -> Result<Variable, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        TensorFile::open(file).map(Variable::Mapped).map_err(|error| failed(error.to_string()))
    }

    /// Refuses what came of the value if its file has become shorter since it was opened.
    ///
    /// # Errors
    /// Where that is so.
    pub(crate) fn check_file(&self, info: &TensorInfo) -> Result<(), ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        match self {
            Variable::Mapped(file) => file.check().map_err(|error| failed(error.to_string())),
            Variable::Owned(_) | Variable::Stored(_) | Variable::Embedded(_) => Ok(()),
        }
    }

    /// The value as it is computed with, copied.
    ///
    /// # Errors
    /// Where the file's elements can't be read; the reason.
    pub fn to_tensor(&self, info: &TensorInfo) -> Result<Tensor, String> {
        match self {
            Variable::Mapped(file) => file.read_as(info.element_type, info.storage).map_err(|error| error.to_string()),
            Variable::Owned(tensor) => Ok(tensor.clone()),
            Variable::Stored(stored) => Ok(stored.to_tensor(info.element_type)),
            Variable::Embedded(value) => Ok(Stored::of(info.storage, &value.view())?.to_tensor(info.element_type)),
        }
    }

    /// The bytes of the value in the form in which the model takes it.
    ///
    /// # Errors
    /// Where it is not what the model takes.
    pub fn into_bytes(self, info: &TensorInfo) -> Result<Vec<u8>, ModelError> {
        let checked = self.checked(info)?;
        let stored = checked.stored(info)?;
        let view = stored.as_ref().map(Stored::view).or_else(|| checked.view(info.storage));
        Ok(view.map(|view| view.bytes().to_vec()).unwrap_or_default())
    }

    /// The variable if it is what the model takes; files whose elements can't be used where they lie are read.
    pub(crate) fn checked(self, info: &TensorInfo) -> Result<Variable, ModelError> {
        match &self {
            Variable::Mapped(file) if file.storage() == Some(info.storage) => {
                info.check("variable", info.storage, file.shape())?;
            }
            Variable::Mapped(file) => info.check("variable", file.element_type(), file.shape())?,
            Variable::Owned(tensor) => info.check("variable", tensor.element_type(), &tensor.shape)?,
            Variable::Stored(stored) => info.check("variable", stored.view().storage(), stored.shape())?,
            Variable::Embedded(value) => info.check("variable", value.view().storage(), value.view().shape())?,
        }
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        let readable = match self.view(info.storage) {
            Some(_) => self,
            None => Variable::Owned(self.to_tensor(info).map_err(failed)?),
        };
        readable.check_values(info)?;
        Ok(readable)
    }

    /// Refuses numbers that compiled code is not for.
    ///
    /// # Errors
    /// Where an element is outside of what the model relies on.
    fn check_values(&self, info: &TensorInfo) -> Result<(), ModelError> {
        let Some((expected, view)) = info.values.zip(self.view(info.storage)) else { return Ok(()) };
        match expected.outside(&view) {
            None => Ok(()),
            Some((element, found)) => Err(ModelError::Values { name: info.name.clone(), expected, element, found }),
        }
    }

    /// The value as it is computed with, if it is what the model takes.
    ///
    /// # Errors
    /// Where it is not.
    pub fn into_tensor(self, info: &TensorInfo) -> Result<Tensor, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        self.checked(info)?.to_tensor(info).map_err(failed)
    }

    /// Where it lies, in the form of a storage or as it is computed with; none if it has to be read first.
    pub(crate) fn view(&self, storage: Storage) -> Option<View<'_>> {
        match self {
            Variable::Owned(tensor) => Some(tensor.into()),
            Variable::Stored(stored) => Some(stored.view()),
            Variable::Embedded(value) => Some(value.view()),
            Variable::Mapped(file) => file.view(storage).or_else(|| file.view(file.element_type().into())),
        }
    }

    /// What a model takes in its place; none if that is the value where it lies.
    ///
    /// # Errors
    /// Where an element can't be stored so.
    pub(crate) fn stored(&self, info: &TensorInfo) -> Result<Option<Stored>, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        match self.view(info.storage) {
            Some(view) if view.storage() != info.storage => Stored::of(info.storage, &view).map(Some).map_err(failed),
            _ => Ok(None),
        }
    }
}
