//! Functions of the model: what operators are composed of, and what operators of the model compute by a formula.

use super::{GraphWriter, Shared};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::export::formula::{self, Given};
use crate::export::producers::name_of;
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
    known: HashMap<Key, (Arc<Instance>, Result<Signature, Why>)>,
    taken: HashSet<(String, String)>,
}

/// An instance, and what is known of its operands.
type Key = (*const Instance, Vec<Known>);

/// What a function knows of an operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Known {
    Nothing,
    /// It is in few bits.
    Few(ElementType),
    /// It is always the same, and no operand of the function.
    Constant(ElementType, Vec<usize>, Vec<u8>),
}

/// Operands of so many bytes are constants of the function, as tables by which operators are chosen.
const TABLE_BYTES: usize = 1 << 13;

impl Known {
    fn of(scope: &Scope, name: &str, is_table: bool) -> Known {
        let is_small = |constant: &&Constant| !constant.shape.is_empty() && constant.bytes.len() <= TABLE_BYTES;
        let few = scope.few(name).filter(|few| few.zero.is_none());
        let constant = if is_table { scope.table(name) } else { scope.nodes.known(name) };
        match (constant.filter(is_small), few) {
            (Some(it), _) => Known::Constant(it.element, it.shape.clone(), it.bytes.to_vec()),
            (None, Some(few)) => Known::Few(few.element),
            _ => Known::Nothing,
        }
    }
}

/// How a function is called.
#[derive(Debug, Clone)]
pub struct Signature {
    domain: String,
    name: String,
    /// Extents that its operands do not tell, which are operands behind the others.
    symbols: Vec<Arc<str>>,
    /// In which few bits its results are.
    few: Vec<Option<ElementType>>,
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
        let key: Key = (Arc::as_ptr(instance), known_operands(&self.scope, instance, operands));
        let mut inputs = Vec::new();
        for ((name, _), known) in operands.iter().zip(&key.1) {
            match known {
                Known::Constant(..) => {}
                Known::Few(_) => inputs.extend(self.scope.few(name).map(|few| few.name.clone())),
                Known::Nothing => inputs.push(name.clone()),
            }
        }
        let known = self.shared.functions.known.get(&key).map(|(_, known)| known.clone());
        let signature = match known {
            Some(known) => known?,
            None => {
                let frame = Frame { operator: instance.call.operator.to_string(), span: operation.span };
                let chain = operation.chain.iter().cloned().chain(self.shared.chain.clone());
                let inside = std::iter::once(frame).chain(chain).collect();
                let around = std::mem::replace(&mut self.shared.chain, inside);
                let made = make(self.shared, instance, (operands, &key.1), outputs);
                self.shared.chain = around;
                self.shared.functions.known.insert(key, (instance.clone(), made.clone()));
                made?
            }
        };
        for symbol in &signature.symbols {
            inputs.push(self.scope.extent(&skriptnd_language::compose::extent::SymExpr::Symbol(symbol.clone()))?);
        }
        self.scope.nodes.domains.insert(signature.domain.clone());
        let called = (&*signature.domain, &*signature.name);
        let results = self.scope.nodes.several(called, inputs, outputs.len(), Vec::new());
        let wide = |(result, few): (String, &Option<ElementType>)| match few {
            Some(element) => self.scope.widened(&result, *element),
            None => result,
        };
        Ok(results.into_iter().zip(&signature.few).map(wide).collect())
    }
}

/// What is known of the operands of an instance.
fn known_operands(scope: &Scope, instance: &Instance, operands: &[(String, TensorType)]) -> Vec<Known> {
    let is_table = |at: usize| match &instance.body {
        InstanceBody::Composition(graph) => {
            let id = graph.inputs.iter().flat_map(|port| port.tensors.items()).nth(at);
            let takes =
                |operation: &Operation| operation.inputs[1..].iter().flat_map(|it| it.items()).any(|it| Some(it) == id);
            graph.body.operations.iter().filter(|operation| name_of(operation) == Some("onnx.resample")).any(takes)
        }
        _ => false,
    };
    operands.iter().enumerate().map(|(at, (name, _))| Known::of(scope, name, is_table(at))).collect()
}

/// What a function is given.
struct Parameters {
    scope: Scope,
    /// Names of the operands.
    operands: Vec<String>,
    /// What they are inside.
    values: Vec<String>,
    /// Extents that these do not tell, and their names.
    symbols: Vec<(Arc<str>, String)>,
}

impl Parameters {
    fn of(instance: &Instance, operands: &[(String, TensorType)], known: &[Known]) -> Parameters {
        let mut scope = Scope::default();
        let names = parameter_names(instance, operands.len());
        let (mut given, mut values) = (Vec::new(), Vec::new());
        for ((name, (_, ty)), known) in names.iter().zip(operands).zip(known) {
            if let Known::Constant(element, shape, bytes) = known {
                let bytes = bytes.clone().into();
                let constant = Constant { name: String::new(), element: *element, shape: shape.clone(), bytes };
                values.push(scope.nodes.constant(&constant));
                continue;
            }
            let name = scope.nodes.fresh(name);
            scope.bind(&name, &ty.shape);
            values.push(if let Known::Few(element) = known { scope.widened(&name, *element) } else { name.clone() });
            given.push(name);
        }
        let mut symbols = Vec::new();
        for symbol in &instance.symbols {
            if !scope.knows(symbol) {
                let name = scope.nodes.fresh(symbol);
                scope.give(symbol, &name);
                symbols.push((symbol.clone(), name));
            }
        }
        Parameters { scope, operands: given, values, symbols }
    }
}

/// Writes the function of an instance.
fn make(
    shared: &mut Shared<'_>,
    instance: &Arc<Instance>,
    (operands, known): (&[(String, TensorType)], &[Known]),
    outputs: &[TensorType],
) -> Result<Signature, Why> {
    let Parameters { mut scope, operands: input, values, symbols } = Parameters::of(instance, operands, known);
    let problems = shared.problems.iter().count();
    let Body { node, output, domains, few } = match &instance.body {
        InstanceBody::Composition(graph) => composition(shared, graph, scope, (&input, &values))?,
        InstanceBody::Formula(formula) => {
            let named: Vec<_> = values.iter().cloned().zip(operands.iter().map(|(_, ty)| ty.clone())).collect();
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
    Ok(Signature { domain, name, symbols: symbols.into_iter().map(|(symbol, _)| symbol).collect(), few })
}

/// The nodes of a function and what they give.
struct Body {
    node: Vec<NodeProto>,
    output: Vec<String>,
    domains: BTreeSet<String>,
    /// In which few bits the results are.
    few: Vec<Option<ElementType>>,
}

fn composition(
    shared: &mut Shared<'_>,
    graph: &Graph,
    scope: Scope,
    (input, values): (&[String], &[String]),
) -> Result<Body, Why> {
    let mut writer = GraphWriter::new(shared, graph);
    writer.scope = scope;
    let ids = graph.inputs.iter().flat_map(|port| port.tensors.items());
    for (id, name) in ids.zip(values) {
        writer.set(*id, name);
    }
    writer.region(&graph.body);
    let mut results = Vec::new();
    for id in graph.outputs.iter().flat_map(|port| port.tensors.items()) {
        results.push(writer.value(*id)?);
    }
    Ok(finish(writer.scope, results, input))
}

/// Results have names of their own: neither two have one, nor is one that of an operand. They are in few bits where they can be.
fn finish(mut scope: Scope, values: Vec<String>, input: &[String]) -> Body {
    let (mut output, mut elements): (Vec<String>, Vec<_>) = Default::default();
    for value in values {
        let few = scope.few(&value).filter(|few| few.zero.is_none()).cloned();
        let value = few.as_ref().map_or(value, |few| few.name.clone());
        let is_own = !output.contains(&value) && !input.contains(&value);
        output.push(if is_own { value } else { scope.nodes.add("Identity", &[&value], Vec::new()) });
        elements.push(few.map(|few| few.element));
    }
    let domains = std::mem::take(&mut scope.nodes.domains);
    Body { node: prune(scope.nodes.finish(), &output), output, domains, few: elements }
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
