//! Functions of operators as SkriptND.

use skriptnd_mlir::ir::{
    Attribute, Module, OperationRef, Type, Value, attributes, block_arguments, block_operations, operations_named,
    types,
};
use skriptnd_tablegen::ods::{self, Arity};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// The only function of a module as a graph `G` with inputs `a0`, `a1`, ... and the output `y`; variables are inputs, too, in
/// the order of their names.
pub fn text(module: &Module<'_>, operations: &[ods::Operation]) -> String {
    let function = operations_named(module.as_operation(), "func.func")[0];
    let block = function.region(0).unwrap().first_block().unwrap();
    let mut names: HashMap<usize, String> = HashMap::new();
    let mut inputs = String::new();
    for (index, argument) in block_arguments(block).enumerate() {
        names.insert(argument.key(), format!("a{index}"));
        write!(inputs, "a{index}: {}; ", tensor(argument.r#type())).unwrap();
    }
    let operators = block_operations(block).filter(|operation| operation.full_name() == "skriptnd.variable");
    let variables: BTreeMap<String, String> =
        operators.map(|variable| (label(variable), tensor(variable.result(0).unwrap().r#type()))).collect();
    variables.iter().for_each(|(name, r#type)| write!(inputs, "{name}: {type}; ", r#type = r#type).unwrap());
    let (mut body, mut output) = (String::new(), String::new());
    for (index, operation) in block_operations(block).enumerate() {
        let operands: Vec<Value<'_, '_>> = operation.operands().collect();
        if operation.full_name() == "func.return" {
            output = tensor(operands[0].r#type());
            writeln!(body, "        y = {};", names[&operands[0].key()]).unwrap();
            continue;
        }
        let result = operation.result(0).unwrap();
        let (name, expression) = match operation.full_name() {
            // A number stands where it is used.
            "skriptnd.constant" => (literal(operation), None),
            "skriptnd.variable" => (label(operation), None),
            _ => (format!("v{index}"), Some(call(operation, operations, &names))),
        };
        if let Some(expression) = expression {
            writeln!(body, "        {name} = {expression};").unwrap();
        }
        names.insert(result.key(), name);
    }
    format!(
        "import math;\nimport layout;\nimport nn;\n\ngraph G {{\n    @input {{ {inputs}}}\n    @output {{ y: {output}; }}\n    @compose {{\n{body}    }}\n}}\n"
    )
}

fn call(operation: OperationRef<'_, '_>, operations: &[ods::Operation], names: &HashMap<usize, String>) -> String {
    let declared = operations.iter().find(|declared| declared.name() == operation.full_name());
    let mut operands = operation.operands().map(|operand| names[&operand.key()].clone());
    let sizes = operation.get_integers("operandSegmentSizes");
    let mut given = Vec::new();
    // What rules make and no rule names has single operands only.
    let arities = declared.map_or_else(
        || vec![Arity::One; operation.operand_count()],
        |declared| declared.operands.iter().map(|operand| operand.arity).collect(),
    );
    for (index, arity) in arities.into_iter().enumerate() {
        let count = sizes.as_ref().map_or(1, |sizes| sizes[index] as usize);
        let items: Vec<String> = operands.by_ref().take(count).collect();
        match arity {
            Arity::Variadic => given.push(format!("[{}]", items.join(", "))),
            Arity::Optional if items.is_empty() => given.push("~".to_string()),
            _ => given.extend(items),
        }
    }
    let (mut generic, mut attributes) = (String::new(), Vec::new());
    for (name, value) in operation.attributes() {
        match name {
            "operandSegmentSizes" => {}
            "R" => generic = format!("<{}>", element(attributes::as_type(value).unwrap())),
            _ => attributes.push(format!("{name}={}", shown(value))),
        }
    }
    let attributes = if attributes.is_empty() { String::new() } else { format!("{{{}}}", attributes.join(", ")) };
    let path = operation.full_name().trim_start_matches("skriptnd.");
    format!("{path}{generic}{attributes}({})", given.join(", "))
}

fn shown(value: Attribute<'_>) -> String {
    if let Some(text) = attributes::as_string(value) {
        return format!("'{text}'");
    }
    if let Some(truth) = attributes::as_bool(value) {
        return truth.to_string();
    }
    if let Some(integers) = attributes::as_integers(value) {
        return format!("{integers:?}");
    }
    match attributes::as_integer(value) {
        Some(integer) => integer.to_string(),
        None => format!("{:?}", attributes::as_real(value).unwrap()),
    }
}

fn label(variable: OperationRef<'_, '_>) -> String {
    variable.get_string("label").unwrap().to_string()
}

fn literal(operation: OperationRef<'_, '_>) -> String {
    let element = attributes::as_splat(operation.get("value").unwrap()).unwrap();
    shown(element)
}

fn element(r#type: Type<'_>) -> &'static str {
    match r#type.to_string().as_str() {
        "f32" => "real",
        "i64" => "int",
        "i1" => "bool",
        other => panic!("{other}"),
    }
}

fn tensor(r#type: Type<'_>) -> String {
    let shape: Vec<String> =
        types::shape(r#type).unwrap().into_iter().map(|extent| extent.unwrap().to_string()).collect();
    format!("{}[{}]", element(types::element(r#type)), shape.join(","))
}
