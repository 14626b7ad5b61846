//! Structured operations on memrefs to functions of loops over vectors.
//!
//! One emitter serves all of them: a tile of the parallel dimensions is held in registers (rows times vectors of
//! accumulators), reductions run inside, and what follows elementwise is computed before the tile is stored. Extents that
//! are no multiples of the tile get code of their own, with shorter vectors; nothing is masked or padded.

pub mod access;
mod body;
mod dot;
mod exponential;
mod group;
mod kernel;
pub mod schedule;

pub use group::{is_view, root};

use crate::Error;
use crate::builder::{Builder, Built};
use crate::structured::Structured;
use crate::target::Target;
use group::{Group, Source, Stage};
use schedule::Schedule;
use skriptnd_mlir::ir::{
    Block, BlockLike, Location, OperationBuilder, OperationExt, OperationLike, OperationRef, Region, RegionLike, Type,
    TypeLike, Value, ValueExt, ValueLike, attributes, block_operations, operations_named, types,
};
use skriptnd_mlir::ir::{Context, Identifier, InContext};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Turns the structured operations of a module into calls of kernels. What has no kernel stays for loops. Returns the
/// number of kernels.
pub fn emit_kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let structured = operations_named(module, "linalg.generic");
    let (parallel, reductions): (Vec<_>, Vec<_>) = structured
        .into_iter()
        .partition(|operation| Structured::read(*operation).is_none_or(|view| view.is_parallel()));
    let mut emitter = Emitter { module, target, known: HashMap::new() };
    let mut gone = HashSet::new();
    for operation in reductions.into_iter().chain(parallel) {
        if gone.contains(&key(operation)) {
            continue;
        }
        let Some(group) = Group::around(operation).filter(has_flat_bodies) else { continue };
        gone.extend(group.operations.iter().map(|operation| key(*operation)));
        emitter.emit(&group)?;
    }
    Ok(emitter.known.len())
}

fn key(operation: OperationRef<'_, '_>) -> usize {
    operation.to_raw().ptr as usize
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
    /// Names of kernels by their text without the name.
    known: HashMap<String, String>,
}

/// What a kernel takes from outside: memrefs and scalars; constants it makes itself.
#[derive(Default)]
struct Operands<'c, 'a> {
    passed: Vec<Value<'c, 'a>>,
    constants: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Operands<'c, 'a> {
    fn of(group: &Group<'c, 'a>) -> Self {
        let mut operands = Operands::default();
        operands.add(group.output.0);
        for stage in stages(group) {
            for source in &stage.sources {
                if let Source::Memory(value, _) | Source::Scalar(value) = source {
                    operands.add(*value);
                }
            }
            for operation in block_operations(stage.body) {
                for operand in operation.operands() {
                    let local = match operand.defining_operation() {
                        Some(definition) => definition.block() == Some(stage.body),
                        None => skriptnd_mlir::ir::block_arguments(stage.body).any(|own| own.key() == operand.key()),
                    };
                    if !local {
                        operands.add(operand);
                    }
                }
            }
        }
        operands
    }

    fn add(&mut self, value: Value<'c, 'a>) {
        let constant = value.defining_operation().is_some_and(|definition| definition.full_name() == "arith.constant");
        let list = if constant { &mut self.constants } else { &mut self.passed };
        if !list.iter().any(|known| known.key() == value.key()) {
            list.push(value);
        }
    }
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    fn emit(&mut self, group: &Group<'c, 'a>) -> Result<(), Error> {
        let context = self.module.in_context();
        let schedule = Schedule::choose(group, self.target);
        tracing::debug!(?schedule, extents = ?group.extents, "kernel");
        let operands = Operands::of(group);
        let block = self.body(group, &schedule, &operands)?;
        let types: Vec<Type<'c>> = operands.passed.iter().map(|value| value.r#type()).collect();
        let name = self.define(context, &types, block)?;
        let Some(&last) = group.operations.last() else { return Ok(()) };
        let call = OperationBuilder::new("func.call", last.location())
            .add_operands(&operands.passed)
            .add_attributes(&[(Identifier::new(context, "callee"), attributes::symbol(context, &name))])
            .build()
            .map_err(skriptnd_mlir::Error::from)?;
        with_rewriter(last, |rewriter| {
            rewriter.insert(call);
            group.operations.iter().try_for_each(|operation| rewriter.erase(*operation))
        })?;
        Ok(())
    }

    fn body(
        &self,
        group: &Group<'c, 'a>,
        schedule: &Schedule,
        operands: &Operands<'c, 'a>,
    ) -> Result<Block<'c>, Error> {
        let context = self.module.in_context();
        let location = group.main_operation_location();
        let block = Block::new(&[]);
        let arguments: Vec<Built<'c>> =
            operands.passed.iter().map(|value| block.add_argument(value.r#type(), location)).collect();
        let mut builder = Builder::new(context, location, block);
        let mut values = HashMap::new();
        for (value, argument) in operands.passed.iter().zip(arguments) {
            let elements = group.is_accessed(*value);
            let inside = if elements { kernel::flattened(&mut builder, argument)? } else { argument };
            values.insert(value.key(), inside);
        }
        for value in &operands.constants {
            let Some(definition) = value.defining_operation() else { continue };
            let copied = builder.append((*definition).clone())?;
            values.insert(value.key(), copied.result(0).map_err(skriptnd_mlir::Error::from)?.into());
        }
        let fused = self.target.fused_multiply_add;
        kernel::Kernel { group, schedule, builder: &mut builder, values: &values, fused }.emit()?;
        builder.operation("func.return", &[], &[], &[])?;
        builder.finish()
    }

    /// Adds a private function, or finds the same one.
    fn define(&mut self, context: &'c Context, inputs: &[Type<'c>], block: Block<'c>) -> Result<String, Error> {
        let region = Region::new();
        region.append_block(block);
        let attribute = |name: &str, value| (Identifier::new(context, name), value);
        let kind = attributes::r#type(types::function(context, inputs, &[]));
        let function = OperationBuilder::new("func.func", Location::unknown(context))
            .add_attributes(&[
                attribute("sym_name", attributes::string(context, "kernel")),
                attribute("sym_visibility", attributes::string(context, "private")),
                attribute("function_type", kind),
                attribute("passthrough", attributes::array(context, &[attributes::string(context, "noinline")])),
            ])
            .add_regions([region])
            .build()
            .map_err(skriptnd_mlir::Error::from)?;
        let text = function.to_string();
        if let Some(name) = self.known.get(&text) {
            return Ok(name.clone());
        }
        let name = format!("kernel_{}", self.known.len());
        function.set("sym_name", attributes::string(context, &name));
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        body.ok_or_else(|| Error::malformed("a module without a body"))?.append_operation(function);
        self.known.insert(text, name.clone());
        Ok(name)
    }
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    fn main_operation_location(&self) -> Location<'c> {
        let context = self.output.0.in_context();
        self.operations.last().map_or_else(|| Location::unknown(context), |operation| operation.location())
    }

    /// Whether the kernel accesses the value element by element.
    fn is_accessed(&self, value: Value<'c, 'a>) -> bool {
        let read = stages(self).any(|stage| stage.memory().any(|(memory, _)| memory.key() == value.key()));
        value.r#type().is_mem_ref() && (read || self.output.0.key() == value.key())
    }
}
