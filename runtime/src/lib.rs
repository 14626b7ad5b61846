//! What a compiled model needs when it runs: tensors, NNEF `.dat` and `.npy` files, loading of compiled models. It
//! knows nothing of the compiler.

pub mod atomic;
mod elf;
mod error;
pub mod fault;
pub mod file;
pub mod intrinsic;
pub mod metadata;
pub mod model;
pub mod tensor;
pub use fault::{Failed, Fault};
pub use file::{FileError, TensorFile, prepare_npy, read_tensor, write_dat, write_npy};
pub use model::{Model, ModelError, Variable};
pub use tensor::{ElementType, Tensor, TensorData};
