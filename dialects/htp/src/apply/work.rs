//! How much may be done for rules altogether.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The parts of replacements that may still be built; without a number, any. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Work(Option<Arc<AtomicUsize>>);

impl Work {
    /// So many parts.
    pub fn limited(parts: usize) -> Self {
        Work(Some(Arc::new(AtomicUsize::new(parts))))
    }

    /// Takes one part; `None` if none is left.
    pub fn take(&self) -> Option<()> {
        let Some(left) = &self.0 else { return Some(()) };
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).ok().map(drop)
    }

    /// Whether none is left.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }
}
