//! Functions of the model: what operators are composed of, and what operators of the model compute by a formula.

use super::{GraphWriter, Shared};
use crate::export::formula::{self, Given};
use crate::export::prune::prune;
use crate::export::scope::{Scope, Why};
use crate::export::versions::{OPSET, opset};
use crate::proto::{FunctionProto, NodeProto};
use skriptnd_language::compose::graph::{Graph, Instance, InstanceBody, Operation, TensorType};
use skriptnd_source::diagnostics::Frame;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Those that there are.
#[derive(Default)]
pub struct Functions {
    /// In an order in which each calls only those before it.
    pub written: Vec<FunctionProto>,
    /// By instance. Instances are kept, so that no other one is where one was.
    known: HashMap<*const Instance, (Arc<Instance>, Result<Signature, Why>)>,
    taken: HashSet<(String, String)>,
}

/// How a function is called.
#[derive(Debug, Clone)]
pub struct Signature {
    domain: String,
    name: String,
    /// Extents that its operands do not tell, which are operands behind the others.
    symbols: Vec<Arc<str>>,
}

/// What domains of functions begin with.
const DOMAIN: &str = "skriptnd";

impl Functions {
    fn name(&mut self, operator: &str) -> (String, String) {
        let (module, name) = operator.rsplit_once('.').unwrap_or(("main", operator));
        let domain = format!("{DOMAIN}.{module}");
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.taken.insert((domain.clone(), unique.clone())) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        (domain, unique)
    }
}

impl GraphWriter<'_, '_> {
    /// Calls the function that an operator is.
    pub fn call_function(
        &mut self,
        operation: &Operation,
        instance: &Arc<Instance>,
        operands: &[(String, TensorType)],
        outputs: &[TensorType],
    ) -> Result<Vec<String>, Why> {
        let known = self.shared.functions.known.get(&Arc::as_ptr(instance)).map(|(_, known)| known.clone());
        let signature = match known {
            Some(known) => known?,
            None => {
                let frame = Frame { operator: instance.call.operator.to_string(), span: operation.span };
                let chain = operation.chain.iter().cloned().chain(self.shared.chain.clone());
                let inside = std::iter::once(frame).chain(chain).collect();
                let around = std::mem::replace(&mut self.shared.chain, inside);
                let made = make(self.shared, instance, operands, outputs);
                self.shared.chain = around;
                let known = (instance.clone(), made.clone());
                self.shared.functions.known.insert(Arc::as_ptr(instance), known);
                made?
            }
        };
        let mut inputs: Vec<String> = operands.iter().map(|(name, _)| name.clone()).collect();
        for symbol in &signature.symbols {
            inputs.push(self.scope.extent(&skriptnd_language::compose::extent::SymExpr::Symbol(symbol.clone()))?);
        }
        self.scope.nodes.domains.insert(signature.domain.clone());
        Ok(self.scope.nodes.several((&signature.domain, &signature.name), inputs, outputs.len(), Vec::new()))
    }
}

/// What a function is given.
struct Parameters {
    scope: Scope,
    /// Names of the operands.
    operands: Vec<String>,
    /// Extents that these do not tell, and their names.
    symbols: Vec<(Arc<str>, String)>,
}

impl Parameters {
    fn of(instance: &Instance, operands: &[(String, TensorType)]) -> Parameters {
        let mut scope = Scope::default();
        let names = parameter_names(instance, operands.len());
        let names: Vec<String> = names.iter().map(|name| scope.nodes.fresh(name)).collect();
        for (name, (_, ty)) in names.iter().zip(operands) {
            scope.bind(name, &ty.shape);
        }
        let mut symbols = Vec::new();
        for symbol in &instance.symbols {
            if !scope.knows(symbol) {
                let name = scope.nodes.fresh(symbol);
                scope.give(symbol, &name);
                symbols.push((symbol.clone(), name));
            }
        }
        Parameters { scope, operands: names, symbols }
    }
}

/// Writes the function of an instance.
fn make(
    shared: &mut Shared<'_>,
    instance: &Arc<Instance>,
    operands: &[(String, TensorType)],
    outputs: &[TensorType],
) -> Result<Signature, Why> {
    let Parameters { mut scope, operands: input, symbols } = Parameters::of(instance, operands);
    let problems = shared.problems.iter().count();
    let (node, output, domains) = match &instance.body {
        InstanceBody::Composition(graph) => composition(shared, graph, scope, &input)?,
        InstanceBody::Formula(formula) => {
            let named: Vec<_> = input.iter().cloned().zip(operands.iter().map(|(_, ty)| ty.clone())).collect();
            let values = formula::write(&mut scope, &Given { formula, inputs: &named, outputs })?;
            finish(scope, values, &input)
        }
        InstanceBody::Intrinsic => return Err("it has neither formula nor composition".to_owned()),
    };
    if shared.problems.iter().count() > problems {
        return Err("something in it has no form".to_owned());
    }
    let (domain, name) = shared.functions.name(&instance.call.operator);
    let opset_import = std::iter::once(opset("", OPSET)).chain(domains.iter().map(|domain| opset(domain, 1))).collect();
    let function = FunctionProto {
        name: name.clone(),
        domain: domain.clone(),
        input: input.into_iter().chain(symbols.iter().map(|(_, name)| name.clone())).collect(),
        output,
        node,
        opset_import,
        ..FunctionProto::default()
    };
    shared.functions.written.push(function);
    Ok(Signature { domain, name, symbols: symbols.into_iter().map(|(symbol, _)| symbol).collect() })
}

type Body = (Vec<NodeProto>, Vec<String>, BTreeSet<String>);

fn composition(shared: &mut Shared<'_>, graph: &Graph, scope: Scope, input: &[String]) -> Result<Body, Why> {
    let mut writer = GraphWriter::new(shared, graph);
    writer.scope = scope;
    let ids = graph.inputs.iter().flat_map(|port| port.tensors.items());
    for (id, name) in ids.zip(input) {
        writer.set(*id, name);
    }
    writer.region(&graph.body);
    let mut values = Vec::new();
    for id in graph.outputs.iter().flat_map(|port| port.tensors.items()) {
        values.push(writer.value(*id)?);
    }
    Ok(finish(writer.scope, values, input))
}

/// Results have names of their own: neither two have one, nor is one that of an operand.
fn finish(mut scope: Scope, values: Vec<String>, input: &[String]) -> Body {
    let mut output: Vec<String> = Vec::new();
    for value in values {
        let is_own = !output.contains(&value) && !input.contains(&value);
        output.push(if is_own { value } else { scope.nodes.add("Identity", &[&value], Vec::new()) });
    }
    let domains = std::mem::take(&mut scope.nodes.domains);
    (prune(scope.nodes.finish(), &output), output, domains)
}

/// What operands are called inside.
fn parameter_names(instance: &Instance, count: usize) -> Vec<String> {
    if let InstanceBody::Composition(graph) = &instance.body {
        let ids = graph.inputs.iter().flat_map(|port| port.tensors.items());
        let names: Vec<String> = ids.map(|id| graph.tensor(*id).name.clone()).collect();
        if names.len() == count {
            return names;
        }
    }
    (0..count).map(|at| format!("operand_{at}")).collect()
}
