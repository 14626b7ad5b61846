//! Diagnostics for programs, as JSON.

use serde_json::{Map, Value as Json, json};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};
use skriptnd_source::{SourceMap, Span, clipped};
use std::fmt::{self, Display, Formatter};

/// How many diagnostics a tool is told of, more than a person: a hostile file has any number of errors.
const LISTED: usize = 1000;

/// What `--json` prints where a command fails and where `check` is done.
#[derive(Debug, Clone, Default)]
pub struct List {
    diagnostics: Vec<Json>,
    omitted: usize,
}

impl List {
    /// As many as a tool reads.
    pub fn of(diagnostics: &Diagnostics, sources: &SourceMap) -> List {
        let listed: Vec<_> = diagnostics.iter().take(LISTED).map(|diagnostic| describe(diagnostic, sources)).collect();
        List { omitted: diagnostics.iter().count() - listed.len(), diagnostics: listed }
    }

    /// As one object.
    pub fn to_json(&self, valid: bool) -> Json {
        json!({ "valid": valid, "diagnostics": self.diagnostics, "omitted": self.omitted })
    }

    /// As one object with what else a command has to say.
    pub fn to_json_with(&self, valid: bool, result: Json) -> Json {
        let mut object = self.to_json(valid);
        if let (Some(object), Json::Object(result)) = (object.as_object_mut(), result) {
            object.extend(result);
        }
        object
    }

    /// What MLIR reported.
    #[cfg(feature = "mlir")]
    pub fn of_mlir(diagnostics: &[skriptnd_mlir::diagnostics::Diagnostic]) -> List {
        let describe = |diagnostic: &skriptnd_mlir::diagnostics::Diagnostic| {
            let place = diagnostic.position.as_ref();
            let object = json!({
                "file": place.map(|place| &place.file),
                "line": place.map(|place| place.line),
                "column": place.map(|place| place.column),
                "severity": diagnostic.severity.to_string(),
                "code": null,
                "message": clipped(&diagnostic.message),
            });
            with_origin(object, place.and_then(|place| place.origin.as_deref()).map(str::to_owned))
        };
        List { diagnostics: diagnostics.iter().take(LISTED).map(describe).collect(), omitted: 0 }
    }

    /// Of a fault of a run.
    #[cfg(feature = "mlir")]
    pub fn of_fault(failed: &skriptnd_runtime::Failed) -> List {
        let place = &failed.fault.place;
        let calls = failed.fault.calls.iter().map(|call| &call.place).rev();
        let origin = calls.chain([place]).map(|place| &place.origin).find(|origin| !origin.is_empty());
        let ((line, column), (end_line, end_column)) = (place.start, place.end);
        let object = json!({
            "file": place.file,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "severity": "error",
            "code": failed.fault.code,
            "message": clipped(&failed.message()),
        });
        List { diagnostics: vec![with_origin(object, origin.map(ToString::to_string))], omitted: 0 }
    }

    /// Adds others.
    pub fn append(&mut self, further: List) {
        self.diagnostics.extend(further.diagnostics);
        self.omitted += further.omitted;
    }

    /// Of one error that stands nowhere in a model.
    pub fn of_message(message: &Message) -> List {
        let nowhere =
            ["file", "line", "column", "end_line", "end_column", "code"].map(|key| (key.to_owned(), Json::Null));
        let mut object: Map<String, Json> = nowhere.into_iter().collect();
        object.insert("severity".into(), json!("error"));
        object.insert("message".into(), json!(clipped(&message.text)));
        object.insert("help".into(), json!(message.help.as_deref().map(clipped)));
        List { diagnostics: vec![Json::Object(object)], omitted: 0 }
    }
}

/// An object with what the text at its place was made of, where a program wrote it.
fn with_origin(mut object: Json, origin: Option<String>) -> Json {
    if let (Some(object), Some(origin)) = (object.as_object_mut(), origin) {
        object.insert("origin".to_owned(), json!(origin));
    }
    object
}

/// A place: file, and line and column of its beginning and its end, from 1; the end is behind the last character.
fn place(span: Span, sources: &SourceMap) -> Map<String, Json> {
    let (line, column) = sources.position(span);
    let (end_line, end_column) = sources.position(Span { start: span.end.max(span.start), ..span });
    let file = sources.file(span.file).map(|file| file.name.as_str());
    let numbers = [("line", line), ("column", column), ("end_line", end_line), ("end_column", end_column)];
    let numbers = numbers.into_iter().map(|(key, number)| (key.to_owned(), json!(number)));
    [("file".to_owned(), json!(file))].into_iter().chain(numbers).collect()
}

fn describe(diagnostic: &Diagnostic, sources: &SourceMap) -> Json {
    let with = |span: Span, key: &str, value: &str| {
        let mut object = place(span, sources);
        object.insert(key.to_owned(), json!(clipped(value)));
        with_origin(Json::Object(object), sources.origin(span).map(ToString::to_string))
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
    // What is wrong inside of an operator is told of the part of a model that invokes it.
    let frames = diagnostic.chain.iter().map(|frame| frame.span).rev();
    let origin = frames.chain([diagnostic.span]).find_map(|span| sources.origin(span));
    object.extend(rest.as_object().cloned().unwrap_or_default());
    with_origin(Json::Object(object), origin.map(ToString::to_string))
}

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub struct Message {
    /// What was expected and what was found.
    pub text: String,
    /// The cure, where there is one.
    pub help: Option<String>,
}

impl Message {
    /// Without a cure.
    pub fn new(text: impl Display) -> Self {
        Message { text: text.to_string(), help: None }
    }
}

impl Display for Message {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(formatter, "\n  = help: {help}"))
    }
}
