//! Which tensors of a graph are quantized: what products take and give, and what lies between so that it can stay in few bits.

use super::operators::{self, Role};
use skriptnd_language::compose::graph::{
    Argument, Graph, Operation, OperationKind, OperatorCall, Origin, Region, TensorId,
};
use skriptnd_language::compose::value::ScalarType;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What is quantized.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Tensors of a run, each where it is made.
    pub activations: BTreeSet<TensorId>,
    /// Tensors that are known before a run and that products take, with the dimension whose indices have a scale each; none where
    /// one scale is for all.
    pub weights: BTreeMap<TensorId, Option<usize>>,
    /// Biases of products that follow from variables: they are computed now.
    pub biases: BTreeSet<TensorId>,
    /// All tensors that are known before a run.
    pub known: HashSet<TensorId>,
}

impl Plan {
    /// For a graph without operators that have products inside.
    pub fn of(graph: &Graph) -> Plan {
        let known = known(graph);
        let uses = Uses::of(graph);
        let mut planner = Planner { graph, uses, plan: Plan { known, ..Plan::default() }, quantized: HashSet::new() };
        // What is quantized for one product may be what an earlier operation takes.
        loop {
            let before = (planner.plan.activations.len(), planner.quantized.len());
            graph.body.operations.iter().for_each(|operation| planner.look_at(operation));
            if before == (planner.plan.activations.len(), planner.quantized.len()) {
                return planner.plan;
            }
        }
    }

    /// The same without activations: only weights of products whose other factor is real have fewer bits.
    pub fn weights_only(graph: &Graph) -> Plan {
        Plan { activations: BTreeSet::new(), biases: BTreeSet::new(), ..Plan::of(graph) }
    }
}

struct Planner<'g> {
    graph: &'g Graph,
    uses: Uses,
    plan: Plan,
    /// Tensors whose values are quantized ones, for they are quantized or only moved since.
    quantized: HashSet<TensorId>,
}

impl Planner<'_> {
    fn look_at(&mut self, operation: &Operation) {
        let OperationKind::Operator(call) = &operation.kind else { return };
        let Some(Argument::Single(first)) = operation.outputs.first() else { return self.moved(operation, call) };
        if self.plan.known.contains(first) || !self.is_real(*first) {
            return;
        }
        let rank = |input: usize| match operation.inputs.get(input) {
            Some(Argument::Single(id)) => Some(self.graph.tensor(*id).ty.shape.len()),
            _ => None,
        };
        if let Some(factors) = operators::factors(call, &rank) {
            for factor in factors {
                if let Argument::Single(id) = operation.inputs[factor.input] {
                    self.take_factor(id, factor.channels);
                }
            }
            if operators::is_recurrent(call) {
                return;
            }
            self.take_bias(operation.inputs.get(2));
            return self.quantize(self.last_of(*first));
        }
        match operators::role(call) {
            Role::Moves => self.moved(operation, call),
            Role::Between if self.takes_quantized(operation) && !self.is_subtracted(operation) => {
                self.quantize(self.last_of(*first))
            }
            Role::Between | Role::Real => {}
        }
    }

    fn take_factor(&mut self, id: TensorId, channels: Option<usize>) {
        // What samples show of a state is where it begins, not what it becomes.
        if !self.is_real(id) || is_state(self.graph, id) {
        } else if !self.plan.known.contains(&id) {
            if !self.quantized.contains(&id) {
                self.quantize(id);
            }
        } else if !self.is_empty(id) {
            let known = self.plan.weights.entry(id).or_insert(channels);
            *known = known.filter(|known| Some(*known) == channels);
        }
    }

    fn take_bias(&mut self, bias: Option<&Argument>) {
        let bias = bias.map(Argument::items).unwrap_or_default().iter();
        let is_computed = |id: &&TensorId| {
            let is_result = matches!(self.graph.tensor(**id).origin, Origin::Result);
            is_result && self.plan.known.contains(id) && self.is_real(**id) && !self.is_empty(**id)
        };
        let computed: Vec<TensorId> = bias.filter(is_computed).copied().collect();
        self.plan.biases.extend(computed);
    }

    fn moved(&mut self, operation: &Operation, call: &OperatorCall) {
        let given = operation.inputs.first().map(Argument::items).unwrap_or_default();
        let is_quantized = !given.is_empty() && given.iter().all(|id| self.quantized.contains(id));
        if operators::role(call) == Role::Moves && is_quantized {
            let results = operation.outputs.iter().flat_map(Argument::items).copied();
            let results: Vec<TensorId> = results.filter(|id| self.is_real(*id)).collect();
            self.quantized.extend(results);
        }
    }

    /// Whether all reals that it takes, and that a run computes, are quantized.
    fn takes_quantized(&self, operation: &Operation) -> bool {
        let taken = operation.inputs.iter().flat_map(Argument::items);
        let mut computed = taken.filter(|id| !self.plan.known.contains(id) && self.is_real(**id)).peekable();
        computed.peek().is_some() && computed.all(|id| self.quantized.contains(id))
    }

    /// Whether what an operation gives is subtracted from what it takes: the mean of a normalization, which is computed as a whole.
    fn is_subtracted(&self, operation: &Operation) -> bool {
        let [Argument::Single(result)] = operation.outputs[..] else { return false };
        let users = self.uses.operations.get(&result).map(Vec::as_slice).unwrap_or_default();
        users.iter().map(|at| &self.graph.body.operations[*at]).any(|user| {
            let is_difference = matches!(&user.kind, OperationKind::Operator(call) if *call.operator == *"math.sub");
            is_difference && user.inputs[1] == Argument::Single(result) && operation.inputs.contains(&user.inputs[0])
        })
    }

    fn quantize(&mut self, id: TensorId) {
        self.plan.activations.insert(id);
        self.quantized.insert(id);
    }

    /// The last of the tensors that are computed of this one alone, one after the other, in the same loops.
    fn last_of(&self, id: TensorId) -> TensorId {
        let Some(next) = self.uses.only(id) else { return id };
        let operation = &self.graph.body.operations[next];
        let (OperationKind::Operator(call), [Argument::Single(result)]) = (&operation.kind, &operation.outputs[..])
        else {
            return id;
        };
        let taken = operation.inputs.iter().flat_map(Argument::items);
        let is_alone = taken.filter(|taken| !self.plan.known.contains(taken)).all(|taken| *taken == id);
        match operators::follows(call) && is_alone {
            true => self.last_of(*result),
            false => id,
        }
    }

    fn is_real(&self, id: TensorId) -> bool {
        self.graph.tensor(id).ty.dtype == ScalarType::Real
    }

    fn is_empty(&self, id: TensorId) -> bool {
        self.graph.tensor(id).ty.shape.iter().any(|extent| extent.as_known().is_none_or(|extent| extent < 1))
    }
}

/// The tensors that follow from variables that no run changes, and from constants.
pub fn known(graph: &Graph) -> HashSet<TensorId> {
    let all = graph.tensors.iter().enumerate().map(|(at, tensor)| (TensorId(at as u32), tensor));
    let given = all.filter(|(id, tensor)| match tensor.origin {
        Origin::Variable { .. } => !is_state(graph, *id),
        Origin::Constant(_) => true,
        _ => false,
    });
    let mut known: HashSet<TensorId> = given.map(|(id, _)| id).collect();
    for operation in &graph.body.operations {
        let is_pure = matches!(&operation.kind, OperationKind::Operator(call) if operators::is_pure(call));
        if is_pure && operation.inputs.iter().flat_map(Argument::items).all(|id| known.contains(id)) {
            known.extend(operation.outputs.iter().flat_map(Argument::items));
        }
    }
    known
}

/// Whether runs change a variable.
fn is_state(graph: &Graph, id: TensorId) -> bool {
    graph.updates.iter().any(|(variable, _)| *variable == id)
}

/// Who takes the tensors of a graph.
pub(super) struct Uses {
    /// Numbers of operations of the body.
    operations: HashMap<TensorId, Vec<usize>>,
    /// What regions, outputs and updates take.
    others: HashSet<TensorId>,
}

impl Uses {
    pub(super) fn of(graph: &Graph) -> Uses {
        let mut operations: HashMap<TensorId, Vec<usize>> = HashMap::new();
        let mut others: HashSet<TensorId> =
            graph.outputs.iter().flat_map(|port| port.tensors.items()).copied().collect();
        others.extend(graph.updates.iter().map(|(_, value)| *value));
        for (at, operation) in graph.body.operations.iter().enumerate() {
            for id in operation.inputs.iter().flat_map(Argument::items) {
                operations.entry(*id).or_default().push(at);
            }
        }
        let mut inside = |region: &Region| {
            others.extend(region.results.iter().flat_map(Argument::items));
            others.extend(region.operations.iter().flat_map(|operation| &operation.inputs).flat_map(Argument::items));
        };
        inside(&graph.update);
        graph.visit_operations(&mut |operation| match &operation.kind {
            OperationKind::Operator(_) => {}
            OperationKind::If { arms, otherwise } => {
                arms.iter().flat_map(|(condition, then)| [condition, then]).chain([otherwise]).for_each(&mut inside);
            }
            OperationKind::Loop(parts) => parts.condition.iter().chain([&parts.body]).for_each(&mut inside),
        });
        Uses { operations, others }
    }

    /// The operation that is the only one to take a tensor.
    pub(super) fn only(&self, id: TensorId) -> Option<usize> {
        match self.operations.get(&id)?.as_slice() {
            [only] if !self.others.contains(&id) => Some(*only),
            _ => None,
        }
    }
}
