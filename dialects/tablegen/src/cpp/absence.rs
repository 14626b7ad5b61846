//! Null pointers, and opposites.

use super::{
    expression::Expression,
    kind::{Kind, Typed},
};

/// Whether an expression is a pointer to nothing.
pub fn is_null(expression: &Expression) -> bool {
    match expression {
        Expression::Name(name) => name == "nullptr",
        Expression::Call { function, arguments, .. } => {
            matches!(function.as_str(), "Value" | "Attribute" | "Type") && arguments.is_empty()
        }
        _ => false,
    }
}

/// Whether something is there, or is not.
pub fn presence(operator: &str, (code, kind): Typed) -> Result<Typed, String> {
    let is_there = operator == "!=";
    match (operator, kind) {
        ("==" | "!=", Kind::Maybe(_)) => {
            Ok((format!("{code}.{}()", if is_there { "is_some" } else { "is_none" }), Kind::Boolean))
        }
        ("==" | "!=", Kind::Type | Kind::Attribute(_) | Kind::Value) => Ok((is_there.to_string(), Kind::Boolean)),
        _ => Err(format!("'{code}' is not compared with a null pointer")),
    }
}

/// The opposite of a condition.
pub fn not(code: String) -> String {
    match (code.as_str(), code.strip_suffix(".is_some()")) {
        ("true", _) => "false".into(),
        ("false", _) => "true".into(),
        (_, Some(name)) if !name.contains(' ') => format!("{name}.is_none()"),
        _ => format!("!{code}"),
    }
}
