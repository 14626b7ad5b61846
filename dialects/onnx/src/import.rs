//! A whole model: its interface, its text, its weights.

use crate::blocks::{Type, factored};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::{Extent, LARGEST_OPEN};
use crate::file::ModelFile;
use crate::made::Text;
use crate::ops;
use crate::outputs::{NodeResult, declare_outputs, keep_results};
use crate::port::Port;
use crate::problem::Problem;
use crate::proto::{Dimension, DimensionProto, GraphProto, TypeProto, ValueInfoProto, type_proto};
use crate::translate::names::Side;
use crate::translate::{Translator, used};
use crate::value::{Tensor, Value};
use skriptnd_source::SourceMap;
use skriptnd_source::origins::Origins;
use skriptnd_syntax::build::{self, Expression, Graph, Module};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Names in the text for extents that the model leaves open, by the names there. Items of a sequence have extents of their own, which
/// agree with those of the same item of others.
type Symbols = HashMap<(String, Option<usize>), String>;

/// What the model leaves open.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The greatest values of extents, by the names that the model gives them; of inputs that are sequences, how many items
    /// they have; 0 of optionals that hold nothing.
    pub bounds: BTreeMap<String, i64>,
    /// Inputs that are the same in all runs.
    pub values: BTreeMap<String, Constant>,
    /// Tensors in the place of those that the model holds, by name, if any are given.
    pub weights: Option<BTreeMap<String, Constant>>,
    /// Whether what each node gives is an output, behind the model's own.
    pub keeps_results: bool,
    /// Whether the graph is written without operators for what is repeated in it; so it is where results are kept.
    pub is_flat: bool,
}

/// A translated model.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The text of `main.sknd`.
    pub text: String,
    /// What the lines of the text were made of.
    pub origins: Origins,
    /// Weights by the names of their variables.
    pub weights: Vec<(String, Arc<Constant>)>,
    /// What is given to a run.
    pub inputs: Vec<Port>,
    /// What a run gives.
    pub outputs: Vec<Port>,
    /// What the nodes give, in their order, where that is kept.
    pub results: Vec<NodeResult>,
    /// What is computed otherwise than the model has it.
    pub warnings: Vec<Problem>,
    /// Storage of inputs and outputs, by name, where it is not that of their type.
    pub storage: BTreeMap<String, &'static str>,
}

/// Translates a model.
///
/// # Errors
/// All that can't be said of it.
pub fn import(file: &ModelFile, options: &Options) -> Result<Imported, Vec<Problem>> {
    let mut translator = Translator::new(file, ops::translate);
    translator.given_bounds.clone_from(&options.bounds);
    translator.given_weights = options.weights.as_ref();
    let Some(model) = &file.model.graph else { return Err(vec![Problem::of_file("it has no graph")]) };
    let mut graph = Graph { name: "Net".into(), ..Graph::default() };
    keep_names(&mut translator, model, options);
    let inputs = declare_inputs(&mut translator, model, options, &mut graph);
    translator.body(model, &HashMap::new());
    translator.check_weights();
    let outputs = declare_outputs(&mut translator, model, &mut graph);
    let results =
        if options.keeps_results { keep_results(&mut translator, model, &outputs, &mut graph) } else { Vec::new() };
    if !translator.problems.is_empty() {
        return Err(translator.problems);
    }
    settle_bounds(&translator, &mut graph);
    finish(translator, graph, (inputs, outputs, results), options.is_flat || options.keeps_results)
}

/// Bounds that nodes gave to extents stand where these are declared.
fn settle_bounds(t: &Translator<'_>, graph: &mut Graph) {
    for extent in graph.inputs.iter_mut().flat_map(|input| &mut input.extents) {
        if let build::Extent::Known(Expression::Name(symbol), Some(bound)) = extent {
            *bound = t.bounds.get(symbol.as_str()).copied().unwrap_or(*bound);
        }
    }
}

/// The interface comes first to its names, inputs before outputs.
fn keep_names(t: &mut Translator<'_>, model: &GraphProto, options: &Options) {
    let known: HashSet<&str> = model.initializer.iter().map(|tensor| tensor.name.as_str()).collect();
    let is_given = |name: &str| !known.contains(name) && !options.values.contains_key(name);
    let inputs = model.input.iter().filter(|info| is_given(&info.name)).map(|info| (Side::Input, info));
    let outputs = model.output.iter().map(|info| (Side::Output, info));
    inputs.chain(outputs).for_each(|(side, info)| t.names.keep(side, &info.name));
}

/// Declares what a run is given, and defines what is the same in all runs.
fn declare_inputs<'m>(
    t: &mut Translator<'m>,
    model: &'m GraphProto,
    options: &Options,
    graph: &mut Graph,
) -> Vec<Port> {
    let mut inputs = Vec::new();
    let mut symbols = HashMap::new();
    for info in &model.input {
        let is_initialized = model.initializer.iter().any(|tensor| tensor.name == info.name);
        let told = match options.values.get(&info.name) {
            Some(value) => given(info, value).map(|value| {
                t.define(&info.name, Value::Tensor(Tensor::stored(Arc::new(value))));
            }),
            None if is_initialized => Ok(()),
            None => input(t, info, options, &mut symbols).map(|given| {
                let (ports, declared): (Vec<_>, Vec<_>) = given.into_iter().unzip();
                inputs.extend(ports);
                graph.inputs.extend(declared);
            }),
        };
        t.note(&info.name, told);
    }
    t.problems.extend(unknown(options, model, symbols.keys().map(|(called, _)| called)));
    inputs
}

/// What is given for names that the model has not. Bounds are of extents, of sequences and of loops, by the names of nodes and operands.
fn unknown<'n>(options: &Options, model: &'n GraphProto, extents: impl Iterator<Item = &'n String>) -> Vec<Problem> {
    let listed = |kind: &str, name: &str, known: &BTreeSet<&String>| {
        let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let list = if list.is_empty() { "there are none".to_owned() } else { format!("there are {list}") };
        Problem::of_file(format!("it has no {kind} `{name}`: {list}"))
    };
    let inputs: BTreeSet<&String> = model.input.iter().map(|info| &info.name).collect();
    let extents: BTreeSet<&String> = extents.collect();
    let mut named: BTreeSet<&String> = inputs.clone();
    for node in &model.node {
        named.insert(&node.name);
        named.extend(&node.input);
    }
    let values = options.values.keys().filter(|name| !inputs.contains(name));
    let bounds = options.bounds.keys().filter(|name| !extents.contains(name) && !named.contains(name));
    let values = values.map(|name| listed("input", name, &inputs));
    values.chain(bounds.map(|name| listed("open extent", name, &extents))).collect()
}

/// What is given for an input, in the type and shape that the model declares.
fn given(info: &ValueInfoProto, value: &Constant) -> Result<Constant, String> {
    let (element, dimensions) = tensor_type(held(info.r#type.as_ref()))?;
    let converted = value.clone().converted(element);
    let value = converted.map_err(|reason| format!("the value given for it does not fit: {reason}"))?;
    let fits = |(dimension, extent): (&DimensionProto, &usize)| match &dimension.value {
        Some(Dimension::Value(wanted)) => *wanted == *extent as i64,
        _ => true,
    };
    match dimensions {
        Some(wanted) if wanted.len() != value.shape.len() || !wanted.iter().zip(&value.shape).all(fits) => {
            Err(format!("the value given for it has shape {:?}, which the model does not take", value.shape))
        }
        _ => Ok(value),
    }
}

fn finish(
    translator: Translator<'_>,
    mut graph: Graph,
    (inputs, outputs, results): (Vec<Port>, Vec<Port>, Vec<NodeResult>),
    is_flat: bool,
) -> Result<Imported, Vec<Problem>> {
    let (statements, mut translator) = translator.into_statements();
    let (statements, scopes): (Vec<_>, Vec<_>) = used(statements, &graph.outputs).into_iter().unzip();
    graph.statements = statements;
    graph.constants = translator.constants;
    let (declared, weights): (Vec<_>, HashMap<_, _>) =
        translator.variables.into_iter().map(|(port, constant)| (port.clone(), (port.name, constant))).unzip();
    graph.variables = declared;
    let operators = match is_flat {
        true => Vec::new(),
        false => factored(&mut graph, &scopes, types_of(&translator.types), &mut translator.made),
    };
    let weights = keep_read(&mut graph, weights);
    let kept = results.iter().map(|result| &result.port);
    let mut storage = storage_of(inputs.iter().chain(&outputs).chain(kept));
    // The form of whole numbers says between which they lie.
    let whole = weights.iter().filter(|(_, constant)| constant.element.integers().is_some());
    storage.extend(whole.filter_map(|(name, constant)| Some((name.clone(), constant.element.storage()?))));
    let module = Module { operators, graphs: vec![graph], ..Module::default() };
    let text = text_of(&module)?;
    let called = weights.iter().map(|(name, constant)| (name.as_str(), constant.name.as_str())).collect();
    let lines = Text {
        made: &translator.made,
        operators: &module.operators,
        statements: &module.graphs[0].statements,
        interface: [&inputs, &outputs],
        weights: &called,
    };
    let origins = lines.origins(&text);
    let mut warnings = translator.warnings;
    warnings.extend(of_doubles(&translator.doubles));
    Ok(Imported { text, origins, weights, inputs, outputs, results, warnings, storage })
}

fn text_of(module: &Module) -> Result<String, Vec<Problem>> {
    let mut sources = SourceMap::default();
    let file = sources.add("main.sknd", "");
    module.text(file).map_err(|found| {
        let told = found.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; ");
        vec![Problem::of_file(format!("the text that it gives is none of the language: {told}"))]
    })
}

/// The types of what statements give, as far as they are known before a run.
fn types_of(types: &HashMap<String, (ElementType, Vec<Extent>)>) -> HashMap<String, Type> {
    let is_found = |extent: &Extent| extent.has_symbol(&|symbol| symbol.contains('.'));
    let known = types.iter().filter(|(_, (_, shape))| !shape.iter().any(is_found));
    let told = known.filter_map(|(name, (element, shape))| {
        let extents = shape.iter().map(Extent::expression).collect();
        Some((name.clone(), Type { element: element.language()?, extents }))
    });
    told.collect()
}

/// Leaves those variables and constants that statements read.
fn keep_read(graph: &mut Graph, mut weights: HashMap<String, Arc<Constant>>) -> Vec<(String, Arc<Constant>)> {
    let mut read = std::collections::HashSet::new();
    graph.statements.iter().for_each(|statement| {
        crate::translate::reads::of_statement(statement, &mut |name| _ = read.insert(name.to_owned()));
    });
    graph.constants.retain(|(port, _)| read.contains(&port.name));
    graph.variables.retain(|port| read.contains(&port.name));
    let names = graph.variables.iter().map(|port| &port.name);
    names.filter_map(|name| weights.remove_entry(name)).collect()
}

/// Doubles are taken and given as such, but the language's reals have 32 bits.
fn of_doubles(computed: &[String]) -> Option<Problem> {
    let first = computed.first()?;
    let others = match computed.len() - 1 {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some(Problem::of_file(format!("`{first}`{others} are doubles, and are computed with 32 bits")))
}

fn storage_of<'p>(ports: impl Iterator<Item = &'p Port>) -> BTreeMap<String, &'static str> {
    let storage = |port: &Port| {
        let element = ElementType::named(port.element)?;
        Some((port.name.clone(), element.storage()?))
    };
    ports.filter_map(storage).collect()
}

/// The type that an optional has where it holds something: what is given to a run is there.
fn held(declared: Option<&TypeProto>) -> Option<&type_proto::Value> {
    match declared?.value.as_ref()? {
        type_proto::Value::Optional(optional) => held(optional.elem_type.as_deref()),
        value => Some(value),
    }
}

/// The type of elements and extents of a tensor.
fn tensor_type(declared: Option<&type_proto::Value>) -> Result<(ElementType, Option<&[DimensionProto]>), String> {
    let Some(type_proto::Value::Tensor(tensor)) = declared else {
        return Err("it has no type, or one that is no tensor's".into());
    };
    let element =
        ElementType::of(tensor.elem_type).ok_or_else(|| format!("its elements have type {}", tensor.elem_type))?;
    if element.language().is_none() {
        return Err(format!("elements of type {} can't be said", element.name()));
    }
    Ok((element, tensor.shape.as_ref().map(|shape| &shape.dim[..])))
}

/// What is declared for an input: a tensor, or those of a sequence.
fn input<'m>(
    t: &mut Translator<'m>,
    info: &'m ValueInfoProto,
    options: &Options,
    symbols: &mut Symbols,
) -> Result<Vec<(Port, build::Port)>, String> {
    let declared = held(info.r#type.as_ref());
    let declares = info.r#type.as_ref().and_then(|given| given.value.as_ref());
    let is_optional = matches!(declares, Some(type_proto::Value::Optional(_)));
    if is_optional && options.bounds.get(&info.name) == Some(&0) {
        t.define(&info.name, Value::Nothing);
        return Ok(Vec::new());
    }
    let Some(type_proto::Value::Sequence(sequence)) = declared else {
        let (port, tensor) = input_tensor(t, &info.name, None, declared, options, symbols)?;
        t.define(&info.name, Value::Tensor(tensor));
        return Ok(vec![port]);
    };
    let count = options.bounds.get(&info.name).and_then(|count| usize::try_from(*count).ok()).ok_or_else(|| {
        format!("it is a sequence, whose number of items must be known: give it by `--bound {}=N`", info.name)
    })?;
    let (mut ports, mut items) = (Vec::new(), Vec::new());
    for at in 0..count {
        let item = held(sequence.elem_type.as_deref());
        let (port, tensor) = input_tensor(t, &info.name, Some(at), item, options, symbols)?;
        ports.push(port);
        items.push(tensor);
    }
    t.define(&info.name, Value::Sequence(items));
    Ok(ports)
}

fn input_tensor(
    t: &mut Translator<'_>,
    onnx: &str,
    item: Option<usize>,
    declared: Option<&type_proto::Value>,
    options: &Options,
    symbols: &mut Symbols,
) -> Result<((Port, build::Port), Tensor), String> {
    let (element, dimensions) = tensor_type(declared)?;
    let dimensions = dimensions.ok_or("its number of dimensions is not known: export the model with shapes")?;
    let like = item.map_or(onnx.to_owned(), |item| format!("{onnx}_{item}"));
    let kept = t.names.kept(Side::Input, &like).map(str::to_owned);
    let name = kept.unwrap_or_else(|| t.names.fresh(&like));
    let mut shape = Vec::new();
    let mut extents = Vec::new();
    for (at, dimension) in dimensions.iter().enumerate() {
        let called = match &dimension.value {
            Some(Dimension::Value(value)) if *value >= 0 => {
                shape.push(Extent::from(*value));
                extents.push(build::Extent::Known(Expression::Int(*value), None));
                continue;
            }
            Some(Dimension::Param(called)) if !called.is_empty() => called.clone(),
            _ => format!("{like}_{at}"),
        };
        let (extent, declared) = open_extent(t, &called, item, options, symbols)?;
        shape.push(extent);
        extents.push(declared);
    }
    let tensor = Tensor::computed(element, shape, Expression::Name(name.clone()));
    let declared =
        build::Port { name: name.clone(), element: element.language().ok_or("it has no elements")?, extents };
    Ok(((Port { name, onnx: onnx.to_owned(), element: element.name(), item }, declared), tensor))
}

/// An extent that the model leaves open, by its name there; its bound stands where it is declared first.
fn open_extent(
    t: &mut Translator<'_>,
    called: &str,
    item: Option<usize>,
    options: &Options,
    symbols: &mut Symbols,
) -> Result<(Extent, build::Extent), String> {
    let bound = options.bounds.get(called).copied();
    let own = (called.to_owned(), item);
    let is_new = !symbols.contains_key(&own);
    let like = item.map_or(called.to_owned(), |item| format!("{called}_{item}"));
    let symbol = symbols.entry(own).or_insert_with(|| t.names.fresh(&like)).clone();
    if bound.is_some_and(|bound| bound < 1) {
        return Err(format!("the bound of `{called}` is expected to be positive, as it is one of extents"));
    }
    let bound = bound.unwrap_or(LARGEST_OPEN);
    t.bounds.insert(symbol.clone(), bound);
    let declared = build::Extent::Known(Expression::Name(symbol.clone()), is_new.then_some(bound));
    Ok((Extent::symbol(symbol), declared))
}

impl Imported {
    /// Writes the text and the weights to a folder.
    ///
    /// # Errors
    /// Where a file can't be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (name, constant) in &self.weights {
            constant.write(&folder.join(format!("main.Net.{name}.dat")))?;
        }
        let storage = folder.join("storage.json");
        if !self.storage.is_empty() {
            let text = serde_json::to_string_pretty(&self.storage)?;
            skriptnd_runtime::atomic::write_file(&storage, |out| writeln!(out, "{text}"))?;
        } else if storage.exists() {
            // That of a model that was here before says nothing of this one.
            std::fs::remove_file(storage)?;
        }
        skriptnd_runtime::atomic::write_file(&folder.join("main.sknd"), |out| out.write_all(self.text.as_bytes()))
    }
}
