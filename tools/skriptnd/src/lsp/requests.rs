//! Requests and their answers.

use super::convert;
use super::documents::path_of;
use super::position::Lines;
use super::workspace::Workspace;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest,
    PrepareRenameRequest, RangeFormatting, References, Rename, Request as _, SignatureHelpRequest,
};
use lsp_types::{
    CompletionList, CompletionResponse, DocumentHighlight, DocumentSymbolResponse, GotoDefinitionResponse, Hover,
    HoverContents, Location, PrepareRenameResponse, Range, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use serde::Serialize;
use similar::{DiffOp, TextDiff};
use skriptnd_ide::Snapshot;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::format::format;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// After this time the edits of formatting need not be the fewest any more.
const DIFF_TIME: Duration = Duration::from_millis(200);

/// Why a request has no answer.
struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    fn new(message: impl ToString) -> Self {
        Refusal { code: ErrorCode::RequestFailed, message: message.to_string() }
    }
}

type Answer<R> = Result<<R as lsp_types::request::Request>::Result, Refusal>;

/// Answers a request.
pub fn answer(workspace: &mut Workspace, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => with::<HoverRequest>(workspace, request, |workspace, given| {
            hover(workspace, &given.text_document_position_params)
        }),
        GotoDefinition::METHOD => with::<GotoDefinition>(workspace, request, |workspace, given| {
            definition(workspace, &given.text_document_position_params)
        }),
        References::METHOD => with::<References>(workspace, request, |workspace, given| {
            references(workspace, &given.text_document_position, given.context.include_declaration)
        }),
        DocumentHighlightRequest::METHOD => with::<DocumentHighlightRequest>(workspace, request, |workspace, given| {
            highlight(workspace, &given.text_document_position_params)
        }),
        Completion::METHOD => with::<Completion>(workspace, request, |workspace, given| {
            completion(workspace, &given.text_document_position)
        }),
        SignatureHelpRequest::METHOD => with::<SignatureHelpRequest>(workspace, request, |workspace, given| {
            signature(workspace, &given.text_document_position_params)
        }),
        DocumentSymbolRequest::METHOD => with::<DocumentSymbolRequest>(workspace, request, |workspace, given| {
            outline(workspace, &given.text_document.uri)
        }),
        Formatting::METHOD => with::<Formatting>(workspace, request, |workspace, given| {
            formatting(workspace, &given.text_document.uri, None)
        }),
        RangeFormatting::METHOD => with::<RangeFormatting>(workspace, request, |workspace, given| {
            formatting(workspace, &given.text_document.uri, Some(given.range))
        }),
        PrepareRenameRequest::METHOD => {
            with::<PrepareRenameRequest>(workspace, request, |workspace, given| prepare_rename(workspace, &given))
        }
        Rename::METHOD => with::<Rename>(workspace, request, |workspace, given| {
            rename(workspace, &given.text_document_position, &given.new_name)
        }),
        method => {
            let message = format!("this server does not know `{method}`");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

fn with<R>(
    workspace: &mut Workspace,
    request: Request,
    answer: impl FnOnce(&mut Workspace, R::Params) -> Answer<R>,
) -> Response
where
    R: lsp_types::request::Request,
    R::Result: Serialize,
{
    let parameters = match serde_json::from_value(request.params) {
        Ok(parameters) => parameters,
        Err(error) => {
            let message = format!("the parameters of `{}` are malformed: {error}", request.method);
            return Response::new_err(request.id, ErrorCode::InvalidParams as i32, message);
        }
    };
    match answer(workspace, parameters) {
        Ok(result) => Response::new_ok(request.id, result),
        Err(refusal) => Response::new_err(request.id, refusal.code as i32, refusal.message),
    }
}

/// A place in a model.
struct Place<'s> {
    snapshot: &'s Snapshot,
    file: FileId,
    offset: u32,
}

/// The place that an editor means; none if it has not opened the text.
fn place<'s>(workspace: &'s mut Workspace, given: &TextDocumentPositionParams) -> Option<Place<'s>> {
    let path = path_of(&given.text_document.uri);
    let offset = Lines::of(&workspace.documents.get(&path)?.text).offset(given.position);
    let (snapshot, file) = workspace.models.of(&workspace.documents, &path)?;
    Some(Place { snapshot, file, offset: u32::try_from(offset).ok()? })
}

fn hover(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<HoverRequest> {
    workspace.models.composed(&workspace.documents, &path_of(&given.text_document.uri));
    let Some(place) = place(workspace, given) else { return Ok(None) };
    let Some(found) = place.snapshot.hover(place.file, place.offset) else { return Ok(None) };
    let contents = HoverContents::Markup(convert::markdown(found.text));
    Ok(Some(Hover { contents, range: Some(convert::range(place.snapshot, found.span)) }))
}

fn definition(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<GotoDefinition> {
    let found =
        locations(workspace, given, |place| place.snapshot.definition(place.file, place.offset).into_iter().collect());
    Ok(found.into_iter().next().map(GotoDefinitionResponse::Scalar))
}

fn references(workspace: &mut Workspace, given: &TextDocumentPositionParams, declaration: bool) -> Answer<References> {
    let found = locations(workspace, given, |place| {
        let introduction = place.snapshot.definition(place.file, place.offset);
        let mut spans = place.snapshot.references(place.file, place.offset);
        spans.retain(|span| declaration || Some(*span) != introduction);
        spans
    });
    Ok(Some(found))
}

/// The locations of places that are found from a place.
fn locations(
    workspace: &mut Workspace,
    given: &TextDocumentPositionParams,
    find: impl FnOnce(&Place<'_>) -> Vec<Span>,
) -> Vec<Location> {
    let path = path_of(&given.text_document.uri);
    let spans = place(workspace, given).map(|place| find(&place)).unwrap_or_default();
    let Some((snapshot, _)) = workspace.models.of(&workspace.documents, &path) else { return Vec::new() };
    spans.into_iter().filter_map(|span| convert::location(&workspace.documents, snapshot, span)).collect()
}

fn highlight(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<DocumentHighlightRequest> {
    let Some(place) = place(workspace, given) else { return Ok(None) };
    let spans = place.snapshot.references(place.file, place.offset);
    let here = spans.into_iter().filter(|span| span.file == place.file);
    let ranges = here.map(|span| DocumentHighlight { range: convert::range(place.snapshot, span), kind: None });
    Ok(Some(ranges.collect()))
}

fn completion(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<Completion> {
    let snippets = workspace.snippets;
    let path = path_of(&given.text_document.uri);
    let main = workspace.models.main_of(&workspace.documents, &path);
    let modules = main.parent().map(|folder| modules_in(folder, &main)).unwrap_or_default();
    let Some(place) = place(workspace, given) else { return Ok(None) };
    let (start, proposals) = place.snapshot.completions(place.file, place.offset, &modules);
    let replaced = Span { file: place.file, start: start.min(place.offset), end: place.offset };
    let replaced = convert::range(place.snapshot, replaced);
    let items = proposals.into_iter().map(|proposal| convert::completion(proposal, replaced, snippets)).collect();
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: false, items })))
}

/// The paths of the modules in a folder, but for the main one.
fn modules_in(folder: &Path, main: &Path) -> Vec<String> {
    const LEVELS: usize = 3;
    const MOST: usize = 500;
    let mut found = Vec::new();
    let mut waiting = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, level)) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten().take(MOST) {
            let path = entry.path();
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| !stem.starts_with('.'))
            else {
                continue;
            };
            let name = format!("{prefix}{stem}");
            if path.is_dir() && level < LEVELS {
                waiting.push((path, format!("{name}."), level + 1));
            } else if path.extension().is_some_and(|extension| extension == "sknd") && path != *main {
                found.push(name);
            }
        }
        if found.len() >= MOST {
            break;
        }
    }
    found.sort();
    found
}

fn signature(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<SignatureHelpRequest> {
    let Some(place) = place(workspace, given) else { return Ok(None) };
    Ok(place.snapshot.signature(place.file, place.offset).map(convert::signature))
}

fn outline(workspace: &mut Workspace, uri: &Uri) -> Answer<DocumentSymbolRequest> {
    let path = path_of(uri);
    let Some((snapshot, file)) = workspace.models.of(&workspace.documents, &path) else { return Ok(None) };
    let text = snapshot.definitions.sources.file(file).map_or("", |source| &source.text);
    let lines = Lines::of(text);
    let symbols = snapshot.outline(file).into_iter().map(|item| convert::symbol(&lines, item)).collect();
    Ok(Some(DocumentSymbolResponse::Nested(symbols)))
}

/// Only the lines that change are sent, so that the editor keeps its cursor and marks.
fn formatting(workspace: &mut Workspace, uri: &Uri, within: Option<Range>) -> Answer<Formatting> {
    let Some(document) = workspace.documents.get(&path_of(uri)) else { return Ok(None) };
    let formatted = format(FileId(0), &document.text).map_err(|diagnostics| {
        let first = diagnostics.iter().next().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default();
        Refusal::new(format!("not formatted: {first}"))
    })?;
    let touches = |range: &Range| within.is_none_or(|within| range.start <= within.end && within.start <= range.end);
    let mut edits = edits(&document.text, &formatted);
    edits.retain(|edit| touches(&edit.range));
    Ok(Some(edits))
}

fn edits(old: &str, new: &str) -> Vec<TextEdit> {
    let lines = Lines::of(old);
    let starts = |text: &str| -> Vec<usize> {
        let lengths = text.split_inclusive('\n').map(str::len);
        std::iter::once(0)
            .chain(lengths.scan(0, |at, length| {
                *at += length;
                Some(*at)
            }))
            .collect()
    };
    let (old_starts, new_starts) = (starts(old), starts(new));
    // The shortest difference of texts that have every line changed takes long to find.
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, new);
    let changed = diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let edit = |op: &DiffOp| {
        let (old_lines, new_lines) = (op.old_range(), op.new_range());
        let new_text = new[new_starts[new_lines.start]..new_starts[new_lines.end]].to_owned();
        TextEdit { range: lines.range(old_starts[old_lines.start], old_starts[old_lines.end]), new_text }
    };
    changed.map(edit).collect()
}

fn prepare_rename(workspace: &mut Workspace, given: &TextDocumentPositionParams) -> Answer<PrepareRenameRequest> {
    let Some(place) = place(workspace, given) else { return Ok(None) };
    // Any new name will do to learn whether there is something to rename.
    place.snapshot.rename(place.file, place.offset, "_new_name_").map_err(Refusal::new)?;
    let names = place.snapshot.names(place.file);
    let occurrence = names.as_ref().and_then(|names| names.at(place.offset));
    let range = occurrence.map(|occurrence| convert::range(place.snapshot, occurrence.span));
    Ok(range.map(PrepareRenameResponse::Range))
}

// Editors key edits by name; a `Uri` does not change once it is made.
#[expect(clippy::mutable_key_type, reason = "the protocol's type wants it")]
fn rename(workspace: &mut Workspace, given: &TextDocumentPositionParams, to: &str) -> Answer<Rename> {
    let Some(place) = place(workspace, given) else { return Ok(None) };
    let spans = place.snapshot.rename(place.file, place.offset, to).map_err(Refusal::new)?;
    let found = locations(workspace, given, |_| spans);
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for Location { uri, range } in found {
        changes.entry(uri).or_default().push(TextEdit { range, new_text: to.to_owned() });
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}
