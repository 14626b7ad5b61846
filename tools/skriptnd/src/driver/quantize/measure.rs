//! Runs the model and the quantized one on the samples, and compares what their operations give.

use super::Job;
use super::batches::Batches;
use super::report::{Layer, Report};
use super::runner::{Runner, reals};
use crate::driver::graph_options::GraphOptions;
use crate::driver::model::Model;
use crate::failure::Failure;
use skriptnd_compiler::quantize::{Deviation, Parameters, Written};
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, TensorId};
use skriptnd_language::compose::value::ScalarType;
use std::collections::HashMap;
use std::path::Path;

/// A tensor that both models have.
struct Pair<'g> {
    operation: &'g Operation,
    real: TensorId,
    quantized: TensorId,
}

/// Adds to a report how far each layer is from what it gives with reals.
pub fn measure(
    job: &Job,
    given: &Batches,
    (folder, written): (&Path, &Written),
    mut report: Report,
) -> Result<Report, Failure> {
    let options = GraphOptions::default();
    let model = Model::find(folder, &options)?;
    let quantized = model.compose(&options)?;
    let pairs = pairs(job.graph(), &quantized.graph, &written.names);
    job.progress.step("compiling");
    let mut real = Runner::new(job, (job.model, job.composed), pairs.iter().map(|pair| pair.real).collect())?;
    job.progress.step("compiling the quantized model");
    let mut few = Runner::new(job, (&model, &quantized), pairs.iter().map(|pair| pair.quantized).collect())?;
    let mut deviations = vec![[Deviation::default(); 2]; pairs.len()];
    for (number, inputs) in given.inputs(job.composed).enumerate() {
        job.progress.step(&format!("comparing sample {} of {}", number + 1, given.count()));
        let inputs = inputs?;
        let (expected, computed) = (real.run(inputs.clone())?, few.run(inputs)?);
        for (pair, deviations) in pairs.iter().zip(&mut deviations) {
            let parameters = report.parameters.get(&pair.real);
            if let (Some(expected), Some(computed)) = (expected.get(&pair.real), computed.get(&pair.quantized)) {
                note(deviations, (reals(computed), reals(expected)), parameters);
            }
        }
    }
    for (pair, [whole, alone]) in pairs.iter().zip(deviations) {
        report.layers.push(Layer::of((job.composed, pair.operation, pair.real), written, whole, alone));
    }
    Ok(report)
}

/// Notes what was computed, and what would be were only this tensor quantized.
fn note([whole, alone]: &mut [Deviation; 2], (computed, expected): (&[f32], &[f32]), parameters: Option<&Parameters>) {
    whole.note(computed, expected);
    if let Some(parameters) = parameters {
        expected.iter().for_each(|value| alone.note_one(parameters.quantized(*value).into(), (*value).into()));
    }
}

/// The first result of each operation that both models have and that a run computes.
fn pairs<'g>(graph: &'g Graph, quantized: &Graph, names: &HashMap<TensorId, String>) -> Vec<Pair<'g>> {
    let results = quantized.tensors.iter().enumerate().filter(|(_, tensor)| matches!(tensor.origin, Origin::Result));
    let by_name: HashMap<&str, TensorId> =
        results.map(|(at, tensor)| (tensor.name.as_str(), TensorId(at as u32))).collect();
    let operations =
        graph.body.operations.iter().filter(|operation| matches!(operation.kind, OperationKind::Operator(_)));
    let known = skriptnd_compiler::quantize::plan::known(graph);
    let pair = |operation: &'g Operation| {
        let Argument::Single(real) = operation.outputs.first()? else { return None };
        let is_compared = graph.tensor(*real).ty.dtype == ScalarType::Real && !known.contains(real);
        let quantized = *by_name.get(names.get(real)?.as_str())?;
        is_compared.then_some(Pair { operation, real: *real, quantized })
    };
    operations.filter_map(pair).collect()
}
