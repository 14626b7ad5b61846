mod functions;
mod guards;
mod known;
mod order;
mod pattern;
mod registered;
mod replacement;
mod scalar;
mod shadowed;
mod silent;
mod slips;
mod undone;
mod useless;

use crate::check::{Terms, check, check_together};
use crate::grammar::model::Rule;
use crate::grammar::passes::PassTable;
use crate::grammar::{Directories, Mode, PRELUDE, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostics, Severity};

/// The rules of a text, and the messages as `line:column: severity[code] message`.
fn check_text(text: &str, mode: Mode) -> (Vec<Rule>, Vec<String>) {
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let prelude = (mode == Mode::Sdk).then_some(PRELUDE);
    let file = read("test.htp", text, mode, &Directories::default(), prelude, &mut sources, &mut found);
    let terms = Terms { mode, passes: &PassTable::default(), package: None };
    let rules = check(&file, terms, &sources, &mut found);
    check_together(&rules, &mut found);
    let messages = found.iter().map(|d| {
        let (line, column) = sources.position(d.span);
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        format!("{line}:{column}: {severity}[{}] {}", d.code, d.message)
    });
    (rules, messages.collect())
}

fn strict(text: &str) -> Vec<String> {
    check_text(text, Mode::Strict).1
}

/// Messages about a rule whose parts are given.
fn parts(pattern: &str, constraint: &str, replacement: &str) -> Vec<String> {
    strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\n{replacement})"))
}

/// Messages about a constraint on `Op("Relu", "X")`.
fn constraint(text: &str) -> Vec<String> {
    parts("Op(\"Relu\", \"X\")", text, "Op(\"Relu2\", \"X\")")
}

/// Messages about a replacement of `Op("Relu", "X")`.
fn replacement(text: &str) -> Vec<String> {
    parts("Op(\"Relu\", \"X\")", "GT(DIM_DEPTH(\"X\"), 32)", text)
}

fn blocks(text: &str) -> Vec<(&str, &str)> {
    text.split("\n//=== ").skip(1).map(|block| block.split_once('\n').unwrap()).collect()
}

fn shared(name: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/rules").join(name);
    std::fs::read_to_string(path).ok()
}

#[test]
fn shared_valid() {
    let Some(text) = shared("valid.htp") else { return };
    for (title, block) in blocks(&text) {
        let (rules, messages) = check_text(block, Mode::Strict);
        println!("{title}: {messages:?}");
        assert_eq!(rules.len(), 1, "{title}");
    }
}

#[test]
fn shared_broken() {
    let Some(text) = shared("broken.htp") else { return };
    for (title, block) in blocks(&text) {
        let messages = strict(block);
        println!("{title}\n    {messages:?}");
        assert!(messages.iter().any(|m| m.contains("error")), "{title}");
    }
}

fn one(messages: Vec<String>) -> String {
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.into_iter().next().unwrap()
}
