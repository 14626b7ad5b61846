//! What upstream's C++ says of the operations of `tosa`: their types, and the assembly of those with a mode for NaN.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::{Delimiter, InferenceInput, Parser, Printer};
use skriptnd_ods::mlir::ir::{OperationRef, Type};
use skriptnd_ods::predicate;

use crate::support::parsed;

/// A tensor as text has it; without extents where there are none.
fn tensor<'c>(extents: Option<&[i64]>, element: Type<'c>) -> Result<Vec<Type<'c>>, Failure> {
    let text: String = match extents {
        Some(extents) => {
            extents.iter().map(|extent| if *extent < 0 { "?x".into() } else { format!("{extent}x") }).collect()
        }
        None => "*x".into(),
    };
    parsed(element.context(), &format!("tensor<{text}{element}>")).map(|found| vec![found])
}

fn extents(found: Type<'_>) -> Option<Vec<i64>> {
    predicate::has_rank(found).then(|| predicate::get_shape(found))
}

fn axis(input: &InferenceInput<'_, '_>) -> usize {
    input.attribute("axis").map(predicate::integer).and_then(|axis| usize::try_from(axis).ok()).unwrap_or_default()
}

fn first<'c>(input: &InferenceInput<'c, '_>) -> Result<Type<'c>, Failure> {
    input.operand_types().into_iter().next().ok_or_else(|| Failure::new("expected an operand"))
}

/// The axis has one item only.
pub fn reduced<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let source = first(input)?;
    let mut extents = extents(source);
    if let Some(extent) = extents.as_mut().and_then(|extents| extents.get_mut(axis(input))) {
        *extent = 1;
    }
    tensor(extents.as_deref(), predicate::element_type(source))
}

/// Booleans of the extents that both are repeated to.
pub fn compared<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let bool = parsed(input.context, "i1")?;
    let all: Option<Vec<Vec<i64>>> = input.operand_types().into_iter().map(extents).collect();
    let joined = all.and_then(|all| {
        let rank = all.first()?.len();
        (0..rank)
            .map(|index| all.iter().filter_map(|extents| extents.get(index)).copied().max_by_key(|e| (*e != 1, *e)))
            .collect()
    });
    let joined: Option<Vec<i64>> = joined;
    tensor(joined.as_deref(), bool)
}

/// One behind the other along the axis.
pub fn joined<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let source = first(input)?;
    let (mut joined, axis) = (extents(source), axis(input));
    let along = |found: &Type<'_>| extents(*found).and_then(|extents| extents.get(axis).copied()).filter(|e| *e >= 0);
    let sum: Option<i64> = input.operand_types().iter().map(along).sum();
    if let Some(extent) = joined.as_mut().and_then(|extents| extents.get_mut(axis)) {
        *extent = sum.unwrap_or(i64::MIN);
    }
    tensor(joined.as_deref(), predicate::element_type(source))
}

/// One tensor each of the same elements, whose known extents agree.
pub fn are_compatible(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
    let ([left], [right]) = (inferred, found) else { return false };
    if predicate::element_type(*left) != predicate::element_type(*right) {
        return false;
    }
    let (Some(left), Some(right)) = (extents(*left), extents(*right)) else { return true };
    left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| left == right || *left < 0 || *right < 0)
}

/// Parses operands, attributes and types.
pub fn parse(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_optional_attribute_dictionary()?;
    parser.parse_token(skriptnd_ods::mlir::dialect::Token::Colon)?;
    let (inputs, results) = parser.parse_functional_type()?;
    parser.add_resolved_operands(&operands, &inputs)?;
    parser.add_results(&results);
    Ok(())
}

/// Prints them.
pub fn print(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    printer.text(" ").operands(operation.operands()).attribute_dictionary(operation, &[]).text(" : ");
    printer.functional_type(operation);
}
