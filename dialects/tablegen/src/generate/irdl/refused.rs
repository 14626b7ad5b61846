//! What is declared and IRDL refuses all the same.

use super::operation::Writing;
use crate::{
    error::Diagnostic,
    ods::{Arity, Operand, Operation},
};

/// A warning for everything that IRDL asks of an operation beyond its declaration.
pub fn warnings(operation: &Operation, writing: &Writing<'_>) -> Vec<Diagnostic> {
    let name = operation.name();
    let values = operation.operands.iter().chain(&operation.results);
    let mixed = values.enumerate().filter(|(index, value)| is_many(value) && !writing.is_uniform(*index));
    let mixed = mixed.map(|(_, value)| {
        let message = format!("IRDL takes values of one type only for '{}' of '{name}'", shown(value));
        Diagnostic::warning(value.place.clone(), message)
    });
    let of_operation = |message: String| Diagnostic::warning(operation.place.clone(), message);
    let sizes = [
        ("operand", "AttrSizedOperandSegments", &operation.operands),
        ("result", "AttrSizedResultSegments", &operation.results),
    ];
    let sizes = sizes.into_iter().filter(|(_, sized, values)| {
        values.iter().filter(|value| value.arity != Arity::One).count() > 1 && !operation.has_trait(sized)
    });
    let sizes =
        sizes.map(|(side, ..)| of_operation(format!("IRDL asks '{name}' for the attribute {side}SegmentSizes")));
    let successors = (!operation.successors.is_empty())
        .then(|| of_operation(format!("IRDL has no successors: '{name}' is refused where it has some")));
    let terminator = operation
        .has_trait("IsTerminator")
        .then(|| of_operation(format!("IRDL has no terminators: '{name}' ends no block that needs one")));
    mixed.chain(sizes).chain(successors).chain(terminator).collect()
}

fn is_many(value: &Operand) -> bool {
    matches!(value.arity, Arity::Variadic | Arity::VariadicOfVariadic)
}

fn shown(value: &Operand) -> &str {
    match value.name.as_str() {
        "" => "the results",
        name => name,
    }
}
