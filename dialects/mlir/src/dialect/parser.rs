//! Custom assembly: parsing.
//!
//! SAFETY, for all calls of the bridge here: the parser and the state are valid while the callback runs, which is all that
//! a [`Parser`] lives, and so are the types, attributes and values that they hand out.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null;

use mlir_sys::{MlirAttribute, MlirStringRef, MlirType};

use super::{Delimiter, Token};
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::context::context_from_raw;
use crate::ir::{Attribute, Context, Location, Type, guard};

/// Parses what follows the name of an operation, a type or an attribute. Methods that fail have reported why; the
/// `optional` ones accept the absence of what they look for.
pub struct Parser<'c, 'p, S = OperationState<'p>> {
    pub(super) raw: *mut c_void,
    pub(super) state: S,
    _context: PhantomData<(&'c Context, &'p ())>,
}

/// Parses the parameters of a type or an attribute.
pub type ParameterParser<'c, 'p> = Parser<'c, 'p, ParameterState<'c>>;

/// What a parser of an operation adds to.
pub struct OperationState<'p> {
    pub(super) raw: *mut c_void,
    pub(super) implicit_terminator: Option<&'p str>,
}

/// What a parser of parameters knows beforehand.
pub struct ParameterState<'c> {
    self_type: Option<Type<'c>>,
}

const NO_TEXT: MlirStringRef = MlirStringRef { data: null(), length: 0 };

impl<'c, 'p, S> Parser<'c, 'p, S> {
    /// # Safety
    ///
    /// The parser and what the state holds must be valid for `'p`, and their context for `'c`.
    pub(super) unsafe fn of(raw: *mut c_void, state: S) -> Self {
        Self { raw, state, _context: PhantomData }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        unsafe { context_from_raw(ffi::skndParserContext(self.raw)) }
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

    /// A type that was defined from Rust as `dialect.name`: without that name, or whole.
    pub fn parse_stripped_type(&mut self, name: &str) -> Result<Type<'c>, Failure> {
        let (dialect, name) = name.split_once('.').unwrap_or_default();
        let mut r#type = MlirType { ptr: null() };
        let (dialect, name) = (ffi::text(dialect), ffi::text(name));
        succeeded(unsafe { ffi::skndParseStrippedType(self.raw, dialect, name, &mut r#type) })?;
        Ok(unsafe { Type::from_raw(r#type) })
    }

    /// An attribute that was defined from Rust as `dialect.name`: without that name, or whole.
    pub fn parse_stripped_attribute(&mut self, name: &str) -> Result<Attribute<'c>, Failure> {
        let (dialect, name) = name.split_once('.').unwrap_or_default();
        let mut attribute = MlirAttribute { ptr: null() };
        let (dialect, name) = (ffi::text(dialect), ffi::text(name));
        succeeded(unsafe { ffi::skndParseStrippedAttribute(self.raw, dialect, name, &mut attribute) })?;
        Ok(unsafe { Attribute::from_raw(attribute) })
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
}

impl<'c> ParameterParser<'c, '_> {
    /// # Safety
    ///
    /// The parser and the type must be valid for the lifetimes.
    pub(crate) unsafe fn of_parameters(raw: *mut c_void, self_type: Option<Type<'c>>) -> Self {
        unsafe { Self::of(raw, ParameterState { self_type }) }
    }

    /// The type that stands behind the attribute that is being parsed, or that its place says it has.
    pub fn self_type(&self) -> Option<Type<'c>> {
        self.state.self_type
    }
}

pub(super) fn succeeded(succeeded: bool) -> Result<(), Failure> {
    if succeeded { Ok(()) } else { Err(Failure::reported()) }
}

/// Outcomes as the bridge numbers them: failed, parsed, absent.
pub(super) fn optional<T>(outcome: c_int, value: impl FnOnce() -> T) -> Result<Option<T>, Failure> {
    match outcome {
        0 => Err(Failure::reported()),
        1 => Ok(Some(value())),
        _ => Ok(None),
    }
}

fn raw_type(r#type: Option<Type<'_>>) -> MlirType {
    r#type.map_or(MlirType { ptr: null() }, |r#type| r#type.to_raw())
}

/// A list being parsed: what its elements are parsed by, and those parsed.
struct List<'l, 'c, 'p, S, T, F> {
    parser: &'l mut Parser<'c, 'p, S>,
    element: F,
    elements: Vec<T>,
    failure: Option<Failure>,
}

/// The callback for a list, which is only named for its type.
fn parse_element<'c, 'p, S, T, F: FnMut(&mut Parser<'c, 'p, S>) -> Result<T, Failure>>(
    _: &List<'_, 'c, 'p, S, T, F>,
) -> unsafe extern "C" fn(*mut c_void) -> bool {
    unsafe extern "C" fn parse<'c, 'p, S, T, F: FnMut(&mut Parser<'c, 'p, S>) -> Result<T, Failure>>(
        data: *mut c_void,
    ) -> bool {
        let list = unsafe { &mut *data.cast::<List<'_, 'c, 'p, S, T, F>>() };
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
    parse::<'c, 'p, S, T, F>
}
