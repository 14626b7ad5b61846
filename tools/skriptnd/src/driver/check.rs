//! `skriptnd check`

use super::explain;
use super::graph_options::GraphOptions;
use super::model::{Model, print};
use super::output::print_json;
use crate::failure::Failure;
use clap::Args;
use serde_json::{Map, Value as Json, json};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity, clipped};
use skriptnd_source::{SourceMap, Span};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct Options {
    /// The model: a folder with `main.sknd`, or a .sknd file
    #[arg(required_unless_present = "explain")]
    model: Option<PathBuf>,
    #[command(flatten)]
    graph: GraphOptions,
    /// Say what a code means, with an invalid and a mended example, in place of checking a model
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
    /// Say what is wrong, and not what is legal and probably not meant
    #[arg(long)]
    no_warnings: bool,
    /// Print the diagnostics as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(code) = &options.explain {
        return explain::run(code);
    }
    let path = options.model.as_deref().unwrap_or(Path::new("."));
    let (attempt, mut diagnostics) = Model::find(path)?.try_compose(&options.graph)?;
    if options.no_warnings {
        diagnostics = diagnostics.errors();
    }
    if options.json {
        print_json(&report(&diagnostics, &attempt.sources));
    } else {
        print(&diagnostics, &attempt.sources);
    }
    if diagnostics.has_errors() || attempt.graph.is_none() { Err(Failure::Reported) } else { Ok(()) }
}

/// How many diagnostics a tool is told of, more than a person: a hostile file has any number of errors.
const LISTED: usize = 1000;

fn report(diagnostics: &Diagnostics, sources: &SourceMap) -> Json {
    let list: Vec<_> = diagnostics.iter().take(LISTED).map(|diagnostic| describe(diagnostic, sources)).collect();
    let omitted = diagnostics.iter().count() - list.len();
    json!({ "valid": !diagnostics.has_errors(), "diagnostics": list, "omitted": omitted })
}

/// A place: file, and line and column of its beginning and its end, from 1; the end is behind the last character.
fn place(span: Span, sources: &SourceMap) -> Map<String, Json> {
    let (line, column) = sources.position(span);
    let (end_line, end_column) = sources.position(Span { start: span.end.max(span.start), ..span });
    let file = sources.file(span.file).map(|file| file.name.as_str());
    let numbers = [("line", line), ("column", column), ("end_line", end_line), ("end_column", end_column)];
    let numbers = numbers.into_iter().map(|(key, number)| (key.to_owned(), json!(number)));
    std::iter::once(("file".to_owned(), json!(file))).chain(numbers).collect()
}

fn describe(diagnostic: &Diagnostic, sources: &SourceMap) -> Json {
    let with = |span: Span, key: &str, value: &str| {
        let mut object = place(span, sources);
        object.insert(key.to_owned(), json!(clipped(value)));
        object
    };
    let notes: Vec<_> = diagnostic.notes.iter().map(|note| clipped(note)).collect();
    let related: Vec<_> = diagnostic.related.iter().map(|(span, label)| with(*span, "label", label)).collect();
    let chain: Vec<_> = diagnostic.chain.iter().map(|frame| with(frame.span, "operator", &frame.operator)).collect();
    let rest = json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code.name(),
        "message": clipped(&diagnostic.message),
        "label": clipped(&diagnostic.label),
        "related": related,
        "notes": notes,
        "chain": chain,
        "help": diagnostic.help.as_deref().map(clipped),
    });
    let mut object = place(diagnostic.span, sources);
    object.extend(rest.as_object().cloned().unwrap_or_default());
    Json::Object(object)
}
