//! What blocks before the computation declare: types, parameters, helper symbols, assertions (sections 2.3 to 2.9).

use super::{Expr, LValue, Name};
use skriptnd_source::Span;

/// A keyword that names a type (section 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// Any type.
    Type,
    /// int, real, bool.
    Arith,
    /// int, real.
    Num,
    /// Mathematical integer.
    Int,
    /// Mathematical real.
    Real,
    /// Truth value.
    Bool,
    /// String.
    Str,
}

impl TypeName {
    /// How it is written.
    pub fn keyword(self) -> &'static str {
        match self {
            TypeName::Type => "type",
            TypeName::Arith => "arith",
            TypeName::Num => "num",
            TypeName::Int => "int",
            TypeName::Real => "real",
            TypeName::Bool => "bool",
            TypeName::Str => "str",
        }
    }
}

/// `T: num = real;` (section 2.13)
#[derive(Debug, Clone)]
pub struct DtypeParam {
    /// The introduced type name.
    pub name: Name,
    /// What it is restricted to.
    pub bound: TypeName,
    /// Default.
    pub default: Option<TypeName>,
    /// All of it.
    pub span: Span,
}

/// A type keyword or the name of a generic type.
#[derive(Debug, Clone)]
pub enum TypeExpr {
    /// Keyword.
    Concrete(TypeName, Span),
    /// Introduced in `@dtype`.
    Generic(Name),
}

impl TypeExpr {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            TypeExpr::Concrete(_, span) => *span,
            TypeExpr::Generic(name) => name.span,
        }
    }
}

/// `optional T^(r)[shape]..(length)`
#[derive(Debug, Clone)]
pub struct TypeSpec {
    /// `optional`
    pub optional: bool,
    /// `dynamic` (newer spelling).
    pub dynamic: bool,
    /// Element type.
    pub base: TypeExpr,
    /// `^(rank)`
    pub rank: Option<Expr>,
    /// `[...]`: a tensor type; none for attributes and for tensors whose shape is omitted.
    pub shape: Option<Vec<ExtentSpec>>,
    /// `..(length)`
    pub pack: Option<PackSpec>,
    /// `..(length|bound)`: upper bound of a dynamic length.
    pub length_bound: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// One item of a shape.
#[derive(Debug, Clone)]
pub struct ExtentSpec {
    /// `..` before the extent: differs between the items of a tensor pack.
    pub distinct: bool,
    /// `static` before the extent (newer spelling).
    pub is_static: bool,
    /// The extent; none for `~`.
    pub extent: Option<Expr>,
    /// `| bound`: upper bound of a dynamic extent.
    pub bound: Option<Expr>,
    /// `..(length)`
    pub pack: Option<PackSpec>,
    /// All of it.
    pub span: Span,
}

/// `..` or `..(length)`
#[derive(Debug, Clone)]
pub struct PackSpec {
    /// `static` before the length (newer spelling).
    pub is_static: bool,
    /// The length, if written.
    pub length: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// An attribute, input, output, constant or variable.
#[derive(Debug, Clone)]
pub struct Param {
    /// What the definition calls it.
    pub name: Name,
    /// The type behind the colon, with shape, pack and whether it is optional.
    pub spec: TypeSpec,
    /// Default or value.
    pub value: Option<Expr>,
    /// Index symbols of a constant's value (section 2.7).
    pub bounds: Vec<LoopBound>,
    /// The comment at the end of its line, without `#`.
    pub documentation: String,
    /// All of it.
    pub span: Span,
}

/// `i < n`
#[derive(Debug, Clone)]
pub struct LoopBound {
    /// The index symbol; a pack of them if the bound is packed.
    pub index: Name,
    /// Exclusive upper bound.
    pub bound: Expr,
}

/// `[a, b..] = c;` in `@using` (section 2.9)
#[derive(Debug, Clone)]
pub struct Using {
    /// What is introduced.
    pub target: LValue,
    /// What the name stands for, or what is taken apart.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `condition: "message", label: value;` (section 2.8)
#[derive(Debug, Clone)]
pub struct Assertion {
    /// Must be true.
    pub condition: Expr,
    /// Formatted message.
    pub message: Option<Expr>,
    /// Values to print, each with its label if one is written.
    pub values: Vec<(Option<Expr>, Expr)>,
    /// All of it.
    pub span: Span,
}
