//! Sharing a run by the batch: each process computes what belongs to its part of the batch, from kernel to kernel, and what belongs to others
//! is gathered before something that needs it.

use super::planner::{Planner, is_all};
use super::read::{self, Bound};
use super::sequence::Sequence;
use super::sharded::{Along, Gathered, Shared, Sharing, refuse};
use crate::Error;
use crate::fusion::memory::{is_harmless, root};
use crate::generated::operations::RequireOp;
use crate::interface::Interface;
use crate::nest::access::{Access, Step};
use crate::nest::needed::{Range, Scale};
use crate::nest::share::Share;
use crate::nest::space::{Operand, Space};
use crate::views::elements;
use crate::views::functions::{self, RUN};
use crate::views::shapes::{static_shape, volume};
use skriptnd_mlir::ir::{OperationRef, Value, block_operations, types, walk};
use skriptnd_mlir::ops::func;
use skriptnd_runtime::metadata::Extent;
use std::collections::{HashMap, HashSet};

/// A walk through a run.
struct Walk<'c, 'a> {
    batch: i64,
    /// Memory of which each process has its own part, by its key.
    parts: HashMap<usize, Value<'c, 'a>>,
    sharing: Sharing,
    gathered: Vec<Gathered<'c, 'a>>,
    /// Whether a kernel computes parts.
    is_shared: bool,
}

impl<'c: 'a, 'a> Planner<'_, '_, 'c> {
    /// Shares the kernels of a run by the batch.
    ///
    /// # Errors
    /// Where there is no batch to share, or no kernel that goes along it.
    pub fn by_batch(
        mut self,
        module: OperationRef<'c, 'a>,
        all: &[Sequence<'c, 'a>],
    ) -> Result<(Sharing, Vec<Gathered<'c, 'a>>), Error> {
        let run = functions::named(module, RUN)?;
        let batch = batch(module, run)?;
        let body = run.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a run without a body"))?;
        let by_last: HashMap<usize, &Sequence<'c, 'a>> =
            all.iter().filter_map(|sequence| Some((sequence.last()?.key(), sequence))).collect();
        let members: HashSet<usize> =
            all.iter().flat_map(Sequence::operations).map(|operation| operation.key()).collect();
        let (parts, gathered) = (HashMap::new(), Vec::new());
        let mut walk = Walk { batch, parts, sharing: Sharing::default(), gathered, is_shared: false };
        for operation in block_operations(body) {
            match by_last.get(&operation.key()) {
                Some(sequence) => self.kernel(&mut walk, operation, sequence)?,
                None if members.contains(&operation.key()) || is_harmless(operation) => {}
                None => walk.gather_for(operation)?,
            }
        }
        if !walk.is_shared {
            return Err(refused(run, "nothing in the graph goes along the first dimension of its inputs"));
        }
        Ok((walk.sharing, walk.gathered))
    }

    /// Plans a kernel: it does the part of this process, or all.
    fn kernel(
        &mut self,
        walk: &mut Walk<'c, 'a>,
        last: OperationRef<'c, 'a>,
        sequence: &Sequence<'c, 'a>,
    ) -> Result<(), Error> {
        let bound: Vec<_> = sequence
            .groups
            .iter()
            .map(|group| read::read(group, self.rounding, self.target))
            .collect::<Result<_, _>>()?;
        let Some(dim) = walk.dimension(&bound, sequence) else {
            for operation in sequence.operations() {
                walk.gather_all(last, touched(operation))?;
            }
            return Ok(());
        };
        let extent = bound[0].space.dims[dim].extent;
        let share = if bound[0].space.shared() > 0 {
            Some(Share { dim, extent, unit: 1 })
        } else {
            let (schedule, _) = self.files.schedule(&bound[0].space, self.target)?;
            Share::of(&bound[0].space, &schedule, dim, self.wanted)
        };
        if let Some(share) = share {
            let scale = Scale { factor: extent / walk.batch, shift: [0, 0], divisor: 1, unit: share.unit, extent };
            let rows = Range::Own(Share { dim: 0, extent: walk.batch, unit: 1 });
            walk.sharing.insert(last, Shared { share, range: Some(Range::Scaled(Box::new(rows), scale)) });
        }
        walk.is_shared = true;
        for bound in &bound {
            for (operand, _) in bound.space.outputs().filter(|(operand, _)| !is_private(&bound.space, *operand)) {
                let memory = root(bound.values[*operand].value);
                walk.parts.insert(memory.key(), memory);
            }
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Walk<'c, 'a> {
    /// The dimension of a kernel's loops along which each process can do its part; none where it has to do all.
    fn dimension(&self, bound: &[Bound<'c, 'a>], sequence: &Sequence<'c, 'a>) -> Option<usize> {
        let requires = |operation| walk(operation).into_iter().any(|inside| inside.full_name() == RequireOp::NAME);
        if sequence.operations().any(requires) || !sequence.has_own_rows() {
            return None;
        }
        let first = &bound.first()?.space;
        let dims = match (bound.len(), first.shared()) {
            (1, 0) => 0..first.dims.len(),
            (_, 0) => return None,
            _ => 0..1,
        };
        dims.into_iter().find(|dim| bound.iter().all(|bound| self.is_along(bound, *dim)) && reads_along(bound, *dim))
    }

    /// Whether all that a nest writes, and what it reads of memory that is there in parts, belongs to the part of the batch that an index
    /// of the dimension is in.
    fn is_along(&self, bound: &Bound<'c, 'a>, dim: usize) -> bool {
        let space = &bound.space;
        let known = space.dims[dim];
        if known.is_reduced || known.is_open || known.extent % self.batch != 0 {
            return false;
        }
        let is_row = |operand: usize, access: &Access| {
            let value = bound.values[operand].value;
            let all = static_shape(root(value).r#type()).map(|shape| volume(&shape));
            all.is_some_and(|all| is_all(value) && is_row(space, dim, access, all))
        };
        let is_part = |operand: usize| self.parts.contains_key(&root(bound.values[operand].value).key());
        // What belongs to others may be anything here, and no index.
        let fetched = space.fetches() && (0..space.operands.len()).any(is_part);
        let mut written = space.outputs().filter(|(operand, _)| !is_private(space, *operand));
        let mut read = space.reads().filter(|(operand, _)| !is_private(space, *operand) && is_part(*operand));
        !fetched
            && written.all(|(operand, access)| is_row(*operand, access))
            && read.all(|(operand, access)| is_row(operand, access))
    }

    /// Has all memory that an operation touches gathered before it.
    fn gather_for(&mut self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        if operation.full_name() != func::RETURN {
            return self.gather_all(operation, touched(operation));
        }
        // What is returned is memory that the caller gave.
        let mut given: Vec<_> = self.parts.values().filter(|memory| memory.is_block_argument()).copied().collect();
        given.sort_by_key(|memory| memory.as_argument().map(|(_, number)| number));
        self.gather_all(operation, given)
    }

    fn gather_all(&mut self, before: OperationRef<'c, 'a>, all: Vec<Value<'c, 'a>>) -> Result<(), Error> {
        for memory in all {
            let Some(memory) = self.parts.remove(&root(memory).key()) else { continue };
            let shape = static_shape(memory.r#type()).ok_or_else(|| Error::malformed("a part of open memory"))?;
            let element = elements::of(types::element(memory.r#type()));
            let bytes = element.ok_or_else(|| Error::malformed("a part of unknown elements"))?.bytes();
            let row = volume(&shape) / self.batch;
            self.gathered.push((before, memory, vec![bytes, 1, self.batch, row, row, 1]));
        }
        Ok(())
    }
}

/// Whether an index of a dimension tells in which of as many equal rows of a memory an access is.
fn is_row(space: &Space, dim: usize, access: &Access, all: i64) -> bool {
    let extent = space.dims[dim].extent;
    let Step::Linear(step) = access.steps[dim] else { return false };
    let last = |other: usize| match access.steps[other] {
        Step::Linear(step) if step >= 0 && !space.dims[other].is_open => Some(step * space.last_begin(other)),
        _ => None,
    };
    let others = (0..space.dims.len()).filter(|other| *other != dim).map(last).sum::<Option<i64>>();
    step * extent == all && access.offset >= 0 && others.is_some_and(|others| access.offset + others.max(0) < step)
}

/// Whether something that is no weight is read along a dimension.
fn reads_along(bound: &[Bound<'_, '_>], dim: usize) -> bool {
    bound.iter().any(|bound| bound.space.reads().any(|(_, access)| access.steps[dim].moves()))
}

/// Whether an operand is memory of each thread's or range's own.
fn is_private(space: &Space, operand: usize) -> bool {
    space.operands.get(operand).is_some_and(Operand::is_own)
}

/// All memory that an operation and those in it name.
fn touched<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let operands = walk(operation).into_iter().flat_map(|inside| inside.operands().collect::<Vec<_>>());
    operands.filter(|operand| operand.r#type().is_mem_ref()).collect()
}

/// The extent of the batch.
fn batch<'c: 'a, 'a>(module: OperationRef<'c, 'a>, run: OperationRef<'c, 'a>) -> Result<i64, Error> {
    let interface = Interface::noted(module)?;
    let first = interface.inputs.first().and_then(|input| Some((&input.name, input.extents.first()?)));
    match first {
        Some((_, Extent::Known(batch))) if *batch > 1 => Ok(i64::try_from(*batch).unwrap_or(i64::MAX)),
        Some((name, Extent::Known(batch))) => {
            Err(refused(run, &format!("the batch, the first dimension of input `{name}`, is {batch}")))
        }
        Some((name, Extent::Open { .. })) => {
            let text =
                format!("only a run knows the batch, the first dimension of input `{name}`; give it with --bind");
            Err(refused(run, &text))
        }
        None => Err(refused(run, "the graph has no input with a first dimension, which would be the batch")),
    }
}

fn refused(run: OperationRef<'_, '_>, reason: &str) -> Error {
    refuse(run.location(), Along::Batch, reason);
    Error::Reported
}
