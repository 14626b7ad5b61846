//! Names for what operations give.

use super::{Unwritable, Writer, element};
use crate::compose::graph::{Argument, Operation};
use skriptnd_syntax::ast::Operator;
use skriptnd_syntax::build::{Computation, Element, Expression, Statement, Target};

impl Writer<'_> {
    /// Targets for the results of an operator, and statements behind it: with something for where an optional result isn't there, what
    /// is there is optional no longer.
    pub(super) fn targets(
        &mut self,
        operation: &Operation,
        definition: &Operator,
    ) -> Result<(Vec<Target>, Vec<Statement>), Unwritable> {
        let count = operation.outputs.len();
        let (mut targets, mut behind) = (Vec::with_capacity(count), Vec::new());
        for (at, output) in operation.outputs.iter().enumerate() {
            let is_optional = definition.outputs.get(at).is_some_and(|param| param.spec.optional);
            targets.push(match output {
                Argument::Single(id) if count > 1 && !self.used.contains(id) => Target::Ignored,
                Argument::Single(id) if is_optional => {
                    let name = self.name(*id);
                    let optional = self.fresh(&format!("{name}_optional"));
                    let zero = match element(self.graph.tensor(*id).ty.dtype) {
                        Element::Real => "0.0",
                        Element::Int => "0",
                        Element::Bool => "false",
                    };
                    let value = Computation::Expression(Expression::Written(format!("{optional} ?? {zero}")));
                    behind.push(Statement::new(vec![Target::Name(name)], value));
                    Target::Name(optional)
                }
                Argument::Pack(_) if is_optional => {
                    let what = "an optional result that is a pack".into();
                    return Err(Unwritable { span: operation.span, what });
                }
                Argument::Single(id) => Target::Name(self.name(*id)),
                Argument::Pack(items) => Target::Pack(items.iter().map(|id| self.name(*id)).collect()),
                Argument::Null => Target::Ignored,
            });
        }
        Ok((targets, behind))
    }
}
