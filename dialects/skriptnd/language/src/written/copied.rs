//! Definitions that a written text takes from others: those of the model's own operators, and those of the standard library that
//! modules of the model hide.

use super::Writer;
use crate::compose::graph::OperationKind;
use crate::library::Library;
use skriptnd_source::SourceMap;
use skriptnd_syntax::ast::{Module, Operator};
use std::collections::{HashMap, HashSet};

impl Writer<'_> {
    /// A name for an operator that no other one of the main module has.
    pub fn operator_name(&mut self, like: &str) -> String {
        let main = self.definitions.modules.get("main");
        let is_taken = |name: &String, operators: &HashSet<String>| {
            operators.contains(name) || main.is_some_and(|main| main.operators.contains(name))
        };
        let mut numbered = (2..).map(|number| format!("{like}_{number}"));
        let mut name = like.to_owned();
        while is_taken(&name, &self.operators) {
            name = numbered.next().unwrap_or_default();
        }
        self.operators.insert(name.clone());
        name
    }

    /// What an operator of the standard library is invoked by: its path, or the name of a copy where a module of the model hides it.
    pub fn standard(&mut self, path: &str) -> String {
        let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
        if !self.definitions.modules.contains_key(module) || self.definitions.is_standard(module) {
            return path.to_owned();
        }
        if let Some(known) = self.hidden.get(path) {
            return known.clone();
        }
        let library = Library::shipped();
        let Some(standard) = library.modules.get(module) else { return path.to_owned() };
        let needed = needed(standard, &library.sources, vec![name]);
        for (own, _) in &needed {
            let of = format!("{module}.{}", own.name.text);
            if !self.hidden.contains_key(&of) {
                let free = self.operator_name(&own.name.text);
                self.hidden.insert(of, free);
            }
        }
        let names: HashMap<String, String> = self
            .hidden
            .iter()
            .filter_map(|(of, name)| Some((of.strip_prefix(module)?[1..].to_owned(), name.clone())))
            .collect();
        for (_, text) in needed {
            let text = renamed(&text, &names);
            if !self.definitions_of_standard.contains(&text) {
                self.definitions_of_standard.push(text);
            }
        }
        self.hidden.get(path).cloned().unwrap_or_else(|| path.to_owned())
    }

    /// The texts of definitions that a graph on the model's operators needs, and the modules that these name.
    pub fn copied(&self) -> (Vec<String>, Vec<String>) {
        let hidden = self.definitions_of_standard.iter().cloned();
        let Some(main) = self.definitions.modules.get("main") else { return (hidden.collect(), Vec::new()) };
        let mut wanted: Vec<&str> = Vec::new();
        self.graph.visit_operations(&mut |operation| {
            if let OperationKind::Operator(call) = &operation.kind {
                wanted.extend(call.operator.strip_prefix("main."));
            }
        });
        let copied: Vec<String> =
            needed(main, &self.definitions.sources, wanted).into_iter().map(|(_, text)| text).collect();
        let imports =
            main.imports.iter().map(|import| import.path_in("")).map(|path| path.trim_matches('.').to_owned());
        let named = |module: &String| copied.iter().any(|text| text.contains(&format!("{module}.")));
        let imports = imports.filter(named).collect();
        (copied.into_iter().chain(hidden).collect(), imports)
    }
}

/// Operators of a module and all of it that they may name, with their texts, in the order in which they stand.
pub fn needed<'m>(module: &'m Module, sources: &SourceMap, mut wanted: Vec<&'m str>) -> Vec<(&'m Operator, String)> {
    let (mut known, mut found) = (HashSet::new(), Vec::new());
    while let Some(name) = wanted.pop() {
        let Some(operator) = module.operators.get(name).filter(|_| known.insert(name)) else { continue };
        let text = sources.file(operator.span.file).and_then(|file| {
            file.text.get(operator.span.start as usize..operator.span.end as usize).map(str::to_owned)
        });
        let Some(text) = text else { continue };
        let words: HashSet<&str> = words_of(&text).into_iter().filter(Word::is_invoked).map(|word| word.text).collect();
        wanted.extend(module.operators.names().filter(|name| words.contains(name)));
        found.push((operator, text));
    }
    found.sort_by_key(|(operator, _)| operator.span.start);
    found
}

/// A word of a text.
struct Word<'t> {
    text: &'t str,
    /// All before it, and all behind it.
    around: [&'t str; 2],
}

impl Word<'_> {
    /// Whether an operator of this module may be invoked by it.
    fn is_invoked(&self) -> bool {
        let [before, behind] = [self.around[0].trim_end(), self.around[1].trim_start()];
        let is_applied = behind.starts_with(['{', '(']) || begins_with_types(behind);
        let is_applied = is_applied && !before.ends_with(['.', '`', '@']);
        // `tensor: operator;` says how a tensor is quantized, `c ? a : b;` chooses.
        let statement = before.rsplit(['{', ';', '}']).next().unwrap_or(before);
        is_applied || before.ends_with(':') && behind.starts_with(';') && !statement.contains('?')
    }

    /// Whether an operator is defined by it.
    fn is_defined(&self) -> bool {
        self.around[0].trim_end().ends_with("operator")
    }
}

/// Whether a text begins with names of types as in `<int, T>`, and is no comparison.
fn begins_with_types(text: &str) -> bool {
    let types = text.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(types, _)| types);
    types.is_some_and(|types| types.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ')))
}

/// The words of a text, without those of comments and strings.
fn words_of(text: &str) -> Vec<Word<'_>> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let behind = |end: Option<usize>| end.map_or(text.len(), |end| at + end);
        at = match c {
            '#' => behind(text[at..].find('\n')),
            '"' | '\'' => behind(end_of_string(&text[at..])),
            c if is_of_word(c) => {
                let end = behind(text[at..].find(|c| !is_of_word(c)));
                words.push(Word { text: &text[at..end], around: [&text[..at], &text[end..]] });
                end
            }
            c => at + c.len_utf8(),
        };
    }
    words
}

/// Where a string ends that a text begins with, behind its quote.
fn end_of_string(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A definition in which operators have other names: where they are defined, and where they are invoked.
fn renamed(text: &str, names: &HashMap<String, String>) -> String {
    let (mut written, mut end) = (String::new(), 0);
    for word in words_of(text).into_iter().filter(|word| word.is_defined() || word.is_invoked()) {
        let Some(name) = names.get(word.text) else { continue };
        let begin = word.around[0].len();
        written.push_str(&text[end..begin]);
        written.push_str(name);
        end = begin + word.text.len();
    }
    written + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_have_other_names_where_they_are_invoked() {
        let names = [("slice".to_owned(), "slice_2".to_owned())].into_iter().collect();
        let text = "operator slice {\n    @compose { a = slice{begin=slice}(x); b = slice<int>(layout.slice(a)); }\n    \
                    @using { c = slice < 3; d = c ? 1 : slice; } @quantize { slice: slice; }\n} # slice(\n'slice(' \"\\\"slice(\"";
        let expected = "operator slice_2 {\n    @compose { a = slice_2{begin=slice}(x); b = slice_2<int>(layout.slice(a)); }\n    \
                        @using { c = slice < 3; d = c ? 1 : slice; } @quantize { slice: slice_2; }\n} # slice(\n'slice(' \"\\\"slice(\"";
        assert_eq!(renamed(text, &names), expected);
    }
}
