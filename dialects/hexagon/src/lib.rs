//! The Hexagon target: what its code is compiled for, and the dialect of what it has beside instructions for numbers; and machines without libraries, of which it is one: the runtime that is linked
//! behind a model, and the emulator that runs the result.

pub mod dialect;
pub mod emulator;
pub mod generated;
pub mod link;
pub mod machine;
pub mod processor;
pub mod target;

/// The runtime's objects, compiled from `runtime/bare` when this crate is built.
mod runtime {
    include!(concat!(env!("OUT_DIR"), "/objects.rs"));
}

/// What can go wrong behind the compiler: all of it concerns tools and files, never the model's text.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A tool is not installed or could not be started.
    #[error("`{tool}` did not start: {source}; `skriptnd doctor` says which package has it")]
    Tool {
        /// The name of the executable that was looked for.
        tool: &'static str,
        /// Why.
        source: std::io::Error,
    },
    /// There is no runtime for the machine of an object.
    #[error("an object for a machine that has no runtime")]
    Machine,
    /// The linker refused.
    #[error(transparent)]
    Link(#[from] skriptnd_mlir::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// The code may use what the emulator has not.
    #[error(
        "`{feature}`: HVX's floating point is not in the emulator ({emulator}), which would compute something else; leave the feature out \
         (reals are computed without it), or run what `skriptnd compile` makes on a device"
    )]
    Floats {
        /// The feature.
        feature: &'static str,
        /// What the emulator calls itself.
        emulator: String,
    },
    /// The emulated program came to an instruction that the emulator has not.
    #[error(
        "the model did not finish on the emulator, which came upon {what}: the code is for Hexagon v{version}, and {emulator} knows \
         instructions up to v{newest} and no floating point of HVX; compile for `--cpu hexagonv{newest}`, or run it on a device"
    )]
    Instruction {
        /// How it ended.
        what: &'static str,
        /// For which the code is.
        version: u32,
        /// What the emulator calls itself.
        emulator: String,
        /// The newest version that it knows.
        newest: u32,
    },
    /// The emulated program stopped early.
    #[error("the model did not finish on the emulator: {0}")]
    Run(String),
}
