//! What every name of a module stands for, as the checks find it: what editors are told, and what is warned of as unused.

use super::symbols::SymbolKind;
use skriptnd_source::Span;
use skriptnd_syntax::ast::Name;
use std::sync::Arc;

/// A name that a definition introduces.
#[derive(Debug, Clone)]
pub struct Introduced {
    /// The identifier.
    pub name: Arc<str>,
    /// What introduces it.
    pub kind: SymbolKind,
    /// Where.
    pub span: Span,
    /// All of the declaration or statement that introduces it.
    pub declaration: Span,
    /// Where it is visible.
    pub scope: Span,
    /// Which definition of the module it belongs to.
    pub operator: usize,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A name of the same definition: index into [`Names::introduced`].
    Own(usize),
    /// An operator or graph, by its full path.
    Operator(Arc<str>),
    /// A module, by its path.
    Module(Arc<str>),
    /// An attribute that an invocation gives: the operator's path, the attribute.
    Attribute(Arc<str>, Arc<str>),
    /// A built-in function.
    Builtin(&'static str),
}

/// A name at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// Where.
    pub span: Span,
    /// What it stands for.
    pub meaning: Meaning,
}

/// The names of one module.
#[derive(Debug, Default)]
pub struct Names {
    /// What its definitions introduce, one definition after the other.
    pub introduced: Vec<Introduced>,
    /// All places where a name stands whose meaning is known, in the order of the text.
    pub occurrences: Vec<Occurrence>,
}

impl Names {
    /// The name at this byte; the place behind its last character counts too.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let behind = self.occurrences.partition_point(|occurrence| occurrence.span.start <= offset);
        let near = self.occurrences[..behind].iter().rev().take(8);
        near.filter(|occurrence| offset <= occurrence.span.end).min_by_key(|o| o.span.end - o.span.start)
    }

    pub(super) fn occurs(&mut self, span: Span, meaning: Meaning) {
        self.occurrences.push(Occurrence { span, meaning });
    }

    /// Notes a new name, and gives its number.
    pub(super) fn introduce(&mut self, name: &Name, kind: SymbolKind, declaration: Span, scope: Span) -> usize {
        let number = self.introduced.len();
        let (text, span) = (name.text.clone(), name.span);
        self.introduced.push(Introduced { name: text, kind, span, declaration, scope, operator: 0 });
        self.occurs(span, Meaning::Own(number));
        number
    }

    /// Adds the names of the module's next definition.
    pub(super) fn append(&mut self, definition: Names, operator: usize) {
        let first = self.introduced.len();
        self.introduced.extend(definition.introduced.into_iter().map(|name| Introduced { operator, ..name }));
        self.occurrences.extend(definition.occurrences.into_iter().map(|mut occurrence| {
            if let Meaning::Own(number) = &mut occurrence.meaning {
                *number += first;
            }
            occurrence
        }));
    }

    /// Brings the places into their order; what was looked at several times occurs once.
    pub(super) fn sort(&mut self) {
        self.occurrences.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        self.occurrences.dedup();
    }
}
