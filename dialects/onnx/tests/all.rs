//! Models of ONNX, from their bytes to text.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod blocks;
mod elements;
mod export;
mod import;
mod names;
mod origins;
mod parameters;
mod quantized;
mod structure;
mod unsigned;
