//! The function that a graph becomes: its arguments are the inputs, the variables and the extents that only a run knows.

use super::largest;
use super::results::{Results, most};
use super::sizes::Sizes;
use super::stored::Stored;
use super::{Converter, note_holds};
use crate::call::{plain_type, read_named_type};
use crate::generated::dialect_attributes::ExtentAttr;
use crate::generated::discardable::{
    BoundAttribute, EncodingAttribute, ExtentAttribute, FoundAttribute, FromAttribute, InputAttribute, NameAttribute,
    OutputAttribute, PackAttribute, SeedAttribute, ShapeAttribute, StateAttribute, StorageAttribute, VariableAttribute,
};
use crate::generated::operations::{AssertOp, VariableOp};
use crate::lowering::emit::extents::Extents;
use crate::lowering::intrinsic::Draws;
use crate::lowering::limits::Limits;
use crate::passes::encoded;
use crate::report::report;
use skriptnd_language::compose::extent::Extent;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    Attribute, BlockRef, Body, Builder, Context, OperationRef, Type, Value, attributes, block_arguments,
    operations_named, types,
};
use skriptnd_mlir::ops::{func, memref};

/// The function that computes the shapes of inputs, outputs and new values of variables from the extents.
pub const SHAPES: &str = "skriptnd.shapes";

/// The function that requires of the extents what must hold of them.
pub const CHECKS: &str = "skriptnd.checks";

/// An extent that inputs tell.
struct Symbol {
    name: String,
    bound: Option<i64>,
    /// Input, dimension, factor, offset.
    from: [i64; 4],
}

/// What a graph takes.
struct Taken<'c, 'a> {
    inputs: Vec<Value<'c, 'a>>,
    names: Vec<Declared<'c>>,
    variables: Vec<Variable<'c>>,
    /// How the elements of inputs and variables are stored; nothing where it is as they are computed with.
    stored: Vec<Option<Stored<'c>>>,
    symbols: Vec<Symbol>,
}

impl<'c: 'a, 'a> Taken<'c, 'a> {
    fn of(graph: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>, limits: &Limits) -> Result<Self, Failure> {
        let variables = variables(graph)?;
        let inputs: Vec<_> = block_arguments(body).collect();
        let names = declared(graph, "arg_attrs", inputs.len());
        let types: Vec<_> = inputs.iter().map(|input| input.r#type()).collect();
        let symbols = symbols(&types, &names, limits)?;
        let mut stored = stored_tensors(graph, "arg_attrs", &types);
        stored.extend(variables.iter().map(|variable| variable.stored.clone()));
        Ok(Taken { inputs, names, variables, stored, symbols })
    }

    /// Which numbers inputs and variables have.
    fn encodings(&self) -> impl Iterator<Item = Option<Attribute<'c>>> {
        let inputs = self.names.iter().map(|input| input.encoding);
        inputs.chain(self.variables.iter().map(|variable| variable.encoding))
    }

    /// The types of the inputs, with the names of extents.
    fn input_types(&self) -> Vec<Type<'c>> {
        self.inputs.iter().map(|input| input.r#type()).collect()
    }

    /// The types of the function's arguments: inputs, variables, extents.
    fn argument_types(&self, context: &'c Context) -> Result<Vec<Type<'c>>, Failure> {
        let computed = self.input_types().into_iter().map(plain_type);
        let computed = computed.chain(self.variables.iter().map(|variable| variable.r#type));
        let as_stored =
            |(computed, stored): (_, &Option<Stored<'c>>)| stored.as_ref().map_or(Ok(computed), Stored::r#type);
        let mut types = computed.zip(&self.stored).map(as_stored).collect::<Result<Vec<_>, _>>()?;
        types.extend(self.symbols.iter().map(|_| types::integer(context, 64)));
        Ok(types)
    }

    /// Says what stands for inputs, variables and extents: the arguments of a function.
    fn define(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<(), Failure> {
        let (tensors, extents) = arguments.split_at(self.stored.len());
        for (symbol, value) in self.symbols.iter().zip(extents) {
            converter.extents.define(&symbol.name, *value);
        }
        let mut wide = Vec::new();
        for ((stored, encoding), argument) in self.stored.iter().zip(self.encodings()).zip(tensors) {
            let Some(stored) = stored else {
                wide.push(*argument);
                continue;
            };
            wide.push(stored.widened(builder, *argument)?);
            wide.last().into_iter().for_each(|wide| encoded::note(*wide, encoding));
        }
        let (inputs, variables) = wide.split_at(self.inputs.len());
        self.inputs.iter().zip(inputs).for_each(|(input, argument)| converter.define(*input, *argument));
        let labels = self.variables.iter().map(|variable| variable.label.clone());
        converter.variables.extend(labels.zip(variables.iter().copied()));
        Ok(())
    }

    /// What is said of each argument.
    fn marks(&self, limits: &Limits, context: &'c Context) -> Result<Vec<Attribute<'c>>, Failure> {
        let text = |text: &str| attributes::string(context, text);
        let inputs = self
            .names
            .iter()
            .zip(self.input_types())
            .map(|(name, r#type)| marked(limits, InputAttribute::NAME, name, r#type));
        let variables =
            self.variables.iter().map(|variable| Ok(vec![(VariableAttribute::NAME, text(&variable.label))]));
        let mut tensors = inputs.chain(variables).collect::<Result<Vec<_>, Failure>>()?;
        for ((entries, stored), encoding) in tensors.iter_mut().zip(&self.stored).zip(self.encodings()) {
            let encoding = encoding.filter(|encoding| stored.as_ref().is_none_or(|stored| stored.has_all(*encoding)));
            entries.extend(encoding.map(|encoding| (EncodingAttribute::NAME, encoding)));
            entries.extend(stored.iter().flat_map(Stored::marks));
        }
        let mut marks: Vec<_> = tensors.iter().map(|entries| attributes::dictionary(context, entries)).collect();
        marks.extend(self.symbols.iter().map(|symbol| {
            let mut entries = vec![
                (ExtentAttribute::NAME, text(&symbol.name)),
                (FromAttribute::NAME, attributes::integers(context, &symbol.from)),
            ];
            entries.extend(symbol.bound.map(|bound| (BoundAttribute::NAME, attributes::integer(context, bound))));
            attributes::dictionary(context, &entries)
        }));
        Ok(marks)
    }
}

/// Turns a graph into a function.
pub(super) fn convert<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let context = graph.context();
    let body = graph.region(0)?.first_block().ok_or("a graph without a body")?;
    let limits = Limits::declared(graph);
    let taken = Taken::of(graph, body, &limits)?;
    let argument_types = taken.argument_types(context)?;
    let name = graph.get_string("sym_name").ok_or("a graph without a name")?;
    // The type is complete when the body says what is updated.
    let function = func::func(&Builder::before(graph)?, name, &argument_types, &[], &[])?;
    let draws = Draws::of(function.builder.block());
    let mut converter = Converter { limits, draws, ..Converter::default() };
    taken.define(&mut converter, &function.builder, &function.arguments)?;
    converter.limits.note_told(taken.symbols.iter().map(|symbol| symbol.name.as_str()));
    largest::note(&mut converter.limits, body);
    let sizes = Sizes::of(graph, &converter.limits);
    let required = operations_named(graph, AssertOp::NAME).into_iter();
    let required = required.filter(|required| required.parent_operation() == Some(graph)).filter_map(AssertOp::new);
    let required: Vec<_> = required.collect();
    if !sizes.are_fine() || !required.is_empty() {
        let (checks, extents, _) = of_extents(graph, CHECKS, &taken.symbols, &[])?;
        sizes.require(&checks, &extents)?;
        note_holds(&mut converter.limits, &required, &extents)?;
        converter.checks = Some((checks, extents));
    }
    let told = converter.extents.clone();
    converter.block(function.builder, body)?;
    if let Some((required, failure)) = converter.unchecked.pop() {
        return report(required, Err(failure));
    }
    if let Some((checks, _)) = &converter.checks {
        func::r#return(checks, &[])?;
    }
    let given = stored_results(graph, &converter, &taken);
    let results = converter.results(&function.builder, &told, &given)?;
    finish(graph, &function, &converter, (&taken, argument_types), (results, &given))
}

/// Returns the results, and completes the type and what is said of the arguments and results.
fn finish<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    function: &Body<'c, 'a>,
    converter: &Converter<'c, 'a>,
    (taken, mut argument_types): (&Taken<'c, 'a>, Vec<Type<'c>>),
    (Results { written, found }, given): (Results<'c, 'a>, &[Option<Stored<'c>>]),
) -> Result<(), Failure> {
    let context = graph.context();
    let results: Vec<Value<'c, 'a>> = written.into_iter().chain(found).collect();
    func::r#return(&function.builder, &results)?;
    let result_types: Vec<Type<'c>> = results.iter().map(|result| result.r#type()).collect();
    argument_types.extend(converter.draws.word().map(|word| word.r#type()));
    let r#type = types::function(context, &argument_types, &result_types);
    function.operation.set("function_type", attributes::r#type(r#type));
    let mut marks = taken.marks(&converter.limits, context)?;
    let seed = attributes::dictionary(context, &[(SeedAttribute::NAME, attributes::string(context, "seed"))]);
    marks.extend(converter.draws.word().map(|_| seed));
    function.operation.set("arg_attrs", attributes::array(context, &marks));
    function.operation.set("res_attrs", result_marks(graph, converter, given, found.is_some())?);
    if taken.symbols.is_empty() {
        return Ok(());
    }
    let written = converter.states.iter().map(|(_, value)| value.r#type());
    let shapes = taken.input_types().into_iter().chain(converter.output_types.iter().copied()).chain(written);
    define_shapes(graph, &taken.symbols, shapes, &converter.limits)
}

/// The extents that only a run knows, each once, from the inputs that tell them.
fn symbols(inputs: &[Type<'_>], names: &[Declared], limits: &Limits) -> Result<Vec<Symbol>, Failure> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut shapes = Vec::new();
    for (r#type, name) in inputs.iter().zip(names) {
        let name = &name.name;
        let open = || format!("leaves extents of input `{name}` open; `--bind EXTENT=VALUE` gives them values");
        shapes.push(read_named_type(*r#type).ok_or_else(open)?.shape);
    }
    for (input, shape) in shapes.iter().enumerate() {
        for (dimension, extent) in shape.iter().enumerate() {
            let Some((name, factor, offset)) = extent.value.affine() else { continue };
            if !symbols.iter().any(|known| *known.name == *name) {
                let bound = limits.get(&name);
                let from = [input as i64, dimension as i64, factor, offset];
                symbols.push(Symbol { name: name.to_string(), bound, from });
            }
        }
    }
    Ok(symbols)
}

/// Adds the function that writes the extents of all shapes, one behind the other, to memory: what they are at most where data
/// determine them.
fn define_shapes<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    symbols: &[Symbol],
    shapes: impl Iterator<Item = Type<'c>>,
    limits: &Limits,
) -> Result<(), Failure> {
    let word = types::integer(graph.context(), 64);
    let mut extents = Vec::new();
    for r#type in shapes {
        let ty =
            read_named_type(r#type).ok_or_else(|| format!("gives a tensor of extents without names: {}", r#type))?;
        extents.extend(ty.shape);
    }
    let memory = types::memref(word, &[Some(extents.len() as u64)]).ok_or("no memory for shapes")?;
    let (builder, known, others) = of_extents(graph, SHAPES, symbols, &[memory])?;
    let memory = *others.first().ok_or("a function without arguments")?;
    for (at, extent) in extents.iter().enumerate() {
        let value = known.int(&builder, &most(&extent.value, &known, limits)?)?;
        memref::store(&builder, value, memory, &[builder.index(at as i64)?])?;
    }
    func::r#return(&builder, &[])
}

/// A function of the extents and others, whose body is to be filled: its builder, the extents, the other arguments.
fn of_extents<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    name: &str,
    symbols: &[Symbol],
    others: &[Type<'c>],
) -> Result<(Builder<'c, 'a>, Extents<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
    let arguments = [vec![types::integer(graph.context(), 64); symbols.len()].as_slice(), others].concat();
    let function = func::func(&Builder::before(graph)?, name, &arguments, &[], &[])?;
    let (values, others) = function.arguments.split_at(symbols.len());
    let mut known = Extents::default();
    symbols.iter().zip(values).for_each(|(symbol, value)| known.define(&symbol.name, *value));
    Ok((function.builder, known, others.to_vec()))
}

struct Variable<'c> {
    label: String,
    r#type: Type<'c>,
    stored: Option<Stored<'c>>,
    /// What is known of its numbers.
    encoding: Option<Attribute<'c>>,
}

/// How the elements of outputs and, behind them, of new values of variables are given.
fn stored_results<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    converter: &Converter<'c, 'a>,
    taken: &Taken<'c, 'a>,
) -> Vec<Option<Stored<'c>>> {
    let of_state =
        |(label, _): &(String, _)| taken.variables.iter().find(|variable| variable.label == *label)?.stored.clone();
    let mut stored = stored_tensors(graph, "res_attrs", &converter.output_types);
    stored.extend(converter.states.iter().map(of_state));
    stored
}

/// How the elements of inputs or outputs are stored.
fn stored_tensors<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    attribute: &str,
    types: &[Type<'c>],
) -> Vec<Option<Stored<'c>>> {
    let dictionaries = graph.get(attribute).and_then(attributes::as_array).unwrap_or_default();
    let of_tensor = |(number, r#type): (usize, &Type<'c>)| {
        let entries = attributes::as_dictionary(*dictionaries.get(number)?)?;
        let storage = entries.into_iter().find(|entry| entry.0 == StorageAttribute::NAME).map(|entry| entry.1);
        Stored::read(storage.and_then(attributes::as_string), plain_type(*r#type))
    };
    types.iter().enumerate().map(of_tensor).collect()
}

/// The variables that a graph names, each once.
fn variables<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Result<Vec<Variable<'c>>, Failure> {
    let mut variables: Vec<Variable<'c>> = Vec::new();
    for variable in operations_named(graph, VariableOp::NAME).into_iter().filter_map(VariableOp::new) {
        let label = variable.label()?;
        let r#type = variable.output()?.r#type();
        match variables.iter().find(|variable| variable.label == label) {
            Some(known) if known.r#type != r#type => {
                return Err(format!("variable '{label}' has two types: {} and {type}", known.r#type).into());
            }
            Some(_) => {}
            None => {
                let stored = Stored::of(variable.operation(), r#type);
                let encoding = EncodingAttribute::get(variable.operation());
                variables.push(Variable { label: label.to_owned(), r#type, stored, encoding });
            }
        }
    }
    Ok(variables)
}

/// What a graph says of an argument or a result.
struct Declared<'c> {
    name: String,
    /// Which numbers it has.
    encoding: Option<Attribute<'c>>,
    /// Whether it is a pack of which only a run knows the length.
    is_pack: bool,
}

impl Declared<'_> {
    fn single(name: &str) -> Self {
        Declared { name: name.to_owned(), encoding: None, is_pack: false }
    }
}

/// What stands in `arg_attrs` or `res_attrs` of a graph.
fn declared<'c: 'a, 'a>(graph: OperationRef<'c, 'a>, attribute: &str, count: usize) -> Vec<Declared<'c>> {
    let dictionaries = graph.get(attribute).and_then(attributes::as_array).unwrap_or_default();
    let declared = |number: usize| {
        let entries = dictionaries.get(number).and_then(|entry| attributes::as_dictionary(*entry)).unwrap_or_default();
        let entry = |name| entries.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        let name = entry(NameAttribute::NAME).and_then(attributes::as_string);
        let name = name.map_or_else(|| number.to_string(), str::to_owned);
        Declared { name, encoding: entry(EncodingAttribute::NAME), is_pack: entry(PackAttribute::NAME).is_some() }
    };
    (0..count).map(declared).collect()
}

/// The mark of an input or output.
fn marked<'c>(
    limits: &Limits,
    key: &'static str,
    declared: &Declared,
    r#type: Type<'c>,
) -> Result<Vec<(&'static str, Attribute<'c>)>, Failure> {
    let context = r#type.context();
    let text = |text: &str| attributes::string(context, text);
    let extent = |extent: &Extent| match extent.as_known() {
        Some(known) => Ok(attributes::integer(context, known)),
        None => {
            let bound = extent.bound.map(|bound| attributes::integer(context, bound));
            ExtentAttr::get(context, text(&extent.value.to_string()), bound).map(Attribute::from)
        }
    };
    let mut entries = vec![(key, text(&declared.name))];
    entries.extend(declared.is_pack.then(|| (PackAttribute::NAME, attributes::unit(context))));
    if let Some(ty) = attributes::encoding(r#type).and_then(|_| read_named_type(r#type)) {
        let shape = limits.bounded(ty).shape.iter().map(extent).collect::<Result<Vec<_>, Failure>>()?;
        entries.push((ShapeAttribute::NAME, attributes::array(context, &shape)));
    }
    Ok(entries)
}

fn result_marks<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    converter: &Converter<'c, 'a>,
    given: &[Option<Stored<'c>>],
    has_found: bool,
) -> Result<Attribute<'c>, Failure> {
    let (outputs, limits) = (&converter.output_types, &converter.limits);
    let names = declared(graph, "res_attrs", outputs.len());
    let outputs = names.iter().zip(outputs).map(|(name, r#type)| marked(limits, OutputAttribute::NAME, name, *r#type));
    let states = converter.states.iter();
    let states =
        states.map(|(label, value)| marked(limits, StateAttribute::NAME, &Declared::single(label), value.r#type()));
    let mut marks = outputs.chain(states).collect::<Result<Vec<_>, Failure>>()?;
    for (entries, stored) in marks.iter_mut().zip(given) {
        entries.extend(stored.iter().flat_map(Stored::marks));
    }
    let context = graph.context();
    let mut marks: Vec<_> = marks.iter().map(|entries| attributes::dictionary(context, entries)).collect();
    if has_found {
        marks.push(attributes::dictionary(context, &[(FoundAttribute::NAME, attributes::string(context, "shapes"))]));
    }
    Ok(attributes::array(context, &marks))
}
