//! Operations that branch to blocks, cast types and name symbols.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;

use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Attribute, OperationRef, Type};

/// What an operation hands to the block of a successor.
type OperandsOfSuccessor = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, usize) -> SuccessorOperands + Send + Sync;
/// The successor that is taken for constant operands.
type ChosenSuccessor =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &[Option<Attribute<'c>>]) -> Option<usize> + Send + Sync;
/// Whether values of some types can be cast to others.
type AreCastCompatible = dyn for<'c> Fn(&[Type<'c>], &[Type<'c>]) -> bool + Send + Sync;
/// Checks the symbols that an operation names.
type VerifySymbolUses =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &mut SymbolTables<'_>) -> Result<(), Failure> + Send + Sync;

/// How an operation uses blocks, types and symbols.
#[derive(Default)]
pub(crate) struct Uses {
    pub(crate) successor_operands: Option<Box<OperandsOfSuccessor>>,
    pub(crate) chosen_successor: Option<Box<ChosenSuccessor>>,
    pub(crate) are_cast_compatible: Option<Box<AreCastCompatible>>,
    pub(crate) verify_symbols: Option<Box<VerifySymbolUses>>,
}

/// What the block of a successor takes as arguments (`BranchOpInterface`): first values that the operation produces, then
/// operands of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuccessorOperands {
    /// How many values the operation produces.
    pub produced: usize,
    /// Which operands it hands on.
    pub forwarded: Range<usize>,
}

/// The symbols that an operation can see while they are verified (`SymbolUserOpInterface`).
pub struct SymbolTables<'s> {
    tables: *mut c_void,
    lifetime: PhantomData<&'s mut ()>,
}

impl SymbolTables<'_> {
    /// # Safety
    /// `tables` is MLIR's collection of symbol tables, valid and used by nobody else for the lifetime.
    pub(crate) unsafe fn from_raw(tables: *mut c_void) -> Self {
        Self { tables, lifetime: PhantomData }
    }

    /// The operation that the nearest symbol table around `from` has for a symbol reference; none where there is none,
    /// and for other attributes.
    pub fn lookup<'c, 'a>(&mut self, from: OperationRef<'c, 'a>, name: Attribute<'c>) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the collection is valid; what it finds belongs to the module that `from` is in.
        let found = unsafe { ffi::skndLookupSymbol(self.tables, from.to_raw(), name.to_raw()) };
        (!found.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(found) })
    }
}
