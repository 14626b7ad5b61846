//! `-gen-op-decls`: typed views of operations, and builders.

use std::collections::BTreeMap;

use super::names;
use crate::{
    ods::{Arity, Attribute, AttributeKind, Model, Operand, Operation},
    predicate::snake_case,
    writer::Writer,
};

/// The Rust text: one type and one builder for each operation, in modules by namespace. It needs the module
/// `definitions` beside it.
pub fn operation_views(model: &Model, file_name: &str) -> String {
    let mut modules: BTreeMap<Option<String>, Vec<&Operation>> = BTreeMap::new();
    for operation in &model.operations {
        modules.entry(names::module(operation)).or_default().push(operation);
    }
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    for (module, operations) in modules {
        writer.line("");
        let name = module.unwrap_or_else(|| "operations".into());
        writer.line(format_args!("/// Operations of the module `{name}`, as types."));
        writer.line("#[allow(clippy::all, unused_imports, unused_mut)]");
        writer.block(format_args!("pub mod {name} {{"), "}", |writer| {
            writer.line("use super::*;");
            writer.line("use skriptnd_ods::{self as ods, mlir::{ir::{attributes, Attribute, Builder, OperationRef, RegionRef, Type, Value}, Failure}, Build};");
            for operation in operations {
                view(operation, writer);
                builder(operation, writer);
            }
        });
    }
    writer.finish()
}

fn view(operation: &Operation, writer: &mut Writer) {
    let name = names::structure(operation);
    let constant = names::constant(operation);
    writer.line("");
    writer.documentation(&format!(
        "`{}`: {}",
        operation.name(),
        operation.summary.as_deref().unwrap_or("an operation")
    ));
    if let Some(description) = &operation.description {
        writer.line("///");
        writer.documentation(&text_only(description));
    }
    writer.line("#[derive(Clone, Copy, Debug)]");
    writer.block(format_args!("pub struct {name}<'c, 'a> {{"), "}", |writer| {
        writer.line("operation: OperationRef<'c, 'a>,");
    });
    writer.line("");
    writer.block(format_args!("impl<'c: 'a, 'a> {name}<'c, 'a> {{"), "}", |writer| {
        writer.line("/// The name of the operation.");
        writer.line(format_args!("pub const NAME: &'static str = {:?};", operation.name()));
        writer.line("");
        writer.line("/// The operation, if it is one of this kind.");
        writer.block("pub fn new(operation: OperationRef<'c, 'a>) -> Option<Self> {", "}", |writer| {
            writer.line("(operation.full_name() == Self::NAME).then_some(Self { operation })");
        });
        writer.line("");
        writer.line("/// The operation itself.");
        writer.block("pub fn operation(self) -> OperationRef<'c, 'a> {", "}", |writer| writer.line("self.operation"));
        for (index, operand) in operation.operands.iter().enumerate() {
            group(operand, index, "operand", &constant, &names::function(&operand.name), writer);
        }
        for (index, result) in operation.results.iter().enumerate() {
            let name = if result.name.is_empty() { format!("result_{index}") } else { result.name.clone() };
            let taken = operation.arguments.iter().any(|argument| operation.argument_name(*argument) == name);
            let suffix = if taken { "_result" } else { "" };
            group(result, index, "result", &constant, &names::function(&format!("{name}{suffix}")), writer);
        }
        for attribute in &operation.attributes {
            accessors(attribute, writer);
        }
        for (index, region) in operation.regions.iter().enumerate().filter(|(_, region)| !region.name.is_empty()) {
            writer.line("");
            writer.line(format_args!("/// The region `{}`.", region.name));
            let open = format!("pub fn {}(self) -> Option<RegionRef<'c, 'a>> {{", names::function(&region.name));
            writer.block(open, "}", |writer| writer.line(format_args!("self.operation.region({index}).ok()")));
            writer.line("");
            writer.line(format_args!("/// A builder at the end of the first block of `{}`, and its arguments.", region.name));
            let name = snake_case(&region.name);
            let open = format!("pub fn inside_{name}(self, builder: &Builder<'c, 'a>) -> Result<(Builder<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {{");
            writer.block(open, "}", |writer| writer.line(format_args!("builder.inside(self.operation, {index})")));
        }
    });
}

/// Descriptions are Markdown for people; in Rust's documentation their code blocks must not become tests.
fn text_only(description: &str) -> String {
    crate::writer::dedent(description).replace("```mlir", "```text")
}

fn group(value: &Operand, index: usize, side: &str, constant: &str, name: &str, writer: &mut Writer) {
    let group = format!("ods::{side}_group(self.operation, &definitions::{constant}, {index})");
    writer.line("");
    writer.line(format_args!(
        "/// The {side} `{}`: {}.",
        value.name,
        value.summary.as_ref().unwrap_or(&value.constraint.summary)
    ));
    let (kind, body) = match value.arity {
        Arity::One => (
            "Result<Value<'c, 'a>, Failure>",
            format!(
                "{group}.first().copied().ok_or_else(|| Failure::new(format!(\"'{{}}' has no {side} '{}'\", Self::NAME)))",
                value.name
            ),
        ),
        Arity::Optional => ("Option<Value<'c, 'a>>", format!("{group}.first().copied()")),
        Arity::Variadic | Arity::VariadicOfVariadic => ("Vec<Value<'c, 'a>>", group),
    };
    writer.block(format_args!("pub fn {name}(self) -> {kind} {{"), "}", |writer| writer.line(body));
}

/// The Rust type of an attribute, how it is read, and how it is made of `value`.
fn rust_type(attribute: &Attribute) -> Option<(&'static str, &'static str, &'static str, &'static str)> {
    Some(match attribute.kind {
        AttributeKind::Bool => ("bool", "as_bool", "bool", "attributes::boolean(self.0.context(), value)"),
        AttributeKind::Integer => ("i64", "as_integer", "i64", "attributes::integer(self.0.context(), value)"),
        AttributeKind::Float => ("f64", "as_real", "f64", "attributes::real(self.0.context(), value)"),
        AttributeKind::String => ("&'c str", "as_string", "&str", "attributes::string(self.0.context(), value)"),
        AttributeKind::Type => ("Type<'c>", "as_type", "Type<'c>", "attributes::r#type(value)"),
        AttributeKind::Integers(64) => {
            ("Vec<i64>", "as_integers", "&[i64]", "attributes::integers(self.0.context(), value)")
        }
        AttributeKind::Floats(64) => ("Vec<f64>", "as_reals", "&[f64]", "attributes::reals(self.0.context(), value)"),
        AttributeKind::Bools => {
            ("Vec<bool>", "as_booleans", "&[bool]", "attributes::booleans(self.0.context(), value)")
        }
        AttributeKind::Array => {
            ("Vec<Attribute<'c>>", "as_array", "&[Attribute<'c>]", "attributes::array(self.0.context(), value)")
        }
        AttributeKind::Symbol => ("&'c str", "as_symbol", "&str", "attributes::symbol(self.0.context(), value)"),
        AttributeKind::Unit | AttributeKind::Integers(_) | AttributeKind::Floats(_) | AttributeKind::Other => {
            return None;
        }
    })
}

fn accessors(attribute: &Attribute, writer: &mut Writer) {
    let name = names::function(&attribute.name);
    let raw = format!("{}_attribute", snake_case(&attribute.name));
    writer.line("");
    writer.line(format_args!(
        "/// The attribute `{}`: {}.",
        attribute.name,
        attribute.summary.as_ref().unwrap_or(&attribute.constraint.summary)
    ));
    writer.block(format_args!("pub fn {raw}(self) -> Option<Attribute<'c>> {{"), "}", |writer| {
        writer.line(format_args!("ods::attribute(self.operation, {:?})", attribute.name));
    });
    writer.line("");
    writer.line(format_args!("/// The value of the attribute `{}`.", attribute.name));
    if attribute.kind == AttributeKind::Unit {
        writer.block(format_args!("pub fn {name}(self) -> bool {{"), "}", |writer| {
            writer.line(format_args!("self.{raw}().is_some()"));
        });
    } else if let Some(enumeration) = &attribute.enumeration {
        writer.block(format_args!("pub fn {name}(self) -> Option<{enumeration}> {{"), "}", |writer| {
            writer.line(format_args!("attributes::as_integer(self.{raw}()?).and_then({enumeration}::from_value)"));
        });
    } else if let Some((kind, read, ..)) = rust_type(attribute) {
        writer.block(format_args!("pub fn {name}(self) -> Option<{kind}> {{"), "}", |writer| {
            writer.line(format_args!("attributes::{read}(self.{raw}()?)"));
        });
    } else {
        writer.block(format_args!("pub fn {name}(self) -> Option<Attribute<'c>> {{"), "}", |writer| {
            writer.line(format_args!("self.{raw}()"));
        });
    }
}

fn builder(operation: &Operation, writer: &mut Writer) {
    let name = names::structure(operation);
    let constant = names::constant(operation);
    let required: Vec<(usize, &Operand)> =
        operation.operands.iter().enumerate().filter(|(_, operand)| operand.arity == Arity::One).collect();
    let parameters: String =
        required.iter().map(|(_, operand)| format!(", {}: Value<'c, 'a>", names::function(&operand.name))).collect();
    writer.line("");
    writer.line(format_args!("/// Builds a [`{name}`]."));
    writer.line(format_args!("pub struct {name}Builder<'c, 'a>(Build<'c, 'a>);"));
    writer.line("");
    writer.block(format_args!("impl<'c: 'a, 'a> {name}Builder<'c, 'a> {{"), "}", |writer| {
        writer.line("/// Starts with the operands that must be there, where the builder stands.");
        let open = format!("pub fn new(builder: &Builder<'c, 'a>{parameters}) -> Self {{");
        writer.block(open, "}", |writer| {
            writer.line(format_args!("let mut build = Build::new(&definitions::{constant}, builder);"));
            for (index, operand) in &required {
                writer.line(format_args!("build.operands({index}, [{}]);", names::function(&operand.name)));
            }
            writer.line("Self(build)");
        });
        for (index, operand) in operation.operands.iter().enumerate() {
            let kind = match operand.arity {
                Arity::One => continue,
                Arity::Optional => "Option<Value<'c, 'a>>",
                Arity::Variadic | Arity::VariadicOfVariadic => "impl IntoIterator<Item = Value<'c, 'a>>",
            };
            let name = names::function(&operand.name);
            setter(writer, "operand", &operand.name, &name, kind, &format!("self.0.operands({index}, value);"));
        }
        for (index, result) in operation.results.iter().enumerate() {
            let name = if result.name.is_empty() { format!("result_{index}") } else { snake_case(&result.name) };
            let (kind, values) = match result.arity {
                Arity::One => ("Type<'c>", "[value]"),
                Arity::Optional => ("Option<Type<'c>>", "value"),
                Arity::Variadic | Arity::VariadicOfVariadic => ("impl IntoIterator<Item = Type<'c>>", "value"),
            };
            let body = format!("self.0.results({index}, {values});");
            setter(writer, "type of the result", &result.name, &format!("{name}_type"), kind, &body);
        }
        for attribute in &operation.attributes {
            attribute_setters(attribute, writer);
        }
        for (index, region) in operation.regions.iter().enumerate().filter(|(_, region)| !region.name.is_empty()) {
            let name = format!("{}_arguments", snake_case(&region.name));
            let what = "types of the arguments of a first block of the region";
            setter(writer, what, &region.name, &name, "&[Type<'c>]", &format!("self.0.block({index}, value);"));
        }
        writer.line("");
        writer.line("/// Builds the operation.");
        let open = format!("pub fn build(self) -> Result<{name}<'c, 'a>, Failure> {{");
        writer.block(open, "}", |writer| {
            writer.line(format_args!("Ok({name} {{ operation: self.0.build()? }})"));
        });
    });
}

fn attribute_setters(attribute: &Attribute, writer: &mut Writer) {
    let raw = format!("{}_attribute", snake_case(&attribute.name));
    let body = format!("value.into_iter().for_each(|value| self.0.attribute({:?}, value));", attribute.name);
    setter(writer, "attribute, if it is there,", &attribute.name, &raw, "Option<Attribute<'c>>", &body);
    // An integer of another width than the usual one is set as an attribute.
    let wide = attribute.kind != AttributeKind::Integer || attribute.constraint.summary.starts_with("64-bit");
    let wide = wide && (attribute.kind != AttributeKind::Float || attribute.constraint.summary.starts_with("64-bit"));
    if let (Some((_, _, kind, make)), None, true) = (rust_type(attribute), &attribute.enumeration, wide) {
        let body = format!("let value = {make}; self.0.attribute({:?}, value);", attribute.name);
        setter(writer, "attribute", &attribute.name, &names::function(&attribute.name), kind, &body);
    }
}

fn setter(writer: &mut Writer, what: &str, shown: &str, name: &str, kind: &str, body: &str) {
    writer.line("");
    writer.line(format_args!("/// Sets the {what} `{shown}`."));
    writer.block(format_args!("pub fn {name}(mut self, value: {kind}) -> Self {{"), "}", |writer| {
        writer.line(body);
        writer.line("self");
    });
}
