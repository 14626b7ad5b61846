//! Indented text.

use std::fmt::Display;

/// Text that is written line by line.
#[derive(Default)]
pub struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// A line at the current depth; an empty one stays empty.
    pub fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text.push_str(&line);
        }
        self.text.push('\n');
    }

    /// A line that opens a block, what `body` writes one level deeper, and a line that closes it.
    pub fn block(&mut self, open: impl Display, close: &str, body: impl FnOnce(&mut Self)) {
        self.open(open);
        body(self);
        self.close(close);
    }

    /// A line that opens a block: what follows is one level deeper.
    pub fn open(&mut self, line: impl Display) {
        self.line(line);
        self.depth += 1;
    }

    /// The line that closes a block.
    pub fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// All that was written.
    pub fn finish(self) -> String {
        self.text
    }
}

/// The text without blank lines around it and without the indentation that all of its lines share.
pub fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let full = |line: &&&str| !line.trim().is_empty();
    let indentation = lines.iter().filter(full).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let dedented: Vec<&str> = lines.iter().map(|line| line.get(indentation..).unwrap_or_default().trim_end()).collect();
    dedented.join("\n").trim_matches('\n').to_string()
}
