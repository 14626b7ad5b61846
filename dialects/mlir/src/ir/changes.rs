//! What a rule makes and changes, noted until it is verified.

use std::cell::RefCell;

use mlir_sys::{MlirLocation, MlirOperation, mlirOperationEqual, mlirOperationGetParentOperation};

use super::{Location, OperationRef};

/// What one application of a rule has changed so far.
pub(crate) struct Changes {
    /// What the rule is called in messages.
    pub rule: String,
    /// Where it matched.
    location: MlirLocation,
    /// What is around that place, by its keys.
    pub around: Vec<usize>,
    /// The operations made and changed, each with whether it is new.
    pub operations: Vec<(MlirOperation, bool)>,
    /// What is to be erased when the rule ends: until then it may be named.
    pub to_erase: Vec<MlirOperation>,
    /// Whether anything was erased.
    pub has_erased: bool,
}

impl Changes {
    /// Where the rule matched.
    pub fn location<'c>(&self) -> Location<'c> {
        // SAFETY: locations live as long as the context, which drivers keep while rules are at work.
        unsafe { Location::from_raw(self.location) }
    }

    /// Notes that an operation is about to be erased, with what it contains.
    pub(crate) fn forget(&mut self, operation: MlirOperation) {
        self.operations.retain(|(noted, _)| !is_within(*noted, operation));
        self.to_erase.retain(|noted| !is_within(*noted, operation));
        self.has_erased = true;
    }

    /// Whether an operation itself is to be erased.
    pub fn is_to_erase(&self, operation: OperationRef<'_, '_>) -> bool {
        self.to_erase.iter().any(|erased| erased.ptr == operation.to_raw().ptr)
    }

    /// Whether an operation, or one around it, is to be erased.
    pub fn will_erase(&self, operation: OperationRef<'_, '_>) -> bool {
        self.to_erase.iter().any(|erased| is_within(operation.to_raw(), *erased))
    }
}

thread_local! {
    /// Those of the rules at work on this thread, the innermost last.
    static AT_WORK: RefCell<Vec<Changes>> = const { RefCell::new(Vec::new()) };
}

/// A rule begins to change what it matched.
pub(crate) fn begin_changes(root: OperationRef<'_, '_>, rule: String) {
    let around = std::iter::successors(root.parent_operation(), OperationRef::parent_operation);
    let around = around.map(|operation| operation.key()).collect();
    let location = root.location().to_raw();
    let changes = Changes { rule, location, around, operations: Vec::new(), to_erase: Vec::new(), has_erased: false };
    AT_WORK.with_borrow_mut(|rules| rules.push(changes));
}

/// A rule ends: what it has changed.
pub(crate) fn end_changes() -> Option<Changes> {
    AT_WORK.with_borrow_mut(Vec::pop)
}

/// Asks for what the rule at work has changed so far.
pub(crate) fn with_changes<R>(ask: impl FnOnce(&mut Changes) -> R) -> Option<R> {
    AT_WORK.with_borrow_mut(|rules| rules.last_mut().map(ask))
}

/// Notes that the rule at work has made or changed an operation.
pub(crate) fn note_change(operation: OperationRef<'_, '_>, is_new: bool) {
    with_changes(|changes| changes.operations.push((operation.to_raw(), is_new)));
}

/// Notes that an operation is about to be erased, with what it contains.
pub(crate) fn note_erased(operation: OperationRef<'_, '_>) {
    with_changes(|changes| changes.forget(operation.to_raw()));
}

/// Whether an operation is another one, or inside of it.
fn is_within(mut operation: MlirOperation, around: MlirOperation) -> bool {
    while !operation.ptr.is_null() {
        // SAFETY: what is noted is valid until it is erased, and so is what is around it.
        if unsafe { mlirOperationEqual(operation, around) } {
            return true;
        }
        // SAFETY: as above.
        operation = unsafe { mlirOperationGetParentOperation(operation) };
    }
    false
}
