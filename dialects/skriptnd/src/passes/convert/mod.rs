//! `convert-skriptnd-to-linalg`: graphs become functions on tensors.

mod loops;

use super::origin::OperatorOrigin;
use super::static_shape;
use crate::call::{operator_path, read_static_type};
use crate::formula;
use crate::generated::operations::{
    ConstantOp, FormulaOp, GraphOp, IfOp, KeepOp, LoopOp, ReturnOp, UpdateOp, VariableOp, YieldOp,
};
use crate::lowering::emit;
use crate::lowering::plan::Tensors;
use crate::names::NAME_ATTRIBUTE;
use crate::operator;
use crate::report::report;
use skriptnd_language::compose::InstanceBody;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    Attribute, BlockRef, Builder, Context, OperationRef, Type, Value, attributes, block_arguments, block_operations,
    operations_named, types,
};
use skriptnd_mlir::ops::{func, scf};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// Marks an argument that is an input, with its name.
const INPUT: &str = "skriptnd.input";
/// Marks an argument that is a variable, with the name of its file.
const VARIABLE: &str = "skriptnd.variable";
/// Marks a result that is an output, with its name.
const OUTPUT: &str = "skriptnd.output";
/// Marks a result that is the new value of a variable.
const STATE: &str = "skriptnd.state";

/// Converts all graphs of a module.
pub fn run<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Failure> {
    for graph in operations_named(module, GraphOp::NAME) {
        report(graph, convert_graph(graph))?;
        with_rewriter(graph, |rewriter| rewriter.erase(graph))?;
    }
    Ok(())
}

fn convert_graph<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let context = graph.context();
    let body = graph.region(0)?.first_block().ok_or("a graph without a body")?;
    let variables = variables(graph)?;
    let inputs: Vec<Value<'c, 'a>> = block_arguments(body).collect();

    let mut argument_types: Vec<Type<'c>> = inputs.iter().map(|input| input.r#type()).collect();
    argument_types.extend(variables.iter().map(|variable| variable.r#type));
    if let Some(open) = argument_types.iter().position(|r#type| read_static_type(*r#type).is_none()) {
        let names = declared_names(graph, "arg_attrs", inputs.len());
        let of = names.get(open).map_or("a variable".to_string(), |name| format!("input `{name}`"));
        return Err(format!("leaves extents of {of} open; `--bind EXTENT=VALUE` gives them values").into());
    }
    let name = graph.get_string("sym_name").ok_or("a graph without a name")?;
    // The type is complete when the body says what is updated.
    let function = func::func(&Builder::before(graph)?, name, &argument_types, &[], &[])?;
    let mut converter =
        Converter { values: HashMap::new(), variables: HashMap::new(), outputs: Vec::new(), states: Vec::new() };
    for (number, argument) in function.arguments.iter().copied().enumerate() {
        match inputs.get(number) {
            Some(input) => converter.define(*input, argument),
            None => {
                let label = variables.get(number - inputs.len()).map(|variable| variable.label.clone());
                converter.variables.insert(label.unwrap_or_default(), argument);
            }
        }
    }
    converter.block(function.builder, body)?;

    let mut results = converter.outputs.clone();
    results.extend(converter.states.iter().map(|(_, value)| *value));
    func::r#return(&function.builder, &results)?;
    let result_types: Vec<Type<'c>> = results.iter().map(|result| result.r#type()).collect();
    let r#type = types::function(context, &argument_types, &result_types);
    function.operation.set("function_type", attributes::r#type(r#type));
    function.operation.set("arg_attrs", argument_attributes(graph, inputs.len(), &variables));
    function.operation.set("res_attrs", result_attributes(graph, converter.outputs.len(), &converter.states));
    Ok(())
}

struct Variable<'c> {
    label: String,
    r#type: Type<'c>,
}

/// The variables that a graph names, each once.
fn variables<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Result<Vec<Variable<'c>>, Failure> {
    let mut variables: Vec<Variable<'c>> = Vec::new();
    for variable in operations_named(graph, VariableOp::NAME).into_iter().filter_map(VariableOp::new) {
        let label = variable.label().ok_or("a variable without a label")?;
        let r#type = variable.output()?.r#type();
        match variables.iter().find(|variable| variable.label == label) {
            Some(known) if known.r#type != r#type => {
                return Err(format!("variable '{label}' has two types: {} and {type}", known.r#type).into());
            }
            Some(_) => {}
            None => variables.push(Variable { label: label.to_owned(), r#type }),
        }
    }
    Ok(variables)
}

fn named<'c>(context: &'c Context, key: &str, name: &str) -> Attribute<'c> {
    attributes::dictionary(context, &[(key, attributes::string(context, name))])
}

/// The declared names in `arg_attrs` or `res_attrs` of a graph.
fn declared_names<'c: 'a, 'a>(graph: OperationRef<'c, 'a>, attribute: &str, count: usize) -> Vec<String> {
    let dictionaries = graph.get(attribute).and_then(attributes::as_array).unwrap_or_default();
    let name = |number: usize| {
        let entries = attributes::as_dictionary(*dictionaries.get(number)?)?;
        entries.into_iter().find(|entry| entry.0 == NAME_ATTRIBUTE).and_then(|entry| attributes::as_string(entry.1))
    };
    (0..count).map(|number| name(number).map_or_else(|| number.to_string(), str::to_owned)).collect()
}

fn argument_attributes<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    inputs: usize,
    variables: &[Variable<'c>],
) -> Attribute<'c> {
    let context = graph.context();
    let mut dictionaries: Vec<_> =
        declared_names(graph, "arg_attrs", inputs).iter().map(|name| named(context, INPUT, name)).collect();
    dictionaries.extend(variables.iter().map(|variable| named(context, VARIABLE, &variable.label)));
    attributes::array(context, &dictionaries)
}

fn result_attributes<'c: 'a, 'a>(
    graph: OperationRef<'c, 'a>,
    outputs: usize,
    states: &[(String, Value<'c, 'a>)],
) -> Attribute<'c> {
    let context = graph.context();
    let mut dictionaries: Vec<_> =
        declared_names(graph, "res_attrs", outputs).iter().map(|name| named(context, OUTPUT, name)).collect();
    dictionaries.extend(states.iter().map(|(label, _)| named(context, STATE, label)));
    attributes::array(context, &dictionaries)
}

/// What the values of the graph have become.
struct Converter<'c, 'a> {
    values: HashMap<usize, Value<'c, 'a>>,
    variables: HashMap<String, Value<'c, 'a>>,
    outputs: Vec<Value<'c, 'a>>,
    states: Vec<(String, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    fn define(&mut self, old: Value<'c, 'a>, new: Value<'c, 'a>) {
        self.values.insert(old.key(), new);
    }

    fn operands(&self, operation: OperationRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        self.values(&operation.operands().collect::<Vec<_>>())
    }

    fn values(&self, old: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        old.iter().map(|old| self.value(*old)).collect()
    }

    fn value(&self, old: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        self.values.get(&old.key()).copied().ok_or_else(|| "an operand has no value".into())
    }

    /// The operations of a block; gives what its terminator hands on.
    fn block(&mut self, builder: Builder<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut handed = Vec::new();
        for operation in block_operations(block) {
            let builder = builder.located(operation.location());
            match operation.full_name() {
                YieldOp::NAME => handed = self.operands(operation)?,
                ReturnOp::NAME => self.outputs = self.operands(operation)?,
                _ => {
                    let results = report(operation, self.operation(builder, operation))?;
                    for (old, new) in operation.result_values().into_iter().zip(results) {
                        self.define(old, new);
                    }
                }
            }
        }
        Ok(handed)
    }

    fn operation(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        if let Some(variable) = VariableOp::new(operation) {
            let label = variable.label().ok_or("a variable without a label")?;
            Ok(vec![self.variables.get(label).copied().ok_or("a variable that is no argument")?])
        } else if let Some(update) = UpdateOp::new(operation) {
            let label = update.label().ok_or("an update without a label")?.to_owned();
            self.states.push((label, self.value(update.value()?)?));
            Ok(Vec::new())
        } else if KeepOp::new(operation).is_some() {
            // What their formulas require stands where they are computed.
            Ok(Vec::new())
        } else if let Some(constant) = ConstantOp::new(operation) {
            let value = constant.value_attribute().ok_or("a constant without a value")?;
            Ok(vec![builder.constant(value, constant.output()?.r#type())?])
        } else if let Some(branch) = IfOp::new(operation) {
            self.branch(builder, branch)
        } else if let Some(repetition) = LoopOp::new(operation) {
            loops::convert(self, builder, repetition)
        } else if FormulaOp::new(operation).is_some() {
            self.formula(builder, operation)
        } else if operator_path(operation.full_name()).is_some() {
            self.operator(builder, operation)
        } else {
            Err("has no conversion to linalg yet".into())
        }
    }

    fn formula(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let formula = formula::read(operation)?;
        let initial = self.operands(operation)?;
        let operands = self.values(&formula.operands)?;
        let tensors = Tensors { inputs: &formula.inputs, outputs: &formula.outputs, constants: &[] };
        emit::assignment(builder, &formula.assignment, tensors, &operands, &initial)
    }

    fn operator(
        &mut self,
        builder: Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let instance = operator::instance(operation)?
            .ok_or("has operands of dynamic extents; bind the extents to compile the model")?;
        let operands = self.operands(operation)?;
        match &instance.body {
            InstanceBody::Formula(formula) => {
                let shapes = |types: Vec<Type<'c>>| types.into_iter().map(static_shape).collect::<Result<Vec<_>, _>>();
                let inputs = shapes(operation.operand_types())?;
                let outputs = shapes(operation.result_types())?;
                let origin = OperatorOrigin { operation, instance: &instance, formula };
                emit::formula(builder, formula, (&inputs, &outputs), &operands, &origin)
            }
            InstanceBody::Composition(_) => Err("was not decomposed".into()),
            InstanceBody::Intrinsic => Err("can't be compiled yet: the language has no formula for it".into()),
        }
    }

    /// `scf.if` on the only element of the condition.
    fn branch(&mut self, builder: Builder<'c, 'a>, branch: IfOp<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let condition = loops::element(&builder, self.value(branch.condition()?)?)?;
        let types = branch.operation().result_types();
        let made = scf::r#if(&builder, condition, &types)?;
        for (inner, region) in [(made.then, branch.consequent()), (made.otherwise, branch.alternative())] {
            let block = region.and_then(|region| region.first_block()).ok_or("a branch without a body")?;
            scf::r#yield(&inner, &self.block(inner, block)?)?;
        }
        Ok(made.operation.result_values())
    }
}
