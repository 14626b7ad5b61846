//! The assembly that operators share, and that of graphs.
//!
//! ```text
//! %y = skriptnd.nn.conv(%x, %w, none) {groups = 1 : i64} : (tensor<...>, tensor<...>) -> tensor<...>
//! %z = skriptnd.layout.concat([%a, %b]) {axis = 1 : i64} : (tensor<...>, tensor<...>) -> tensor<...>
//! ```
//! A pack stands in brackets, `none` for an optional input that is null; both say how many operands belong to each
//! input, so that the attribute `operandSegmentSizes` need not be written.

use crate::call::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::generated::definitions;
use crate::generated::operations::GraphOp;
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Delimiter, Parser, Printer, RegionPrinting, Token, Trait, UnresolvedOperand};
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, Value, attributes, block_arguments, region_blocks, types};
use skriptnd_ods::{GroupArity, OperationDefinition};

/// What stands for an optional input that is null: MLIR has no token for the language's `~`.
const ABSENT: &str = "none";

/// What declares the bounds of extents, the graph's attribute and the word before them.
const EXTENTS: &str = "extents";

/// The declaration of a standard operation.
pub fn definition(name: &str) -> Option<&'static OperationDefinition> {
    definitions::ALL.iter().copied().find(|definition| definition.name == name)
}

/// Parses an operator, declared or not.
pub fn parse_operator(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let definition = definition(parser.operation_name());
    let groups = parser.parse_list(Delimiter::Parentheses, parse_group)?;
    parser.parse_optional_attribute_dictionary()?;
    parser.parse_token(Token::Colon)?;
    let (inputs, outputs) = parser.parse_functional_type()?;
    let operands: Vec<UnresolvedOperand> = groups.iter().flat_map(|group| group.operands.iter().copied()).collect();
    parser.add_resolved_operands(&operands, &inputs)?;
    parser.add_results(&outputs);
    let sized = definition.is_some_and(|definition| definition.has_trait(Trait::AttrSizedOperandSegments));
    let marked = groups.iter().any(|group| group.marked);
    if (sized || marked) && parser.attribute(OPERAND_SEGMENTS).is_none() {
        let sizes: Vec<i32> = groups.iter().map(|group| group.operands.len() as i32).collect();
        parser.add_attribute(OPERAND_SEGMENTS, attributes::segment_sizes(parser.context(), &sizes));
    }
    if definition.is_some_and(has_one_pack_of_results) && parser.attribute(RESULT_SEGMENTS).is_none() {
        let sizes = [outputs.len() as i32];
        parser.add_attribute(RESULT_SEGMENTS, attributes::segment_sizes(parser.context(), &sizes));
    }
    Ok(())
}

/// What is written for one input.
struct Group<'p> {
    operands: Vec<UnresolvedOperand<'p>>,
    /// Whether it is a pack or absent.
    marked: bool,
}

fn parse_group<'p>(parser: &mut Parser<'_, 'p>) -> Result<Group<'p>, Failure> {
    if parser.parse_optional_keyword(ABSENT) {
        return Ok(Group { operands: Vec::new(), marked: true });
    }
    if parser.parse_optional_token(Token::LeftSquare) {
        let operands = parser.parse_operand_list(Delimiter::None)?;
        parser.parse_token(Token::RightSquare)?;
        return Ok(Group { operands, marked: true });
    }
    Ok(Group { operands: vec![parser.parse_operand()?], marked: false })
}

/// A single pack: its size is the number of results.
fn has_one_pack_of_results(definition: &OperationDefinition) -> bool {
    definition.has_trait(Trait::AttrSizedResultSegments) && definition.results.len() == 1
}

/// Prints an operator, declared or not.
pub fn print_operator(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    let definition = definition(operation.full_name());
    let operands: Vec<Value> = operation.operands().collect();
    let sizes = operand_sizes(operation, operands.len());
    let is_pack = |index: usize| {
        let declared = definition.and_then(|definition| definition.operands.get(index));
        declared.is_some_and(|declared| declared.arity == GroupArity::Variadic)
    };
    printer.text("(");
    let mut rest = operands.as_slice();
    for (index, size) in sizes.iter().enumerate() {
        let (group, behind) = rest.split_at(*size);
        rest = behind;
        printer.text(if index == 0 { "" } else { ", " });
        match group {
            [single] if !is_pack(index) => drop(printer.operand(*single)),
            [] if !is_pack(index) => drop(printer.text(ABSENT)),
            group => drop(printer.text("[").operands(group.iter().copied()).text("]")),
        }
    }
    printer.text(")");
    let shown = definition.is_some() || sizes.iter().any(|size| *size != 1);
    let mut without = Vec::new();
    if shown {
        without.push(OPERAND_SEGMENTS);
    }
    if definition.is_some_and(has_one_pack_of_results) {
        without.push(RESULT_SEGMENTS);
    }
    printer.attribute_dictionary(operation, &without);
    printer.text(" : ").functional_type(operation);
}

/// How many operands stand for each input; one for each without a sound attribute that says it.
fn operand_sizes(operation: OperationRef<'_, '_>, count: usize) -> Vec<usize> {
    let sizes: Option<Vec<usize>> = operation
        .get_integers(OPERAND_SEGMENTS)
        .and_then(|sizes| sizes.into_iter().map(|size| usize::try_from(size).ok()).collect());
    let sound = |sizes: &Vec<usize>| sizes.iter().try_fold(0usize, |sum, size| sum.checked_add(*size)) == Some(count);
    sizes.filter(sound).unwrap_or_else(|| vec![1; count])
}

/// Parses `@Name(%x: type {...}, ...) -> (type {...}, ...) extents {n <= 32} attributes {...} { ... }`.
pub fn parse_graph(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let context = parser.context();
    let name = parser.parse_symbol_name()?;
    let arguments = parser.parse_list(Delimiter::Parentheses, |parser| parser.parse_argument(true))?;
    parser.parse_token(Token::Arrow)?;
    let results = parser.parse_list(Delimiter::Parentheses, |parser| {
        let r#type = parser.parse_type()?;
        Ok((r#type, parser.parse_optional_attribute(None)?))
    })?;
    if parser.parse_optional_keyword(EXTENTS) {
        let bounds = parser.parse_list(Delimiter::Braces, parse_bound)?;
        let bounds: Vec<_> =
            bounds.iter().map(|(name, bound)| (name.as_str(), attributes::integer(context, *bound))).collect();
        parser.add_attribute(EXTENTS, attributes::dictionary(context, &bounds));
    }
    parser.parse_optional_attribute_dictionary_with_keyword()?;
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.r#type).collect();
    let (outputs, result_attributes): (Vec<Type>, Vec<Option<Attribute>>) = results.into_iter().unzip();
    parser.add_attribute("sym_name", attributes::string(context, &name));
    parser.add_attribute("function_type", attributes::r#type(types::function(context, &inputs, &outputs)));
    let empty = attributes::dictionary(context, &[]);
    let argument_attributes: Vec<Attribute> = arguments.iter().map(|argument| argument.attributes).collect();
    let result_attributes: Vec<Attribute> =
        result_attributes.into_iter().map(|attribute| attribute.unwrap_or(empty)).collect();
    for (name, list) in [("arg_attrs", argument_attributes), ("res_attrs", result_attributes)] {
        if list.iter().any(|attribute| *attribute != empty) {
            parser.add_attribute(name, attributes::array(context, &list));
        }
    }
    let body = parser.parse_region(&arguments)?;
    parser.add_region(body);
    Ok(())
}

/// Parses `n <= 32`; names that MLIR can't read are quoted.
fn parse_bound(parser: &mut Parser<'_, '_>) -> Result<(String, i64), Failure> {
    let name = match parser.parse_optional_string() {
        Some(name) => name,
        None => parser.parse_identifier()?,
    };
    parser.parse_token(Token::Less)?;
    parser.parse_token(Token::Equal)?;
    Ok((name, parser.parse_integer()?))
}

fn print_bounds(bounds: Attribute<'_>, printer: &mut Printer<'_>) {
    printer.text(" extents {");
    for (at, (name, bound)) in attributes::as_dictionary(bounds).unwrap_or_default().into_iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
        if is_plain {
            printer.text(name)
        } else {
            printer.string(name)
        };
        printer.text(" <= ").text(&attributes::as_integer(bound).unwrap_or_default().to_string());
    }
    printer.text("}");
}

/// Prints what [`parse_graph`] parses.
pub fn print_graph(graph: GraphOp<'_, '_>, printer: &mut Printer<'_>) {
    printer.text(" ").symbol_name(graph.sym_name().unwrap_or_default());
    let Ok(body) = graph.body() else { return };
    let arguments: Vec<Value> =
        region_blocks(body).next().map(|block| block_arguments(block).collect()).unwrap_or_default();
    printer.text("(");
    let argument_attributes = graph.arg_attrs().unwrap_or_default();
    for (index, argument) in arguments.into_iter().enumerate() {
        // Not as a region argument: its location would stand before the attributes, where none is read.
        printer.text(if index == 0 { "" } else { ", " }).operand(argument).text(": ").r#type(argument.r#type());
        print_dictionary(argument_attributes.get(index).copied(), printer);
    }
    printer.text(") -> (");
    let function = graph.function_type().ok().and_then(types::function_parts);
    let result_attributes = graph.res_attrs().unwrap_or_default();
    for (index, r#type) in function.map(|(_, outputs)| outputs).unwrap_or_default().into_iter().enumerate() {
        printer.text(if index == 0 { "" } else { ", " }).r#type(r#type);
        print_dictionary(result_attributes.get(index).copied(), printer);
    }
    printer.text(")");
    if let Some(bounds) = graph.extents() {
        print_bounds(bounds, printer);
    }
    let without = ["sym_name", "function_type", "arg_attrs", "res_attrs", EXTENTS];
    printer.attribute_dictionary_with_keyword(graph.operation(), &without).text(" ");
    printer.region(body, RegionPrinting { entry_arguments: false, ..RegionPrinting::default() });
}

fn print_dictionary(attribute: Option<Attribute<'_>>, printer: &mut Printer<'_>) {
    let empty =
        |attribute: &Attribute<'_>| attributes::as_dictionary(*attribute).is_none_or(|entries| entries.is_empty());
    if let Some(attribute) = attribute.filter(|attribute| !empty(attribute)) {
        printer.text(" ").attribute(attribute);
    }
}
