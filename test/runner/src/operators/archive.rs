//! Arrays in a NumPy archive (`.npz`): a ZIP file of `.npy` files.

use npyz::{DType, NpyFile, TypeChar};
use skriptnd_runtime::{Tensor, TensorData};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zip::ZipArchive;

/// The arrays of an archive by name, without `.npy`, in its order.
pub type Arrays = Vec<(String, Tensor)>;

/// Reads all arrays of an archive.
pub fn read(path: &Path) -> Result<Arrays, String> {
    let shown = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| shown(&error))?;
    let mut archive = ZipArchive::new(file).map_err(|error| shown(&error))?;
    let mut arrays = Arrays::new();
    for at in 0..archive.len() {
        let entry = archive.by_index(at).map_err(|error| shown(&error))?;
        let name = entry.name().trim_end_matches(".npy").to_owned();
        let tensor = array(entry).map_err(|error| shown(&format!("{name}: {error}")))?;
        arrays.push((name, tensor));
    }
    Ok(arrays)
}

/// One array; NumPy's types for `real`, `int` and `bool` are `f4`, `i8` and `b1`.
fn array(reader: impl Read) -> Result<Tensor, String> {
    let file = NpyFile::new(reader).map_err(|error| error.to_string())?;
    if file.order() != npyz::Order::C {
        return Err("is not in row-major order".into());
    }
    let shape = file.shape().iter().map(|&extent| extent as usize).collect();
    let kind = match file.dtype() {
        DType::Plain(kind) => (kind.type_char(), kind.num_bytes()),
        _ => return Err("is a structured array".into()),
    };
    let data = match kind {
        (TypeChar::Float, Some(4)) => file.into_vec().map(TensorData::F32),
        (TypeChar::Int, Some(8)) => file.into_vec().map(TensorData::I64),
        (TypeChar::Bool, _) => file.into_vec().map(TensorData::Bool),
        _ => return Err("is neither of float32, int64 nor bool".into()),
    };
    Ok(Tensor { shape, data: data.map_err(|error| error.to_string())? })
}
