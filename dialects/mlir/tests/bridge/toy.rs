//! A dialect with a bit of everything, and its registry.

use skriptnd_mlir::dialect::{
    Arity, CallInterface, Delimiter, DialectSpec, Effect, EffectKind, EffectTarget, Effects, Fold, FoldResult,
    OperationSpec, Parser, Printer, RegionPoint, RegionPrinting, RegionSuccessor, SuccessorOperands, Token, Trait,
    UnknownOperations,
};
use skriptnd_mlir::ir::{self, Attribute, Builder, Context, Module, OperationRef, Type, attributes, types};
use skriptnd_mlir::rewrite::{Natives, OperationPattern, PdlPatterns};
use skriptnd_mlir::{Failure, Registry};

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    registry.add_dialect(dialect()).expect("the toy dialect is well defined");
    registry
}

pub fn context() -> Context {
    registry().context()
}

pub fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    ir::parse_module(context, text, "toy.mlir").unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a pipeline on a module and prints what becomes of it.
pub fn optimized(text: &str, pipeline: &str) -> String {
    let context = context();
    let mut module = parse(&context, text);
    skriptnd_mlir::pass::run(&mut module, pipeline, &Default::default()).unwrap_or_else(|error| panic!("{error}"));
    module.as_operation().to_string()
}

pub fn dialect() -> DialectSpec {
    DialectSpec::new("toy")
        .with_operations([constant(), add(), negate(), print(), function(), ret(), call()])
        .with_operations([segments(), checked(), wrap(), end(), choose(), inverse(), nested()])
        .with_operations([jump(), convert(), refer()])
        .dependent_dialect("arith")
        .constant_materializer(constant_operation)
        .canonicalization_pattern(double_negation())
        .canonicalization_pdl(PdlPatterns::new(INVERSE_OF_INVERSE, "toy.pdll", Natives::new()))
        .allow_unknown_operations(UnknownOperations {
            pure: true,
            assembly: Some((Box::new(parse_unknown), Box::new(print_unknown))),
        })
}

fn constant_operation<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Attribute<'c>,
    r#type: Type<'c>,
) -> Option<OperationRef<'c, 'a>> {
    builder.operation("toy.constant", &[], &[("value", value)], &[r#type]).ok()
}

fn constant() -> OperationSpec {
    OperationSpec::new("toy.constant")
        .with_trait(Trait::ConstantLike)
        .pure()
        .attribute("value")
        .assembly(
            |parser| {
                let value = parser.parse_attribute(None)?;
                parser.add_attribute("value", value);
                parser.parse_optional_attribute_dictionary()?;
                parser.add_results(&[value.r#type()]);
                Ok(())
            },
            |operation, printer| {
                if let Some(value) = operation.get("value") {
                    printer.text(" ").attribute(value);
                }
                printer.attribute_dictionary(operation, &["value"]);
            },
        )
        .folder(|operation, _| match operation.get("value") {
            Some(value) => Fold::Results(vec![FoldResult::Constant(value)]),
            None => Fold::Unchanged,
        })
}

/// `%a, %b : type`, with the type of operands and result.
fn parse_uniform(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_optional_attribute_dictionary()?;
    let r#type = parser.parse_colon_type()?;
    parser.add_resolved_operands(&operands, &vec![r#type; operands.len()])?;
    parser.infer_results()
}

fn print_uniform(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    printer.text(" ").operands(operation.operands()).attribute_dictionary(operation, &[]);
    printer.text(" : ").types(operation.result_types().first().copied());
}

fn add() -> OperationSpec {
    OperationSpec::new("toy.add")
        .with_traits([Trait::Commutative, Trait::SameOperandsAndResultType])
        .pure()
        .operands(Arity::exactly(2))
        .results(Arity::exactly(1))
        .type_inference(|input| match input.operand_types().as_slice() {
            [first, ..] => Ok(vec![*first]),
            [] => Err(Failure::new("has no operand to take its type from")),
        })
        .assembly(parse_uniform, print_uniform)
        .folder(|operation, operands| {
            let values: Option<Vec<f64>> =
                operands.iter().map(|operand| operand.and_then(attributes::as_real)).collect();
            let Some(sum) = values.map(|values| values.iter().sum()) else { return Fold::Unchanged };
            let r#type = operation.result_types()[0];
            match attributes::typed_real(operation.context(), r#type, sum) {
                Some(sum) => Fold::Results(vec![FoldResult::Constant(sum)]),
                None => Fold::Unchanged,
            }
        })
}

fn unary(name: &str) -> OperationSpec {
    OperationSpec::new(name)
        .with_trait(Trait::SameOperandsAndResultType)
        .pure()
        .operands(Arity::exactly(1))
        .results(Arity::exactly(1))
        .type_inference(|input| Ok(input.operand_types()))
        .assembly(parse_uniform, print_uniform)
}

fn negate() -> OperationSpec {
    unary("toy.negate")
}

fn inverse() -> OperationSpec {
    unary("toy.inverse")
}

/// Its inference fails on purpose when the operand is not a float.
fn nested() -> OperationSpec {
    unary("toy.float_only").type_inference(|input| match input.operand_types()[0] {
        r#type if r#type.is_float() => Ok(vec![r#type]),
        other => Err(Failure::new(format!("needs a float, not {other}"))),
    })
}

/// negate(negate(x)) is x, as a pattern in Rust.
pub fn double_negation() -> OperationPattern {
    OperationPattern::new("double-negation", "toy.negate", |operation, rewriter| {
        let inner = operation.operand(0)?.defining_operation();
        let Some(inner) = inner.filter(|inner| inner.full_name() == "toy.negate") else { return Ok(false) };
        rewriter.replace(operation, &[inner.operand(0)?])?;
        Ok(true)
    })
}

/// inverse(inverse(x)) is x, as a pattern in PDL.
pub const INVERSE_OF_INVERSE: &str = r#"
pdl.pattern @inverse_of_inverse : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %inner = pdl.operation "toy.inverse"(%x : !pdl.value) -> (%type : !pdl.type)
  %result = pdl.result 0 of %inner
  %outer = pdl.operation "toy.inverse"(%result : !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %outer {
    pdl.replace %outer with (%x : !pdl.value)
  }
}
"#;

fn print() -> OperationSpec {
    let write = Effect { kind: EffectKind::Write, target: EffectTarget::Anything };
    OperationSpec::new("toy.print").operands(Arity::at_least(1)).effects(Effects::Fixed(vec![write]))
}

fn function() -> OperationSpec {
    OperationSpec::new("toy.func")
        .function()
        .regions(Arity::exactly(1))
        .results(Arity::exactly(0))
        .attributes(["sym_name", "function_type"])
        .assembly(parse_function, print_function)
}

fn parse_function(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let context = parser.context();
    let private = parser.parse_optional_keyword("private");
    let name = parser.parse_symbol_name()?;
    let arguments = parser.parse_list(Delimiter::Parentheses, |parser| parser.parse_argument(false))?;
    let results = match parser.parse_optional_token(Token::Arrow) {
        true => parser.parse_result_types()?,
        false => Vec::new(),
    };
    parser.parse_optional_attribute_dictionary_with_keyword()?;
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.r#type).collect();
    parser.add_attribute("sym_name", attributes::string(context, &name));
    parser.add_attribute("function_type", attributes::r#type(types::function(context, &inputs, &results)));
    if private {
        parser.add_attribute("sym_visibility", attributes::string(context, "private"));
    }
    let body = parser.parse_region(&arguments)?;
    parser.add_region(body);
    Ok(())
}

fn print_function(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    let function = operation.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
    let private = operation.get_string("sym_visibility") == Some("private");
    printer.text(if private { " private " } else { " " });
    printer.symbol_name(operation.get_string("sym_name").unwrap_or_default());
    let body = operation.region(0).expect("the operation is verified");
    let entry = ir::region_blocks(body).next();
    let arguments = entry.into_iter().flat_map(ir::block_arguments);
    printer.text("(").list(arguments, |printer, argument| _ = printer.argument(argument)).text(")");
    if let Some((_, results)) = function.filter(|(_, results)| !results.is_empty()) {
        printer.text(" -> ").result_types(&results);
    }
    printer.attribute_dictionary_with_keyword(operation, &["sym_name", "function_type", "sym_visibility"]);
    printer.text(" ").region(body, RegionPrinting { entry_arguments: false, ..Default::default() });
}

fn ret() -> OperationSpec {
    OperationSpec::new("toy.return")
        .with_traits([Trait::Terminator, Trait::ReturnLike])
        .pure()
        .results(Arity::exactly(0))
        .assembly(
            |parser| {
                let operands = parser.parse_operand_list(Delimiter::None)?;
                if operands.is_empty() {
                    return Ok(());
                }
                parser.parse_token(Token::Colon)?;
                let types = parser.parse_type_list()?;
                parser.add_resolved_operands(&operands, &types)
            },
            |operation, printer| {
                if operation.operand_count() > 0 {
                    printer.text(" ").operands(operation.operands());
                    printer.text(" : ").types(operation.operand_types());
                }
            },
        )
}

fn call() -> OperationSpec {
    OperationSpec::new("toy.call")
        .call(CallInterface { callee_attribute: "callee".into() })
        .attribute("callee")
        .assembly(
            |parser| {
                let context = parser.context();
                let callee = parser.parse_symbol_name()?;
                parser.add_attribute("callee", attributes::symbol(context, &callee));
                let operands = parser.parse_operand_list(Delimiter::Parentheses)?;
                parser.parse_token(Token::Colon)?;
                let (inputs, results) = parser.parse_functional_type()?;
                parser.add_resolved_operands(&operands, &inputs)?;
                parser.add_results(&results);
                Ok(())
            },
            |operation, printer| {
                let callee = operation.get("callee").and_then(attributes::as_symbol).unwrap_or_default();
                printer.text(" ").symbol_name(callee);
                printer.text("(").operands(operation.operands()).text(") : ").functional_type(operation);
            },
        )
}

fn segments() -> OperationSpec {
    OperationSpec::new("toy.segments")
        .with_traits([Trait::AttrSizedOperandSegments, Trait::AttrSizedResultSegments])
        .attributes(["operandSegmentSizes", "resultSegmentSizes"])
}

fn checked() -> OperationSpec {
    OperationSpec::new("toy.checked")
        .parent(["builtin.module", "toy.func"])
        .regions(Arity::between(0, 1))
        .verifier(|operation| match operation.get_integer("limit") {
            Some(limit) if limit < 0 => {
                Err(Failure::new(format!("limit {limit} is negative")).with_note("limits count elements"))
            }
            Some(13) => panic!("unlucky"),
            _ => Ok(()),
        })
        .region_verifier(|operation| {
            let inside = ir::walk(operation).len() - 1;
            if inside > 2 { Err(Failure::new(format!("contains {inside} operations"))) } else { Ok(()) }
        })
}

fn wrap() -> OperationSpec {
    OperationSpec::new("toy.wrap")
        .with_traits([Trait::SingleBlock, Trait::RecursiveMemoryEffects])
        .regions(Arity::exactly(1))
        .operands(Arity::exactly(0))
        .implicit_terminator("toy.end")
        .assembly(
            |parser| {
                let body = parser.parse_region(&[])?;
                parser.add_region(body);
                Ok(())
            },
            |operation, printer| {
                let body = operation.region(0).expect("the operation is verified");
                printer.text(" ").region(body, RegionPrinting { terminators: false, ..Default::default() });
            },
        )
}

fn end() -> OperationSpec {
    OperationSpec::new("toy.end").with_trait(Trait::Terminator).pure().operands(Arity::exactly(0))
}

/// Two regions, one of which is entered; their terminators yield the results.
fn choose() -> OperationSpec {
    OperationSpec::new("toy.choose")
        .with_trait(Trait::RecursiveMemoryEffects)
        .operands(Arity::exactly(1))
        .regions(Arity::exactly(2))
        .region_branch(|_, from| {
            let targets = match from {
                RegionPoint::Parent => vec![RegionPoint::Region(0), RegionPoint::Region(1)],
                RegionPoint::Region(_) => vec![RegionPoint::Parent],
            };
            targets.into_iter().map(|point| RegionSuccessor { point, operands: 0..0 }).collect()
        })
}

/// `(%a, %b) : (types) -> types`, for operations that the dialect does not define.
fn parse_unknown(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    let operands = parser.parse_operand_list(Delimiter::Parentheses)?;
    parser.parse_optional_attribute_dictionary()?;
    parser.parse_token(Token::Colon)?;
    let (inputs, results) = parser.parse_functional_type()?;
    parser.add_resolved_operands(&operands, &inputs)?;
    parser.add_results(&results);
    Ok(())
}

fn print_unknown(operation: OperationRef<'_, '_>, printer: &mut Printer<'_>) {
    printer.text("(").operands(operation.operands()).text(")").attribute_dictionary(operation, &[]);
    printer.text(" : ").functional_type(operation);
}

/// The types of all operands, to be compared with.
pub fn operand_types(operation: OperationRef<'_, '_>) -> Vec<String> {
    operation.operands().map(|operand| operand.r#type().to_string()).collect()
}

/// Goes to the second block where the first operand is zero; the others are handed on.
fn jump() -> OperationSpec {
    OperationSpec::new("toy.jump")
        .with_trait(Trait::Terminator)
        .pure()
        .operands(Arity::at_least(1))
        .results(Arity::exactly(0))
        .successors(Arity::exactly(2))
        .branch(|operation, _| SuccessorOperands { produced: 0, forwarded: 1..operation.operand_count() })
        .chosen_successor(|_, constants| {
            let condition = constants.first().copied().flatten().and_then(attributes::as_integer);
            condition.map(|condition| usize::from(condition == 0))
        })
}

/// Casts what is no integer.
fn convert() -> OperationSpec {
    OperationSpec::new("toy.convert").pure().operands(Arity::exactly(1)).results(Arity::exactly(1)).cast(
        |inputs, outputs| {
            let is_integer = |r#type: &Type<'_>| r#type.to_string().starts_with('i');
            !inputs.iter().chain(outputs).any(is_integer)
        },
    )
}

/// Names an operation of this dialect.
fn refer() -> OperationSpec {
    OperationSpec::new("toy.refer").operands(Arity::exactly(0)).results(Arity::exactly(0)).verify_symbols(
        |operation, symbols| {
            let name = operation.get("to").ok_or_else(|| Failure::new("names nothing"))?;
            let found = symbols.lookup(operation, name);
            match found.map(|found| found.full_name() == "toy.func") {
                Some(true) => Ok(()),
                Some(false) => Err(Failure::new(format!("names {name}, which is no toy.func"))),
                None => Err(Failure::new(format!("names {name}, which is not there"))),
            }
        },
    )
}
