//! Diagnostics as text for a person: `FILE:LINE:COLUMN: error: ...`, the source underlined, notes, chain, help.

use super::diagnostic::{Diagnostic, Frame, Severity};
use crate::shown::{floor, shown};
use crate::sources::{SourceFile, SourceMap};
use crate::span::Span;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// Related places this close to the first one are shown in the same excerpt.
const NEAR_LINES: usize = 10;

/// Of a longer line only what is around the place is shown.
const LONG_LINE: usize = 4096;

/// The text of one diagnostic, ending in a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let head = place(headed(diagnostic, sources), sources);
    let mut text = format!("{head}: {severity}: {}\n", shown(&diagnostic.message));
    let mut group = Group::with_level(Level::ERROR);
    for excerpt in excerpts(diagnostic, sources) {
        group = group.element(excerpt.snippet());
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(shown(note)));
    }
    for note in chain(&diagnostic.chain, sources) {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(shown(help)));
    }
    if !group.is_empty() {
        text.push_str(&Renderer::plain().render(&[group]));
        text.push('\n');
    }
    text
}

/// The place that a message begins with: what is wrong inside of an operator is told of the part of a model that invokes it, if a
/// program wrote the text of a model.
fn headed(diagnostic: &Diagnostic, sources: &SourceMap) -> Span {
    let places = diagnostic.chain.iter().map(|frame| frame.span).rev();
    let made = places.chain([diagnostic.span]).find(|span| sources.origin(*span).is_some());
    made.unwrap_or(diagnostic.span)
}

/// The invocations, innermost first; of a deep recursion its two ends.
fn chain(frames: &[Frame], sources: &SourceMap) -> Vec<String> {
    const INNER: usize = 4;
    const OUTER: usize = 3;
    let note = |frame: &Frame| format!("in {} invoked at {}", frame.operator, place(frame.span, sources));
    if frames.len() <= INNER + OUTER + 1 {
        return frames.iter().map(note).collect();
    }
    let (inner, rest) = frames.split_at(INNER);
    let (between, outer) = rest.split_at(rest.len() - OUTER);
    let between = format!("... {} more invocations ...", between.len());
    inner.iter().map(note).chain([between]).chain(outer.iter().map(note)).collect()
}

/// `FILE:LINE:COLUMN`, or `FILE: NODE` where the text was made of a model.
pub fn place(span: Span, sources: &SourceMap) -> String {
    let file = sources.file(span.file).map_or("?", |f| f.name.as_str());
    if let Some(origin) = sources.origin(span) {
        return format!("{file}: {origin}");
    }
    let (line, column) = sources.position(span);
    format!("{file}:{line}:{column}")
}

/// Some lines of a file with underlined places.
struct Excerpt<'a> {
    file: &'a SourceFile,
    first_line: usize,
    last_line: usize,
    marks: Vec<(bool, Range<usize>, &'a str)>,
}

impl<'a> Excerpt<'a> {
    fn snippet(self) -> Snippet<'a, Annotation<'a>> {
        let start = self.file.line_start(self.first_line);
        let end = self.file.line_start(self.last_line + 1);
        let lines = self.last_line + 1 - self.first_line;
        if end - start > lines * LONG_LINE {
            return self.part_of_long_line();
        }
        let window = self.file.text[start..end].trim_end_matches(['\n', '\r']);
        let mut snippet = Snippet::source(window).line_start(self.first_line + 1).path(&*self.file.name);
        for (primary, range, label) in self.marks {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let clamp = |at: usize| at.saturating_sub(start).min(window.len());
            let annotation = kind.span(clamp(range.start)..clamp(range.end));
            snippet = snippet.annotation(if label.is_empty() { annotation } else { annotation.label(label) });
        }
        snippet
    }

    /// The surroundings of the first mark. Its column is told by the message; that of the part would be another one.
    fn part_of_long_line(self) -> Snippet<'a, Annotation<'a>> {
        const BEFORE: usize = 40;
        const LENGTH: usize = 160;
        let text = &*self.file.text;
        let Some((_, range, label)) = self.marks.into_iter().next() else { return Snippet::source("") };
        let line = self.file.line_of(range.start);
        let start = floor(text, range.start.saturating_sub(BEFORE)).max(self.file.line_start(line));
        let end = floor(text, start + LENGTH).min(self.file.line_start(line + 1));
        let window = text[start..end].trim_end_matches(['\n', '\r']);
        let clamp = |at: usize| at.saturating_sub(start).min(window.len());
        let annotation = AnnotationKind::Primary.span(clamp(range.start)..clamp(range.end));
        let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
        Snippet::source(window).line_start(line + 1).annotation(annotation)
    }
}

/// The places of a diagnostic, those close to one another together.
fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Excerpt<'a>> {
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    let related = diagnostic.related.iter().map(|(span, label)| (false, *span, label.as_str()));
    for (primary, span, label) in std::iter::once((true, diagnostic.span, diagnostic.label.as_str())).chain(related) {
        let Some(file) = sources.file(span.file) else { continue };
        let text = &*file.text;
        let range = first_line_of(text, span);
        let line = file.line_of(range.start);
        let near = |e: &&mut Excerpt<'a>| {
            std::ptr::eq(e.file, file) && line + NEAR_LINES >= e.first_line && line <= e.last_line + NEAR_LINES
        };
        match excerpts.iter_mut().find(near) {
            Some(excerpt) => {
                excerpt.first_line = excerpt.first_line.min(line);
                excerpt.last_line = excerpt.last_line.max(line);
                excerpt.marks.push((primary, range, label));
            }
            None => {
                excerpts.push(Excerpt { file, first_line: line, last_line: line, marks: vec![(primary, range, label)] })
            }
        }
    }
    excerpts
}

/// The part of a span on its first line, on character boundaries.
fn first_line_of(text: &str, span: Span) -> Range<usize> {
    let (start, end) = (floor(text, span.start as usize), floor(text, span.end.max(span.start) as usize));
    let line_end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    start..end.min(line_end)
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::*;
    use crate::origins::{Kind, Origin, Origins};

    #[test]
    fn shows_place_excerpt_notes_chain_and_help() {
        let mut sources = SourceMap::default();
        let file = sources.add("main.sknd", "graph G {\n    @output { y: real[3] }\n}\n");
        let span = Span { file, start: 34, end: 35 };
        let mut diagnostic = Diagnostic::error(Code::Syntax, span, "expected `;`")
            .with_label("here")
            .with_related(Span { file, start: 6, end: 7 }, "this graph")
            .with_note("a note")
            .with_help("put `;`");
        diagnostic.chain.push(Frame { operator: "nn.conv".into(), span: Span { file, start: 6, end: 7 } });
        let expected = "\
main.sknd:2:25: error: expected `;`
 --> main.sknd:2:25
  |
1 | graph G {
  |       - this graph
2 |     @output { y: real[3] }
  |                         ^ here
  |
  = note: a note
  = note: in nn.conv invoked at main.sknd:1:7
  = help: put `;`
";
        assert_eq!(render(&diagnostic, &sources), expected);
    }

    #[test]
    fn shows_the_part_of_a_long_line_around_the_place() {
        let mut sources = SourceMap::default();
        let file = sources.add("main.sknd", format!("\n{}é?{}\n", "é".repeat(3000), "b".repeat(9000)));
        let span = Span { file, start: 6003, end: 6004 };
        let text = render(&Diagnostic::error(Code::Syntax, span, "m").with_label("here"), &sources);
        assert!(text.starts_with("main.sknd:2:3002: error: m\n"), "{text}");
        assert!(text.contains("é?b") && text.contains("^ here") && text.len() < 2000, "{text}");
    }

    #[test]
    fn shows_what_a_text_was_made_of() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.onnx", "graph G {\n    y = nn.relu(x);\n}\n");
        let mut origins = Origins::default();
        let node = |name: &str| Origin { kind: Kind::Node("Relu".into()), name: name.into(), others: 0 };
        origins.tell(1..2, node("/a/Relu"));
        sources.set_origins(file, origins);
        let mut diagnostic = Diagnostic::error(Code::Syntax, Span { file, start: 18, end: 25 }, "m");
        diagnostic.chain.push(Frame { operator: "nn.relu".into(), span: Span { file, start: 18, end: 25 } });
        let expected = "\
a.onnx: node `/a/Relu` (Relu): error: m
 --> a.onnx:2:9
  |
2 |     y = nn.relu(x);
  |         ^^^^^^^
  |
  = note: in nn.relu invoked at a.onnx: node `/a/Relu` (Relu)
";
        assert_eq!(render(&diagnostic, &sources), expected);
        assert_eq!(place(Span { file, start: 0, end: 5 }, &sources), "a.onnx:1:1");
        // What is wrong inside of an operator is shown there, and told of the node.
        let formula = sources.add("stdlib/nn.sknd", "y = x;");
        diagnostic.span = Span { file: formula, start: 4, end: 5 };
        let text = render(&diagnostic, &sources);
        assert!(text.starts_with("a.onnx: node `/a/Relu` (Relu): error: m\n --> stdlib/nn.sknd:1:5\n"), "{text}");
    }

    #[test]
    fn controls_no_terminal() {
        let mut sources = SourceMap::default();
        let span = Span { file: sources.add("a.sknd", "x"), start: 0, end: 1 };
        let text = render(&Diagnostic::error(Code::Syntax, span, "found `\u{1B}[31m\u{202E}`"), &sources);
        assert!(text.starts_with("a.sknd:1:1: error: found `\\u{1b}[31m\\u{202e}`\n"), "{text}");
        let long = render(&Diagnostic::error(Code::Syntax, span, "a".repeat(1 << 20)), &sources);
        assert!(long.len() < 4000);
    }

    #[test]
    fn survives_places_outside_of_the_text() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.sknd", "ä");
        let span = Span { file, start: 1, end: 900 };
        let text = render(&Diagnostic::error(Code::Syntax, span, "m"), &sources);
        assert!(text.starts_with("a.sknd:1:1: error: m\n"), "{text}");
        let nowhere = Span { file: crate::FileId(7), start: 0, end: 0 };
        assert_eq!(render(&Diagnostic::error(Code::Syntax, nowhere, "m"), &sources), "?:1:1: error: m\n");
    }
}
