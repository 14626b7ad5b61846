//! Custom assembly: parsing.

use std::marker::PhantomData;

use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Attribute, Context, Location, Region, Type, Value};

use super::{ArgumentSyntax, Delimiter, Token, UnresolvedOperand};

/// Parses what follows an operation's name and builds the operation. Methods that fail have reported why; the
/// `optional` ones accept the absence of what they look for.
pub struct Parser<'c, 'p> {
    raw: ffi::Parser,
    state: ffi::OperationState,
    _context: PhantomData<&'c Context>,
    _scope: PhantomData<&'p ()>,
}

impl<'c, 'p> Parser<'c, 'p> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        todo!()
    }

    /// The whole name of the operation being parsed.
    pub fn operation_name(&self) -> &'c str {
        todo!()
    }

    /// The location of the next token.
    pub fn location(&self) -> Location<'c> {
        todo!()
    }

    /// Reports an error at the next token.
    pub fn error(&mut self, message: &str) -> Failure {
        todo!()
    }

    /// A keyword.
    pub fn parse_keyword(&mut self, keyword: &str) -> Result<(), Failure> {
        todo!()
    }

    /// Whether the keyword stood there.
    pub fn parse_optional_keyword(&mut self, keyword: &str) -> bool {
        todo!()
    }

    /// Any bare identifier (it may contain dots).
    pub fn parse_identifier(&mut self) -> Result<String, Failure> {
        todo!()
    }

    /// Any bare identifier.
    pub fn parse_optional_identifier(&mut self) -> Option<String> {
        todo!()
    }

    /// Punctuation.
    pub fn parse_token(&mut self, token: Token) -> Result<(), Failure> {
        todo!()
    }

    /// Whether the punctuation stood there.
    pub fn parse_optional_token(&mut self, token: Token) -> bool {
        todo!()
    }

    /// An integer.
    pub fn parse_integer(&mut self) -> Result<i64, Failure> {
        todo!()
    }

    /// An integer.
    pub fn parse_optional_integer(&mut self) -> Result<Option<i64>, Failure> {
        todo!()
    }

    /// A floating-point number.
    pub fn parse_float(&mut self) -> Result<f64, Failure> {
        todo!()
    }

    /// A quoted string, without quotes and escapes.
    pub fn parse_string(&mut self) -> Result<String, Failure> {
        todo!()
    }

    /// A quoted string.
    pub fn parse_optional_string(&mut self) -> Option<String> {
        todo!()
    }

    /// A symbol name `@name`, without the `@`.
    pub fn parse_symbol_name(&mut self) -> Result<String, Failure> {
        todo!()
    }

    /// A symbol name.
    pub fn parse_optional_symbol_name(&mut self) -> Option<String> {
        todo!()
    }

    /// An attribute; `type` is for literals that leave theirs out.
    pub fn parse_attribute(&mut self, r#type: Option<Type<'c>>) -> Result<Attribute<'c>, Failure> {
        todo!()
    }

    /// An attribute.
    pub fn parse_optional_attribute(&mut self, r#type: Option<Type<'c>>) -> Result<Option<Attribute<'c>>, Failure> {
        todo!()
    }

    /// `{name = value, ...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary(&mut self) -> Result<(), Failure> {
        todo!()
    }

    /// `attributes {...}`, if it is there; the attributes are added to the operation.
    pub fn parse_optional_attribute_dictionary_with_keyword(&mut self) -> Result<(), Failure> {
        todo!()
    }

    /// A type.
    pub fn parse_type(&mut self) -> Result<Type<'c>, Failure> {
        todo!()
    }

    /// A type.
    pub fn parse_optional_type(&mut self) -> Result<Option<Type<'c>>, Failure> {
        todo!()
    }

    /// `: type` and nothing else: the colon and a type.
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
        todo!()
    }

    /// An operand `%x`.
    pub fn parse_operand(&mut self) -> Result<UnresolvedOperand<'p>, Failure> {
        todo!()
    }

    /// An operand `%x`.
    pub fn parse_optional_operand(&mut self) -> Result<Option<UnresolvedOperand<'p>>, Failure> {
        todo!()
    }

    /// A comma-separated list of operands, possibly empty even without delimiters.
    pub fn parse_operand_list(&mut self, delimiter: Delimiter) -> Result<Vec<UnresolvedOperand<'p>>, Failure> {
        todo!()
    }

    /// A comma-separated list of anything.
    pub fn parse_list<T>(
        &mut self,
        delimiter: Delimiter,
        element: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        todo!()
    }

    /// The values of an operand with its type; a forward reference is possible. Usually one value.
    pub fn resolve_operand(
        &mut self,
        operand: UnresolvedOperand<'p>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'p>, Failure> {
        todo!()
    }

    /// Resolves operands and adds them to the operation; reports a mismatch of the numbers.
    pub fn add_resolved_operands(
        &mut self,
        operands: &[UnresolvedOperand<'p>],
        types: &[Type<'c>],
    ) -> Result<(), Failure> {
        todo!()
    }

    /// A region argument `%x: type`; attributes may follow when allowed.
    pub fn parse_argument(&mut self, allow_attributes: bool) -> Result<ArgumentSyntax<'c, 'p>, Failure> {
        todo!()
    }

    /// A region `{ ... }` whose entry block has the given arguments (none: the region may name its own).
    pub fn parse_region(&mut self, arguments: &[ArgumentSyntax<'c, 'p>]) -> Result<Region<'c>, Failure> {
        todo!()
    }

    /// A region, if `{` follows.
    pub fn parse_optional_region(
        &mut self,
        arguments: &[ArgumentSyntax<'c, 'p>],
    ) -> Result<Option<Region<'c>>, Failure> {
        todo!()
    }

    /// A successor `^bb`, added to the operation.
    pub fn parse_successor(&mut self) -> Result<(), Failure> {
        todo!()
    }

    /// Adds operands to the operation.
    pub fn add_operands(&mut self, operands: &[Value<'c, 'p>]) {
        todo!()
    }

    /// Adds result types to the operation.
    pub fn add_results(&mut self, types: &[Type<'c>]) {
        todo!()
    }

    /// Adds (or replaces) an attribute of the operation.
    pub fn add_attribute(&mut self, name: &str, attribute: Attribute<'c>) {
        todo!()
    }

    /// The attribute added or parsed so far.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        todo!()
    }

    /// Adds a region to the operation.
    pub fn add_region(&mut self, region: Region<'c>) {
        todo!()
    }

    /// Adds the result types that the operation's type inference gives for what was added so far.
    pub fn infer_results(&mut self) -> Result<(), Failure> {
        todo!()
    }
}
