//! The values of variables.

pub mod files;

use crate::error::ModelError;
use crate::file::TensorFile;
use crate::metadata::TensorInfo;
use crate::tensor::Tensor;
use crate::view::View;
use std::path::Path;

/// The value of a variable: a mapped file is used where it lies, if its elements are stored as the machine wants them.
#[derive(Debug)]
pub enum Variable {
    /// In a file.
    Mapped(TensorFile),
    /// In memory.
    Owned(Tensor),
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
            Variable::Owned(_) => Ok(()),
        }
    }

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

    /// The same, copied.
    ///
    /// # Errors
    /// Where the file's elements can't be read; the reason.
    pub fn to_tensor(&self) -> Result<Tensor, String> {
        match self {
            Variable::Mapped(file) => file.read().map_err(|error| error.to_string()),
            Variable::Owned(tensor) => Ok(tensor.clone()),
        }
    }

    /// The variable if it is what the model takes; files whose elements can't be used where they lie are read.
    pub(crate) fn checked(self, info: &TensorInfo) -> Result<Variable, ModelError> {
        match &self {
            Variable::Mapped(file) => info.check("variable", file.element_type(), file.shape())?,
            Variable::Owned(tensor) => info.check("variable", tensor.element_type(), &tensor.shape)?,
        }
        if self.view().is_some() {
            return Ok(self);
        }
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        self.into_tensor().map(Variable::Owned).map_err(failed)
    }

    /// Where it lies; none if it has to be read first.
    pub(crate) fn view(&self) -> Option<View<'_>> {
        let file = match self {
            Variable::Owned(tensor) => return Some(tensor.into()),
            Variable::Mapped(file) => file,
        };
        let data = match (file.as_f32(), file.as_i64()) {
            (Some(items), _) => items.as_ptr().cast(),
            (_, Some(items)) => items.as_ptr().cast(),
            _ => return None,
        };
        // SAFETY: the file has checked that as many elements of its type as its shape says lie there, aligned.
        Some(unsafe { View::from_raw(file.element_type(), file.shape(), data) })
    }
}
