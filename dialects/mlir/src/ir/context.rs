//! Contexts, and the way from a part of the IR back to its context.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::{LazyLock, PoisonError, RwLock};

use melior::ContextRef;
use mlir_sys::MlirContext;

/// What types, attributes and IR belong to: it owns all of their memory that is shared. [`crate::Registry`] makes those
/// that know dialects.
#[derive(Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Context(pub(crate) melior::Context);

impl Context {
    /// A context that knows the builtin dialect only.
    pub fn new() -> Self {
        Self(melior::Context::new())
    }

    pub(crate) fn to_raw(&self) -> MlirContext {
        self.0.to_raw()
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

pub(crate) fn context_of(context: ContextRef<'_>) -> &Context {
    // SAFETY: a melior context reference stays valid for its lifetime; its layout is that of `MlirContext`, which is all
    // it holds (checked below).
    let raw = unsafe { std::mem::transmute::<ContextRef<'_>, MlirContext>(context) };
    // SAFETY: as above, the context lives at least as long as the lifetime of the reference that was given.
    unsafe { context_from_raw(raw) }
}

const _: () = assert!(size_of::<ContextRef<'static>>() == size_of::<MlirContext>());

/// One handle for each address at which a context was seen. A handle is only an address, is never dropped, and stands for
/// whichever context lives there.
static HANDLES: LazyLock<RwLock<HashMap<usize, &'static Handle>>> = LazyLock::new(RwLock::default);

struct Handle(ManuallyDrop<Context>);

// SAFETY: a handle is an address; what may be done with a context from which thread is MLIR's contract, and its contexts
// are made to be shared.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

/// A reference to the context, without owning it.
///
/// # Safety
///
/// The context must live as long as the chosen lifetime.
pub(crate) unsafe fn context_from_raw<'c>(raw: MlirContext) -> &'c Context {
    let address = raw.ptr as usize;
    if let Some(handle) = HANDLES.read().unwrap_or_else(PoisonError::into_inner).get(&address) {
        return &handle.0;
    }
    let mut handles = HANDLES.write().unwrap_or_else(PoisonError::into_inner);
    let handle = handles.entry(address).or_insert_with(|| {
        // SAFETY: `Context` holds nothing but the `MlirContext` (checked below).
        let context = unsafe { std::mem::transmute::<MlirContext, Context>(raw) };
        Box::leak(Box::new(Handle(ManuallyDrop::new(context))))
    });
    &handle.0
}

const _: () = assert!(size_of::<Context>() == size_of::<MlirContext>());
