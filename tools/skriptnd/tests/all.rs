//! The commands, as somebody calls them.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod against;
mod check;
mod fmt;
mod info;
mod lsp;
mod mistakes;
mod models;
mod onnx;
mod places;
mod tuned;
mod weights;
