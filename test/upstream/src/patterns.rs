//! The attributes of `pdl.operation`: `{"name" = %value}`.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::{Delimiter, Parser, Printer, Token};
use skriptnd_ods::mlir::ir::{OperationRef, attributes};
use skriptnd_ods::{FormatParser, OperationDefinition, predicate};

const NAMES: &str = "attributeValueNames";
const VALUES: &str = "attributeValues";

fn values(definition: &OperationDefinition) -> Option<usize> {
    definition.operands.iter().position(|operand| operand.name == VALUES)
}

/// Parses them.
pub fn parse_attributes<'c, 'p>(
    parser: &mut Parser<'c, 'p>,
    parsed: &mut FormatParser<'c, 'p, '_>,
) -> Result<(), Failure> {
    let mut operands = Vec::new();
    let names = parser.parse_list(Delimiter::OptionalBraces, |parser| {
        let name = parser.parse_string()?;
        parser.parse_token(Token::Equal)?;
        operands.push(parser.parse_operand()?);
        Ok(attributes::string(parser.context(), &name))
    })?;
    if let Some(index) = values(parsed.definition()) {
        parsed.set_operands(index, operands);
    }
    parser.add_attribute(NAMES, attributes::array(parser.context(), &names));
    Ok(())
}

/// Prints them.
pub fn print_attributes(operation: OperationRef<'_, '_>, definition: &OperationDefinition, printer: &mut Printer<'_>) {
    let names = operation.get(NAMES).map_or(Vec::new(), predicate::elements);
    let operands = values(definition).map_or(Vec::new(), |index| definition.operand_group(operation, index));
    if names.is_empty() {
        return;
    }
    printer.text(" {");
    for (index, (name, operand)) in names.into_iter().zip(operands).enumerate() {
        printer.text(if index == 0 { "" } else { ", " }).attribute(name).text(" = ").operand(operand);
    }
    printer.text("}");
}
