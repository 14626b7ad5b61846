//! What a module has and nothing needs: imports, and operators of the main module.

use super::{contains, diagnostics as say};
use skriptnd_language::sema::names::{Meaning, Names};
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Module, Operator, OperatorKind, QualifiedName};
use std::collections::HashSet;

/// Imports that stand twice, and those of modules none of whose operators is named.
pub(super) fn imports(module: &Module, names: &Names, found: &mut Diagnostics) {
    let is_import = |occurrence| module.imports.iter().any(|import| contains(import.span, occurrence));
    let named = names.occurrences.iter().filter_map(|occurrence| match &occurrence.meaning {
        Meaning::Module(path) if !is_import(occurrence.span) => Some(&**path),
        _ => None,
    });
    let named: HashSet<&str> = named.collect();
    for (at, import) in module.imports.iter().enumerate() {
        let path = import.to_string();
        let same = |other: &&QualifiedName| {
            other.parts.iter().map(|part| &part.text).eq(import.parts.iter().map(|part| &part.text))
        };
        if let Some(first) = module.imports[..at].iter().find(same) {
            found.push(say::duplicate_import(import.span, &path, first.span));
        } else if !named.contains(path.as_str()) {
            found.push(say::unused_import(import.span, &path));
        }
    }
}

/// Operators of the main module that no graph invokes, be it through others. Nothing imports that module (section 2.15);
/// the operators of others are for whoever imports them.
pub(super) fn operators(main: &Module, names: &Names, found: &mut Diagnostics) {
    let mut pending: Vec<&Operator> = main.operators.iter().filter(|o| o.kind == OperatorKind::Graph).collect();
    let mut reached: HashSet<&str> = pending.iter().map(|graph| &*graph.name.text).collect();
    while let Some(definition) = pending.pop() {
        for name in invoked(definition, names) {
            if let Some(operator) = main.operators.get(name).filter(|_| reached.insert(name)) {
                pending.push(operator);
            }
        }
    }
    let is_unused = |name: &str| !name.starts_with('_') && !reached.contains(name);
    for operator in main.operators.iter().filter(|operator| is_unused(&operator.name.text)) {
        found.push(say::unused_operator(operator.name.span, &operator.name.text));
    }
}

/// The operators of the main module that a definition in it names.
fn invoked<'a>(definition: &Operator, names: &'a Names) -> impl Iterator<Item = &'a str> {
    let (span, own) = (definition.span, definition.name.span);
    let first = names.occurrences.partition_point(|occurrence| occurrence.span.start < span.start);
    let inside = names.occurrences[first..].iter().take_while(move |occurrence| occurrence.span.start < span.end);
    inside.filter(move |occurrence| occurrence.span != own).filter_map(|occurrence| match &occurrence.meaning {
        Meaning::Operator(path) => path.strip_prefix("main."),
        _ => None,
    })
}
