//! Types of expressions, as far as a definition on its own determines them (section 2.3).

use skriptnd_syntax::ast::TypeName;
use std::fmt;
use std::sync::Arc;

/// Where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Evaluated when composing.
    CompileTime,
    /// In `@lower`: tensors are read element by element.
    Formula,
    /// In `@compose` and `@update`: tensors are passed around.
    Composition,
}

/// Element type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Base {
    Int,
    Real,
    Bool,
    Str,
    /// A generic type with what it is restricted to.
    Generic(Arc<str>, TypeName),
    /// Not known, because of an earlier error or because only composition can tell.
    Unknown,
}

impl Base {
    /// The base type of a keyword; abstract ones are none.
    pub(super) fn concrete(name: TypeName) -> Option<Base> {
        match name {
            TypeName::Int => Some(Base::Int),
            TypeName::Real => Some(Base::Real),
            TypeName::Bool => Some(Base::Bool),
            TypeName::Str => Some(Base::Str),
            TypeName::Type | TypeName::Arith | TypeName::Num => None,
        }
    }

    /// Whether values of this type may be added and compared by size.
    pub(super) fn is_numeric(&self) -> bool {
        match self {
            Base::Int | Base::Real | Base::Unknown => true,
            Base::Generic(_, bound) => *bound == TypeName::Num,
            Base::Bool | Base::Str => false,
        }
    }

    /// Whether values of this type may be cast.
    pub(super) fn is_arithmetic(&self) -> bool {
        matches!(self, Base::Bool | Base::Generic(_, TypeName::Arith)) || self.is_numeric()
    }

    pub(super) fn is_generic(&self) -> bool {
        matches!(self, Base::Generic(..))
    }

    pub(super) fn is(&self, other: &Base) -> bool {
        self == other || *self == Base::Unknown || *other == Base::Unknown
    }

    /// Whether a concrete type is within the bound of a generic one.
    pub(super) fn satisfies(&self, bound: TypeName) -> bool {
        match (self, bound) {
            (Base::Unknown, _) | (_, TypeName::Type) => true,
            (Base::Generic(_, own), TypeName::Arith) => *own != TypeName::Type,
            (Base::Generic(_, own), _) => *own == TypeName::Num,
            (base, TypeName::Arith) => *base != Base::Str,
            (base, TypeName::Num) => matches!(base, Base::Int | Base::Real),
            _ => false,
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Base::Int => "int",
            Base::Real => "real",
            Base::Bool => "bool",
            Base::Str => "str",
            Base::Generic(name, _) => name,
            Base::Unknown => "unknown",
        })
    }
}

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) base: Base,
    pub(super) packed: bool,
    pub(super) optional: bool,
    /// A tensor rather than a scalar known when composing.
    pub(super) tensor: bool,
}

impl Type {
    pub(super) const UNKNOWN: Type = Type { base: Base::Unknown, packed: false, optional: false, tensor: false };

    pub(super) fn scalar(base: Base) -> Type {
        Type { base, ..Type::UNKNOWN }
    }

    pub(super) fn pack(base: Base) -> Type {
        Type { base, packed: true, ..Type::UNKNOWN }
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.base == Base::Unknown
    }

    pub(super) fn with_base(self, base: Base) -> Type {
        Type { base, ..self }
    }

    pub(super) fn optional_if(self, optional: bool) -> Type {
        Type { optional: self.optional || optional, ..self }
    }

    pub(super) fn packed_if(self, packed: bool) -> Type {
        Type { packed: self.packed || packed, ..self }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match &self.base {
            Base::Unknown => String::new(),
            base => format!("{base} "),
        };
        let optional = if self.optional { "optional " } else { "" };
        let article = if format!("{optional}{base}").starts_with(['i', 'o']) { "an" } else { "a" };
        let pack = if self.optional { "an optional pack" } else { "a pack" };
        match (self.packed, self.tensor) {
            (false, false) if self.optional => write!(f, "an optional {}", self.base),
            (false, false) => write!(f, "{}", self.base),
            (true, false) => write!(f, "{pack} of {}", if base.is_empty() { "unknown type" } else { base.trim_end() }),
            (false, true) => write!(f, "{article} {optional}{base}tensor"),
            (true, true) => write!(f, "{pack} of {base}tensors"),
        }
    }
}
