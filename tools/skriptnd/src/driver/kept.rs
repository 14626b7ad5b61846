//! What a command reads and must not write to: its results would take the place of a model, weights or rules.

use crate::failure::Failure;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
#[cfg(feature = "mlir")]
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A file by its device and number, which are the same whatever it is called.
type Identity = (u64, u64);

/// The files, with what they are.
static KEPT: Mutex<Vec<(Identity, &'static str)>> = Mutex::new(Vec::new());

fn identity(path: &Path) -> Option<Identity> {
    // Devices and pipes lose nothing when they are written to.
    let found = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some((found.dev(), found.ino()))
}

/// Notes that a file is read as what `role` says, and must stay.
pub fn keep(path: &Path, role: &'static str) {
    if let Some(identity) = identity(path) {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).push((identity, role));
    }
}

/// Refuses to write to a file that is read.
pub fn check(path: &Path) -> Result<(), Failure> {
    let Some(identity) = identity(path) else { return Ok(()) };
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().find(|(known, _)| *known == identity) {
        None => Ok(()),
        Some((_, role)) => Err(would_overwrite(path, role)),
    }
}

/// Refuses to write files to the folder that others of their kind are read from.
#[cfg(feature = "mlir")]
pub fn check_folders(written: Option<&PathBuf>, read: Option<&PathBuf>, role: &str) -> Result<(), Failure> {
    let whole = |folder: Option<&PathBuf>| folder.and_then(|folder| folder.canonicalize().ok());
    match (whole(written), whole(read), written) {
        (Some(to), Some(from), Some(shown)) if to == from => Err(would_overwrite(shown, role)),
        _ => Ok(()),
    }
}

fn would_overwrite(path: &Path, role: &str) -> Failure {
    let path = path.display();
    Failure::usage(format!(
        "{path}: is {role}, which would be overwritten\nhelp: give another name for what is written"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_not_written_to_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["model", "other"] {
            std::fs::write(at(name), name).unwrap();
        }
        std::os::unix::fs::symlink("model", at("link")).unwrap();
        std::fs::hard_link(at("model"), at("name")).unwrap();
        keep(&at("model"), "the model");
        keep(&at("nothing"), "nothing");
        keep(Path::new("/dev/null"), "a device");
        for name in ["model", "link", "name", "./model"] {
            let refused = check(&at(name)).unwrap_err().to_string();
            assert!(refused.contains(": is the model, which would be overwritten\nhelp: "), "{refused}");
        }
        assert!(["other", "new", "nothing"].iter().all(|name| check(&at(name)).is_ok()));
        assert!(check(Path::new("/dev/null")).is_ok() && check(Path::new("-")).is_ok());
    }
}
