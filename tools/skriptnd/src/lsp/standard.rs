//! The texts of the standard library as files that an editor can open.

use skriptnd_language::library::Library;
use skriptnd_runtime::atomic::write_file;
use skriptnd_source::{FileId, SourceMap};
use std::fs;
use std::path::PathBuf;

/// The folder for the texts of this version.
pub fn folder() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
    let base = cache.filter(|path| path.is_absolute()).unwrap_or_else(std::env::temp_dir);
    base.join("skriptnd").join(env!("CARGO_PKG_VERSION")).join("stdlib")
}

/// The file with this text of the standard library, written if it is not there.
pub fn file(library: &Library, sources: &SourceMap, file: FileId) -> Option<PathBuf> {
    let name = library.path_of(file).filter(|path| library.is_standard(path))?;
    let text = &sources.file(file)?.text;
    let path = folder().join(name).with_extension("sknd");
    if fs::read(&path).is_ok_and(|known| known == text.as_bytes()) {
        return Some(path);
    }
    fs::create_dir_all(path.parent()?).ok()?;
    write_file(&path, |out| out.write_all(text.as_bytes())).ok()?;
    Some(path)
}
