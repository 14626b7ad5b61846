//! Rust that computes with integers as C++ does, and ends where C++ leaves open what happens: nothing overflows, is divided by
//! zero, or is shifted beyond its width.
//!
//! What is generated carries an `unsigned long` as a `u64` and any other integer as an `i64`.

use super::{
    integer::{Integer, Number},
    kind::{Kind, Typed},
};

/// A number as Rust is to read it.
pub fn constant(number: Number) -> Typed {
    (number.to_string(), Kind::Integer(number.r#type))
}

/// An integer in the type that C++ computes with it in: truth values and the bits of attributes are numbers then.
pub fn promoted((code, kind): &Typed) -> Option<(String, Integer)> {
    match kind {
        Kind::Integer(r#type) => Some((code.clone(), *r#type)),
        Kind::Bits => Some((code.clone(), Integer::Long)),
        Kind::Boolean => Some((format!("i64::from({code})"), Integer::Int)),
        _ => None,
    }
}

/// An integer in another type.
pub fn converted(code: &str, from: Integer, to: Integer) -> String {
    if let Ok(value) = code.parse::<i128>() {
        return to.wrap(value).to_string();
    }
    match (from, to) {
        (from, to) if from == to => code.to_string(),
        (Integer::Int | Integer::Unsigned, Integer::Long) => code.to_string(),
        (_, Integer::Long) => format!("({code} as i64)"),
        (_, Integer::UnsignedLong) => format!("({code} as u64)"),
        (_, to) => format!("i64::from({code} as {})", to.native()),
    }
}

/// What helpers take, which know `i64` only; anything but an integer stays as it is.
pub fn for_helpers(given: Typed) -> Typed {
    match given {
        (code, Kind::Integer(from)) => (converted(&code, from, Integer::Long), Kind::Integer(Integer::Long)),
        other => other,
    }
}

/// The bits of an attribute, read without a sign.
pub fn unsigned_bits(code: &str) -> String {
    match code.strip_prefix("predicate::integer(") {
        Some(rest) => format!("predicate::unsigned_integer({rest}"),
        None => converted(code, Integer::Long, Integer::UnsignedLong),
    }
}

/// `-` or `~` of an integer.
pub fn unary(operator: char, given: &Typed) -> Option<Typed> {
    let (code, r#type) = promoted(given)?;
    let computed = match operator {
        '-' => call(r#type, "wrapping_neg", &[native(&code, r#type)]),
        '~' => carried(format!("!{}", in_brackets(native(&code, r#type))), r#type),
        '+' => code,
        _ => return None,
    };
    Some((computed, Kind::Integer(r#type)))
}

/// What an operator makes of two integers, truth values among them; none if they are none.
pub fn binary(operator: &str, left: &Typed, right: &Typed) -> Option<Typed> {
    if let Some(equality) = equal_bits(operator, left, right) {
        return Some(equality);
    }
    let ((left, from), (right, other)) = (promoted(left)?, promoted(right)?);
    if let Some(function) = shift(operator) {
        let shifted = call(from, function, &[native(&left, from), bits(&right)]);
        return Some((shifted, Kind::Integer(from)));
    }
    let r#type = from.max(other);
    let (left, right) = (converted(&left, from, r#type), converted(&right, other, r#type));
    let function = match operator {
        "+" => "wrapping_add",
        "-" => "wrapping_sub",
        "*" => "wrapping_mul",
        "/" => "checked_div",
        "%" => "checked_rem",
        "&" | "|" | "^" => return Some((format!("({left} {operator} {right})"), Kind::Integer(r#type))),
        "==" | "!=" | "<" | "<=" | ">" | ">=" => {
            return Some((compared(operator, &left, &right, r#type), Kind::Boolean));
        }
        _ => return None,
    };
    Some((call(r#type, function, &[native(&left, r#type), native(&right, r#type)]), Kind::Integer(r#type)))
}

/// A comparison. With the least or greatest number that Rust carries it is decided, or one of equality.
fn compared(operator: &str, left: &str, right: &str, r#type: Integer) -> String {
    let (least, greatest) = match r#type {
        Integer::UnsignedLong => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let number = |code: &str| code.parse::<i128>().ok();
    let (seen, limit) = match (number(left), number(right)) {
        (Some(limit), None) => (mirrored(operator), limit),
        (None, Some(limit)) => (operator, limit),
        _ => (operator, 1),
    };
    match (seen, limit == least, limit == greatest) {
        ("<", true, _) | (">", _, true) => "false".to_string(),
        (">=", true, _) | ("<=", _, true) => "true".to_string(),
        ("<=", true, _) | (">=", _, true) => format!("({left} == {right})"),
        _ => format!("({left} {operator} {right})"),
    }
}

fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        equality => equality,
    }
}

/// A literal with the type that carries it, where nothing else tells that.
pub fn literal_of(code: &str, kind: &Kind) -> String {
    match kind {
        Kind::Integer(Integer::UnsignedLong) if code.parse::<i128>().is_ok() => format!("{code}_u64"),
        Kind::Integer(_) if code.parse::<i128>().is_ok() => format!("{code}_i64"),
        _ => code.to_string(),
    }
}

fn shift(operator: &str) -> Option<&'static str> {
    match operator {
        "<<" => Some("checked_shl"),
        ">>" => Some("checked_shr"),
        _ => None,
    }
}

/// C++ compares the bits of an attribute with a number without a sign, however narrow they are.
fn equal_bits(operator: &str, left: &Typed, right: &Typed) -> Option<Typed> {
    let (bits, number) = match (left, right) {
        ((bits, Kind::Bits), (number, Kind::Integer(from))) | ((number, Kind::Integer(from)), (bits, Kind::Bits)) => {
            (bits, converted(number, *from, Integer::UnsignedLong))
        }
        _ => return None,
    };
    let is_equality = matches!(operator, "==" | "!=");
    is_equality.then(|| (format!("({} {operator} {number})", unsigned_bits(bits)), Kind::Boolean))
}

/// A call of a function of the Rust type; what has no value is zero.
fn call(r#type: Integer, function: &str, arguments: &[String]) -> String {
    let called = format!("{}::{function}({})", r#type.native(), arguments.join(", "));
    carried(if function.starts_with("checked") { format!("{called}.unwrap_or_default()") } else { called }, r#type)
}

/// What has the Rust type of a type as it is carried.
fn carried(code: String, r#type: Integer) -> String {
    match r#type {
        Integer::Int | Integer::Unsigned => format!("i64::from({code})"),
        Integer::Long | Integer::UnsignedLong => code,
    }
}

/// What is carried in the Rust type of its type. A literal has any.
fn native(code: &str, r#type: Integer) -> String {
    match r#type {
        Integer::Int | Integer::Unsigned if code.parse::<i128>().is_err() => format!("{code} as {}", r#type.native()),
        _ => code.to_string(),
    }
}

fn in_brackets(code: String) -> String {
    if code.contains(" as ") { format!("({code})") } else { code }
}

/// A number of bits, which Rust counts in `u32`; a literal is one already.
fn bits(number: &str) -> String {
    if number.parse::<u32>().is_ok() { number.to_string() } else { format!("{number} as u32") }
}
