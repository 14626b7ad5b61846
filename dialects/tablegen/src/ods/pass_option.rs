//! Options of passes, whose types and default values are C++.

use tblgen::Record;

use crate::{
    cpp::{self, Expression},
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::Records,
};

/// An `Option` or `ListOption` of a pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassOption {
    /// The name in code.
    pub member: String,
    /// The name on the command line.
    pub name: String,
    /// What it may be.
    pub kind: OptionKind,
    /// What it is when it is not given; lists are empty then.
    pub default: OptionDefault,
    /// One line about it.
    pub description: String,
    /// Whether it takes several values.
    pub is_list: bool,
    /// Where it is declared.
    pub place: Place,
}

/// What an option may be.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionKind {
    /// `bool`
    Flag,
    /// A signed integer of so many bits.
    Integer(u32),
    /// An unsigned integer of so many bits.
    Unsigned(u32),
    /// `float` or `double`
    Real,
    /// `std::string`, or a pipeline.
    Text,
    /// One of the words of a C++ enumeration.
    Words(Vec<Word>),
}

/// A word for a case of a C++ enumeration: `clEnumValN(case, text, description)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// The case, without the names of what it is in.
    pub case: String,
    /// The word.
    pub text: String,
    /// What it means.
    pub description: String,
}

/// The default value of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionDefault {
    /// That of a flag.
    Flag(bool),
    /// That of an integer.
    Integer(i64),
    /// That of an unsigned integer.
    Unsigned(u64),
    /// That of a number.
    Real(f64),
    /// That of a text, or a word.
    Text(String),
    /// That of a text, which is an expression of C++: Rust has to give it.
    Required(String),
}

const OPTION: Class = Class { name: "Option", cpp: &[], derived: &[] };

impl PassOption {
    /// Reads the record.
    pub(super) fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let name = fields.text("argument").ok_or_else(|| fields.place().error("a pass option needs a name"))?;
        let member = fields.text("cppName").unwrap_or_else(|| name.clone());
        let is_list = record.subclass_of("ListOption");
        let mut kind = kind(&fields, &name)?;
        let default = fields.text("defaultValue").unwrap_or_default();
        kind.add_default(&default);
        let value = match is_list {
            true => kind.default(""),
            false => kind.default(default.trim()),
        };
        let Some(value) = value else {
            let message = format!("option '{name}' cannot be '{default}' by default: it is {}", kind.described());
            return Err(fields.place().error(message));
        };
        let (description, place) = (fields.text("description").unwrap_or_default(), fields.place());
        fields.finish(&OPTION)?;
        Ok(Self { member, name, kind, default: value, description, is_list, place })
    }
}

/// What the C++ type of an option and its words say.
fn kind(fields: &Fields<'_>, name: &str) -> Result<OptionKind> {
    let written = fields.text("type").unwrap_or_default();
    let class = cpp::normalized(written.trim().trim_start_matches("enum "));
    let flags = fields.set_text("additionalOptFlags").unwrap_or_default();
    if let Some(kind) = plain_kind(&class) {
        if !flags.trim().is_empty() {
            fields.records.leave_out("additionalOptFlags", "concerns C++ only", fields.record, || {
                fields.field_place("additionalOptFlags")
            });
        }
        return Ok(kind);
    }
    let wrong = |reason: String| -> Error { fields.place().error(format!("option '{name}': {reason}")) };
    if flags.trim().is_empty() {
        let message = format!("option '{name}' is of the C++ type '{written}', whose values are not known");
        let help =
            "say its words: let additionalOptFlags = \"llvm::cl::values(clEnumValN(case, text, description), ...)\"";
        return Err(fields.place().error(message).help(help));
    }
    match words(&cpp::parse(&flags).map_err(&wrong)?) {
        Some(words) => Ok(OptionKind::Words(words)),
        None => Err(wrong("expected llvm::cl::values(clEnumValN(case, text, description), ...)".into())),
    }
}

fn plain_kind(class: &str) -> Option<OptionKind> {
    Some(match class {
        "bool" => OptionKind::Flag,
        "string" | "StringRef" | "OpPassManager" => OptionKind::Text,
        "float" | "double" => OptionKind::Real,
        "int8_t" => OptionKind::Integer(8),
        "int16_t" | "short" => OptionKind::Integer(16),
        "int" | "int32_t" => OptionKind::Integer(32),
        "int64_t" | "long" | "long long" | "ssize_t" | "ptrdiff_t" => OptionKind::Integer(64),
        "uint8_t" => OptionKind::Unsigned(8),
        "uint16_t" | "unsigned short" => OptionKind::Unsigned(16),
        "unsigned" | "unsigned int" | "uint32_t" => OptionKind::Unsigned(32),
        "uint64_t" | "size_t" | "unsigned long" | "unsigned long long" => OptionKind::Unsigned(64),
        _ => return None,
    })
}

/// The words of `cl::values(...)`; none if it is something else.
fn words(flags: &Expression) -> Option<Vec<Word>> {
    let Expression::Call { function, arguments, .. } = flags else { return None };
    if function != "values" {
        return None;
    }
    let word = |argument: &Expression| {
        let Expression::Call { function, arguments, .. } = argument else { return None };
        let case = |name: &str| last_name(name).to_string();
        match (function.as_str(), arguments.as_slice()) {
            ("clEnumValN", [Expression::Name(name), Expression::Text(text), Expression::Text(description)]) => {
                Some(Word { case: case(name), text: text.clone(), description: description.clone() })
            }
            ("clEnumVal", [Expression::Name(name), Expression::Text(description)]) => {
                Some(Word { case: case(name), text: case(name), description: description.clone() })
            }
            _ => None,
        }
    };
    arguments.iter().map(word).collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
}

impl OptionKind {
    /// What values of the kind are, for messages.
    fn described(&self) -> String {
        match self {
            Self::Flag => "true or false".into(),
            Self::Integer(bits) => format!("an integer of {bits} bits"),
            Self::Unsigned(bits) => format!("an unsigned integer of {bits} bits"),
            Self::Real => "a number".into(),
            Self::Text => "a string".into(),
            Self::Words(words) => {
                format!("one of {}", words.iter().map(|word| word.case.as_str()).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A default value that no word says is a case all the same: that of an option which is not given.
    fn add_default(&mut self, default: &str) {
        let Self::Words(words) = self else { return };
        let case = last_name(default);
        if !case.is_empty() && words.iter().all(|word| word.case != case) {
            let case = case.to_string();
            words.push(Word { case, text: String::new(), description: String::new() });
        }
    }

    /// The value that C++ writes so; where it writes none, what C++ begins with.
    fn default(&self, text: &str) -> Option<OptionDefault> {
        Some(match self {
            Self::Flag => OptionDefault::Flag(match text {
                "true" | "1" => true,
                "false" | "0" | "" => false,
                _ => return None,
            }),
            Self::Integer(bits) => {
                let (first, last) = integer_range(*bits);
                let value = integer(text, i128::from(first), i128::from(last))?;
                OptionDefault::Integer(i64::try_from(value).ok().filter(|value| (first..=last).contains(value))?)
            }
            Self::Unsigned(bits) => {
                let last = i128::from(last_unsigned(*bits));
                // C++ takes negative numbers from the end.
                let value = integer(text, 0, last)?;
                let value = if value < 0 { value + last + 1 } else { value };
                OptionDefault::Unsigned(u64::try_from(value).ok().filter(|value| i128::from(*value) <= last)?)
            }
            Self::Real => OptionDefault::Real(real(text)?),
            Self::Text => string(text).map_or_else(|| OptionDefault::Required(text.into()), OptionDefault::Text),
            Self::Words(words) => {
                let case = last_name(text);
                let found = match case {
                    "" => words.first(),
                    _ => words.iter().find(|word| word.case == case),
                };
                OptionDefault::Text(found?.text.clone())
            }
        })
    }
}

/// A name of C++ without those of what it is in.
fn last_name(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name).trim()
}

/// The first and the last integer of so many bits.
pub(crate) fn integer_range(bits: u32) -> (i64, i64) {
    (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
}

/// The last unsigned integer of so many bits.
pub(crate) fn last_unsigned(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// An integer of C++, or an end of its type's range.
fn integer(text: &str, first: i128, last: i128) -> Option<i128> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\'').collect();
    if compact.is_empty() {
        return Some(0);
    }
    if let Some(limit) = compact.trim_start_matches("::").strip_prefix("std::numeric_limits<") {
        return match limit.split_once('>')?.1 {
            "::max()" => Some(last),
            "::min()" | "::lowest()" => Some(first),
            _ => None,
        };
    }
    let (sign, digits) = match compact.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, compact.as_str()),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits.trim_end_matches(['u', 'U', 'l', 'L']), 16),
        None => digits.trim_end_matches(['u', 'U', 'l', 'L']).parse(),
    };
    value.ok().map(|value| sign * value)
}

fn real(text: &str) -> Option<f64> {
    match text {
        "" => Some(0.0),
        _ => text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok(),
    }
}

/// A string literal of C++; an empty one where there is none.
fn string(text: &str) -> Option<String> {
    match (text, cpp::parse(text)) {
        ("", _) => Some(String::new()),
        (_, Ok(Expression::Text(text))) => Some(text),
        (_, Ok(Expression::Call { function, arguments, .. })) => match (function.as_str(), arguments.as_slice()) {
            ("string", []) => Some(String::new()),
            ("string" | "StringRef", [Expression::Text(text)]) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
