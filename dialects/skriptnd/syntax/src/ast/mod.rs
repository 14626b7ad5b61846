//! The abstract syntax tree of a SkriptND module (specification, section 2.16).
//!
//! The tree keeps what was written: names are not resolved, and `x[i]` is one [`ExprKind::Subscript`] whether it
//! indexes a pack or accesses a tensor. Both spellings of the language give the same tree.

mod composition;
mod declaration;
mod definition;
mod expression;
mod formula;
mod operators;

pub use composition::*;
pub use declaration::*;
pub use definition::*;
pub use expression::*;
pub use formula::*;
pub use operators::Operators;
use skriptnd_source::Span;
use std::fmt;
use std::sync::Arc;

/// An identifier as written.
#[derive(Debug, Clone)]
pub struct Name {
    /// The identifier itself.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// `a.b.c`: an operator or a module.
#[derive(Debug, Clone)]
pub struct QualifiedName {
    /// At least one part.
    pub parts: Vec<Name>,
    /// From the first to the last part.
    pub span: Span,
}

impl QualifiedName {
    /// The full path of what the name means within a module: `module.name`, or the name itself if it is qualified.
    pub fn path_in(&self, module: &str) -> String {
        match self.parts.as_slice() {
            [name] => format!("{module}.{}", name.text),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.parts.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { "." } else { "" }, part.text)?;
        }
        Ok(())
    }
}
