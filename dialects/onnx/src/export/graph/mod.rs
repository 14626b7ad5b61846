//! Operations of a graph, one after the other.

mod function;

use super::constants::constant_tensor;
use super::formula::{self, Given};
use super::producers::Producers;
use super::scope::{Outer, Scope, Why};
use super::table::{self, Call};
use crate::proto::NodeProto;
pub use function::Functions;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{
    Argument, Graph, Instance, InstanceBody, Operation, OperationKind, Origin, Region, TensorId, TensorType,
};
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics, Frame};
use std::collections::HashMap;

/// What the graphs and functions of a model share.
pub struct Shared<'a> {
    /// What operators are.
    pub definitions: &'a Definitions,
    /// Those that have been made.
    pub functions: Functions,
    /// What has no form.
    pub problems: Diagnostics,
    /// The invocations around the graph that is written, innermost first.
    pub chain: Vec<Frame>,
}

/// Writes the operations of a graph.
pub struct GraphWriter<'s, 'a> {
    pub shared: &'s mut Shared<'a>,
    pub graph: &'s Graph,
    pub scope: Scope,
    /// What tensors are called.
    pub values: HashMap<TensorId, String>,
    /// Packs whose items are also, or only, in one tensor with a dimension more in front; by first item and length.
    pub packs: HashMap<(TensorId, usize), String>,
    /// Names that tensors must have.
    pub wanted: HashMap<TensorId, String>,
    /// How many nodes there were when the operation that is written began.
    pub begin: usize,
    /// What gives tensors.
    pub producers: Producers<'s>,
}

/// What was before a branch or a body.
pub struct Before {
    outer: Outer,
    values: HashMap<TensorId, String>,
    packs: HashMap<(TensorId, usize), String>,
}

impl<'s, 'a> GraphWriter<'s, 'a> {
    /// For a graph of which nothing is written yet.
    pub fn new(shared: &'s mut Shared<'a>, graph: &'s Graph) -> Self {
        let (scope, values, packs, wanted, begin) = Default::default();
        GraphWriter { shared, graph, scope, values, packs, wanted, begin, producers: Producers::of(graph) }
    }

    /// Begins a branch or a body.
    pub fn enter(&mut self) -> Before {
        Before { outer: self.scope.enter(), values: self.values.clone(), packs: self.packs.clone() }
    }

    /// Ends it: its nodes.
    pub fn leave(&mut self, before: Before) -> Vec<NodeProto> {
        (self.values, self.packs) = (before.values, before.packs);
        self.scope.leave(before.outer)
    }

    /// The operations of a region.
    pub fn region(&mut self, region: &Region) {
        region.operations.iter().for_each(|operation| self.operation(operation));
    }

    /// Gives a tensor a value.
    pub fn set(&mut self, id: TensorId, name: &str) {
        self.scope.bind(name, &self.graph.tensor(id).ty.shape);
        self.values.insert(id, name.to_owned());
    }

    /// What a tensor is called.
    ///
    /// # Errors
    /// Where it has no value of its own.
    pub fn value(&mut self, id: TensorId) -> Result<String, Why> {
        if let Some(name) = self.values.get(&id) {
            return Ok(name.clone());
        }
        let tensor = self.graph.tensor(id);
        match &tensor.origin {
            Origin::Constant(value) => {
                self.scope.nodes.name_after(&tensor.name);
                let name = constant_tensor(&mut self.scope, value, &tensor.ty)?;
                self.values.insert(id, name.clone());
                Ok(name)
            }
            _ => Err(format!("`{}` is an item of a pack of which only a run knows how many items it has", tensor.name)),
        }
    }

    /// An argument's tensors with their types.
    pub fn operands(&mut self, argument: &Argument) -> Result<Argument<(String, TensorType)>, Why> {
        let mut named = Vec::new();
        for id in argument.items() {
            named.push((self.value(*id)?, self.graph.tensor(*id).ty.clone()));
        }
        Ok(match argument {
            Argument::Null => Argument::Null,
            Argument::Single(_) => Argument::Single(named.swap_remove(0)),
            Argument::Pack(_) => Argument::Pack(named),
        })
    }

    /// One operation. What of it has no form is noted.
    fn operation(&mut self, operation: &Operation) {
        let first = operation.outputs.iter().flat_map(Argument::items).next();
        let stem = first.map_or("", |id| self.graph.tensor(*id).name.as_str());
        self.scope.nodes.name_after(stem);
        let problems = self.shared.problems.iter().count();
        let begin = std::mem::replace(&mut self.begin, self.scope.nodes.count());
        let written = match &operation.kind {
            OperationKind::Operator(_) => match operation.instance.clone() {
                Some(instance) => self.invocation(operation, &instance),
                None => Err("it has no definition".to_owned()),
            },
            OperationKind::If { arms, otherwise } => self.branch(operation, arms, otherwise),
            OperationKind::Loop(inner) => self.repeated(operation, inner),
        };
        self.begin = begin;
        if let Err(why) = written {
            // What is inside has been told with its own place.
            if self.shared.problems.iter().count() == problems {
                self.refuse(operation, &why);
            }
            self.stand_in(operation);
        }
    }

    fn refuse(&mut self, operation: &Operation, why: &str) {
        let what = match &operation.kind {
            OperationKind::Operator(call) => format!("operator `{}`", call.operator),
            OperationKind::If { .. } => "the branch".to_owned(),
            OperationKind::Loop(_) => "the loop".to_owned(),
        };
        let chain = operation.chain.iter().chain(&self.shared.chain).cloned().collect();
        let told = Diagnostic::error(Code::NotCompiled, operation.span, format!("{what} has no form in ONNX: {why}"))
            .with_help("a model can be exported to SkriptND whatever it has: -o OUT.sknd");
        self.shared.problems.push(Diagnostic { chain, ..told });
    }

    /// Names for the results of what has no form, so that the rest can be looked at.
    fn stand_in(&mut self, operation: &Operation) {
        for argument in &operation.outputs {
            for id in argument.items() {
                let name = self.graph.tensor(*id).name.clone();
                self.set(*id, &name);
            }
            self.packs.extend(key(argument).map(|key| (key, "?".to_owned())));
        }
    }

    fn invocation(&mut self, operation: &Operation, instance: &std::sync::Arc<Instance>) -> Result<(), Why> {
        if self.fused(operation)?
            || self.takes_open_pack(operation, instance)?
            || self.gives_open_pack(operation, instance)?
        {
            return Ok(());
        }
        let inputs =
            operation.inputs.iter().map(|argument| self.operands(argument)).collect::<Result<Vec<_>, Why>>()?;
        let outputs: Vec<TensorType> = instance.outputs.iter().flat_map(Argument::items).cloned().collect();
        let defaults: Vec<usize> = instance.default_inputs().collect();
        let call = Call { call: &instance.call, inputs: &inputs, defaults: &defaults, outputs: &outputs };
        let is_standard = self.is_standard(&instance.call.operator);
        let entry = if is_standard { table::write(&mut self.scope, &call)? } else { None };
        let values = match entry {
            Some(values) => values,
            None => self.defined(operation, instance, &inputs, &outputs, is_standard)?,
        };
        let ids: Vec<TensorId> = operation.outputs.iter().flat_map(Argument::items).copied().collect();
        if values.len() != ids.len() {
            return Err("a pack has a length that only a run knows".to_owned());
        }
        for (id, value) in ids.into_iter().zip(values) {
            self.name(id, &value);
        }
        Ok(())
    }

    /// What an operator is by its definition.
    fn defined(
        &mut self,
        operation: &Operation,
        instance: &std::sync::Arc<Instance>,
        inputs: &[Argument<(String, TensorType)>],
        outputs: &[TensorType],
        is_standard: bool,
    ) -> Result<Vec<String>, Why> {
        // Those that are the default are constants of the definition.
        let is_given = |at: &usize| instance.default_inputs().all(|default| default != *at);
        let given = inputs.iter().enumerate().filter(|(at, _)| is_given(at));
        let operands: Vec<_> = given.flat_map(|(_, argument)| argument.items()).cloned().collect();
        match &instance.body {
            InstanceBody::Formula(formula) if is_standard => {
                let given = Given { formula, inputs: &operands, outputs };
                formula::write(&mut self.scope, &given)
            }
            InstanceBody::Intrinsic => {
                Err("it is none of those that ONNX has, and has neither formula nor composition".into())
            }
            _ => self.call_function(operation, instance, &operands, outputs),
        }
    }

    fn is_standard(&self, operator: &str) -> bool {
        let module = operator.rsplit_once('.').map_or("", |(module, _)| module);
        self.shared.definitions.is_standard(module)
    }

    /// Calls what was computed last as the tensor is called.
    pub fn name(&mut self, id: TensorId, value: &str) {
        if self.scope.is_extent(value) || !self.scope.nodes.is_last(value, self.begin) {
            return self.set(id, value);
        }
        let wanted = self.wanted.get(&id).cloned();
        let name = wanted.unwrap_or_else(|| self.scope.nodes.fresh(&self.graph.tensor(id).name));
        self.scope.rename(value, &name);
        self.set(id, &name);
    }
}

/// What tells a pack apart.
pub fn key(argument: &Argument) -> Option<(TensorId, usize)> {
    match argument {
        Argument::Pack(items) => Some((*items.first()?, items.len())),
        _ => None,
    }
}
