//! The functions that a compiled model exports, around those that were compiled.

use super::{Planned, RUN, checks};
use crate::Error;
use crate::tensors::prepare::PREPARE;
use skriptnd_mlir::ir::{
    BlockLike, InContext, OperationExt, OperationLike, OperationRef, RegionLike, block_operations, parse_module,
};
use std::fmt::Write;

/// Adds the exported functions and the metadata to a module of the LLVM dialect.
///
/// # Errors
/// Where earlier passes have not noted what they are to do.
pub fn export(module: OperationRef<'_, '_>) -> Result<(), Error> {
    let context = module.in_context();
    let planned = Planned::noted(module)?;
    let text = exported(&planned, &planned.metadata().to_string())?;
    let body = module.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
    let exports = parse_module(context, &text, "the C interface")?;
    for operation in block_operations(exports.body()) {
        let declaration = operation.region(0).ok().is_none_or(|region| region.first_block().is_none());
        if operation.full_name() == "llvm.mlir.global" || !declaration {
            body.append_operation((*operation).clone());
        }
    }
    Ok(())
}

fn exported(planned: &Planned, metadata: &str) -> Result<String, Error> {
    let mut text = String::new();
    write_exports(&mut text, planned, metadata).map_err(|_| Error::malformed("the C interface"))?;
    Ok(text)
}

fn write_exports(text: &mut String, planned: &Planned, metadata: &str) -> std::fmt::Result {
    let Planned { interface, memory, faults, .. } = planned;
    let record = (!faults.is_empty()).then_some("%fault");
    let escaped: String = metadata.bytes().map(|byte| format!("\\{byte:02X}")).collect();
    writeln!(
        text,
        "module {{\nllvm.mlir.global external constant @skriptnd_metadata(\"{escaped}\\00\") {{addr_space = 0 : i32}} : \
         !llvm.array<{} x i8>",
        metadata.len() + 1
    )?;
    checks::write_definitions(text, interface, memory)?;
    let (variables, prepared) = (interface.variables.len(), memory.prepared_offsets.len());
    let buffers = [("prepared", memory.prepared_bytes), ("workspace", memory.workspace_bytes())];
    let pointers = |count: usize| vec!["!llvm.ptr"; count].join(", ");
    let arguments = interface.is_variable.len() + prepared + interface.written() + usize::from(record.is_some()) + 1;
    writeln!(text, "llvm.func @{RUN}({})", pointers(arguments))?;
    writeln!(text, "llvm.func @{}({})", PREPARE, pointers(variables + prepared + 1))?;

    writeln!(
        text,
        "llvm.func @skriptnd_prepare(%variables: !llvm.ptr, %prepared: !llvm.ptr, %workspace: !llvm.ptr) -> i32 {{"
    )?;
    checks::write_checks(text, &[("variables", variables)], &buffers, None)?;
    let mut call = Call::default();
    call.elements(text, "variables", variables)?;
    call.parts(text, &memory.prepared_offsets)?;
    call.finish(text, PREPARE, None)?;

    writeln!(
        text,
        "llvm.func @skriptnd_run(%inputs: !llvm.ptr, %variables: !llvm.ptr, %prepared: !llvm.ptr, \
         %outputs: !llvm.ptr, %workspace: !llvm.ptr, %fault: !llvm.ptr) -> i32 {{"
    )?;
    let inputs = interface.inputs.len();
    let arrays = [("inputs", inputs), ("variables", variables), ("outputs", interface.written())];
    checks::write_checks(text, &arrays, &buffers, Some("fault"))?;
    let mut call = Call::default();
    let (mut input, mut variable) = (0, 0);
    for &is_variable in &interface.is_variable {
        let (array, index) = if is_variable { ("variables", &mut variable) } else { ("inputs", &mut input) };
        call.element(text, array, *index)?;
        *index += 1;
    }
    call.parts(text, &memory.prepared_offsets)?;
    call.elements(text, "outputs", interface.written())?;
    call.finish(text, RUN, record)?;
    writeln!(text, "}}")
}

/// A call whose arguments are collected one by one.
#[derive(Default)]
struct Call {
    arguments: Vec<String>,
}

impl Call {
    fn element(&mut self, text: &mut String, array: &str, index: usize) -> std::fmt::Result {
        let name = self.arguments.len();
        writeln!(
            text,
            "  %place{name} = llvm.getelementptr %{array}[{index}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr\n  \
             %value{name} = llvm.load %place{name} : !llvm.ptr -> !llvm.ptr"
        )?;
        self.arguments.push(format!("%value{name}"));
        Ok(())
    }

    fn elements(&mut self, text: &mut String, array: &str, count: usize) -> std::fmt::Result {
        (0..count).try_for_each(|index| self.element(text, array, index))
    }

    /// Pointers into prepared memory. Offsets are given as values: they may be larger than an index can be.
    fn parts(&mut self, text: &mut String, offsets: &[i64]) -> std::fmt::Result {
        for offset in offsets {
            let name = self.arguments.len();
            writeln!(
                text,
                "  %offset{name} = llvm.mlir.constant({offset} : i64) : i64\n  \
                 %value{name} = llvm.getelementptr %prepared[%offset{name}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"
            )?;
            self.arguments.push(format!("%value{name}"));
        }
        Ok(())
    }

    /// Calls with a record of faults, if there is one: its number is the status.
    fn finish(mut self, text: &mut String, callee: &str, record: Option<&str>) -> std::fmt::Result {
        self.arguments.extend(record.map(str::to_owned));
        self.arguments.push("%workspace".into());
        let types = vec!["!llvm.ptr"; self.arguments.len()].join(", ");
        writeln!(text, "  llvm.call @{callee}({}) : ({types}) -> ()", self.arguments.join(", "))?;
        match record {
            Some(record) => writeln!(
                text,
                "  %number = llvm.load {record} : !llvm.ptr -> i64\n  %status = llvm.trunc %number : i64 to i32"
            )?,
            None => writeln!(text, "  %status = llvm.mlir.constant(0 : i32) : i32")?,
        }
        writeln!(text, "  llvm.return %status : i32\n}}")
    }
}
