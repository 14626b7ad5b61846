//! Which lines of the model a kernel is of. The names of kernels do not tell: code is the same whether places are known or not.

use skriptnd_mlir::ir::locations::call_stack;
use skriptnd_mlir::ir::{Location, OperationRef};
use skriptnd_runtime::operation::Line;
use std::path::Path;

/// The lines of the model that operations come from, in their order.
pub fn lines<'c: 'a, 'a>(operations: impl Iterator<Item = OperationRef<'c, 'a>>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in operations.filter_map(|operation| line(operation.location())) {
        let is_same =
            |known: &Line| (&known.file, known.line, &known.operator) == (&line.file, line.line, &line.operator);
        if !lines.iter().any(is_same) {
            lines.push(line);
        }
    }
    lines
}

/// The line of the model that a place is called from.
pub fn line(location: Location<'_>) -> Option<Line> {
    let mut stack = call_stack(location);
    let outermost = stack.pop()?;
    // Folders are those of the machine that compiles.
    let file = Path::new(&outermost.file).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let inner = stack.into_iter().find_map(|frame| frame.name);
    Some(Line { file, origin: outermost.origin, line: outermost.start.0, operator: outermost.name, inner })
}
