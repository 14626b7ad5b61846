//! How many lines a text has, more or less.

use crate::translate::target_names;
use skriptnd_syntax::build::{Computation, Expression, Invocation, Operator, Statement};

/// So wide is what stands in one line of a composition.
const WIDEST: usize = 112;

/// The lines that an operator takes more than its statements.
pub(super) fn of_operator(operator: &Operator) -> usize {
    let section = |items: usize| if items == 0 { 0 } else { items + 2 };
    let interface =
        [operator.attributes.len(), operator.inputs.len(), operator.outputs.len(), operator.constants.len()];
    // Its begin and end, those of the composition, and an empty one.
    5 + interface.into_iter().map(section).sum::<usize>()
}

/// The lines of a statement.
pub(super) fn of_statement(statement: &Statement) -> usize {
    let targets = statement.targets.iter().flat_map(target_names).map(|name| name.len() + 3).sum::<usize>();
    let width = match &statement.value {
        Computation::Invocation(invocation) => targets + of_invocation(invocation),
        _ => targets,
    };
    if width <= WIDEST { 1 } else { 2 + width / WIDEST }
}

fn of_invocation(invocation: &Invocation) -> usize {
    let attributes = invocation.attributes.iter().map(|(name, value)| name.len() + 3 + width(value));
    let operands = invocation.operands.iter().map(|operand| width(operand) + 2);
    let label = invocation.label.as_ref().map_or(0, |label| label.len() + 2);
    label + invocation.operator.len() + attributes.chain(operands).sum::<usize>()
}

fn width(value: &Expression) -> usize {
    match value {
        Expression::Name(text) | Expression::Text(text) | Expression::Written(text) => text.len(),
        Expression::List(items) => items.iter().map(|item| width(item) + 2).sum(),
        Expression::Binary(_, left, right) => width(left) + width(right) + 3,
        Expression::Int(_) | Expression::Real(_) | Expression::Bool(_) | Expression::Absent => 4,
    }
}
