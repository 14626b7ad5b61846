//! The bytes of a tensor file. Small files are copied; large ones are mapped, so that weights take no memory of the process and
//! are read where and when they are used.
//!
//! What is mapped shrinks with its file. Nothing keeps others from that: leases and locks are for those who ask for them, and
//! wear off; and looking at the length before the bytes are used says nothing of the moment after. So the bytes are watched: pages
//! that are gone are replaced by zeros as they are touched, and noted ([`super::watch`]); the last page that stays has
//! zeros behind the file's end, which only its length tells. Who used the bytes asks [`Bytes::check`] afterwards, and
//! throws away what came of them where it fails.

use super::watch;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Acquire};

/// Files of so many bytes are mapped: what is copied of a model with many smaller ones is little, and asking for the length of a
/// file takes no time beside reading this many.
const MAPPED_FROM: u64 = 1 << 20;

/// Files by larger numbers are closed once they are mapped: a process has few descriptors, and models with thousands of
/// variables shall not take them all. Of these only whole pages are watched.
const LAST_KEPT: i32 = 511;

/// The bytes of a file as it was opened.
#[derive(Debug)]
pub enum Bytes {
    /// In memory: whatever happens to the file does not change them.
    Copied(Vec<u8>),
    /// In the file.
    Mapped {
        /// Where they lie.
        map: Mmap,
        /// To ask for its length.
        file: Option<File>,
        /// Whether pages are gone.
        is_lost: Arc<AtomicBool>,
    },
}

impl Bytes {
    /// Those of a regular file.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn of(mut file: File) -> io::Result<Bytes> {
        let length = file.metadata()?.len();
        if length < MAPPED_FROM {
            let mut bytes = Vec::new();
            // A file that grows meanwhile is not followed.
            file.by_ref().take(MAPPED_FROM).read_to_end(&mut bytes)?;
            return Ok(Bytes::Copied(bytes));
        }
        // SAFETY: the map is read-only; what happens to it when others write to the file is watched.
        let map = unsafe { Mmap::map(&file) }?;
        let is_lost = watch::begin(&map);
        let file = Some(file).filter(|file| file.as_raw_fd() <= LAST_KEPT);
        Ok(Bytes::Mapped { map, file, is_lost })
    }

    /// Says that the bytes are not those of the file as it was opened: how many there were, and, where it is known, are.
    ///
    /// # Errors
    /// Where the file has become shorter or can't be read.
    pub fn check(&self) -> Result<(), Shrunk> {
        let Bytes::Mapped { map, file, is_lost } = self else { return Ok(()) };
        let now = file.as_ref().and_then(|file| Some(file.metadata().ok()?.len()));
        let is_shorter = now.is_some_and(|now| now < map.len() as u64);
        if is_shorter || is_lost.load(Acquire) { Err(Shrunk { opened: map.len() as u64, now }) } else { Ok(()) }
    }
}

/// The lengths of a file that has lost bytes while they were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shrunk {
    /// When it was opened.
    pub opened: u64,
    /// When it was looked at again, if that could be done.
    pub now: Option<u64>,
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Copied(bytes) => bytes,
            Bytes::Mapped { map, .. } => map,
        }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        if let Bytes::Mapped { map, .. } = self {
            watch::end(map);
        }
    }
}
