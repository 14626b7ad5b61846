//! Lists of indices, of which some are operands and the others numbers: `[%i, 4]`.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::{Delimiter, Parser, Printer};
use skriptnd_ods::mlir::ir::{Attribute, Context, OperationRef, attributes};
use skriptnd_ods::{Element, FormatParser, OperationDefinition, Reference, predicate};

/// The number that stands for an operand in the list of numbers.
const DYNAMIC: i64 = i64::MIN;

/// The indices of the operand and of the attribute among the arguments of a directive.
fn declared(arguments: &[Element]) -> Option<(usize, usize)> {
    match arguments {
        [Element::Variable(Reference::Operand(operand)), Element::Variable(Reference::Attribute(attribute)), ..] => {
            Some((*operand, *attribute))
        }
        _ => None,
    }
}

/// Parses `custom<DynamicIndexList>($operands, $numbers)`.
pub fn parse<'c, 'p>(
    parser: &mut Parser<'c, 'p>,
    parsed: &mut FormatParser<'c, 'p, '_>,
    arguments: &[Element],
) -> Result<(), Failure> {
    let Some((operand, attribute)) = declared(arguments) else { return Err(parser.error("unknown arguments")) };
    let mut operands = Vec::new();
    let numbers = parser.parse_list(Delimiter::Square, |parser| match parser.parse_optional_operand()? {
        Some(found) => {
            operands.push(found);
            Ok(DYNAMIC)
        }
        None => parser.parse_integer(),
    })?;
    parsed.set_operands(operand, operands);
    let numbers = dense(parser.context(), &numbers).ok_or_else(|| parser.error("expected integers"))?;
    parser.add_attribute(parsed.definition().attributes[attribute].name, numbers);
    Ok(())
}

fn dense<'c>(context: &'c Context, numbers: &[i64]) -> Option<Attribute<'c>> {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let text = if numbers.is_empty() { "array<i64>".into() } else { format!("array<i64: {}>", numbers.join(", ")) };
    attributes::parse(context, &text)
}

/// Prints it.
pub fn print(
    operation: OperationRef<'_, '_>,
    definition: &OperationDefinition,
    arguments: &[Element],
    printer: &mut Printer<'_>,
) {
    let Some((operand, attribute)) = declared(arguments) else { return };
    let mut operands = definition.operand_group(operation, operand).into_iter();
    let numbers = operation.get(definition.attributes[attribute].name).map_or(Vec::new(), predicate::integers);
    printer.text("[");
    for (index, number) in numbers.into_iter().enumerate() {
        printer.text(if index == 0 { "" } else { ", " });
        let operand = if number == DYNAMIC { operands.next() } else { None };
        match operand {
            Some(operand) => printer.operand(operand),
            None => printer.text(&number.to_string()),
        };
    }
    printer.text("]");
}
