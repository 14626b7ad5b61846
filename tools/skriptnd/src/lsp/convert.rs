//! From what the language says to what the protocol says.

use super::documents::{Documents, uri_of};
use super::position::Lines;
use super::standard;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, DocumentSymbol, Documentation, InsertTextFormat, Location,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Range, SignatureHelp, SignatureInformation,
    SymbolKind, TextEdit, Uri,
};
use skriptnd_ide::{Completion, CompletionKind, OutlineItem, OutlineKind, Signature, Snapshot};
use skriptnd_source::{FileId, Span};
use std::path::Path;

/// A file of a model as the editor calls it; texts of the standard library are written where it can open them.
pub fn uri(documents: &Documents, snapshot: &Snapshot, file: FileId) -> Option<Uri> {
    let library = &snapshot.definitions;
    if library.path_of(file).is_some_and(|path| library.is_standard(path)) {
        return uri_of(&standard::file(library, &library.sources, file)?);
    }
    documents.uri(Path::new(&library.sources.file(file)?.name))
}

pub fn range(snapshot: &Snapshot, span: Span) -> Range {
    let text = snapshot.definitions.sources.file(span.file).map_or("", |source| &source.text);
    Lines::of(text).range(span.start as usize, span.end as usize)
}

pub fn location(documents: &Documents, snapshot: &Snapshot, span: Span) -> Option<Location> {
    Some(Location { uri: uri(documents, snapshot, span.file)?, range: range(snapshot, span) })
}

pub fn markdown(text: impl Into<String>) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: text.into() }
}

fn documentation(text: &str) -> Option<Documentation> {
    (!text.is_empty()).then(|| Documentation::MarkupContent(markdown(text)))
}

/// A proposal that replaces the word in this range. `snippets`: whether the editor knows them.
pub fn completion(proposal: Completion, replaced: Range, snippets: bool) -> CompletionItem {
    let snippet = snippets && !proposal.insert.is_empty();
    let text = if snippet { proposal.insert } else { proposal.label.clone() };
    CompletionItem {
        kind: Some(match proposal.kind {
            CompletionKind::Module => CompletionItemKind::MODULE,
            CompletionKind::Operator | CompletionKind::Function => CompletionItemKind::FUNCTION,
            CompletionKind::Attribute => CompletionItemKind::PROPERTY,
            CompletionKind::Tensor => CompletionItemKind::VARIABLE,
            CompletionKind::Symbol => CompletionItemKind::CONSTANT,
            CompletionKind::Type => CompletionItemKind::TYPE_PARAMETER,
            CompletionKind::Keyword => CompletionItemKind::KEYWORD,
            CompletionKind::Block => CompletionItemKind::STRUCT,
            CompletionKind::Member => CompletionItemKind::FIELD,
        }),
        detail: Some(proposal.detail).filter(|detail| !detail.is_empty()),
        documentation: documentation(&proposal.documentation),
        insert_text_format: Some(if snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: replaced, new_text: text })),
        filter_text: Some(proposal.label.trim_matches('`').to_owned()),
        label: proposal.label,
        ..CompletionItem::default()
    }
}

pub fn signature(signature: Signature) -> SignatureHelp {
    let label = &signature.label;
    let units = |at: u32| label.get(..at as usize).map_or(0, |text| text.encode_utf16().count() as u32);
    let parameters = signature.parameters.iter().zip(&signature.documentation);
    let parameters = parameters.map(|((start, end), about)| ParameterInformation {
        label: ParameterLabel::LabelOffsets([units(*start), units(*end)]),
        documentation: documentation(about),
    });
    let information = SignatureInformation {
        label: label.clone(),
        documentation: documentation(&signature.about),
        parameters: Some(parameters.collect()),
        active_parameter: signature.active,
    };
    SignatureHelp { signatures: vec![information], active_signature: Some(0), active_parameter: signature.active }
}

/// An entry of the outline.
pub fn symbol(lines: &Lines<'_>, item: OutlineItem) -> DocumentSymbol {
    let range = |span: Span| lines.range(span.start as usize, span.end as usize);
    #[expect(deprecated, reason = "the field has to be given")]
    DocumentSymbol {
        name: if item.name.is_empty() { "?".to_owned() } else { item.name },
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        kind: match item.kind {
            OutlineKind::Operator => SymbolKind::FUNCTION,
            OutlineKind::Graph => SymbolKind::CLASS,
            OutlineKind::Attribute => SymbolKind::PROPERTY,
            OutlineKind::Tensor => SymbolKind::VARIABLE,
            OutlineKind::Symbol => SymbolKind::CONSTANT,
        },
        tags: None,
        deprecated: None,
        range: range(item.span),
        selection_range: range(item.name_span),
        children: Some(item.children.into_iter().map(|child| symbol(lines, child)).collect()),
    }
}
