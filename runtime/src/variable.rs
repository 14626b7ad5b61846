//! The values of variables.

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
    /// Where there is no such file, or the first one is malformed.
    pub fn find(folder: &Path, names: &[&str], info: &TensorInfo) -> Result<Variable, ModelError> {
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        let mut files =
            names.iter().flat_map(|name| ["dat", "npy"].map(|ending| folder.join(format!("{name}.{ending}"))));
        let file = files.find(|file| file.is_file());
        let file = file.ok_or_else(|| failed(format!("{}: no file of it, .dat or .npy", folder.display())))?;
        Variable::open(&file, info)
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
