//! Spellings of earlier versions of ODS that the texts about it still use: they are read as what they are called now.

use crate::error::{Diagnostic, Place};

/// Names that only changed, and the files that have them now, where it is not `OpBase.td`.
const RENAMED: [(&str, &str, &str); 4] = [
    ("Confined", "ConfinedAttr", ""),
    ("NoSideEffect", "Pure", "mlir/Interfaces/SideEffectInterfaces.td"),
    ("BitEnumAttrCase", "I32BitEnumAttrCase", "mlir/IR/EnumAttr.td"),
    ("BitEnumAttr", "I32BitEnumAttr", "mlir/IR/EnumAttr.td"),
];
/// Classes that were taken away, and what is to be said of them.
const FORMER: [(&str, &str); 3] = [
    ("Traits", "'Traits' is part of the list of 'Op' now"),
    ("StrEnumAttr", "MLIR has no 'StrEnumAttr' now: it is read as it was"),
    ("StrEnumAttrCase", "MLIR has no 'StrEnumAttrCase' now: it is read as it was"),
];
/// Where they are declared still.
const FORMER_FILE: &str = "rust/Former.td";
/// Fields of operations that only changed their names.
const RENAMED_FIELDS: [(&str, &str); 1] = [("hasConstantFolder", "hasFolder")];
/// Fields that operations had: records may still have them as their own.
const FORMER_FIELDS: [&str; 4] = ["verifier", "parser", "printer", "reference"];
/// Bases of bases beyond which nobody asks what a definition is.
const MAXIMUM_BASES: usize = 8;
/// Where all of these came from.
const BASE_FILE: &str = "\"mlir/IR/OpBase.td\"";

/// A text in today's spelling.
pub struct Respelled {
    /// The text, with as many lines.
    pub text: String,
    /// One warning for each change.
    pub warnings: Vec<Diagnostic>,
}

/// The text of a file that diagnostics call `name` in today's spelling; none if it has no other.
pub fn respell(text: &str, name: &str) -> Option<Respelled> {
    let mut speller = Speller { source: text, name, ..Speller::default() };
    while speller.step() {}
    let Speller { mut text, warnings, needed, included, .. } = speller;
    if warnings.is_empty() {
        return None;
    }
    if let Some(at) = included {
        text.insert_str(at, &needed.concat());
    }
    Some(Respelled { text, warnings })
}

#[derive(Default)]
struct Speller<'t> {
    source: &'t str,
    name: &'t str,
    at: usize,
    text: String,
    warnings: Vec<Diagnostic>,
    /// Where brackets close that were written as `[` and are `(` now.
    closing: Vec<usize>,
    /// What must stand behind the file that once had everything, or behind the first that is included.
    needed: Vec<String>,
    /// Where that is.
    included: Option<usize>,
}

impl<'t> Speller<'t> {
    fn rest(&self) -> &'t str {
        &self.source[self.at..]
    }

    /// Takes over one token; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if rest.starts_with("[{") => rest.find("}]").map_or(rest.len(), |end| end + 2),
            '"' => string_length(rest),
            ']' if self.closing.contains(&self.at) => {
                self.text.push(')');
                self.at += 1;
                return true;
            }
            _ if first.is_ascii_alphabetic() || first == '_' => return self.word(word_length(rest)),
            _ => first.len_utf8(),
        };
        self.keep(length);
        true
    }

    fn keep(&mut self, length: usize) {
        self.text.push_str(&self.rest()[..length]);
        self.at += length;
    }

    /// Writes something in place of so many bytes.
    fn replace(&mut self, length: usize, with: &str, message: String) {
        let before = &self.source[..self.at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let shown = self.source[start..].lines().next().unwrap_or_default();
        let place = Place::at(self.name, line, self.source[start..self.at].chars().count() + 1, shown);
        self.warnings.push(Diagnostic::warning(place, message));
        self.text.push_str(with);
        self.at += length;
    }

    fn word(&mut self, length: usize) -> bool {
        let word = &self.rest()[..length];
        let renamed = RENAMED.iter().find(|(old, ..)| *old == word && !self.is_defined(old));
        if let Some((old, message)) = FORMER.iter().find(|(old, _)| *old == word && !self.is_defined(old)) {
            self.include(FORMER_FILE);
            self.replace(length, old, (*message).to_string());
            return true;
        }
        match (word, renamed) {
            (_, Some((old, new, file))) => {
                self.include(file);
                self.replace(length, new, format!("'{old}' is called '{new}' now"));
            }
            ("include", _) => self.inclusion(length),
            ("let", _) => self.field(length),
            ("OpBuilder", _) => self.builder(length),
            ("Op", _) => self.operation(length),
            ("Results", _) => self.results(length),
            _ => self.keep(length),
        }
        true
    }

    /// Makes sure that a file is read.
    fn include(&mut self, file: &str) {
        if !self.source.contains(file) {
            self.need(format!(" include \"{file}\""));
        }
    }

    /// Whether the file itself defines a name.
    fn is_defined(&self, name: &str) -> bool {
        ["class", "def", "defvar", "multiclass"].iter().any(|kind| {
            let definition = format!("{kind} {name}");
            let mut found = self.source.match_indices(&definition);
            found.any(|(at, _)| word_length(&self.source[at + definition.len()..]) == 0)
        })
    }

    /// `include "file"`.
    fn inclusion(&mut self, length: usize) {
        let behind = &self.rest()[length..];
        let file = behind.trim_start();
        let quoted = if file.starts_with('"') { string_length(file) } else { 0 };
        let is_base = &file[..quoted] == BASE_FILE;
        self.keep(length + behind.len() - file.len() + quoted);
        if quoted > 0 && (is_base || self.included.is_none()) {
            self.included = Some(self.text.len());
        }
    }

    /// `let verifier` of a field that operations no longer have.
    fn field(&mut self, length: usize) {
        let behind = &self.rest()[length..];
        let space = behind.len() - behind.trim_start().len();
        let name = &behind[space..][..word_length(&behind[space..])];
        let renamed = RENAMED_FIELDS.iter().find(|(old, _)| *old == name);
        let declared = |kind: &str| self.source.contains(&format!("{kind} {name}"));
        if let Some((old, new)) = renamed.filter(|_| !declared("bit")) {
            self.keep(length + space);
            self.replace(old.len(), new, format!("'{old}' is called '{new}' now"));
        } else if FORMER_FIELDS.contains(&name) && !declared("code") && !declared("string") && !self.is_of_value() {
            let message = match name {
                "reference" => "'reference' is no field of 'Op' now: say 'code' in place of 'let'".to_string(),
                "verifier" => "'verifier' is said by 'hasVerifier' now".to_string(),
                _ => format!("'{name}' is said by 'hasCustomAssemblyFormat' now"),
            };
            self.replace(length, "code", message);
        } else {
            self.keep(length);
        }
    }

    /// Whether the definition at hand is a property or a parameter, which have a parser and a printer still.
    fn is_of_value(&self) -> bool {
        let before = &self.source[..self.at];
        let header = ["class ", "def "].iter().filter_map(|kind| before.rfind(kind)).max();
        header.is_some_and(|at| self.derives_from_value(&self.source[at..], 0))
    }

    /// Whether one of the bases in a header is a property or a parameter.
    fn derives_from_value(&self, header: &str, depth: usize) -> bool {
        let header = header.split(['{', ';']).next().unwrap_or_default();
        let Some((_, bases)) = header.split_once(':').filter(|_| depth < MAXIMUM_BASES) else { return false };
        let mut words = bases.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.any(|word| {
            let is_one = ["Prop", "Property", "Parameter", "AttrForm"].iter().any(|ending| word.ends_with(ending));
            let base = || self.source.split_once(&format!("class {word}")).map(|(_, rest)| rest);
            is_one || base().is_some_and(|rest| word_length(rest) == 0 && self.derives_from_value(rest, depth + 1))
        })
    }

    /// `OpBuilder<"Builder *builder, OperationState &state, float val = 0.5f", ...>`.
    fn builder(&mut self, length: usize) {
        let behind = &self.rest()[length..];
        let opened = behind.trim_start().strip_prefix('<').map(str::trim_start);
        let Some(text) = opened.filter(|opened| opened.starts_with('"')) else { return self.keep(length) };
        let start = length + behind.len() - text.len();
        let quoted = string_length(text);
        let Some(parameters) = text[..quoted].strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) else {
            return self.keep(length);
        };
        let entries: Vec<String> = parameters_of(parameters).into_iter().filter_map(entry).collect();
        let dag = match entries.as_slice() {
            [] => "(ins)".to_string(),
            entries => format!("(ins {})", entries.join(", ")),
        };
        self.keep(start);
        self.replace(quoted, &dag, format!("the parameters of 'OpBuilder' are written as '{dag}' now"));
    }

    /// `Op<"tf.Add", ...>`: the dialect was the first part of the name.
    fn operation(&mut self, length: usize) {
        let behind = &self.rest()[length..];
        let text = behind.trim_start().strip_prefix('<').map_or("", str::trim_start);
        let quoted = if text.starts_with('"') { string_length(text) } else { 0 };
        let name = text[..quoted].trim_matches('"');
        let Some((dialect, mnemonic)) = name.split_once('.') else { return self.keep(length) };
        if dialect.is_empty() || word_length(dialect) < dialect.len() {
            return self.keep(length);
        }
        let definition = self.dialect(dialect);
        let now = format!("{definition}, \"{mnemonic}\"");
        self.keep(length + behind.len() - text.len());
        self.replace(quoted, &now, format!("the dialect of an operation is a definition now: 'Op<{now}>'"));
    }

    /// The definition of the dialect, which the file may have or not.
    fn dialect(&mut self, name: &str) -> String {
        let named = format!("name = \"{name}\"");
        let declared = self.source.match_indices(&named).find_map(|(at, _)| {
            let (_, definition) = self.source[..at].rsplit_once("def ")?;
            let (found, rest) = definition.split_at(word_length(definition));
            rest.trim_start().strip_prefix(':')?.trim_start().starts_with("Dialect").then(|| found.to_string())
        });
        declared.unwrap_or_else(|| {
            let definition = format!("{}_Dialect", name.to_uppercase());
            self.need(format!(" def {definition} : Dialect {{ let {named}; }}"));
            definition
        })
    }

    /// `Results<[A, B]>`, which is a dag now.
    fn results(&mut self, length: usize) {
        let behind = &self.rest()[length..];
        let Some(list) = behind.trim_start().strip_prefix('<').map(str::trim_start) else { return self.keep(length) };
        let Some(end) = list.strip_prefix('[').and_then(closing_bracket) else { return self.keep(length) };
        let start = length + behind.len() - list.len();
        self.keep(start);
        self.closing.push(self.at + 1 + end);
        self.replace(1, "(outs ", "results are written as '(outs ...)' now".into());
    }

    /// Notes what must stand behind the file that once had everything.
    fn need(&mut self, text: String) {
        if !self.needed.contains(&text) {
            self.needed.push(text);
        }
    }
}

/// Where the bracket closes that stands before the text.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
        None
    })
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// C++ parameters, split at commas that stand in no brackets.
fn parameters_of(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// A parameter as an entry of a dag; none for the builder and the state, which are not said any more.
fn entry(parameter: &str) -> Option<String> {
    let (declared, default) = match parameter.split_once('=') {
        Some((declared, default)) => (declared.trim(), Some(default.trim())),
        None => (parameter, None),
    };
    let at = declared.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let (kind, name) = (declared[..at].trim(), &declared[at..]);
    let class = kind.trim_end_matches(['*', '&', ' ']).rsplit("::").next().unwrap_or_default();
    if matches!(class, "Builder" | "OpBuilder" | "OperationState") {
        return None;
    }
    Some(match default {
        Some(default) => format!("CArg<\"{kind}\", \"{default}\">:${name}"),
        None => format!("\"{kind}\":${name}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_spellings_are_read_as_todays() {
        let text = "include \"mlir/IR/OpBase.td\"
def A : Op<T, \"a\", [NoSideEffect]> { // Confined
  let arguments = (ins Confined<I32Attr, [IntMinValue<10>]>:$x);
  let verifier = [{ return Confined; }];
  let hasConstantFolder = 1;
  let builders = [OpBuilder<\"Builder *builder, OperationState &state, float val = 0.5f\", [{ f(); }]>];
}";
        let respelled = respell(text, "test.td").unwrap();
        let expected = "include \"mlir/IR/OpBase.td\" include \"mlir/Interfaces/SideEffectInterfaces.td\"
def A : Op<T, \"a\", [Pure]> { // Confined
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<10>]>:$x);
  code verifier = [{ return Confined; }];
  let hasFolder = 1;
  let builders = [OpBuilder<(ins CArg<\"float\", \"0.5f\">:$val), [{ f(); }]>];
}";
        assert_eq!(respelled.text, expected);
        assert_eq!(respelled.warnings.len(), 5);
        assert_eq!(respelled.warnings[2].message(), "'verifier' is said by 'hasVerifier' now");
    }

    #[test]
    fn files_that_are_needed_are_read_behind_the_first() {
        let respelled = |text: &str| respell(text, "test.td").unwrap().text;
        let file = "// include \"x.td\"\ninclude  \"mlir/IR/EnumAttr.td\"\ninclude \"own.td\"\n";
        let expected = file.replace("Attr.td\"", "Attr.td\" include \"rust/Former.td\"");
        assert_eq!(respelled(&format!("{file}def A : StrEnumAttr;")), format!("{expected}def A : StrEnumAttr;"));
        let file = "include \"own.td\"\ninclude \"mlir/IR/OpBase.td\"\n";
        let expected = file.replace("Base.td\"", "Base.td\" include \"rust/Former.td\"");
        assert_eq!(respelled(&format!("{file}def A : StrEnumAttr;")), format!("{expected}def A : StrEnumAttr;"));
    }

    #[test]
    fn what_a_file_defines_itself_stays() {
        let own = "class Confined<int n> {} def A : Confined<1>; class B { code verifier = \"\"; } def C : B { let verifier = \"x\"; }";
        assert!(respell(own, "test.td").is_none());
        assert!(respell("def A : Op<T, \"Confined\">; // NoSideEffect", "test.td").is_none());
        let properties =
            "class P<int n> : IntProp<\"int64_t\"> { let parser = \"x\"; } def Q : P<1> { let printer = \"x\"; }";
        assert!(respell(properties, "test.td").is_none());
        assert!(respell("let builders = [OpBuilder<(ins \"int\":$x)>]; \"let verifier", "test.td").is_none());
    }

    #[test]
    fn types_of_parameters_keep_their_brackets() {
        let text = "OpBuilder<\"OpBuilder &b, OperationState &s, std::map<int, int> m, int n\">";
        let respelled = respell(text, "test.td").unwrap();
        assert_eq!(respelled.text, "OpBuilder<(ins \"std::map<int, int>\":$m, \"int\":$n)>");
        assert_eq!(respell("OpBuilder<\"Builder *b\">", "test.td").unwrap().text, "OpBuilder<(ins)>");
    }
}
