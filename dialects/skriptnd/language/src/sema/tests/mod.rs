//! Tests of the checker: what is said of wrong definitions, where, and that nothing is said of right ones.

mod declarations;
mod expressions;
mod formulas;
mod invocations;
mod models;

use super::check;
use crate::library::Library;
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Severity, place};

/// A model of one module.
struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("t".to_owned(), self.0.to_owned())))
    }
}

/// Errors and warnings as `LINE:COLUMN message`, warnings with `warning: ` before the message.
fn messages(text: &str) -> Vec<String> {
    let (library, mut diagnostics) = Library::load(&Text(text));
    diagnostics.extend(check(&library).diagnostics);
    let describe = |d: &skriptnd_source::diagnostics::Diagnostic| {
        let severity = if d.severity == Severity::Warning { "warning: " } else { "" };
        format!("{} {severity}{}", &place(d.span, &library.sources)[2..], d.message)
    };
    diagnostics.iter().map(describe).collect()
}

/// A graph that needs nothing, for texts about operators.
const GRAPH: &str = "\ngraph Nothing { @output { it: real[]; } @compose { it = 0.0; } }";

/// Messages about the body of `operator o { ... }`; its first line begins with column 1.
fn about(body: &str) -> Vec<String> {
    messages(&format!("operator o {{\n{body}\n}}{GRAPH}"))
        .into_iter()
        .map(|message| {
            let (line, rest) = message.split_once(':').unwrap_or_default();
            format!("{}:{rest}", line.parse::<usize>().map_or(0, |line| line - 1))
        })
        .collect()
}

/// Checks that exactly these messages appear.
fn expect(cases: &[(&str, &[&str])]) {
    for (body, expected) in cases {
        assert_eq!(about(body), *expected, "{body}");
    }
}
