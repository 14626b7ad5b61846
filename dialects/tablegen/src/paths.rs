//! Where .td files are found.

use std::path::{Path, PathBuf};

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
