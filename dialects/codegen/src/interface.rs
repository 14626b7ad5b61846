//! The C interface of a compiled model (`runtime/include/skriptnd.h`): the functions that it exports around those that
//! were compiled, and the metadata that describes it.

use crate::pipeline::Plan;
use crate::plan::{aligned, bytes};
use crate::structured::static_shape;
use crate::{Error, checks};
use serde_json::{Value as Json, json};
use skriptnd_mlir::ir::InContext;
use skriptnd_mlir::ir::{
    BlockLike, Module, OperationExt, OperationLike, OperationRef, RegionLike, Type, attributes, block_operations,
    parse_module, types,
};
use std::fmt::Write;

/// Version of the interface; the loader refuses others.
pub const ABI_VERSION: i64 = 2;
/// Name of the compiled function that runs the model.
pub const RUN: &str = "run";

/// A tensor of the interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Name of an input or output; for variables the stem of the file.
    pub name: String,
    /// `real`, `int` or `bool`.
    pub kind: &'static str,
    /// Extents.
    pub shape: Vec<i64>,
}

/// What a graph takes and gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interface {
    /// Name of the graph.
    pub graph: String,
    /// Inputs in order.
    pub inputs: Vec<TensorInfo>,
    /// Variables in order.
    pub variables: Vec<TensorInfo>,
    /// Outputs in order.
    pub outputs: Vec<TensorInfo>,
    /// New values of variables, in order; they are written behind the outputs.
    pub states: Vec<TensorInfo>,
    /// For each argument of the function, whether it is a variable.
    pub is_variable: Vec<bool>,
}

impl Interface {
    /// Reads the attributes of the arguments and results of a graph's function.
    pub fn of(function: OperationRef<'_, '_>) -> Result<Interface, Error> {
        let kind = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
        let (inputs, results) = kind.ok_or_else(|| Error::malformed("a function without a type"))?;
        let mut interface = Interface {
            graph: function.get_string("sym_name").unwrap_or_default().to_string(),
            ..Interface::default()
        };
        for (index, kind) in inputs.iter().enumerate() {
            let named = |key| entry(function, "arg_attrs", index, key);
            if let Some(stem) = named("skriptnd.variable") {
                interface.variables.push(tensor_info(stem, *kind)?);
                interface.is_variable.push(true);
            } else {
                let name = named("skriptnd.input").unwrap_or_else(|| format!("input{index}"));
                interface.inputs.push(tensor_info(name, *kind)?);
                interface.is_variable.push(false);
            }
        }
        for (index, kind) in results.iter().enumerate() {
            let named = |key| entry(function, "res_attrs", index, key);
            if let Some(stem) = named("skriptnd.state") {
                interface.states.push(tensor_info(stem, *kind)?);
            } else {
                let name = named("skriptnd.output").unwrap_or_else(|| format!("output{index}"));
                interface.outputs.push(tensor_info(name, *kind)?);
            }
        }
        Ok(interface)
    }

    /// Number of tensors that a run writes.
    pub fn written(&self) -> usize {
        self.outputs.len() + self.states.len()
    }

    /// Numbers of the arguments that are variables.
    pub fn variable_arguments(&self) -> Vec<usize> {
        (0..self.is_variable.len()).filter(|&index| self.is_variable[index]).collect()
    }
}

fn entry(function: OperationRef<'_, '_>, list: &str, index: usize, key: &str) -> Option<String> {
    let dictionaries = attributes::as_array(function.get(list)?)?;
    let entries = attributes::as_dictionary(*dictionaries.get(index)?)?;
    let (_, value) = entries.into_iter().find(|(name, _)| *name == key)?;
    attributes::as_string(value).map(str::to_string)
}

fn tensor_info(name: String, kind: Type<'_>) -> Result<TensorInfo, Error> {
    let shape = static_shape(kind).filter(|_| types::is_ranked_tensor(kind));
    let shape = shape.ok_or_else(|| {
        Error::Unsupported(format!("`{name}` has extents that are not known: {kind}; give them values with --bind"))
    })?;
    let element = types::element(kind);
    let known = [(types::f32(kind.in_context()), "real"), (types::integer(kind.in_context(), 64), "int")];
    let boolean = types::is_integer(element, 1).then_some("bool");
    let kind = known.into_iter().find(|(r#type, _)| *r#type == element).map(|(_, name)| name).or(boolean);
    let kind = kind.ok_or_else(|| Error::Unsupported(format!("`{name}` has elements of type {element}")))?;
    Ok(TensorInfo { name, kind, shape })
}

/// Sizes that are known when everything is planned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Offsets of the prepared tensors.
    pub prepared_offsets: Vec<i64>,
    /// Bytes of prepared memory.
    pub prepared_bytes: i64,
    /// Bytes of the workspace of a run.
    pub run_bytes: i64,
    /// Bytes of the workspace of the preparation.
    pub prepare_bytes: i64,
}

impl Memory {
    /// Lays out the prepared tensors one behind the other.
    pub fn of(prepared: &[Type<'_>]) -> Result<Memory, Error> {
        let mut memory = Memory::default();
        for kind in prepared {
            memory.prepared_offsets.push(memory.prepared_bytes);
            memory.prepared_bytes += aligned(bytes(*kind)?);
        }
        Ok(memory)
    }

    /// Bytes of the one workspace that serves both functions.
    pub fn workspace_bytes(&self) -> i64 {
        self.run_bytes.max(self.prepare_bytes)
    }
}

/// The metadata as JSON.
pub fn metadata(plan: &Plan, triple: &str) -> Json {
    let Plan { interface, memory, faults, .. } = plan;
    let tensors = |list: &[TensorInfo]| -> Json {
        list.iter().map(|tensor| json!({"name": tensor.name, "type": tensor.kind, "shape": tensor.shape})).collect()
    };
    json!({
        "abi": ABI_VERSION,
        "graph": interface.graph,
        "target": triple,
        "inputs": tensors(&interface.inputs),
        "variables": tensors(&interface.variables),
        "outputs": tensors(&interface.outputs),
        "states": tensors(&interface.states),
        "faults": faults,
        "prepared_bytes": memory.prepared_bytes,
        "workspace_bytes": memory.workspace_bytes(),
        "peak_bytes": memory.run_bytes,
    })
}

/// Adds the exported functions and the metadata to a module of the LLVM dialect.
pub fn export(module: &mut Module<'_>, plan: &Plan, metadata: &str) -> Result<(), Error> {
    let context = module.in_context();
    let text = exported(plan, metadata)?;
    let exports = parse_module(context, &text, "the C interface")?;
    for operation in block_operations(exports.body()) {
        let declaration = operation.region(0).ok().is_none_or(|region| region.first_block().is_none());
        if operation.full_name() == "llvm.mlir.global" || !declaration {
            module.body().append_operation((*operation).clone());
        }
    }
    Ok(())
}

fn exported(plan: &Plan, metadata: &str) -> Result<String, Error> {
    let mut text = String::new();
    write_exports(&mut text, plan, metadata).map_err(|_| Error::malformed("the C interface"))?;
    Ok(text)
}

fn write_exports(text: &mut String, plan: &Plan, metadata: &str) -> std::fmt::Result {
    let Plan { interface, memory, .. } = plan;
    let record = (!plan.faults.is_empty()).then_some("%fault");
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
    writeln!(text, "llvm.func @{}({})", crate::tensors::prepare::PREPARE, pointers(variables + prepared + 1))?;

    writeln!(
        text,
        "llvm.func @skriptnd_prepare(%variables: !llvm.ptr, %prepared: !llvm.ptr, %workspace: !llvm.ptr) -> i32 {{"
    )?;
    checks::write_checks(text, &[("variables", variables)], &buffers, None)?;
    let mut call = Call::default();
    call.elements(text, "variables", variables)?;
    call.parts(text, &memory.prepared_offsets)?;
    call.finish(text, crate::tensors::prepare::PREPARE, None)?;

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
