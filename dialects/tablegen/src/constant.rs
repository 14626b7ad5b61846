//! Constant attributes and types: C++ as .td files write it, in MLIR's syntax.

use tblgen::Record;

pub use crate::cpp::{list, real, truth, type_of, typed};
use crate::{
    cpp::{integer, literal, number, text},
    predicate::registered_name,
    records,
};

/// How an attribute is made of a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The name of the definition, for messages.
    pub name: String,
    form: Form,
    /// Of a property: the C++ that reads its value from the attribute that stores it, `$_self`, if there is some.
    pub property: Option<String>,
    /// The value that stands for an absent one, in C++.
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    /// By the C++ that makes it, where `$0` stands for the constant.
    Builder(String),
    /// A case of an enumeration that is an attribute of its own: what stands before `<CASE>`, and the cases by their
    /// C++ names, with value and text.
    Cases { prefix: String, cases: Cases },
    /// A case of an enumeration that is stored as an integer of so many bits.
    Integers { width: i64, cases: Cases },
    /// A case of an enumeration that is stored as its text.
    Texts(Cases),
}

/// The cases of an enumeration, and its C++ class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cases {
    class: String,
    cases: Vec<Case>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    symbol: String,
    text: String,
    value: i64,
}

impl Kind {
    /// Reads an attribute constraint, without what makes it optional, default-valued or confined.
    pub fn read(record: Record<'_>) -> Self {
        let constraint = record.optional_def_value_checked("constraint").unwrap_or(record);
        let default = records::text(constraint, "defaultValue");
        let mut base = constraint;
        while let Some(inner) = base.optional_def_value_checked("baseAttr") {
            base = inner;
        }
        Self { name: records::name(base).to_string(), form: Form::read(base), property: None, default }
    }

    /// What stores a property: by the C++ that makes it, or as a case of an enumeration; `value` reads it.
    pub fn stored(
        name: String,
        builder: &str,
        info: Option<Record<'_>>,
        value: String,
        default: Option<String>,
    ) -> Self {
        let form = info.map_or_else(|| Form::Builder(builder.to_string()), Form::read);
        Self { name, form, property: Some(value), default }
    }

    /// The attribute of a C++ constant; none if its kind or its form is unknown.
    pub fn attribute(&self, value: &str) -> Option<String> {
        let value = value.trim();
        match &self.form {
            Form::Builder(builder) => attribute_of(builder, value),
            Form::Cases { prefix, cases } => {
                let texts: Option<Vec<&str>> =
                    value.split('|').map(|part| cases.find(part).map(|case| &*case.text)).collect();
                Some(format!("{prefix}<{}>", texts?.join("|")))
            }
            Form::Integers { width, cases } => {
                let case = |part: &str| part.trim().parse().ok().or_else(|| cases.find(part).map(|case| case.value));
                let value = value.split('|').try_fold(0, |sum, part| Some(sum | case(part)?))?;
                Some(format!("{value} : i{width}"))
            }
            Form::Texts(cases) => text(value).filter(|text| cases.has_text(text)),
        }
    }

    /// Whether the constant consists of literals that the attribute cannot hold: of another kind, or too large; or names a
    /// case that its enumeration has not.
    pub fn refuses(&self, value: &str) -> bool {
        match &self.form {
            Form::Builder(builder) => {
                let are_literals = list(value, |item| is_literal(item).then(|| item.to_string()));
                let are_some = are_literals.is_some_and(|items| !items.is_empty());
                are_some && attribute_of(builder, value).is_none() && attribute_of(builder, "0").is_some()
            }
            Form::Cases { cases, .. } | Form::Integers { cases, .. } => value.split('|').any(|part| cases.lack(part)),
            Form::Texts(cases) => cases.lack(value) || text(value).is_some_and(|text| !cases.has_text(&text)),
        }
    }
}

/// Whether C++ is a number, a truth value or a string.
pub fn is_literal(code: &str) -> bool {
    literal(code).is_some()
        || number(code).is_some()
        || real(code).is_some()
        || truth(code).is_some()
        || code.starts_with('"')
}

impl Cases {
    fn find(&self, name: &str) -> Option<&Case> {
        let name = name.trim().rsplit("::").next().unwrap_or_default();
        self.cases.iter().find(|case| case.symbol == name)
    }

    /// Whether a case has the text, which stands in quotes.
    fn has_text(&self, text: &str) -> bool {
        self.cases.iter().any(|case| format!("{:?}", case.text) == text)
    }

    /// Whether a name says that it is a case and is none.
    fn lack(&self, name: &str) -> bool {
        let name = name.trim();
        let mut words = name.rsplit("::");
        let is_word = words.next().is_some_and(|word| word.chars().all(|c| c.is_alphanumeric() || c == '_'));
        is_word && words.next() == Some(&self.class) && self.find(name).is_none()
    }
}

/// Asking a record for a field that it does not have would print an error.
trait Checked<'a> {
    fn optional_def_value_checked(self, field: &str) -> Option<Record<'a>>;
}

impl<'a> Checked<'a> for Record<'a> {
    fn optional_def_value_checked(self, field: &str) -> Option<Record<'a>> {
        if self.has_field(field) { self.optional_def_value(field) } else { None }
    }
}

impl Form {
    fn read(base: Record<'_>) -> Self {
        if base.subclass_of("EnumAttr") {
            let cases = base.optional_def_value_checked("enum").map(cases).unwrap_or_default();
            return Self::Cases { prefix: format!("#{}", registered_name(base).unwrap_or_default()), cases };
        }
        if base.subclass_of("StrEnumAttr") {
            return Self::Texts(cases(base));
        }
        if base.subclass_of("EnumInfo") {
            let width = base.int_value("bitwidth").unwrap_or(32);
            return Self::Integers { width, cases: cases(base) };
        }
        Self::Builder(records::text(base, "constBuilderCall").unwrap_or_default())
    }
}

fn cases(record: Record<'_>) -> Cases {
    let class = records::text(record, "className").unwrap_or_default();
    let cases = record.list_of_defs_value("enumerants").unwrap_or_default();
    let read = |case: Record<'_>| {
        let symbol = records::text(case, "symbol").unwrap_or_default();
        let text = records::text(case, "str").unwrap_or_else(|| symbol.clone());
        Case { text, value: case.int_value("value").unwrap_or_default(), symbol }
    };
    Cases { class, cases: cases.into_iter().map(read).collect() }
}

/// The attribute that a C++ builder call makes of a constant.
fn attribute_of(builder: &str, value: &str) -> Option<String> {
    let builder = builder.trim().replace("::mlir::", "").replace("$_builder.", "");
    let (function, arguments) = builder.split_once('(').unwrap_or((&builder, ""));
    match function {
        "$0" => attribute_expression(value),
        "getIntegerAttr" => {
            let r#type = type_of(arguments.rsplit_once(", $0")?.0)?;
            typed(value, &r#type)
        }
        "getI64IntegerAttr" | "getI32IntegerAttr" | "getI16IntegerAttr" | "getI8IntegerAttr" => {
            let width = function.trim_start_matches("getI").trim_end_matches("IntegerAttr");
            typed(value, &format!("i{width}"))
        }
        "getIndexAttr" => typed(value, "index"),
        "getFloatAttr" => {
            let r#type = type_of(arguments.rsplit_once(", $0")?.0)?;
            real(value).map(|value| format!("{value} : {type}", r#type = r#type))
        }
        "getF32FloatAttr" => real(value).map(|value| format!("{value} : f32")),
        "getF64FloatAttr" => real(value).map(|value| format!("{value} : f64")),
        "getBoolAttr" => truth(value).map(String::from),
        "getStringAttr" => text(value),
        // `(($0) ? $_builder.getUnitAttr() : nullptr)`
        "" if builder.contains("getUnitAttr") => (truth(value) == Some("true")).then(|| "unit".into()),
        "getUnitAttr" => Some("unit".into()),
        "TypeAttr::get" => type_of(value),
        "SymbolRefAttr::get" | "FlatSymbolRefAttr::get" => text(value).map(|name| format!("@{name}")),
        _ if function.starts_with("getDense") => dense_array(function, value),
        _ if builder.contains("ElementsAttr") => elements(&builder, value),
        _ => list_attribute(function, value),
    }
}

/// What `getDenseI32ArrayAttr` and its like make of a list.
fn dense_array(function: &str, value: &str) -> Option<String> {
    let element = function.strip_prefix("getDense")?.strip_suffix("ArrayAttr")?;
    let (r#type, items) = match element {
        "Bool" => ("i1".to_string(), list(value, |item| truth(item).map(String::from))?),
        _ if element.starts_with('F') => (element.to_lowercase(), list(value, real)?),
        _ => {
            let r#type = element.to_lowercase();
            let items = list(value, |item| integer(item, &r#type))?;
            (r#type, items)
        }
    };
    Some(if items.is_empty() { format!("array<{type}>") } else { format!("array<{type}: {items}>") })
}

/// What `getI32ArrayAttr` and its like, which take a list, make of one.
fn list_attribute(function: &str, value: &str) -> Option<String> {
    let items = match function {
        "getArrayAttr" => list(value, |item| Some(item.to_string()))?,
        "getBoolArrayAttr" => list(value, |item| truth(item).map(String::from))?,
        "getStrArrayAttr" => list(value, text)?,
        "getTypeArrayAttr" => list(value, type_of)?,
        "getI32ArrayAttr" | "getI64ArrayAttr" => {
            let r#type = format!("i{}", &function["getI".len().."getI64".len()]);
            list(value, |item| typed(item, &r#type))?
        }
        "getF32ArrayAttr" | "getF64ArrayAttr" => {
            let width = &function["getF".len().."getF64".len()];
            list(value, |item| real(item).map(|item| format!("{item} : f{width}")))?
        }
        _ => return None,
    };
    Some(format!("[{items}]"))
}

/// `DenseElementsAttr::get(RankedTensorType::get({2}, $_builder.getIntegerType(32)), $0)`: one value, or the items of a
/// list.
fn elements(builder: &str, value: &str) -> Option<String> {
    let (_, rest) = builder.split_once("RankedTensorType::get({")?;
    let (extents, rest) = rest.split_once('}')?;
    let (element, _) = rest.trim_start_matches([',', ' ']).split_once(')')?;
    let r#type = type_of(&format!("{element})"))?;
    let is_real = r#type.starts_with('f') || r#type == "bf16";
    let items = list(value, |item| if is_real { real(item) } else { integer(item, &r#type) })?;
    let shape: String = extents
        .split(',')
        .filter(|extent| !extent.trim().is_empty())
        .map(|extent| format!("{}x", extent.trim()))
        .collect();
    let one = !items.contains(',');
    // A flat list says nothing of further dimensions.
    let known = one || shape.matches('x').count() == 1;
    let items = if one { items } else { format!("[{items}]") };
    known.then(|| format!("dense<{items}> : tensor<{shape}{type}>", r#type = r#type))
}

/// The attribute that a C++ expression over `$_builder` stands for, without anything of the pattern.
pub fn attribute_expression(code: &str) -> Option<String> {
    let rest = code.trim().strip_prefix("$_builder.")?;
    let (function, value) = rest.split_once('(')?;
    // What is put in for `$0` is not the same always.
    let value = value.strip_suffix(')').filter(|value| !value.contains('$'))?;
    match (function, value.rsplit_once(", ")) {
        ("getIntegerAttr" | "getFloatAttr", Some((r#type, value))) => {
            attribute_of(&format!("$_builder.{function}({type}, $0)", r#type = r#type), value)
        }
        _ if function.ends_with("Attr") => attribute_of(&format!("$_builder.{function}($0)"), value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_stay_within_their_types() {
        let type_of = |r#type: &str| format!("$_builder.getIntegerAttr({type}, $0)", r#type = r#type);
        let (signless, signed) = ("$_builder.getIntegerType(8)", "$_builder.getIntegerType(8, true)");
        let (unsigned, index) = ("$_builder.getIntegerType(8, false)", "$_builder.getIndexType()");
        let cases = [
            (signless, "255", true),
            (signless, "256", false),
            (signless, "-128", true),
            (signless, "-129", false),
            (signless, "0xFF", true),
            (signless, "99999999999999999999999999999999999999999999", false),
            (signed, "128", false),
            (signed, "-128", true),
            (unsigned, "255", true),
            (unsigned, "-1", false),
            (index, "9223372036854775808", false),
            ("$_builder.getIntegerType(128)", "340282366920938463463374607431768211455", true),
        ];
        for (r#type, value, fits) in cases {
            assert_eq!(attribute_of(&type_of(r#type), value).is_some(), fits, "{value} as {type}", r#type = r#type);
        }
        assert_eq!(attribute_of(&type_of(signless), "-0").as_deref(), Some("0 : i8"));
        assert_eq!(attribute_of("$_builder.getDenseI8ArrayAttr($0)", "{1, 300}"), None);
    }

    #[test]
    fn constants_are_said_as_mlir_writes_them() {
        let cases = [
            ("$_builder.getIntegerAttr($_builder.getIntegerType(32), $0)", "5", "5 : i32"),
            ("$_builder.getIntegerAttr($_builder.getIntegerType(8, /*isSigned=*/true), $0)", "-1", "-1 : si8"),
            ("$_builder.getIntegerAttr($_builder.getIntegerType(8, false), $0)", "1", "1 : ui8"),
            ("$_builder.getIntegerAttr($_builder.getIndexType(), $0)", "7", "7 : index"),
            ("$_builder.getFloatAttr($_builder.getF32Type(), $0)", "1", "1.0 : f32"),
            ("$_builder.getFloatAttr($_builder.getF64Type(), $0)", "-.5e3f", "-0.5e3 : f64"),
            ("$_builder.getBoolAttr($0)", "true", "true"),
            ("$_builder.getStringAttr($0)", "\"a\"", "\"a\""),
            ("$_builder.getStringAttr($0)", "a", "\"a\""),
            ("(($0) ? $_builder.getUnitAttr() : nullptr)", "true", "unit"),
            ("$_builder.getDenseI64ArrayAttr($0)", "{1, -2}", "array<i64: 1, -2>"),
            ("$_builder.getDenseI32ArrayAttr($0)", "{}", "array<i32>"),
            ("$_builder.getDenseBoolArrayAttr($0)", "{true, false}", "array<i1: true, false>"),
            ("$_builder.getDenseF32ArrayAttr($0)", "{1, 2.5f}", "array<f32: 1.0, 2.5>"),
            ("$_builder.getI64ArrayAttr($0)", "{1, 2}", "[1 : i64, 2 : i64]"),
            ("$_builder.getStrArrayAttr($0)", "{\"a\", \"b\"}", "[\"a\", \"b\"]"),
            (
                "::mlir::DenseIntElementsAttr::get(::mlir::RankedTensorType::get({2}, $_builder.getIntegerType(32)), ::llvm::ArrayRef($0))",
                "{1, 2}",
                "dense<[1, 2]> : tensor<2xi32>",
            ),
            (
                "::mlir::DenseElementsAttr::get(::mlir::RankedTensorType::get({}, $_builder.getF32Type()),::llvm::ArrayRef($0))",
                "1",
                "dense<1.0> : tensor<f32>",
            ),
            ("::mlir::TypeAttr::get($0)", "$_builder.getF32Type()", "f32"),
            ("::mlir::SymbolRefAttr::get($_builder.getContext(), $0)", "\"f\"", "@\"f\""),
        ];
        for (builder, value, expected) in cases {
            assert_eq!(attribute_of(builder, value).as_deref(), Some(expected), "{builder} of {value}");
        }
        for (builder, value) in [
            ("$_builder.getIntegerAttr($_builder.getIntegerType(32), $0)", "five"),
            ("$_builder.getFloatAttr($_builder.getF32Type(), $0)", "INFINITY"),
            ("::mlir::AffineMapAttr::get($0)", "map"),
            ("", "1"),
        ] {
            assert_eq!(attribute_of(builder, value), None, "{builder} of {value}");
        }
    }

    #[test]
    fn expressions_over_the_builder_are_constants() {
        assert_eq!(type_of("$_builder.getI32Type()").as_deref(), Some("i32"));
        assert_eq!(type_of("$_builder.getIntegerType(7)").as_deref(), Some("i7"));
        assert_eq!(type_of("$_builder.getTupleType({$0})"), None);
        assert_eq!(attribute_expression("$_builder.getI64IntegerAttr(3)").as_deref(), Some("3 : i64"));
        assert_eq!(attribute_expression("$_builder.getUnitAttr()").as_deref(), Some("unit"));
        assert_eq!(attribute_expression("$_builder.getI64IntegerAttr($0)"), None);
    }
}
