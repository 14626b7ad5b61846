//! The models of `test/models`, with values that a seed determines where they have no files. What they compute is compared
//! with the interpreter.

use super::{Kind, Subject};
use crate::case::{Case, Expectation, File};
use crate::model::Model;
use crate::tolerance::Tolerance;
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::{self, Graph, Origin, TensorId};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::{Tensor, TensorData};
use std::path::Path;

/// Relative to the largest element.
const TOLERANCE: f64 = 1e-4;

/// Integers for the attributes of a model.
type Attributes = &'static [(&'static str, i64)];

/// What is tried with each model: attributes that make it small, and some that make its extents odd.
const SIZES: [(&str, Attributes); 8] = [
    ("alexnet", &[("size", 67), ("width", 4), ("tail", 1), ("hidden", 16), ("classes", 10)]),
    ("digits", &[("batch", 3)]),
    ("mlp", &[]),
    ("mlp", &[("batch", 5), ("features", 3), ("hidden", 19)]),
    ("mobilenet", &[("batch", 2), ("width", 7), ("size", 25)]),
    ("resnet", &[("width", 4), ("size", 16)]),
    ("resnet", &[("batch", 2), ("width", 5), ("size", 21)]),
    ("swish", &[]),
];

/// A subject for each model.
pub(super) fn subjects(folder: &Path) -> Vec<Subject> {
    let mut names: Vec<&str> = SIZES.iter().map(|(name, _)| *name).collect();
    names.dedup();
    let subject = |name: &str| Subject { name: format!("models/{name}"), path: folder.join(name), kind: Kind::Model };
    names.into_iter().map(subject).collect()
}

/// The model with each of its attributes; nothing is expected yet.
pub(super) fn cases(folder: &Path) -> Result<Vec<File>, String> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let own = SIZES.iter().filter(|(known, _)| *known == name);
    own.map(|(_, attributes)| {
        let model = Model::read(folder)?;
        let case = case(folder, &CheckedModel::load(&model), attributes)?;
        Ok(File { model, cases: vec![case], markers: Vec::new() })
    })
    .collect()
}

fn case(folder: &Path, model: &CheckedModel, attributes: Attributes) -> Result<Case, String> {
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| (name.to_string(), Value::Int(*value))).collect();
    let options = ComposeOptions { attributes: attributes.clone(), ..ComposeOptions::default() };
    let (graph, _) = model.compose(&options);
    let graph = graph.ok_or("the model can't be composed")?;
    let mut generator = Generator::new(1);
    let mut input = |id: &TensorId| random(graph.tensor(*id), 1.0, &mut generator);
    let inputs = graph.inputs.iter().map(|port| (port.name.clone(), port.tensors.map(&mut input))).collect();
    let files = super::shared::variables(folder)?;
    let variables = variables(&graph, &files, &mut generator);
    let expectation =
        Expectation::Values { outputs: Vec::new(), state: Vec::new(), tolerance: Tolerance::OfLargest(TOLERANCE) };
    Ok(Case { graph: graph.name.clone(), attributes, inputs, variables, expectation, ..Case::default() })
}

/// From files, or such that activations keep their size: vectors, which may be variances, are about 1.
fn variables(graph: &Graph, files: &[(String, Tensor)], generator: &mut Generator) -> Vec<(String, Tensor)> {
    let mut value = |declared: &graph::Tensor| {
        let Origin::Variable { file } = &declared.origin else { return random(declared, 1.0, generator) };
        if let Some((_, tensor)) = files.iter().find(|(stem, _)| stem == file) {
            return tensor.clone();
        }
        let fan_in: i64 = declared.ty.shape.iter().skip(1).filter_map(|extent| extent.as_known()).product();
        random(declared, (3.0 / fan_in.max(1) as f64).sqrt(), generator)
    };
    graph
        .variables
        .iter()
        .map(|&id| graph.tensor(id))
        .map(|declared| (declared.name.clone(), value(declared)))
        .collect()
}

/// Elements of vectors are between 0.5 and 1.5, others between plus and minus `range`.
fn random(declared: &graph::Tensor, range: f64, generator: &mut Generator) -> Tensor {
    let extents =
        declared.ty.shape.iter().map(|extent| extent.as_known().and_then(|extent| usize::try_from(extent).ok()));
    let shape: Vec<usize> = extents.map(Option::unwrap_or_default).collect();
    let is_vector = shape.len() < 2;
    let mut real = || match is_vector {
        true => (0.5 + generator.unit()) as f32,
        false => ((2.0 * generator.unit() - 1.0) * range) as f32,
    };
    let count = shape.iter().product();
    let data = match declared.ty.dtype {
        ScalarType::Int => TensorData::I64(vec![1; count]),
        ScalarType::Bool => TensorData::Bool(vec![true; count]),
        ScalarType::Real | ScalarType::Str => TensorData::F32((0..count).map(|_| real()).collect()),
    };
    Tensor { shape, data }
}
