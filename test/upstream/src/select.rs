//! The assembly of `select`: `%c, %a, %b : T`, or `: C, T` where the condition has a shape.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::{Delimiter, Parser, Printer, Token};
use skriptnd_ods::mlir::ir::{OperationRef, types};

/// Parses it.
pub fn parse(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_optional_attribute_dictionary()?;
    let first = parser.parse_colon_type()?;
    let (condition, result) = match parser.parse_optional_token(Token::Comma) {
        true => (first, parser.parse_type()?),
        false => (types::integer(parser.context(), 1), first),
    };
    parser.add_resolved_operands(&operands, &[condition, result, result])?;
    parser.add_results(&[result]);
    Ok(())
}

/// Prints it.
pub fn print(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    printer.text(" ").operands(operation.operands()).attribute_dictionary(operation, &[]).text(" : ");
    let condition = operation.operand_types().into_iter().next();
    if let Some(condition) = condition.filter(|found| !types::is_integer(*found, 1)) {
        printer.r#type(condition).text(", ");
    }
    printer.types(operation.result_types());
}
