//! Invocations of operators, with what they need not have left out.

use super::values::{element, expression};
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::Value;
use skriptnd_syntax::ast::{Expr, ExprKind, Item, Operator, PackSpec, Param, StrPart, TypeExpr, UnaryOp};
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
        let default = param.value.as_ref().and_then(literal);
        let tells_length = |default: &Value| matches!(default, Value::Pack(_)) || param.spec.pack.is_none();
        let default = default.filter(|default| tells_length(default) || has_told_length(param, definition));
        let Some(value) = value.filter(|value| !default.is_some_and(|default| is_same(value, &default))) else {
            continue;
        };
        let name = param.name.text.to_string();
        let spelled = expression(value).map_err(|what| format!("has {what} as attribute `{name}`"))?;
        written.push((name, spelled));
    }
    Ok(written)
}

/// Whether something else than its value tells the length of a pack: the rank of an input, or the number of its items, or a number.
fn has_told_length(param: &Param, definition: &Operator) -> bool {
    if let Some(PackSpec { length: Some(Expr { kind: ExprKind::Int(_), .. }), .. }) = &param.spec.pack {
        return true;
    }
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

/// The value of a literal: a number, a text, or a list of such.
fn literal(expr: &Expr) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Paren(inside) | ExprKind::Unary(UnaryOp::Plus, inside) => return literal(inside),
        ExprKind::Unary(UnaryOp::Neg, inside) => match literal(inside)? {
            Value::Int(value) => Value::Int(value.checked_neg()?),
            Value::Real(value) => Value::Real(-value),
            _ => return None,
        },
        ExprKind::Int(value) => Value::Int(*value),
        ExprKind::Real(value) => Value::Real(*value),
        ExprKind::Inf => Value::Real(f64::INFINITY),
        ExprKind::Bool(value) => Value::Bool(*value),
        ExprKind::Str(parts) => {
            let text = |part: &StrPart| if let StrPart::Text(text) = part { Some(text.clone()) } else { None };
            Value::Str(parts.iter().map(text).collect::<Option<String>>()?.into())
        }
        ExprKind::List(items) => {
            let item = |item: &Item| if let Item::Value(item) = item { literal(item) } else { None };
            Value::Pack(items.iter().map(item).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Whether a value is that of a literal, which stands for all items of a pack if it is no list.
fn is_same(value: &Value, literal: &Value) -> bool {
    match (value, literal) {
        (Value::Pack(items), Value::Pack(known)) => {
            items.len() == known.len() && items.iter().zip(known).all(|(item, known)| is_same(item, known))
        }
        (Value::Repeat(item, count), Value::Pack(known)) => {
            u64::try_from(known.len()) == Ok(*count) && known.iter().all(|known| is_same(item, known))
        }
        (Value::Pack(items), _) => !items.is_empty() && items.iter().all(|item| is_same(item, literal)),
        (Value::Repeat(item, count), _) => *count > 0 && is_same(item, literal),
        (Value::Real(value), Value::Int(literal)) => value.to_bits() == (*literal as f64).to_bits(),
        (Value::Real(value), Value::Real(literal)) => value.to_bits() == literal.to_bits(),
        _ => value == literal,
    }
}
