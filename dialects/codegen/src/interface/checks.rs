//! What the exported functions check of their arguments before they use them, and the numbers that a caller in C needs to
//! give them: in the LLVM dialect, as the functions are (`export`).

use super::Interface;
use super::memory::Memory;
use std::fmt::{Result, Write};

/// Status where a pointer is null that must not be (`SKRIPTND_NULL` of the header).
const NULL: i32 = -1;
/// Status where prepared memory or workspace is not aligned (`SKRIPTND_MISALIGNED` of the header).
const MISALIGNED: i32 = -2;
/// Alignment of prepared memory and workspace in bytes.
const ALIGNMENT: i64 = 64;

/// Whether an array, or a pointer in it, is null.
const HAS_NULL: &str = r#"
llvm.func internal @has_null(%array: !llvm.ptr, %count: i64) -> i1 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %yes = llvm.mlir.constant(true) : i1
  %no = llvm.mlir.constant(false) : i1
  %null = llvm.mlir.zero : !llvm.ptr
  %missing = llvm.icmp "eq" %array, %null : !llvm.ptr
  llvm.cond_br %missing, ^found, ^next(%zero : i64)
^next(%index: i64):
  %more = llvm.icmp "ult" %index, %count : i64
  llvm.cond_br %more, ^look, ^none
^look:
  %place = llvm.getelementptr %array[%index] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %value = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %absent = llvm.icmp "eq" %value, %null : !llvm.ptr
  %following = llvm.add %index, %one : i64
  llvm.cond_br %absent, ^found, ^next(%following : i64)
^found:
  llvm.return %yes : i1
^none:
  llvm.return %no : i1
}
"#;

/// The constants of the header, and the function that the checks call.
pub fn write_definitions(text: &mut String, interface: &Interface, memory: &Memory) -> Result {
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let constants = [
        ("input_count", count(interface.inputs.len()), 32),
        ("variable_count", count(interface.variables.len()), 32),
        ("output_count", count(interface.written()), 32),
        ("state_count", count(interface.states.len()), 32),
        ("prepared_bytes", memory.prepared_bytes, 64),
        ("workspace_bytes", memory.workspace_bytes(), 64),
    ];
    for (name, value, bits) in constants {
        writeln!(text, "llvm.mlir.global external constant @skriptnd_{name}({value} : i{bits}) : i{bits}")?;
    }
    text.write_str(HAS_NULL)
}

/// Returns from the function that is being written if an array or a pointer in it is null, memory is null or not
/// aligned, or the record of faults is null. They are given by their arguments' names, arrays and memory with the number
/// of pointers or of bytes that the model needs.
pub fn write_checks(
    text: &mut String,
    arrays: &[(&str, usize)],
    memory: &[(&str, i64)],
    record: Option<&str>,
) -> Result {
    let arrays: Vec<_> = arrays.iter().filter(|(_, count)| *count > 0).collect();
    let memory: Vec<_> = memory.iter().filter(|(_, bytes)| *bytes > 0).map(|(name, _)| *name).collect();
    writeln!(text, "  %none = llvm.mlir.zero : !llvm.ptr\n  %null.0 = llvm.mlir.constant(false) : i1")?;
    for (at, (name, count)) in arrays.iter().enumerate() {
        let next = at + 1;
        writeln!(
            text,
            "  %{name}.count = llvm.mlir.constant({count} : i64) : i64\n  \
             %{name}.null = llvm.call @has_null(%{name}, %{name}.count) : (!llvm.ptr, i64) -> i1\n  \
             %null.{next} = llvm.or %null.{at}, %{name}.null : i1"
        )?;
    }
    writeln!(text, "  %low = llvm.mlir.constant({} : i64) : i64", ALIGNMENT - 1)?;
    writeln!(text, "  %zero = llvm.mlir.constant(0 : i64) : i64\n  %bits.0 = llvm.mlir.constant(0 : i64) : i64")?;
    for (at, name) in memory.iter().copied().chain(record).enumerate() {
        let (null, next) = (arrays.len() + at, arrays.len() + at + 1);
        writeln!(
            text,
            "  %{name}.null = llvm.icmp \"eq\" %{name}, %none : !llvm.ptr\n  \
             %null.{next} = llvm.or %null.{null}, %{name}.null : i1"
        )?;
    }
    for (at, name) in memory.iter().enumerate() {
        let next = at + 1;
        writeln!(
            text,
            "  %{name}.address = llvm.ptrtoint %{name} : !llvm.ptr to i64\n  \
             %bits.{next} = llvm.or %bits.{at}, %{name}.address : i64"
        )?;
    }
    writeln!(
        text,
        "  %why.null = llvm.mlir.constant({NULL} : i32) : i32\n  \
         %why.misaligned = llvm.mlir.constant({MISALIGNED} : i32) : i32\n  \
         llvm.cond_br %null.{}, ^refused(%why.null : i32), ^present\n\
         ^refused(%why: i32):\n  llvm.return %why : i32\n\
         ^present:\n  %lowest = llvm.and %bits.{}, %low : i64\n  \
         %misaligned = llvm.icmp \"ne\" %lowest, %zero : i64\n  \
         llvm.cond_br %misaligned, ^refused(%why.misaligned : i32), ^called\n^called:",
        arrays.len() + memory.len() + usize::from(record.is_some()),
        memory.len(),
    )
}
