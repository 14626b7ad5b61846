//! What predicates say of constants.

use std::cmp::Ordering;

use super::expression::Expression;

/// A value of an expression over a constant.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    /// A list of so many items.
    List(i64),
}

/// Whether an expression holds where `$_self` is an attribute in MLIR's text; none where that isn't known.
pub fn holds(expression: &Expression, attribute: &str) -> Option<bool> {
    truth(expression, &constant(attribute)?)
}

/// `5 : i32`, `1.5 : f32`, `"text"`, `true`, `array<i64: 1, 2>`, `[1 : i64]`.
fn constant(attribute: &str) -> Option<Value> {
    let attribute = attribute.trim();
    if let Some(inner) = attribute.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['\\', '"'])).then(|| Value::Text(inner.to_string()));
    }
    if let Some(items) = attribute.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>')) {
        return Some(Value::List(items.split_once(':').map_or(0, |(_, items)| items.split(',').count() as i64)));
    }
    if let Some(items) = attribute.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let is_plain = !items.contains(['[', '"', '<', '(', '{']);
        let count = if items.trim().is_empty() { 0 } else { items.split(',').count() as i64 };
        return is_plain.then_some(Value::List(count));
    }
    let (number, r#type) = attribute.split_once(" : ").unwrap_or((attribute, ""));
    match number {
        "true" | "false" => Some(Value::Boolean(number == "true")),
        _ => number.parse().map(Value::Integer).ok().or_else(|| real(number, r#type)),
    }
}

/// A number as its type rounds it.
fn real(number: &str, r#type: &str) -> Option<Value> {
    match r#type {
        "f32" => number.parse::<f32>().ok().map(|number| Value::Real(number.into())),
        "" | "f64" => number.parse().ok().map(Value::Real),
        _ => None,
    }
}

fn truth(expression: &Expression, this: &Value) -> Option<bool> {
    match expression {
        Expression::Binary { operator, left, right } if operator == "&&" => {
            match (truth(left, this), truth(right, this)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => left.zip(right).map(|(left, right)| left && right),
            }
        }
        Expression::Binary { operator, left, right } if operator == "||" => {
            match (truth(left, this), truth(right, this)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (left, right) => left.zip(right).map(|(left, right)| left || right),
            }
        }
        Expression::Unary { operator: '!', operand } => truth(operand, this).map(|holds| !holds),
        _ => match value(expression, this)? {
            Value::Boolean(holds) => Some(holds),
            _ => None,
        },
    }
}

fn value(expression: &Expression, this: &Value) -> Option<Value> {
    match expression {
        Expression::Name(name) if name == "$_self" => Some(this.clone()),
        Expression::Name(name) => match name.as_str() {
            "true" | "false" => Some(Value::Boolean(name == "true")),
            _ => None,
        },
        Expression::Integer(number) => Some(Value::Integer(*number)),
        Expression::Real(number) => number.parse().map(Value::Real).ok(),
        Expression::Text(text) => Some(Value::Text(text.clone())),
        Expression::Unary { operator: '-', operand } => match value(operand, this)? {
            Value::Integer(number) => number.checked_neg().map(Value::Integer),
            Value::Real(number) => Some(Value::Real(-number)),
            _ => None,
        },
        Expression::Call { function, arguments, .. } if matches!(function.as_str(), "cast" | "dyn_cast") => {
            match arguments.as_slice() {
                [only] => value(only, this),
                _ => None,
            }
        }
        Expression::Method { receiver, method, arguments, .. } if arguments.is_empty() => {
            self::method(value(receiver, this)?, method)
        }
        Expression::Binary { operator, left, right } => compare(operator, &value(left, this)?, &value(right, this)?),
        _ => None,
    }
}

fn method(receiver: Value, method: &str) -> Option<Value> {
    match (&receiver, method) {
        (_, "getValue") => Some(receiver),
        (Value::Integer(_), "getInt" | "getSInt" | "getUInt" | "getSExtValue" | "getZExtValue") => Some(receiver),
        (Value::Real(_), "getValueAsDouble" | "convertToDouble") => Some(receiver),
        (Value::Integer(number), "isNegative") => Some(Value::Boolean(*number < 0)),
        (Value::Integer(number), "isNonNegative") => Some(Value::Boolean(*number >= 0)),
        (Value::Integer(number), "isStrictlyPositive") => Some(Value::Boolean(*number > 0)),
        (Value::Integer(number), "isZero") => Some(Value::Boolean(*number == 0)),
        (Value::Integer(number), "isPowerOf2") => Some(Value::Boolean(*number > 0 && number & (number - 1) == 0)),
        (Value::Text(text), "size") => Some(Value::Integer(text.len() as i64)),
        (Value::Text(text), "empty") => Some(Value::Boolean(text.is_empty())),
        (Value::List(count), "size") => Some(Value::Integer(*count)),
        (Value::List(count), "empty") => Some(Value::Boolean(*count == 0)),
        _ => None,
    }
}

fn compare(operator: &str, left: &Value, right: &Value) -> Option<Value> {
    let order = match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.partial_cmp(right),
        (Value::Real(left), Value::Real(right)) => left.partial_cmp(right),
        (Value::Real(left), Value::Integer(right)) => left.partial_cmp(&(*right as f64)),
        (Value::Integer(left), Value::Real(right)) => (*left as f64).partial_cmp(right),
        (Value::Text(left), Value::Text(right)) if matches!(operator, "==" | "!=") => left.partial_cmp(right),
        _ => return None,
    };
    // What is no number is in no order.
    Some(Value::Boolean(match operator {
        "==" => order.is_some_and(Ordering::is_eq),
        "!=" => order.is_none_or(Ordering::is_ne),
        "<" => order.is_some_and(Ordering::is_lt),
        "<=" => order.is_some_and(Ordering::is_le),
        ">" => order.is_some_and(Ordering::is_gt),
        ">=" => order.is_some_and(Ordering::is_ge),
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn constants_are_judged_as_far_as_known() {
        let integer = "::llvm::cast<::mlir::IntegerAttr>($_self)";
        let cases = [
            (format!("{integer}.getInt() >= 10"), "5 : i32", Some(false)),
            (format!("{integer}.getInt() >= -10"), "5 : i32", Some(true)),
            (format!("{integer}.getValue().isStrictlyPositive()"), "0 : i8", Some(false)),
            (format!("!{integer}.getValue().isNegative() && isOdd({integer})"), "-1 : i64", Some(false)),
            (format!("{integer}.getInt() > 0 && isOdd({integer})"), "1 : i64", None),
            (format!("isOdd({integer}) || {integer}.getValue().isPowerOf2()"), "8 : i64", Some(true)),
            ("::llvm::cast<::mlir::ArrayAttr>($_self).size() == 3".into(), "[1 : i64, 2 : i64]", Some(false)),
            ("::llvm::cast<::mlir::DenseArrayAttr>($_self).size() <= 2".into(), "array<i64: 1, 2>", Some(true)),
            ("::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"a\"".into(), "\"b\"", Some(false)),
            ("::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() > 1".into(), "0.5 : f32", Some(false)),
            ("::llvm::isa<::mlir::IntegerAttr>($_self)".into(), "5 : i32", None),
            (format!("{integer}.getInt() > 0"), "#t.color<red>", None),
        ];
        for (code, attribute, expected) in cases {
            assert_eq!(super::holds(&parse(&code).unwrap(), attribute), expected, "{code} of {attribute}");
        }
    }
}
