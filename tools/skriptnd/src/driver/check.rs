//! `skriptnd check`

use super::graph_options::GraphOptions;
use super::model::{Model, print};
use super::output::print_json;
use crate::failure::Failure;
use clap::Args;
use serde_json::{Value as Json, json};
use skriptnd_language::diagnostics::{Diagnostic, Diagnostics, Severity};
use skriptnd_language::source::SourceMap;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    /// The model: a folder with `main.sknd`, or a .sknd file
    model: PathBuf,
    #[command(flatten)]
    graph: GraphOptions,
    /// Print the diagnostics as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let (attempt, diagnostics) = Model::find(&options.model)?.try_compose(&options.graph)?;
    if options.json {
        print_json(&report(&diagnostics, &attempt.sources));
    } else {
        print(&diagnostics, &attempt.sources);
    }
    if diagnostics.has_errors() || attempt.graph.is_none() { Err(Failure::Reported) } else { Ok(()) }
}

fn report(diagnostics: &Diagnostics, sources: &SourceMap) -> Json {
    let list: Vec<_> = diagnostics.iter().map(|diagnostic| describe(diagnostic, sources)).collect();
    json!({ "valid": !diagnostics.has_errors(), "diagnostics": list })
}

fn describe(diagnostic: &Diagnostic, sources: &SourceMap) -> Json {
    let (line, column) = sources.position(diagnostic.span);
    json!({
        "file": sources.file(diagnostic.span.file).map(|file| file.name.as_str()),
        "line": line,
        "column": column,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    })
}
