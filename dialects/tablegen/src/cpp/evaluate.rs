//! What predicates say of constants.

use std::cmp::Ordering;

use super::{
    expression::{Expression, parse},
    integer::{Integer, Number, named},
    limits,
};

/// A value of an expression over a constant.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Boolean(bool),
    Integer(Number),
    /// The bits of an integer attribute, read with a sign, and how many there are.
    Bits(i128, u32),
    Real(f64),
    Float(f32),
    Text(String),
    /// A list of so many items.
    List(usize),
}

/// Whether an expression holds where `$_self` is an attribute in MLIR's text, or the property of that value; none where
/// that isn't known.
pub fn holds(expression: &Expression, attribute: &str, is_property: bool) -> Option<bool> {
    let value = match read(attribute)? {
        Value::Bits(number, _) if is_property => Value::Integer(Number::new(number, Integer::Long)),
        value => value,
    };
    truth(expression, Some(&value))
}

/// Whether a condition holds in which nothing stands for something else.
pub fn always_holds(expression: &Expression) -> Option<bool> {
    match value(expression, None)? {
        Value::Boolean(holds) => Some(holds),
        _ => None,
    }
}

/// The number that a constant expression is; none if it has parts that are not known.
pub fn number(code: &str) -> Option<i128> {
    constant(&parse(code).ok()?).map(|number| number.value)
}

/// The integer that an expression is in which nothing stands for something else.
pub fn constant(expression: &Expression) -> Option<Number> {
    match value(expression, None)? {
        Value::Integer(number) => Some(number),
        _ => None,
    }
}

/// `5 : i32`, `1.5 : f32`, `"text"`, `true`, `array<i64: 1, 2>`, `[1 : i64]`.
fn read(attribute: &str) -> Option<Value> {
    let attribute = attribute.trim();
    if let Some(inner) = attribute.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['\\', '"'])).then(|| Value::Text(inner.to_string()));
    }
    if let Some(items) = attribute.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>')) {
        return Some(Value::List(items.split_once(':').map_or(0, |(_, items)| items.split(',').count())));
    }
    if let Some(items) = attribute.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let is_plain = !items.contains(['[', '"', '<', '(', '{']);
        let count = if items.trim().is_empty() { 0 } else { items.split(',').count() };
        return is_plain.then_some(Value::List(count));
    }
    let (number, r#type) = attribute.split_once(" : ").unwrap_or((attribute, ""));
    match number {
        "true" | "false" => Some(Value::Boolean(number == "true")),
        _ => integer(number, r#type).or_else(|| read_real(number, r#type)),
    }
}

/// The bits of an integer of a type, which is `i64` if none is said.
fn integer(number: &str, r#type: &str) -> Option<Value> {
    let number: i128 = number.parse().ok()?;
    let width = match r#type.trim_start_matches(['s', 'u']) {
        "" | "index" => 64,
        r#type => r#type.strip_prefix('i')?.parse().ok().filter(|width| (1..=64).contains(width))?,
    };
    let unused = i128::BITS - width;
    Some(Value::Bits(number << unused >> unused, width))
}

/// A number as its type rounds it.
fn read_real(number: &str, r#type: &str) -> Option<Value> {
    match r#type {
        "f32" => number.parse::<f32>().ok().map(|number| Value::Real(number.into())),
        "" | "f64" => number.parse().ok().map(Value::Real),
        _ => None,
    }
}

fn truth(expression: &Expression, this: Option<&Value>) -> Option<bool> {
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
        _ => holds_as(&value(expression, this)?),
    }
}

/// What a value is as a condition.
fn holds_as(value: &Value) -> Option<bool> {
    match value {
        Value::Boolean(holds) => Some(*holds),
        Value::Integer(number) => Some(number.value != 0),
        Value::Real(number) => Some(*number != 0.0),
        Value::Float(number) => Some(*number != 0.0),
        _ => None,
    }
}

fn value(expression: &Expression, this: Option<&Value>) -> Option<Value> {
    match expression {
        Expression::Name(name) => named_value(name, this),
        Expression::Integer(number) => Some(Value::Integer(*number)),
        Expression::Real(number) => number.parse().map(Value::Real).ok(),
        Expression::Float(number) => Some(Value::Float(*number)),
        Expression::Text(text) => Some(Value::Text(text.clone())),
        Expression::Unary { operator: '!', .. } => truth(expression, this).map(Value::Boolean),
        Expression::Unary { operator, operand } => unary(*operator, &value(operand, this)?),
        Expression::Call { function, templates, arguments } => call(function, templates, arguments, this),
        Expression::Method { receiver, method, arguments, .. } if arguments.is_empty() => {
            self::method(value(receiver, this)?, method)
        }
        Expression::Binary { operator, .. } if matches!(operator.as_str(), "&&" | "||") => {
            truth(expression, this).map(Value::Boolean)
        }
        Expression::Binary { operator, left, right } => binary(operator, &value(left, this)?, &value(right, this)?),
        Expression::Conditional { condition, then, otherwise } => {
            choice(truth(condition, this)?, value(then, this)?, value(otherwise, this)?)
        }
        _ => None,
    }
}

fn named_value(name: &str, this: Option<&Value>) -> Option<Value> {
    match name {
        "$_self" => this.cloned(),
        "true" | "false" => Some(Value::Boolean(name == "true")),
        "kDynamic" => Some(Value::Integer(Number { value: i64::MIN.into(), r#type: Integer::Long })),
        _ => limits::limit(name).map(Value::Integer),
    }
}

fn call(function: &str, templates: &[String], arguments: &[Expression], this: Option<&Value>) -> Option<Value> {
    match (function, templates, arguments) {
        ("cast" | "dyn_cast", _, [only]) => value(only, this),
        ("static_cast", [class], [only]) => converted(class, &value(only, this)?),
        (function, [class], []) => limits::limit_of(class, function).map(Value::Integer),
        _ => None,
    }
}

/// An integer as another type has it.
fn converted(class: &str, given: &Value) -> Option<Value> {
    let (native, r#type) = named(class)?;
    let value = promoted(given)?.value;
    let value = match native {
        "i8" => (value as i8).into(),
        "i16" => (value as i16).into(),
        "u8" => (value as u8).into(),
        "u16" => (value as u16).into(),
        _ => value,
    };
    Some(Value::Integer(Number::new(value, r#type)))
}

/// A value in the type that C++ computes with it in, if that is one of integers.
fn promoted(value: &Value) -> Option<Number> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Boolean(holds) => Some(Number::new((*holds).into(), Integer::Int)),
        _ => None,
    }
}

fn unary(operator: char, given: &Value) -> Option<Value> {
    match (operator, given) {
        ('-', Value::Real(number)) => Some(Value::Real(-number)),
        ('-', Value::Float(number)) => Some(Value::Float(-number)),
        ('+', Value::Real(_) | Value::Float(_)) => Some(given.clone()),
        ('-', _) => promoted(given)?.negated().map(Value::Integer),
        ('~', _) => Some(Value::Integer(promoted(given)?.complement())),
        ('+', _) => promoted(given).map(Value::Integer),
        _ => None,
    }
}

/// One of two values, in the type of both.
fn choice(is_first: bool, then: Value, otherwise: Value) -> Option<Value> {
    match (&then, &otherwise) {
        (Value::Boolean(_), Value::Boolean(_)) => Some(if is_first { then } else { otherwise }),
        _ => {
            let (then, otherwise) = promoted(&then)?.alike(promoted(&otherwise)?);
            Some(Value::Integer(if is_first { then } else { otherwise }))
        }
    }
}

fn method(receiver: Value, method: &str) -> Option<Value> {
    let long = |value: i128| Some(Value::Integer(Number::new(value, Integer::Long)));
    let unsigned = |value: i128| Some(Value::Integer(Number::new(value, Integer::UnsignedLong)));
    match (&receiver, method) {
        (Value::Bits(number, _), "getInt" | "getSInt" | "getSExtValue") => long(*number),
        (Value::Bits(number, width), "getUInt" | "getZExtValue") => unsigned(number & ((1 << width) - 1)),
        (Value::Bits(number, _), "isNegative") => Some(Value::Boolean(*number < 0)),
        (Value::Bits(number, _), "isNonNegative") => Some(Value::Boolean(*number >= 0)),
        (Value::Bits(number, _), "isStrictlyPositive") => Some(Value::Boolean(*number > 0)),
        (Value::Bits(number, _), "isZero") => Some(Value::Boolean(*number == 0)),
        (Value::Bits(number, width), "isPowerOf2") => {
            Some(Value::Boolean((number & ((1 << width) - 1)).count_ones() == 1))
        }
        (_, "getValue") => Some(receiver),
        (Value::Real(_), "getValueAsDouble" | "convertToDouble") => Some(receiver),
        (Value::Text(text), "size") => unsigned(text.len() as i128),
        (Value::Text(text), "empty") => Some(Value::Boolean(text.is_empty())),
        (Value::List(count), "size") => unsigned(*count as i128),
        (Value::List(count), "empty") => Some(Value::Boolean(*count == 0)),
        _ => None,
    }
}

fn binary(operator: &str, left: &Value, right: &Value) -> Option<Value> {
    if matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
        return compare(operator, left, right);
    }
    promoted(left)?.computed(operator, promoted(right)?).map(Value::Integer)
}

/// A number as a `float`, unless it is a `double`.
fn float(value: &Value) -> Option<f32> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Real(_) => None,
        _ => promoted(value).map(|number| number.value as f32),
    }
}

/// A number as a `double`.
fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Real(number) => Some(*number),
        Value::Float(number) => Some((*number).into()),
        _ => promoted(value).map(|number| number.value as f64),
    }
}

fn compare(operator: &str, left: &Value, right: &Value) -> Option<Value> {
    let is_real = |value: &Value| matches!(value, Value::Real(_) | Value::Float(_));
    let order = match (left, right) {
        (Value::Text(left), Value::Text(right)) if matches!(operator, "==" | "!=") => left.partial_cmp(right),
        // Bits are compared without a sign.
        (Value::Bits(bits, width), Value::Integer(number)) | (Value::Integer(number), Value::Bits(bits, width))
            if matches!(operator, "==" | "!=") =>
        {
            (bits & ((1 << width) - 1)).partial_cmp(&number.converted(Integer::UnsignedLong).value)
        }
        _ if is_real(left) || is_real(right) => match float(left).zip(float(right)) {
            Some((left, right)) => left.partial_cmp(&right),
            None => real(left)?.partial_cmp(&real(right)?),
        },
        _ => {
            let (left, right) = promoted(left)?.alike(promoted(right)?);
            left.value.partial_cmp(&right.value)
        }
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
    use super::{number, parse};

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
            (format!("{integer}.getValue().getZExtValue() > 5"), "-1 : i8", Some(true)),
            (format!("{integer}.getValue().getZExtValue() == 255"), "-1 : i8", Some(true)),
            (format!("{integer}.getValue().getZExtValue() - 1 > 5"), "0 : i8", Some(true)),
            (format!("{integer}.getValue() == -1"), "-1 : i32", Some(false)),
            (format!("{integer}.getInt() == 255"), "255 : i8", Some(false)),
            (format!("{integer}.getInt() != -1u"), "-1 : i32", Some(true)),
            (format!("static_cast<unsigned>({integer}.getInt()) - 5 > 0"), "0 : i32", Some(true)),
            (format!("{integer}.getInt() + 1 > 0"), "9223372036854775807 : i64", None),
            (format!("({integer}.getInt() > 0 ? 1u : -1) > 5"), "-7 : i64", Some(true)),
            (format!("{integer}.getInt() % 4 == -3"), "-7 : i64", Some(true)),
            (format!("({integer}.getInt() > 0) == 1"), "5 : i64", Some(true)),
            ("::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() == 0.1f".into(), "0.1 : f64", Some(false)),
        ];
        for (code, attribute, expected) in cases {
            assert_eq!(super::holds(&parse(&code).unwrap(), attribute, false), expected, "{code} of {attribute}");
        }
    }

    #[test]
    fn what_cpp_computes_is_a_number() {
        let cases = [
            ("1 << 4", Some(16)),
            ("(1 << 4) | 3", Some(19)),
            ("0x10 + 2 * 3", Some(22)),
            ("-(7 / 2)", Some(-3)),
            ("::mlir::ShapedType::kDynamic", Some(i64::MIN.into())),
            ("std::numeric_limits<int32_t>::max()", Some(2_147_483_647)),
            ("::std::numeric_limits<int8_t>::lowest() - 1", Some(-129)),
            ("std::numeric_limits<std::uint64_t>::max()", Some(u64::MAX.into())),
            ("INT64_MIN", Some(i64::MIN.into())),
            ("1 / 0", None),
            ("1 << 100", None),
            ("1 << 40", None),
            ("1L << 40", Some(1 << 40)),
            ("017 + 0b1", Some(16)),
            ("-1u", Some(u32::MAX.into())),
            ("-7 / 2 * 10 + -7 % 2", Some(-31)),
            ("2147483647 + 1", None),
            ("2147483647u + 1 > 0 ? 'a' : 2", Some(97)),
            ("static_cast<uint8_t>(300) ^ 1", Some(45)),
            ("std::numeric_limits<float>::max()", None),
            ("kSomething", None),
            ("foo(1)", None),
        ];
        for (code, expected) in cases {
            assert_eq!(number(code), expected, "{code}");
        }
    }
}
