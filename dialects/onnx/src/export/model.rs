//! A graph as a model: inputs with their defaults, variables as initializers, outputs by their names.

use super::arithmetic::nearest_integer;
use super::attributes as attr;
use super::constants::known_constant;
use super::graph::{Functions, GraphWriter, Shared};
use super::prune::{prune, read_by};
use super::versions::{IR_VERSION, OPSET, opset};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::proto::{GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto};
use prost::Message;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{Argument, Graph, Origin, Port, TensorId, TensorType};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_runtime::Storage;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a file can hold, in bytes: sizes of messages have 31 bits.
const MOST_BYTES: usize = i32::MAX as usize;

/// A model of ONNX.
pub struct Written {
    /// The message.
    pub model: ModelProto,
    /// The variables that runs change: each is an input whose default is its value, and what it becomes is an output.
    pub states: Vec<State>,
}

/// A variable that runs change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The input.
    pub input: String,
    /// The output behind those of the graph.
    pub output: String,
}

impl Written {
    /// The file.
    ///
    /// # Errors
    /// Where it would have more bytes than the format allows.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let size = self.model.encoded_len();
        match size > MOST_BYTES {
            true => Err(format!("the file would have {size} bytes, of which the format allows {MOST_BYTES}")),
            false => Ok(self.model.encode_to_vec()),
        }
    }
}

/// What inputs and outputs are called there, by their names in the graph, where that is another name.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Of inputs.
    pub inputs: HashMap<String, String>,
    /// Of outputs.
    pub outputs: HashMap<String, String>,
}

/// A graph as a model of ONNX; `weight` gives the elements of variables as they are stored.
///
/// # Errors
/// What has no form in ONNX, each with its place.
pub fn write(
    definitions: &Definitions,
    graph: &Graph,
    named: &Names,
    weight: &mut dyn FnMut(TensorId) -> Result<Constant, String>,
) -> Result<Written, Diagnostics> {
    let mut shared =
        Shared { definitions, functions: Functions::default(), problems: Diagnostics::default(), chain: Vec::new() };
    let mut writer = ModelWriter::new(GraphWriter::new(&mut shared, graph), named);
    writer.inputs();
    writer.variables(weight);
    writer.graph.region(&graph.body);
    writer.graph.region(&graph.update);
    writer.outputs();
    let states = writer.updates();
    let message = writer.finish(weight);
    if shared.problems.has_errors() {
        return Err(shared.problems);
    }
    let functions = shared.functions.written;
    let domains: BTreeSet<&str> = functions.iter().map(|function| &*function.domain).collect();
    let opset_import =
        std::iter::once(opset("", OPSET)).chain(domains.into_iter().map(|domain| opset(domain, 1))).collect();
    let model = ModelProto {
        ir_version: IR_VERSION,
        producer_name: "skriptnd".to_owned(),
        graph: Some(message),
        opset_import,
        functions,
    };
    Ok(Written { model, states })
}

struct ModelWriter<'s, 'a> {
    graph: GraphWriter<'s, 'a>,
    inputs: Vec<ValueInfoProto>,
    outputs: Vec<ValueInfoProto>,
    initializers: Vec<TensorProto>,
    /// The outputs: how they are called and stored.
    results: Vec<(TensorId, String, ElementType)>,
    /// What variables are called.
    variables: Vec<(TensorId, String)>,
}

impl<'s, 'a> ModelWriter<'s, 'a> {
    fn new(mut graph: GraphWriter<'s, 'a>, named: &Names) -> Self {
        let own = graph.graph;
        for (id, name) in own.inputs.iter().flat_map(|port| names(port, &named.inputs)) {
            let name = graph.scope.nodes.fresh(&name);
            graph.wanted.insert(id, name);
        }
        let mut results = Vec::new();
        for (at, port) in own.outputs.iter().enumerate() {
            let form = own.output_storage.get(&at).map(|storage| element_of_storage(*storage));
            for (id, name) in names(port, &named.outputs) {
                let computed = attr::element_of(own.tensor(id).ty.dtype);
                let name = graph.scope.nodes.fresh(&name);
                let stored = form.unwrap_or(computed);
                if stored == computed {
                    graph.wanted.entry(id).or_insert_with(|| name.clone());
                }
                results.push((id, name, stored));
            }
        }
        let (inputs, outputs, initializers, variables) = Default::default();
        ModelWriter { graph, inputs, outputs, initializers, results, variables }
    }

    fn refuse(&mut self, id: TensorId, why: impl Into<String>) {
        let span = self.graph.graph.tensor(id).span;
        self.graph.shared.problems.push(Diagnostic::error(Code::NotCompiled, span, why));
    }

    /// How elements lie where a model takes them, and how it computes with them.
    fn forms(&self, id: TensorId) -> (ElementType, ElementType) {
        let own = self.graph.graph;
        let computed = attr::element_of(own.tensor(id).ty.dtype);
        (own.storage.get(&id).map_or(computed, |storage| element_of_storage(*storage)), computed)
    }

    /// A tensor that is given, as it is computed with.
    fn given(&mut self, id: TensorId, name: &str) {
        let (stored, computed) = self.forms(id);
        self.graph.set(id, name);
        if stored != computed {
            let value = match computed == ElementType::Int64 {
                true => self.graph.scope.widened(name, stored),
                false => self.graph.scope.nodes.cast(name, computed),
            };
            self.graph.values.insert(id, value);
        }
    }

    fn inputs(&mut self) {
        let own = self.graph.graph;
        for id in own.inputs.iter().flat_map(|port| port.tensors.items()).copied() {
            let tensor = own.tensor(id);
            let name = self.graph.wanted[&id].clone();
            if own.pack_lengths.iter().any(|(first, _)| *first == id) {
                self.refuse(id, "a pack whose length only a run knows has no form in ONNX as an input");
            }
            let (stored, _) = self.forms(id);
            self.inputs.push(attr::info(&name, stored, &tensor.ty.shape));
            if let Origin::Input { default: Some(value) } = &tensor.origin {
                self.default(id, &name, value);
            }
            self.given(id, &name);
        }
    }

    /// The value of an input that is not given: an initializer of its name.
    fn default(&mut self, id: TensorId, name: &str, value: &skriptnd_language::compose::value::Value) {
        let (stored, _) = self.forms(id);
        let tensor = self.graph.graph.tensor(id).clone();
        let constant = known_constant(value, &tensor.ty).ok_or_else(|| "its extents are open".to_owned());
        match constant.and_then(|constant| constant.converted(stored)) {
            Ok(constant) => self.initializers.push(attr::tensor_of(name, &constant)),
            Err(why) => self.refuse(id, format!("the default of input `{}` has no form in ONNX: {why}", tensor.name)),
        }
    }

    fn variables(&mut self, weight: &mut dyn FnMut(TensorId) -> Result<Constant, String>) {
        let own = self.graph.graph;
        for id in own.variables.iter().copied() {
            let tensor = own.tensor(id);
            let name = self.graph.scope.nodes.fresh(&tensor.name);
            let (stored, _) = self.forms(id);
            if self.is_state(id) {
                self.inputs.push(attr::info(&name, stored, &tensor.ty.shape));
            }
            self.variables.push((id, name.clone()));
            self.given(id, &name);
            let value = self.graph.values[&id].clone();
            let table =
                Some(id).filter(|id| is_table(&tensor.ty) && !self.is_state(*id)).and_then(|id| weight(id).ok());
            self.graph.scope.tables.extend(table.map(|table| (value, table)));
        }
    }

    fn is_state(&self, id: TensorId) -> bool {
        self.graph.graph.updates.iter().any(|(variable, _)| *variable == id)
    }

    /// The values of the variables that nodes use.
    fn weights(&mut self, nodes: &[NodeProto], weight: &mut dyn FnMut(TensorId) -> Result<Constant, String>) {
        let mut used = HashSet::new();
        nodes.iter().for_each(|node| read_by(node, &mut used));
        for (id, name) in std::mem::take(&mut self.variables) {
            if !used.contains(&name) && !self.is_state(id) {
                continue;
            }
            let (stored, _) = self.forms(id);
            match weight(id).and_then(|constant| constant.converted(stored)) {
                Ok(constant) => self.initializers.push(attr::tensor_of(&name, &constant)),
                Err(why) => self.refuse(id, why),
            }
        }
    }

    /// A value as an output of this name.
    fn output(&mut self, id: TensorId, name: &str, stored: ElementType) {
        let own = self.graph.graph;
        let ty = &own.tensor(id).ty;
        let value = match self.graph.value(id) {
            Ok(value) => value,
            Err(why) => return self.refuse(id, format!("output `{name}` has no form in ONNX: {why}")),
        };
        let nodes = &mut self.graph.scope.nodes;
        let is_truncated = ty.dtype == ScalarType::Real && stored.integers().is_some();
        let value = if is_truncated { nearest_integer(nodes, &value, ElementType::Float, false) } else { value };
        if value != name || self.outputs.iter().any(|output| output.name == name) {
            let (operator, attributes) = match stored == attr::element_of(ty.dtype) {
                true => ("Identity", Vec::new()),
                false => ("Cast", vec![attr::int("to", i64::from(stored.number()))]),
            };
            nodes.push(("", operator), vec![value], vec![name.to_owned()], attributes);
        }
        self.outputs.push(attr::info(name, stored, &ty.shape));
    }

    fn outputs(&mut self) {
        for (id, name, stored) in std::mem::take(&mut self.results) {
            self.output(id, &name, stored);
        }
    }

    /// What variables become.
    fn updates(&mut self) -> Vec<State> {
        let own = self.graph.graph;
        let mut states = Vec::new();
        for (variable, value) in &own.updates {
            let input = own.tensor(*variable).name.clone();
            let output = self.graph.scope.nodes.fresh(&format!("{input}.next"));
            let (stored, _) = self.forms(*variable);
            self.output(*value, &output, stored);
            states.push(State { input, output });
        }
        states
    }

    fn finish(mut self, weight: &mut dyn FnMut(TensorId) -> Result<Constant, String>) -> GraphProto {
        let needed: Vec<String> = self.outputs.iter().map(|output| output.name.clone()).collect();
        let nodes = prune(std::mem::take(&mut self.graph.scope.nodes).finish(), &needed);
        if !self.graph.shared.problems.has_errors() {
            self.weights(&nodes, weight);
        }
        GraphProto {
            node: nodes,
            name: self.graph.graph.name.clone(),
            initializer: self.initializers,
            input: self.inputs,
            output: self.outputs,
            ..GraphProto::default()
        }
    }
}

/// Elements of a variable by which operators may be chosen, at most.
const TABLE_ELEMENTS: usize = 1 << 11;

/// Whether a variable may be a table of positions or weights.
fn is_table(ty: &TensorType) -> bool {
    let extents: Option<Vec<usize>> = ty.shape.iter().map(|extent| usize::try_from(extent.as_known()?).ok()).collect();
    extents.is_some_and(|extents| extents.len() == 2 && extents.iter().product::<usize>() <= TABLE_ELEMENTS)
}

/// The tensors of a port: items of packs have a number behind the name.
fn names(port: &Port, named: &HashMap<String, String>) -> Vec<(TensorId, String)> {
    let items = port.tensors.items().iter().enumerate();
    let own = named.get(&port.name).unwrap_or(&port.name);
    let name = |at: usize| match port.tensors {
        Argument::Pack(_) => format!("{own}.{at}"),
        _ => own.clone(),
    };
    items.map(|(at, id)| (*id, name(at))).collect()
}

/// How elements are stored.
fn element_of_storage(storage: Storage) -> ElementType {
    match storage {
        Storage::I8 => ElementType::Int8,
        Storage::U8 => ElementType::Uint8,
        Storage::I16 => ElementType::Int16,
        Storage::U16 => ElementType::Uint16,
        Storage::I32 => ElementType::Int32,
        Storage::U32 => ElementType::Uint32,
        Storage::I64 => ElementType::Int64,
        Storage::U64 => ElementType::Uint64,
        Storage::F16 => ElementType::Float16,
        Storage::BF16 => ElementType::Bfloat16,
        Storage::F32 => ElementType::Float,
        Storage::F64 => ElementType::Double,
        Storage::Bool => ElementType::Bool,
    }
}
