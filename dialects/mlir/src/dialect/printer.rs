//! Custom assembly: printing.
//!
//! SAFETY, for all calls of the bridge here: the printer is valid while the callback runs, which is all that a [`Printer`]
//! lives, and strings are only read during the calls.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::ffi;
use crate::ir::{Attribute, BlockRef, OperationRef, RegionRef, Type, Value};

/// Prints what follows the name of an operation, a type or an attribute.
pub struct Printer<'p, S = OfOperation> {
    raw: *mut c_void,
    _scope: PhantomData<(&'p (), S)>,
}

/// Prints the parameters of a type or an attribute.
pub type ParameterPrinter<'p> = Printer<'p, OfParameters>;

/// Marks the printer of an operation.
pub enum OfOperation {}

/// Marks the printer of parameters.
pub enum OfParameters {}

impl<S> Printer<'_, S> {
    /// # Safety
    ///
    /// The printer must be valid for the lifetime.
    pub(crate) unsafe fn new(raw: *mut c_void) -> Self {
        Self { raw, _scope: PhantomData }
    }

    /// Text as it is.
    pub fn text(&mut self, text: &str) -> &mut Self {
        unsafe { ffi::skndPrintText(self.raw, ffi::text(text)) };
        self
    }

    /// A type.
    pub fn r#type(&mut self, r#type: Type<'_>) -> &mut Self {
        unsafe { ffi::skndPrintType(self.raw, r#type.to_raw()) };
        self
    }

    /// Types, separated by commas.
    pub fn types<'c>(&mut self, types: impl IntoIterator<Item = Type<'c>>) -> &mut Self {
        self.list(types, |printer, r#type| _ = printer.r#type(r#type))
    }

    /// Anything, separated by commas.
    pub fn list<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        mut element: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (index, value) in elements.into_iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            element(self, value);
        }
        self
    }

    /// The results of a functional type: `type` or `(type, ...)`.
    pub fn result_types(&mut self, types: &[Type<'_>]) -> &mut Self {
        match types {
            [single] if !single.is_function() => self.r#type(*single),
            several => self.text("(").types(several.iter().copied()).text(")"),
        }
    }

    /// A type without its name where it was defined from Rust.
    pub fn stripped_type(&mut self, r#type: Type<'_>) -> &mut Self {
        unsafe { ffi::skndPrintStrippedType(self.raw, r#type.to_raw()) };
        self
    }

    /// An attribute without its name where it was defined from Rust.
    pub fn stripped_attribute(&mut self, attribute: Attribute<'_>) -> &mut Self {
        unsafe { ffi::skndPrintStrippedAttribute(self.raw, attribute.to_raw()) };
        self
    }

    /// An attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute<'_>) -> &mut Self {
        unsafe { ffi::skndPrintAttribute(self.raw, attribute.to_raw(), true) };
        self
    }

    /// An attribute without its type.
    pub fn attribute_without_type(&mut self, attribute: Attribute<'_>) -> &mut Self {
        unsafe { ffi::skndPrintAttribute(self.raw, attribute.to_raw(), false) };
        self
    }

    /// A quoted and escaped string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        unsafe { ffi::skndPrintString(self.raw, ffi::text(text)) };
        self
    }

    /// `@name`, quoted if it has to be.
    pub fn symbol_name(&mut self, name: &str) -> &mut Self {
        unsafe { ffi::skndPrintSymbolName(self.raw, ffi::text(name)) };
        self
    }

    /// A floating-point number that reads back exactly.
    pub fn float(&mut self, value: f64) -> &mut Self {
        unsafe { ffi::skndPrintFloat(self.raw, value) };
        self
    }
}

impl Printer<'_> {
    /// A value's name.
    pub fn operand(&mut self, value: Value<'_, '_>) -> &mut Self {
        unsafe { ffi::skndPrintOperand(self.raw, value.to_raw()) };
        self
    }

    /// Values' names, separated by commas.
    pub fn operands<'c: 'a, 'a>(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) -> &mut Self {
        self.list(values, |printer, value| _ = printer.operand(value))
    }

    /// `(operand types) -> result types` of an operation.
    pub fn functional_type(&mut self, operation: OperationRef<'_, '_>) -> &mut Self {
        let inputs: Vec<_> = operation.operands().map(|operand| operand.r#type()).collect();
        let results: Vec<_> = operation.results().map(|result| result.r#type()).collect();
        self.text("(").types(inputs).text(") -> ").result_types(&results)
    }

    /// ` {name = value, ...}` of an operation, but for the attributes left out; nothing if none remain.
    pub fn attribute_dictionary(&mut self, operation: OperationRef<'_, '_>, without: &[&str]) -> &mut Self {
        self.dictionary(operation, without, false)
    }

    /// ` attributes {name = value, ...}`; nothing if none remain.
    pub fn attribute_dictionary_with_keyword(
        &mut self,
        operation: OperationRef<'_, '_>,
        without: &[&str],
    ) -> &mut Self {
        self.dictionary(operation, without, true)
    }

    fn dictionary(&mut self, operation: OperationRef<'_, '_>, without: &[&str], keyword: bool) -> &mut Self {
        let without: Vec<_> = without.iter().map(|name| ffi::text(name)).collect();
        let operation = operation.to_raw();
        unsafe {
            ffi::skndPrintAttributeDictionary(self.raw, operation, without.as_ptr(), without.len(), keyword);
        }
        self
    }

    /// A region in braces.
    pub fn region(&mut self, region: RegionRef<'_, '_>, options: RegionPrinting) -> &mut Self {
        let RegionPrinting { entry_arguments, terminators, empty_block } = options;
        unsafe { ffi::skndPrintRegion(self.raw, region.to_raw(), entry_arguments, terminators, empty_block) };
        self
    }

    /// A region argument, `%x: type`; other values print their name.
    pub fn argument(&mut self, argument: Value<'_, '_>) -> &mut Self {
        if !argument.is_block_argument() {
            return self.operand(argument);
        }
        unsafe { ffi::skndPrintArgument(self.raw, argument.to_raw()) };
        self
    }

    /// A successor's label.
    pub fn successor(&mut self, block: BlockRef<'_, '_>) -> &mut Self {
        unsafe { ffi::skndPrintSuccessor(self.raw, block.to_raw()) };
        self
    }

    /// A line break, indented.
    pub fn newline(&mut self) -> &mut Self {
        unsafe { ffi::skndPrintNewline(self.raw) };
        self
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
