//! Enumerations in text.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Parser, Printer, Token};

/// The cases of an enumeration, and how a set of them is written.
#[derive(Debug)]
pub struct EnumerationDefinition {
    /// What messages call it.
    pub name: &'static str,
    /// The number of bits that a value is stored in.
    pub width: u32,
    /// Values with their texts, in the order of their declaration.
    pub cases: &'static [(i64, &'static str)],
    /// For values that are sets of cases: how several are written.
    pub set: Option<SetSyntax>,
}

/// How a set of cases is written.
#[derive(Debug)]
pub struct SetSyntax {
    /// What stands between two cases.
    pub separator: &'static str,
    /// The cases that stand for several others.
    pub groups: &'static [i64],
    /// Whether such a case stands in place of those that it has.
    pub prints_groups: bool,
    /// Whether parameters print a set in quotes.
    pub quoted: bool,
}

impl EnumerationDefinition {
    /// The text of a value; none if it is none of the enumeration.
    pub fn text(&self, value: i64) -> Option<String> {
        match &self.set {
            Some(set) => self.set_text(set, value),
            None => self.case(value).map(str::to_string),
        }
    }

    /// The value of a text; none if it is none of the enumeration.
    pub fn value(&self, text: &str) -> Option<i64> {
        let case = |text: &str| self.cases.iter().find(|(_, case)| *case == text).map(|(value, _)| *value);
        match &self.set {
            None => case(text),
            // The empty set stands alone.
            Some(_) if case(text) == Some(0) => Some(0),
            Some(set) => text
                .split(set.separator.trim())
                .try_fold(0, |all, part| Some(all | case(part.trim()).filter(|value| *value != 0)?)),
        }
    }

    /// Parses a value as operations write it: a word, or a string for a set of several.
    pub fn parse<S>(&self, parser: &mut Parser<'_, '_, S>) -> Result<i64, Failure> {
        self.parse_optional(parser)?.ok_or_else(|| parser.error(&self.expected()))
    }

    /// The same where it may be missing.
    pub fn parse_optional<S>(&self, parser: &mut Parser<'_, '_, S>) -> Result<Option<i64>, Failure> {
        let mut words = self.cases.iter().filter(|(_, text)| is_word(text));
        if let Some((value, _)) = words.find(|(_, word)| parser.parse_optional_keyword(word)) {
            return Ok(Some(*value));
        }
        parser.parse_optional_string().map(|text| self.known(parser, &text)).transpose()
    }

    /// Parses a value as parameters write it: the cases of a set stand one behind the other.
    pub fn parse_parameter<S>(&self, parser: &mut Parser<'_, '_, S>) -> Result<i64, Failure> {
        self.parse_optional_parameter(parser)?.ok_or_else(|| parser.error(&self.expected()))
    }

    /// The same where it may be missing.
    pub fn parse_optional_parameter<S>(&self, parser: &mut Parser<'_, '_, S>) -> Result<Option<i64>, Failure> {
        let Some(mut value) = self.parse_optional(parser)? else { return Ok(None) };
        let Some(set) = &self.set else { return Ok(Some(value)) };
        let separator = if set.separator.contains('|') { Token::VerticalBar } else { Token::Comma };
        while parser.parse_optional_token(separator) {
            value |= self.parse(parser)?;
        }
        Ok(Some(value))
    }

    /// Prints a value as operations do: a word, or a string for a set of several.
    pub fn print<S>(&self, value: i64, printer: &mut Printer<'_, S>) {
        match (self.case(value), self.text(value)) {
            (Some(word), _) if is_word(word) => drop(printer.text(word)),
            (_, Some(text)) => drop(printer.string(&text)),
            (_, None) => drop(printer.text(&value.to_string())),
        }
    }

    /// Prints a value as parameters do.
    pub fn print_parameter<S>(&self, value: i64, printer: &mut Printer<'_, S>) {
        let quoted = self.set.as_ref().is_some_and(|set| set.quoted) && self.case(value).is_none();
        let text = self.text(value).unwrap_or_else(|| value.to_string());
        match quoted || !text.split(['|', ',']).all(|word| is_word(word.trim())) {
            true => printer.string(&text),
            false => printer.text(&text),
        };
    }

    fn known<S>(&self, parser: &mut Parser<'_, '_, S>, text: &str) -> Result<i64, Failure> {
        self.value(text).ok_or_else(|| parser.error(&format!("{}, but found '{text}'", self.expected())))
    }

    fn expected(&self) -> String {
        let names: Vec<&str> = self.cases.iter().map(|(_, name)| *name).collect();
        format!("expected one of {}", names.join(", "))
    }

    fn case(&self, value: i64) -> Option<&'static str> {
        self.cases.iter().find(|(case, _)| *case == value).map(|(_, text)| *text)
    }

    /// The cases of a set, in the order of their declaration; groups first, the last one before the others.
    fn set_text(&self, set: &SetSyntax, value: i64) -> Option<String> {
        if value == 0 {
            return Some(self.case(0).unwrap_or_default().to_string());
        }
        let has = |case: i64| case != 0 && value & case == case;
        let is_group = |case: i64| set.groups.contains(&case);
        let mut covered = 0;
        let mut shown: Vec<&str> = Vec::new();
        for (group, text) in self.cases.iter().rev().filter(|(case, _)| is_group(*case) && has(*case)) {
            // In place of the bits that no group behind it has.
            if !set.prints_groups || group & !covered != 0 {
                shown.push(text);
            }
            covered |= group;
        }
        let bits = self.cases.iter().filter(|(case, _)| !is_group(*case) && has(*case));
        let single: Vec<&str> =
            bits.clone().filter(|(case, _)| !set.prints_groups || case & covered == 0).map(|(_, text)| *text).collect();
        let known = bits.fold(covered, |known, (case, _)| known | case);
        let texts = match set.prints_groups {
            true => [shown, single].concat(),
            false => [single, shown].concat(),
        };
        (value & !known == 0).then(|| texts.join(set.separator))
    }
}

/// Whether the parser takes a text as one word.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
}
