//! Sharing products by output channels: which kernels, along which loop, and what of the weights each process prepares.

use super::planner::Planner;
use super::read::{self, Bound};
use super::sequence::Sequence;
use super::sharded::{Along, Shared, Sharing, refuse};
use crate::fusion::memory::{is_view, root};
use crate::interface::Interface;
use crate::nest::needed::{Needed, Part, Place, Range, Writing};
use crate::nest::share::{self, Share, Whole};
use crate::views::functions::{self, PREPARE, RUN};
use crate::{Error, notes};
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{Location, OperationRef, Value, attributes, block_arguments, emit, types, walk};
use skriptnd_mlir::ops::{func, memref};
use std::collections::{HashMap, HashSet};

/// Where products stand whose weights each process needs as a whole.
type Left<'c> = Vec<(Location<'c>, Whole)>;

/// What kernels do, from the last one to the first.
#[derive(Default)]
struct Backwards<'c> {
    sharing: Sharing,
    needed: Needed,
    left: Left<'c>,
    /// Operations of kernels.
    own: HashSet<usize>,
    /// Memory that holds nothing but weights, or what follows from them, by its key.
    weights: HashSet<usize>,
}

impl<'c: 'a, 'a> Planner<'_, '_, 'c> {
    /// Shares products with weights by the channels of what they give, and what is prepared of the weights for them.
    ///
    /// # Errors
    /// Where there is none that can be shared.
    pub fn by_channels(mut self, module: OperationRef<'c, 'a>, all: &mut [Sequence<'c, 'a>]) -> Result<Sharing, Error> {
        let arguments = Arguments::of(module)?;
        let own = all.iter().flat_map(Sequence::operations).map(|operation| operation.key()).collect();
        let weights = follows(&arguments.weights, all);
        let mut back = Backwards { own, weights, ..Backwards::default() };
        let (run, prepare) = in_order(module, all);
        for number in run.into_iter().rev() {
            self.share_in_run(&mut all[number], &mut back)?;
        }
        back.left.reverse();
        if back.sharing.is_empty() {
            return Err(nothing_to_share(module, &back.left));
        }
        for (given, taken) in &arguments.prepared {
            let part = back.needed.part(given.key()).filter(|_| !has_other_uses(*given, &back.own)).cloned();
            back.needed.read(taken.key(), part);
        }
        for number in prepare.into_iter().rev() {
            self.share_writing(&mut all[number], &mut back)?;
        }
        for (location, reason) in &back.left {
            let text = format!("each process keeps all weights of this product: {reason}");
            emit(*location, Severity::Warning, &text);
        }
        Ok(back.sharing)
    }

    /// Shares a kernel of the function `run`, if it is a product with weights or writes what such a product reads.
    fn share_in_run(&mut self, sequence: &mut Sequence<'c, 'a>, back: &mut Backwards<'c>) -> Result<(), Error> {
        let Some(last) = sequence.last() else { return Ok(()) };
        let mut is_product = false;
        for bound in self.bound(sequence)? {
            let is_weight = |operand: usize| back.weights.contains(&root(bound.values[operand].value).key());
            match self.product(sequence, &bound, &is_weight)? {
                Ok(None) => continue,
                Ok(Some(share)) => {
                    back.read(&bound, Some((share.dim, &Range::Own(share))));
                    back.sharing.insert(last, Shared { share, range: None });
                }
                Err(reason) => {
                    // What is no product reads few.
                    if bound.space.is_contraction() {
                        back.left.push((last.location(), reason));
                    }
                    back.read(&bound, None);
                }
            }
            is_product = true;
        }
        if is_product {
            // Other nests around the same rows are whole, as their product is.
            if sequence.groups.len() > 1 {
                self.bound(sequence)?.iter().for_each(|bound| back.read(bound, None));
            }
            return Ok(());
        }
        self.share_writing(sequence, back)
    }

    /// The loop of a product that is shared.
    fn product(
        &mut self,
        sequence: &Sequence<'c, 'a>,
        bound: &Bound<'c, 'a>,
        is_weight: &dyn Fn(usize) -> bool,
    ) -> Result<Result<Option<Share>, Whole>, Error> {
        let dim = match share::channels(&bound.space, is_weight) {
            Ok(Some(dim)) if is_single(sequence) => dim,
            Ok(Some(_)) => return Ok(Err(Whole::NoLoop)),
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(reason)),
        };
        let (schedule, _) = self.files.schedule(&bound.space, self.target)?;
        Ok(Share::of(&bound.space, &schedule, dim, self.wanted).map(Some).ok_or(Whole::OneTile))
    }

    /// Shares a kernel that is no product, if only a part of what it writes is needed.
    fn share_writing(&mut self, sequence: &mut Sequence<'c, 'a>, back: &mut Backwards<'c>) -> Result<(), Error> {
        let Some(last) = sequence.last() else { return Ok(()) };
        let part = back.needed_of(sequence);
        let found = part.as_ref().map(|part| self.writing(sequence, part)).transpose()?.flatten();
        if part.is_some() && found.is_none() {
            back.left.push((last.location(), Whole::Prepared));
        }
        for bound in self.bound(sequence)? {
            back.read(&bound, found.as_ref().map(|(share, range)| (share.dim, range)));
        }
        if let Some((share, range)) = found {
            back.sharing.insert(last, Shared { share, range: Some(range) });
        }
        Ok(())
    }

    /// What a kernel does that writes a part of its memory; a dimension that goes through several periods is cut for it.
    fn writing(&mut self, sequence: &mut Sequence<'c, 'a>, part: &Part) -> Result<Option<(Share, Range)>, Error> {
        loop {
            let bounds = self.bound(sequence)?;
            let [bound] = bounds.as_slice() else { return Ok(None) };
            let (schedule, _) = self.files.schedule(&bound.space, self.target)?;
            let (operand, access) = &bound.space.output;
            let Some(begin) = begin(bound.values[*operand].value) else { return Ok(None) };
            let share = |dim| Share::of(&bound.space, &schedule, dim, self.wanted);
            match part.written(&bound.space, Place { begin: begin + access.offset, access }, share) {
                Some(Writing::Loop(share, range)) => return Ok(Some((share, range))),
                Some(Writing::Cut(dim, size)) if sequence.groups[0].block(dim, size).is_some() => {}
                Some(Writing::Cut(..)) | None => return Ok(None),
            }
        }
    }

    fn bound(&self, sequence: &Sequence<'c, 'a>) -> Result<Vec<Bound<'c, 'a>>, Error> {
        sequence.groups.iter().map(|group| read::read(group, self.rounding, self.target)).collect()
    }
}

impl<'c: 'a, 'a> Backwards<'c> {
    /// What of its memory a kernel has to write: no part where others than kernels see the memory, as who calls a run sees what this is
    /// given, or it is written again and again.
    fn needed_of(&self, sequence: &Sequence<'c, 'a>) -> Option<Part> {
        let group = sequence.groups.first().filter(|_| is_single(sequence))?;
        let output = root(group.output());
        let is_once = sequence.last()?.parent_operation().is_some_and(|around| around.full_name() == func::FUNC);
        let is_seen = output.is_block_argument() && sequence.last().is_some_and(functions::is_in_run);
        let is_free = is_once && !is_seen && group.space.further.is_empty() && !has_other_uses(output, &self.own);
        self.needed.part(output.key()).filter(|_| is_free).cloned()
    }

    /// Notes what a kernel reads that does a range along a dimension, or all.
    fn read(&mut self, bound: &Bound<'c, 'a>, done: Option<(usize, &Range)>) {
        for (operand, access) in bound.space.reads() {
            let value = bound.values[operand].value;
            let part = done.and_then(|(dim, range)| {
                let begin = begin(value)? + access.offset;
                range.reads(&bound.space, dim, Place { begin, access })
            });
            self.needed.read(root(value).key(), part);
        }
        for operand in bound.space.stages().flat_map(|stage| stage.computation.operands()) {
            self.needed.read(root(bound.values[operand].value).key(), None);
        }
    }
}

/// Where memory begins in what it is a view of; none where only a run knows it.
fn begin(memory: Value<'_, '_>) -> Option<i64> {
    let (_, offset) = types::open_strides(memory.r#type())?;
    (offset != types::OPEN).then_some(offset)
}

/// The kernels of `run` and those of `prepare`, each in the order in which they run.
fn in_order<'c: 'a, 'a>(module: OperationRef<'c, 'a>, all: &[Sequence<'c, 'a>]) -> (Vec<usize>, Vec<usize>) {
    let places: HashMap<usize, usize> =
        walk(module).into_iter().enumerate().map(|(at, operation)| (operation.key(), at)).collect();
    let mut numbers: Vec<usize> = (0..all.len()).collect();
    numbers.sort_by_key(|number| all[*number].last().and_then(|last| places.get(&last.key())));
    numbers.into_iter().partition(|number| all[*number].last().is_some_and(functions::is_in_run))
}

/// Weights, and memory into which kernels write nothing but what they read of weights: in what layout a product wants them.
fn follows(weights: &HashSet<usize>, all: &[Sequence<'_, '_>]) -> HashSet<usize> {
    let mut follows = weights.clone();
    let mut others = HashSet::new();
    for group in all.iter().flat_map(|sequence| &sequence.groups) {
        let read = group.roots_read();
        let is_of_weights = read.iter().all(|memory| follows.contains(memory));
        for written in group.roots_written() {
            match (is_of_weights, read.is_empty()) {
                (true, false) if !others.contains(&written) => _ = follows.insert(written),
                (true, true) => {}
                _ => {
                    others.insert(written);
                    if !weights.contains(&written) {
                        follows.remove(&written);
                    }
                }
            }
        }
    }
    follows
}

/// Whether a kernel has one nest of loops.
fn is_single(sequence: &Sequence<'_, '_>) -> bool {
    matches!(sequence.groups.as_slice(), [only] if only.space.shared() == 0)
}

/// Whether other operations than these use a memory.
fn has_other_uses<'c: 'a, 'a>(memory: Value<'c, 'a>, own: &HashSet<usize>) -> bool {
    memory.uses().into_iter().any(|(user, _)| match user.full_name() {
        memref::DIM => false,
        _ if is_view(user) => user.results().any(|view| has_other_uses(view, own)),
        _ => !own.contains(&user.key()),
    })
}

/// Arguments of the functions that are weights.
struct Arguments<'c, 'a> {
    /// Keys of the variables of `run`, and of what is prepared for it.
    weights: HashSet<usize>,
    /// What is prepared: as `run` takes it, and as `prepare` writes it.
    prepared: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c: 'a, 'a> Arguments<'c, 'a> {
    fn of(module: OperationRef<'c, 'a>) -> Result<Self, Error> {
        let interface = Interface::noted(module)?;
        let prepared = notes::read(module, notes::PREPARED, "codegen-split-preparation")?;
        let count = attributes::as_array(prepared).map_or(0, |types| types.len());
        let values = |name: &str| -> Result<Vec<Value<'c, 'a>>, Error> {
            let body = functions::named(module, name)?.region(0).ok().and_then(|region| region.first_block());
            Ok(body.map(|body| block_arguments(body).collect()).unwrap_or_default())
        };
        let run = values(RUN)?;
        let given = run.iter().copied().skip(interface.arguments.len()).take(count).collect::<Vec<_>>();
        let written = if count > 0 { values(PREPARE)? } else { Vec::new() };
        let written = written.into_iter().skip(interface.variables.len());
        let variables = interface.variable_arguments().into_iter().filter_map(|number| run.get(number));
        let weights = variables.chain(&given).map(Value::key).collect();
        Ok(Arguments { weights, prepared: given.into_iter().zip(written).collect() })
    }
}

/// Reports why nothing is shared, at the places of products with weights if there are such.
fn nothing_to_share(module: OperationRef<'_, '_>, left: &Left<'_>) -> Error {
    for (location, reason) in left {
        refuse(*location, Along::Channel, &reason.to_string());
    }
    if left.is_empty() {
        let place = functions::named(module, RUN).map_or(module.location(), |run| run.location());
        refuse(place, Along::Channel, "the graph has no product with weights");
    }
    Error::Reported
}
