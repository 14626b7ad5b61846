//! Places as editors count them: lines, and UTF-16 units within a line.

use lsp_types::{Position, Range};

/// The lines of a text.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let units: usize = self.text[self.starts[line]..offset].chars().map(char::len_utf16).sum();
        Position { line: line as u32, character: units as u32 }
    }

    pub fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }

    /// The byte of a position; a position behind the end of its line is that end.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let end = self.starts.get(position.line as usize + 1).map_or(self.text.len(), |next| next - 1);
        let line = self.text[*start..end].trim_end_matches('\r');
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_outside_the_basic_plane_count_twice() {
        let text = "a = 1;\n# \u{1F642}\u{e4} x\r\nb";
        let lines = Lines::of(text);
        let x = text.find('x').unwrap();
        assert_eq!(lines.position(x), Position { line: 1, character: 6 });
        assert_eq!(lines.offset(Position { line: 1, character: 6 }), x);
        assert_eq!(lines.offset(Position { line: 1, character: 99 }), x + 1);
        assert_eq!(lines.offset(Position { line: 2, character: 0 }), text.len() - 1);
        assert_eq!(lines.offset(Position { line: 9, character: 9 }), text.len());
    }
}
