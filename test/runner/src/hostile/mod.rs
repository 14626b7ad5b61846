//! Texts that nobody meant to write: running them through the front end, and making them from others.

mod mutate;

pub use mutate::{mutate_buffer, mutate_bytes, mutate_text};

use skriptnd_ide::Snapshot;
use skriptnd_interpret::{Limits, Variables};
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{ElementType, Tensor, TensorData};
use skriptnd_source::diagnostics::{Code, Diagnostics, render};
use skriptnd_source::{FileId, FileProvider, Span};
use skriptnd_syntax::format::format;
use std::time::Duration;

/// Larger results of a fuzzed model are not worth the time.
const MAX_ELEMENTS: i64 = 1 << 16;

/// Further graphs of one text are not composed.
const MAX_GRAPHS: usize = 16;

struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_string(), self.0.to_string())))
    }
}

/// Parses, checks and composes a text; every message is rendered. Gives the graphs that are in order.
pub fn front_end(text: &str) -> (Definitions, Vec<Graph>) {
    let model = CheckedModel::load(&Text(text));
    let mut graphs = Vec::new();
    let mut further = Diagnostics::default();
    let names: Vec<_> = model.graphs().take(MAX_GRAPHS).map(|name| Some(name.to_string())).collect();
    for graph in if names.is_empty() { vec![None] } else { names } {
        let (graph, more) = model.compose(&ComposeOptions { graph, ..ComposeOptions::default() });
        let failed = more.has_errors() || model.diagnostics.has_errors();
        assert!(graph.is_some() || failed, "no graph and no error");
        graphs.extend(graph.filter(|_| !failed));
        further.extend(more);
    }
    let CheckedModel { definitions, diagnostics: mut found, .. } = model;
    found.extend(further);
    show(&found, &definitions);
    (definitions, graphs)
}

/// Formats a text; what comes out is a text that formatting leaves as it is.
pub fn format_twice(text: &str) {
    let Ok(formatted) = checked_format(text) else { return };
    let again = checked_format(&formatted).expect("what the formatter made parses");
    assert_eq!(formatted, again, "formatted twice");
}

/// The formatter may refuse a text for its errors, not for its own.
fn checked_format(text: &str) -> Result<String, Diagnostics> {
    let result = format(FileId(0), text);
    if let Err(found) = &result {
        assert!(found.iter().all(|diagnostic| diagnostic.code != Code::NotFormatted), "the formatter lost its way");
    }
    result
}

/// Asks everything that an editor can ask about a place in a text, or about the character around it.
pub fn ask(text: &str, offset: usize) {
    let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0) as u32;
    let snapshot = Snapshot::checked(&Text(text));
    let Some(file) = snapshot.definitions.main_file() else { return };
    snapshot.outline(file);
    snapshot.hover(file, offset);
    snapshot.definition(file, offset);
    snapshot.references(file, offset);
    snapshot.completions(file, offset, &["lib".to_string()]);
    snapshot.signature(file, offset);
    if let Ok(places) = snapshot.rename(file, offset, "renamed") {
        let end = |place: &Span| place.file != file || place.end as usize <= text.len();
        assert!(places.iter().all(end), "a place outside of the text");
    }
    show(&snapshot.diagnostics, &snapshot.definitions);
}

/// Interprets a graph whose tensors are small, with values that follow from their names.
pub fn interpret(definitions: &Definitions, graph: &Graph) {
    if graph.tensors.iter().any(|tensor| volume(tensor).is_none_or(|count| count > MAX_ELEMENTS)) {
        return;
    }
    let input = |id: &_| value(graph.tensor(*id));
    let inputs = graph.inputs.iter().map(|port| match port.tensors {
        Argument::Null => None,
        _ => Some(port.tensors.map(input)),
    });
    let limits = Limits { time: Some(Duration::from_secs(2)), memory: Some(1 << 30), seed: None };
    if let Err(found) = skriptnd_interpret::run(definitions, graph, inputs.collect(), &Values, &limits) {
        show(&found, definitions);
    }
}

struct Values;

impl Variables for Values {
    fn read(&self, _file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        Ok(value(declared))
    }
}

fn volume(tensor: &graph::Tensor) -> Option<i64> {
    tensor.ty.shape.iter().try_fold(1i64, |product, extent| product.checked_mul(extent.as_known()?))
}

/// Small numbers around zero; tensors of open extents are scalars, which the interpreter must refuse.
fn value(tensor: &graph::Tensor) -> Tensor {
    let extent = |extent: &Extent| usize::try_from(extent.as_known()?).ok();
    let shape: Vec<usize> = tensor.ty.shape.iter().map(extent).collect::<Option<_>>().unwrap_or_default();
    let count = shape.iter().product::<usize>().min(1 << 20);
    let item = |at: usize| (at * 7 % 11) as i64 - 3;
    let data = match tensor.ty.dtype.element_type() {
        ElementType::F32 => TensorData::F32((0..count).map(|at| item(at) as f32 * 0.75).collect()),
        ElementType::I64 => TensorData::I64((0..count).map(item).collect()),
        ElementType::Bool => TensorData::Bool((0..count).map(|at| item(at) > 0).collect()),
    };
    Tensor { shape, data }
}

fn show(found: &Diagnostics, library: &Library) {
    for diagnostic in found.iter() {
        let text = render(diagnostic, &library.sources);
        assert!(!diagnostic.message.is_empty() && text.ends_with('\n'));
    }
}
