//! Enumerations.

use tblgen::Record;

use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::Records,
};

/// A case of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumerationCase {
    /// The name in code.
    pub symbol: String,
    /// The value.
    pub value: i64,
    /// The name in text.
    pub text: String,
    /// Whether it stands for several cases of a set together.
    pub is_group: bool,
    /// Where it is declared.
    pub place: Place,
}

/// An `EnumInfo` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// The name of the definition.
    pub definition: String,
    /// The name of the Rust type.
    pub name: String,
    /// The C++ namespace.
    pub namespace: String,
    /// One line about it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// The cases in order.
    pub cases: Vec<EnumerationCase>,
    /// The number of bits that a value is stored in.
    pub width: u32,
    /// The C++ type of its values.
    pub underlying_type: String,
    /// Whether values are sets of cases.
    pub is_bits: bool,
    /// Whether attributes hold the text of a case in place of its value.
    pub is_text: bool,
    /// What stands between the cases of a set.
    pub separator: String,
    /// Whether a group is printed in place of its cases.
    pub prints_groups: bool,
    /// Whether a set of several cases is printed in quotes.
    pub prints_quoted: bool,
    /// The class of the attribute that holds it, where it has one of its own.
    pub attribute_class: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

const ENUMERATION: Class = Class {
    name: "EnumInfo",
    // How C++ names its functions, and how C++ parses a parameter that holds it.
    cpp: &[
        "underlyingToSymbolFnName",
        "stringToSymbolFnName",
        "symbolToStringFnName",
        "symbolToStringFnRetType",
        "maxEnumValFnName",
    ],
    // Attributes are those of MLIR either way.
    derived: &["genSpecializedAttr"],
};

/// Cases that need no values, with their places in the list where they have none.
fn numbered(cases: Vec<EnumerationCase>) -> Vec<EnumerationCase> {
    let lacks_value = cases.iter().any(|case| case.value < 0);
    let number = |(index, case): (usize, EnumerationCase)| match i64::try_from(index) {
        Ok(value) if lacks_value => EnumerationCase { value, ..case },
        _ => case,
    };
    cases.into_iter().enumerate().map(number).collect()
}

impl Enumeration {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let name = fields.required_name("className", "enumeration")?;
        let cases = fields.definitions("enumerants")?;
        let cases = cases.into_iter().map(|case| EnumerationCase::read(records, case)).collect::<Result<Vec<_>>>()?;
        let is_text = record.subclass_of("StrEnumAttr");
        let cases = if is_text { numbered(cases) } else { cases };
        let width = fields.integer("bitwidth").and_then(|width| u32::try_from(width).ok()).unwrap_or(32);
        Error::collect(wrong(&name, width, &cases))?;
        let enumeration = Self {
            definition: fields.name().to_string(),
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            summary: fields.text("summary"),
            description: fields.text("description"),
            width,
            underlying_type: fields.text("underlyingType").unwrap_or_default(),
            is_bits: record.subclass_of("BitEnumBase"),
            is_text,
            separator: fields.text("separator").unwrap_or_else(|| "|".into()),
            prints_groups: fields.flag("printBitEnumPrimaryGroups"),
            // Parameters print the old attributes of sets by a function of their own, which sets no quotes.
            prints_quoted: fields.flag("printBitEnumQuoted") && !record.subclass_of("Attr"),
            attribute_class: fields.text("specializedAttrClassName").filter(|_| fields.flag("genSpecializedAttr")),
            place: fields.place(),
            name,
            cases,
        };
        ["cppType", "validBits"].iter().for_each(|field| fields.note(field));
        fields.finish(&ENUMERATION).map(|()| enumeration)
    }
}

impl EnumerationCase {
    fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let value = fields.integer("value");
        let value = value.ok_or_else(|| Error::at(records, record, "an enumeration case needs a value"))?;
        let symbol = fields.text("symbol").unwrap_or_default();
        let text = fields.set_text("str").unwrap_or_else(|| symbol.clone());
        let is_group = record.subclass_of("BitEnumCaseGroup") || record.subclass_of("BitEnumAttrCaseGroup");
        Ok(Self { text, symbol, value, is_group, place: fields.place() })
    }
}

/// An error for each case that has the symbol or the text of another one, or a value for which there are too few bits.
fn wrong(name: &str, width: u32, cases: &[EnumerationCase]) -> Vec<Error> {
    // As signed or unsigned numbers.
    let size = 1_i128 << width.min(64);
    let room = -size / 2..size;
    let mut errors = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let symbol = &case.symbol;
        if cases[..index].iter().any(|earlier| earlier.symbol == *symbol) {
            errors.push(case.place.error(format!("enumeration '{name}' has the case '{symbol}' twice")));
        }
        let is_same_text = |earlier: &&EnumerationCase| {
            earlier.text == case.text && earlier.value != case.value && earlier.symbol != case.symbol
        };
        if let Some(earlier) = cases[..index].iter().find(is_same_text) {
            let message =
                format!("enumeration '{name}': '{symbol}' has the text '{}' of '{}'", case.text, earlier.symbol);
            errors.push(case.place.error(message).help("each value needs a text by which it is read back"));
        }
        if !room.contains(&i128::from(case.value)) {
            let message =
                format!("enumeration '{name}': {width} bits have no room for the value {} of '{symbol}'", case.value);
            errors.push(case.place.error(message));
        }
    }
    errors
}
