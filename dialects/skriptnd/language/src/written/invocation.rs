//! Invocations of operators, with what they need not have left out.

use super::values::{element, expression};
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::Value;
use skriptnd_syntax::ast::{Expr, ExprKind, Operator, PackSpec, Param, TypeExpr};
use skriptnd_syntax::build::{Element, Expression, Invocation};

/// The name of an operator where the main module invokes it.
pub fn name(operator: &str) -> &str {
    operator.strip_prefix("main.").unwrap_or(operator)
}

/// An operation as the invocation that it comes from, on the given operands; what is said of it where it can't be written.
pub fn invocation(
    operation: &Operation,
    call: &OperatorCall,
    definition: &Operator,
    operands: Vec<Expression>,
) -> Result<Invocation, String> {
    Ok(Invocation {
        label: None,
        operator: name(&call.operator).to_owned(),
        dtypes: dtypes(call, definition, &operation.inputs),
        attributes: attributes(call, definition)?,
        operands,
    })
}

/// Generic types, if an operand does not tell each of them.
fn dtypes(call: &OperatorCall, definition: &Operator, inputs: &[Argument]) -> Vec<Element> {
    let has_tensors = |input: &Argument<TensorId>| !input.items().is_empty();
    let given = definition.inputs.iter().zip(inputs).filter(|(_, input)| has_tensors(input)).map(|(param, _)| param);
    let told: Vec<&str> = given
        .filter_map(|param| match &param.spec.base {
            TypeExpr::Generic(name) => Some(&*name.text),
            TypeExpr::Concrete(..) => None,
        })
        .collect();
    match call.dtypes.keys().all(|name| told.contains(&name.as_str())) {
        true => Vec::new(),
        false => call.dtypes.values().map(|dtype| element(*dtype)).collect(),
    }
}

/// Attributes that are not what they are where nobody gives them, in the order in which they are declared.
///
/// # Errors
/// Where the language has no form for a value, with what is said of the invocation.
pub fn attributes(call: &OperatorCall, definition: &Operator) -> Result<Vec<(String, Expression)>, String> {
    let mut written = Vec::new();
    for param in &definition.attributes {
        let value = call.attributes.get(&*param.name.text).filter(|value| **value != Value::Null);
        let default = param.value.as_ref().filter(|_| param.spec.pack.is_none() || has_told_length(param, definition));
        let Some(value) = value.filter(|value| !default.is_some_and(|default| is_default(value, default))) else {
            continue;
        };
        let name = param.name.text.to_string();
        let spelled = expression(value).map_err(|what| format!("has {what} as attribute `{name}`"))?;
        written.push((name, spelled));
    }
    Ok(written)
}

/// Whether something else than its value tells the length of a pack: the rank of an input, or the number of its items.
fn has_told_length(param: &Param, definition: &Operator) -> bool {
    let length = |pack: &'_ Option<PackSpec>| pack.as_ref()?.length.as_ref().and_then(symbol);
    let Some(own) = length(&param.spec.pack) else { return false };
    let inputs = definition.inputs.iter().filter(|input| !input.spec.optional);
    let packs =
        inputs.flat_map(|input| input.spec.shape.iter().flatten().map(|extent| &extent.pack).chain([&input.spec.pack]));
    packs.filter_map(length).any(|told| told == own)
}

/// The symbol of a length: it is one, a multiple of one, or that and a number more or less.
fn symbol(length: &Expr) -> Option<String> {
    match &length.kind {
        ExprKind::Name(name) => Some(name.to_string()),
        ExprKind::Paren(inside) => symbol(inside),
        ExprKind::Binary(_, left, right) => match (symbol(left), symbol(right)) {
            (Some(symbol), None) | (None, Some(symbol)) => Some(symbol),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is that of a literal; of a pack, whether all items are.
fn is_default(value: &Value, default: &Expr) -> bool {
    match (value, &default.kind) {
        (_, ExprKind::Paren(inside)) => is_default(value, inside),
        (Value::Int(value), ExprKind::Int(default)) => value == default,
        (Value::Real(value), ExprKind::Real(default)) => value == default,
        (Value::Real(value), ExprKind::Int(default)) => *value == *default as f64,
        (Value::Bool(value), ExprKind::Bool(default)) => value == default,
        (Value::Str(value), ExprKind::Str(parts)) => match parts.as_slice() {
            [skriptnd_syntax::ast::StrPart::Text(text)] => **value == **text,
            _ => false,
        },
        (Value::Pack(_), ExprKind::List(_)) => false,
        (Value::Pack(items), _) => !items.is_empty() && items.iter().all(|item| is_default(item, default)),
        (Value::Repeat(item, count), _) => *count > 0 && is_default(item, default),
        _ => false,
    }
}
