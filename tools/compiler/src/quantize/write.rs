//! The quantized model as a text with the files of its variables.

use super::asserts;
use super::parameters::{Form, Parameters};
use super::plan::Plan;
use super::weights::{Grouping, Quantized};
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, Region, TensorId};
use skriptnd_language::written::{Unwritable, Writer, tell_attributes};
use skriptnd_runtime::{Storage, Tensor, TensorData};
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::build::{
    self, Computation, Element, Expression, Extent, Invocation, Module, Port, Statement, Target,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the file of a variable holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// The value of a variable of the model that was quantized.
    Same(TensorId),
    /// Whole numbers with sign, a byte each.
    Whole(Vec<i8>),
    /// Whole numbers of 4 bits, the first of each two in the lower half of a byte, each 8 more than it is.
    Nibbles(Vec<u8>),
    /// Reals.
    Reals(Vec<f32>),
}

/// The file of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its name without extension.
    pub stem: String,
    /// The extents of the variable.
    pub shape: Vec<usize>,
    /// The elements.
    pub contents: Contents,
}

/// A model that is to be written.
#[derive(Debug, Clone)]
pub struct Written {
    /// The text of its main module.
    pub text: String,
    /// The files of its variables.
    pub files: Vec<File>,
    /// How variables, inputs and outputs are stored, by name, if not as they are computed with.
    pub storage: BTreeMap<String, Storage>,
    /// The names that tensors of the graph have in the text: what stands for them once they are quantized.
    pub names: HashMap<TensorId, String>,
    /// The places of asserts that the text lacks: about extents that only data tell.
    pub left_out: Vec<Span>,
}

/// What unpacks two numbers of 4 bits from each byte; the language has no type for them.
const NIBBLES: &str = "\
# Whole numbers of 4 bits, two in each byte, the first one in its lower half; 8 stands for 0.
operator NAME {
    @input {
        bytes: int[n];
    }
    @output {
        y: int[n, 2];
    }
    @lower {
        y[i, j] = (j == 0 ? bytes[i,] % 16 : bytes[i,] / 16) - 8,
            i < n, j < 2;
    }
}";

/// What the weights and biases of a plan are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fixed {
    /// Weights as whole numbers.
    pub weights: BTreeMap<TensorId, Quantized>,
    /// The biases that were computed.
    pub biases: BTreeMap<TensorId, Tensor>,
}

/// Writes a graph as a model of its own: tensors of the plan are quantized where they are made, weights are variables of whole numbers,
/// and what was computed of biases is a variable.
///
/// # Errors
/// Where a part of the graph has no text.
pub fn write(
    definitions: &Definitions,
    graph: &Graph,
    plan: &Plan,
    activations: &BTreeMap<TensorId, Parameters>,
    fixed: &Fixed,
) -> Result<Written, Unwritable> {
    let needed = needed(graph, fixed);
    let writer = Writer::new(definitions, graph)?;
    let (built, files, storage, kept) = Default::default();
    let mut parts = Parts { definitions, writer, graph, plan, activations, built, files, storage, kept, unpack: None };
    parts.built.name.clone_from(&graph.name);
    parts.built.inputs = parts.writer.inputs()?;
    parts.variables(fixed, &needed)?;
    for port in &graph.inputs {
        port.tensors.items().iter().for_each(|id| parts.quantize(*id));
    }
    let updates = graph.update.operations.iter();
    for operation in graph
        .body
        .operations
        .iter()
        .zip(&needed.operations)
        .filter(|(_, needed)| **needed)
        .map(|it| it.0)
        .chain(updates)
    {
        parts.operation(operation)?;
    }
    parts.finish(&needed)
}

struct Parts<'g> {
    definitions: &'g Definitions,
    writer: Writer<'g>,
    graph: &'g Graph,
    plan: &'g Plan,
    activations: &'g BTreeMap<TensorId, Parameters>,
    built: build::Graph,
    files: Vec<File>,
    storage: BTreeMap<String, Storage>,
    /// The variables that stay as they are, with their names.
    kept: HashMap<TensorId, String>,
    /// The operator that unpacks weights of 4 bits, if there are such.
    unpack: Option<String>,
}

impl Parts<'_> {
    fn add_variable(&mut self, name: &str, shape: Vec<usize>, element: Element, contents: Contents) {
        let extents = shape.iter().map(|extent| Extent::Known(Expression::Int(*extent as i64), None)).collect();
        self.built.variables.push(Port { name: name.to_owned(), element, extents });
        self.add_file(name, shape, contents);
    }

    fn add_file(&mut self, name: &str, shape: Vec<usize>, contents: Contents) {
        self.files.push(File { stem: format!("main.{}.{name}", self.graph.name), shape, contents });
    }

    fn compute(
        &mut self,
        target: &str,
        operator: &str,
        attributes: Vec<(String, Expression)>,
        operands: Vec<Expression>,
    ) {
        let operator = if operator.contains('.') { self.writer.standard(operator) } else { operator.to_owned() };
        let invocation = Invocation { label: None, operator, dtypes: Vec::new(), attributes, operands };
        let target = vec![Target::Name(target.to_owned())];
        self.built.statements.push(Statement::new(target, Computation::Invocation(invocation)));
    }

    /// Declares the variables that are still read, and makes the weights of their whole numbers.
    fn variables(&mut self, Fixed { weights, biases }: &Fixed, needed: &Needed) -> Result<(), Unwritable> {
        for id in self.graph.variables.iter().filter(|id| needed.tensors.contains(id) && !weights.contains_key(id)) {
            let name = self.writer.name(*id);
            let port = self.writer.port(&name, *id)?;
            self.built.variables.push(port);
            self.kept.insert(*id, name.clone());
            self.add_file(&name, Vec::new(), Contents::Same(*id));
            if let Some(storage) = self.graph.storage.get(id) {
                self.storage.insert(name, *storage);
            }
        }
        for (id, weight) in weights.iter().filter(|(id, _)| needed.tensors.contains(id)) {
            self.weight(*id, weight);
        }
        for (id, bias) in biases.iter().filter(|(id, _)| needed.tensors.contains(id)) {
            let name = self.writer.compute(*id);
            if let TensorData::F32(items) = &bias.data {
                self.add_variable(&name, bias.shape.clone(), Element::Real, Contents::Reals(items.clone()));
            }
        }
        let states: Vec<TensorId> =
            self.graph.variables.iter().copied().filter(|id| !weights.contains_key(id)).collect();
        states.into_iter().filter(|id| needed.tensors.contains(id)).for_each(|id| self.quantize(id));
        Ok(())
    }

    fn weight(&mut self, id: TensorId, weight: &Quantized) {
        let name = self.writer.compute(id);
        let whole = self.writer.fresh(&format!("{name}_quantized"));
        let scale = self.writer.fresh(&format!("{name}_scale"));
        let (shape, scale_shape) = grouped(weight);
        let numbers = match weight.bits {
            4 => self.nibbles(&whole, shape.clone(), &weight.values),
            _ => {
                self.add_variable(&whole, shape.clone(), Element::Int, Contents::Whole(weight.values.clone()));
                self.storage.insert(whole.clone(), Storage::I8);
                whole
            }
        };
        self.add_variable(&scale, scale_shape, Element::Real, Contents::Reals(weight.scales.clone()));
        let operands = vec![Expression::name(numbers), Expression::name(scale)];
        if shape == weight.shape {
            return self.compute(&name, "onnx.dequantize", Vec::new(), operands);
        }
        let groups = self.writer.fresh(&format!("{name}_groups"));
        self.compute(&groups, "onnx.dequantize", Vec::new(), operands);
        self.reshape(&name, groups, &weight.shape);
    }

    /// Whole numbers of 4 bits, from bytes. Returns the name of the tensor.
    fn nibbles(&mut self, name: &str, shape: Vec<usize>, values: &[i8]) -> String {
        let unpack = self.unpack.clone().unwrap_or_else(|| self.writer.operator_name("unpack_nibbles"));
        self.unpack = Some(unpack.clone());
        let bytes: Vec<u8> = values.chunks(2).map(|pair| nibble(pair.first()) | nibble(pair.get(1)) << 4).collect();
        let variable = self.writer.fresh(&format!("{name}_bytes"));
        let count = bytes.len();
        self.add_variable(&variable, vec![count], Element::Int, Contents::Nibbles(bytes));
        self.storage.insert(variable.clone(), Storage::U8);
        let mut unpacked = self.writer.fresh(&format!("{name}_pairs"));
        self.compute(&unpacked, &unpack, Vec::new(), vec![Expression::name(variable)]);
        if values.len() % 2 == 1 {
            let flat = self.writer.fresh(&format!("{name}_even"));
            self.reshape(&flat, unpacked, &[2 * count]);
            unpacked = self.writer.fresh(&format!("{name}_flat"));
            let attributes = [("axes", 0), ("begin", 0), ("end", values.len() as i64)];
            let attributes = attributes.map(|(name, value)| (name.to_owned(), Expression::ints([value])));
            self.compute(&unpacked, "layout.slice", attributes.to_vec(), vec![Expression::name(flat)]);
        }
        self.reshape(name, unpacked, &shape);
        name.to_owned()
    }

    fn reshape(&mut self, target: &str, tensor: String, shape: &[usize]) {
        let shape = Expression::ints(shape.iter().map(|extent| *extent as i64));
        self.compute(target, "layout.reshape", vec![("shape".into(), shape)], vec![Expression::name(tensor)]);
    }

    /// From here on, the quantized tensor stands for this one, if the plan says so.
    fn quantize(&mut self, id: TensorId) {
        let Some(parameters) = self.activations.get(&id).filter(|_| self.plan.activations.contains(&id)) else {
            return;
        };
        let known = self.writer.name(id);
        let name = self.writer.fresh(&format!("{known}_quantized"));
        self.writer.rename(id, name.clone());
        self.quantization(&name, known, parameters);
    }

    fn quantization(&mut self, name: &str, tensor: String, parameters: &Parameters) {
        let attributes = attributes(parameters);
        self.compute(name, QUANTIZE, attributes.clone(), vec![Expression::name(tensor)]);
        let operator = self.writer.standard(QUANTIZE);
        let note = Invocation { label: None, operator, dtypes: Vec::new(), attributes, operands: Vec::new() };
        self.built.quantizations.push((name.to_owned(), note));
    }

    /// What an operation gives. Quantized results keep their names, what they are made of gets another.
    fn operation(&mut self, operation: &Operation) -> Result<(), Unwritable> {
        let results = operation.outputs.iter().flat_map(Argument::items);
        let quantized: Vec<(TensorId, Parameters)> = results
            .filter(|id| self.plan.activations.contains(id))
            .filter_map(|id| Some((*id, *self.activations.get(id)?)))
            .collect();
        let mut names = Vec::new();
        for (id, _) in &quantized {
            let name = self.writer.name(*id);
            let real = self.writer.fresh(&format!("{name}_real"));
            self.writer.rename(*id, real.clone());
            names.push((name, real));
        }
        let statements = self.writer.statements(operation)?;
        self.built.statements.extend(statements);
        for ((id, parameters), (name, real)) in quantized.into_iter().zip(names) {
            self.writer.rename(id, name.clone());
            self.quantization(&name, real, &parameters);
        }
        Ok(())
    }

    fn finish(mut self, needed: &Needed) -> Result<Written, Unwritable> {
        let (outputs, statements) = self.writer.outputs()?;
        self.built.outputs = outputs;
        self.built.statements.extend(statements);
        for (variable, value) in &self.graph.updates {
            let Some(variable) = self.kept.get(variable).cloned() else { continue };
            let value = self.writer.operand(*value)?;
            self.built.updates.push((variable, value));
        }
        self.built.constants = self.writer.constants()?;
        self.stored_interface();
        let (mut copied, imports) = self.writer.copied();
        copied.extend(self.unpack.map(|name| NIBBLES.replace("NAME", &name)));
        let ids = (0..self.graph.tensors.len() as u32).map(TensorId);
        let names = ids.filter(|id| needed.tensors.contains(id)).map(|id| (id, self.writer.name(id))).collect();
        let mut module = Module { graphs: vec![self.built], copied, imports, ..Module::default() };
        let span = self.graph.tensors.first().map(|tensor| tensor.span);
        let span = span.unwrap_or(Span { file: FileId(0), start: 0, end: 0 });
        let wrong = |told: String| Unwritable { span, what: format!("a graph whose text would be wrong ({told})") };
        let mut text = text(&module).map_err(wrong)?;
        let asserts = asserts::missing((self.definitions, self.graph), &self.writer, &text).map_err(wrong)?;
        if !asserts.written.is_empty() {
            module.graphs[0].asserts = asserts.written;
            text = self::text(&module).map_err(wrong)?;
        }
        Ok(Written { text, files: self.files, storage: self.storage, names, left_out: asserts.left_out })
    }

    fn stored_interface(&mut self) {
        for port in &self.graph.inputs {
            let storage = port.tensors.items().first().and_then(|id| self.graph.storage.get(id));
            self.storage.extend(storage.map(|storage| (port.name.clone(), *storage)));
        }
        for (number, storage) in &self.graph.output_storage {
            self.storage.insert(self.graph.outputs[*number].name.clone(), *storage);
        }
    }
}

/// The text of a module; what is wrong with it where it is none.
fn text(module: &Module) -> Result<String, String> {
    let told = |found: Diagnostics| found.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>();
    module.text(FileId(0)).map_err(|found| told(found).join("; "))
}

/// What quantizes the tensors of a run.
const QUANTIZE: &str = "quant.zero_point_linear_quantize";

fn attributes(parameters: &Parameters) -> Vec<(String, Expression)> {
    let Parameters { form: Form { bits, signed }, scale, zero_point } = *parameters;
    // The shortest digits of 32 bits are read as the same number of 32 bits.
    let scale: f64 = scale.to_string().parse().unwrap_or(f64::from(scale));
    let which = if signed { ("symmetric", true) } else { ("signed", false) };
    let attributes = [
        ("zero_point", Expression::Int(zero_point)),
        ("scale", Expression::Real(scale)),
        ("bits", Expression::Int(bits.into())),
        (which.0, Expression::Bool(which.1)),
    ];
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The lower four bits of a byte, for a number from -8 to 7.
fn nibble(value: Option<&i8>) -> u8 {
    value.map_or(8, |value| (*value + 8) as u8 & 15)
}

/// The extents of the whole numbers and of their scales, which are the same but for some that are 1.
fn grouped(weight: &Quantized) -> (Vec<usize>, Vec<usize>) {
    let Grouping::Groups { along, length } = weight.grouping else {
        return (weight.shape.clone(), weight.scale_shape.clone());
    };
    let (mut shape, mut scales) = (weight.shape.clone(), weight.scale_shape.clone());
    shape[along] /= length;
    shape.insert(along + 1, length);
    scales.insert(along + 1, 1);
    (shape, scales)
}

/// What is still needed where weights are variables.
struct Needed {
    /// For each operation of the body, whether something takes what it gives.
    operations: Vec<bool>,
    /// The tensors that something takes, and all results of what is needed.
    tensors: HashSet<TensorId>,
}

fn needed(graph: &Graph, Fixed { weights, biases }: &Fixed) -> Needed {
    let is_fixed = |id: &TensorId| weights.contains_key(id) || biases.contains_key(id);
    let mut tensors: HashSet<TensorId> = graph.outputs.iter().flat_map(|port| port.tensors.items()).copied().collect();
    tensors.extend(tell_attributes(graph));
    tensors.extend(graph.updates.iter().flat_map(|(variable, value)| [*variable, *value]));
    graph.update.operations.iter().for_each(|operation| take(operation, &mut tensors));
    let mut operations = vec![true; graph.body.operations.len()];
    for (at, operation) in graph.body.operations.iter().enumerate().rev() {
        let results = || operation.outputs.iter().flat_map(Argument::items);
        operations[at] = results().any(|id| tensors.contains(id) && !is_fixed(id));
        if operations[at] {
            tensors.extend(results());
            take(operation, &mut tensors);
        }
    }
    Needed { operations, tensors }
}

/// Adds what an operation takes, inside its regions too.
fn take(operation: &Operation, tensors: &mut HashSet<TensorId>) {
    tensors.extend(operation.inputs.iter().flat_map(Argument::items));
    let mut inside = |region: &Region| {
        tensors.extend(region.results.iter().flat_map(Argument::items));
        region.operations.iter().for_each(|operation| take(operation, tensors));
    };
    match &operation.kind {
        OperationKind::Operator(_) => {}
        OperationKind::If { arms, otherwise } => {
            arms.iter().flat_map(|(condition, then)| [condition, then]).chain([otherwise]).for_each(&mut inside);
        }
        OperationKind::Loop(parts) => parts.condition.iter().chain([&parts.body]).for_each(&mut inside),
    }
}

/// Whether a tensor is a variable.
pub fn is_variable(graph: &Graph, id: TensorId) -> bool {
    matches!(graph.tensor(id).origin, Origin::Variable { .. })
}
