//! From linalg to code that runs, as its users call it.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod chains;
mod convolution;
mod depthwise;
mod functions;
mod hexagon;
mod lookups;
mod narrow;
mod operations;
mod quantized;
mod requantized;
mod scalable;
mod sums;
mod support;
mod values;
mod weights;
mod winograd;
