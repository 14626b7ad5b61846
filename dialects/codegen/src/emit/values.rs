//! What a kernel works on.

use super::matrix_memory::MatrixMemory;
use super::span::Spans;
use super::tiles::Staged;
use crate::Error;
use crate::nest::Space;
use crate::nest::access::Access;
use crate::nest::parts::Piece;
use crate::views::shapes::static_shape;
use skriptnd_mlir::ir::{Builder, Type, Value, attributes, types};
use skriptnd_mlir::ops::{arith, memref};
use std::collections::HashMap;

/// Groups of the input as words, by the row and by how many elements they are behind those of the row.
pub(super) type Words<'c, 'a> = HashMap<(i64, i64), Value<'c, 'a>>;

/// What the names in a nest are bound to inside a kernel, by the numbers of operands and dimensions. Memory may be there in
/// both forms: a computation can fetch elements of an operand.
#[derive(Clone, Default)]
pub struct Values<'c, 'a> {
    /// Memory that is accessed by addresses, with one dimension.
    pub flat: Vec<Option<Value<'c, 'a>>>,
    /// The strides of memory of which computations fetch elements.
    pub strides: Vec<Vec<Value<'c, 'a>>>,
    /// Scalars and memory as computations use them.
    pub plain: Vec<Option<Value<'c, 'a>>>,
    /// Where dimensions end of which only the run knows that.
    pub ends: Vec<Option<Value<'c, 'a>>>,
    /// How many times their least length vectors have, where the schedule leaves that to the processor.
    pub scale: Option<Value<'c, 'a>>,
    /// Memory for weights that are unpacked, and for sums of products with them, where the kernel does so.
    pub unpacked: Option<[Value<'c, 'a>; 2]>,
    /// Memory for what is told of registers that hold matrices, and for sums of their products, where the kernel multiplies such.
    pub matrices: Option<MatrixMemory<'c, 'a>>,
    /// The last columns of a filter one behind the other, where they are multiplied by themselves.
    pub columns: Option<Value<'c, 'a>>,
    /// Memory for the sums of a tile, where what follows from them is computed one after the other.
    pub sums: Option<Value<'c, 'a>>,
    /// Which part of the parallel loops is done, where it is not all.
    pub spans: Option<Spans<'c, 'a>>,
    /// What of the operands is copied to VTCM, if something is.
    pub staged: Option<Staged<'c, 'a>>,
    /// Memory for copies of operands, by the operand.
    pub packs: HashMap<usize, Value<'c, 'a>>,
    /// What is added to addresses of operands that were copied: they are where `flat` says.
    pub shifts: HashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Values<'c, 'a> {
    /// Lets an operand be read where it was copied to, a shift being added to its addresses.
    pub fn read_at(&mut self, operand: usize, memory: Value<'c, 'a>, shift: Value<'c, 'a>) {
        self.flat[operand] = Some(memory);
        self.shifts.insert(operand, shift);
    }

    /// Where a dimension ends.
    pub fn end(&self, builder: Builder<'c, 'a>, space: &Space, dim: usize) -> Result<Value<'c, 'a>, Error> {
        match self.ends[dim] {
            Some(end) => Ok(end),
            None => Ok(builder.index(space.dims[dim].extent)?),
        }
    }
}

/// Where the first lane lies, and how far the next one is from each.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'c, 'a> {
    /// The memory, of one dimension.
    pub memory: Value<'c, 'a>,
    /// The first lane's address.
    pub address: Value<'c, 'a>,
    /// From lane to lane.
    pub distance: i64,
    /// Bytes of which the address is a multiple, if that is more than an element.
    pub alignment: Option<i64>,
}

/// What was already loaded for a tile.
#[derive(Default)]
pub struct Loads<'c, 'a> {
    /// By access, row and piece.
    pub values: HashMap<(usize, i64, Piece), Value<'c, 'a>>,
    /// Addresses of the tile's first point by access.
    pub bases: HashMap<usize, Value<'c, 'a>>,
}

/// Tells accesses of a space apart.
pub fn identity(access: &Access) -> usize {
    std::ptr::from_ref(access) as usize
}

/// The number that an index is, where that is known when code is made.
pub fn constant_index(value: Value<'_, '_>) -> Option<i64> {
    let definition = value.defining_operation().filter(|definition| definition.full_name() == arith::CONSTANT);
    attributes::as_integer(definition?.get("value")?)
}

/// The elements of a memref's memory as one dimension, from its own offset on.
pub fn flattened<'c: 'a, 'a>(builder: Builder<'c, 'a>, memory: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let kind = memory.r#type();
    let malformed = || Error::malformed(format!("an operand of type {kind}"));
    let (_, offset) = types::strides(kind).ok_or_else(malformed)?;
    let count = elements(kind).ok_or_else(malformed)?;
    let flat = types::strided_memref(types::element(kind), &[count], &[1], offset).ok_or_else(malformed)?;
    Ok(memref::reinterpret_cast(&builder, memory, flat)?)
}

/// From the first element of a memref to its last, so many elements; none where only a run knows that.
pub fn elements(kind: Type<'_>) -> Option<i64> {
    let (strides, _) = types::strides_with_open_offset(kind)?;
    let distances = static_shape(kind)?.into_iter().zip(strides).map(|(extent, stride)| (extent - 1).max(0) * stride);
    Some(1 + distances.sum::<i64>())
}
