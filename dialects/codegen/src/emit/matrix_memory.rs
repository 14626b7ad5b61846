//! Memory of kernels that multiply matrices which registers hold.

use crate::Error;
use crate::nest::matrices::{BESIDE, COLUMNS, Matrices, ROWS};
use crate::views::elements;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::memref;

/// Words of what the processor is told of registers.
pub const TOLD: u64 = 8;
/// Sums of a row of a tile.
pub const WIDTH: i64 = BESIDE * COLUMNS;

/// The memory of a kernel that multiplies matrices.
#[derive(Clone, Copy)]
pub struct MatrixMemory<'c, 'a> {
    /// What the processor is told of registers.
    pub told: Value<'c, 'a>,
    /// The sums of a tile, or of a part of its products.
    pub sums: Value<'c, 'a>,
    /// The sums of those of parts, where there are several.
    pub total: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> MatrixMemory<'c, 'a> {
    /// Makes it, where a kernel begins.
    pub fn new(builder: Builder<'c, 'a>, matrices: &Matrices, alignment: i64) -> Result<Self, Error> {
        let context = builder.context();
        let allocate = |kind: Type<'c>, count: u64| {
            let kind = types::memref(kind, &[Some(count)]).ok_or_else(|| Error::malformed("no memory for matrices"))?;
            Ok::<_, Error>(memref::alloca(&builder, kind, alignment)?)
        };
        let (word, sum) = (types::integer(context, 64), elements::r#type(context, matrices.sum)?);
        let sums = || allocate(sum, (BESIDE * ROWS * WIDTH).unsigned_abs());
        let total = matrices.part.map(|_| sums()).transpose()?;
        Ok(MatrixMemory { told: allocate(word, TOLD)?, sums: sums()?, total })
    }
}
