//! Structured operations on memrefs to functions of loops over vectors.
//!
//! One emitter serves all of them: a tile of the parallel dimensions is held in registers (rows times vectors of
//! accumulators), reductions run inside, and what follows elementwise is computed before the tile is stored. Extents that
//! are no multiples of the tile get code of their own, with shorter vectors; nothing is masked or padded.

pub mod access;
mod body;
mod dot;
mod group;
mod kernel;
mod open;
pub mod schedule;

pub use group::{is_view, root};

use crate::structured::{Structured, static_shape};
use crate::target::Target;
use crate::{Error, extents, notes};
use group::{Group, Source, Stage};
use schedule::Schedule;
use skriptnd_mlir::ir::{
    Builder, Location, OperationRef, Type, Value, attributes, equal_bodies, hash_bodies, operations_named, types,
};
use skriptnd_mlir::ops::{arith, func, linalg, memref};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Turns the structured operations of a module into calls of kernels, whose number is noted. What has no kernel stays for
/// loops.
pub fn emit_kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target) -> Result<(), Error> {
    let structured = operations_named(module, linalg::GENERIC);
    let (parallel, reductions): (Vec<_>, Vec<_>) = structured
        .into_iter()
        .partition(|operation| Structured::read(*operation).is_none_or(|view| view.is_parallel()));
    let mut emitter = Emitter { module, target, known: HashMap::new(), count: 0 };
    let mut gone = HashSet::new();
    for operation in reductions.into_iter().chain(parallel) {
        if gone.contains(&operation.key()) {
            continue;
        }
        let Some(group) = Group::around(operation).filter(has_flat_bodies) else { continue };
        gone.extend(group.operations.iter().map(|operation| operation.key()));
        emitter.emit(&group)?;
    }
    let count = i64::try_from(emitter.count).unwrap_or(i64::MAX);
    module.set(notes::KERNELS, attributes::integer(module.context(), count));
    Ok(())
}

fn has_flat_bodies(group: &Group<'_, '_>) -> bool {
    stages(group).all(|stage| body::is_flat(stage.body))
}

fn stages<'g, 'c, 'a>(group: &'g Group<'c, 'a>) -> impl Iterator<Item = &'g Stage<'c, 'a>> {
    group.init.iter().chain([&group.main]).chain(&group.epilogues)
}

struct Emitter<'t, 'c, 'a> {
    module: OperationRef<'c, 'a>,
    target: &'t Target,
    /// Kernels by the hash of their bodies.
    known: HashMap<u64, Vec<OperationRef<'c, 'a>>>,
    /// Number of kernels.
    count: usize,
}

/// A value that a kernel is given.
struct Passed<'c, 'a> {
    value: Value<'c, 'a>,
    /// The type under which the kernel takes it.
    r#type: Type<'c>,
    /// Whether the kernel is told where it begins in its memory: so parts of different memory have the same kernel.
    is_moved: bool,
}

/// What a kernel takes from outside: memrefs and scalars; constants it makes itself.
#[derive(Default)]
struct Operands<'c, 'a> {
    passed: Vec<Passed<'c, 'a>>,
    constants: Vec<Value<'c, 'a>>,
    /// Where dimensions end of which only a run knows that, by dimension.
    ends: Vec<Option<Value<'c, 'a>>>,
}

/// Elements that the memory of a kernel is said to have where only a run knows how many there are.
const MANY: i64 = 1 << 31;

impl<'c: 'a, 'a> Operands<'c, 'a> {
    fn of(group: &Group<'c, 'a>) -> Result<Self, Error> {
        let mut operands = Operands::default();
        operands.add(group, group.output.0)?;
        for stage in stages(group) {
            for source in &stage.sources {
                if let Source::Memory(value, _) | Source::Scalar(value) = source {
                    operands.add(group, *value)?;
                }
            }
            stage.captured().try_for_each(|value| operands.add(group, value))?;
        }
        Ok(operands)
    }

    fn add(&mut self, group: &Group<'c, 'a>, value: Value<'c, 'a>) -> Result<(), Error> {
        let is_constant =
            value.defining_operation().is_some_and(|definition| definition.full_name() == arith::CONSTANT);
        let known = self.passed.iter().map(|operand| operand.value).chain(self.constants.iter().copied());
        match known.into_iter().any(|known| known.key() == value.key()) {
            true => {}
            false if is_constant => self.constants.push(value),
            false => self.passed.push(Passed::of(group, value)?),
        }
        Ok(())
    }

    /// How many operands are told where they begin.
    fn offsets(&self) -> usize {
        self.passed.iter().filter(|operand| operand.is_moved).count()
    }
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    fn emit(&mut self, group: &Group<'c, 'a>) -> Result<(), Error> {
        let schedule = Schedule::choose(group, self.target);
        tracing::debug!(?schedule, extents = ?group.extents, "kernel");
        let Some(&last) = group.operations.last() else { return Ok(()) };
        let place = Builder::before(last)?;
        let mut operands = Operands::of(group)?;
        operands.ends = ends(&place, group)?;
        let function = self.define(group, &operands)?;
        self.fill(function, group, &schedule, &operands)?;
        let kernel = self.unite(function)?;
        let name = kernel.get_string("sym_name").unwrap_or_default();
        let (mut arguments, mut offsets) = (Vec::new(), Vec::new());
        for operand in &operands.passed {
            let mut memory = operand.value;
            if operand.is_moved {
                let (base, offset) = memref::base(&place, memory)?;
                memory = base;
                offsets.push(offset);
            }
            let flat = operand.r#type;
            arguments.push(if flat == memory.r#type() {
                memory
            } else {
                memref::reinterpret_cast(&place, memory, flat)?
            });
        }
        arguments.extend(offsets);
        arguments.extend(operands.ends.iter().flatten());
        func::call(&place, name, &arguments, &[])?;
        with_rewriter(last, |rewriter| group.operations.iter().try_for_each(|operation| rewriter.erase(*operation)))?;
        Ok(())
    }

    /// Adds a private function to the module, whose body is to be filled.
    fn define(&self, group: &Group<'c, 'a>, operands: &Operands<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
        let context = self.module.context();
        let index = types::index(context);
        let numbers = operands.offsets() + operands.ends.iter().flatten().count();
        let passed = operands.passed.iter().map(|operand| operand.r#type);
        let inputs: Vec<Type<'c>> = passed.chain(std::iter::repeat_n(index, numbers)).collect();
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
        let attributes = [
            ("sym_visibility", attributes::string(context, "private")),
            ("passthrough", attributes::array(context, &[attributes::string(context, "noinline")])),
        ];
        let builder = Builder::at_end(body, group.main_operation_location());
        Ok(func::func(&builder, &format!("kernel_{}", self.count), &inputs, &[], &attributes)?.operation)
    }

    /// Emits the body of a kernel.
    fn fill(
        &self,
        function: OperationRef<'c, 'a>,
        group: &Group<'c, 'a>,
        schedule: &Schedule,
        operands: &Operands<'c, 'a>,
    ) -> Result<(), Error> {
        let (builder, arguments) = Builder::before(function)?.inside(function, 0)?;
        let mut values = kernel::Values::default();
        let (passed, numbers) = arguments.split_at(operands.passed.len());
        let (offsets, ends) = numbers.split_at(operands.offsets());
        let (mut offsets, mut ends) = (offsets.iter().copied().peekable(), ends.iter().copied());
        let ends: Vec<_> = operands.ends.iter().map(|end| end.and_then(|_| ends.next())).collect();
        for (operand, &argument) in operands.passed.iter().zip(passed) {
            let value = operand.value;
            if let Some(offset) = offsets.next_if(|_| operand.is_moved) {
                let count = kernel::elements(value.r#type()).unwrap_or(MANY);
                values.flat.insert(value.key(), memref::elements_at(&builder, argument, offset, count)?);
            } else if group.is_accessed(value) {
                let is_flat = argument.r#type() != value.r#type();
                let flat = if is_flat { argument } else { kernel::flattened(builder, argument)? };
                values.flat.insert(value.key(), flat);
            }
            values.plain.insert(value.key(), argument);
        }
        for value in &operands.constants {
            let Some(definition) = value.defining_operation() else { continue };
            values
                .plain
                .extend(builder.copy(definition, &[])?.result_values().first().map(|copied| (value.key(), *copied)));
        }
        let fused = self.target.fused_multiply_add;
        kernel::Kernel { group, schedule, builder, values: &values, ends: &ends, fused }.emit()?;
        Ok(func::r#return(&builder, &[])?)
    }

    /// The kernel that does the same, if there is one, in place of a new one.
    fn unite(&mut self, function: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
        let alike = self.known.entry(hash_bodies(function)).or_default();
        if let Some(known) = alike.iter().copied().find(|known| equal_bodies(*known, function)) {
            with_rewriter(function, |rewriter| rewriter.erase(function))?;
            return Ok(known);
        }
        alike.push(function);
        self.count += 1;
        Ok(function)
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

impl<'c: 'a, 'a> Passed<'c, 'a> {
    /// Memory whose extents only a run knows is given without them, and parts as what they are parts of.
    fn of(group: &Group<'c, 'a>, value: Value<'c, 'a>) -> Result<Self, Error> {
        let kind = value.r#type();
        let as_it_is = Passed { value, r#type: kind, is_moved: false };
        if !kind.is_mem_ref() {
            return Ok(as_it_is);
        }
        let malformed = || Error::malformed(format!("an operand of type {kind}"));
        let (_, offset) = types::strides_with_open_offset(kind).ok_or_else(malformed)?;
        let is_moved = offset != 0 && !group.is_fetched(value);
        if !is_moved && static_shape(kind).is_some() {
            return Ok(as_it_is);
        }
        let offset = if is_moved { 0 } else { offset };
        let r#type = types::strided_memref(types::element(kind), &[MANY], &[1], offset).ok_or_else(malformed)?;
        Ok(Passed { value, r#type, is_moved })
    }
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    fn main_operation_location(&self) -> Location<'c> {
        let context = self.output.0.context();
        self.operations.last().map_or_else(|| Location::unknown(context), |operation| operation.location())
    }

    /// Whether a body fetches elements of the value by itself.
    fn is_fetched(&self, value: Value<'c, 'a>) -> bool {
        stages(self).flat_map(Stage::captured).any(|captured| captured.key() == value.key())
    }

    /// Whether the kernel accesses the value element by element.
    fn is_accessed(&self, value: Value<'c, 'a>) -> bool {
        let read = stages(self).any(|stage| stage.memory().any(|(memory, _)| memory.key() == value.key()));
        value.r#type().is_mem_ref() && (read || self.output.0.key() == value.key())
    }
}
