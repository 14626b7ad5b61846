//! `-gen-op-defs`: definitions of operations as data, with the predicates of their constraints.

use std::collections::BTreeMap;

use super::names;
use crate::{
    error::Result,
    ods::{
        Arity, AttributeKind, EffectKind, Element, Enumeration, Format, Model, Operand, Operation, Reference, Trait,
    },
    predicate::{Kind, Predicate, Scope, snake_case},
    writer::Writer,
};

/// The Rust text of a module `definitions`.
pub fn operation_definitions(model: &Model, file_name: &str) -> Result<String> {
    super::check(model)?;
    let mut generator = Generator { model, functions: BTreeMap::new(), writer: Writer::default() };
    let mut definitions = Writer::default();
    for operation in &model.operations {
        generator.operation(operation, &mut definitions)?;
    }
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    writer.line("");
    writer.line("/// The operations as they are declared.");
    writer.line("#[allow(clippy::all, unused_parens, unused_braces, unused_imports, unused_variables)]");
    writer.block("pub mod definitions {", "}", |writer| {
        writer.line("use skriptnd_ods::mlir::dialect::{EffectKind, Trait};");
        writer.line("use skriptnd_ods::mlir::ir::{Attribute, OperationRef, RegionRef, Type, Value};");
        writer.line("use skriptnd_ods::{");
        writer.line("    attribute, operand_group, predicate, result_group, AttributeDefinition, AttributeSyntax, Element, GroupArity,");
        writer.line("    HandWritten, OperationDefinition, PredicateDefinition, Reference, RegionDefinition, SuccessorDefinition,");
        writer.line("    ValueDefinition,");
        writer.line("};");
        writer.line("");
        writer.line("/// All of them, in the order of their declaration.");
        writer.block("pub static ALL: &[&OperationDefinition] = &[", "];", |writer| {
            model.operations.iter().for_each(|operation| writer.line(format_args!("&{},", names::constant(operation))));
        });
        definitions.finish().lines().for_each(|line| writer.line(line));
        generator.writer.finish().lines().for_each(|line| writer.line(line));
    });
    Ok(writer.finish())
}

struct Generator<'a> {
    model: &'a Model,
    /// The functions written so far, by their parameter and body.
    functions: BTreeMap<String, String>,
    writer: Writer,
}

impl Generator<'_> {
    fn operation(&mut self, operation: &Operation, writer: &mut Writer) -> Result<()> {
        let operands = self.values(operation, &operation.operands)?;
        let results = self.values(operation, &operation.results)?;
        let attributes = self.attributes(operation)?;
        let regions = self.regions(operation)?;
        let predicates = self.predicates(operation)?;
        let arguments: Vec<String> =
            operation.arguments.iter().map(|argument| format!("{:?}", operation.argument_name(*argument))).collect();
        let successors: Vec<String> = operation
            .successors
            .iter()
            .map(|item| format!("SuccessorDefinition {{ name: {:?}, variadic: {} }}", item.name, item.variadic))
            .collect();
        let summary = operation.summary.clone().unwrap_or_default();
        writer.line("");
        writer.line(format_args!(
            "/// `{}`: {}",
            operation.name(),
            if summary.is_empty() { "an operation" } else { &summary }
        ));
        let open = format!("pub static {}: OperationDefinition = OperationDefinition {{", names::constant(operation));
        let format = operation.format.as_ref().map(|format| format_elements(format, operation));
        let traits = traits(operation)?;
        writer.block(open, "};", |writer| {
            writer.line(format_args!("name: {:?},", operation.name()));
            writer.line(format_args!("summary: {summary:?},"));
            list(writer, "operands", &operands);
            list(writer, "results", &results);
            list(writer, "attributes", &attributes);
            list(writer, "regions", &regions);
            list(writer, "successors", &successors);
            list(writer, "traits", &traits);
            writer.line(format_args!("effects: {},", effects(operation)));
            list(writer, "parents", &parametric(operation, "HasParent"));
            let terminator = parametric(operation, "SingleBlockImplicitTerminator").pop();
            writer.line(format_args!("implicit_terminator: {},", optional(terminator)));
            list(writer, "predicates", &predicates);
            writer.line(format_args!("format: {},", optional(format)));
            list(writer, "arguments", &arguments);
            writer.line(format_args!("hand_written: {},", hand_written(operation)));
        });
        Ok(())
    }

    fn values(&mut self, operation: &Operation, values: &[Operand]) -> Result<Vec<String>> {
        values
            .iter()
            .map(|value| {
                let scope = Scope::of_self("this", Kind::Type);
                let accepts = self.function(operation, &value.constraint.predicate, &scope, "Type<'_>")?;
                Ok(format!(
                    "ValueDefinition {{ name: {:?}, arity: GroupArity::{:?}, summary: {:?}, accepts: {accepts} }}",
                    value.name, value.arity, value.constraint.summary
                ))
            })
            .collect()
    }

    fn attributes(&mut self, operation: &Operation) -> Result<Vec<String>> {
        operation
            .attributes
            .iter()
            .map(|attribute| {
                let scope = Scope::of_self("this", Kind::Attribute("Attribute"));
                let accepts = self.function(operation, &attribute.constraint.predicate, &scope, "Attribute<'_>")?;
                let required = !attribute.optional && attribute.default.is_none();
                let syntax = match &attribute.enumeration {
                    Some(name) => enumeration_syntax(self.model.enumerations.iter().find(|item| item.definition == *name)),
                    None => syntax(attribute.kind, &attribute.constraint.definition, &attribute.constraint.summary),
                };
                Ok(format!(
                    "AttributeDefinition {{ name: {:?}, required: {required}, summary: {:?}, accepts: {accepts}, syntax: {syntax} }}",
                    attribute.name, attribute.constraint.summary
                ))
            })
            .collect()
    }

    fn regions(&mut self, operation: &Operation) -> Result<Vec<String>> {
        operation
            .regions
            .iter()
            .map(|region| {
                let scope = Scope::of_self("this", Kind::Region);
                let accepts = self.function(operation, &region.constraint.predicate, &scope, "RegionRef<'_, '_>")?;
                Ok(format!(
                    "RegionDefinition {{ name: {:?}, variadic: {}, summary: {:?}, accepts: {accepts} }}",
                    region.name, region.variadic, region.constraint.summary
                ))
            })
            .collect()
    }

    fn predicates(&mut self, operation: &Operation) -> Result<Vec<String>> {
        let scope = operation_scope(operation);
        let mut predicates = Vec::new();
        for item in &operation.traits {
            let Trait::Predicate { summary, predicate } = item else { continue };
            let holds = self.function(operation, predicate, &scope, "OperationRef<'_, '_>")?;
            predicates.push(format!("PredicateDefinition {{ summary: {summary:?}, holds: {holds} }}"));
        }
        Ok(predicates)
    }

    /// The name of a function with this predicate, which is written once.
    fn function(
        &mut self,
        operation: &Operation,
        predicate: &Predicate,
        scope: &Scope,
        parameter: &str,
    ) -> Result<String> {
        let body = predicate.to_rust(scope).map_err(|message| {
            operation.place.error(format!(
                "operation '{}': cannot say in Rust: {}: {message}",
                operation.name(),
                predicate.text()
            ))
        })?;
        let key = format!("{parameter}: {body}");
        if let Some(name) = self.functions.get(&key) {
            return Ok(name.clone());
        }
        let name = format!("constraint_{}", self.functions.len());
        self.writer.line("");
        self.writer.block(format_args!("fn {name}(this: {parameter}) -> bool {{"), "}", |writer| writer.line(&body));
        self.functions.insert(key, name.clone());
        Ok(name)
    }
}

/// What the names of arguments and results stand for in a predicate over the whole operation.
fn operation_scope(operation: &Operation) -> Scope {
    let definition = names::constant(operation);
    let mut scope = Scope::default();
    scope.bind("$_op", "this", Kind::Operation);
    let sides = [(&operation.operands, "operand_group"), (&operation.results, "result_group")];
    for (values, group) in sides {
        for (index, value) in values.iter().enumerate() {
            let code = format!("{group}(this, &{definition}, {index})");
            match value.arity {
                // Groups are counted before predicates are asked.
                Arity::One => scope.bind(&format!("${}", value.name), &format!("{code}[0]"), Kind::Value),
                _ => scope.bind(&format!("${}", value.name), &format!("(&{code})"), Kind::Values),
            }
        }
    }
    for attribute in operation.attributes.iter().filter(|attribute| !attribute.optional) {
        let code = format!("attribute(this, {:?}).unwrap_or(predicate::unit(this))", attribute.name);
        scope.bind(&format!("${}", attribute.name), &code, Kind::Attribute("Attribute"));
    }
    scope
}

fn list(writer: &mut Writer, name: &str, items: &[String]) {
    match items {
        [] => writer.line(format_args!("{name}: &[],")),
        items => writer.block(format_args!("{name}: &["), "],", |writer| {
            items.iter().for_each(|item| writer.line(format_args!("{item},")));
        }),
    }
}

fn optional(value: Option<String>) -> String {
    value.map_or("None".into(), |value| format!("Some({value})"))
}

fn syntax(kind: AttributeKind, definition: &str, summary: &str) -> String {
    let typed = |name: &str| format!("AttributeSyntax::Typed({name:?})");
    match kind {
        _ if definition == "SymbolNameAttr" => "AttributeSyntax::SymbolName".into(),
        AttributeKind::Unit => "AttributeSyntax::Unit".into(),
        AttributeKind::Bool => typed("i1"),
        AttributeKind::String => typed("none"),
        AttributeKind::Integer if summary.starts_with("index") => typed("index"),
        AttributeKind::Integer => match summary.split_once("-bit signless").and_then(|(width, _)| width.parse().ok()) {
            Some(width @ 1u32..=64) => typed(&format!("i{width}")),
            _ => "AttributeSyntax::Any".into(),
        },
        AttributeKind::Float => match summary.split_once("-bit float").and_then(|(width, _)| width.parse().ok()) {
            Some(width @ (16u32 | 32 | 64)) => typed(&format!("f{width}")),
            _ => "AttributeSyntax::Any".into(),
        },
        _ => "AttributeSyntax::Any".into(),
    }
}

fn enumeration_syntax(enumeration: Option<&Enumeration>) -> String {
    let cases = enumeration.map_or(&[][..], |enumeration| &enumeration.cases);
    let cases: Vec<String> = cases.iter().map(|case| format!("({}, {:?})", case.value, case.text)).collect();
    let width = enumeration.map_or(32, |enumeration| enumeration.width);
    format!("AttributeSyntax::Enumeration({width}, &[{}])", cases.join(", "))
}

fn hand_written(operation: &Operation) -> String {
    let inference =
        operation.traits.iter().any(|item| matches!(item, Trait::Interface(name) if name == "InferTypeOpInterface"));
    format!(
        "HandWritten {{ verifier: {}, folder: {}, canonicalizer: {}, assembly: {}, type_inference: {inference} }}",
        operation.has_verifier, operation.has_folder, operation.has_canonicalizer, operation.has_custom_assembly
    )
}

/// The C++ names of the traits that the bridge knows, and its own.
const TRAITS: [(&str, &str); 27] = [
    ("IsTerminator", "Terminator"),
    ("IsCommutative", "Commutative"),
    ("IsIdempotent", "Idempotent"),
    ("IsInvolution", "Involution"),
    ("SameOperandsAndResultType", "SameOperandsAndResultType"),
    ("SameOperandsAndResultElementType", "SameOperandsAndResultElementType"),
    ("SameOperandsAndResultShape", "SameOperandsAndResultShape"),
    ("SameTypeOperands", "SameTypeOperands"),
    ("SameOperandsShape", "SameOperandsShape"),
    ("SameOperandsElementType", "SameOperandsElementType"),
    ("SameOperandsAndResultRank", "SameOperandsAndResultRank"),
    ("IsIsolatedFromAbove", "IsolatedFromAbove"),
    ("SymbolTable", "SymbolTable"),
    ("NoTerminator", "NoTerminator"),
    ("SingleBlock", "SingleBlock"),
    ("ConstantLike", "ConstantLike"),
    ("HasRecursiveMemoryEffects", "RecursiveMemoryEffects"),
    ("AttrSizedOperandSegments", "AttrSizedOperandSegments"),
    ("AttrSizedResultSegments", "AttrSizedResultSegments"),
    ("ReturnLike", "ReturnLike"),
    ("AffineScope", "AffineScope"),
    ("AutomaticAllocationScope", "AutomaticAllocationScope"),
    ("Elementwise", "Elementwise"),
    ("AlwaysSpeculatableImplTrait", "AlwaysSpeculatable"),
    ("RecursivelySpeculatableImplTrait", "RecursivelySpeculatable"),
    ("NoRegionArguments", "NoRegionArguments"),
    ("Scalarizable", "Scalarizable"),
];

fn traits(operation: &Operation) -> Result<Vec<String>> {
    let mut traits = Vec::new();
    for item in &operation.traits {
        let known = |name: &str| TRAITS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
        let name = match item {
            Trait::Native(name) if matches!(name.as_str(), "Vectorizable" | "Tensorizable") => name.as_str(),
            // Only says how values are counted.
            Trait::Native(name) if name == "SameVariadicOperandSize" || name == "SameVariadicResultSize" => continue,
            Trait::Native(name) => known(name).ok_or_else(|| {
                operation.place.error(format!("operation '{}': the trait '{name}' is not supported", operation.name()))
            })?,
            Trait::Interface(name) => match name.rsplit("::").find(|part| *part != "Trait").unwrap_or_default() {
                "SymbolOpInterface" | "Symbol" => "Symbol",
                // What implements the others is Rust code.
                _ => continue,
            },
            Trait::Parametric { .. } | Trait::Predicate { .. } | Trait::Effects(_) => continue,
        };
        traits.push(format!("Trait::{name}"));
    }
    traits.dedup();
    Ok(traits)
}

fn effects(operation: &Operation) -> String {
    let kind = |kind: &EffectKind| format!("EffectKind::{kind:?}");
    let declared = operation.traits.iter().find_map(|item| match item {
        Trait::Effects(kinds) => Some(format!("&[{}]", kinds.iter().map(kind).collect::<Vec<_>>().join(", "))),
        _ => None,
    });
    optional(declared)
}

/// The parameters of a trait: C++ classes of operations, which stand for their names, or the names themselves.
fn parametric(operation: &Operation, name: &str) -> Vec<String> {
    operation
        .traits
        .iter()
        .filter_map(|item| match item {
            Trait::Parametric { name: found, parameters } if found == name => Some(parameters),
            _ => None,
        })
        .flat_map(|parameters| parameters.split(','))
        .map(|parameter| format!("{:?}", operation_name(parameter.trim(), &operation.dialect)))
        .collect()
}

/// `::mlir::ModuleOp` is `builtin.module`; `GraphOp` is `<dialect>.graph`; a name with a dot stands for itself.
fn operation_name(class: &str, dialect: &str) -> String {
    let last = class.rsplit("::").next().unwrap_or(class);
    match last {
        "ModuleOp" => "builtin.module".into(),
        _ if class.contains('.') => class.into(),
        _ => format!("{dialect}.{}", snake_case(last.strip_suffix("Op").unwrap_or(last))),
    }
}

fn format_elements(format: &Format, operation: &Operation) -> String {
    elements(&format.elements, operation)
}

fn elements(items: &[Element], operation: &Operation) -> String {
    let items: Vec<String> = items.iter().map(|item| element(item, operation)).collect();
    format!("&[{}]", items.join(", "))
}

fn reference(reference: &Reference) -> String {
    format!("Reference::{reference:?}")
}

fn element(item: &Element, operation: &Operation) -> String {
    match item {
        Element::Literal(text) => format!("Element::Literal({text:?})"),
        Element::Variable(variable) => format!("Element::Variable({})", reference(variable)),
        Element::Operands | Element::Regions | Element::Successors | Element::AttributeDictionary { .. } => {
            format!("Element::{item:?}")
        }
        Element::Type(of) => format!("Element::Type({})", reference(of)),
        // Attributes and types are printed with their dialects at all times.
        Element::Qualified(inner) => self::element(inner, operation),
        // Refused by `check`.
        Element::PropertyDictionary | Element::Referenced(_) | Element::Text(_) | Element::Clauses(_) => String::new(),
        Element::FunctionalType(inputs, outputs) => {
            format!("Element::FunctionalType({}, {})", reference(inputs), reference(outputs))
        }
        Element::Custom { name, arguments } => {
            let covers: Vec<String> = arguments
                .iter()
                .filter_map(|argument| match argument {
                    Element::Variable(variable) => Some(reference(variable)),
                    _ => None,
                })
                .collect();
            let name = snake_case(name);
            let covers = covers.join(", ");
            format!(
                "Element::Custom {{ covers: &[{covers}], parse: crate::assembly::parse_{name}, print: crate::assembly::print_{name} }}"
            )
        }
        Element::Optional { then, otherwise, anchors, .. } => format!(
            "Element::Optional {{ then: {}, otherwise: {}, anchor: {} }}",
            elements(then, operation),
            elements(otherwise, operation),
            anchors.first().map(reference).unwrap_or_default()
        ),
    }
}
