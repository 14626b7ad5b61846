//! Where .td files are found.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempDir;

use crate::error::{Error, Result};

/// The .td files that this crate brings along, by the names that include them.
const OWN_INCLUDES: [(&str, &str); 2] = [
    ("rust/OpBase.td", include_str!("../include/rust/OpBase.td")),
    ("rust/Former.td", include_str!("../include/rust/Former.td")),
];

/// A folder of the .td files that this crate brings along, while TableGen reads: it includes from files only, and a tool
/// that was installed has no sources beside it.
pub struct OwnIncludes(TempDir);

impl OwnIncludes {
    /// Writes the files.
    pub fn new() -> Result<Self> {
        Self::write()
            .map_err(|error| Error::new(format!("cannot keep files to include in a temporary folder: {error}")))
    }

    fn write() -> io::Result<Self> {
        let folder = TempDir::new()?;
        for (name, text) in OWN_INCLUDES {
            let file = folder.path().join(name);
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(file, text)?;
        }
        Ok(Self(folder))
    }

    /// The folders to search: those given, then this one.
    pub fn behind(&self, directories: &[PathBuf]) -> Vec<PathBuf> {
        directories.iter().cloned().chain([self.0.path().to_path_buf()]).collect()
    }
}

/// The directory of the file itself, those that were given, and MLIR's.
pub fn search_path(file: &Path, given: &[PathBuf]) -> Vec<PathBuf> {
    let own = file.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_path_buf);
    own.into_iter().chain(given.iter().cloned()).chain([llvm_prefix().join("include")]).collect()
}

/// Where LLVM is installed: `TABLEGEN_220_PREFIX` now, or when this crate was built, or Debian's place.
pub fn llvm_prefix() -> PathBuf {
    std::env::var_os("TABLEGEN_220_PREFIX")
        .or_else(|| option_env!("TABLEGEN_220_PREFIX").map(Into::into))
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from)
}
