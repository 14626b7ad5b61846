//! From linalg on tensors to objects: layouts and packed weights, kernels, memory plan, LLVM, linking.
//!
//! Every step is a pass that `td/codegen` declares, and runs by hand in `skriptnd-opt`. The way of a model ([`pipeline`]):
//! 1. [`tensors`]: convolutions become channels-last, filters are packed, and what depends on variables only moves into
//!    a function that runs once;
//! 2. [`fusion`]: it is decided which operations become one kernel;
//! 3. upstream bufferization, and [`buffers`]: loops keep what they carry in fixed buffers;
//! 4. [`emit`]: structured operations on buffers become the kernels that they say they are; [`nest`] is a kernel as data, with
//!    the choice of its loops, or those that were measured to be faster ([`tuned`]);
//! 5. what a run requires ([`faults`]) becomes code that records faults;
//! 6. [`buffers`] become offsets in one workspace;
//! 7. [`interface`]: the exported C functions and the metadata;
//! 8. LLVM and the linker: [`artifact`], [`link`].

pub mod artifact;
pub mod buffers;
pub mod diagnostics;
mod elementary;
pub mod emit;
mod error;
mod faults;
pub mod fusion;
pub mod generated;
pub mod interface;
pub mod link;
pub mod nest;
mod notes;
mod passes;
pub mod pipeline;
pub mod target;
pub mod tensors;
pub mod tuned;
pub mod values;
pub mod views;
mod vtcm;

pub use artifact::compile::{CompileOptions, CompileReport, Compiled, Emit, checked_in_tests, compile};
pub use artifact::versions;
pub use emit::{Along, Folders as Schedules, Scheduled, Sharded, Source};
pub use error::Error;
pub use nest::staged::Vtcm;
pub use passes::{options as pipeline_options, register as register_passes};
pub use target::Target;
