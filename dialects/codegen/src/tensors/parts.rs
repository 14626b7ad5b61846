//! Tensors that many parts are inserted into, one after the other, as where packs are stacked or concatenated. Upstream's
//! analysis goes through all earlier insertions for each of them, and for each pair of reads and writes; parts that are
//! written into memory know nothing of each other.

use crate::Error;
use crate::views::shapes::static_shape;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, block_operations, operations_named, types};
use skriptnd_mlir::ops::{bufferization, memref, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// So many insertions are left to the analysis, which may find that a part can be computed in its place.
const MOST_INSERTIONS: usize = 16;

/// Writes the parts of tensors that have many into memory. Returns the number of such tensors.
pub fn write_into_memory<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut written = 0;
    for last in operations_named(function, INSERT) {
        if next(last).is_none() {
            let chain = Chain::ending(last);
            if chain.insertions.len() > MOST_INSERTIONS && chain.write()? {
                written += 1;
            }
        }
    }
    Ok(written)
}

const INSERT: &str = tensor::INSERT_SLICE;

/// The insertion that goes on with the result of this one, which nothing else uses.
fn next<'c: 'a, 'a>(insertion: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let result = *insertion.result_values().first()?;
    match result.uses().as_slice() {
        [(user, 1)] if user.full_name() == INSERT && user.block() == insertion.block() => Some(*user),
        _ => None,
    }
}

/// Insertions into one tensor, in order.
struct Chain<'c, 'a> {
    insertions: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    fn ending(last: OperationRef<'c, 'a>) -> Self {
        let mut insertions = vec![last];
        let mut current = last;
        while let Some(before) = current.operand(1).ok().and_then(|tensor| tensor.defining_operation()) {
            if before.full_name() != INSERT || next(before) != Some(current) {
                break;
            }
            insertions.push(before);
            current = before;
        }
        insertions.reverse();
        Chain { insertions }
    }

    /// False where the tensor is not empty at first, or where its parts lie is not known.
    fn write(&self) -> Result<bool, Error> {
        let (Some(&first), Some(&last)) = (self.insertions.first(), self.insertions.last()) else { return Ok(false) };
        let tensor = first.operand(1)?;
        let is_empty = tensor.defining_operation().is_some_and(|root| root.full_name() == tensor::EMPTY);
        let Some(shape) = static_shape(tensor.r#type()).filter(|_| is_empty) else { return Ok(false) };
        let element = types::element(tensor.r#type());
        let parts: Option<Vec<_>> = self.insertions.iter().map(|part| place(*part, &shape, element)).collect();
        let extents: Vec<_> = shape.iter().map(|&extent| u64::try_from(extent).ok()).collect();
        let (Some(parts), Some(whole)) = (parts, types::memref(element, &extents)) else { return Ok(false) };
        // Behind the memory, parts can be computed where they belong.
        let before = Builder::before(self.first_of_parts())?.located(first.location());
        let memory = memref::alloc(&before, whole)?;
        for (insertion, part) in self.insertions.iter().zip(parts) {
            let target = memref::reinterpret_cast(&before, memory, part)?;
            bufferization::materialize_in_memory(&Builder::before(*insertion)?, insertion.operand(0)?, target)?;
        }
        let result = bufferization::to_tensor(&Builder::before(last)?, memory, tensor.r#type())?;
        for (user, index) in last.result(0)?.uses() {
            user.set_operand(index, result)?;
        }
        // Upstream would analyse them as before.
        for &insertion in self.insertions.iter().rev() {
            with_rewriter(insertion, |rewriter| rewriter.erase(insertion))?;
        }
        Ok(true)
    }

    /// The first operation of the block that computes a part, or inserts one.
    fn first_of_parts(&self) -> OperationRef<'c, 'a> {
        let first = self.insertions[0];
        let Some(block) = first.block() else { return first };
        let positions: HashMap<usize, usize> =
            block_operations(block).enumerate().map(|(position, operation)| (operation.key(), position)).collect();
        let makers = self.insertions.iter().filter_map(|insertion| insertion.operand(0).ok()?.defining_operation());
        let known = makers.filter_map(|maker| Some((*positions.get(&maker.key())?, maker)));
        known.min_by_key(|(position, _)| *position).map_or(first, |(_, maker)| maker)
    }
}

/// The memory of a part within that of a tensor of this shape; none if it is not known before the run.
fn place<'c>(insertion: OperationRef<'c, '_>, shape: &[i64], element: Type<'c>) -> Option<Type<'c>> {
    let numbers = |name| insertion.get_integers(name).filter(|numbers: &Vec<i64>| numbers.len() == shape.len());
    let (offsets, sizes) = (numbers("static_offsets")?, numbers("static_sizes")?);
    let steps = numbers("static_strides")?;
    if insertion.operand_count() != 2 {
        return None;
    }
    let part = static_shape(insertion.operand(0).ok()?.r#type())?;
    let mut strides = vec![1i64; shape.len()];
    for dimension in (1..shape.len()).rev() {
        strides[dimension - 1] = strides[dimension].checked_mul(shape[dimension])?;
    }
    let offset = offsets
        .iter()
        .zip(&strides)
        .try_fold(0i64, |sum, (offset, stride)| sum.checked_add(offset.checked_mul(*stride)?))?;
    // The part may lack dimensions of extent 1.
    let mut kept = Vec::new();
    for dimension in 0..shape.len() {
        let left = shape.len() - dimension;
        match part.get(kept.len()) {
            Some(&extent) if extent == sizes[dimension] => kept.push(strides[dimension].checked_mul(steps[dimension])?),
            _ if sizes[dimension] == 1 && left > part.len() - kept.len() => {}
            _ => return None,
        }
    }
    (kept.len() == part.len()).then(|| types::strided_memref(element, &part, &kept, offset)).flatten()
}
