//! Changing IR.
//!
//! SAFETY, for all calls of MLIR here: a rewriter is valid for the lifetime `'a` that it is borrowed for from the driver, and
//! the operations and values given are valid by their types. What MLIR asserts is checked first.

use std::cell::RefCell;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::Deref;

use mlir_sys::*;

use crate::Failure;
use crate::ir::context::context_from_raw;
use crate::ir::{Attribute, BlockRef, Builder, Context, Location, OperationRef, Value};

/// Changes IR so that the driver that runs the pattern knows of it. It erases nothing.
pub struct Editor<'c, 'a> {
    raw: MlirRewriterBase,
    _context: PhantomData<&'c Context>,
    _scope: PhantomData<&'a ()>,
}

impl<'c: 'a, 'a> Editor<'c, 'a> {
    /// # Safety
    ///
    /// The rewriter must be valid for `'a`, its context for `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirRewriterBase) -> Self {
        Self { raw, _context: PhantomData, _scope: PhantomData }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        unsafe { context_from_raw(mlirRewriterBaseGetContext(self.raw)) }
    }

    /// A builder before an operation, with its location.
    pub fn before(&self, operation: OperationRef<'c, 'a>) -> Result<Builder<'c, 'a>, Failure> {
        // SAFETY: the rewriter is valid for `'a`.
        Ok(unsafe { Builder::before(operation)?.watched_by(self.raw) })
    }

    /// A builder where the driver stands, without a location.
    pub(super) fn here(&self) -> Option<Builder<'c, 'a>> {
        let location = Location::unknown(self.context());
        unsafe {
            let builder = match OperationRef::from_option_raw(mlirRewriterBaseGetOperationAfterInsertion(self.raw)) {
                Some(next) => Builder::before(next).ok()?.located(location),
                None => {
                    let block = BlockRef::from_option_raw(mlirRewriterBaseGetInsertionBlock(self.raw))?;
                    Builder::at_end(block, location)
                }
            };
            Some(builder.watched_by(self.raw))
        }
    }

    /// Changes an operand of an operation.
    pub fn set_operand(
        &self,
        operation: OperationRef<'c, 'a>,
        index: usize,
        value: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        self.modify(operation, || operation.set_operand(index, value))
    }

    /// Sets an attribute of an operation.
    pub fn set_attribute(&self, operation: OperationRef<'c, 'a>, name: &str, attribute: Attribute<'c>) {
        self.modify(operation, || operation.set(name, attribute));
    }

    fn modify<R>(&self, operation: OperationRef<'c, 'a>, change: impl FnOnce() -> R) -> R {
        let raw = operation.to_raw();
        unsafe { mlirRewriterBaseStartOpModification(self.raw, raw) };
        let result = change();
        unsafe { mlirRewriterBaseFinalizeOpModification(self.raw, raw) };
        result
    }
}

/// An [`Editor`] that erases and replaces, too.
///
/// What is erased stays where it is until the scope that has the rewriter ends, unused and with all that it is made of: so
/// whatever refers to it stays valid as long as it can.
pub struct Rewriter<'c, 'a> {
    editor: Editor<'c, 'a>,
    erased: RefCell<Erased<'c, 'a>>,
}

impl<'c, 'a> Deref for Rewriter<'c, 'a> {
    type Target = Editor<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.editor
    }
}

/// What is to be erased at the end, in order.
#[derive(Default)]
struct Erased<'c, 'a> {
    operations: Vec<OperationRef<'c, 'a>>,
    keys: HashSet<usize>,
}

impl<'c: 'a, 'a> Rewriter<'c, 'a> {
    /// Runs an action with a rewriter and erases what it asked to be erased, also where it fails.
    ///
    /// # Safety
    ///
    /// The rewriter must be valid for `'a`, its context for `'c`. What is erased must not be used afterwards: the
    /// references of `'a` must not outlive this call.
    pub(crate) unsafe fn scope<R>(
        raw: MlirRewriterBase,
        action: impl FnOnce(&Self) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        // SAFETY: as the caller promises.
        let editor = unsafe { Editor::from_raw(raw) };
        let rewriter = Self { editor, erased: RefCell::default() };
        let result = action(&rewriter);
        let erased = rewriter.flush();
        result.and_then(|result| erased.map(|()| result))
    }

    /// Replaces the results of an operation, one value for each, and erases it.
    pub fn replace(&self, operation: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Failure> {
        let (name, expected, found) = (operation.full_name(), operation.result_count(), values.len());
        if expected != found {
            let message = format!("`{name}` has {expected} results, but is to be replaced by {found} values");
            return Err(Failure::new(message));
        }
        for (result, value) in operation.results().zip(values) {
            self.replace_all_uses(result, *value);
        }
        self.erase(operation)
    }

    /// Replaces the uses of a value.
    pub fn replace_all_uses(&self, value: Value<'c, 'a>, by: Value<'c, 'a>) {
        unsafe { mlirRewriterBaseReplaceAllUsesWith(self.editor.raw, value.to_raw(), by.to_raw()) }
    }

    /// Erases an operation whose results are unused, but by what was erased before, at the end of the scope.
    pub fn erase(&self, operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if self.is_needed(operation) {
            return Err(Failure::new(format!("`{}` cannot be erased: it is used", operation.full_name())));
        }
        let mut erased = self.erased.borrow_mut();
        if erased.keys.insert(operation.key()) {
            erased.operations.push(operation);
        }
        Ok(())
    }

    /// Whether something that stays uses a result.
    fn is_needed(&self, operation: OperationRef<'c, 'a>) -> bool {
        let erased = self.erased.borrow();
        let mut users = operation.results().flat_map(|result| result.uses());
        users.any(|(user, _)| !ancestors(user).any(|around| erased.keys.contains(&around.key())))
    }

    /// Erases what is to be erased. What stands inside of something else that is erased goes with it.
    fn flush(&self) -> Result<(), Failure> {
        let Erased { operations, keys } = self.erased.take();
        let inside =
            |operation: &OperationRef<'c, 'a>| ancestors(*operation).skip(1).any(|around| keys.contains(&around.key()));
        let outermost: Vec<_> = operations.into_iter().filter(|operation| !inside(operation)).collect();
        let mut kept = None;
        for operation in outermost {
            // A use may have been added since.
            if operation.is_used() {
                kept = Some(operation.full_name());
                continue;
            }
            unsafe { mlirRewriterBaseEraseOp(self.editor.raw, operation.to_raw()) }
        }
        kept.map_or(Ok(()), |name| Err(Failure::new(format!("`{name}` is used after it was erased"))))
    }
}

/// An operation and those around it, from the inside.
fn ancestors<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(Some(operation), OperationRef::parent_operation)
}

/// Runs an action with a rewriter of its own, outside of any driver.
pub fn with_rewriter<'c: 'a, 'a, R>(
    operation: OperationRef<'c, 'a>,
    action: impl FnOnce(&Rewriter<'c, 'a>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    struct Owned(MlirRewriterBase);
    impl Drop for Owned {
        fn drop(&mut self) {
            unsafe { mlirIRRewriterDestroy(self.0) }
        }
    }
    let owned = Owned(unsafe { mlirIRRewriterCreateFromOp(operation.to_raw()) });
    unsafe { Rewriter::scope(owned.0, action) }
}
