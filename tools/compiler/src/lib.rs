//! From composed graphs to code and what it computes: what the driver and the tests share.
//!
//! [`build()`] compiles a graph, [`tensors`] brings its inputs and results into the order of the compiled model,
//! [`fault`] says why a run failed, [`meaning`] computes graphs of the `htp` dialect, [`reference`] computes what declarations in TableGen say of operations, [`quantize`] makes models on few bits, and [`hexagon`] runs it on the emulator; on this machine `skriptnd_runtime` loads it.

mod build;
pub mod export;
pub mod fault;
pub mod hexagon;
pub mod meaning;
pub mod quantize;
pub mod reference;
pub mod tensors;

pub use build::{
    Built, LOWER, Request, Rules, apply_rules, build, explain_rules, import, keep_rounding, lower, registry,
};

use skriptnd_htp::commands::RuleSet;
use skriptnd_runtime::Failed;

/// Why a graph could not be compiled or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No code could be made of it.
    #[error(transparent)]
    Codegen(skriptnd_codegen::Error),
    /// It could not be linked for Hexagon, or run there.
    #[error(transparent)]
    Hexagon(#[from] skriptnd_hexagon::Error),
    /// A file with rules can't be read.
    #[error("{0}")]
    Rules(String),
    /// Files with rules have errors, which are said in them.
    #[error("a rule file has errors")]
    WrongRules(Box<RuleSet>),
    /// A tensor is not what the model takes.
    #[error("{0}")]
    Tensor(String),
    /// Something that must hold did not hold while the model ran.
    #[error("{0}")]
    Failed(Box<Failed>),
    /// The run left a record that the compiled model does not explain.
    #[error("the run failed with the unknown fault {0:?}")]
    UnknownFault(Vec<i64>),
}

/// What MLIR reported becomes something about the model.
impl From<skriptnd_codegen::Error> for Error {
    fn from(error: skriptnd_codegen::Error) -> Self {
        Error::Codegen(skriptnd_codegen::diagnostics::about_model(error))
    }
}

impl From<skriptnd_mlir::Error> for Error {
    fn from(error: skriptnd_mlir::Error) -> Self {
        skriptnd_codegen::Error::from(error).into()
    }
}
