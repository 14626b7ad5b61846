//! Operations, and the ways through them.

use std::fmt;

use melior::StringRef;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRefMut};
use mlir_sys::{
    mlirOperationRemoveAttributeByName, mlirSymbolTableCreate, mlirSymbolTableDestroy, mlirSymbolTableLookup,
};

use super::context::context_of;
use super::references::{BlockRef, OperationRef, RegionRef, Value, within};
use super::{Attribute, Context, Location, Type, attributes, block_operations, region_blocks};
use crate::Failure;
use crate::ffi;

/// What it is made of.
impl<'c: 'a, 'a> OperationRef<'c, 'a> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    /// The whole name, such as `func.func`.
    pub fn full_name(&self) -> &'c str {
        // SAFETY: names are interned in the context.
        unsafe { ffi::str_from(self.0.name().as_string_ref().to_raw()) }
    }

    /// What tells names of operations of one context apart; a key for maps, found without reading the name.
    pub fn name_key(&self) -> usize {
        self.0.name().to_raw().ptr as usize
    }

    /// The location.
    pub fn location(&self) -> Location<'c> {
        Location(self.0.location())
    }

    /// What tells operations that exist at the same time apart; a key for maps.
    pub fn key(&self) -> usize {
        self.to_raw().ptr as usize
    }

    /// The number of operands.
    pub fn operand_count(&self) -> usize {
        self.0.operand_count()
    }

    /// An operand.
    pub fn operand(&self, index: usize) -> Result<Value<'c, 'a>, Failure> {
        // What was erased has no operands any more, only places for them.
        let operand = within(index, self.operand_count(), |index| self.0.operand(index));
        let operand = operand.map(Value).filter(|operand| !operand.to_raw().ptr.is_null());
        operand.ok_or_else(|| self.lacks("operand", index))
    }

    /// Changes an operand. Inside a driver, use [`crate::rewrite::Editor::set_operand`].
    pub fn set_operand(&self, index: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        self.operand(index)?;
        value.check_usable_in(self.root())?;
        // SAFETY: MLIR operations are shared; the operand is there.
        unsafe { OperationRefMut::from_raw(self.to_raw()) }.set_operand(index, value.0);
        Ok(())
    }

    /// The operands.
    pub fn operands(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let operation = *self;
        (0..self.operand_count()).filter_map(move |index| operation.operand(index).ok())
    }

    /// The operands' types.
    pub fn operand_types(&self) -> Vec<Type<'c>> {
        self.operands().map(|operand| operand.r#type()).collect()
    }

    /// The number of results.
    pub fn result_count(&self) -> usize {
        self.0.result_count()
    }

    /// A result.
    pub fn result(&self, index: usize) -> Result<Value<'c, 'a>, Failure> {
        let result = within(index, self.result_count(), |index| self.0.result(index));
        result.map(|result| Value(result.into())).ok_or_else(|| self.lacks("result", index))
    }

    /// The results.
    pub fn results(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let operation = *self;
        (0..self.result_count()).filter_map(move |index| operation.result(index).ok())
    }

    /// The results' types.
    pub fn result_types(&self) -> Vec<Type<'c>> {
        self.results().map(|result| result.r#type()).collect()
    }

    /// The results, all at once.
    pub fn result_values(&self) -> Vec<Value<'c, 'a>> {
        self.results().collect()
    }

    /// The number of regions.
    pub fn region_count(&self) -> usize {
        self.0.region_count()
    }

    /// A region.
    pub fn region(&self, index: usize) -> Result<RegionRef<'c, 'a>, Failure> {
        let region = within(index, self.region_count(), |index| self.0.region(index));
        region.map(RegionRef).ok_or_else(|| self.lacks("region", index))
    }

    /// The regions.
    pub fn regions(&self) -> impl Iterator<Item = RegionRef<'c, 'a>> {
        let operation = *self;
        (0..self.region_count()).filter_map(move |index| operation.region(index).ok())
    }

    /// A block that it goes on at.
    pub fn successor(&self, index: usize) -> Result<BlockRef<'c, 'a>, Failure> {
        let successor = within(index, self.0.successor_count(), |index| self.0.successor(index));
        let successor = successor.map(BlockRef).filter(|block| !block.to_raw().ptr.is_null());
        successor.ok_or_else(|| self.lacks("successor", index))
    }

    /// The blocks that it goes on at.
    pub fn successors(&self) -> impl Iterator<Item = BlockRef<'c, 'a>> {
        let operation = *self;
        (0..self.0.successor_count()).filter_map(move |index| operation.successor(index).ok())
    }

    fn lacks(&self, what: &str, index: usize) -> Failure {
        Failure::new(format!("'{}' has no {what} {index}", self.full_name()))
    }
}

/// Its attributes.
impl<'c: 'a, 'a> OperationRef<'c, 'a> {
    /// The attributes with their names.
    pub fn attributes(&self) -> impl Iterator<Item = (&'c str, Attribute<'c>)> {
        attributes::as_dictionary(self.attribute_dictionary()).unwrap_or_default().into_iter()
    }

    /// The same as one attribute: operations with the same attributes have the same dictionary.
    pub fn attribute_dictionary(&self) -> Attribute<'c> {
        // SAFETY: the operation is valid.
        unsafe { Attribute::from_raw(ffi::skndOperationAttributes(self.to_raw())) }
    }

    /// An attribute.
    pub fn get(&self, name: &str) -> Option<Attribute<'c>> {
        self.0.attribute(name).ok().map(Attribute)
    }

    /// An integer (or index, or boolean) attribute.
    pub fn get_integer(&self, name: &str) -> Option<i64> {
        attributes::as_integer(self.get(name)?)
    }

    /// A floating-point attribute.
    pub fn get_real(&self, name: &str) -> Option<f64> {
        attributes::as_real(self.get(name)?)
    }

    /// A boolean attribute.
    pub fn get_bool(&self, name: &str) -> Option<bool> {
        attributes::as_bool(self.get(name)?)
    }

    /// A string attribute.
    pub fn get_string(&self, name: &str) -> Option<&'c str> {
        attributes::as_string(self.get(name)?)
    }

    /// A dense array, or an array, of integers.
    pub fn get_integers(&self, name: &str) -> Option<Vec<i64>> {
        attributes::as_integers(self.get(name)?)
    }

    /// A dense array, or an array, of floating-point numbers.
    pub fn get_reals(&self, name: &str) -> Option<Vec<f64>> {
        attributes::as_reals(self.get(name)?)
    }

    /// Sets an attribute. Inside a driver, use [`crate::rewrite::Editor::set_attribute`].
    pub fn set(&self, name: &str, attribute: Attribute<'c>) {
        // SAFETY: MLIR operations are shared; the attribute dictionary is replaced as a whole.
        unsafe { OperationRefMut::from_raw(self.to_raw()) }.set_attribute(name, attribute.0);
    }

    /// Removes an attribute, if it is there.
    pub fn unset(&self, name: &str) {
        // SAFETY: the operation is valid.
        unsafe { mlirOperationRemoveAttributeByName(self.to_raw(), StringRef::new(name).to_raw()) };
    }
}

/// Where it stands.
impl<'c: 'a, 'a> OperationRef<'c, 'a> {
    /// The block that it stands in.
    pub fn block(&self) -> Option<BlockRef<'c, 'a>> {
        self.0.block().map(BlockRef)
    }

    /// The operation behind this one in its block.
    pub fn next(&self) -> Option<OperationRef<'c, 'a>> {
        self.0.next_in_block().map(OperationRef)
    }

    /// The operation before this one in its block.
    pub fn previous(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the operation is valid, and so is its neighbour.
        unsafe { OperationRef::from_option_raw(ffi::skndOperationGetPrevious(self.to_raw())) }
    }

    /// The operation around it.
    pub fn parent_operation(&self) -> Option<OperationRef<'c, 'a>> {
        self.0.parent_operation().map(OperationRef)
    }

    /// The module or other operation that is outermost.
    pub fn root(&self) -> OperationRef<'c, 'a> {
        let mut current = *self;
        while let Some(parent) = current.parent_operation() {
            current = parent;
        }
        current
    }

    /// Whether a result is used.
    pub fn is_used(&self) -> bool {
        self.results().any(|result| result.is_used())
    }
}

impl fmt::Display for OperationRef<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// All operations inside an operation, and itself, each before what it contains. They are collected first, so they may
/// be changed meanwhile.
pub fn walk<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    let mut pending = vec![operation];
    while let Some(current) = pending.pop() {
        found.push(current);
        let inside = current.regions().flat_map(region_blocks).flat_map(block_operations);
        let start = pending.len();
        pending.extend(inside);
        pending[start..].reverse();
    }
    found
}

/// The operations of a name inside an operation, in order.
pub fn operations_named<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, name: &str) -> Vec<OperationRef<'c, 'a>> {
    walk(operation).into_iter().filter(|operation| operation.full_name() == name).collect()
}

/// The operation that defines a symbol in a symbol table, such as a module.
pub fn symbol_lookup<'c: 'a, 'a>(table: OperationRef<'c, 'a>, name: &str) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: a table is null for operations that are none; the operation found lives in the table.
    unsafe {
        let symbols = mlirSymbolTableCreate(table.to_raw());
        if symbols.ptr.is_null() {
            return None;
        }
        let found = mlirSymbolTableLookup(symbols, StringRef::new(name).to_raw());
        mlirSymbolTableDestroy(symbols);
        OperationRef::from_option_raw(found)
    }
}
