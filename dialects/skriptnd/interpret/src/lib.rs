//! The interpreter: executes a composed graph straight from the formulas. With [`Engine::Naive`], slowly and obviously, it is
//! the oracle; the faster engine is compared with that one, and every compiled result with either.
//!
//! Every operator is instantiated for the shapes that its operands really have, so extents that only a run knows need
//! no care here.

mod call;
mod control;
mod diagnostics;
mod formula;
mod frame;
mod inputs;
mod limits;
mod liveness;
mod machine;
mod operator;
mod storage;
mod symbols;
#[cfg(test)]
mod tests;

pub use call::{run_instance, run_operator};
use diagnostics as say;
pub use formula::Engine;
use frame::Frame;
pub use inputs::Variables;
pub use limits::Limits;
use machine::Machine;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{self, Argument, Graph, TensorId};
use skriptnd_runtime::{ElementType, Tensor};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use skriptnd_source::{FileId, Span};
use std::sync::Arc;
use symbols::Symbols;

/// What a run leaves.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The outputs in order of declaration. A pack that a dynamic loop made may be shorter than declared.
    pub outputs: Vec<(String, Argument<Arc<Tensor>>)>,
    /// The values of the variables that have one, after their updates.
    pub variables: Vec<(TensorId, Arc<Tensor>)>,
    /// Most bytes that tensors took at a time, variables among them.
    pub peak_bytes: usize,
    /// Whether random numbers were drawn that the model has no seed for.
    pub draws: bool,
}

/// Runs a graph. `inputs` has one entry per input of the graph, none where the default is wanted.
pub fn run(
    definitions: &Definitions,
    graph: &Graph,
    inputs: Vec<Option<Argument<Tensor>>>,
    variables: &dyn Variables,
    limits: &Limits,
) -> Result<Outcome, Diagnostics> {
    run_with(Engine::default(), definitions, graph, inputs, variables, limits)
}

/// The same with an engine of choice.
pub fn run_with(
    engine: Engine,
    definitions: &Definitions,
    graph: &Graph,
    inputs: Vec<Option<Argument<Tensor>>>,
    variables: &dyn Variables,
    limits: &Limits,
) -> Result<Outcome, Diagnostics> {
    let mut machine = Machine::new(engine, definitions, limits);
    let mut frame = begin(graph, inputs)?;
    inputs::bind_variables(&mut frame, variables)?;
    inputs::bind_known(&mut frame, limits.memory.unwrap_or(usize::MAX))?;
    machine.take_over(frame.values.iter().flatten().map(|tensor| tensor.size_in_bytes()).sum());
    frame.check_assertions()?;
    machine.body(&mut frame)?;
    machine.region(&mut frame, &graph.update)?;
    let inconsistent = |reason| say::one(say::inconsistent(place(graph), reason));
    let results = frame::results_of(&frame, &graph.outputs).map_err(inconsistent)?;
    let outputs = graph.outputs.iter().zip(results).enumerate().map(|(at, (port, result))| {
        let storage = graph.form_of_output(at);
        (port.name.clone(), result.map(|tensor| storage::given(storage, tensor)))
    });
    let outputs = outputs.collect();
    let variables = new_values(&frame).ok_or_else(|| inconsistent("a variable has no value"))?;
    Ok(Outcome { outputs, variables, peak_bytes: machine.peak_bytes(), draws: machine.draws })
}

/// The inputs of a graph as compiled code takes them, defaults filled in, as far as they fit; `given` has one entry per input. They come
/// tensor by tensor; a pack of which only a run knows the length is one tensor, with the items along a further first dimension.
///
/// # Errors
/// Where one is missing or does not fit; all such are reported.
pub fn flat_inputs(graph: &Graph, given: Vec<Option<Argument<Tensor>>>) -> Result<Vec<Tensor>, Diagnostics> {
    let is_given: Vec<bool> = given.iter().map(Option::is_some).collect();
    let mut frame = begin(graph, given)?;
    let mut flat = Vec::new();
    for (port, is_given) in graph.inputs.iter().zip(is_given) {
        let ids = port.tensors.items();
        let open = ids.first().and_then(|first| Some((*first, graph.pack_length(ids)?)));
        let Some((first, length)) = open else {
            let tensors = ids.iter().map(|id| inputs::take(&mut frame, *id));
            flat.extend(tensors.collect::<Result<Vec<_>, _>>()?);
            continue;
        };
        let count = frame.symbols.evaluate(&length.value).and_then(|count| usize::try_from(count).ok());
        let count = count.filter(|count| *count <= ids.len() || is_given).unwrap_or(ids.len());
        let items = ids.iter().take(count).map(|id| inputs::take(&mut frame, *id));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        flat.push(inputs::stacked(&frame, (port, first), &items)?);
    }
    Ok(flat)
}

/// What is wrong with the value of a variable, if anything: of this type and these extents.
pub fn variable_fault(variable: &graph::Tensor, found: ElementType, shape: &[usize]) -> Option<Diagnostic> {
    inputs::variable_fault(&Symbols::default(), variable, found, shape)
}

/// That a variable has no value.
pub fn unreadable_variable(variable: &graph::Tensor, reason: &str) -> Diagnostic {
    say::unreadable_variable(variable.span, &variable.name, reason)
}

/// Checks what can be checked before anything is computed, in whatever way the graph is executed then: the inputs, and the
/// assertions about extents that the inputs determine.
pub fn check_inputs(graph: &Graph, inputs: &[Option<Argument<Tensor>>]) -> Result<(), Diagnostics> {
    begin(graph, inputs.to_vec())?.check_assertions()
}

/// A graph that has its inputs.
fn begin(graph: &Graph, inputs: Vec<Option<Argument<Tensor>>>) -> Result<Frame<'_>, Diagnostics> {
    if inputs.len() != graph.inputs.len() {
        return Err(say::one(say::input_count(place(graph), graph.inputs.len(), inputs.len())));
    }
    let mut frame = Frame::new(graph);
    inputs::bind_inputs(&mut frame, inputs)?;
    Ok(frame)
}

/// The value that an input has where none is given; none if there must be one, or its shape is not known.
pub fn default_value(input: &graph::Tensor) -> Option<Tensor> {
    let graph::Origin::Input { default: Some(value) } = &input.origin else { return None };
    let shape = Symbols::default().shape(&input.ty)?;
    formula::tensor_of(value, input.ty.dtype, shape).ok()
}

/// Variables change all at once, when everything has been computed (section 2.11). Unused ones may be without a value.
fn new_values(frame: &Frame) -> Option<Vec<(TensorId, Arc<Tensor>)>> {
    let value = |&variable: &TensorId| {
        let update = frame.graph.updates.iter().rev().find(|(updated, _)| *updated == variable);
        let current = frame.value(update.map_or(variable, |(_, value)| *value));
        match current {
            None if update.is_none() => None,
            current => {
                let storage = frame.graph.storage.get(&variable).copied();
                Some(current.map(|tensor| (variable, storage::given(storage, &tensor))))
            }
        }
    };
    frame.graph.variables.iter().filter_map(value).collect()
}

/// Some place in the graph's text.
fn place(graph: &Graph) -> Span {
    graph.tensors.first().map_or(Span { file: FileId(0), start: 0, end: 0 }, |tensor| tensor.span)
}
