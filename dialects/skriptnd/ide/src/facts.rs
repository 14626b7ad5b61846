//! What composition knows: the types of tensors, and the values of attributes, extents and helper symbols.

use crate::snapshot::Snapshot;
use indexmap::IndexMap;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, Region, TensorType};
use skriptnd_language::compose::{InstanceBody, Operand, first_of_same, note_identity};
use skriptnd_language::sema::names::Introduced;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::Param;
use std::collections::{HashSet, VecDeque};

/// Of so many invocations of an operator is told what they know.
const SHOWN: usize = 3;

/// So many invocations are looked into on the way to those of an operator.
const LOOKED_INTO: usize = 200;

/// An operator as it is invoked.
struct Invoked {
    call: OperatorCall,
    operands: Vec<Operand>,
}

impl Snapshot {
    /// The types that a tensor of an operator has, in the graph or in the invocations of the operator.
    pub(super) fn types_of(&self, operator: &str, tensor: &Introduced) -> Vec<String> {
        // Places have moved since an outdated graph was composed; names have not.
        let current = !self.is_outdated(tensor.span.file);
        let mut types = match self.graph(operator) {
            Some(graph) => types_in(graph, tensor, current, true),
            None => self.graphs.iter().flat_map(|graph| types_in(graph, tensor, current, false)).collect(),
        };
        if types.is_empty() {
            for invoked in self.invocations(operator) {
                if let Ok(instance) = self.definitions.instance(&invoked.call, &invoked.operands)
                    && let InstanceBody::Composition(graph) = &instance.body
                {
                    types.extend(types_in(graph, tensor, true, true));
                }
            }
        }
        distinct(types)
    }

    /// The types of an input or output of an operator in its invocations.
    pub(super) fn port_types(&self, operator: &str, name: &str) -> Vec<String> {
        let Some(definition) = self.definitions.operator(operator) else { return Vec::new() };
        let at = |params: &[Param]| params.iter().position(|param| *param.name.text == *name);
        let mut types = Vec::new();
        for invoked in self.invocations(operator) {
            if let Some(argument) = at(&definition.inputs).and_then(|at| invoked.operands.get(at)) {
                types.extend(argument.items().iter().map(describe_type));
            } else if let Some(at) = at(&definition.outputs)
                && let Ok(instance) = self.definitions.instance(&invoked.call, &invoked.operands)
            {
                types.extend(instance.outputs.get(at).into_iter().flat_map(Argument::items).map(describe_type));
            }
        }
        distinct(types)
    }

    /// The values of an attribute, extent or helper symbol of an operator or graph.
    pub(super) fn values_of(&self, operator: &str, name: &str) -> Vec<String> {
        let invoked = match self.graph(operator) {
            Some(graph) => vec![whole(graph, operator)],
            None => self.invocations(operator),
        };
        let values = invoked.iter().filter_map(|invoked| {
            let known = self.definitions.known_values(&invoked.call, &invoked.operands);
            // Of an extent that only a run knows its name says nothing new.
            known.into_iter().find(|(known, value)| known == name && value != name).map(|(_, value)| value)
        });
        distinct(values.collect())
    }

    /// The invocation at this place, with every attribute and every generic type filled in.
    pub(super) fn call_at(&self, place: Span, operator: &str) -> Option<OperatorCall> {
        let mut found = None;
        let graphs = self.graphs.iter().filter(|_| !self.is_outdated(place.file));
        graphs.for_each(|graph| {
            visit_all(graph, &mut |operation| {
                if let OperationKind::Operator(call) = &operation.kind
                    && *call.operator == *operator
                    && operation.span.file == place.file
                    && operation.span.start <= place.start
                    && place.end <= operation.span.end
                {
                    found.get_or_insert_with(|| call.clone());
                }
            })
        });
        found
    }

    /// The graph with this path.
    fn graph(&self, path: &str) -> Option<&Graph> {
        let name = path.strip_prefix("main.")?;
        self.graphs.iter().find(|graph| graph.name == name)
    }

    /// Whether a text has changed since the graph was composed.
    fn is_outdated(&self, file: FileId) -> bool {
        let then = self.composed.as_ref().and_then(|sources| sources.file(file)).map(|source| &source.text);
        then != self.definitions.sources.file(file).map(|source| &source.text)
    }

    /// Some invocations of an operator, wherever they are.
    fn invocations(&self, operator: &str) -> Vec<Invoked> {
        let mut found = Vec::new();
        let mut waiting: VecDeque<Invoked> = self.graphs.iter().flat_map(invocations_in).collect();
        let mut seen = HashSet::new();
        let mut looked_into = 0;
        while let Some(invoked) = waiting.pop_front() {
            if *invoked.call.operator == *operator {
                found.push(invoked);
                if found.len() == SHOWN {
                    break;
                }
            } else if looked_into < LOOKED_INTO && seen.insert(invoked.call.operator.clone()) {
                looked_into += 1;
                if let Ok(instance) = self.definitions.instance(&invoked.call, &invoked.operands)
                    && let InstanceBody::Composition(graph) = &instance.body
                {
                    waiting.extend(invocations_in(graph));
                }
            }
        }
        found
    }
}

/// The graph itself as if it were invoked.
fn whole(graph: &Graph, path: &str) -> Invoked {
    let call = OperatorCall { operator: path.into(), dtypes: IndexMap::new(), attributes: IndexMap::new() };
    let operands = operands_of(graph, graph.inputs.iter().map(|port| &port.tensors));
    Invoked { call, operands }
}

fn invocations_in(graph: &Graph) -> Vec<Invoked> {
    let mut found = Vec::new();
    visit_all(graph, &mut |operation| {
        if let OperationKind::Operator(call) = &operation.kind {
            let operands = operands_of(graph, operation.inputs.iter());
            found.push(Invoked { call: call.clone(), operands });
        }
    });
    found
}

/// What is known of the arguments of an invocation.
fn operands_of<'g>(graph: &Graph, arguments: impl Iterator<Item = &'g Argument> + Clone) -> Vec<Operand> {
    let types = arguments.clone().map(|argument| argument.map(|id| graph.tensor(*id).ty.clone()));
    let mut operands: Vec<Operand> = types.map(Operand::of).collect();
    note_identity(&mut operands, &first_of_same(arguments.flat_map(Argument::items)));
    operands
}

/// Sees the operations that compute the outputs, and those of `@update`.
fn visit_all(graph: &Graph, see: &mut impl FnMut(&Operation)) {
    visit(&graph.body, see);
    visit(&graph.update, see);
}

fn visit(region: &Region, see: &mut impl FnMut(&Operation)) {
    // Regions nest as deep as statements do, which the parser limits.
    for operation in &region.operations {
        see(operation);
        match &operation.kind {
            OperationKind::Operator(_) => {}
            OperationKind::If { arms, otherwise } => {
                for (condition, consequent) in arms {
                    visit(condition, see);
                    visit(consequent, see);
                }
                visit(otherwise, see);
            }
            OperationKind::Loop(looping) => {
                visit(&looping.body, see);
                looping.condition.iter().for_each(|condition| visit(condition, see));
            }
        }
    }
}

/// The types of a tensor. `by_place`: where it is introduced says which one it is; `by_name`: its name, if it is in no
/// scope.
fn types_in(graph: &Graph, tensor: &Introduced, by_place: bool, by_name: bool) -> Vec<String> {
    let declared = tensor.declaration;
    let named = graph.tensors.iter().filter_map(|candidate| {
        let name = without_number(&candidate.name);
        let place = candidate.span;
        let here = place.file == declared.file && declared.start <= place.start && place.end <= declared.end;
        let ends = name.rsplit('.').next() == Some(&*tensor.name);
        (ends && ((by_place && here) || (by_name && *name == *tensor.name))).then(|| describe_type(&candidate.ty))
    });
    named.collect()
}

/// The name of a pack, of the name of one of its tensors.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((pack, number)) if number.bytes().all(|b| b.is_ascii_digit()) => pack,
        _ => name,
    }
}

fn describe_type(ty: &TensorType) -> String {
    let extents: Vec<String> = ty.shape.iter().map(ToString::to_string).collect();
    format!("{}[{}]", ty.dtype.keyword(), extents.join(", "))
}

fn distinct(mut list: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    list.retain(|item| seen.insert(item.clone()));
    list.truncate(SHOWN);
    list
}
