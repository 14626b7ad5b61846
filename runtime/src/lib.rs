//! What a compiled model needs when it runs: tensors, NNEF `.dat` and `.npy` files, loading of compiled models. It
//! knows nothing of the compiler.

pub mod tensor;
pub use tensor::{Tensor, TensorData};
