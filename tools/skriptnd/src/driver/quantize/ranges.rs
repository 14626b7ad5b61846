//! Runs the model on the samples, and keeps what values tensors have.

use super::batches::Batches;
use super::runner::{Runner, Values, giving, reals};
use super::{Job, Method};
use crate::failure::Failure;
use skriptnd_compiler::quantize::{Plan, Seen, is_variable};
use skriptnd_interpret::{Limits, Variables};
use skriptnd_language::compose::graph::{Argument, Graph, Operation, Origin, TensorId};
use skriptnd_language::compose::value::Value;
use skriptnd_runtime::{Tensor, TensorData};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was seen.
pub struct Sight {
    /// Values of what is quantized in a run.
    pub activations: BTreeMap<TensorId, Seen>,
    /// Weights.
    pub weights: BTreeMap<TensorId, Tensor>,
    /// Biases that follow from variables.
    pub biases: BTreeMap<TensorId, Tensor>,
}

/// Looks at all that a plan quantizes.
pub fn see(job: &Job, plan: &Plan, given: Option<&Batches>) -> Result<Sight, Failure> {
    let (graph, mut weights) = (job.graph(), stored(job, plan)?);
    let (computed, biases) = computed(job, plan)?.into_iter().partition(|(id, _)| plan.weights.contains_key(id));
    let computed: BTreeMap<TensorId, Tensor> = computed;
    weights.extend(computed);
    let mut sight = Sight { activations: BTreeMap::new(), weights, biases };
    let Some(given) = given.filter(|_| !plan.activations.is_empty()) else { return Ok(sight) };
    let is_result = |id: &&TensorId| matches!(graph.tensor(**id).origin, Origin::Result);
    let observed: Vec<TensorId> = plan.activations.iter().filter(is_result).copied().collect();
    job.progress.step("compiling");
    let mut runner = Runner::new(job, (job.model, job.composed), observed)?;
    let source = job.source()?;
    let states = plan.activations.iter().filter(|id| is_variable(graph, **id));
    let states = states.map(|id| Ok((*id, read(&source, graph, *id)?)));
    let states: BTreeMap<TensorId, Tensor> = states.collect::<Result<_, Failure>>()?;
    let times = if job.settings.method == Method::MinMax { 1 } else { 2 };
    for time in 0..times {
        for (number, inputs) in given.inputs(job.composed).enumerate() {
            job.progress.step(&format!("running sample {} of {}", number + 1, given.count()));
            let inputs = inputs?;
            let values = runner.run(inputs.clone())?;
            for id in &plan.activations {
                let seen = sight.activations.entry(*id).or_default();
                let Some(value) = value(graph, *id, (&values, &inputs, &states)) else { continue };
                if time == 0 { seen.note(reals(value)) } else { seen.count(reals(value)) }
            }
        }
    }
    Ok(sight)
}

/// Whether all weights and biases that follow from variables are finite numbers.
pub fn is_finite(job: &Job) -> Result<bool, Failure> {
    let computed = computed(job, &Plan::of(job.graph()))?;
    Ok(computed.values().flat_map(reals).all(|item| item.is_finite()))
}

/// The weights and biases that follow from variables, by the interpreter, which no run need be made for.
fn computed(job: &Job, plan: &Plan) -> Result<BTreeMap<TensorId, Tensor>, Failure> {
    let is_result = |id: &&TensorId| matches!(job.graph().tensor(**id).origin, Origin::Result);
    let wanted: Vec<TensorId> = plan.weights.keys().chain(&plan.biases).filter(is_result).copied().collect();
    if wanted.is_empty() {
        return Ok(BTreeMap::new());
    }
    job.progress.step("computing weights");
    let mut graph = giving(job.graph(), &wanted);
    let is_known =
        |operation: &Operation| operation.outputs.iter().flat_map(Argument::items).all(|id| plan.known.contains(id));
    graph.inputs.clear();
    graph.runtime_asserts.clear();
    graph.body.operations.retain(is_known);
    (graph.update, graph.updates) = Default::default();
    let source = job.source()?;
    let done = skriptnd_interpret::run(&job.composed.definitions, &graph, Vec::new(), &source, &Limits::default());
    let done = done.map_err(|found| job.composed.fail(&found))?;
    let single = |tensors: Argument<Arc<Tensor>>| tensors.items().first().map(|tensor| (**tensor).clone());
    Ok(wanted.into_iter().zip(done.outputs).filter_map(|(id, (_, tensors))| Some((id, single(tensors)?))).collect())
}

/// What a run was given and gave: results, inputs and new values of variables.
type Run<'v> = (&'v Values, &'v [Option<Argument<Tensor>>], &'v BTreeMap<TensorId, Tensor>);

/// The value of a tensor in a run.
pub fn value<'v>(graph: &Graph, id: TensorId, (values, inputs, states): Run<'v>) -> Option<&'v Tensor> {
    if let Some(value) = values.get(&id) {
        return Some(value);
    }
    let input = graph.inputs.iter().position(|port| port.tensors.items() == [id]);
    match input.map(|at| inputs.get(at)?.as_ref()?.items().first()) {
        Some(given) => given,
        None => states.get(&id),
    }
}

/// The weights that are variables or constants.
fn stored(job: &Job, plan: &Plan) -> Result<BTreeMap<TensorId, Tensor>, Failure> {
    let (graph, source) = (job.graph(), job.source()?);
    let mut stored = BTreeMap::new();
    for id in plan.weights.keys() {
        match &graph.tensor(*id).origin {
            Origin::Variable { .. } => drop(stored.insert(*id, read(&source, graph, *id)?)),
            Origin::Constant(value) => stored.extend(constant(graph, *id, value).map(|tensor| (*id, tensor))),
            Origin::Result | Origin::Input { .. } => {}
        }
    }
    Ok(stored)
}

fn read(source: &super::Source<'_>, graph: &Graph, id: TensorId) -> Result<Tensor, Failure> {
    let declared = graph.tensor(id);
    let Origin::Variable { file } = &declared.origin else { return Err(Failure::Reported) };
    source.read(file, declared).map_err(|reason| Failure::input(format!("variable `{}`: {reason}", declared.name)))
}

fn constant(graph: &Graph, id: TensorId, value: &Value) -> Option<Tensor> {
    let extents = graph.tensor(id).ty.shape.iter();
    let shape = extents.map(|extent| usize::try_from(extent.as_known()?).ok()).collect::<Option<Vec<_>>>()?;
    let count = shape.iter().product();
    let real = |value: &Value| match value {
        Value::Real(value) => Some(*value as f32),
        _ => None,
    };
    let items = match value {
        Value::Pack(items) => items.iter().map(real).collect::<Option<Vec<_>>>()?,
        Value::Repeat(item, _) => vec![real(item)?; count],
        value => vec![real(value)?; count],
    };
    (items.len() == count).then_some(Tensor { shape, data: TensorData::F32(items) })
}
