//! Sets of patterns that a context keeps when they are compiled, which takes longer than to apply them to a small graph.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use super::{FrozenPatterns, PatternSet, PdlPatterns};
use crate::ir::Context;
use crate::{Error, ffi};

/// Patterns in PDL that each context compiles once, when they are first asked for. They stand in a `static`:
///
/// ```rust,ignore
/// static REWRITES: KeptPatterns = KeptPatterns::new(|| rewrites::patterns(Functions));
/// REWRITES.of(root.context(), false)?.apply_greedily(root, &options)?;
/// ```
pub struct KeptPatterns {
    make: fn() -> PdlPatterns,
}

/// The compiled sets of a context, by where their `static` stands and whether they count.
#[derive(Default)]
struct Kept(Mutex<HashMap<(usize, bool), Arc<FrozenPatterns<'static>>>>);

impl KeptPatterns {
    /// The patterns that `make` makes.
    pub const fn new(make: fn() -> PdlPatterns) -> Self {
        Self { make }
    }

    /// The patterns, compiled for a context, and `counted` as [`PatternSet::count`] has it. Contexts that no
    /// [`Registry`](crate::Registry) made keep nothing.
    ///
    /// # Errors
    /// As [`PatternSet::add_pdl`] and [`PatternSet::freeze`]; the next call tries again.
    pub fn of<'c>(&'static self, context: &'c Context, counted: bool) -> Result<Arc<FrozenPatterns<'c>>, Error> {
        // SAFETY: the context is valid, and what it keeps was made by `skndRustNewKept`.
        let kept = unsafe { ffi::skndKept(context.to_raw()).cast::<Kept>().as_ref() };
        let Some(Kept(sets)) = kept else { return self.freeze(context, counted).map(Arc::new) };
        let mut sets = sets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (std::ptr::from_ref(self).addr(), counted);
        if let Some(found) = sets.get(&key) {
            return Ok(found.clone());
        }
        let frozen = Arc::new(self.freeze(context, counted)?);
        // SAFETY: the context drops the set before what the set points to; callers get it for the context's lifetime.
        let held = unsafe { std::mem::transmute::<Arc<FrozenPatterns<'c>>, Arc<FrozenPatterns<'static>>>(frozen) };
        sets.insert(key, held.clone());
        Ok(held)
    }

    fn freeze<'c>(&self, context: &'c Context, counted: bool) -> Result<FrozenPatterns<'c>, Error> {
        let mut patterns = PatternSet::new(context);
        patterns.add_pdl((self.make)())?;
        if counted {
            patterns.count();
        }
        patterns.freeze()
    }
}

#[unsafe(no_mangle)]
extern "C" fn skndRustNewKept() -> *mut c_void {
    Box::into_raw(Box::<Kept>::default()).cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustDropKept(kept: *mut c_void) {
    // SAFETY: the context gives back, once, what `skndRustNewKept` made for it.
    drop(unsafe { Box::from_raw(kept.cast::<Kept>()) });
}
