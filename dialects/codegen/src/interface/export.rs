//! The functions that a compiled model exports, around those that were compiled, and the constants of its header.

use super::Planned;
use super::checks::{self, Arguments};
use crate::Error;
use crate::functions::{PREPARE, RUN};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Index, Linkage};

/// Adds the exported functions, the metadata and the constants to a module of the LLVM dialect.
///
/// # Errors
/// Where earlier passes have not noted what they are to do.
pub fn export<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let planned = Planned::noted(module)?;
    let body = module.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
    let end = Builder::at_end(body, module.location());
    metadata(&end, &planned)?;
    constants(&end, &planned)?;
    checks::define(&end)?;
    prepare(&end, &planned)?;
    run(&end, &planned)
}

/// The metadata, ended by a zero byte.
fn metadata<'c: 'a, 'a>(module: &Builder<'c, 'a>, planned: &Planned) -> Result<(), Error> {
    let context = module.context();
    let text = format!("{}\0", planned.metadata());
    let size = u32::try_from(text.len()).map_err(|_| Error::Unsupported("metadata of 4 GB".into()))?;
    let kind = llvm::array_type(types::integer(context, 8), size);
    let value = attributes::string(context, &text);
    llvm::constant_global(module, "skriptnd_metadata", Linkage::External, kind, value)?;
    Ok(())
}

/// The numbers that a caller in C needs before it has read the metadata.
fn constants<'c: 'a, 'a>(module: &Builder<'c, 'a>, planned: &Planned) -> Result<(), Error> {
    let Planned { interface, memory, .. } = planned;
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
        let kind = types::integer(module.context(), bits);
        let value = attributes::typed_integer(kind, value).ok_or_else(|| Error::malformed(name))?;
        llvm::constant_global(module, &format!("skriptnd_{name}"), Linkage::External, kind, value)?;
    }
    Ok(())
}

/// `int32_t skriptnd_prepare(variables, prepared, workspace)`
fn prepare<'c: 'a, 'a>(module: &Builder<'c, 'a>, planned: &Planned) -> Result<(), Error> {
    let Planned { interface, memory, .. } = planned;
    let (function, [variables, prepared, workspace]) = define(module, "skriptnd_prepare")?;
    let count = interface.variables.len();
    let body = Arguments {
        arrays: &[(variables, count)],
        memory: &[(prepared, memory.prepared_bytes), (workspace, memory.workspace_bytes())],
        record: None,
    }
    .check(&function)?;
    let mut call = Call::new(body);
    call.elements(variables, count)?;
    call.parts(prepared, &memory.prepared_offsets)?;
    call.finish(PREPARE, None, workspace)
}

/// `int32_t skriptnd_run(inputs, variables, prepared, outputs, workspace, fault)`
fn run<'c: 'a, 'a>(module: &Builder<'c, 'a>, planned: &Planned) -> Result<(), Error> {
    let Planned { interface, memory, faults, .. } = planned;
    let (function, [inputs, variables, prepared, outputs, workspace, fault]) = define(module, "skriptnd_run")?;
    let body = Arguments {
        arrays: &[
            (inputs, interface.inputs.len()),
            (variables, interface.variables.len()),
            (outputs, interface.written()),
        ],
        memory: &[(prepared, memory.prepared_bytes), (workspace, memory.workspace_bytes())],
        record: Some(fault),
    }
    .check(&function)?;
    let mut call = Call::new(body);
    let (mut input, mut variable) = (0, 0);
    for &is_variable in &interface.is_variable {
        let (array, index) = if is_variable { (variables, &mut variable) } else { (inputs, &mut input) };
        call.element(array, *index)?;
        *index += 1;
    }
    call.parts(prepared, &memory.prepared_offsets)?;
    call.elements(outputs, interface.written())?;
    call.finish(RUN, (!faults.is_empty()).then_some(fault), workspace)
}

/// An exported function of pointers that returns a status.
fn define<'c: 'a, 'a, const N: usize>(
    module: &Builder<'c, 'a>,
    name: &str,
) -> Result<(llvm::Function<'c, 'a>, [Value<'c, 'a>; N]), Error> {
    let context = module.context();
    let inputs = [llvm::pointer_type(context); N];
    let function = llvm::define(module, name, Linkage::External, &inputs, Some(types::integer(context, 32)))?;
    let arguments = function.arguments.as_slice().try_into().map_err(|_| Error::malformed(name))?;
    Ok((function, arguments))
}

/// A call whose arguments are collected one by one.
struct Call<'c, 'a> {
    body: Builder<'c, 'a>,
    arguments: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Call<'c, 'a> {
    fn new(body: Builder<'c, 'a>) -> Self {
        Call { body, arguments: Vec::new() }
    }

    /// A pointer from an array of pointers.
    fn element(&mut self, array: Value<'c, 'a>, index: usize) -> Result<(), Error> {
        let pointer = llvm::pointer_type(self.body.context());
        let index = i32::try_from(index).map_err(|_| Error::Unsupported(format!("{index} tensors")))?;
        let place = llvm::getelementptr(&self.body, array, pointer, &[Index::Constant(index)])?;
        self.arguments.push(llvm::load(&self.body, place, pointer)?);
        Ok(())
    }

    fn elements(&mut self, array: Value<'c, 'a>, count: usize) -> Result<(), Error> {
        (0..count).try_for_each(|index| self.element(array, index))
    }

    /// Pointers into prepared memory. Offsets are given as values: they may be larger than an index can be.
    fn parts(&mut self, prepared: Value<'c, 'a>, offsets: &[i64]) -> Result<(), Error> {
        let context = self.body.context();
        for offset in offsets {
            let offset = llvm::integer(&self.body, types::integer(context, 64), *offset)?;
            let byte = types::integer(context, 8);
            self.arguments.push(llvm::getelementptr(&self.body, prepared, byte, &[Index::Value(offset)])?);
        }
        Ok(())
    }

    /// Calls, with a record of faults if there is one: the number in it is the status.
    fn finish(mut self, callee: &str, record: Option<Value<'c, 'a>>, workspace: Value<'c, 'a>) -> Result<(), Error> {
        self.arguments.extend(record);
        self.arguments.push(workspace);
        llvm::call(&self.body, callee, &self.arguments)?;
        let context = self.body.context();
        let (word, status) = (types::integer(context, 64), types::integer(context, 32));
        let status = match record {
            Some(record) => llvm::trunc(&self.body, llvm::load(&self.body, record, word)?, status)?,
            None => llvm::integer(&self.body, status, 0)?,
        };
        Ok(llvm::r#return(&self.body, Some(status))?)
    }
}
