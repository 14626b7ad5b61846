//! The assembly of all ops: `htp.q.Relu(%x) {attributes} : (operand types) -> result types`.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Delimiter, Parser, Printer, Token};
use skriptnd_mlir::ir::OperationRef;

/// Parses what follows the name.
pub fn parse(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let operands = parser.parse_operand_list(Delimiter::Parentheses)?;
    parser.parse_optional_attribute_dictionary()?;
    parser.parse_token(Token::Colon)?;
    let (inputs, results) = parser.parse_functional_type()?;
    parser.add_resolved_operands(&operands, &inputs)?;
    parser.add_results(&results);
    Ok(())
}

/// Prints what follows the name.
pub fn print(op: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    printer.text("(").operands(op.operands()).text(")").attribute_dictionary(op, &[]).text(" : ").functional_type(op);
}
