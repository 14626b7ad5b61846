//! Values of attributes and extents as expressions.

use crate::compose::extent::SymExpr;
use crate::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_syntax::build::{Element, Expression};

/// Longer packs of one value are written by their length.
const WRITTEN_OUT: u64 = 16;

/// A value as it is written in the language; none of what has no literal there, as what follows from extents.
pub fn literal(value: &Value) -> Option<Expression> {
    let mut is_open = false;
    value.symbols(&mut |_| is_open = true);
    if is_open { None } else { expression(value) }
}

/// The same, also of what follows from extents.
pub fn expression(value: &Value) -> Option<Expression> {
    Some(match value {
        Value::Int(value) => Expression::Int(*value),
        Value::Bool(value) => Expression::Bool(*value),
        Value::Real(value) if !value.is_nan() => Expression::Real(*value),
        Value::Str(text) if !text.contains(['\'', '\\', '{']) => Expression::Text(text.to_string()),
        Value::Pack(items) => Expression::List(items.iter().map(expression).collect::<Option<_>>()?),
        Value::Repeat(item, count) if *count <= WRITTEN_OUT => {
            Expression::List(vec![expression(item)?; usize::try_from(*count).ok()?])
        }
        Value::Repeat(item, count) => Expression::Name(format!("[{} ..({count})]", expression(item)?)),
        Value::Symbolic(Symbolic::Int(value) | Symbolic::Bool(value)) => extent(value)?,
        Value::Symbolic(Symbolic::Real(value)) => Expression::Name(value.to_string()),
        Value::Null | Value::Symbolic(_) | Value::Real(_) | Value::Str(_) => return None,
    })
}

/// An extent, or another whole number that follows from extents; none where it is a fold over a pack of open length.
pub fn extent(value: &SymExpr) -> Option<Expression> {
    match value {
        SymExpr::Const(value) => Some(Expression::Int(*value)),
        other => Some(other.to_string()).filter(|text| !text.contains(['#', '~'])).map(Expression::Name),
    }
}

/// The name of a type of elements; no tensor has strings.
pub fn element(dtype: ScalarType) -> Element {
    match dtype {
        ScalarType::Real => Element::Real,
        ScalarType::Int | ScalarType::Str => Element::Int,
        ScalarType::Bool => Element::Bool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_they_are_read() {
        let written = |value: Value| literal(&value).map(|literal| literal.to_string());
        assert_eq!(written(Value::Real(1e-30)).as_deref(), Some("1.0e-30"));
        assert_eq!(written(Value::Real(-0.25)).as_deref(), Some("-0.25"));
        assert_eq!(written(Value::Real(f64::NEG_INFINITY)).as_deref(), Some("-inf"));
        assert_eq!(written(Value::Real(f64::NAN)), None);
        assert_eq!(written(Value::Repeat(Box::new(Value::Int(2)), 3)).as_deref(), Some("[2, 2, 2]"));
        assert_eq!(written(Value::Repeat(Box::new(Value::Int(2)), 30)).as_deref(), Some("[2 ..(30)]"));
        let pack = Value::Pack(vec![Value::Str("a".into()), Value::Bool(true)]);
        assert_eq!(written(pack).as_deref(), Some("['a', true]"));
        assert_eq!(written(Value::Str("it's".into())), None);
        let symbol = |name: &str| Value::Symbolic(Symbolic::Int(SymExpr::Symbol(name.into())));
        assert_eq!(written(symbol("n")), None);
        let open = |value: &Value| expression(value).map(|text| text.to_string());
        assert_eq!(open(&Value::Pack(vec![symbol("n"), Value::Int(2)])).as_deref(), Some("[n, 2]"));
        assert_eq!(open(&symbol("~n")), None);
    }
}
