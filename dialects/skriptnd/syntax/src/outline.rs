//! Where the definitions of a module stand, found without reading them: a model uses few operators of the standard
//! library, and need not wait for the others.

use super::ast::{Module, Operator, Operators, QualifiedName};
use super::builder::{Builder, children};
use super::calls;
use super::grammar::{Grammar, Rule};
use super::lexical::{line_end, string_end};
use super::modules::empty_definition;
use pest::Parser;
use skriptnd_source::FileId;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// A valid module whose definitions are parsed when they are first asked for. Of an invalid one it gives what it can
/// find, without diagnostics.
pub fn outline(file: FileId, text: &'static str) -> Module {
    let items = items(text);
    let names: Arc<HashSet<Arc<str>>> = Arc::new(items.iter().map(|item| Arc::from(item.name)).collect());
    let mut operators = Operators::default();
    for item in &items {
        let (names, range) = (names.clone(), item.range.clone());
        operators.defer(Arc::from(item.name), move || definition(file, text, range, &names));
    }
    let head = items.first().map_or(text, |item| &text[..item.start]);
    Module { imports: imports(file, head), operators, incomplete: false }
}

/// A definition in the text of a module.
struct Item<'a> {
    name: &'a str,
    /// From the comments before it to its closing brace.
    range: Range<usize>,
    /// Where its first word stands.
    start: usize,
}

fn items(text: &str) -> Vec<Item<'_>> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let (mut begin, mut start, mut depth) = (0, None, 0_usize);
    let (mut head, mut at) = ("", 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'#' => at = line_end(bytes, at),
            quote @ (b'"' | b'\'') => at = string_end(bytes, at, *quote).unwrap_or(bytes.len()),
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if let Some(first) = start.take_if(|_| depth == 0) {
                    items.push(Item { name: head, range: begin..at + 1, start: first });
                    begin = at + 1;
                }
            }
            _ if depth == 0 && (byte.is_ascii_alphabetic() || *byte == b'_') => {
                head = word(text, at);
                at += head.len() - 1;
                match head {
                    "public" | "operator" | "graph" => _ = start.get_or_insert(at + 1 - head.len()),
                    _ if start.is_none() => begin = at + 1,
                    _ => {}
                }
            }
            // What belongs to an import.
            _ if start.is_none() && !byte.is_ascii_whitespace() => begin = at + 1,
            _ => {}
        }
        at += 1;
    }
    items
}

fn word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())]
}

fn imports(file: FileId, head: &str) -> Vec<QualifiedName> {
    let builder = Builder::new(file, head);
    let Ok(mut pairs) = Grammar::parse(Rule::only_imports, head) else { return Vec::new() };
    let imports = pairs.next().into_iter().flat_map(children);
    imports.flat_map(children).map(|name| builder.qualified(name)).collect()
}

/// Parses one definition with the comments before it.
fn definition(file: FileId, text: &'static str, range: Range<usize>, names: &HashSet<Arc<str>>) -> Operator {
    let whole = Builder::new(file, text);
    let empty = empty_definition(whole.span_at(range.start, range.end));
    let mut builder = whole.part(&text[range.clone()], range.start as u32);
    let pairs = Grammar::parse(Rule::only_definition, builder.text).ok();
    let pair = pairs.and_then(|mut pairs| pairs.next()).and_then(|only| children(only).next());
    let mut operator = pair.map_or(empty, |pair| builder.definition(pair));
    calls::resolve(std::slice::from_mut(&mut operator), names);
    operator
}

#[cfg(test)]
mod tests {
    use super::outline;
    use crate::parse;
    use skriptnd_source::FileId;

    const TEXT: &str = "# The module.\nimport a.b;\nimport c\n\n# First.\n# Its '{' is a comment's.\noperator _f {\n    \
        @dtype { T: num; }\n    @compose { y = g(x); z = exp(x); t = T(x); }\n}\n\n\n# Second.\npublic operator exp { \
        @using { s = 'a \\} \\{ b'; } }\ngraph G { }\n";

    #[test]
    fn a_definition_read_later_is_the_same() {
        let (later, now) = (outline(FileId(3), TEXT), parse(FileId(3), TEXT).0);
        assert_eq!(later.imports.len(), 2);
        assert_eq!(format!("{:?}", later.imports), format!("{:?}", now.imports));
        assert_eq!(later.operators.names().collect::<Vec<_>>(), ["_f", "exp", "G"]);
        for (one, other) in later.operators.iter().zip(&now.operators) {
            assert_eq!(format!("{one:?}"), format!("{other:?}"));
        }
    }

    #[test]
    fn only_what_is_asked_for_is_read() {
        let module = outline(FileId(0), TEXT);
        assert!(module.operators.contains("exp") && module.operators.get("absent").is_none());
        assert_eq!(module.operators.read_count(), 0);
        assert_eq!(module.operators.get("exp").map(|operator| operator.usings.len()), Some(1));
        assert_eq!(module.operators.read_count(), 1);
    }
}
