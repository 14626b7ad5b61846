//! Custom assembly: printing.

use std::marker::PhantomData;

use crate::ffi;
use crate::ir::{Attribute, BlockRef, OperationRef, RegionRef, Type, Value};

/// Prints what follows an operation's name.
pub struct Printer<'p> {
    raw: ffi::Printer,
    _scope: PhantomData<&'p ()>,
}

impl Printer<'_> {
    /// Text as it is.
    pub fn text(&mut self, text: &str) -> &mut Self {
        todo!()
    }

    /// A value's name.
    pub fn operand(&mut self, value: Value<'_, '_>) -> &mut Self {
        todo!()
    }

    /// Values' names, separated by commas.
    pub fn operands<'c: 'a, 'a>(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) -> &mut Self {
        todo!()
    }

    /// A type.
    pub fn r#type(&mut self, r#type: Type<'_>) -> &mut Self {
        todo!()
    }

    /// Types, separated by commas.
    pub fn types<'c>(&mut self, types: impl IntoIterator<Item = Type<'c>>) -> &mut Self {
        todo!()
    }

    /// `(operand types) -> result types` of an operation.
    pub fn functional_type(&mut self, operation: OperationRef<'_, '_>) -> &mut Self {
        todo!()
    }

    /// An attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute<'_>) -> &mut Self {
        todo!()
    }

    /// An attribute without its type.
    pub fn attribute_without_type(&mut self, attribute: Attribute<'_>) -> &mut Self {
        todo!()
    }

    /// ` {name = value, ...}` of an operation, but for the attributes left out; nothing if none remain.
    pub fn attribute_dictionary(&mut self, operation: OperationRef<'_, '_>, without: &[&str]) -> &mut Self {
        todo!()
    }

    /// ` attributes {name = value, ...}`; nothing if none remain.
    pub fn attribute_dictionary_with_keyword(
        &mut self,
        operation: OperationRef<'_, '_>,
        without: &[&str],
    ) -> &mut Self {
        todo!()
    }

    /// A quoted and escaped string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        todo!()
    }

    /// `@name`, quoted if it has to be.
    pub fn symbol_name(&mut self, name: &str) -> &mut Self {
        todo!()
    }

    /// A floating-point number that reads back exactly.
    pub fn float(&mut self, value: f64) -> &mut Self {
        todo!()
    }

    /// A region in braces.
    pub fn region(&mut self, region: RegionRef<'_, '_>, options: RegionPrinting) -> &mut Self {
        todo!()
    }

    /// A region argument, `%x: type`.
    pub fn argument(&mut self, argument: Value<'_, '_>) -> &mut Self {
        todo!()
    }

    /// A successor's label.
    pub fn successor(&mut self, block: BlockRef<'_, '_>) -> &mut Self {
        todo!()
    }

    /// A line break, indented.
    pub fn newline(&mut self) -> &mut Self {
        todo!()
    }
}

/// What of a region is printed.
#[derive(Clone, Copy, Debug)]
pub struct RegionPrinting {
    /// Print the entry block's label with its arguments.
    pub entry_arguments: bool,
    /// Print the blocks' terminators.
    pub terminators: bool,
    /// Print an empty block.
    pub empty_block: bool,
}

impl Default for RegionPrinting {
    fn default() -> Self {
        Self { entry_arguments: true, terminators: true, empty_block: false }
    }
}
