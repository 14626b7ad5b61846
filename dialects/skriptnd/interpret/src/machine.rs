//! Executes the operations of a graph in order, and of the graphs inside it.

use super::diagnostics as say;
use super::formula::Engine;
use super::frame::{Frame, assign_all, results_of};
use super::inputs::bind_known;
use super::limits::{self, Clock, Limits};
use super::operator::{Body, Operators, given, type_of};
use super::symbols::Symbols;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, Region, TensorType};
use skriptnd_language::compose::{Definitions, Operand};
use skriptnd_runtime::Tensor;
use skriptnd_runtime::intrinsic::random::{Generator, entropy};
use skriptnd_runtime::intrinsic::{Attribute, Call};
use skriptnd_source::diagnostics::{Diagnostics, Frame as Invocation};
use std::sync::Arc;

/// Compositions inside one another.
const MAX_DEPTH: usize = 128;

/// What all graphs of a run share.
pub(super) struct Machine<'a> {
    pub clock: Clock,
    max_bytes: usize,
    operators: Operators<'a>,
    /// Seeds of random numbers that have none in the model.
    seeds: Generator,
    /// Whether such a number was drawn.
    pub(super) draws: bool,
    depth: usize,
    live_bytes: usize,
    peak_bytes: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(engine: Engine, definitions: &'a Definitions, limits: &Limits) -> Self {
        Machine {
            clock: Clock::start(limits.time),
            max_bytes: limits.memory.unwrap_or(usize::MAX),
            operators: Operators::new(engine, definitions),
            seeds: Generator::new(limits.seed.unwrap_or_else(entropy)),
            draws: false,
            depth: 0,
            live_bytes: 0,
            peak_bytes: 0,
        }
    }

    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// Executes the graph's body; values that nothing needs any more are dropped on the way.
    pub(super) fn body(&mut self, frame: &mut Frame) -> Result<(), Diagnostics> {
        let graph = frame.graph;
        let dropped = super::liveness::dropped_after(graph);
        for (operation, dropped) in graph.body.operations.iter().zip(dropped) {
            self.operation(frame, operation)?;
            for id in dropped {
                if let Some(tensor) = frame.values[id.0 as usize].take() {
                    self.forget(tensor);
                }
            }
        }
        Ok(())
    }

    pub(super) fn region(&mut self, frame: &mut Frame, region: &Region) -> Result<(), Diagnostics> {
        region.operations.iter().try_for_each(|operation| self.operation(frame, operation))
    }

    fn operation(&mut self, frame: &mut Frame, operation: &Operation) -> Result<(), Diagnostics> {
        if self.clock.has_run_out() {
            return Err(say::at(operation, say::timeout(operation.span)));
        }
        match &operation.kind {
            OperationKind::Operator(call) => self.operator(frame, operation, call),
            OperationKind::If { arms, otherwise } => self.branch(frame, operation, arms, otherwise),
            OperationKind::Loop(inner) => self.run_loop(frame, operation, inner),
        }?;
        check_results(frame, operation)?;
        frame.check_assertions()
    }

    fn operator(&mut self, frame: &mut Frame, operation: &Operation, call: &OperatorCall) -> Result<(), Diagnostics> {
        let composed = operation.instance.as_deref().filter(|instance| !instance.symbols.is_empty());
        if let Some((instance, graph)) = composed.and_then(|instance| Some((instance, instance.open_composition()?))) {
            let operands = self.operands(frame, operation)?;
            let symbols = frame.symbols.only(&instance.symbols);
            let results = self.composition(operation, graph, symbols, operands)?;
            return assign_all(frame, operation, results);
        }
        let call = resolved(frame, operation, call)?;
        let operands = self.operands(frame, operation)?;
        let types = operand_types(frame, operation, &operands);
        let prepared = self.operators.prepare(operation, &call, (&types, &frame.symbols))?;
        self.check_memory(operation, &prepared.outputs)?;
        let results = match &prepared.body {
            Body::Formula(formula) => {
                let results = formula.run(&tensors(given(&prepared.instance, &operands)), &self.clock);
                let results = results
                    .map_err(|(fault, span)| self.operators.fault(operation, &call, &fault, span, Some(formula)))?;
                self.remember(results)
            }
            Body::Intrinsic(kernel, attributes) => {
                let attributes = self.seeded(attributes);
                let results = kernel(&Call { attributes: &attributes, inputs: &tensors(operands.iter()) });
                let failed =
                    |reason: String| say::at(operation, say::failed_kernel(operation.span, &call.operator, &reason));
                self.remember(results.map_err(failed)?)
            }
            Body::Composition => {
                let graph = prepared
                    .composition()
                    .ok_or_else(|| say::contradiction(operation, "a composition without a graph"))?;
                let results = self.composition(operation, graph, Symbols::default(), operands)?;
                return assign_all(frame, operation, results);
            }
        };
        let mut rest = results.into_iter();
        let shaped = prepared.outputs.iter().map(|output| take(output, &mut rest)).collect();
        assign_all(frame, operation, shaped)
    }

    /// Attributes in which a seed that is missing is drawn.
    fn seeded(&mut self, attributes: &[(String, Attribute)]) -> Vec<(String, Attribute)> {
        let mut attributes = attributes.to_vec();
        for (_, seed) in attributes.iter_mut().filter(|(name, value)| name == "seed" && *value == Attribute::Null) {
            *seed = Attribute::Int(self.seeds.bits() as i64);
            self.draws = true;
        }
        attributes
    }

    /// Refuses results that take more than the run may, before they are computed.
    fn check_memory(&self, operation: &Operation, outputs: &[Argument<TensorType>]) -> Result<(), Diagnostics> {
        let needed = outputs.iter().flat_map(Argument::items).map(known_bytes).fold(0, usize::saturating_add);
        match self.live_bytes.saturating_add(needed) > self.max_bytes {
            true => Err(say::at(
                operation,
                say::memory_limit(operation.span, self.live_bytes.saturating_add(needed), self.max_bytes),
            )),
            false => Ok(()),
        }
    }

    pub(super) fn operands(
        &self,
        frame: &Frame,
        operation: &Operation,
    ) -> Result<Vec<Argument<Arc<Tensor>>>, Diagnostics> {
        if let Some((place, length)) = operation.inputs.iter().find_map(|argument| frame.missing_item(argument)) {
            return Err(say::at(operation, say::missing_item(operation.span, place, length)));
        }
        let operands = operation.inputs.iter().map(|argument| frame.argument(argument)).collect::<Option<_>>();
        operands.ok_or_else(|| say::contradiction(operation, "an operation uses a tensor that has no value yet"))
    }

    fn composition(
        &mut self,
        operation: &Operation,
        graph: &Graph,
        symbols: Symbols,
        operands: Vec<Argument<Arc<Tensor>>>,
    ) -> Result<Vec<Argument<Arc<Tensor>>>, Diagnostics> {
        if self.depth == MAX_DEPTH {
            return Err(say::at(operation, say::invocations_too_deep(operation.span, MAX_DEPTH)));
        }
        self.depth += 1;
        let mut frame = Frame::new(graph);
        frame.symbols = symbols;
        // The graph itself has the value of an input that takes its default.
        let inputs = graph.inputs.iter().zip(operands).filter(|(port, _)| port.tensors != Argument::Null);
        let results = inputs
            .into_iter()
            .try_for_each(|(port, operand)| frame.assign(&port.tensors, operand))
            .map_err(|reason| say::contradiction(operation, reason))
            .and_then(|()| self.inside(&mut frame).map_err(|found| in_composition(found, operation)))
            .and_then(|()| results_of(&frame, &graph.outputs).map_err(|reason| say::contradiction(operation, reason)));
        self.depth -= 1;
        for tensor in frame.values.into_iter().flatten() {
            self.forget(tensor);
        }
        results
    }

    fn inside(&mut self, frame: &mut Frame) -> Result<(), Diagnostics> {
        let bytes = bind_known(frame, self.max_bytes)?;
        self.take_over(bytes);
        frame.check_assertions()?;
        self.body(frame)
    }

    /// Counts values that were made elsewhere.
    pub(super) fn take_over(&mut self, bytes: usize) {
        self.live_bytes += bytes;
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
    }

    fn remember(&mut self, tensors: Vec<Tensor>) -> Vec<Arc<Tensor>> {
        self.take_over(tensors.iter().map(Tensor::size_in_bytes).sum());
        tensors.into_iter().map(Arc::new).collect()
    }

    /// Drops a value; its memory is free if that was the last one.
    fn forget(&mut self, tensor: Arc<Tensor>) {
        if let Some(tensor) = Arc::into_inner(tensor) {
            self.live_bytes = self.live_bytes.saturating_sub(tensor.size_in_bytes());
        }
    }
}

/// What is known of the operands. A pack without tensors has the type that its tensors would have.
fn operand_types(frame: &Frame, operation: &Operation, operands: &[Argument<Arc<Tensor>>]) -> Vec<Operand> {
    let mut types = Vec::with_capacity(operands.len());
    for (operand, declared) in operands.iter().zip(&operation.inputs) {
        let actual = operand.map(|tensor| type_of(tensor));
        let absent = operand.items().is_empty().then(|| declared.items().first()).flatten();
        types.push(match absent {
            Some(id) => Operand::empty(frame.symbols.concrete(&frame.graph.tensor(*id).ty)),
            None => Operand::of(actual),
        });
    }
    types
}

fn tensors<'o>(operands: impl Iterator<Item = &'o Argument<Arc<Tensor>>>) -> Vec<&'o Tensor> {
    operands.flat_map(|operand| operand.items()).map(|tensor| &**tensor).collect()
}

/// A call whose attributes have the values that they have in this run.
fn resolved(frame: &Frame, operation: &Operation, call: &OperatorCall) -> Result<OperatorCall, Diagnostics> {
    let mut call = call.clone();
    for (name, value) in &mut call.attributes {
        let undefined = || match frame.symbols.knows(value) {
            true => say::at(operation, say::undefined_attribute(operation.span, name)),
            false => say::at(operation, say::unknown_extent(operation.span, &format!("attribute `{name}`"))),
        };
        *value = frame.symbols.resolve(value).ok_or_else(undefined)?;
    }
    Ok(call)
}

fn take(output: &Argument<TensorType>, rest: &mut impl Iterator<Item = Arc<Tensor>>) -> Argument<Arc<Tensor>> {
    match output {
        Argument::Null => Argument::Null,
        Argument::Single(_) => rest.next().map_or(Argument::Null, Argument::Single),
        Argument::Pack(items) => Argument::Pack(rest.by_ref().take(items.len()).collect()),
    }
}

/// Results must have the shapes that the operation declares; those that the data determine, at most their bounds.
fn check_results(frame: &Frame, operation: &Operation) -> Result<(), Diagnostics> {
    for id in operation.outputs.iter().flat_map(Argument::items) {
        let declared = frame.graph.tensor(*id);
        let Some(Some(value)) = frame.values.get(id.0 as usize) else { continue };
        if !frame.symbols.allow(&declared.ty, &value.shape) {
            let expected = frame.symbols.expected_shape(&declared.ty);
            return Err(say::at(operation, say::result_shape(operation.span, &declared.name, &expected, &value.shape)));
        }
    }
    Ok(())
}

/// Messages of a composition know the way to where they are found only from there.
fn in_composition(found: Diagnostics, operation: &Operation) -> Diagnostics {
    let operator = match &operation.kind {
        OperationKind::Operator(call) => call.operator.to_string(),
        OperationKind::If { .. } | OperationKind::Loop(_) => return found,
    };
    let mut list = Diagnostics::default();
    for diagnostic in found.iter() {
        let mut diagnostic = diagnostic.clone();
        diagnostic.chain.push(Invocation { operator: operator.clone(), span: operation.span });
        diagnostic.chain.extend(operation.chain.iter().cloned());
        list.push(diagnostic);
    }
    list
}

/// The bytes that a result takes; 0 where only its operation knows the extents.
fn known_bytes(ty: &TensorType) -> usize {
    let extents = ty.shape.iter().map(|extent| usize::try_from(extent.as_known()?).ok());
    extents.collect::<Option<Vec<_>>>().map_or(0, |shape| limits::bytes(ty.dtype, &shape))
}
