//! The names that a variable goes by, and its files in a folder.

use crate::error::ModelError;
use crate::file::read_tensor;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// All names of the variable whose file has this stem, the longest first: `main.G.a.w`, `G.a.w`, and `a.w` where `graph` is G or
/// not known.
pub fn names(stem: &str, graph: Option<&str>) -> Vec<String> {
    let scoped = stem.strip_prefix("main.").unwrap_or(stem);
    let own = scoped.split_once('.').filter(|(root, _)| graph.is_none_or(|graph| graph == *root));
    let mut names: Vec<&str> = [stem, scoped].into_iter().chain(own.map(|(_, name)| name)).collect();
    names.dedup();
    names.into_iter().map(str::to_owned).collect()
}

/// The files of a folder that have one of the names, in their order. What saves a state writes the last one.
pub fn fitting(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    possible(folder, names).filter(|file| file.is_file()).collect()
}

/// Those of several files that hold something else than the first.
pub fn differing(files: &[PathBuf]) -> Vec<&Path> {
    let Some((first, others)) = files.split_first() else { return Vec::new() };
    others.iter().map(PathBuf::as_path).filter(|other| !are_same(first, other)).collect()
}

/// What is said of a variable that several files are of.
pub fn ambiguity(taken: &Path, others: &[&Path]) -> String {
    let others: Vec<_> = others.iter().map(|file| file.display().to_string()).collect();
    format!("it has several files that differ: {}, and {}", taken.display(), others.join(", "))
}

/// Where the file of a variable was looked for, and what is there in its place.
pub fn nowhere(folder: &Path, names: &[String]) -> String {
    let files: Vec<_> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
    let text = format!("there is no file {}.dat, nor .npy", files.join(".dat, nor .npy, nor "));
    match possible(folder, names).find_map(|file| Some((obstacle(&file)?, file))) {
        Some((found, file)) => format!("{text}; {} {found}", file.display()),
        None => text,
    }
}

/// Refuses what is no folder.
pub(crate) fn check_folder(folder: &Path) -> Result<(), ModelError> {
    let failed = |found: String| Err(ModelError::NoFolder { path: folder.into(), found });
    // Names without a folder lie in the current one.
    match folder.metadata() {
        _ if folder.as_os_str().is_empty() => Ok(()),
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => failed("a file".into()),
        Err(error) if error.kind() == ErrorKind::NotFound => failed("nothing of this name".into()),
        Err(error) => failed(format!("nothing: {error}")),
    }
}

fn possible<'a>(folder: &'a Path, names: &'a [String]) -> impl Iterator<Item = PathBuf> + 'a {
    names.iter().flat_map(|name| ["dat", "npy"].map(|ending| folder.join(format!("{name}.{ending}"))))
}

fn are_same(one: &Path, other: &Path) -> bool {
    let same_bytes = matches!((std::fs::read(one), std::fs::read(other)), (Ok(one), Ok(other)) if one == other);
    same_bytes || matches!((read_tensor(one), read_tensor(other)), (Ok(one), Ok(other)) if one == other)
}

/// What is at a place where no file is; none where nothing is.
fn obstacle(file: &Path) -> Option<String> {
    match (file.symlink_metadata(), file.metadata()) {
        (Err(error), _) if error.kind() == ErrorKind::NotFound => None,
        (Err(error), _) => Some(format!("can't be looked at: {error}")),
        (_, Ok(found)) if found.is_dir() => Some("is a folder".into()),
        (_, Ok(_)) => Some("is a device or a pipe".into()),
        (_, Err(error)) => Some(format!("is a link that can't be followed: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{write_dat, write_npy};
    use crate::tensor::{Tensor, TensorData};

    #[test]
    fn a_variable_goes_by_every_name_of_its_scopes() {
        assert_eq!(names("main.G.a.w", Some("G")), ["main.G.a.w", "G.a.w", "a.w"]);
        assert_eq!(names("main.G.a.w", None), ["main.G.a.w", "G.a.w", "a.w"]);
        assert_eq!(names("main.Great.w", Some("G")), ["main.Great.w", "Great.w"]);
        assert_eq!(names("G.w", Some("G")), ["G.w", "w"]);
        assert_eq!(names("w", Some("G")), ["w"]);
    }

    #[test]
    fn files_that_hold_the_same_do_not_differ() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let of = |items: &[f32]| Tensor { shape: vec![items.len()], data: TensorData::F32(items.to_vec()) };
        write_npy(&at("main.G.w.npy"), &of(&[f32::NAN])).unwrap();
        write_npy(&at("w.npy"), &of(&[f32::NAN])).unwrap();
        let found = || fitting(folder.path(), &names("main.G.w", Some("G")));
        assert_eq!((found().len(), differing(&found()).len()), (2, 0));
        write_npy(&at("main.G.w.npy"), &of(&[])).unwrap();
        write_dat(&at("G.w.dat"), &of(&[])).unwrap();
        assert_eq!(found(), [at("main.G.w.npy"), at("G.w.dat"), at("w.npy")]);
        assert_eq!(differing(&found()), [at("w.npy")]);
        std::fs::write(at("G.w.dat"), "text").unwrap();
        assert_eq!(differing(&found()).len(), 2);
        assert!(differing(&[]).is_empty());
    }
}
