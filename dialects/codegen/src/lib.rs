//! From linalg on tensors to objects: layouts and packed weights, kernels, memory plan, LLVM, linking.
//!
//! Every step is a pass that `td/codegen` declares, and runs by hand in `skriptnd-opt`. The way of a model ([`pipeline`]):
//! 1. [`tensors`]: convolutions become channels-last, filters are packed, and what depends on variables only moves into
//!    a function that runs once;
//! 2. [`fusion`]: it is decided which operations become one kernel;
//! 3. upstream bufferization, and [`carried`]: loops keep what they carry in fixed buffers;
//! 4. [`emit`]: structured operations on buffers become the kernels that they say they are; [`nest`] is a kernel as data, with
//!    the choice of its loops;
//! 5. what a run requires becomes code that records faults;
//! 6. [`plan`]: buffers become offsets in one workspace;
//! 7. [`interface`]: the exported C functions and the metadata;
//! 8. LLVM and the linker.

pub mod carried;
mod code;
pub mod compile;
mod constants;
mod copies;
pub mod diagnostics;
mod elementary;
mod elements;
pub mod emit;
mod empty;
mod error;
mod expansions;
mod extents;
mod faults;
mod functions;
pub mod fusion;
pub mod generated;
pub mod interface;
mod leave;
pub mod link;
mod linkage;
mod needed;
pub mod nest;
mod notes;
mod passes;
pub mod pipeline;
pub mod plan;
mod shapes;
pub mod structured;
pub mod target;
pub mod tensors;
pub mod versions;

pub use compile::{CompileOptions, CompileReport, Compiled, Emit, compile};
pub use emit::Folders as Schedules;
pub use error::Error;
pub use passes::{options as pipeline_options, register as register_passes};
pub use target::Target;
