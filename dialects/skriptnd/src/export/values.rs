//! Values of attributes as expressions.

use super::spelling::{integer, real, spelled};
use super::writer::Writer;
use skriptnd_language::compose::extent::{POSITION, SymExpr};
use skriptnd_language::compose::value::{Symbolic, Value};
use skriptnd_mlir::Failure;
use skriptnd_syntax::build::Expression;

impl Writer {
    /// An attribute's value.
    pub(super) fn constant(&self, value: &Value) -> Result<Expression, Failure> {
        Ok(match value {
            Value::Null => Expression::Absent,
            Value::Int(value) => integer(*value),
            Value::Real(value) => real(*value),
            Value::Bool(value) => Expression::Bool(*value),
            Value::Str(text) => Expression::Text(text.to_string()),
            Value::Pack(items) => {
                Expression::List(items.iter().map(|item| self.constant(item)).collect::<Result<_, _>>()?)
            }
            Value::Repeat(item, count) => {
                repeated(&self.constant(item)?, &Expression::Int(i64::try_from(*count).unwrap_or(i64::MAX)))
            }
            Value::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr)) => self.extent(expr)?,
            Value::Symbolic(Symbolic::Real(expr)) => {
                let known = expr.substitute(&|symbol| self.symbols.get(symbol).cloned());
                let known = known.ok_or("has an attribute that depends on extents which nothing in the text tells")?;
                Expression::Written(spelled(&known.to_string())?)
            }
            Value::Symbolic(Symbolic::Str(_)) => return Err("has a text that depends on extents".into()),
            Value::Symbolic(Symbolic::Pack { item, length }) => self.open_pack(item, length)?,
        })
    }

    /// A pack as long as extents say: what stands for the number of an item is the pack of all numbers.
    fn open_pack(&self, item: &Value, length: &SymExpr) -> Result<Expression, Failure> {
        let length = self.extent(length)?;
        let mut is_numbered = false;
        item.symbols(&mut |symbol| is_numbered |= &**symbol == POSITION);
        if !is_numbered {
            return Ok(repeated(&self.constant(item)?, &length));
        }
        let numbers = SymExpr::Symbol(format!("[0:{}]", length.text()).into());
        let lookup =
            |symbol: &str| if symbol == POSITION { Some(numbers.clone()) } else { self.symbols.get(symbol).cloned() };
        let item =
            item.substitute(&lookup).ok_or("has a pack that depends on extents which nothing in the text tells")?;
        let text = match &item {
            Value::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr)) => expr.to_string(),
            Value::Symbolic(Symbolic::Real(expr)) => expr.to_string(),
            _ => return Err("has a pack of other packs".into()),
        };
        Ok(Expression::Written(spelled(&text)?))
    }
}

fn repeated(item: &Expression, count: &Expression) -> Expression {
    Expression::Name(format!("[{} ..({})]", item.text(), count.text()))
}
