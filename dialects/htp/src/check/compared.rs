//! How two expressions compare, as far as conditions tell: the one is less, equal or greater, or where a float is no number
//! none of that.

use crate::grammar::model::{Comparison, Expr, Type};
use crate::grammar::write::Writer;

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const NONE: u8 = 8;

/// What conditions leave of the ways in which pairs of expressions may compare.
#[derive(Debug, Clone, Default)]
pub struct Compared(Vec<(String, String, u8)>);

impl Compared {
    /// Notes that a comparison holds, or with `negated` fails; whether it still may.
    pub fn add(
        &mut self,
        (comparison, first, second): (Comparison, &Expr, &Expr),
        negated: bool,
        writer: Writer<'_>,
    ) -> bool {
        let has_floats = first.ty == Type::Float || second.ty == Type::Float;
        let all = LESS | EQUAL | GREATER | if has_floats { NONE } else { 0 };
        let (first, second) = (writer.expr(first), writer.expr(second));
        let (comparison, first, second) =
            if first <= second { (comparison, first, second) } else { (comparison.mirrored(), second, first) };
        let holds = ways(comparison);
        let left = all & if negated { !holds } else { holds };
        match self.0.iter_mut().find(|(one, other, _)| *one == first && *other == second) {
            Some((.., known)) => {
                *known &= left;
                *known != 0
            }
            None => {
                self.0.push((first, second, left));
                true
            }
        }
    }
}

/// Where a comparison holds.
fn ways(comparison: Comparison) -> u8 {
    match comparison {
        Comparison::Eq => EQUAL,
        Comparison::Ne => LESS | GREATER | NONE,
        Comparison::Lt => LESS,
        Comparison::Le => LESS | EQUAL,
        Comparison::Gt => GREATER,
        Comparison::Ge => GREATER | EQUAL,
    }
}
