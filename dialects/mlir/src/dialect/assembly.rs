//! What custom assembly consists of.

use std::marker::PhantomData;

use crate::ffi;

/// The punctuation of MLIR's assembly. There is no token for `~` or other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Token {
    /// `->`
    Arrow = 0,
    /// `:`
    Colon = 1,
    /// `,`
    Comma = 2,
    /// `...`
    Ellipsis = 3,
    /// `=`
    Equal = 4,
    /// `>`
    Greater = 5,
    /// `{`
    LeftBrace = 6,
    /// `(`
    LeftParenthesis = 7,
    /// `[`
    LeftSquare = 8,
    /// `<`
    Less = 9,
    /// `-`
    Minus = 10,
    /// `+`
    Plus = 11,
    /// `?`
    Question = 12,
    /// `}`
    RightBrace = 13,
    /// `)`
    RightParenthesis = 14,
    /// `]`
    RightSquare = 15,
    /// `/`
    Slash = 16,
    /// `*`
    Star = 17,
    /// `|`
    VerticalBar = 18,
}

/// What surrounds a comma-separated list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Delimiter {
    /// Nothing: at least one element.
    None = 0,
    /// `( )`, possibly empty.
    Parentheses = 1,
    /// `[ ]`, possibly empty.
    Square = 2,
    /// `{ }`, possibly empty.
    Braces = 3,
    /// `< >`, possibly empty.
    Angles = 4,
    /// `( )` or nothing at all.
    OptionalParentheses = 5,
    /// `[ ]` or nothing at all.
    OptionalSquare = 6,
    /// `{ }` or nothing at all.
    OptionalBraces = 7,
    /// `< >` or nothing at all.
    OptionalAngles = 8,
}

/// An operand as written, `%x` or `%x#1`, before its type is known.
#[derive(Clone, Copy)]
pub struct UnresolvedOperand<'p> {
    pub(crate) raw: ffi::UnresolvedOperand,
    pub(crate) parser: PhantomData<&'p ()>,
}

/// A region argument as written: `%x: type`, with attributes if there are some.
#[derive(Clone, Copy)]
pub struct ArgumentSyntax<'c, 'p> {
    /// The name.
    pub operand: UnresolvedOperand<'p>,
    /// The type.
    pub r#type: crate::ir::Type<'c>,
    /// The attribute dictionary, empty if none was written.
    pub attributes: crate::ir::Attribute<'c>,
    /// Where it stands.
    pub location: crate::ir::Location<'c>,
}
