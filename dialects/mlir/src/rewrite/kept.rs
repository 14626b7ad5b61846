//! Sets of patterns that a context keeps when they are compiled, which takes longer than to apply them to a small graph.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use super::{FrozenPatterns, Natives, PatternSet, PdlPatterns};
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

/// What sets are known by: where their `static` stands, or the text of their file.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Static(usize),
    Text { text: Arc<str>, file_name: Arc<str> },
}

/// The compiled sets of a context, each in stages, and whether they count.
#[derive(Default)]
struct Kept(Mutex<HashMap<(Key, bool), Stages<'static>>>);

/// Sets that are applied one after the other.
type Stages<'c> = Vec<Arc<FrozenPatterns<'c>>>;

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
        let key = Key::Static(std::ptr::from_ref(self).addr());
        let mut stages = kept(context, key, counted, || Ok(vec![(self.make)()]))?;
        stages.pop().ok_or_else(|| Error::Invalid("there is no set of patterns".into()))
    }
}

/// The patterns of a text in PDL as [`PdlPatterns::staged`] has them, compiled once for each context and text, `counted` as
/// [`PatternSet::count`] has it. The natives are those of the first time.
///
/// # Errors
/// As [`KeptPatterns::of`].
pub fn kept_stages<'c>(
    context: &'c Context,
    text: &str,
    file_name: &str,
    natives: impl Fn() -> Natives,
    counted: bool,
) -> Result<Vec<Arc<FrozenPatterns<'c>>>, Error> {
    let key = Key::Text { text: text.into(), file_name: file_name.into() };
    kept(context, key, counted, || PdlPatterns::staged(context, text, file_name, natives))
}

/// What the context keeps for a key, or what is made and kept now.
fn kept<'c>(
    context: &'c Context,
    key: Key,
    counted: bool,
    make: impl FnOnce() -> Result<Vec<PdlPatterns>, Error>,
) -> Result<Stages<'c>, Error> {
    let compiled = || -> Result<Stages<'c>, Error> {
        make()?.into_iter().map(|patterns| freeze(context, patterns, counted).map(Arc::new)).collect()
    };
    // SAFETY: the context is valid, and what it keeps was made by `skndRustNewKept`.
    let kept = unsafe { ffi::skndKept(context.to_raw()).cast::<Kept>().as_ref() };
    let Some(Kept(sets)) = kept else { return compiled() };
    let mut sets = sets.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (key, counted);
    if let Some(found) = sets.get(&key) {
        return Ok(found.clone());
    }
    // SAFETY: the context drops the sets before what they point to; callers get them for the context's lifetime.
    let held = unsafe { std::mem::transmute::<Stages<'c>, Stages<'static>>(compiled()?) };
    sets.insert(key, held.clone());
    Ok(held)
}

fn freeze<'c>(context: &'c Context, patterns: PdlPatterns, counted: bool) -> Result<FrozenPatterns<'c>, Error> {
    let mut set = PatternSet::new(context);
    set.add_pdl(patterns)?;
    if counted {
        set.count();
    }
    set.freeze()
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
