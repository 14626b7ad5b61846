//! Which lines of the model a kernel is of. The names of kernels do not tell: code is the same whether places are known or not.

use super::sequence::Sequence;
use skriptnd_mlir::ir::locations::call_stack;
use std::fmt;
use std::path::Path;

/// A line of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The file.
    file: String,
    /// Counted from one.
    line: usize,
    /// What is invoked there, where that is an operator of others.
    operator: Option<String>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.operator.iter().try_for_each(|operator| write!(f, ": {operator}"))
    }
}

/// The lines of the model whose operators a kernel computes, in the order in which it does.
pub fn lines(sequence: &Sequence<'_, '_>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for operation in sequence.operations() {
        let Some(outermost) = call_stack(operation.location()).pop() else { continue };
        // Folders are those of the machine that compiles.
        let file =
            Path::new(&outermost.file).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let line = Line { file, line: outermost.start.0, operator: outermost.name };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
