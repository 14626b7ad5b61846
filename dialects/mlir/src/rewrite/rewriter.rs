//! Changing IR.
//!
//! SAFETY, for all calls of MLIR here: a rewriter is valid for the lifetime `'a` that it is borrowed for from the driver, and
//! the operations and values given are valid by their types. What MLIR asserts is checked first.

use std::cell::RefCell;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::Deref;

use mlir_sys::*;

use crate::ir::changes::{note_change, note_erased, with_changes};
use crate::ir::context::context_from_raw;
use crate::ir::root::{Watched, set_aside};
use crate::ir::{Attribute, BlockRef, Builder, Context, Location, OperationRef, Value};
use crate::{Failure, ffi};

/// Changes IR so that the driver that runs the pattern knows of it. It erases nothing.
pub struct Editor<'c, 'a> {
    /// The driver's rewriter; none outside of drivers.
    raw: Option<MlirRewriterBase>,
    context: &'c Context,
    _scope: PhantomData<&'a ()>,
}

impl<'c: 'a, 'a> Editor<'c, 'a> {
    /// # Safety
    ///
    /// The rewriter must be valid for `'a`, its context for `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirRewriterBase) -> Self {
        let context = unsafe { context_from_raw(mlirRewriterBaseGetContext(raw)) };
        Self { raw: Some(raw), context, _scope: PhantomData }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The driver's rewriter; none outside of drivers.
    pub(super) fn raw(&self) -> Option<MlirRewriterBase> {
        self.raw
    }

    /// A builder before an operation, with its location.
    pub fn before(&self, operation: OperationRef<'c, 'a>) -> Result<Builder<'c, 'a>, Failure> {
        let builder = Builder::before(operation)?;
        // SAFETY: the rewriter is valid for `'a`.
        Ok(self.raw.map_or(builder, |raw| unsafe { builder.watched_by(raw) }))
    }

    /// A builder where the rule makes operations, before what it matched, with the location of that.
    ///
    /// # Errors
    /// Outside of drivers.
    pub fn here(&self) -> Result<Builder<'c, 'a>, Failure> {
        let nowhere = || Failure::new("there is no place to build at");
        let location = with_changes(|changes| changes.location()).unwrap_or(Location::unknown(self.context));
        let raw = self.raw.ok_or_else(nowhere)?;
        unsafe {
            let builder = match OperationRef::from_option_raw(mlirRewriterBaseGetOperationAfterInsertion(raw)) {
                Some(next) => Builder::before(next)?.located(location),
                None => {
                    let block =
                        BlockRef::from_option_raw(mlirRewriterBaseGetInsertionBlock(raw)).ok_or_else(nowhere)?;
                    Builder::at_end(block, location)
                }
            };
            Ok(builder.watched_by(raw))
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

    /// Moves an operation before another one. What it needs has to be there, and what needs it to stand behind.
    pub fn move_before(&self, operation: OperationRef<'c, 'a>, place: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let is_inside = ancestors(place).any(|around| around == operation);
        if operation.root() != place.root() || operation.block().is_none() || place.block().is_none() || is_inside {
            let (name, other) = (operation.full_name(), place.full_name());
            return Err(Failure::new(format!("`{name}` cannot be moved before `{other}`")));
        }
        unsafe {
            match self.raw {
                Some(raw) => mlirRewriterBaseMoveOpBefore(raw, operation.to_raw(), place.to_raw()),
                None => mlirOperationMoveBefore(operation.to_raw(), place.to_raw()),
            }
        }
        Ok(())
    }

    /// Sets an attribute of an operation.
    pub fn set_attribute(&self, operation: OperationRef<'c, 'a>, name: &str, attribute: Attribute<'c>) {
        self.modify(operation, || operation.set(name, attribute));
    }

    /// Says where an operation comes from.
    pub fn set_location(&self, operation: OperationRef<'c, 'a>, location: Location<'c>) {
        // SAFETY: both are valid.
        self.modify(operation, || unsafe { mlirOperationSetLocation(operation.to_raw(), location.to_raw()) });
    }

    fn modify<R>(&self, operation: OperationRef<'c, 'a>, change: impl FnOnce() -> R) -> R {
        let Some(rewriter) = self.raw else { return change() };
        note_change(operation, false);
        unsafe { mlirRewriterBaseStartOpModification(rewriter, operation.to_raw()) };
        let result = change();
        unsafe { mlirRewriterBaseFinalizeOpModification(rewriter, operation.to_raw()) };
        result
    }
}

/// An [`Editor`] that erases and replaces, too. What is erased stays valid memory: in a pattern it stays where it is until
/// the pattern ends; elsewhere it is taken out of its block, without operands, and freed with the [`crate::ir::Root`].
pub struct Rewriter<'c, 'a> {
    editor: Editor<'c, 'a>,
    /// What is to be erased when the pattern ends; none outside of drivers, where nobody looks on.
    erased: Option<RefCell<Erased<'c, 'a>>>,
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
        let rewriter = Self { editor, erased: Some(RefCell::default()) };
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
        values.iter().try_for_each(|value| value.check_usable_in(operation.root()))?;
        for (result, value) in operation.results().zip(values) {
            self.replace_all_uses(result, *value);
        }
        self.erase(operation)
    }

    /// Replaces the uses of a value.
    fn replace_all_uses(&self, value: Value<'c, 'a>, by: Value<'c, 'a>) {
        note_retyped(value, by);
        unsafe {
            match self.editor.raw {
                Some(raw) => mlirRewriterBaseReplaceAllUsesWith(raw, value.to_raw(), by.to_raw()),
                None => mlirValueReplaceAllUsesOfWith(value.to_raw(), by.to_raw()),
            }
        }
    }

    /// Erases an operation whose results are unused, but by what was erased before, at the end of the scope.
    pub fn erase(&self, operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let Some(erased) = &self.erased else { return set_aside(operation) };
        if is_needed(operation, &erased.borrow()) {
            return Err(Failure::new(format!("`{}` cannot be erased: it is used", operation.full_name())));
        }
        let mut erased = erased.borrow_mut();
        if erased.keys.insert(operation.key()) {
            erased.operations.push(operation);
        }
        Ok(())
    }

    /// Erases what is to be erased. What stands inside of something else that is erased goes with it.
    fn flush(&self) -> Result<(), Failure> {
        let erased = self.erased.as_ref().map(RefCell::take);
        let (Some(raw), Some(Erased { operations, keys })) = (self.editor.raw, erased) else { return Ok(()) };
        let inside =
            |operation: &OperationRef<'c, 'a>| ancestors(*operation).skip(1).any(|around| keys.contains(&around.key()));
        let outermost: Vec<_> = operations.into_iter().filter(|operation| !inside(operation)).collect();
        let mut kept = None;
        for operation in outermost {
            // A use may have been added since.
            if unsafe { ffi::skndIsUsedOutside(operation.to_raw()) } {
                kept = Some(operation.full_name());
                continue;
            }
            note_erased(operation);
            unsafe { mlirRewriterBaseEraseOp(raw, operation.to_raw()) }
        }
        kept.map_or(Ok(()), |name| Err(Failure::new(format!("`{name}` is used after it was erased"))))
    }
}

/// Notes the users of a value that get one of another type.
pub(super) fn note_retyped<'c: 'a, 'a>(value: Value<'c, 'a>, by: Value<'c, 'a>) {
    if value.r#type() != by.r#type() {
        value.uses().into_iter().for_each(|(user, _)| note_change(user, false));
    }
}

/// Whether something that stays uses a result.
fn is_needed<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, erased: &Erased<'c, 'a>) -> bool {
    let mut users = operation.results().flat_map(|result| result.uses());
    users.any(|(user, _)| !ancestors(user).any(|around| erased.keys.contains(&around.key())))
}

/// An operation and those around it, from the inside.
fn ancestors<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(Some(operation), OperationRef::parent_operation)
}

/// Runs an action with a rewriter, in a pass or outside of callbacks; refused where MLIR looks on, such as in
/// patterns and verifiers.
pub fn with_rewriter<'c: 'a, 'a, R>(
    operation: OperationRef<'c, 'a>,
    action: impl FnOnce(&Rewriter<'c, 'a>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    if Watched::is_on() {
        return Err(Failure::new("a pattern or verifier must not change IR behind its driver's back"));
    }
    with_rewriter_of_own(operation, action)
}

/// Runs an action with a rewriter of IR that no driver and nobody else sees.
pub(super) fn with_rewriter_of_own<'c: 'a, 'a, R>(
    operation: OperationRef<'c, 'a>,
    action: impl FnOnce(&Rewriter<'c, 'a>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let editor = Editor { raw: None, context: operation.context(), _scope: PhantomData };
    action(&Rewriter { editor, erased: None })
}
