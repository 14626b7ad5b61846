//! Structured operations on memrefs to functions of loops over vectors.
//!
//! One emitter serves all of them: a tile of the parallel dimensions is held in registers (rows times vectors of
//! accumulators), reductions run inside, and what follows elementwise is computed before the tile is stored. Extents that
//! are no multiples of the tile get code of their own, with shorter vectors; nothing is masked or padded.

mod body;
mod dot;
mod given;
mod group;
mod groups;
mod kernel;
mod open;
mod read;

pub use given::Folders;
pub use group::{is_view, root};

use crate::nest::space::Operand;
use crate::nest::{Nest, Space};
use crate::structured::Structured;
use crate::target::Target;
use crate::{Error, extents, notes};
use body::Texts;
use given::Files;
use group::Group;
use read::{Bound, Passed};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::{arith, func, linalg, memref};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Turns the structured operations of a module into calls of kernels, whose number is noted. What has no kernel stays for
/// loops. Schedules may be given in files, and those that are taken written to files.
pub fn emit_kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target, folders: &Folders) -> Result<(), Error> {
    let structured = operations_named(module, linalg::GENERIC);
    let (parallel, reductions): (Vec<_>, Vec<_>) = structured
        .into_iter()
        .partition(|operation| Structured::read(*operation).is_none_or(|view| view.is_parallel()));
    let files = Files::open(module.context(), folders)?;
    let mut emitter = Emitter { module, target, files, texts: Texts::new(module.context()), known: HashMap::new() };
    let mut gone = HashSet::new();
    for operation in reductions.into_iter().chain(parallel) {
        if gone.contains(&operation.key()) {
            continue;
        }
        let Some(group) = Group::around(operation) else { continue };
        let Some(bound) = read::read(&group)? else { continue };
        gone.extend(group.operations.iter().map(|operation| operation.key()));
        emitter.emit(&group, &bound)?;
    }
    let count = i64::try_from(emitter.known.len()).unwrap_or(i64::MAX);
    module.set(notes::KERNELS, attributes::integer(module.context(), count));
    emitter.files.close();
    Ok(())
}

struct Emitter<'t, 'c, 'a> {
    module: OperationRef<'c, 'a>,
    target: &'t Target,
    files: Files<'t, 'c>,
    texts: Texts<'c>,
    /// Names of kernels by what they compute.
    known: HashMap<Space, String>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Puts the call of a kernel in the place of a group.
    fn emit(&mut self, group: &Group<'c, 'a>, bound: &Bound<'c, 'a>) -> Result<(), Error> {
        let Some(&last) = group.operations.last() else { return Ok(()) };
        let place = Builder::before(last)?;
        let ends = ends(&place, group)?;
        let name = match self.known.get(&bound.space) {
            Some(name) => name.clone(),
            None => self.define(group, bound)?,
        };
        let (mut arguments, mut offsets) = (Vec::new(), Vec::new());
        for passed in bound.values.iter().filter_map(|operand| operand.passed.map(|kind| (operand.value, kind))) {
            let (mut memory, Passed { r#type: flat, is_moved }) = passed;
            if is_moved {
                let (base, offset) = memref::base(&place, memory)?;
                memory = base;
                offsets.push(offset);
            }
            let is_flat = flat == memory.r#type();
            arguments.push(if is_flat { memory } else { memref::reinterpret_cast(&place, memory, flat)? });
        }
        arguments.extend(offsets);
        arguments.extend(ends.iter().flatten());
        func::call(&place, &name, &arguments, &[])?;
        with_rewriter(last, |rewriter| group.operations.iter().try_for_each(|operation| rewriter.erase(*operation)))?;
        Ok(())
    }

    /// Adds the kernel of a space, a private function, to the module; its name.
    fn define(&mut self, group: &Group<'c, 'a>, bound: &Bound<'c, 'a>) -> Result<String, Error> {
        let space = bound.space.clone();
        let schedule = self.files.schedule(&space, self.target)?;
        tracing::debug!(?schedule, dims = ?space.dims, "kernel");
        let nest = Nest { space, schedule };
        self.files.write(&nest, self.target)?;
        let name = format!("kernel_{}", self.known.len());
        let function = self.declare(&name, group, bound)?;
        self.fill(function, &nest, bound)?;
        self.known.insert(nest.space, name.clone());
        Ok(name)
    }

    fn declare(&self, name: &str, group: &Group<'c, 'a>, bound: &Bound<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
        let context = self.module.context();
        let passed: Vec<Passed<'c>> = bound.values.iter().filter_map(|operand| operand.passed).collect();
        let moved = passed.iter().filter(|passed| passed.is_moved).count();
        let open = bound.space.dims.iter().filter(|dim| dim.is_open).count();
        let numbers = std::iter::repeat_n(types::index(context), moved + open);
        let inputs: Vec<Type<'c>> = passed.iter().map(|passed| passed.r#type).chain(numbers).collect();
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
        let attributes = [
            ("sym_visibility", attributes::string(context, "private")),
            ("passthrough", attributes::array(context, &[attributes::string(context, "noinline")])),
        ];
        Ok(func::func(&Builder::at_end(body, group.location()), name, &inputs, &[], &attributes)?.operation)
    }

    /// Emits the body of a kernel.
    fn fill(&self, function: OperationRef<'c, 'a>, nest: &Nest, bound: &Bound<'c, 'a>) -> Result<(), Error> {
        let (builder, arguments) = Builder::before(function)?.inside(function, 0)?;
        let passed = bound.values.iter().filter(|operand| operand.passed.is_some()).count();
        let (passed, numbers) = arguments.split_at(passed);
        let (mut passed, mut numbers) = (passed.iter().copied(), numbers.iter().copied());
        let missing = || Error::malformed("a kernel without an argument");
        let mut values = kernel::Values { flat: Vec::new(), plain: Vec::new(), ends: Vec::new() };
        for (number, operand) in nest.space.operands.iter().enumerate() {
            let (flat, plain) = match operand {
                Operand::Constant { value, r#type } => {
                    let value = [("value", self.texts.attribute(value)?)];
                    (None, builder.value(arith::CONSTANT, &[], &value, self.texts.r#type(r#type)?)?)
                }
                Operand::Passed { is_moved: true, count, .. } => {
                    let (argument, offset) = (passed.next().ok_or_else(missing)?, numbers.next().ok_or_else(missing)?);
                    (Some(memref::elements_at(&builder, argument, offset, *count)?), argument)
                }
                Operand::Passed { .. } => {
                    let argument = passed.next().ok_or_else(missing)?;
                    let is_flat = argument.r#type() != bound.values[number].value.r#type();
                    let flat = match nest.space.is_accessed(number) {
                        true if is_flat => Some(argument),
                        true => Some(kernel::flattened(builder, argument)?),
                        false => None,
                    };
                    (flat, argument)
                }
            };
            values.flat.push(flat);
            values.plain.push(Some(plain));
        }
        for dim in &nest.space.dims {
            values.ends.push(if dim.is_open { numbers.next() } else { None });
        }
        let fused = self.target.isa.fused_multiply_add;
        kernel::Kernel { nest, builder, values: &values, texts: &self.texts, fused }.emit()?;
        Ok(func::r#return(&builder, &[])?)
    }
}

/// Where the dimensions of a group end of which only a run knows that.
fn ends<'c: 'a, 'a>(place: &Builder<'c, 'a>, group: &Group<'c, 'a>) -> Result<Vec<Option<Value<'c, 'a>>>, Error> {
    let mut ends = Vec::new();
    for open in &group.open {
        ends.push(match open {
            Some(open) => {
                let extent = extents::at(place, open.of, open.dimension)?;
                Some(match open.factor {
                    1 => extent,
                    factor => arith::muli(place, extent, place.index(factor)?)?,
                })
            }
            None => None,
        });
    }
    Ok(ends)
}
