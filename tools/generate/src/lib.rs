//! What is generated into the sources and checked in, so that people read it where they look for it:
//!
//! - [`operators`]: `td/skriptnd/<module>.td`, from the definitions of the standard library;
//! - [`header`]: `runtime/include/skriptnd_runtime.h`, from the declarations of the C library;
//! - [`pages`]: `docs/dialects.md` and `docs/passes.md`, from the declarations in `td/`.
//!
//! `cargo xtask docs` writes these files; a test holds them current.

mod confinement;
pub mod header;
pub mod operators;
pub mod pages;

use std::path::{Path, PathBuf};

/// A checked-in file that is generated.
#[derive(Debug)]
pub struct Generated {
    /// From the project's folder.
    pub path: String,
    /// What it must hold.
    pub text: String,
}

impl Generated {
    /// Where it is.
    pub fn file(&self) -> PathBuf {
        root().join(&self.path)
    }
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
