//! Structured operations on memrefs to functions of loops over vectors.
//!
//! One emitter serves all of them: a tile of the parallel dimensions is held in registers (rows times vectors of
//! accumulators), reductions run inside, and what follows elementwise is computed before the tile is stored. Extents that
//! are no multiples of the tile get code of their own, with shorter vectors or masked ones.

mod across;
mod ahead;
mod apart;
mod around;
mod batches;
mod bind;
mod blocked;
mod body;
mod branch;
mod byte_sums;
mod chains;
mod channels;
mod dot;
mod dots;
mod fetch;
mod fold;
mod gather;
mod given;
mod groups;
mod joined;
mod kernel;
mod lanes;
mod lookup;
mod marks;
mod matrices;
mod matrix_memory;
mod memory;
mod moved;
mod one_by_one;
mod open;
mod overlap;
mod own_groups;
mod packed;
mod pairs;
pub mod pipelined;
mod planner;
mod quotient;
mod read;
mod report;
mod row_pairs;
mod rows;
mod rows_of_bytes;
mod scalable;
mod scaled;
mod search;
mod sequence;
mod settled;
mod sharded;
mod shared;
mod sliding;
mod sliding_rows;
mod source;
mod span;
mod spread;
mod staged;
mod tiles;
mod transposed;
mod unpacked;
mod values;
mod vtcm;
mod woven;

pub use given::{Folders, Scheduled, Source};
pub use sharded::{Along, Sharded};

use crate::generated::discardable::ExactAttribute;
use crate::nest::matrices::Matrices;
use crate::nest::merged::{Join, merged};
use crate::nest::parallel::Parallel;
use crate::nest::share::Share;
use crate::nest::space::{Operand, Rounding};
use crate::nest::staged::Staging;
use crate::nest::unpacked::Unpacked;
use crate::nest::{Nest, Space};
use crate::target::Target;
use crate::views::extents::{self, Product};
use crate::views::functions;
use crate::views::structured::OpenExtent;
use crate::{Error, notes};
use around::Around;
use bind::Binding;
use body::any_zero;
use given::Files;
use kernel::Kernel;
use marks::{Called, Marks};
use packed::Copies;
use planner::Planner;
use read::{Bound, Passed};
use sequence::Sequence;
use sharded::Sharing;
use skriptnd_mlir::ir::{Attribute, Builder, Location, OperationRef, Type, Value, attributes, types};
use skriptnd_mlir::ops::{func, memref, vector};
use skriptnd_mlir::rewrite::with_rewriter;
use span::Spans;
use std::collections::HashMap;
use tiles::Staged;
use values::Values;
use vtcm::Taken;

/// Turns the structured operations of a module into calls of kernels, whose number is noted. What has no kernel stays for
/// loops. Schedules may be given in files, and those that are taken written to files.
pub fn emit_kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target, folders: &Folders) -> Result<(), Error> {
    let files = Files::open(module.context(), folders, target)?;
    let mut emitter = Emitter {
        module,
        target,
        files,
        rounding: if ExactAttribute::is_present(module) { Rounding::Formula } else { Rounding::Bounded },
        any_zero: any_zero(module.context())?,
        known: HashMap::new(),
        parallel_calls: 0,
        threads: None,
        marks: folders.profile.then(Marks::default),
        sharing: None,
        vtcm: folders.vtcm.map(Taken::of),
    };
    // All are found before the first is replaced: nothing can be moved across the call of a kernel.
    let mut sequences = sequence::sequences(module, target)?;
    if let Some(sharded) = folders.sharded {
        let (rounding, wanted) = (emitter.rounding, sharded.units());
        let planner = Planner { files: &mut emitter.files, target, rounding, wanted };
        let (sharing, gathered) = match sharded.along {
            Along::Channel => (planner.by_channels(module, &mut sequences)?, Vec::new()),
            Along::Batch => planner.by_batch(module, &sequences)?,
        };
        emitter.sharing = Some(sharing);
        for (before, memory, words) in gathered {
            emitter.gather(Builder::before(before)?, memory, (0, &words))?;
        }
    }
    for sequence in &sequences {
        emitter.emit(sequence)?;
    }
    if folders.report {
        report::loops(module, &emitter.known.values().map(|known| known.name.as_str()).collect());
    }
    let count = i64::try_from(emitter.known.len()).unwrap_or(i64::MAX);
    module.set(notes::KERNELS, attributes::integer(module.context(), count));
    emitter.note_sharing();
    folders.sharded.inspect(|sharded| sharded.note(module));
    emitter.finish_marks()?;
    emitter.vtcm.map_or(Ok(()), |taken| taken.check(module))?;
    emitter.files.close(module)
}

struct Emitter<'t, 'c, 'a> {
    module: OperationRef<'c, 'a>,
    target: &'t Target,
    files: Files<'t, 'c>,
    /// How kernels combine real numbers.
    rounding: Rounding,
    /// The attribute by which zeros of both signs are the same.
    any_zero: Attribute<'c>,
    /// Kernels by what they compute, and whether that is for a run.
    known: HashMap<Key, Defined>,
    /// How many calls let threads share the work.
    parallel_calls: usize,
    /// The threads that a run is given, where a kernel lets them share its work.
    threads: Option<Value<'c, 'a>>,
    /// The operations that are marked for a profile, if they are.
    marks: Option<Marks>,
    /// What processes share, if they do.
    sharing: Option<Sharing>,
    /// VTCM that kernels may take, if they may, and what they do take.
    vtcm: Option<Taken<'c>>,
}

/// What kernels are told apart by: what they compute, whether for a run, the loop that processes share, and whether what they read is in VTCM as a whole.
type Key = (Vec<Space>, bool, Option<Share>, bool);

/// How memory of a kernel's own is aligned with HVX, for the reason at `Emitter::memory`.
const WORDS: i64 = 8;

/// A kernel of the module.
#[derive(Clone)]
struct Defined {
    /// The name of its function.
    name: String,
    /// Its parallel loops, if its work is worth sharing.
    parallel: Option<Parallel>,
    /// Whether threads share it, and if so whether processes do before.
    threads: Option<bool>,
    /// Whether it takes the number of the range that a call does.
    is_ranged: bool,
    /// Memory for copies of operands that it is given.
    copies: Vec<Copies>,
    /// Why elements are computed one after the other, as far as they are.
    unvectorized: Option<String>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Puts the call of a kernel in the place of a sequence.
    fn emit(&mut self, sequence: &Sequence<'c, 'a>) -> Result<(), Error> {
        let Some(last) = sequence.operations().last() else { return Ok(()) };
        let place = Builder::before(last)?;
        let (mut bound, mut arguments, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for group in &sequence.groups {
            let read = read::read(group, self.rounding, self.target)?;
            let (space, joins) = merged(read.space, self.target);
            let own = Bound { space, ..read };
            let ends = ends(&place, joined(group.open.clone(), &joins))?;
            arguments.extend(self::arguments(&place, &ends, &own)?);
            bound.push(own);
            open.push(ends);
        }
        let spaces: Vec<Space> = bound.iter().map(|bound| bound.space.clone()).collect();
        // What is prepared is prepared by one thread.
        let shared = self.sharing.as_ref().and_then(|sharing| sharing.of(last)).cloned();
        let is_whole = self.vtcm.is_some() && vtcm::is_whole(sequence.operations());
        let key = (spaces, functions::is_in_run(last), shared.as_ref().map(|shared| shared.share), is_whole);
        let defined = match self.known.get(&key) {
            Some(defined) => defined.clone(),
            None => self.define(sequence, &key, &bound)?,
        };
        for copies in &defined.copies {
            arguments.push(memref::alloc(&place, copies.kind(self.module.context())?)?);
        }
        let unvectorized = defined.unvectorized.as_deref();
        let is_marked = self.begin(&place, &Called { sequence, bound: &bound, ends: &open, unvectorized })?;
        match (shared, bound.first()) {
            (Some(shared), Some(bound)) => self.call_share(place, (&defined, &shared), arguments, bound, key.1)?,
            _ => self.call(place, &defined, arguments, (&key.0, &open))?,
        }
        if is_marked {
            marks::finish(&place)?;
        }
        with_rewriter(last, |rewriter| sequence.operations().try_for_each(|operation| rewriter.erase(operation)))?;
        Ok(())
    }

    /// Adds the kernel of some spaces, a private function, to the module; its name.
    fn define(&mut self, sequence: &Sequence<'c, 'a>, key: &Key, bound: &[Bound<'c, 'a>]) -> Result<Defined, Error> {
        let lines = source::lines(sequence.operations());
        let mut nests = Vec::new();
        for space in key.0.iter().cloned() {
            let (schedule, from) = self.files.schedule(&space, self.target)?;
            let schedule = if let Some(share) = key.2 { share.narrowed(schedule) } else { schedule };
            let schedule = match (&mut self.vtcm, from, key) {
                (Some(taken), Source::Chosen, (spaces, true, None, is_whole)) if spaces.len() == 1 => {
                    taken.arranged(&space, schedule, (*is_whole, self.target))
                }
                _ => schedule,
            };
            tracing::debug!(?schedule, dims = ?space.dims, "kernel");
            let nest = Nest { space, schedule };
            self.files.write(&nest, self.target, &lines)?;
            self.files.note(&nest, from, self.target, &lines);
            nests.push(nest);
        }
        if self.files.reports() {
            report::kernels(&nests, self.target, sequence, sequence.location(self.module.context()));
        }
        let name = format!("kernel_{}", self.known.len());
        let is_shared = key.1 && sequence.has_own_rows();
        let parallel = match key.2 {
            Some(share) => Some(share.parallel(&nests[0], self.target)),
            None if is_shared => Parallel::of(&nests, self.target, self.files.least_cycles()),
            None => None,
        };
        let threads = parallel.as_ref().filter(|_| key.1).map(|_| key.2.is_some());
        let is_ranged = threads.is_some() && nests.iter().any(Nest::has_parts);
        let unvectorized = report::unvectorized(&nests, self.target);
        let ranges = parallel.as_ref().filter(|_| is_ranged).map_or(1, |own| own.most_ranges(&nests[0].space));
        let copies = Copies::of(&nests, ranges)?;
        let defined = Defined { name, parallel, threads, is_ranged, copies, unvectorized };
        let is_word = |nest: &Nest| nest.space.grouping().is_some_and(|grouping| !grouping.is_apart);
        let has_groups = nests.iter().any(|nest| nest.schedule.grouped().is_some() && is_word(nest));
        let unpacks = nests.iter().any(|nest| Unpacked::of(&nest.space, &nest.schedule, self.target).is_some());
        let function =
            self.declare(&defined, sequence.location(self.module.context()), (bound, has_groups, unpacks))?;
        let whole = key.3.then(|| sequence.location(self.module.context()));
        let staging = self.staging(&nests, key.1 && defined.parallel.is_none(), whole);
        self.fill(function, &nests, (bound, &defined), &staging)?;
        self.known.insert(key.clone(), defined.clone());
        Ok(defined)
    }

    fn declare(
        &self,
        defined: &Defined,
        location: Location<'c>,
        (bound, has_groups, unpacks): (&[Bound<'c, 'a>], bool, bool),
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let context = self.module.context();
        // Loops of atoms store behind all that they load: their packets are full as they are. Of several nests, one may write what
        // another only reads.
        let (mut inputs, mut only_read) = self.passed(bound, bound.len() == 1 && !has_groups);
        for copies in &defined.copies {
            inputs.push(copies.kind(context)?);
        }
        // The span of the parallel loops that a call does, and the number of the range that it is where that has memory.
        let common = inputs.len();
        let numbers = usize::from(defined.is_ranged) + if defined.parallel.is_some() { 2 } else { 0 };
        inputs.extend(std::iter::repeat_n(types::index(context), numbers));
        only_read.resize(inputs.len(), false);
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
        let mut attributes = vec![
            ("sym_visibility", attributes::string(context, "private")),
            ("passthrough", attributes::array(context, &self.told_llvm(bound, unpacks))),
        ];
        if self.target.aligns_tensors() {
            attributes.push(("arg_attrs", self.memory(&inputs, &only_read)));
        }
        let end = Builder::at_end(body, location);
        if let Some(is_part) = defined.threads {
            shared::declare(&end, &defined.name, &inputs[..common], (is_part, defined.is_ranged))?;
        }
        Ok(func::func(&end, &defined.name, &inputs, &[], &attributes)?.operation)
    }

    /// The types of what the nests of a kernel are given, and which of these a kernel that stands `apart` only reads.
    fn passed(&self, bound: &[Bound<'c, 'a>], apart: bool) -> (Vec<Type<'c>>, Vec<bool>) {
        let (mut inputs, mut only_read): (Vec<Type<'c>>, Vec<bool>) = Default::default();
        for bound in bound {
            let passed: Vec<Passed<'c>> = bound.values.iter().filter_map(|operand| operand.passed).collect();
            let moved = passed.iter().filter(|passed| passed.is_moved).count();
            let strides: usize = bound.space.operands.iter().map(Operand::open_strides).sum();
            let open = bound.space.dims.iter().filter(|dim| dim.is_open).count();
            let described = bound.values.iter().zip(&bound.space.operands).filter(|(value, _)| value.passed.is_some());
            let is_only_read =
                |operand: &Operand| apart && matches!(operand, Operand::Passed { is_only_read: true, .. });
            only_read.extend(described.map(|(_, operand)| is_only_read(operand)));
            only_read.resize(inputs.len() + passed.len() + moved + strides + open, false);
            inputs.extend(passed.iter().map(|passed| passed.r#type));
            inputs.extend(std::iter::repeat_n(types::index(self.module.context()), moved + strides + open));
        }
        (inputs, only_read)
    }

    /// What LLVM is told of a kernel's function.
    fn told_llvm(&self, bound: &[Bound<'c, 'a>], unpacks: bool) -> Vec<Attribute<'c>> {
        let context = self.module.context();
        let mut passed = vec![attributes::string(context, "noinline")];
        if self.target.isa.only_whole {
            // Loops over whole vectors are faster than functions that know of none.
            let own = ["no-builtin-memset", "no-builtin-memcpy", "no-builtin-memmove"];
            passed.extend(own.map(|text| attributes::string(context, text)));
        }
        let is_private = |operand: &Operand| matches!(operand, Operand::Private { .. });
        if unpacks || bound.iter().any(|bound| bound.space.operands.iter().any(is_private)) {
            // So that a stack that is too small ends the program, rather than that the memory behind it is written.
            let probes = ["probe-stack", "inline-asm"].map(|text| attributes::string(context, text));
            passed.push(attributes::array(context, &probes));
        }
        passed
    }

    /// Says of memory among arguments that a kernel writes nothing of what it only reads: so loads stand with stores in packets. Where
    /// memory begins is not said: from that LLVM 22 takes what a loop stores with a mask for aligned, whatever its step is.
    fn memory(&self, arguments: &[Type<'c>], only_read: &[bool]) -> Attribute<'c> {
        let context = self.module.context();
        let apart = ("llvm.noalias", attributes::unit(context));
        let of = |(kind, only_read): (&Type<'c>, &bool)| match (kind.is_mem_ref(), only_read) {
            (true, true) => attributes::dictionary(context, &[apart]),
            _ => attributes::dictionary(context, &[]),
        };
        attributes::array(context, &arguments.iter().zip(only_read).map(of).collect::<Vec<_>>())
    }

    /// Adds to the values of nests what is made once for each call of a kernel: room for what is unpacked, tiles in VTCM, the lanes of
    /// scalable vectors.
    fn complete(
        &self,
        builder: Builder<'c, 'a>,
        nests: &[Nest],
        values: &mut [Values<'c, 'a>],
        staging: &Staging,
    ) -> Result<(), Error> {
        let alignment = self.target.alignment();
        for (nest, values) in nests.iter().zip(&mut *values) {
            let unpacked = Unpacked::of(&nest.space, &nest.schedule, self.target);
            values.unpacked = unpacked.map(|unpacked| unpacked::memory(builder, &unpacked, alignment)).transpose()?;
            let matrices = Matrices::of(&nest.space, &nest.schedule);
            values.matrices =
                matrices.map(|own| matrix_memory::MatrixMemory::new(builder, &own, alignment)).transpose()?;
        }
        if let (Some(vtcm), [nest], [values], false) = (&self.vtcm, nests, &mut *values, staging.is_empty()) {
            values.staged = Some(Staged::new(builder, &nest.space, &values.flat, (staging, vtcm.by_dma()))?);
        }
        let is_scalable = |nest: &Nest| nest.schedule.vectors().is_some_and(|vectors| vectors.is_scalable);
        if nests.iter().any(is_scalable) {
            let scale = vector::vscale(&builder)?;
            values.iter_mut().for_each(|values| values.scale = Some(scale));
        }
        Ok(())
    }

    /// Emits the body of a kernel.
    fn fill(
        &self,
        function: OperationRef<'c, 'a>,
        nests: &[Nest],
        (bound, defined): (&[Bound<'c, 'a>], &Defined),
        staging: &Staging,
    ) -> Result<(), Error> {
        let (builder, mut arguments) = Builder::before(function)?.inside(function, 0)?;
        let range = match defined.is_ranged.then(|| arguments.len().checked_sub(3)).flatten() {
            Some(place) => arguments.remove(place),
            None => builder.index(0)?,
        };
        let alignment = if self.target.aligns_tensors() { WORDS } else { self.target.alignment() };
        let mut binding = Binding::new(builder, (&arguments, range), alignment);
        let values = nests.iter().zip(bound).map(|(nest, bound)| binding.values(nest, bound));
        let mut values = values.collect::<Result<Vec<_>, Error>>()?;
        self.complete(builder, nests, &mut values, staging)?;
        let (copies, left) = binding.left().split_at_checked(defined.copies.len()).unwrap_or_default();
        for (own, memory) in defined.copies.iter().zip(copies) {
            let memory = own.part(builder, *memory, range)?;
            values[own.nest].packs.insert(own.operand, memory);
        }
        let span = span(builder, defined, left, (&nests[0].space, values.first_mut()))?;
        let (target, any_zero) = (self.target, self.any_zero);
        let kernels = nests.iter().zip(&values).map(|(nest, values)| Kernel {
            nest,
            builder,
            values,
            any_zero,
            fused: nest.space.fused(target),
            target,
        });
        Around { kernels: &kernels.collect::<Vec<_>>(), builder, span }.emit(&[])?;
        if values.iter().any(|values| values.matrices.is_some()) {
            self.module.set(notes::MATRICES, attributes::unit(self.module.context()));
            matrices::release(builder)?;
        }
        Ok(func::r#return(&builder, &[])?)
    }
}

/// The first and the last of the units of parallel loops that a call does, which the first nest is told.
fn span<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    defined: &Defined,
    left: &[Value<'c, 'a>],
    (space, values): (&Space, Option<&mut Values<'c, 'a>>),
) -> Result<Option<[Value<'c, 'a>; 2]>, Error> {
    match (defined.parallel.as_ref(), left, values) {
        (Some(parallel), &[first, last], Some(values)) => {
            let extent = |dim| values.end(builder, space, dim);
            values.spans = Some(Spans::new(builder, parallel, &extent)?);
            Ok(Some([first, last]))
        }
        (None, [], _) => Ok(None),
        _ => Err(Error::malformed("a kernel with other arguments than its function")),
    }
}

/// What the kernel of a group is given: memory, where it begins in other memory, the strides of what is fetched from as far as
/// only a run knows them, and where open dimensions end.
fn arguments<'c: 'a, 'a>(
    place: &Builder<'c, 'a>,
    ends: &[Option<Value<'c, 'a>>],
    bound: &Bound<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let (mut arguments, mut numbers) = (Vec::new(), Vec::new());
    for (operand, described) in bound.values.iter().zip(&bound.space.operands) {
        let Some(Passed { r#type: flat, is_moved, is_part }) = operand.passed else { continue };
        let mut memory = operand.value;
        if is_moved || is_part {
            let (base, offset) = memref::base(place, memory)?;
            memory = base;
            numbers.extend(is_moved.then_some(offset));
        }
        if described.open_strides() > 0 {
            let strides = described.strides().zip(memref::strides(place, operand.value)?);
            numbers.extend(strides.filter_map(|(known, stride)| known.is_none().then_some(stride)));
        }
        let is_flat = flat == memory.r#type();
        arguments.push(if is_flat { memory } else { memref::reinterpret_cast(place, memory, flat)? });
    }
    arguments.extend(numbers);
    arguments.extend(ends.iter().flatten());
    Ok(arguments)
}

/// The extents of dimensions that only a run knows, where some of these have become one.
fn joined<'c: 'a, 'a>(mut open: Vec<Option<OpenExtent<'c, 'a>>>, joins: &[Join]) -> Vec<Option<OpenExtent<'c, 'a>>> {
    for Join { outer, inner, extent } in joins {
        open[*inner] = open[*outer].take().map(|own| own.times(*extent));
        open.remove(*outer);
    }
    open
}

/// Where dimensions end of which only a run knows that.
fn ends<'c: 'a, 'a>(
    place: &Builder<'c, 'a>,
    open: Vec<Option<OpenExtent<'c, 'a>>>,
) -> Result<Vec<Option<Value<'c, 'a>>>, Error> {
    let end = |open: OpenExtent<'c, 'a>| {
        let values = open.of.into_iter().map(|(operand, dimension)| extents::at(place, operand, dimension));
        Product { factor: open.factor, values: values.collect::<Result<_, _>>()? }.at(place)
    };
    open.into_iter().map(|open| open.map(end).transpose()).collect()
}
