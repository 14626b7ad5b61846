//! Where the formula of an operation comes from.

use crate::call::{self, OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::definitions;
use crate::locations::{Locations, called_from, invocation};
use crate::lowering::emit::Origin;
use skriptnd_language::compose::Instance;
use skriptnd_language::compose::formula::{Formula, TensorRef};
use skriptnd_language::fault::tensor_names;
use skriptnd_mlir::ir::{Location, OperationRef};
use skriptnd_source::Span;
use skriptnd_syntax::ast::Param;

/// An operation whose operator has a formula.
pub(super) struct OperatorOrigin<'s, 'c, 'a> {
    pub operation: OperationRef<'c, 'a>,
    pub instance: &'s Instance,
    pub formula: &'s Formula,
}

impl<'c: 'a, 'a> Origin<'c> for OperatorOrigin<'_, 'c, 'a> {
    fn name(&self, tensor: TensorRef) -> String {
        let definitions = definitions::of(self.operation, &self.instance.call.operator);
        let definition = definitions.operator(&self.instance.call.operator);
        let found = match (tensor, definition) {
            (TensorRef::Constant(number), _) => self.formula.constants.get(number).map(|c| c.name.to_string()),
            (TensorRef::Input(number), Some(definition)) => {
                let count = self.operation.operand_count();
                self.names(OPERAND_SEGMENTS, count, definition.operands().collect()).into_iter().nth(number)
            }
            (TensorRef::Output(number), Some(definition)) => {
                let count = self.operation.result_count();
                self.names(RESULT_SEGMENTS, count, definition.outputs.iter().collect()).into_iter().nth(number)
            }
            _ => None,
        };
        found.unwrap_or_else(|| format!("{tensor:?}"))
    }

    fn location(&self, statement: Span) -> Location<'c> {
        let definitions = definitions::of(self.operation, &self.instance.call.operator);
        let mut locations = Locations::new(self.operation.context(), &definitions.sources);
        let caller = invocation(&self.instance.call.operator, self.operation.location());
        called_from(locations.range(statement), &[caller])
    }
}

impl OperatorOrigin<'_, '_, '_> {
    fn names(&self, segments: &str, count: usize, params: Vec<&Param>) -> Vec<String> {
        let tensors = vec![(); count];
        let grouped = call::group(&tensors, self.operation.get_integers(segments), params.iter().copied());
        grouped.map(|arguments| tensor_names(params, &arguments)).unwrap_or_default()
    }
}
