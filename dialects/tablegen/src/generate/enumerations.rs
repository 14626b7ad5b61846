//! `-gen-enum-defs`: enumerations as Rust types.

use crate::{
    ods::{Enumeration, Model},
    predicate::snake_case,
    writer::Writer,
};

/// The Rust text.
pub fn enumerations(model: &Model, file_name: &str) -> String {
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    for enumeration in &model.enumerations {
        writer.line("");
        match enumeration.is_bits {
            true => bits(enumeration, &mut writer),
            false => cases(enumeration, &mut writer),
        }
    }
    writer.finish()
}

fn cases(enumeration: &Enumeration, writer: &mut Writer) {
    let name = &enumeration.name;
    writer.documentation(&format!("{}.", enumeration.summary.as_deref().unwrap_or(name)));
    writer.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]");
    writer.block(format_args!("pub enum {name} {{"), "}", |writer| {
        for case in &enumeration.cases {
            writer.line(format_args!("/// `{}`", case.text));
            writer.line(format_args!("{} = {},", upper_camel(&case.symbol), case.value));
        }
    });
    writer.line("");
    writer.block(format_args!("impl {name} {{"), "}", |writer| {
        let each = |line: &dyn Fn(&str, &str, i64) -> String| -> Vec<String> {
            enumeration.cases.iter().map(|case| line(&upper_camel(&case.symbol), &case.text, case.value)).collect()
        };
        let function = |writer: &mut Writer, doc: &str, open: &str, scrutinee: &str, lines: Vec<String>, rest: bool| {
            writer.line(doc);
            writer.block(open, "}", |writer| {
                writer.block(format_args!("match {scrutinee} {{"), "}", |writer| {
                    lines.iter().for_each(|line| writer.line(line));
                    if rest {
                        writer.line("_ => None,");
                    }
                });
            });
        };
        let from_value = each(&|symbol, _, value| format!("{value} => Some(Self::{symbol}),"));
        function(
            writer,
            "/// The case of a value.",
            "pub fn from_value(value: i64) -> Option<Self> {",
            "value",
            from_value,
            true,
        );
        writer.line("");
        let from_text = each(&|symbol, text, _| format!("{text:?} => Some(Self::{symbol}),"));
        function(
            writer,
            "/// The case of a name.",
            "pub fn from_text(text: &str) -> Option<Self> {",
            "text",
            from_text,
            true,
        );
        writer.line("");
        let text = each(&|symbol, text, _| format!("Self::{symbol} => {text:?},"));
        function(writer, "/// Its name.", "pub fn text(self) -> &'static str {", "self", text, false);
        writer.line("");
        attribute_functions(writer, "self as i64");
    });
    parameter_value(name, writer);
}

/// How parameters of types and attributes store it.
fn parameter_value(name: &str, writer: &mut Writer) {
    writer.line("");
    writer.block(format_args!("impl<'c> skriptnd_ods::ParameterValue<'c> for {name} {{"), "}", |writer| {
        let attribute = "skriptnd_ods::mlir::ir::Attribute<'c>";
        let context = "&'c skriptnd_ods::mlir::ir::Context";
        let open = format!("fn into_attribute(self, context: {context}) -> {attribute} {{");
        writer.block(open, "}", |writer| {
            writer.line("skriptnd_ods::ParameterValue::into_attribute(self.value(), context)");
        });
        writer.line("");
        writer.block(format!("fn from_attribute(attribute: {attribute}) -> Option<Self> {{"), "}", |writer| {
            writer.line("Self::of(attribute)");
        });
    });
}

/// What typed views of operations call.
fn attribute_functions(writer: &mut Writer, value: &str) {
    writer.line("/// Its value.");
    writer.block("pub fn value(self) -> i64 {", "}", |writer| writer.line(value));
    writer.line("");
    writer.line("/// The one that an attribute holds.");
    writer.block("pub fn of(attribute: skriptnd_ods::mlir::ir::Attribute<'_>) -> Option<Self> {", "}", |writer| {
        writer.line("skriptnd_ods::mlir::ir::attributes::as_integer(attribute).and_then(Self::from_value)");
    });
}

fn bits(enumeration: &Enumeration, writer: &mut Writer) {
    let name = &enumeration.name;
    writer.documentation(&format!("{}: a set.", enumeration.summary.as_deref().unwrap_or(name)));
    writer.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]");
    writer.line(format_args!("pub struct {name}(pub i64);"));
    writer.line("");
    writer.block(format_args!("impl {name} {{"), "}", |writer| {
        for case in &enumeration.cases {
            writer.line(format_args!("/// `{}`", case.text));
            let symbol = snake_case(&case.symbol).to_uppercase();
            writer.line(format_args!("pub const {symbol}: Self = Self({});", case.value));
        }
        let valid = enumeration.cases.iter().fold(0, |valid, case| valid | case.value);
        writer.line("");
        writer.line("/// The set of a value, if it has no other bits.");
        writer.block("pub fn from_value(value: i64) -> Option<Self> {", "}", |writer| {
            writer.line(format_args!("(value & !{valid} == 0).then_some(Self(value))"));
        });
        writer.line("");
        writer.line("/// Whether all of `other` is in it.");
        writer.block("pub fn contains(self, other: Self) -> bool {", "}", |writer| {
            writer.line("self.0 & other.0 == other.0");
        });
        writer.line("");
        attribute_functions(writer, "self.0");
    });
    parameter_value(name, writer);
}

/// `lower_case` and `camelCase` to `CamelCase`.
fn upper_camel(symbol: &str) -> String {
    symbol
        .split('_')
        .filter(|part| !part.is_empty())
        .map(|part| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>())
        .collect()
}
