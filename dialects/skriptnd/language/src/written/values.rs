//! Values of attributes and extents as expressions.

use super::spelling::{self, Item, Unspellable};
use crate::compose::extent::{POSITION, SymExpr};
use crate::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_syntax::build::{Element, Expression};

/// Longer packs of one value are written by their length.
const WRITTEN_OUT: u64 = 16;

/// A value as it is written in the language; none of what follows from extents.
pub fn literal(value: &Value) -> Option<Expression> {
    let mut is_open = *value == Value::Null;
    value.symbols(&mut |_| is_open = true);
    if is_open { None } else { expression(value).ok() }
}

/// A value, also one that follows from extents.
///
/// # Errors
/// Where the language has no form for it.
pub fn expression(value: &Value) -> Result<Expression, Unspellable> {
    Ok(match value {
        Value::Null => Expression::Absent,
        Value::Int(value) => Expression::Int(*value),
        Value::Bool(value) => Expression::Bool(*value),
        Value::Real(value) => Expression::Real(*value),
        Value::Str(text) => Expression::Text(text.to_string()),
        Value::Pack(items) => Expression::List(items.iter().map(expression).collect::<Result<_, _>>()?),
        Value::Repeat(item, count) if *count <= WRITTEN_OUT => {
            Expression::List(vec![expression(item)?; usize::try_from(*count).unwrap_or(0)])
        }
        Value::Repeat(item, count) => repeated(&expression(item)?, &count.to_string()),
        Value::Symbolic(Symbolic::Int(value)) => extent(value)?,
        Value::Symbolic(Symbolic::Bool(value)) => Expression::Written(spelling::condition(value)?),
        Value::Symbolic(Symbolic::Real(value)) => Expression::Written(spelling::real(value)?),
        Value::Symbolic(Symbolic::Str(_)) => return Err(Unspellable("a text that depends on extents")),
        Value::Symbolic(Symbolic::Pack { item, length }) => open_pack(item, length)?,
    })
}

/// An extent, or another whole number that follows from extents.
///
/// # Errors
/// Where the language has no form for it.
pub fn extent(value: &SymExpr) -> Result<Expression, Unspellable> {
    Ok(match value {
        SymExpr::Const(value) => Expression::Int(*value),
        SymExpr::Symbol(name) => Expression::Name(name.to_string()),
        other => Expression::Written(spelling::whole(other)?),
    })
}

/// A condition that follows from extents.
///
/// # Errors
/// Where the language has no form for it.
pub fn condition(value: &SymExpr) -> Result<Expression, Unspellable> {
    spelling::condition(value).map(Expression::Written)
}

/// A pack as long as extents say: what stands for the number of an item is the pack of all numbers.
fn open_pack(item: &Value, length: &SymExpr) -> Result<Expression, Unspellable> {
    let mut is_numbered = false;
    item.symbols(&mut |symbol| is_numbered |= &**symbol == POSITION);
    if !is_numbered {
        return Ok(repeated(&expression(item)?, &extent(length)?.text()));
    }
    let item = match item {
        Value::Symbolic(Symbolic::Int(item)) => Item::Whole(item),
        Value::Symbolic(Symbolic::Bool(item)) => Item::Condition(item),
        Value::Symbolic(Symbolic::Real(item)) => Item::Real(item),
        _ => return Err(Unspellable("a pack of other packs")),
    };
    Ok(Expression::Written(spelling::pack(&item, length)?))
}

fn repeated(item: &Expression, count: &str) -> Expression {
    Expression::Name(format!("[{} ..({count})]", item.text()))
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
    use crate::compose::extent::SymOp;

    #[test]
    fn values_are_written_as_they_are_read() {
        let written = |value: Value| literal(&value).map(|literal| literal.to_string());
        assert_eq!(written(Value::Real(1e-30)).as_deref(), Some("1.0e-30"));
        assert_eq!(written(Value::Real(-0.25)).as_deref(), Some("-0.25"));
        assert_eq!(written(Value::Real(f64::NEG_INFINITY)).as_deref(), Some("-inf"));
        assert_eq!(written(Value::Real(f64::NAN)).as_deref(), Some("inf - inf"));
        assert_eq!(written(Value::Int(i64::MIN)).as_deref(), Some("int(-inf)"));
        assert_eq!(written(Value::Repeat(Box::new(Value::Int(2)), 3)).as_deref(), Some("[2, 2, 2]"));
        assert_eq!(written(Value::Repeat(Box::new(Value::Int(2)), 30)).as_deref(), Some("[2 ..(30)]"));
        let pack = Value::Pack(vec![Value::Str("a".into()), Value::Bool(true)]);
        assert_eq!(written(pack).as_deref(), Some("['a', true]"));
        assert_eq!(written(Value::Str("it's".into())).as_deref(), Some("\"it's\""));
        assert_eq!(written(Value::Str("{a}\\\n".into())).as_deref(), Some(r"'\{a\}\\\n'"));
        let symbol = |name: &str| Value::Symbolic(Symbolic::Int(SymExpr::Symbol(name.into())));
        assert_eq!(written(symbol("n")), None);
        let open = |value: &Value| expression(value).ok().map(|text| text.to_string());
        assert_eq!(open(&Value::Pack(vec![symbol("n"), Value::Int(2)])).as_deref(), Some("[n, 2]"));
    }

    #[test]
    fn expressions_of_extents_are_written_as_they_are_read() {
        let spelled =
            |text: &str| expression(&Value::Symbolic(Symbolic::Int(text.parse().unwrap()))).map(|it| it.text());
        assert_eq!(spelled("abs(n - 1) + sign(m)").as_deref(), Ok("`abs`(n - 1) + `sign`(m)"));
        assert_eq!(spelled("(sum of # % 7 for # < n)").as_deref(), Ok("(([0:n] % 7) + ..)"));
        assert_eq!(spelled("(maximum of m for # < n)").as_deref(), Ok("(([m ..(n)] >> ..) ?? 0)"));
        assert_eq!(spelled("2 < n ? 2 : 1 / 0").as_deref(), Ok("2 < n ? 2 : 1 / int(2 < n)"));
        let (n, four) = (SymExpr::Symbol("n".into()), SymExpr::Const(4));
        let quarter = SymExpr::Apply(SymOp::FloorDiv, vec![n.clone(), four.clone()]);
        let negative = SymExpr::Product(vec![SymExpr::Const(-1), quarter]);
        assert_eq!(extent(&negative).unwrap().text(), "-(n / 4)");
        let counted = SymExpr::Sum(vec![SymExpr::Apply(SymOp::Lt, vec![n.clone(), four]), n]);
        assert_eq!(extent(&counted).unwrap().text(), "int(n < 4) + n");
        assert!(spelled("1 / 0").is_err());
    }

    #[test]
    fn packs_of_open_length_are_written_by_the_numbers_of_their_items() {
        let pack = |item: &str| {
            let item = Box::new(Value::Symbolic(Symbolic::Int(item.parse().unwrap())));
            let length = SymExpr::Symbol("n".into());
            expression(&Value::Symbolic(Symbolic::Pack { item, length })).unwrap().text()
        };
        assert_eq!(pack("2 * # + m"), "2 * [0:n] + m");
        assert_eq!(pack("m"), "[m ..(n)]");
        assert_eq!(pack("# < 1 ? 7 : # - 1"), "[0:n] < 1 ? 7 : [0:n] - 1");
        assert_eq!(pack("m < 1 ? 7 : #"), "m < 1 ? [7 ..(n)] : [0:n]");
        assert_eq!(pack("# < 1 ? 7 : # < 2"), "[0:n] < 1 ? 7 : int([0:n] < 2)");
        assert_eq!(pack("# < 1 ? 1 : # < 2"), "int([0:n] < 1 ? true : [0:n] < 2)");
    }
}
