//! What every name in a module stands for: found by walking through the tree with the scopes of the language.

mod components;
mod walk;

use skriptnd_language::library::Library;
use skriptnd_language::sema::SymbolKind;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Module, Name, Operator};
use std::collections::HashMap;
use std::sync::Arc;

/// A name that a definition introduces.
#[derive(Debug, Clone)]
pub struct Introduced {
    /// Its text.
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
    Builtin(Arc<str>),
}

/// A name at one place.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// Where.
    pub span: Span,
    /// What it stands for.
    pub meaning: Meaning,
}

/// The names of one module.
#[derive(Debug, Default)]
pub struct Names {
    /// What its definitions introduce.
    pub introduced: Vec<Introduced>,
    /// All places where a name stands whose meaning is known, in the order of the text.
    pub occurrences: Vec<Occurrence>,
}

impl Names {
    /// Looks at all definitions of a module.
    pub fn of(library: &Library, path: &str, module: &Module) -> Names {
        let mut walker = Walker::new(library, path, module);
        for import in &module.imports {
            let import_path: Vec<&str> = import.parts.iter().map(|part| &*part.text).collect();
            walker.occurs(import.span, Meaning::Module(import_path.join(".").into()));
        }
        for (number, operator) in module.operators.iter().enumerate() {
            walker.definition(number, operator);
        }
        let mut names = walker.names;
        names.occurrences.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        names
    }

    /// The name at this byte; the place behind its last character counts too.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let behind = self.occurrences.partition_point(|occurrence| occurrence.span.start <= offset);
        let near = self.occurrences[..behind].iter().rev().take(8);
        near.filter(|occurrence| offset <= occurrence.span.end).min_by_key(|o| o.span.end - o.span.start)
    }
}

/// Walks through a module.
pub(super) struct Walker<'a> {
    library: &'a Library,
    path: &'a str,
    module: &'a Module,
    names: Names,
    /// Innermost last.
    scopes: Vec<Scope>,
    operator: usize,
}

struct Scope {
    span: Span,
    names: HashMap<Arc<str>, usize>,
}

impl<'a> Walker<'a> {
    fn new(library: &'a Library, path: &'a str, module: &'a Module) -> Self {
        Walker { library, path, module, names: Names::default(), scopes: Vec::new(), operator: 0 }
    }

    fn occurs(&mut self, span: Span, meaning: Meaning) {
        self.names.occurrences.push(Occurrence { span, meaning });
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name).copied())
    }

    /// A name that is read.
    fn read(&mut self, name: &str, span: Span) {
        if let Some(number) = self.find(name) {
            self.occurs(span, Meaning::Own(number));
        }
    }

    /// Introduces a name in the innermost scope.
    fn introduce(&mut self, name: &Name, kind: SymbolKind, declaration: Span) {
        let number = self.names.introduced.len();
        let Some(scope) = self.scopes.last_mut() else { return };
        self.names.introduced.push(Introduced {
            name: name.text.clone(),
            kind,
            span: name.span,
            declaration,
            scope: scope.span,
            operator: self.operator,
        });
        scope.names.insert(name.text.clone(), number);
        self.occurs(name.span, Meaning::Own(number));
    }

    /// Introduces a name unless it is known; then it is another mention of that.
    fn introduce_or_read(&mut self, name: &Name, kind: SymbolKind, declaration: Span) {
        match self.find(&name.text) {
            Some(number) => self.occurs(name.span, Meaning::Own(number)),
            None => self.introduce(name, kind, declaration),
        }
    }

    fn within(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope { span, names: HashMap::new() });
        walk(self);
        self.scopes.pop();
    }

    /// The full path of an operator as it is written in this module.
    fn resolve(&self, parts: &[Name]) -> Option<Arc<str>> {
        let (name, module) = parts.split_last()?;
        let module = match module {
            [] => self.path.to_owned(),
            parts => parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join("."),
        };
        let path = format!("{module}.{}", name.text);
        let known = match parts {
            [_] => self.module.operators.contains(&name.text),
            _ => self.library.operator(&path).is_some(),
        };
        known.then(|| path.into())
    }
}

/// The definition at this byte.
pub(super) fn definition_at(module: &Module, offset: u32) -> Option<(usize, &Operator)> {
    module
        .operators
        .iter()
        .enumerate()
        .find(|(_, operator)| operator.span.start <= offset && offset <= operator.span.end)
}
