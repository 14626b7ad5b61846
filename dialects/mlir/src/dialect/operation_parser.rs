//! Custom assembly: parsing what only operations have.
//!
//! SAFETY, for all calls of the bridge here: as for the parser of everything.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use mlir_sys::{MlirAttribute, MlirLocation, MlirRegion, MlirStringRef, MlirType, MlirValue};

use super::parser::{OperationState, optional, succeeded};
use super::{ArgumentSyntax, Delimiter, Parser, Token, UnresolvedOperand};
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Attribute, Location, Type, Value};

const NO_TEXT: MlirStringRef = MlirStringRef { data: null(), length: 0 };
const NO_OPERAND: ffi::UnresolvedOperand = ffi::UnresolvedOperand { location: null(), name: NO_TEXT, number: 0 };

impl<'c, 'p> Parser<'c, 'p> {
    /// # Safety
    ///
    /// The parser and the state must be valid for `'p`, and their context for `'c`.
    pub(crate) unsafe fn new(raw: *mut c_void, state: *mut c_void, implicit_terminator: Option<&'p str>) -> Self {
        unsafe { Self::of(raw, OperationState { raw: state, implicit_terminator }) }
    }

    /// The whole name of the operation being parsed.
    pub fn operation_name(&self) -> &'c str {
        unsafe { ffi::str_from(ffi::skndParserOperationName(self.state.raw)) }
    }

    /// Reports an error at an operand.
    pub fn error_at(&mut self, operand: UnresolvedOperand<'p>, message: &str) -> Failure {
        unsafe { ffi::skndParserErrorAtOperand(self.raw, &operand.raw, ffi::text(message)) };
        Failure::reported()
    }

    /// `{name = value, ...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseAttributeDictionary(self.raw, self.state.raw, false) })
    }

    /// `attributes {...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary_with_keyword(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseAttributeDictionary(self.raw, self.state.raw, true) })
    }

    /// An operand `%x`.
    pub fn parse_operand(&mut self) -> Result<UnresolvedOperand<'p>, Failure> {
        let mut raw = NO_OPERAND;
        succeeded(unsafe { ffi::skndParseOperand(self.raw, &mut raw) })?;
        Ok(UnresolvedOperand { raw, parser: PhantomData })
    }

    /// An operand `%x`.
    pub fn parse_optional_operand(&mut self) -> Result<Option<UnresolvedOperand<'p>>, Failure> {
        let mut raw = NO_OPERAND;
        let outcome = unsafe { ffi::skndParseOptionalOperand(self.raw, &mut raw) };
        optional(outcome, || UnresolvedOperand { raw, parser: PhantomData })
    }

    /// A comma-separated list of operands, possibly empty even without delimiters.
    pub fn parse_operand_list(&mut self, delimiter: Delimiter) -> Result<Vec<UnresolvedOperand<'p>>, Failure> {
        if delimiter != Delimiter::None {
            return self.parse_list(delimiter, Self::parse_operand);
        }
        let Some(first) = self.parse_optional_operand()? else { return Ok(Vec::new()) };
        let mut operands = vec![first];
        while self.parse_optional_token(Token::Comma) {
            operands.push(self.parse_operand()?);
        }
        Ok(operands)
    }

    /// The value of an operand with its type; forward references are possible.
    pub fn resolve_operand(
        &mut self,
        operand: UnresolvedOperand<'p>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'p>, Failure> {
        let mut value = MlirValue { ptr: null() };
        succeeded(unsafe { ffi::skndResolveOperand(self.raw, &operand.raw, r#type.to_raw(), &mut value) })?;
        Ok(unsafe { Value::from_raw(value) })
    }

    /// Resolves operands and adds them to the operation; reports a mismatch of the numbers.
    pub fn add_resolved_operands(
        &mut self,
        operands: &[UnresolvedOperand<'p>],
        types: &[Type<'c>],
    ) -> Result<(), Failure> {
        if operands.len() != types.len() {
            let (operands, types) = (operands.len(), types.len());
            return Err(self.error(&format!("found {operands} operands but {types} operand types")));
        }
        for (&operand, &r#type) in operands.iter().zip(types) {
            let value = self.resolve_operand(operand, r#type)?;
            self.add_operands(&[value]);
        }
        Ok(())
    }

    /// A region argument `%x: type`; attributes may follow when allowed.
    pub fn parse_argument(&mut self, allow_attributes: bool) -> Result<ArgumentSyntax<'c, 'p>, Failure> {
        let (attributes, location) = (MlirAttribute { ptr: null() }, MlirLocation { ptr: null() });
        let mut raw = ffi::Argument { operand: NO_OPERAND, r#type: MlirType { ptr: null() }, attributes, location };
        let outcome = unsafe { ffi::skndParseOptionalArgument(self.raw, allow_attributes, &mut raw) };
        let argument = optional(outcome, || unsafe {
            ArgumentSyntax {
                operand: UnresolvedOperand { raw: raw.operand, parser: PhantomData },
                r#type: Type::from_raw(raw.r#type),
                attributes: Attribute::from_raw(raw.attributes),
                location: Location::from_raw(raw.location),
            }
        });
        argument?.ok_or_else(|| self.error("expected region argument"))
    }

    /// A region `{ ... }` whose entry block has the given arguments (none: the region may name its own).
    pub fn parse_region(&mut self, arguments: &[ArgumentSyntax<'c, 'p>]) -> Result<ParsedRegion<'c>, Failure> {
        self.parse_optional_region(arguments)?.ok_or_else(|| self.error("expected '{' to begin a region"))
    }

    /// A region, if `{` follows.
    pub fn parse_optional_region(
        &mut self,
        arguments: &[ArgumentSyntax<'c, 'p>],
    ) -> Result<Option<ParsedRegion<'c>>, Failure> {
        let location = self.location();
        let arguments: Vec<_> = arguments.iter().map(raw_argument).collect();
        let mut region = MlirRegion { ptr: null_mut() };
        let outcome =
            unsafe { ffi::skndParseOptionalRegion(self.raw, arguments.as_ptr(), arguments.len(), &mut region) };
        optional(outcome, || {
            if let Some(terminator) = self.state.implicit_terminator {
                unsafe { ffi::skndEnsureTerminator(region, ffi::text(terminator), location.to_raw()) };
            }
            unsafe { owned_region(region) }
        })
    }

    /// A successor `^bb`, added to the operation.
    pub fn parse_successor(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseSuccessor(self.raw, self.state.raw) })
    }

    /// A successor, if one stands there; whether it did.
    pub fn parse_optional_successor(&mut self) -> Result<bool, Failure> {
        let outcome = unsafe { ffi::skndParseOptionalSuccessor(self.raw, self.state.raw) };
        optional(outcome, || ()).map(|found| found.is_some())
    }

    /// Adds operands to the operation.
    pub fn add_operands(&mut self, operands: &[Value<'c, 'p>]) {
        // `Value` is transparent over `MlirValue`.
        unsafe { ffi::skndAddOperands(self.state.raw, operands.as_ptr().cast(), operands.len()) }
    }

    /// Adds result types to the operation.
    pub fn add_results(&mut self, types: &[Type<'c>]) {
        let types: Vec<_> = types.iter().map(|r#type| r#type.to_raw()).collect();
        unsafe { ffi::skndAddResultTypes(self.state.raw, types.as_ptr(), types.len()) }
    }

    /// Adds (or replaces) an attribute of the operation.
    pub fn add_attribute(&mut self, name: &str, attribute: Attribute<'c>) {
        unsafe { ffi::skndAddAttribute(self.state.raw, ffi::text(name), attribute.to_raw()) }
    }

    /// The attribute added or parsed so far.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        unsafe { Attribute::from_option_raw(ffi::skndGetAttribute(self.state.raw, ffi::text(name))) }
    }

    /// Adds a region to the operation.
    pub fn add_region(&mut self, region: ParsedRegion<'c>) {
        unsafe { ffi::skndAddRegion(self.state.raw, region.0.into_raw()) }
    }

    /// Adds the result types that the operation's type inference gives for what was added so far.
    pub fn infer_results(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndInferResults(self.raw, self.state.raw) })
    }
}

/// A region that was parsed, to be given to the operation that is parsed.
#[derive(Debug)]
pub struct ParsedRegion<'c>(melior::ir::Region<'c>);

impl ParsedRegion<'_> {
    /// A region without blocks.
    pub fn empty() -> Self {
        Self(melior::ir::Region::new())
    }
}

/// The owner of a region, which melior has no constructor for.
///
/// # Safety
///
/// The region must be valid and have no other owner.
unsafe fn owned_region<'c>(raw: MlirRegion) -> ParsedRegion<'c> {
    const { assert!(size_of::<melior::ir::Region<'static>>() == size_of::<MlirRegion>()) };
    // SAFETY: a `Region` holds nothing but the `MlirRegion`.
    ParsedRegion(unsafe { std::mem::transmute::<MlirRegion, melior::ir::Region<'c>>(raw) })
}

fn raw_argument(argument: &ArgumentSyntax<'_, '_>) -> ffi::Argument {
    ffi::Argument {
        operand: argument.operand.raw,
        r#type: argument.r#type.to_raw(),
        attributes: argument.attributes.to_raw(),
        location: argument.location.to_raw(),
    }
}
