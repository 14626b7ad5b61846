//! What executes a model.

use clap::ValueEnum;

/// What executes a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Code compiled for this machine
    Native,
    /// The formulas of the operators, slowly and obviously
    Interpret,
    /// Code compiled for Hexagon, on an emulator
    Hexagon,
}

impl Backend {
    /// The option that names it, behind a space; nothing where it need not be named.
    pub fn option(self) -> &'static str {
        match self {
            Backend::Native => "",
            Backend::Interpret => " --backend interpret",
            Backend::Hexagon => " --backend hexagon",
        }
    }
}
