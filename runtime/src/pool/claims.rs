//! Which ranges of a loop nobody has begun: for each thread one word, of which all claim.

use crate::sync::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// As many ranges as a word can tell apart.
pub const MOST_RANGES: usize = u32::MAX as usize;

/// A word in a line of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Word(AtomicU64);

/// The unclaimed ranges of each thread: the first and the one behind the last, in 32 bits each.
#[derive(Debug)]
pub struct Claims {
    words: Box<[Word]>,
}

impl Claims {
    /// For so many threads.
    pub fn new(threads: usize) -> Claims {
        Claims { words: (0..threads).map(|_| Word(AtomicU64::new(0))).collect() }
    }

    /// Offers ranges, each thread its part. All before must be claimed.
    pub fn offer(&self, count: usize) {
        let threads = self.words.len();
        for (number, word) in self.words.iter().enumerate() {
            let [first, end] = [number, number + 1].map(|number| (number * count / threads) as u64);
            word.0.store(first << 32 | end, Release);
        }
    }

    /// Claims a range for a thread: the next of its own, or the last of another's; none where all are claimed.
    pub fn claim(&self, number: usize) -> Option<usize> {
        let threads = self.words.len();
        let own = self.take(number, |first, end| (first, (first + 1) << 32 | end));
        let others = (1..threads).map(|further| (number + further) % threads);
        own.or_else(|| {
            others.into_iter().find_map(|other| self.take(other, |first, end| (end - 1, first << 32 | (end - 1))))
        })
    }

    /// Claims a range of a thread's: which, and what is left.
    fn take(&self, number: usize, choose: impl Fn(u64, u64) -> (u64, u64)) -> Option<usize> {
        let word = &self.words[number].0;
        let mut seen = word.load(Acquire);
        loop {
            let (first, end) = (seen >> 32, seen & u64::from(u32::MAX));
            if first >= end {
                return None;
            }
            let (range, left) = choose(first, end);
            match word.compare_exchange_weak(seen, left, AcqRel, Acquire) {
                Ok(_) => return usize::try_from(range).ok(),
                Err(now) => seen = now,
            }
        }
    }
}
