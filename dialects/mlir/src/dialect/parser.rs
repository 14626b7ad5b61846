//! Custom assembly: parsing.
//!
//! SAFETY, for all calls of the bridge here: the parser and the state are valid while the callback runs, which is all that
//! a [`Parser`] lives, and so are the types, attributes and values that they hand out.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use mlir_sys::{MlirAttribute, MlirLocation, MlirRegion, MlirStringRef, MlirType, MlirValue};

use super::{ArgumentSyntax, Delimiter, Token, UnresolvedOperand};
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::context::context_from_raw;
use crate::ir::{Attribute, Context, Location, Type, Value, guard};

/// Parses what follows an operation's name and builds the operation. Methods that fail have reported why; the
/// `optional` ones accept the absence of what they look for.
pub struct Parser<'c, 'p> {
    raw: *mut c_void,
    state: *mut c_void,
    implicit_terminator: Option<&'p str>,
    _context: PhantomData<&'c Context>,
}

const NO_TEXT: MlirStringRef = MlirStringRef { data: null(), length: 0 };
const NO_OPERAND: ffi::UnresolvedOperand = ffi::UnresolvedOperand { location: null(), name: NO_TEXT, number: 0 };

impl<'c, 'p> Parser<'c, 'p> {
    /// # Safety
    ///
    /// The parser and the state must be valid for `'p`, and their context for `'c`.
    pub(crate) unsafe fn new(raw: *mut c_void, state: *mut c_void, implicit_terminator: Option<&'p str>) -> Self {
        Self { raw, state, implicit_terminator, _context: PhantomData }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        unsafe { context_from_raw(ffi::skndParserContext(self.raw)) }
    }

    /// The whole name of the operation being parsed.
    pub fn operation_name(&self) -> &'c str {
        unsafe { ffi::str_from(ffi::skndParserOperationName(self.state)) }
    }

    /// The location of the next token.
    pub fn location(&self) -> Location<'c> {
        unsafe { Location::from_raw(ffi::skndParserLocation(self.raw)) }
    }

    /// Reports an error at the next token.
    pub fn error(&mut self, message: &str) -> Failure {
        unsafe { ffi::skndParserError(self.raw, ffi::text(message)) };
        Failure::reported()
    }

    /// Reports an error at an operand.
    pub fn error_at(&mut self, operand: UnresolvedOperand<'p>, message: &str) -> Failure {
        unsafe { ffi::skndParserErrorAtOperand(self.raw, &operand.raw, ffi::text(message)) };
        Failure::reported()
    }

    /// A keyword.
    pub fn parse_keyword(&mut self, keyword: &str) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseKeyword(self.raw, ffi::text(keyword)) })
    }

    /// Whether the keyword stood there.
    pub fn parse_optional_keyword(&mut self, keyword: &str) -> bool {
        unsafe { ffi::skndParseOptionalKeyword(self.raw, ffi::text(keyword)) }
    }

    /// Any bare identifier (it may contain dots).
    pub fn parse_identifier(&mut self) -> Result<String, Failure> {
        let mut text = NO_TEXT;
        succeeded(unsafe { ffi::skndParseIdentifier(self.raw, &mut text) })?;
        Ok(unsafe { ffi::string_from(text) })
    }

    /// Any bare identifier.
    pub fn parse_optional_identifier(&mut self) -> Option<String> {
        let mut text = NO_TEXT;
        unsafe { ffi::skndParseOptionalIdentifier(self.raw, &mut text).then(|| ffi::string_from(text)) }
    }

    /// Punctuation.
    pub fn parse_token(&mut self, token: Token) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseToken(self.raw, token as u32) })
    }

    /// Whether the punctuation stood there.
    pub fn parse_optional_token(&mut self, token: Token) -> bool {
        unsafe { ffi::skndParseOptionalToken(self.raw, token as u32) }
    }

    /// An integer.
    pub fn parse_integer(&mut self) -> Result<i64, Failure> {
        self.parse_optional_integer()?.ok_or_else(|| self.error("expected integer value"))
    }

    /// An integer.
    pub fn parse_optional_integer(&mut self) -> Result<Option<i64>, Failure> {
        let mut value = 0;
        optional(unsafe { ffi::skndParseOptionalInteger(self.raw, &mut value) }, || value)
    }

    /// A floating-point number.
    pub fn parse_float(&mut self) -> Result<f64, Failure> {
        let mut value = 0.0;
        succeeded(unsafe { ffi::skndParseFloat(self.raw, &mut value) })?;
        Ok(value)
    }

    /// A quoted string, without quotes and escapes.
    pub fn parse_string(&mut self) -> Result<String, Failure> {
        self.parse_optional_string().ok_or_else(|| self.error("expected string"))
    }

    /// A quoted string.
    pub fn parse_optional_string(&mut self) -> Option<String> {
        let mut text = String::new();
        let parsed = unsafe { ffi::skndParseOptionalString(self.raw, ffi::append_text, (&raw mut text).cast()) };
        parsed.then_some(text)
    }

    /// A symbol name `@name`, without the `@`.
    pub fn parse_symbol_name(&mut self) -> Result<String, Failure> {
        self.parse_optional_symbol_name().ok_or_else(|| self.error("expected valid '@'-identifier for symbol name"))
    }

    /// A symbol name.
    pub fn parse_optional_symbol_name(&mut self) -> Option<String> {
        let mut text = NO_TEXT;
        unsafe { ffi::skndParseOptionalSymbolName(self.raw, &mut text).then(|| ffi::string_from(text)) }
    }

    /// An attribute; `type` is for literals that leave theirs out.
    pub fn parse_attribute(&mut self, r#type: Option<Type<'c>>) -> Result<Attribute<'c>, Failure> {
        let mut attribute = MlirAttribute { ptr: null() };
        succeeded(unsafe { ffi::skndParseAttribute(self.raw, raw_type(r#type), &mut attribute) })?;
        Ok(unsafe { Attribute::from_raw(attribute) })
    }

    /// An attribute.
    pub fn parse_optional_attribute(&mut self, r#type: Option<Type<'c>>) -> Result<Option<Attribute<'c>>, Failure> {
        let mut attribute = MlirAttribute { ptr: null() };
        let outcome = unsafe { ffi::skndParseOptionalAttribute(self.raw, raw_type(r#type), &mut attribute) };
        optional(outcome, || unsafe { Attribute::from_raw(attribute) })
    }

    /// `{name = value, ...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseAttributeDictionary(self.raw, self.state, false) })
    }

    /// `attributes {...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary_with_keyword(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseAttributeDictionary(self.raw, self.state, true) })
    }

    /// A type.
    pub fn parse_type(&mut self) -> Result<Type<'c>, Failure> {
        let mut r#type = MlirType { ptr: null() };
        succeeded(unsafe { ffi::skndParseType(self.raw, &mut r#type) })?;
        Ok(unsafe { Type::from_raw(r#type) })
    }

    /// A type.
    pub fn parse_optional_type(&mut self) -> Result<Option<Type<'c>>, Failure> {
        let mut r#type = MlirType { ptr: null() };
        let outcome = unsafe { ffi::skndParseOptionalType(self.raw, &mut r#type) };
        optional(outcome, || unsafe { Type::from_raw(r#type) })
    }

    /// `: type`.
    pub fn parse_colon_type(&mut self) -> Result<Type<'c>, Failure> {
        self.parse_token(Token::Colon)?;
        self.parse_type()
    }

    /// `type, type, ...`, at least one.
    pub fn parse_type_list(&mut self) -> Result<Vec<Type<'c>>, Failure> {
        self.parse_list(Delimiter::None, Self::parse_type)
    }

    /// `(inputs) -> results`, with or without parentheses around one result.
    pub fn parse_functional_type(&mut self) -> Result<(Vec<Type<'c>>, Vec<Type<'c>>), Failure> {
        let inputs = self.parse_list(Delimiter::Parentheses, Self::parse_type)?;
        self.parse_token(Token::Arrow)?;
        Ok((inputs, self.parse_result_types()?))
    }

    /// The results of a functional type: `type` or `(type, ...)`.
    pub fn parse_result_types(&mut self) -> Result<Vec<Type<'c>>, Failure> {
        // A parenthesis starts the list here, though it would start a function type elsewhere.
        if !self.parse_optional_token(Token::LeftParenthesis) {
            return Ok(vec![self.parse_type()?]);
        }
        if self.parse_optional_token(Token::RightParenthesis) {
            return Ok(Vec::new());
        }
        let types = self.parse_type_list()?;
        self.parse_token(Token::RightParenthesis)?;
        Ok(types)
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

    /// A comma-separated list of anything.
    pub fn parse_list<T>(
        &mut self,
        delimiter: Delimiter,
        element: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let raw = self.raw;
        let mut list = List { parser: self, element, elements: Vec::new(), failure: None };
        let call = parse_element(&list);
        let parsed = unsafe { ffi::skndParseList(raw, delimiter as u32, call, (&raw mut list).cast()) };
        let List { elements, failure, .. } = list;
        match failure {
            Some(failure) => Err(failure),
            None if parsed => Ok(elements),
            None => Err(Failure::reported()),
        }
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
            if let Some(terminator) = self.implicit_terminator {
                unsafe { ffi::skndEnsureTerminator(region, ffi::text(terminator), location.to_raw()) };
            }
            unsafe { owned_region(region) }
        })
    }

    /// A successor `^bb`, added to the operation.
    pub fn parse_successor(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndParseSuccessor(self.raw, self.state) })
    }

    /// Adds operands to the operation.
    pub fn add_operands(&mut self, operands: &[Value<'c, 'p>]) {
        // `Value` is transparent over `MlirValue`.
        unsafe { ffi::skndAddOperands(self.state, operands.as_ptr().cast(), operands.len()) }
    }

    /// Adds result types to the operation.
    pub fn add_results(&mut self, types: &[Type<'c>]) {
        let types: Vec<_> = types.iter().map(|r#type| r#type.to_raw()).collect();
        unsafe { ffi::skndAddResultTypes(self.state, types.as_ptr(), types.len()) }
    }

    /// Adds (or replaces) an attribute of the operation.
    pub fn add_attribute(&mut self, name: &str, attribute: Attribute<'c>) {
        unsafe { ffi::skndAddAttribute(self.state, ffi::text(name), attribute.to_raw()) }
    }

    /// The attribute added or parsed so far.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        unsafe { Attribute::from_option_raw(ffi::skndGetAttribute(self.state, ffi::text(name))) }
    }

    /// Adds a region to the operation.
    pub fn add_region(&mut self, region: ParsedRegion<'c>) {
        unsafe { ffi::skndAddRegion(self.state, region.0.into_raw()) }
    }

    /// Adds the result types that the operation's type inference gives for what was added so far.
    pub fn infer_results(&mut self) -> Result<(), Failure> {
        succeeded(unsafe { ffi::skndInferResults(self.raw, self.state) })
    }
}

/// A region that was parsed, to be given to the operation that is parsed.
#[derive(Debug)]
pub struct ParsedRegion<'c>(melior::ir::Region<'c>);

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

fn succeeded(succeeded: bool) -> Result<(), Failure> {
    if succeeded { Ok(()) } else { Err(Failure::reported()) }
}

/// Outcomes as the bridge numbers them: failed, parsed, absent.
fn optional<T>(outcome: c_int, value: impl FnOnce() -> T) -> Result<Option<T>, Failure> {
    match outcome {
        0 => Err(Failure::reported()),
        1 => Ok(Some(value())),
        _ => Ok(None),
    }
}

fn raw_type(r#type: Option<Type<'_>>) -> MlirType {
    r#type.map_or(MlirType { ptr: null() }, |r#type| r#type.to_raw())
}

fn raw_argument(argument: &ArgumentSyntax<'_, '_>) -> ffi::Argument {
    ffi::Argument {
        operand: argument.operand.raw,
        r#type: argument.r#type.to_raw(),
        attributes: argument.attributes.to_raw(),
        location: argument.location.to_raw(),
    }
}

/// A list being parsed: what its elements are parsed by, and those parsed.
struct List<'l, 'c, 'p, T, F> {
    parser: &'l mut Parser<'c, 'p>,
    element: F,
    elements: Vec<T>,
    failure: Option<Failure>,
}

/// The callback for a list, which is only named for its type.
fn parse_element<'c, 'p, T, F: FnMut(&mut Parser<'c, 'p>) -> Result<T, Failure>>(
    _: &List<'_, 'c, 'p, T, F>,
) -> unsafe extern "C" fn(*mut c_void) -> bool {
    unsafe extern "C" fn parse<'c, 'p, T, F: FnMut(&mut Parser<'c, 'p>) -> Result<T, Failure>>(
        data: *mut c_void,
    ) -> bool {
        let list = unsafe { &mut *data.cast::<List<'_, 'c, 'p, T, F>>() };
        let List { parser, element, .. } = list;
        match guard(|| element(parser)) {
            Ok(element) => list.elements.push(element),
            Err(failure) => {
                list.failure = Some(failure);
                return false;
            }
        }
        true
    }
    parse::<'c, 'p, T, F>
}
