//! From the dialect back to the language: the text of a graph that means the same, with what the model defines itself.

mod checked;
mod constants;
mod control;
mod graph;
mod loops;
mod notes;
mod operators;
mod packs;
mod ports;
mod writer;

use crate::call::operator_path;
use crate::definitions::{Source, sources_of};
use crate::generated::operations::GraphOp;
use crate::report::report;
use checked::{Read, Requirement, requirements};
use graph::Written;
use skriptnd_language::compose::graph::{OperatorCall, TensorType};
use skriptnd_language::compose::value::Value;
use skriptnd_language::written;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, operations_named, walk};
use skriptnd_source::SourceMap;
use skriptnd_syntax::ast::{Operator, OperatorKind, QualifiedName};
use skriptnd_syntax::build;
use std::collections::HashSet;
use writer::Writer;

/// A variable of an exported graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// What the text calls it.
    pub name: String,
    /// The name of the file that holds its value, without its ending.
    pub label: String,
}

/// The texts of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The name of the graph, which is in the main module.
    pub graph: String,
    /// The main module.
    pub main: String,
    /// Other modules of the model by their paths: `blocks.conv`.
    pub modules: Vec<(String, String)>,
    /// The variables, in their order.
    pub variables: Vec<Variable>,
    /// Forms in which inputs, variables and outputs are stored, by their names, where these are others than they are computed
    /// with.
    pub storage: Vec<(String, String)>,
}

/// What a composed graph knows and the dialect has no place for.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// What inputs are where they are not given, by their names.
    pub defaults: Vec<(String, Value)>,
    /// How tensors are quantized, by what the model calls them.
    pub quantizations: Vec<(String, OperatorCall)>,
    /// Inputs that are packs without items, in their order.
    pub empty_inputs: Vec<EmptyPack>,
    /// Outputs that are packs without items, in their order.
    pub empty_outputs: Vec<EmptyPack>,
}

/// An input or output that is a pack without items, so that the dialect has no value for it.
#[derive(Debug, Clone)]
pub struct EmptyPack {
    /// Its number among the inputs or the outputs.
    pub at: usize,
    /// The declared name.
    pub name: String,
    /// The type that items would have.
    pub ty: TensorType,
}

/// Writes the graph of a module as the language has it, formatted.
///
/// # Errors
/// Where there is not one graph in it, or where the language has no form for an operation, which is reported at its place.
pub fn export<'c: 'a, 'a>(module: OperationRef<'c, 'a>, notes: &Notes) -> Result<Exported, Failure> {
    // Names of tensors within blocks are known when the text is read.
    let outside = Notes { quantizations: Vec::new(), ..notes.clone() };
    let (mut exported, _) = write(module, &outside, None)?;
    let place = operations_named(module, GraphOp::NAME).into_iter().next().unwrap_or(module);
    let mut read = report(place, exported.read(module.context()))?;
    // What operators require of extents the text requires as well; what the graph does is written.
    let is_known = |own: &Requirement| read.requirements.contains(own);
    let mut is_done = notes.quantizations.is_empty() && requirements(module)?.iter().all(is_known);
    while !is_done {
        let (written, asserted) = write(module, notes, Some(&read))?;
        let again = report(place, written.read(module.context()))?;
        // What always holds needs not be asserted.
        let is_needless = |own: &Requirement| !again.requirements.iter().any(|known| known.is_like(own));
        let needless: Vec<Requirement> = asserted.into_iter().filter(is_needless).collect();
        (exported, is_done) = (written, needless.is_empty());
        read.requirements.extend(needless);
    }
    exported.find_variables(&read);
    Ok(exported)
}

/// Gives what the text asserts, too.
fn write<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    notes: &Notes,
    read: Option<&Read>,
) -> Result<(Exported, Vec<Requirement>), Failure> {
    let graphs = operations_named(module, GraphOp::NAME);
    let [graph] = graphs.as_slice() else {
        return Err(format!("expected a module with one '{}', found {}", GraphOp::NAME, graphs.len()).into());
    };
    let sources = sources_of(module);
    let (own, others): (Vec<Source>, Vec<Source>) = sources.into_iter().partition(|source| source.path == "main");
    let mut text = build::Module::default();
    let mut taken = Vec::new();
    let operations = walk(*graph);
    let paths = operations.iter().filter_map(|operation| operator_path(operation.full_name()));
    let paths = paths.chain(notes.quantizations.iter().map(|(_, call)| &*call.operator));
    let invoked: HashSet<&str> = paths.filter_map(|path| path.strip_prefix("main.")).collect();
    own.iter().for_each(|source| taken.extend(add_definitions(source, &invoked, &mut text)));
    let writer = Writer::new(taken);
    let written = GraphOp::new(*graph)
        .ok_or_else(|| Failure::new("no graph"))
        .and_then(|graph| writer.graph(graph, notes, read, &requirements(module)?));
    let Written { graph, variables, storage, asserted } = report(*graph, written)?;
    let name = graph.name.clone();
    text.graphs.push(graph);
    let main = text.text(SourceMap::default().add("main.sknd", "")).map_err(|found| unreadable("main", &found))?;
    let modules = others.iter().map(|source| Ok((source.path.clone(), formatted(source)?)));
    let modules = modules.collect::<Result<_, Failure>>()?;
    Ok((Exported { graph: name, main, modules, variables, storage }, asserted))
}

/// Adds the operators that a module of the model defines as far as a graph needs them, and what they import; gives the names of all.
fn add_definitions(source: &Source, invoked: &HashSet<&str>, module: &mut build::Module) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(&*source.file, &*source.text);
    let (parsed, _) = skriptnd_syntax::parse(file, &source.text);
    let is_operator = |operator: &&Operator| operator.kind == OperatorKind::Operator;
    let operators = parsed.operators.iter().filter(is_operator).map(|operator| &*operator.name.text);
    let names: Vec<String> = operators.clone().map(str::to_owned).collect();
    let wanted = operators.filter(|name| invoked.contains(name)).collect();
    let needed = written::needed(&parsed, &sources, wanted);
    module.copied.extend(needed.into_iter().filter(|(operator, _)| is_operator(operator)).map(|(_, text)| text));
    let path = |path: &QualifiedName| path.parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join(".");
    let is_used = |path: &String| module.copied.iter().any(|text| text.contains(&format!("{path}.")));
    let imports: Vec<String> = parsed.imports.iter().map(path).filter(is_used).collect();
    module.imports.extend(imports);
    names
}

fn formatted(source: &Source) -> Result<String, Failure> {
    let file = SourceMap::default().add(&*source.file, &*source.text);
    skriptnd_syntax::format::format(file, &source.text).map_err(|found| unreadable(&source.path, &found))
}

fn unreadable(module: &str, found: &skriptnd_source::diagnostics::Diagnostics) -> Failure {
    let first = found.iter().next().map_or("", |diagnostic| diagnostic.message.as_str());
    Failure::new(format!("module '{module}' can't be written: {first}"))
}
