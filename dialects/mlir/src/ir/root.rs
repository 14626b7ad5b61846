//! Exclusive access to IR, what becomes of what is erased from it, and callbacks that must not erase.
//!
//! References to IR are copied freely, so nothing that is erased can be freed while one may exist. It is set aside: taken
//! out of its block, its operands dropped. It is freed when the [`Root`] goes that it was part of, which no reference outlives.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mlir_sys::{MlirOperation, mlirOperationDestroy, mlirOperationEqual, mlirOperationGetParentOperation};

use super::{Context, Module, OperationRef};
use crate::diagnostics::Failure;
use crate::ffi;

/// Exclusive access to an operation and all that it contains: while a driver or a pipeline changes it, there are no
/// references to what is inside.
pub struct Root<'c, 'r> {
    raw: MlirOperation,
    _context: PhantomData<&'c Context>,
    _scope: PhantomData<&'r mut ()>,
}

/// A root that there is on this thread, with what was set aside of it.
struct Scope {
    root: MlirOperation,
    erased: Vec<MlirOperation>,
}

thread_local! {
    static SCOPES: RefCell<Vec<Scope>> = const { RefCell::new(Vec::new()) };
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

impl<'c, 'r> Root<'c, 'r> {
    /// # Safety
    ///
    /// The operation must be valid for `'r`, its context for `'c`, and there must be no other references to it or what it
    /// contains.
    pub(crate) unsafe fn new(raw: MlirOperation) -> Self {
        SCOPES.with_borrow_mut(|scopes| scopes.push(Scope { root: raw, erased: Vec::new() }));
        Root { raw, _context: PhantomData, _scope: PhantomData }
    }

    /// The operation.
    pub fn operation<'a>(&'a self) -> OperationRef<'c, 'a> {
        // SAFETY: the operation is valid for longer than `self` is borrowed.
        unsafe { OperationRef::from_raw(self.raw) }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.operation().context()
    }
}

impl Drop for Root<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the root is valid.
        let is_own = |scope: &Scope| unsafe { mlirOperationEqual(scope.root, self.raw) };
        let own = SCOPES.with_borrow_mut(|scopes| scopes.iter().rposition(is_own).map(|at| scopes.remove(at)));
        for operation in own.into_iter().flat_map(|scope| scope.erased) {
            // SAFETY: it stands nowhere, nothing uses it, and all references to it borrowed this root.
            unsafe { mlirOperationDestroy(operation) };
        }
    }
}

impl<'c> Module<'c> {
    /// Exclusive access to the module.
    pub fn root(&mut self) -> Root<'c, '_> {
        // SAFETY: the module is borrowed exclusively, so there are no references to what is inside.
        unsafe { Root::new(self.as_operation().to_raw()) }
    }
}

/// Takes an operation out of its block and drops its operands. What is part of no root of this thread is never freed: its
/// references may live as long as their module.
pub(crate) fn set_aside(operation: OperationRef<'_, '_>) -> Result<(), Failure> {
    let scope = scope_of(operation.to_raw());
    // SAFETY: the operation is valid; it is only taken out where it stands somewhere and is not used outside of itself.
    if !unsafe { ffi::skndSetAside(operation.to_raw()) } {
        return Err(Failure::new(format!("`{}` cannot be erased: it is used", operation.full_name())));
    }
    if let Some(at) = scope {
        SCOPES.with_borrow_mut(|scopes| scopes[at].erased.push(operation.to_raw()));
    }
    Ok(())
}

/// The innermost scope that an operation is part of.
fn scope_of(operation: MlirOperation) -> Option<usize> {
    SCOPES.with_borrow(|scopes| {
        let mut current = operation;
        while !current.ptr.is_null() {
            // SAFETY: the operations are valid.
            let found = scopes.iter().rposition(|scope| unsafe { mlirOperationEqual(scope.root, current) });
            if found.is_some() {
                return found;
            }
            // SAFETY: as above.
            current = unsafe { mlirOperationGetParentOperation(current) };
        }
        None
    })
}

/// Whether MLIR looks on: inside callbacks other than passes nothing may be erased behind its back.
pub(crate) struct Watched {
    before: bool,
}

impl Watched {
    /// Until it is dropped.
    pub fn enter(watched: bool) -> Self {
        Watched { before: WATCHED.replace(watched) }
    }

    /// Whether a callback runs that must not erase.
    pub fn is_on() -> bool {
        WATCHED.get()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        WATCHED.set(self.before);
    }
}

/// Runs a callback that MLIR calls. A panic must not unwind into C++: it becomes a failure.
pub(crate) fn guard<R>(callback: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    let _inside = Watched::enter(true);
    catch_unwind(AssertUnwindSafe(callback)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("unknown reason");
        Err(Failure::new(format!("internal error: {message}")))
    })
}
