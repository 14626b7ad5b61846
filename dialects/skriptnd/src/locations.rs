//! Places in SkriptND sources as MLIR locations.

use skriptnd_mlir::ir::{Context, Location};
use skriptnd_source::diagnostics::Frame;
use skriptnd_source::{FileId, SourceMap, Span};
use std::collections::HashMap;

/// Makes locations; the lines of a file are counted once.
pub struct Locations<'c, 's> {
    context: &'c Context,
    sources: &'s SourceMap,
    line_starts: HashMap<FileId, Vec<usize>>,
}

impl<'c, 's> Locations<'c, 's> {
    /// For the spans of these sources.
    pub fn new(context: &'c Context, sources: &'s SourceMap) -> Self {
        Locations { context, sources, line_starts: HashMap::new() }
    }

    /// The context of the locations.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The place where a span begins.
    pub fn of(&mut self, span: Span) -> Location<'c> {
        match self.position(span, span.start) {
            Some((file, (line, column))) => self.told(span, Location::new(self.context, file, line, column)),
            None => Location::unknown(self.context),
        }
    }

    /// A span from its beginning to its end.
    pub fn range(&mut self, span: Span) -> Location<'c> {
        match (self.position(span, span.start), self.position(span, span.end)) {
            (Some((file, start)), Some((_, end))) => self.told(span, Location::range(self.context, file, start, end)),
            _ => Location::unknown(self.context),
        }
    }

    /// A place in a text that was made of a model, with what it was made of.
    fn told(&self, span: Span, place: Location<'c>) -> Location<'c> {
        match self.sources.origin(span) {
            Some(origin) => Location::made_of(self.context, &origin.to_string(), place),
            None => place,
        }
    }

    /// The file of a span, and line and column of an offset in it.
    fn position(&mut self, span: Span, offset: u32) -> Option<(&'s str, (usize, usize))> {
        let file = self.sources.file(span.file)?;
        let starts = self
            .line_starts
            .entry(span.file)
            .or_insert_with(|| std::iter::once(0).chain(file.text.match_indices('\n').map(|(at, _)| at + 1)).collect());
        let offset = (offset as usize).min(file.text.len());
        let line = starts.partition_point(|&start| start <= offset);
        let start = starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = file.text.get(start..offset).map_or(1, |before| before.chars().count() + 1);
        Some((&file.name, (line, column)))
    }

    /// A place inside an operator: of the statement, called from the invocations around it, innermost first.
    pub fn of_chain(&mut self, span: Span, chain: &[Frame]) -> Location<'c> {
        let place = self.of(span);
        let callers: Vec<_> = chain.iter().map(|frame| invocation(&frame.operator, self.of(frame.span))).collect();
        called_from(place, &callers)
    }
}

/// The place where an operator is invoked.
pub fn invocation<'c>(operator: &str, place: Location<'c>) -> Location<'c> {
    Location::named(place.context(), operator, place)
}

/// A place with the places that it was called from, innermost first.
pub fn called_from<'c>(place: Location<'c>, callers: &[Location<'c>]) -> Location<'c> {
    match callers.split_last() {
        Some((outermost, inner)) => {
            let nested = inner.iter().rev().fold(*outermost, |caller, callee| Location::call_site(*callee, caller));
            Location::call_site(place, nested)
        }
        None => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_source::origins::{Kind, Origin, Origins};

    #[test]
    fn places_count_characters_and_chains_end_at_the_graph() {
        let context = Context::new();
        let mut sources = SourceMap::default();
        let file = sources.add("main.sknd", "a\n\u{e9}b = c;\n");
        let mut locations = Locations::new(&context, &sources);
        let span = |start| Span { file, start, end: start + 1 };
        // The second character of the second line is the fifth byte.
        assert_eq!(locations.of(span(4)).to_string(), "loc(\"main.sknd\":2:2)");
        assert_eq!(locations.of(span(1000)).to_string(), "loc(\"main.sknd\":3:1)");
        let frame = |start| Frame { operator: "main.f".into(), span: span(start) };
        let chain = locations.of_chain(span(0), &[frame(4), frame(6)]).to_string();
        let callers = "callsite(\"main.f\"(\"main.sknd\":2:2) at \"main.f\"(\"main.sknd\":2:4))";
        assert_eq!(chain, format!("loc(callsite(\"main.sknd\":1:1 at {callers}))"));
        assert_eq!(locations.range(span(4)).to_string(), "loc(\"main.sknd\":2:2 to :3)");
    }

    #[test]
    fn places_tell_what_a_text_was_made_of() {
        let context = Context::new();
        let mut sources = SourceMap::default();
        let file = sources.add("a.onnx", "a\nb = c;\n");
        let mut origins = Origins::default();
        origins.tell(1..2, Origin { kind: Kind::Node("Conv".into()), name: "n".into(), others: 0 });
        sources.set_origins(file, origins);
        let mut locations = Locations::new(&context, &sources);
        let place = locations.of(Span { file, start: 2, end: 3 }).to_string();
        assert_eq!(place, "loc(fused<\"made of\">[\"node `n` (Conv)\"(\"a.onnx\":2:1)])");
        assert_eq!(locations.of(Span { file, start: 0, end: 1 }).to_string(), "loc(\"a.onnx\":1:1)");
    }
}
