//! Texts that nobody meant to write: running them through the front end, and making them token by token.

mod mutate;

pub use mutate::mutate_text;

use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_language::diagnostics::{Diagnostics, render};
use skriptnd_language::interpret::{self, Limits, Variables};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_language::source::FileProvider;
use skriptnd_runtime::{ElementType, Tensor, TensorData};
use std::time::Duration;

/// Larger results of a fuzzed model are not worth the time.
const MAX_ELEMENTS: i64 = 1 << 16;

struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_string(), self.0.to_string())))
    }
}

/// Parses, checks and composes a text; every message is rendered. The graph, if there is one.
pub fn front_end(text: &str) -> (Library, Option<Graph>) {
    let model = CheckedModel::load(&Text(text));
    let (graph, further) = model.compose(&ComposeOptions::default());
    let CheckedModel { library, diagnostics: mut found } = model;
    found.extend(further);
    assert!(graph.is_some() || found.has_errors(), "no graph and no error");
    show(&found, &library);
    (library, graph)
}

/// Interprets a graph whose tensors are small, with values that follow from their names.
pub fn interpret(library: &Library, graph: &Graph) {
    if graph.tensors.iter().any(|tensor| volume(tensor).is_none_or(|count| count > MAX_ELEMENTS)) {
        return;
    }
    let input = |id: &_| value(graph.tensor(*id));
    let inputs = graph.inputs.iter().map(|port| match port.tensors {
        Argument::Null => None,
        _ => Some(port.tensors.map(input)),
    });
    let limits = Limits { time: Some(Duration::from_secs(2)), memory: Some(1 << 30) };
    if let Err(found) = interpret::run(library, graph, inputs.collect(), &Values, &limits) {
        show(&found, library);
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
