//! What has to hold of extents that only a run knows.

use super::{Writer, condition, extent};
use crate::compose::value::{Symbolic, Value};
use crate::compose::violation::RuntimeAssert;
use skriptnd_syntax::build::{Expression, escaped};

impl Writer<'_> {
    /// A condition with what is said where it does not hold, as a graph asserts it; none where inputs don't tell its extents, or the
    /// language has no form for it.
    pub fn assertion(&self, assertion: &RuntimeAssert) -> Option<(Expression, String)> {
        let mut is_told = true;
        assertion.condition.symbols(&mut |symbol| is_told &= self.symbols.contains(symbol));
        let condition = condition(&assertion.condition).ok().filter(|_| is_told)?;
        let message = self.piece(&assertion.violation.message);
        // A graph that asserts something is named with what is said.
        let own = format!("invalid use of `main.{}`: ", self.graph.name);
        Some((condition, message.strip_prefix(&own).unwrap_or(&message).to_owned()))
    }

    fn piece(&self, piece: &Value) -> String {
        let mut is_told = true;
        piece.symbols(&mut |symbol| is_told &= self.symbols.contains(symbol));
        match piece {
            Value::Symbolic(Symbolic::Str(pieces)) => pieces.iter().map(|piece| self.piece(piece)).collect(),
            Value::Symbolic(Symbolic::Int(expr)) if is_told && extent(expr).is_ok() => {
                extent(expr).map_or_else(|_| String::new(), |expr| format!("{{{}}}", expr.text()))
            }
            other => escaped(&other.to_string(), '"'),
        }
    }
}
