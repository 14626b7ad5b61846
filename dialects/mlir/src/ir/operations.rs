//! Going through operations, blocks and regions.

use melior::StringRef;
use melior::ir::block::BlockArgument;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRefMut};
use melior::ir::{Attribute, BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Type, Value, ValueLike};
use mlir_sys::{
    mlirBlockGetNextInRegion, mlirOperationRemoveAttributeByName, mlirSymbolTableCreate, mlirSymbolTableDestroy,
    mlirSymbolTableLookup,
};

use super::attributes;
use crate::ffi;

/// What melior's operations lack.
pub trait OperationExt<'c: 'a, 'a>: OperationLike<'c, 'a> {
    /// The whole name, such as `func.func`.
    fn full_name(&self) -> &'c str {
        // SAFETY: names are interned in the context.
        unsafe { ffi::str_from(self.name().as_string_ref().to_raw()) }
    }

    /// The operation as a reference.
    fn as_ref(&self) -> OperationRef<'c, 'a> {
        // SAFETY: the raw operation is valid for as long as `self` says.
        unsafe { OperationRef::from_raw(self.to_raw()) }
    }

    /// What tells operations that exist at the same time apart; a key for maps.
    fn key(&self) -> usize {
        self.to_raw().ptr as usize
    }

    /// An attribute.
    fn get(&self, name: &str) -> Option<Attribute<'c>> {
        self.attribute(name).ok()
    }

    /// An integer (or index, or boolean) attribute.
    fn get_integer(&self, name: &str) -> Option<i64> {
        attributes::as_integer(self.get(name)?)
    }

    /// A floating-point attribute.
    fn get_real(&self, name: &str) -> Option<f64> {
        attributes::as_real(self.get(name)?)
    }

    /// A boolean attribute.
    fn get_bool(&self, name: &str) -> Option<bool> {
        attributes::as_bool(self.get(name)?)
    }

    /// A string attribute.
    fn get_string(&self, name: &str) -> Option<&'c str> {
        attributes::as_string(self.get(name)?)
    }

    /// A dense array, or an array, of integers.
    fn get_integers(&self, name: &str) -> Option<Vec<i64>> {
        attributes::as_integers(self.get(name)?)
    }

    /// A dense array, or an array, of floating-point numbers.
    fn get_reals(&self, name: &str) -> Option<Vec<f64>> {
        attributes::as_reals(self.get(name)?)
    }

    /// Sets an attribute. Inside a driver, do this in [`crate::rewrite::Rewriter::modify`].
    fn set(&self, name: &str, attribute: Attribute<'c>) {
        // SAFETY: MLIR operations are shared; the attribute dictionary is replaced as a whole.
        unsafe { OperationRefMut::from_raw(self.to_raw()) }.set_attribute(name, attribute);
    }

    /// Removes an attribute, if it is there.
    fn unset(&self, name: &str) {
        // SAFETY: the operation is valid.
        unsafe { mlirOperationRemoveAttributeByName(self.to_raw(), StringRef::new(name).to_raw()) };
    }

    /// The operation before this one in its block.
    fn previous(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the operation is valid, and so is its neighbour.
        unsafe { OperationRef::from_option_raw(ffi::skndOperationGetPrevious(self.to_raw())) }
    }

    /// Whether a result is used.
    fn is_used(&self) -> bool {
        use super::ValueExt;
        self.results().any(|result| Value::from(result).is_used())
    }

    /// The module or other operation that is outermost.
    fn root(&self) -> OperationRef<'c, 'a> {
        let mut current = self.as_ref();
        while let Some(parent) = current.parent_operation() {
            current = parent;
        }
        current
    }

    /// The operands' types.
    fn operand_types(&self) -> Vec<Type<'c>> {
        self.operands().map(|operand| operand.r#type()).collect()
    }

    /// The results' types.
    fn result_types(&self) -> Vec<Type<'c>> {
        self.results().map(|result| result.r#type()).collect()
    }

    /// The results as values.
    fn result_values(&self) -> Vec<Value<'c, 'a>> {
        self.results().map(Value::from).collect()
    }
}

impl<'c: 'a, 'a, O: OperationLike<'c, 'a>> OperationExt<'c, 'a> for O {}

/// The operands' types.
pub fn operand_types<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Type<'c>> {
    OperationExt::operand_types(&operation)
}

/// The results' types.
pub fn result_types<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Type<'c>> {
    OperationExt::result_types(&operation)
}

/// The operations of a block. The next one is found before one is handed out, so it may be erased.
pub fn block_operations<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let mut next = block.first_operation();
    std::iter::from_fn(move || {
        let current = next?;
        next = OperationLike::next_in_block(&current);
        Some(current)
    })
}

/// The arguments of a block.
pub fn block_arguments<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = BlockArgument<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |index| BlockLike::argument(&block, index).ok())
}

/// The blocks of a region.
pub fn region_blocks<'c: 'a, 'a>(region: RegionRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    let mut next = region.first_block();
    std::iter::from_fn(move || {
        let current = next?;
        // SAFETY: the block is valid, and so is its successor in the region.
        next = unsafe { BlockRef::from_option_raw(mlirBlockGetNextInRegion(current.to_raw())) };
        Some(current)
    })
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
