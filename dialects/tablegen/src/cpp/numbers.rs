//! Numbers of C++ in Rust: those with a point, and what is made of one type of number for another.

use super::{
    computed,
    integer::{Integer, named},
    kind::{Kind, Typed},
    limits,
};

/// A number as a `double`.
fn real(given: &Typed) -> Option<String> {
    if given.1.is_real() {
        return Some(given.0.clone());
    }
    let (code, _) = computed::promoted(given)?;
    // A literal may be too large for the type that Rust gives it.
    Some(if code.parse::<i128>().is_ok() { format!("{code}.0") } else { format!("({code} as f64)") })
}

/// A number as a `float`.
fn float(given: &Typed) -> Option<String> {
    match given {
        (code, Kind::Float) => Some(code.clone()),
        (code, Kind::Real) => Some(rounded(code)),
        _ => {
            let (code, _) = computed::promoted(given)?;
            Some(match code.parse::<i128>() {
                Ok(value) => format!("{:?}", f64::from(value as f32)),
                Err(_) => rounded(&code),
            })
        }
    }
}

/// A number with the precision of a `float`.
fn rounded(code: &str) -> String {
    format!("f64::from({code} as f32)")
}

/// The floating point type that C++ computes with two numbers in, and both as numbers of it.
fn alike_reals(left: &Typed, right: &Typed) -> Option<(String, String, Kind)> {
    if left.1 == Kind::Real || right.1 == Kind::Real {
        return Some((real(left)?, real(right)?, Kind::Real));
    }
    Some((float(left)?, float(right)?, Kind::Float))
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
    let (left, right, kind) = alike_reals(left, right).ok_or_else(not_compared)?;
    // The negation of a comparison, in the form that Rust's lints ask for.
    let unless = |order: &str| {
        let test = format!("f64::partial_cmp(&{left}, &{right}).is_none_or(std::cmp::Ordering::{order})");
        Ok((test, Kind::Boolean))
    };
    match operator {
        "+" | "-" | "*" | "/" => {
            let code = format!("({left} {operator} {right})");
            Ok((if kind == Kind::Float { rounded(&code) } else { code }, kind))
        }
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
    let all = |as_one: fn(&Typed) -> Option<String>, kind: Kind| {
        let codes: Option<Vec<String>> = items.iter().map(as_one).collect();
        codes.map(|codes| (codes, kind)).ok_or_else(|| "numbers stand beside what is none".to_string())
    };
    let has = |kind: Kind| items.iter().any(|(_, other)| *other == kind);
    if has(Kind::Real) {
        return all(real, Kind::Real);
    }
    if has(Kind::Float) {
        return all(float, Kind::Float);
    }
    if items.iter().any(|(_, kind)| kind.is_integer()) {
        let integers: Option<Vec<_>> = items.iter().map(computed::promoted).collect();
        let integers = integers.ok_or("numbers stand beside what is none")?;
        let r#type = integers.iter().map(|(_, r#type)| *r#type).max().unwrap_or(Integer::Int);
        let codes = integers.iter().map(|(code, from)| computed::converted(code, *from, r#type));
        return Ok((codes.collect(), Kind::Integer(r#type)));
    }
    let kind = items.first().map_or(Kind::LONG, |(_, kind)| kind.clone());
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
    let is_real = given.1.is_real();
    let (code, from) = match computed::promoted(&given) {
        Some((code, from)) => (code, Some(from)),
        None if is_real => (given.0.clone(), None),
        None => return Ok(given),
    };
    match class {
        "double" => return Ok((real(&given).unwrap_or_default(), Kind::Real)),
        "float" => return Ok((float(&given).unwrap_or_default(), Kind::Float)),
        "bool" if given.1 == Kind::Boolean => return Ok(given),
        "bool" => return Ok((format!("({code} != {})", if is_real { "0.0" } else { "0" }), Kind::Boolean)),
        _ => {}
    }
    match (named(class), from) {
        (None, None) => Err(format!("what a floating point number is as '{class}' is not known")),
        (None, _) => Ok(given),
        // What is 32 or 64 bits wide is computed with as it is.
        (Some((native, r#type)), Some(from)) if native == r#type.native() => {
            Ok((computed::converted(&code, from, r#type), Kind::Integer(r#type)))
        }
        (Some((native @ ("i64" | "u64"), r#type)), _) => Ok((format!("({code} as {native})"), Kind::Integer(r#type))),
        (Some((native, r#type)), _) => Ok((format!("i64::from({code} as {native})"), Kind::Integer(r#type))),
    }
}

/// A function of the standard library over numbers; those of two arguments are what C++ says of NaN and zeros, too.
pub fn function(name: &str, templates: &[String], arguments: &[Typed]) -> Option<Typed> {
    let method = |method: &str, argument: &Typed| Some(format!("f64::{method}({})", real(argument)?));
    // What is computed with a `float` is one, and anything else is computed with as a `double`.
    let kind = |argument: &Typed| if argument.1 == Kind::Float { Kind::Float } else { Kind::Real };
    match (name, arguments) {
        ("abs", [number]) if !number.1.is_real() => absolute(number),
        ("isnan", [number]) => Some((method("is_nan", number)?, Kind::Boolean)),
        ("isinf", [number]) => Some((method("is_infinite", number)?, Kind::Boolean)),
        ("isfinite", [number]) => Some((method("is_finite", number)?, Kind::Boolean)),
        ("signbit", [number]) => Some((method("is_sign_negative", number)?, Kind::Boolean)),
        ("abs" | "fabs", [number]) => Some((method("abs", number)?, kind(number))),
        ("sqrt", [number]) if number.1 == Kind::Float => Some((rounded(&method(name, number)?), Kind::Float)),
        ("floor" | "ceil" | "trunc" | "round" | "sqrt", [number]) => Some((method(name, number)?, kind(number))),
        ("min" | "max", [left, right]) if !is_real(templates) && !left.1.is_real() && !right.1.is_real() => {
            least_or_greatest(name, templates, left, right)
        }
        ("min" | "max" | "fmin" | "fmax", [left, right]) => {
            let function = match name {
                "min" => "predicate::minimum",
                "max" => "predicate::maximum",
                "fmin" => "f64::min",
                _ => "f64::max",
            };
            let (left, right, kind) = alike_reals(left, right)?;
            Some((format!("{function}({left}, {right})"), kind))
        }
        (name, []) => limit(templates.first()?, name),
        _ => None,
    }
}

/// `std::abs` of an integer.
fn absolute(number: &Typed) -> Option<Typed> {
    let (code, r#type) = computed::promoted(number)?;
    match r#type {
        Integer::Int | Integer::Long => Some((format!("i64::saturating_abs({code})"), Kind::Integer(r#type))),
        _ => None,
    }
}

/// `std::min` or `std::max` of two integers, of the type that is named.
fn least_or_greatest(name: &str, templates: &[String], left: &Typed, right: &Typed) -> Option<Typed> {
    let given = |number: &Typed| match templates {
        [class] => converted(class, number.clone()).ok(),
        _ => Some(number.clone()),
    };
    let (numbers, kind) = alike(vec![given(left)?, given(right)?]).ok()?;
    let native = if kind == Kind::SIZE { "u64" } else { "i64" };
    kind.is_integer().then(|| (format!("{native}::{name}({}, {})", numbers[0], numbers[1]), kind))
}

fn is_real(templates: &[String]) -> bool {
    matches!(templates, [class] if matches!(class.as_str(), "double" | "float"))
}

/// What `std::numeric_limits<class>::name()` is.
fn limit(class: &str, name: &str) -> Option<Typed> {
    if let Some(number) = limits::limit_of(class, name) {
        return Some(computed::constant(number));
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
    Some(if of == "f32" { (format!("f64::from({code})"), Kind::Float) } else { (code, Kind::Real) })
}
