//! What parts of a tensor begin with, where it is put together of them one after the other, as the phases of a deconvolution: each
//! begins with the elements that are there already. If these are the same along the tensor, as a bias is, a part begins with
//! as many of its own, and nothing of the tensor is written before its parts.

use super::operations;
use crate::Error;
use crate::values::encoding;
use crate::views::shapes::{static_shape, volume};
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations, operations_named, types};
use skriptnd_mlir::ops::{linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Parts of one tensor that are compared with each other.
const MOST_PARTS: usize = 1024;

/// Lets parts begin with what their tensors began with. Returns the number of such parts.
pub fn separate<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut separated = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(start) = Structured::read(operation).filter(is_uniform) else { continue };
        if let Some(parts) = Parts::of(&start) {
            separated += parts.reads.len();
            parts.restate(&start)?;
        }
    }
    Ok(separated)
}

/// Whether an operation computes elements of one tensor, each by itself.
fn is_uniform(start: &Structured<'_, '_>) -> bool {
    let plain =
        block_operations(start.body).all(|inside| inside.region_count() == 0 && inside.full_name() != linalg::INDEX);
    let single = start.outputs.len() == 1 && start.operation.result_count() == 1;
    let written = || start.output_map().is_some_and(Map::is_permutation);
    plain && single && start.is_parallel() && start.is_static() && !start.reads(start.inputs.len()) && written()
}

/// Elements of a tensor: the first of each dimension, how many, and how far apart.
struct Place {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    steps: Vec<i64>,
}

impl Place {
    /// Of an extracted or inserted slice that keeps all dimensions; none if only a run knows it.
    fn of(slice: OperationRef<'_, '_>) -> Option<Place> {
        let values = if slice.full_name() == tensor::INSERT_SLICE { 2 } else { 1 };
        let part = if values == 2 { slice.operand(0).ok()? } else { slice.result(0).ok()? };
        let numbers = |name| slice.get_integers(name);
        let (offsets, sizes) = (numbers("static_offsets")?, numbers("static_sizes")?);
        let whole = slice.operand_count() == values && static_shape(part.r#type())? == sizes;
        whole.then_some(Place { offsets, sizes, steps: numbers("static_strides")? })
    }

    /// Whether no element is in both.
    fn is_apart(&self, other: &Place) -> bool {
        let last = |place: &Place, dim: usize| place.offsets[dim] + (place.sizes[dim] - 1) * place.steps[dim];
        (0..self.sizes.len()).any(|dim| {
            let (mine, theirs) = (self.offsets[dim], other.offsets[dim]);
            let step = self.steps[dim];
            last(self, dim) < theirs
                || last(other, dim) < mine
                || step == other.steps[dim] && (mine - theirs).rem_euclid(step.max(1)) != 0
        })
    }
}

/// The parts of a tensor.
struct Parts<'c, 'a> {
    /// What is inserted, in order.
    insertions: Vec<(OperationRef<'c, 'a>, Place)>,
    /// Where the tensor is read before parts are inserted there.
    reads: Vec<(OperationRef<'c, 'a>, Place)>,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    /// Those that are inserted into what an operation makes, if nothing else reads that; none where no part begins with it, or
    /// they are not known to be apart.
    fn of(start: &Structured<'c, 'a>) -> Option<Self> {
        let mut parts = Parts { insertions: Vec::new(), reads: Vec::new() };
        let mut current = start.operation.result(0).ok()?;
        while let Some(next) = parts.follow(current, start) {
            let next = next?;
            current = next.result(0).ok()?;
        }
        (!parts.reads.is_empty() && parts.insertions.len() <= MOST_PARTS).then_some(parts)
    }

    /// The insertion behind a value, and the reads of it; nothing where it is the whole tensor.
    fn follow(&mut self, value: Value<'c, 'a>, start: &Structured<'c, 'a>) -> Option<Option<OperationRef<'c, 'a>>> {
        let mut next = None;
        let mut reads = Vec::new();
        for (user, index) in value.uses() {
            let place = Place::of(user);
            match (user.full_name(), index, place) {
                (tensor::INSERT_SLICE, 1, Some(place)) if next.is_none() && user.block() == start.operation.block() => {
                    next = Some((user, place));
                }
                (tensor::EXTRACT_SLICE, 0, Some(place)) if is_restatable(start, &place) => reads.push((user, place)),
                _ if self.insertions.is_empty() => return Some(None),
                _ => return None,
            }
        }
        let is_apart = |(_, read): &(OperationRef<'c, 'a>, Place)| {
            self.insertions.iter().all(|(_, inserted)| inserted.is_apart(read))
        };
        let (insertion, place) = next.filter(|_| reads.iter().all(is_apart))?;
        self.insertions.push((insertion, place));
        self.reads.extend(reads);
        Some(Some(insertion))
    }

    /// Whether the insertions write each element once.
    fn cover(&self, shape: &[i64]) -> bool {
        let places: Vec<&Place> = self.insertions.iter().map(|(_, place)| place).collect();
        let apart = |(at, place): (usize, &&Place)| places[..at].iter().all(|other| other.is_apart(place));
        let sum = places.iter().fold(0i64, |sum, place| sum.saturating_add(volume(&place.sizes)));
        sum == volume(shape) && places.iter().enumerate().all(apart)
    }

    fn restate(&self, start: &Structured<'c, 'a>) -> Result<(), Error> {
        for (read, place) in &self.reads {
            let builder = Builder::before(*read)?;
            let kind = operations::tensor(types::element(start.outputs[0].r#type()), &place.sizes)?;
            let empty = tensor::empty(&builder, kind, &[])?;
            let operands: Vec<_> = start.inputs.iter().copied().chain([empty]).collect();
            let copy = builder.copy(start.operation, &operands)?;
            copy.result(0)?.set_type(kind);
            encoding::note(copy, None);
            with_rewriter(*read, |rewriter| rewriter.replace(*read, &[copy.result(0)?]))?;
        }
        let Some((first, _)) = self.insertions.first() else { return Ok(()) };
        let shape = static_shape(start.outputs[0].r#type()).unwrap_or_default();
        if self.cover(&shape) {
            let empty = tensor::empty(&Builder::before(start.operation)?, start.outputs[0].r#type(), &[])?;
            first.set_operand(1, empty)?;
            with_rewriter(start.operation, |rewriter| rewriter.erase(start.operation))?;
        }
        Ok(())
    }
}

/// Whether a part of what an operation makes is what it makes of the same inputs in fewer iterations.
fn is_restatable(start: &Structured<'_, '_>, place: &Place) -> bool {
    let dims = start.output_map().and_then(Map::as_dims).unwrap_or_default();
    let reads =
        |dim: usize| start.maps[..start.inputs.len()].iter().any(|map| map.results.iter().any(|expr| expr.uses(dim)));
    let is_kept = |(at, &dim): (usize, &usize)| {
        let whole = (place.offsets[at], place.sizes[at], place.steps[at]) == (0, start.extents[dim], 1);
        whole || !reads(dim)
    };
    place.sizes.len() == dims.len() && dims.iter().enumerate().all(is_kept)
}
