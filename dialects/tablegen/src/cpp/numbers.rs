//! Arithmetic that is total in Rust as predicates are: no division by zero, no shift beyond the width.

use super::{
    arithmetic,
    kind::{Kind, Typed},
};

/// Division, remainder and shifts of integers, which are nothing where C++ leaves open what they are.
pub fn guarded(operator: &str, left: &str, right: &str) -> Option<String> {
    let call = |function: &str, right: &str| Some(format!("i64::{function}({left}, {right}).unwrap_or_default()"));
    match operator {
        "/" => call("checked_div", right),
        "%" => call("checked_rem", right),
        "<<" => call("checked_shl", &bits(right)),
        ">>" => call("checked_shr", &bits(right)),
        _ => None,
    }
}

/// A number of bits, which Rust counts in `u32`; a literal is one already.
fn bits(number: &str) -> String {
    if number.parse::<u32>().is_ok() { number.to_string() } else { format!("{number} as u32") }
}

/// A number as a floating point number.
fn real((code, kind): &Typed) -> Option<String> {
    match kind {
        Kind::Real => Some(code.clone()),
        // A literal may be too large for the type that Rust gives it.
        Kind::Integer if code.parse::<i64>().is_ok() => Some(format!("{code}.0")),
        Kind::Integer => Some(format!("({code} as f64)")),
        _ => None,
    }
}

/// The operator that means the negation of a comparison. Being less has no opposite: what is no number is neither less
/// nor at least.
pub fn negated(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "==" => "!=",
        "!=" => "==",
        "<" => "!<",
        "<=" => "!<=",
        ">" => "!>",
        ">=" => "!>=",
        _ => return None,
    })
}

/// The operator for what is always in some order.
pub fn ordered(operator: &str) -> &str {
    match operator {
        "!<" => ">=",
        "!<=" => ">",
        "!>" => "<=",
        "!>=" => "<",
        operator => operator,
    }
}

/// What becomes of two numbers one of which is a floating point number.
///
/// # Errors
/// Where the other one is no number, or the operator is one of integers.
pub fn reals(operator: &str, left: &Typed, right: &Typed) -> Result<Typed, String> {
    let not_compared = || format!("'{}' and '{}' are not compared", left.0, right.0);
    let (left, right) = real(left).zip(real(right)).ok_or_else(not_compared)?;
    // The negation of a comparison, in the form that Rust's lints ask for.
    let unless = |order: &str| {
        let test = format!("f64::partial_cmp(&{left}, &{right}).is_none_or(std::cmp::Ordering::{order})");
        Ok((test, Kind::Boolean))
    };
    match operator {
        "+" | "-" | "*" | "/" => Ok((format!("({left} {operator} {right})"), Kind::Real)),
        "==" | "!=" | "<" | "<=" | ">" | ">=" => Ok((format!("({left} {operator} {right})"), Kind::Boolean)),
        "!<" => unless("is_ge"),
        "!<=" => unless("is_gt"),
        "!>" => unless("is_le"),
        "!>=" => unless("is_lt"),
        _ => Err(format!("'{operator}' is none of floating point numbers")),
    }
}

/// Things of one kind: of numbers, integers beside floating point numbers become such.
///
/// # Errors
/// Where they are of several kinds.
pub fn alike(items: Vec<Typed>) -> Result<(Vec<String>, Kind), String> {
    if items.iter().any(|(_, kind)| *kind == Kind::Real) {
        let reals: Option<Vec<String>> = items.iter().map(real).collect();
        return reals.map(|reals| (reals, Kind::Real)).ok_or_else(|| "numbers stand beside what is none".into());
    }
    let kind = items.first().map_or(Kind::Integer, |(_, kind)| kind.clone());
    match items.iter().find(|(_, other)| std::mem::discriminant(other) != std::mem::discriminant(&kind)) {
        Some((other, _)) => Err(format!("'{other}' is of another kind than '{}'", items[0].0)),
        None => Ok((items.into_iter().map(|(code, _)| code).collect(), kind)),
    }
}

/// What C++ converts to a type: numbers are cut and rounded, anything else stays what it is.
///
/// # Errors
/// Where a floating point number is converted to a type that is not known.
pub fn converted(class: &str, given: Typed) -> Result<Typed, String> {
    let (code, is_real) = match &given {
        (code, Kind::Real) => (code, true),
        (code, Kind::Integer) => (code, false),
        _ => return Ok(given),
    };
    let width = match class {
        "double" => return Ok((real(&given).unwrap_or_default(), Kind::Real)),
        "float" => return Ok((format!("f64::from({code} as f32)"), Kind::Real)),
        "bool" => return Ok((format!("({code} != {})", if is_real { "0.0" } else { "0" }), Kind::Boolean)),
        "int8_t" => "i8",
        "int16_t" => "i16",
        "int" | "int32_t" => "i32",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "unsigned" | "uint32_t" => "u32",
        "int64_t" | "uint64_t" | "size_t" | "long" if is_real => {
            return Ok((format!("({code} as i64)"), Kind::Integer));
        }
        _ if is_real => return Err(format!("what a floating point number is as '{class}' is not known")),
        _ => return Ok(given),
    };
    Ok((format!("i64::from({code} as {width})"), Kind::Integer))
}

/// A function of the standard library over numbers; those of two arguments are what C++ says of NaN and zeros, too.
pub fn function(name: &str, templates: &[String], arguments: &[Typed]) -> Option<Typed> {
    let method = |method: &str, argument: &Typed| Some(format!("f64::{method}({})", real(argument)?));
    match (name, arguments) {
        ("abs", [(code, Kind::Integer)]) => Some((format!("i64::saturating_abs({code})"), Kind::Integer)),
        ("isnan", [number]) => Some((method("is_nan", number)?, Kind::Boolean)),
        ("isinf", [number]) => Some((method("is_infinite", number)?, Kind::Boolean)),
        ("isfinite", [number]) => Some((method("is_finite", number)?, Kind::Boolean)),
        ("signbit", [number]) => Some((method("is_sign_negative", number)?, Kind::Boolean)),
        ("abs" | "fabs", [number]) => Some((method("abs", number)?, Kind::Real)),
        ("floor" | "ceil" | "trunc" | "round" | "sqrt", [number]) => Some((method(name, number)?, Kind::Real)),
        ("min" | "max", [(left, Kind::Integer), (right, Kind::Integer)]) if !is_real(templates) => {
            Some((format!("i64::{name}({left}, {right})"), Kind::Integer))
        }
        ("min" | "max" | "fmin" | "fmax", [left, right]) => {
            let function = match name {
                "min" => "predicate::minimum",
                "max" => "predicate::maximum",
                "fmin" => "f64::min",
                _ => "f64::max",
            };
            Some((format!("{function}({}, {})", real(left)?, real(right)?), Kind::Real))
        }
        (name, []) => limit(templates.first()?, name),
        _ => None,
    }
}

fn is_real(templates: &[String]) -> bool {
    matches!(templates, [class] if matches!(class.as_str(), "double" | "float"))
}

/// What `std::numeric_limits<class>::name()` is.
fn limit(class: &str, name: &str) -> Option<Typed> {
    if let Some(number) = arithmetic::limit_of(class, name) {
        return Some((i64::try_from(number).ok()?.to_string(), Kind::Integer));
    }
    let of = match class {
        "double" => "f64",
        "float" => "f32",
        _ => return None,
    };
    let constant = match name {
        "infinity" => "INFINITY",
        "quiet_NaN" | "signaling_NaN" => "NAN",
        "max" => "MAX",
        "lowest" => "MIN",
        "min" => "MIN_POSITIVE",
        "epsilon" => "EPSILON",
        _ => return None,
    };
    let code = format!("{of}::{constant}");
    Some((if of == "f32" { format!("f64::from({code})") } else { code }, Kind::Real))
}
