//! Types that `$_builder` makes, which predicates compare with.

use super::types::type_of;
use super::{
    expression::Expression,
    kind::{Kind, Typed},
};

/// A comparison with a type of the builder; none if neither side is one.
pub fn compared(
    operator: &str,
    left: &Expression,
    right: &Expression,
    rust: impl Fn(&Expression) -> Result<Typed, String>,
) -> Option<Result<Typed, String>> {
    let is_equal = match operator {
        "==" => true,
        "!=" => false,
        _ => return None,
    };
    let (made, other) = match (made(left), made(right)) {
        (Some(made), None) => (made, right),
        (None, Some(made)) => (made, left),
        _ => return None,
    };
    Some(rust(other).and_then(|(code, kind)| match (kind, test(&made, &code)) {
        (Kind::Type, Some(test)) => Ok((if is_equal { test } else { format!("!{test}") }, Kind::Boolean)),
        _ => Err(format!("'{code}' is not compared with {made}")),
    }))
}

/// The type that `$_builder.getF32Type()` and its like make, as MLIR writes it.
fn made(expression: &Expression) -> Option<String> {
    let Expression::Method { receiver, method, arguments, .. } = expression else { return None };
    let is_builder = matches!(&**receiver, Expression::Name(name) if name == "$_builder");
    let argument = |argument: &Expression| match argument {
        Expression::Integer(number) => Some(number.to_string()),
        Expression::Name(name) if matches!(name.as_str(), "true" | "false") => Some(name.clone()),
        _ => None,
    };
    let arguments = arguments.iter().map(argument).collect::<Option<Vec<_>>>().filter(|_| is_builder)?;
    type_of(&format!("$_builder.{method}({})", arguments.join(", ")))
}

/// The helper that asks whether a type is the one.
fn test(made: &str, code: &str) -> Option<String> {
    let width = |letters: &str| made.strip_prefix(letters)?.parse::<u32>().ok();
    let integer = |signs: &str, width: u32| Some(format!("predicate::is_{signs}_integer({code}, Some({width}))"));
    match made {
        "index" => Some(format!("predicate::is_index({code})")),
        "none" => Some(format!("predicate::is_none_type({code})")),
        "bf16" => Some(format!("predicate::is_b_float16_type({code})")),
        _ => match (width("i"), width("si"), width("ui"), width("f")) {
            (Some(width), ..) => integer("signless", width),
            (_, Some(width), ..) => integer("signed", width),
            (_, _, Some(width), _) => integer("unsigned", width),
            (.., Some(width)) => Some(format!("predicate::is_float({code}, {width})")),
            _ => None,
        },
    }
}
