//! The folder of entries.

use super::entry::{Entry, Ignored, read};
use crate::nest::key::fingerprint;
use crate::nest::text::Written;
use crate::target::Target;
use skriptnd_runtime::atomic;
use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The ending of entries.
const ENDING: &str = "schedule";
/// Bytes of an entry at most: the description of a kernel has some hundred lines.
const MOST_BYTES: u64 = 1 << 18;
/// What the names of files begin with that are not in their places yet.
const UNFINISHED: &str = ".skriptnd-";
/// After so long, nobody finishes such a file any more.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// How much may lie in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Entries, of all targets together.
    pub entries: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { entries: 10_000, bytes: 32 << 20 }
    }
}

/// The entries of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    /// Those of all targets.
    root: PathBuf,
    folder: PathBuf,
}

impl Cache {
    /// The entries of a target below a folder, which need not be there. They are those of this machine: the same code may take
    /// another time on another one.
    pub fn new(root: &Path, target: &Target) -> Cache {
        let spec = &target.spec;
        let identity = [&spec.triple, &spec.cpu, &spec.features, &machine()].map(String::as_str).join("\n");
        let cpu: String =
            target.cpu().chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        Cache { root: root.to_owned(), folder: root.join(format!("{cpu}-{}", fingerprint(&identity))) }
    }

    /// The file of a kernel.
    pub fn file(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_extension(ENDING)
    }

    /// The schedule of a kernel, if there is one.
    ///
    /// # Errors
    /// Why the one that there is can't be taken.
    pub fn find(&self, key: &str) -> Result<Option<Written>, Ignored> {
        let content = match content(&self.file(key)) {
            Ok(content) => content,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(Ignored::damaged(error.to_string())),
        };
        read(&content, key).map(Some)
    }

    /// The text of the schedule of a kernel, if there is one that can be taken.
    pub fn text(&self, key: &str) -> Option<String> {
        let content = content(&self.file(key)).ok()?;
        read(&content, key).ok()?;
        content.split_once('\n').map(|(_, text)| text.to_owned())
    }

    /// Keeps the schedule of a kernel in place of what there was.
    ///
    /// # Errors
    /// Where the file can't be written; what was there stays.
    pub fn keep(&self, key: &str, entry: &Entry) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        atomic::write_file(&self.file(key), |out| out.write_all(entry.content().as_bytes()))
    }

    /// Takes the schedule of a kernel away.
    ///
    /// # Errors
    /// Where the file is there and stays.
    pub fn forget(&self, key: &str) -> io::Result<()> {
        match fs::remove_file(self.file(key)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Takes entries away until the rest is within limits, those first that were written longest ago, and what processes left
    /// that ended in the middle.
    pub fn trim(&self, limits: Limits) {
        let (mut entries, mut bytes) = (0, 0);
        let mut found = files(&self.root);
        found.sort_by_key(|(path, _, written)| (Reverse(*written), path.clone()));
        for (path, size, written) in found {
            let is_unfinished = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED));
            let is_entry = path.extension().is_some_and(|ending| ending == ENDING);
            let is_gone = match (is_unfinished, is_entry) {
                (true, _) => written.elapsed().is_ok_and(|age| age > ABANDONED),
                (false, true) => {
                    (entries, bytes) = (entries + 1, bytes + size);
                    entries > limits.entries || bytes > limits.bytes
                }
                (false, false) => false,
            };
            if is_gone {
                // Another process may have been faster.
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn content(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::new(ErrorKind::InvalidData, "it is too large for a schedule"));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text"))
}

/// The files in the folders below a folder, with their bytes and when they were written.
fn files(root: &Path) -> Vec<(PathBuf, u64, SystemTime)> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let described = |path: PathBuf| {
        let known = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        Some((path, known.len(), known.modified().ok()?))
    };
    let is_folder = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|known| known.is_dir());
    entries(root)
        .filter(is_folder)
        .flat_map(|folder| entries(&folder).collect::<Vec<_>>())
        .filter_map(described)
        .collect()
}

/// What the system calls the processor: those of one instruction set differ in their caches.
fn machine() -> String {
    let mut bytes = Vec::new();
    let read = File::open("/proc/cpuinfo").and_then(|file| file.take(4096).read_to_end(&mut bytes));
    let text = read.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&bytes).into_owned());
    let first = text.split("\n\n").next().unwrap_or_default();
    let told = ["model name", "cache size", "CPU implementer", "CPU part", "uarch"];
    let lines = first.lines().filter(|line| told.iter().any(|name| line.starts_with(name)));
    lines.collect::<Vec<_>>().join("\n")
}
