//! Values: results of operations and arguments of blocks.

use std::fmt;

use melior::ir::ValueLike;
use melior::ir::block::BlockArgument;
use melior::ir::operation::OperationResult;
use mlir_sys::{
    mlirBlockArgumentGetOwner, mlirOpOperandGetNextUse, mlirOpOperandGetOperandNumber, mlirOpOperandGetOwner,
    mlirOpOperandIsNull, mlirValueGetFirstUse, mlirValueGetLocation,
};

use super::context::context_of;
use super::references::{BlockRef, OperationRef, Value};
use super::{Context, Location, Type};
use crate::Failure;

impl<'c: 'a, 'a> Value<'c, 'a> {
    /// The type.
    pub fn r#type(&self) -> Type<'c> {
        Type(self.0.r#type())
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    /// Where it comes from.
    pub fn location(&self) -> Location<'c> {
        // SAFETY: the value is valid, and so is its context.
        unsafe { Location::from_raw(mlirValueGetLocation(self.to_raw())) }
    }

    /// What tells values apart; a key for maps.
    pub fn key(&self) -> usize {
        self.to_raw().ptr as usize
    }

    /// Whether it is an argument of a block.
    pub fn is_block_argument(&self) -> bool {
        self.0.is_block_argument()
    }

    /// The block whose argument it is, and the argument's number; none for a result.
    pub fn as_argument(&self) -> Option<(BlockRef<'c, 'a>, usize)> {
        // Conversions that fail print the value for their error, and for that number the whole module.
        let argument = self.0.is_block_argument().then(|| BlockArgument::try_from(self.0).ok())??;
        // SAFETY: the value is an argument, whose block lives as long.
        let block = unsafe { BlockRef::from_option_raw(mlirBlockArgumentGetOwner(self.to_raw())) };
        Some((block?, argument.argument_number()))
    }

    /// The operation whose result it is; none for a block argument.
    pub fn defining_operation(&self) -> Option<OperationRef<'c, 'a>> {
        let result = self.0.is_operation_result().then(|| OperationResult::try_from(self.0).ok())??;
        Some(OperationRef(result.owner()))
    }

    /// The outermost operation that it is part of; none where its block stands nowhere.
    fn root(&self) -> Option<OperationRef<'c, 'a>> {
        let block = || self.as_argument().and_then(|(block, _)| block.parent_operation());
        self.defining_operation().or_else(block).map(|operation| operation.root())
    }

    /// Refuses to be used in other IR: it would not outlive the uses.
    pub(crate) fn check_usable_in(&self, root: OperationRef<'c, 'a>) -> Result<(), Failure> {
        match self.root() {
            Some(own) if own != root => Err(Failure::new("a value of one module can't be used in another one")),
            _ => Ok(()),
        }
    }

    /// Its uses: the operation and the operand's number, latest first.
    pub fn uses(&self) -> Vec<(OperationRef<'c, 'a>, usize)> {
        let mut uses = Vec::new();
        // SAFETY: the value is valid, and the list of its uses is not changed while it is read.
        unsafe {
            let mut r#use = mlirValueGetFirstUse(self.to_raw());
            while !mlirOpOperandIsNull(r#use) {
                let owner = OperationRef::from_raw(mlirOpOperandGetOwner(r#use));
                uses.push((owner, mlirOpOperandGetOperandNumber(r#use) as usize));
                r#use = mlirOpOperandGetNextUse(r#use);
            }
        }
        uses
    }

    /// Whether it has exactly one use, however many there are.
    pub fn has_one_use(&self) -> bool {
        // SAFETY: the value is valid, and the second use is asked of the first only.
        unsafe {
            let first = mlirValueGetFirstUse(self.to_raw());
            !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first))
        }
    }

    /// Whether it is used.
    pub fn is_used(&self) -> bool {
        // SAFETY: the value is valid.
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.to_raw())) }
    }

    /// Gives the value another type.
    pub fn set_type(&self, r#type: Type<'c>) {
        self.0.set_type(r#type.0);
    }
}

impl fmt::Display for Value<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
