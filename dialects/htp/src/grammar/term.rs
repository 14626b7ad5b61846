//! The syntax of one registration as a tree of terms.

use skriptnd_source::Span;

/// One operand of a registration, or of another term.
#[derive(Debug, Clone)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// From its first token to its last one.
    pub span: Span,
    /// The place in a macro's body that it comes from.
    pub macro_body: Option<Span>,
}

/// The kinds of terms.
#[derive(Debug, Clone)]
pub enum TermKind {
    /// `NAME(operands)`.
    Call {
        /// The name before the parenthesis, e.g. `Op` or `DType::Float`.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// The terms between the parentheses.
        operands: Vec<Term>,
    },
    /// One or more string constants that stand side by side, each with its quotes, and where it stands.
    Strings(Vec<(String, Span)>),
    /// A number as written.
    Number {
        /// `+` or `-`, if there is one.
        sign: Option<char>,
        /// The digits with suffix.
        digits: String,
    },
    /// A bare name.
    Name(String),
    /// `SCOPE::NAME`.
    Scoped(String, String),
}

/// `GROUP`, `GROUP + n`, `GROUP - n`.
#[derive(Debug, Clone)]
pub struct PassTerm {
    /// The pass group and its place.
    pub group: (String, Span),
    /// Sign and digits of the offset and their place.
    pub offset: Option<(char, String, Span)>,
}

/// The parts of one registration.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The macro, e.g. `DEF_PACKAGE_OPTIMIZATION`.
    pub name: String,
    /// Where the macro's name stands.
    pub name_span: Span,
    /// The first operand.
    pub pass: PassTerm,
    /// The other operands.
    pub operands: Vec<Term>,
    /// From the macro's name to the closing parenthesis.
    pub span: Span,
    /// The package that the file around it declares.
    pub package: Option<String>,
}
