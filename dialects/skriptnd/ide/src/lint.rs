//! What is legal in a model and probably not meant: declarations that nothing uses. The standard library is not looked
//! at, and neither are results of invocations that are not used, of which the checks tell. A name that begins with `_` says
//! that it is meant.

mod diagnostics;
mod modules;

use diagnostics as say;
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_language::sema::SymbolKind;
use skriptnd_language::sema::names::{Introduced, Meaning, Names};
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{SourceMap, Span};
use skriptnd_syntax::ast::{Expr, ExprKind, ExtentSpec, Module, Operator, OperatorKind, Param};
use std::collections::HashSet;

/// Looks at the model's own modules, whose definitions have no errors.
pub fn lint(model: &CheckedModel) -> Diagnostics {
    let library = &model.definitions;
    let mut found = Diagnostics::default();
    for (path, module) in &library.modules {
        if let Some(names) = model.names.get(path) {
            modules::imports(module, names, &mut found);
            if path == "main" {
                modules::operators(module, names, &mut found);
            }
            Usage::of(library, module, names).report(&mut found);
        }
    }
    found
}

/// Where the names of a module are used.
struct Usage<'a> {
    sources: &'a SourceMap,
    definitions: Vec<&'a Operator>,
    names: &'a Names,
    /// By number of the name, without where it is introduced.
    uses: Vec<Vec<Span>>,
    /// The words of graphs, if there are several: they may use names of those that invoke them.
    shared: HashSet<&'a str>,
}

impl<'a> Usage<'a> {
    fn of(library: &'a Library, module: &'a Module, names: &'a Names) -> Self {
        let mut uses = vec![Vec::new(); names.introduced.len()];
        for occurrence in &names.occurrences {
            if let Meaning::Own(number) = occurrence.meaning
                && names.introduced[number].span != occurrence.span
            {
                uses[number].push(occurrence.span);
            }
        }
        let definitions: Vec<&Operator> = module.operators.iter().collect();
        let shared = words_of_subgraphs(library, &definitions);
        Usage { sources: &library.sources, definitions, names, uses, shared }
    }

    fn report(&self, found: &mut Diagnostics) {
        for (number, name) in self.names.introduced.iter().enumerate() {
            if !name.name.starts_with('_') && self.is_unused(number, name) {
                found.push(say::unused(name.kind, &name.name, name.span));
            }
        }
    }

    fn is_unused(&self, number: usize, name: &Introduced) -> bool {
        let Some(definition) = self.definitions.get(name.operator) else { return false };
        let graph = definition.kind == OperatorKind::Graph;
        // What has no computation is an interface.
        let computes = definition.components.is_some() || !definition.lowerings.is_empty();
        if !computes || graph && self.shared.contains(&*name.name) || self.is_used(number, name) {
            return false;
        }
        match name.kind {
            SymbolKind::Dtype | SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Local => true,
            SymbolKind::Attribute => !self.names_extents(name.operator, name.declaration, name.declaration),
            SymbolKind::Using => !self.is_part_of_used(name),
            SymbolKind::Input => !self.determines_extents(name, &definition.inputs),
            _ => false,
        }
    }

    /// The names that a definition introduces, with their numbers.
    fn names_of(&self, operator: usize) -> impl Iterator<Item = (usize, &Introduced)> {
        let first = self.names.introduced.partition_point(|name| name.operator < operator);
        let names = self.names.introduced.iter().enumerate().skip(first);
        names.take_while(move |(_, name)| name.operator == operator)
    }

    fn is_used(&self, number: usize, name: &Introduced) -> bool {
        self.uses[number].iter().any(|span| !contains(name.declaration, *span))
    }

    /// Whether a part of a declaration names extents or lengths that stand outside of the declaration, too.
    fn names_extents(&self, operator: usize, part: Span, declaration: Span) -> bool {
        let extents = self.names_of(operator).filter(|(_, name)| name.kind == SymbolKind::Extent);
        extents.into_iter().any(|(number, extent)| {
            let places = || self.uses[number].iter().chain([&extent.span]);
            places().any(|span| contains(part, *span)) && places().any(|span| !contains(declaration, *span))
        })
    }

    /// Whether the shape of an input tells extents or lengths that no other input is sure to tell.
    fn determines_extents(&self, name: &Introduced, inputs: &[Param]) -> bool {
        let Some(input) = inputs.iter().find(|input| input.name.span == name.span) else { return false };
        // A pack may be empty, and what is optional may be absent.
        let certain = |other: &&Param| other.spec.pack.is_none() && !other.spec.optional;
        let others = || inputs.iter().filter(certain).filter(|other| other.name.span != name.span);
        let shape = |param: &Param| self.text(param.spec.span);
        if others().any(|other| shape(other) == shape(input)) {
            return false;
        }
        let told = |extent: &ExtentSpec| {
            let same = |other: &ExtentSpec| is_plain(other) && self.text(other.span) == self.text(extent.span);
            is_plain(extent) && others().any(|other| other.spec.shape.iter().flatten().any(same))
        };
        let shape = input.spec.shape.iter().flatten().filter(|extent| !told(extent)).map(|extent| extent.span);
        let rank = input.spec.rank.iter().map(|rank| rank.span);
        let length = input.spec.pack.iter().map(|pack| pack.span);
        shape.chain(rank).chain(length).any(|part| self.names_extents(name.operator, part, name.declaration))
    }

    fn text(&self, span: Span) -> Option<&'a str> {
        self.sources.file(span.file)?.text.get(span.start as usize..span.end as usize)
    }

    /// Whether another name on the same left side is used: of a list that is taken apart one may need a part only.
    fn is_part_of_used(&self, name: &Introduced) -> bool {
        let together = |other: &Introduced| other.kind == SymbolKind::Using && other.declaration == name.declaration;
        self.names_of(name.operator).any(|(number, other)| together(other) && self.is_used(number, other))
    }
}

/// Whether an extent is a single name.
fn is_plain(extent: &ExtentSpec) -> bool {
    extent.pack.is_none() && matches!(&extent.extent, Some(Expr { kind: ExprKind::Name(_), .. }))
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The words of all graphs but the first, and of the first if there are others.
fn words_of_subgraphs<'a>(library: &'a Library, definitions: &[&'a Operator]) -> HashSet<&'a str> {
    let graphs = definitions.iter().filter(|definition| definition.kind == OperatorKind::Graph);
    let texts = graphs.skip(1).filter_map(|graph| {
        let text = &library.sources.file(graph.span.file)?.text;
        text.get(graph.span.start as usize..graph.span.end as usize)
    });
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).collect()
}
