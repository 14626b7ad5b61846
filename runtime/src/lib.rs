//! What a compiled model needs when it runs: tensors, NNEF `.dat` and `.npy` files, loading of compiled models. It
//! knows nothing of the compiler.
//!
//! A [`Library`] is what the compiler made; with the values of its variables it is a [`Model`], which nothing changes any
//! more; a [`Session`] runs it, with a workspace and with values of the variables that runs change. Sessions of one model
//! run at the same time in several threads:
//!
//! ```no_run
//! use skriptnd_runtime::{Library, Model, read_tensor};
//! use std::path::Path;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let library = Library::load(Path::new("model.so"))?;
//! let model = Model::with_files(library, Path::new("model"))?;
//! let mut session = model.session()?;
//! let outputs = session.run(&[read_tensor(Path::new("image.npy"))?])?;
//! # Ok(())
//! # }
//! ```

pub mod atomic;
mod elf;
mod error;
pub mod fault;
pub mod file;
pub mod group;
mod guards;
mod image;
pub mod intrinsic;
pub mod kind;
pub mod library;
pub mod memory;
pub mod metadata;
pub mod model;
pub mod operation;
pub mod pack;
pub mod pool;
pub mod processor;
pub mod program;
pub mod session;
mod shapes;
mod state;
pub mod status;
pub mod storage;
pub mod stored;
mod sync;
pub mod tensor;
pub mod values;
pub mod variable;
pub mod view;
pub mod weights;
pub use error::ModelError;
pub use fault::{Failed, Fault};
pub use file::{FileError, Safetensors, TensorFile, encode_npy, prepare_npy, read_tensor, write_dat, write_npy};
pub use kind::FileKind;
pub use library::Library;
pub use model::Model;
pub use session::Session;
pub use storage::Storage;
pub use stored::Stored;
pub use tensor::{ElementType, Tensor, TensorData};
pub use values::Values;
pub use variable::Variable;
pub use view::{View, ViewMut};
pub use weights::Weights;
