//! What the build scripts of dialects have in common: their .td files and the folder of what is generated.

use crate::{Records, Result, error::Error, paths::search_path};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The declarations of one dialect, and where the Rust that is made of them goes.
#[derive(Debug)]
pub struct BuildScript {
    declarations: PathBuf,
    output: PathBuf,
}

impl BuildScript {
    /// Of the crate that is being built; `declarations` is relative to its folder. Cargo is told what to watch.
    ///
    /// # Errors
    /// Outside of a build script.
    pub fn new(declarations: &str) -> Result<Self> {
        let folder = |name: &str| env::var(name).map_err(|error| Error::new(format!("{name}: {error}")));
        let declarations = Path::new(&folder("CARGO_MANIFEST_DIR")?).join(declarations);
        println!("cargo:rerun-if-changed={}", declarations.display());
        println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
        Ok(BuildScript { declarations, output: folder("OUT_DIR")?.into() })
    }

    /// Reads one of the .td files.
    ///
    /// # Errors
    /// What TableGen says of it.
    pub fn read(&self, name: &str) -> Result<Records> {
        let file = self.declarations.join(name);
        Records::from_file(&file, &search_path(&file, &[]))
    }

    /// Writes a generated file.
    ///
    /// # Errors
    /// Where that fails.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.output.join(name);
        fs::write(&file, text).map_err(|error| Error::new(format!("{}: {error}", file.display())))
    }
}
