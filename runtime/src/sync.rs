//! What threads of a pool share, and how they wait for each other, in one place: a test has the same names for what a model checker
//! looks at, and puts it in the place of this (`tests/pool_model.rs`).

pub mod cores;

pub use std::hint::spin_loop;
pub use std::sync::Arc;
pub use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
pub use std::thread::{Builder, JoinHandle, Thread, park, yield_now};
use std::time::{Duration, Instant};

/// How long a thread that has nothing to do looks for more before it sleeps: as long as what lies between the loops of a run.
const SPIN: Duration = Duration::from_micros(50);
/// How often it looks before it asks how late it is.
const LOOKS: u32 = 64;
/// How often the caller looks whether the others are done before it lets other programs run.
const MOST_LOOKS: u32 = 4096;

/// A value that threads share, who keep their accesses apart by other means.
#[derive(Debug)]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Reads it.
    pub fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get().cast_const())
    }

    /// Writes it.
    pub fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

/// What a thread has waited.
#[derive(Debug, Default)]
pub struct Waited {
    looks: u32,
    since: Option<Instant>,
}

impl Waited {
    /// Waits a moment for work; whether it has been so long that it is better to sleep.
    pub fn is_long(&mut self) -> bool {
        spin_loop();
        self.looks = self.looks.wrapping_add(1);
        self.looks % LOOKS == 0 && self.since.get_or_insert_with(Instant::now).elapsed() > SPIN
    }

    /// Waits a moment for what others are about to do.
    pub fn pause(&mut self) {
        self.looks = self.looks.saturating_add(1);
        if self.looks < MOST_LOOKS { spin_loop() } else { yield_now() }
    }
}
