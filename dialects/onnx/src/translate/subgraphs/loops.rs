//! `Loop`, `Scan` and `SequenceMap`: what is repeated, and how often.

use super::Outcome;
use super::repeat::{Count, Repetition, Scanned};
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::{Given, Translator};
use crate::value::{Tensor, Value, axis_of};

/// So many iterations of a loop whose number is known are written one after the other at most.
const MOST_UNROLLED: i64 = 64;

/// Numbers of iterations from here on stand for none: exporters give the greatest one of 64 or 32 bits.
const ENDLESS: i64 = i32::MAX as i64;

impl<'m> Translator<'m> {
    pub(super) fn repetition(&mut self, node: &Node<'m>, given: &Given<'m>) -> Outcome {
        let graph = node.graph("body")?;
        let value = |at: usize| node.inputs.get(at).cloned().flatten().unwrap_or(Value::Nothing);
        let carried: Vec<Value> = (2..node.inputs.len()).map(value).collect();
        if graph.output.len() <= carried.len() {
            return Err(Some(format!(
                "its body gives {} values, where a condition and {} carried ones are expected",
                graph.output.len(),
                carried.len()
            )));
        }
        let condition = node.optional(1).cloned();
        let known = condition.as_ref().map_or(Some(true), |condition| condition.bools()?.first().copied());
        let count = match known {
            Some(false) => Some(Count::Extent(Extent::from(0))),
            _ => self.count(node)?,
        };
        let condition = condition.filter(|_| known.is_none());
        let bound = self.bound_of_count(node, count.as_ref());
        let repetition = Repetition {
            graph,
            outputs: &node.proto.output,
            count,
            bound,
            condition,
            carried,
            scanned: Vec::new(),
            is_loop: true,
        };
        self.repeated(&repetition, given)
    }

    /// How often a loop is repeated, where something says so.
    fn count(&mut self, node: &Node<'m>) -> Result<Option<Count>, String> {
        let Some(trips) = node.optional(0).cloned() else { return Ok(None) };
        match trips.ints().and_then(|trips| trips.first().cloned()) {
            Some(trips) if trips.known().is_some_and(|trips| trips >= ENDLESS) => Ok(None),
            Some(trips) => Ok(Some(Count::Extent(match trips.known() {
                Some(known) => Extent::from(known.max(0)),
                None => trips,
            }))),
            None => {
                let scalar = self.reshaped(&trips, Vec::new())?;
                let least = self.binary("math.max", &scalar, &Tensor::int(0))?;
                Ok(Some(Count::Data(self.operand(&least))))
            }
        }
    }

    /// How many iterations there are at most: what is known of their number, or given for it or the node by name.
    fn bound_of_count(&self, node: &Node<'m>, count: Option<&Count>) -> Option<i64> {
        let told = match count {
            Some(Count::Extent(extent)) => self.greatest(extent),
            _ => None,
        };
        let named = node.proto.input.first().into_iter().chain([&node.proto.name]);
        told.or_else(|| named.into_iter().find_map(|name| self.given_bounds.get(name.as_str()).copied()))
    }

    pub(super) fn scan(&mut self, node: &Node<'m>, given: &Given<'m>) -> Outcome {
        let inputs: Vec<Tensor> = match node.version {
            ..9 => (1..node.inputs.len()).map(|at| node.input(at).cloned()).collect::<Result<_, _>>()?,
            _ => node.tensors()?.into_iter().cloned().collect(),
        };
        if node.version >= 9 {
            return self.scanned(node, inputs, given);
        }
        if node.optional(0).is_some() {
            return Err(Some("its sequences have lengths of their own, which is not translated: use opset 9".into()));
        }
        self.scanned_in_batches(node, &inputs, given)
    }

    /// Before version 9 all had batch items first.
    fn scanned_in_batches(&mut self, node: &Node<'m>, inputs: &[Tensor], given: &Given<'m>) -> Outcome {
        let items = inputs.first().and_then(|input| input.shape.first()?.known());
        let items = items.filter(|items| (1..=MOST_UNROLLED).contains(items));
        let items =
            items.ok_or_else(|| format!("its number of batch items must be known, and {MOST_UNROLLED} at most"))?;
        let mut results: Vec<Vec<Tensor>> = Vec::new();
        for item in 0..items {
            let mut own = Vec::new();
            for input in inputs {
                own.push(self.item(input, 0, &Tensor::int(item)));
            }
            let given = self.scanned(node, own, given)?;
            results.resize(given.len(), Vec::new());
            for (all, value) in results.iter_mut().zip(given) {
                all.extend(super::tensors_of(&[value]).cloned());
            }
        }
        let stacked = |parts: Vec<Tensor>| Value::Tensor(self.stacked(&parts.iter().collect::<Vec<_>>(), 0));
        Ok(results.into_iter().map(stacked).collect())
    }

    fn scanned(&mut self, node: &Node<'m>, inputs: Vec<Tensor>, given: &Given<'m>) -> Outcome {
        let graph = node.graph("body")?;
        let count = node.int("num_scan_inputs")?.and_then(|count| usize::try_from(count).ok());
        let states = count.filter(|count| *count > 0).and_then(|count| inputs.len().checked_sub(count));
        let states = states.ok_or_else(|| "its `num_scan_inputs` is no number of its operands".to_owned())?;
        let (axes, directions) = match node.version {
            ..9 => ("", "directions"),
            _ => ("scan_input_axes", "scan_input_directions"),
        };
        let (axes, directions) = (per(node, axes)?, per(node, directions)?);
        let mut scanned = Vec::new();
        for (at, tensor) in inputs[states..].iter().enumerate() {
            let axis = tensor.axis(axes(at))?;
            scanned.push(Scanned { tensor: tensor.clone(), axis, is_reversed: directions(at) != 0 });
        }
        let steps = scanned[0].tensor.shape[scanned[0].axis].clone();
        if scanned.iter().any(|other| other.tensor.shape[other.axis].differs_from(&steps)) {
            return Err(Some("what it scans has different numbers of steps".into()));
        }
        self.bound_steps(node, &steps);
        let bound = self.greatest(&steps);
        let carried = inputs[..states].iter().cloned().map(Value::Tensor).collect();
        let count = Some(Count::Extent(steps));
        let repetition = Repetition {
            graph,
            outputs: &node.proto.output,
            count,
            bound,
            condition: None,
            carried,
            scanned,
            is_loop: false,
        };
        let results = self.repeated(&repetition, given)?;
        self.placed_outputs(node, results, states).map_err(Some)
    }

    /// Outputs with their steps along the axes and in the directions that the node says.
    fn placed_outputs(&mut self, node: &Node<'m>, results: Vec<Value>, states: usize) -> Result<Vec<Value>, String> {
        let (axes, directions) = (per(node, "scan_output_axes")?, per(node, "scan_output_directions")?);
        let mut placed = Vec::new();
        for (at, result) in results.into_iter().enumerate() {
            placed.push(match (at.checked_sub(states), result) {
                (Some(at), Value::Tensor(tensor)) => {
                    let tensor = if directions(at) != 0 { self.backwards(&tensor) } else { tensor };
                    let axis = axis_of(axes(at), tensor.rank())?;
                    let mut perm: Vec<usize> = (1..tensor.rank()).collect();
                    perm.insert(axis, 0);
                    Value::Tensor(self.transposed(&tensor, &perm))
                }
                (_, result) => result,
            });
        }
        Ok(placed)
    }

    fn backwards(&mut self, tensor: &Tensor) -> Tensor {
        let extent = tensor.shape[0].clone();
        let begin = extent.sub(&Extent::from(1));
        self.sliced(tensor, &[crate::parts::Part { axis: 0, begin, step: -1, extent }])
    }

    /// A loop of the language, or the iterations one after the other: where sequences are carried, and where only that says
    /// what the extents are.
    fn repeated(&mut self, repetition: &Repetition<'m>, given: &Given<'m>) -> Outcome {
        let trips = match &repetition.count {
            Some(Count::Extent(extent)) => extent.known(),
            _ => None,
        };
        let are_tensors = repetition.carried.iter().all(|value| matches!(value, Value::Tensor(_)));
        if !are_tensors || trips == Some(0) {
            return self.unrolled(repetition, trips, given);
        }
        let known = self.problems.len();
        let can_unroll = trips.is_some_and(|trips| trips <= MOST_UNROLLED);
        let ((outcome, statements), is_steady) = self.looped(repetition, can_unroll, given);
        if can_unroll && (outcome.is_err() || !is_steady) {
            self.problems.truncate(known);
            return self.unrolled(repetition, trips, given);
        }
        statements.into_iter().for_each(|statement| self.push(statement));
        outcome
    }

    pub(super) fn mapped(&mut self, node: &Node<'m>, given: &Given<'m>) -> Outcome {
        let graph = node.graph("body")?;
        let Some(Some(Value::Sequence(first))) = node.inputs.first() else {
            return Err(Some("its operand 0 is no sequence".into()));
        };
        let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); graph.output.len()];
        for at in 0..first.len() {
            let argument = |value: &Option<Value>| match value {
                Some(Value::Sequence(items)) => items.get(at).cloned().map(Value::Tensor),
                other => other.clone(),
            };
            let arguments: Option<Vec<Value>> = node.inputs.iter().map(argument).collect();
            let arguments = arguments.ok_or("its sequences have different lengths".to_owned())?;
            let values = self.inner(graph, arguments, given)?;
            for (all, value) in results.iter_mut().zip(&values) {
                all.extend(super::tensors_of(std::slice::from_ref(value)).cloned());
            }
        }
        Ok(results.into_iter().map(Value::Sequence).collect())
    }
}

/// A number for each operand or result; 0 where the node says none.
fn per(node: &Node<'_>, name: &str) -> Result<impl Fn(usize) -> i64 + use<>, String> {
    let values = node.ints(name)?.unwrap_or_default();
    Ok(move |at: usize| values.get(at).copied().unwrap_or(0))
}
