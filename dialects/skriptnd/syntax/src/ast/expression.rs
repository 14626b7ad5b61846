//! Expressions (section 2.4).

use super::{Name, PackSpec, TypeExpr};
use skriptnd_source::Span;
use std::sync::Arc;
use strum::{Display, EnumIter, EnumString, IntoStaticStr, VariantNames};

/// An expression with its place.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// `.shape`, `.rank`, `.size`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display)]
#[strum(serialize_all = "snake_case")]
pub enum Member {
    /// Extents.
    Shape,
    /// Number of dimensions.
    Rank,
    /// Length of a tensor pack.
    Size,
}

/// Unary operators; in snake case these are their names in formulas of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Binary operators, division of integers as section 2.4 says; in snake case these are their names in formulas of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// `/`: rounds down on integers.
    Div,
    /// `\`: rounds up.
    CeilDiv,
    Mod,
    Pow,
    /// `<<` or `<?`
    Min,
    /// `>>` or `>?`
    Max,
    And,
    Or,
    Xor,
    /// `=>`
    Implies,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// What is folded over a pack (section 2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldOp {
    /// A binary operator.
    Binary(BinaryOp),
    /// `:=`: the uniform value.
    Uniform,
}

/// Built-in functions; in lower case these are their names.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, EnumString, IntoStaticStr, Display, VariantNames,
)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Builtin {
    Abs,
    Sign,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Floor,
    Ceil,
    Round,
    Frac,
    Erf,
}

impl Builtin {
    /// The names of all functions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Builtin::VARIANTS.iter().copied()
    }
}

/// A part of a string literal.
#[derive(Debug, Clone)]
pub enum StrPart {
    /// Text with escapes resolved.
    Text(String),
    /// `{expr}`
    Format(Expr),
}

/// An item of a list or of a subscript.
#[derive(Debug, Clone)]
pub enum Item {
    /// One value.
    Value(Expr),
    /// `x..` or `x..(n)`
    Expand(Expr, PackSpec),
    /// `b:e:s`; omitted parts only in subscripts.
    Range(Option<Expr>, Option<Expr>, Option<Expr>, Span),
    /// `(a, b)..`
    Zip(Vec<Expr>, PackSpec),
}

/// Expressions (section 2.4).
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `42`
    Int(i64),
    /// `4.2`
    Real(f64),
    /// `true`
    Bool(bool),
    /// `'a {b}'`
    Str(Vec<StrPart>),
    /// `inf`
    Inf,
    /// `pi`
    Pi,
    /// An identifier.
    Name(Arc<str>),
    /// `x.shape`
    Member(Name, Member),
    /// `[a, b..]`
    List(Vec<Item>),
    /// `a[i]`, `a[i:j]`, `x[i, j..]`, `x[]`
    Subscript {
        /// What is indexed.
        base: Box<Expr>,
        /// Between the brackets.
        items: Vec<Item>,
        /// `x[i,]`
        trailing_comma: bool,
    },
    /// `|i|` or `|i <> a : b|`, within what makes the index of a tensor access.
    Bounded {
        /// The index that is tested.
        index: Box<Expr>,
        /// What is used in place of it, below and above.
        remap: Option<(Box<Expr>, Box<Expr>)>,
    },
    /// `a[i] <- b`
    Substitute {
        /// The pack of which an item is replaced.
        base: Box<Expr>,
        /// Which items: one [`Item`].
        index: Box<Item>,
        /// Their new values.
        value: Box<Expr>,
    },
    /// `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `a ?? b`
    Coalesce(Box<Expr>, Box<Expr>),
    /// `a is b`
    Is(Box<Expr>, Box<Expr>),
    /// `a in b`
    In(Box<Expr>, Box<Expr>),
    /// `?a`
    NullTest(Box<Expr>),
    /// `a + ..`, cumulative `a + ...`
    Fold {
        /// The pack whose items are combined.
        pack: Box<Expr>,
        /// What combines.
        op: FoldOp,
        /// Three dots.
        cumulative: bool,
    },
    /// `int(a)`, `T()`
    Cast(TypeExpr, Option<Box<Expr>>),
    /// `` `sqrt`(a) `` or `sqrt(a)`
    Builtin(Builtin, Box<Expr>),
    /// `(a)`: kept, because mixtures of `&&` and `||` are warned about where it is missing.
    Paren(Box<Expr>),
}
