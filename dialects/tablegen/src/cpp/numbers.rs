//! Arithmetic that is total in Rust as predicates are: no division by zero, no shift beyond the width.

use super::kind::{Kind, Typed};

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

/// What becomes of two numbers one of which is a floating point number.
///
/// # Errors
/// Where the other one is no number, or the operator is one of integers.
pub fn reals(operator: &str, (left, kind): Typed, (right, other): Typed) -> Result<Typed, String> {
    let real = |code: &str, kind: &Kind| match kind {
        Kind::Real => Ok(code.to_string()),
        Kind::Integer => Ok(format!("({code} as f64)")),
        _ => Err(format!("'{left}' and '{right}' are not compared")),
    };
    let (left, right) = (real(&left, &kind)?, real(&right, &other)?);
    match operator {
        "+" | "-" | "*" | "/" => Ok((format!("({left} {operator} {right})"), Kind::Real)),
        "==" | "!=" | "<" | "<=" | ">" | ">=" => Ok((format!("({left} {operator} {right})"), Kind::Boolean)),
        _ => Err(format!("'{operator}' is none of floating point numbers")),
    }
}
