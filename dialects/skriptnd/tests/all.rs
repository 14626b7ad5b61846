//! The dialect, its operations and what they become.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod instances;
mod lowering;
mod operations;
