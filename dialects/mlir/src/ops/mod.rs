//! Typed constructors of upstream's operations: one function for each, in a module for each dialect. They insert where a
//! [`Builder`](crate::ir::Builder) stands.

pub mod llvm;
