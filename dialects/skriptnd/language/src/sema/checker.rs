//! The state of checking one definition.

use super::diagnostics::{self as say, Absence};
use super::names::{Meaning, Names};
use super::subgraphs::{Found, Subgraphs};
use super::symbols::{Scopes, Symbol, SymbolKind};
use super::types::{Base, Context, Type};
use crate::library::Library;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics, Severity};
use skriptnd_syntax::ast::{Module, Name, Operator, TypeExpr, TypeSpec};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How many unknown names of a definition are compared with the known ones.
const SUGGESTIONS: usize = 100;

/// Checks one definition.
pub(super) struct Checker<'a> {
    pub(super) library: &'a Library,
    /// The path of the module.
    pub(super) path: &'a str,
    pub(super) module: &'a Module,
    pub(super) operator: &'a Operator,
    pub(super) symbols: Scopes,
    pub(super) context: Context,
    /// Optional names that a null test has shown to be there.
    pub(super) promoted: Vec<Arc<str>>,
    /// What is declared further down, for better messages.
    pub(super) later: HashMap<Arc<str>, (Span, SymbolKind)>,
    /// Names that the statements of the blocks around assign, some of them further down; the outermost block first.
    pub(super) following: Vec<HashMap<Arc<str>, Span>>,
    pub(super) subgraphs: &'a Subgraphs<'a>,
    /// In a sub-graph, names that it doesn't declare: they are of what invokes it.
    pub(super) outer: Option<Vec<Name>>,
    /// What the names stand for that have been met.
    pub(super) names: Names,
    /// The statement whose results are assigned.
    pub(super) statement: Span,
    diagnostics: Diagnostics,
    pub(super) reported: HashSet<Arc<str>>,
    /// Names of types and of modules that were reported: each once, where it first stands.
    pub(super) unknown_types: HashSet<Arc<str>>,
    pub(super) unknown_modules: HashSet<String>,
    /// Where errors were found.
    faulty: HashSet<Span>,
    /// What was taken for a pack and is none.
    single: HashSet<Arc<str>>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        library: &'a Library,
        (path, module): (&'a str, &'a Module),
        operator: &'a Operator,
        subgraphs: &'a Subgraphs<'a>,
    ) -> Self {
        Checker {
            library,
            path,
            module,
            operator,
            symbols: Scopes::new(operator.span),
            context: Context::CompileTime,
            promoted: Vec::new(),
            later: HashMap::new(),
            following: Vec::new(),
            subgraphs,
            outer: None,
            names: Names::default(),
            statement: operator.span,
            diagnostics: Diagnostics::default(),
            reported: HashSet::new(),
            unknown_types: HashSet::new(),
            unknown_modules: HashSet::new(),
            faulty: HashSet::new(),
            single: HashSet::new(),
        }
    }

    /// What was found. Of a definition of which parts could not be parsed, that which may only be missing because of
    /// that is left out.
    pub(super) fn finish(self) -> Found {
        if !self.operator.incomplete {
            return Found { diagnostics: self.diagnostics, names: self.names };
        }
        let mut kept = Diagnostics::default();
        for diagnostic in self.diagnostics.iter().filter(|diagnostic| !self.may_be_lost(diagnostic)) {
            kept.push(diagnostic.clone());
        }
        Found { diagnostics: kept, names: self.names }
    }

    /// Whether what a message misses may stand where the definition could not be parsed.
    fn may_be_lost(&self, diagnostic: &Diagnostic) -> bool {
        let text = self.text(diagnostic.span);
        match say::absence(diagnostic) {
            Absence::Nothing => false,
            Absence::Name => {
                let name = text.map(first_word);
                self.operator.lost.contains("") || name.is_none_or(|name| self.operator.lost.contains(name))
            }
            Absence::Part => true,
        }
    }

    /// Whether an error has been found in this definition.
    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Adds a message. Of the same place the first error is told: others follow from it, but for those of what is
    /// missing there. That an extent is no pack is told once of each.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.code == Code::NotAPack
            && let Some(name) = self.text(diagnostic.span)
            && self.symbols.get(name).is_some_and(|symbol| symbol.kind == SymbolKind::Extent)
            && !self.single.insert(Arc::from(name))
        {
            return;
        }
        let consequence = diagnostic.severity == Severity::Error && !say::is_about_parameters(&diagnostic);
        if !consequence || self.faulty.insert(diagnostic.span) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// What stands at a place.
    fn text(&self, span: Span) -> Option<&'a str> {
        let library = self.library;
        library.sources.file(span.file)?.text.get(span.start as usize..span.end as usize)
    }

    /// Runs a part of the check in another context.
    pub(super) fn within<R>(&mut self, context: Context, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.context, context);
        let result = check(self);
        self.context = outer;
        result
    }

    /// Adds a name; reports it if it is taken.
    pub(super) fn declare(&mut self, name: &Name, mut symbol: Symbol) {
        if &*name.text == "_" {
            self.report(say::reserved_name(name.span));
        }
        if let Some(known) = self.symbols.innermost(&name.text) {
            let (number, kind, span) = (known.number, known.kind, known.span);
            self.names.occurs(name.span, Meaning::Own(number));
            return self.report(say::duplicate_name(name.span, &name.text, symbol.kind, kind, span));
        }
        symbol.span = name.span;
        symbol.number = self.names.introduce(name, symbol.kind, symbol.declaration, self.symbols.span());
        self.symbols.declare(name, symbol);
    }

    /// The symbol of a name that is read; reports it once if there is none.
    pub(super) fn lookup(&mut self, name: &str, span: Span) -> Option<Symbol> {
        if let Some(symbol) = self.symbols.get_mut(name) {
            symbol.used = true;
            let symbol = symbol.clone();
            self.names.occurs(span, Meaning::Own(symbol.number));
            return Some(symbol);
        }
        self.undeclared(name, span);
        None
    }

    pub(super) fn undeclared(&mut self, name: &str, span: Span) {
        if !self.reported.insert(Arc::from(name)) {
            return;
        }
        if let Some(outer) = &mut self.outer {
            outer.push(Name { text: name.into(), span });
            return;
        }
        // A suggestion takes a look at every known name: of thousands of unknown ones only the first get one.
        let near = if self.reported.len() <= SUGGESTIONS { self.symbols.nearest(name) } else { None };
        let later = self.later.get(name);
        let following = self.following.iter().find_map(|block| block.get(name));
        let operator = self.module.operators.contains(name);
        let diagnostic = match (later, following) {
            (Some((later, SymbolKind::Using)), _) => say::used_before_definition(span, name, *later),
            (Some((later, kind)), _) => say::declared_later(span, name, *kind, *later),
            (None, Some(following)) => say::used_before_statement(span, name, *following),
            (None, None) if operator => say::operator_as_value(span, name),
            (None, None) => say::undeclared(span, name, near.as_deref(), self.context == Context::Formula),
        };
        self.report(diagnostic);
    }

    /// The base type that a type expression names.
    pub(super) fn base(&mut self, ty: &TypeExpr) -> Base {
        match ty {
            TypeExpr::Concrete(name, span) => Base::concrete(*name).unwrap_or_else(|| {
                self.report(say::abstract_type(*span, *name));
                Base::Unknown
            }),
            TypeExpr::Generic(name) => match self.operator.dtypes.iter().position(|d| d.name.text == name.text) {
                Some(number) => {
                    // Generic types are introduced before all other names.
                    self.names.occurs(name.span, Meaning::Own(number));
                    Base::Generic(name.text.clone(), self.operator.dtypes[number].bound)
                }
                None => {
                    let names: Vec<&str> = self.operator.dtypes.iter().map(|d| &*d.name.text).collect();
                    if self.unknown_types.insert(name.text.clone()) {
                        self.report(say::unknown_type(name.span, &name.text, &names));
                    }
                    Base::Unknown
                }
            },
        }
    }

    /// The type of a tensor that is declared.
    pub(super) fn tensor_type(&mut self, spec: &TypeSpec) -> Type {
        Type { base: self.base(&spec.base), packed: spec.pack.is_some(), optional: spec.optional, tensor: true }
    }
}

/// The word that a text begins with, or all of it.
fn first_word(text: &str) -> &str {
    match text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        Some(end) if end > 0 => &text[..end],
        _ => text,
    }
}
