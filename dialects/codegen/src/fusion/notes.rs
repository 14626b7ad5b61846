//! What operations say of the kernel that they become part of.

use super::group::Group;
use super::rows::Rows;
use skriptnd_mlir::ir::{OperationRef, attributes};

/// The number of the kernel, on all its operations; one without a number is a kernel by itself.
const KERNEL: &str = "skriptnd.kernel";
/// What an operation does in its kernel.
const PART: &str = "skriptnd.part";
/// The dimensions that are loops around all of a kernel, on operations with the part `main`.
const ROWS: &str = "skriptnd.rows";
/// How many indices of the last of these are gone through together, where that is more than one.
const BLOCK: &str = "skriptnd.block";

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

/// Notes a kernel of some groups, with the loops around all, on their operations.
pub fn write(kernel: usize, groups: &[Group<'_, '_>], rows: Option<&Rows>) {
    for (number, group) in groups.iter().enumerate() {
        let main = usize::from(group.space.init.is_some());
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
            let rows = rows.filter(|_| part == Part::Main);
            if let Some((rows, dims)) = rows.and_then(|rows| Some((rows, rows.dims.get(number)?))) {
                let dims: Vec<i64> = dims.iter().filter_map(|&dim| i64::try_from(dim).ok()).collect();
                operation.set(ROWS, attributes::integers(context, &dims));
                if rows.block > 1 {
                    operation.set(BLOCK, attributes::integer(context, rows.block));
                }
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

/// How many indices of the last of these dimensions are gone through together.
pub fn block(operation: OperationRef<'_, '_>) -> i64 {
    operation.get_integer(BLOCK).unwrap_or(1)
}
