//! Tables of what is computed, element by element, of one quantized tensor alone: an activation, or several operations such as those of a
//! GELU that a model writes out.

use super::known::{is_activation, is_elementwise, is_transcendental};
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::edit::single;
use crate::compose::graph::{Argument, Operation, OperationKind, TensorId};
use crate::compose::value::Value;
use std::collections::HashMap;

/// Integers of more bits have no tables, but where a table takes the place of functions that backends round differently.
const MOST_VALUES: i64 = 256;
/// Integers of more bits have none at all.
const MOST_VALUES_OF_FUNCTIONS: i64 = 1 << 16;
/// Operations that a table takes the place of, at most.
const MOST_OPERATIONS: usize = 32;

/// What is computed of one quantized tensor, in order.
struct Chain {
    /// The tensor that the first operations read, and what it stands for.
    begin: Option<(TensorId, Scaled)>,
    operations: Vec<Operation>,
}

impl Rules<'_, '_> {
    /// The values of a table for the integers that a tensor is computed of.
    pub(super) fn tabled(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        let mut chain = Chain { begin: None, operations: Vec::new() };
        self.follow(x, &mut chain)?;
        let (begin, scaled) = chain.begin?;
        let has_functions = || chain.operations.iter().any(is_function);
        let (least, most) = self.range(scaled.whole)?;
        let is_worth = self.has_table(&scaled) || most - least < MOST_VALUES_OF_FUNCTIONS && has_functions();
        is_worth.then_some(())?;
        let attributes = vec![("first", Value::Int(least)), ("last", Value::Int(most + 1)), ("stride", Value::Int(1))];
        let all = self.editor.call("layout.range", attributes, &[])?;
        let zero = self.zero(&scaled)?;
        let (scale, zero) = (self.editor.vector(scaled.scale)?, self.editor.vector(zero)?);
        let reals = self.editor.call("quantized.dequantize", vec![], &[all, scale, zero])?;
        let mut values = HashMap::from([(begin, reals)]);
        for operation in &chain.operations {
            let OperationKind::Operator(call) = &operation.kind else { return None };
            let inputs = operation.inputs.iter().map(|input| self.of_table(input, &values));
            let inputs = inputs.collect::<Option<Vec<_>>>()?;
            let computed = self.again(call, inputs)?;
            values.insert(single(&operation.outputs)?, computed);
        }
        let values = self.rounded(*values.get(&x)?, to)?;
        self.editor.call("quantized.lookup", vec![("least", Value::Int(least))], &[scaled.whole, values])
    }

    /// Whether integers are few enough for a table.
    pub(super) fn has_table(&self, scaled: &Scaled) -> bool {
        self.range(scaled.whole).is_some_and(|(least, most)| most.saturating_sub(least) < MOST_VALUES)
    }

    /// Notes the operations that give a tensor, those before it first.
    fn follow(&mut self, x: TensorId, chain: &mut Chain) -> Option<()> {
        if chain.operations.iter().any(|known| single(&known.outputs) == Some(x)) {
            return Some(());
        }
        if let Some(scaled) = self.scaled(x) {
            let (begin, _) = *chain.begin.get_or_insert((x, scaled));
            return (begin == x && scaled.axis.is_none()).then_some(());
        }
        let operation = self.made.get(&x)?.clone();
        let OperationKind::Operator(call) = &operation.kind else { return None };
        let is_aligned = |name: &str| !call.attributes.get(name).is_none_or(|value| *value == Value::Null);
        let is_plain = is_activation(&call.operator) || is_elementwise(&call.operator);
        if !is_plain || is_aligned("lhs_align") || is_aligned("rhs_align") || chain.operations.len() == MOST_OPERATIONS
        {
            return None;
        }
        for input in &operation.inputs {
            match input {
                Argument::Single(id) if self.known_real(*id).is_some() => {}
                Argument::Single(id) => {
                    // An operand that is repeated has other elements beside it.
                    (self.editor.ty(*id).shape == self.editor.ty(x).shape).then_some(())?;
                    self.follow(*id, chain)?;
                }
                Argument::Null => {}
                Argument::Pack(_) => return None,
            }
        }
        chain.operations.push(operation);
        Some(())
    }

    /// What an operation takes of a table's values: these, or a number.
    fn of_table(&mut self, input: &Argument, values: &HashMap<TensorId, TensorId>) -> Option<Argument> {
        let Argument::Single(id) = input else { return Some(input.clone()) };
        match values.get(id) {
            Some(computed) => Some(Argument::Single(*computed)),
            None => {
                let known = self.editor.constant(*id).and_then(first).cloned();
                let number = known.or_else(|| self.known_real(*id).map(Value::Real))?;
                self.editor.known(self.editor.ty(*id).dtype, &[], number).map(Argument::Single)
            }
        }
    }
}

/// Whether an operation computes what backends may round differently.
fn is_function(operation: &Operation) -> bool {
    matches!(&operation.kind, OperationKind::Operator(call) if is_transcendental(&call.operator))
}

/// An element of a constant.
fn first(value: &Value) -> Option<&Value> {
    match value {
        Value::Repeat(item, _) => first(item),
        Value::Pack(items) => first(items.first()?),
        value => Some(value),
    }
}
