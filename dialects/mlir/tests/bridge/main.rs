//! Tests of the bridge, in one executable, since each links all of MLIR.

mod assembly;
mod building;
mod classes;
mod diagnostics;
mod emission;
mod grouping;
mod interfaces;
mod kept;
mod link;
mod llvm;
mod passes;
mod rewriting;
mod tools;
mod toy;
mod uses;
