//! What operations say of the kernel that they become part of.

use super::group::Group;
use skriptnd_mlir::ir::{OperationRef, attributes};

/// The number of the kernel, on all its operations; one without a number is a kernel by itself.
const KERNEL: &str = "skriptnd.kernel";
/// What an operation does in its kernel.
const PART: &str = "skriptnd.part";
/// The dimensions that are loops around all of a kernel, on operations with the part `main`.
const ROWS: &str = "skriptnd.rows";

/// What an operation does in a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It computes the initial accumulator of the next operation.
    Initial,
    /// It runs at every point of its iteration space.
    Main,
    /// It is computed on what the operation before it gives.
    Epilogue,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Initial => "initial",
            Part::Main => "main",
            Part::Epilogue => "epilogue",
        }
    }
}

/// Notes a kernel of some groups, with the common rows of each, on their operations.
pub fn write(kernel: usize, groups: &[Group<'_, '_>], rows: Option<&[Vec<usize>]>) {
    for (number, group) in groups.iter().enumerate() {
        let main = usize::from(group.init.is_some());
        for (place, operation) in group.operations.iter().enumerate() {
            let part = match place.cmp(&main) {
                std::cmp::Ordering::Less => Part::Initial,
                std::cmp::Ordering::Equal => Part::Main,
                std::cmp::Ordering::Greater => Part::Epilogue,
            };
            let context = operation.context();
            let kernel = i64::try_from(kernel).unwrap_or(i64::MAX);
            operation.set(KERNEL, attributes::integer(context, kernel));
            operation.set(PART, attributes::string(context, part.name()));
            if let Some(rows) = rows.filter(|_| part == Part::Main).and_then(|rows| rows.get(number)) {
                let rows: Vec<i64> = rows.iter().filter_map(|&dim| i64::try_from(dim).ok()).collect();
                operation.set(ROWS, attributes::integers(context, &rows));
            }
        }
    }
}

/// The number of the kernel that an operation is part of.
pub fn kernel(operation: OperationRef<'_, '_>) -> Option<i64> {
    operation.get_integer(KERNEL)
}

/// What an operation does in its kernel.
pub fn part(operation: OperationRef<'_, '_>) -> Part {
    match operation.get_string(PART) {
        Some("initial") => Part::Initial,
        Some("epilogue") => Part::Epilogue,
        _ => Part::Main,
    }
}

/// The dimensions of an operation that are loops around all of its kernel, outermost first.
pub fn rows(operation: OperationRef<'_, '_>) -> Vec<usize> {
    let rows = operation.get_integers(ROWS).unwrap_or_default();
    rows.into_iter().filter_map(|dim| usize::try_from(dim).ok()).collect()
}
