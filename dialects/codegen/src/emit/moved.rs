//! Elements that are copied from one memory to another, by the DMA or by instructions.

use crate::Error;
use skriptnd_hexagon::generated::operations::DmaStartOpBuilder;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, memref, vector};

/// Memory of one dimension, from an element on.
#[derive(Clone, Copy)]
pub struct Part<'c, 'a> {
    /// The memory.
    pub memory: Value<'c, 'a>,
    /// The element.
    pub from: Value<'c, 'a>,
}

/// Vectors that an iteration copies: LLVM takes a loop over one for a call of `memcpy`, which has no vectors.
const TOGETHER: i64 = 2;

/// Lets the DMA copy so many elements.
pub fn start<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    [source, target]: [Part<'c, 'a>; 2],
    length: Value<'c, 'a>,
) -> Result<(), Error> {
    let copy = DmaStartOpBuilder::new(builder).source(source.memory).from(source.from);
    copy.target(target.memory).to(target.from).length(length).build()?;
    Ok(())
}

/// Copies so many elements: vectors of so many lanes, if there are any, and what remains one by one. The target begins at a multiple
/// of a vector, and the source may do so.
pub fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: [Part<'c, 'a>; 2],
    length: Value<'c, 'a>,
    (lanes, is_aligned): (Option<i64>, bool),
) -> Result<(), Error> {
    let mut start = builder.index(0)?;
    if let Some(lanes) = lanes {
        let step = TOGETHER * lanes;
        let rest = arith::remui(builder, length, builder.index(step)?)?;
        let whole = arith::subi(builder, length, rest)?;
        let kind = types::lanes(types::element(parts[0].memory.r#type()), lanes);
        let bytes = types::width(types::element(kind)).map_or(1, |bits| i64::from(bits.div_ceil(8)));
        builder.count_between::<Error>([start, whole], step, &[], |builder, index, _| {
            for first in (0..TOGETHER).map(|vector| vector * lanes) {
                let [from, to] = places(&builder, parts, builder.index_plus(index, first)?)?;
                let moved = vector::load(&builder, from, kind, is_aligned.then_some(lanes * bytes))?;
                vector::store(&builder, moved, to, Some(lanes * bytes))?;
            }
            Ok(Vec::new())
        })?;
        start = whole;
    }
    builder.count_between::<Error>([start, length], 1, &[], |builder, index, _| {
        let [from, to] = places(&builder, parts, index)?;
        memref::store(&builder, memref::load(&builder, from.0, &[from.1])?, to.0, &[to.1])?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// An element of each part.
type Places<'c, 'a> = [(Value<'c, 'a>, Value<'c, 'a>); 2];

fn places<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    [source, target]: [Part<'c, 'a>; 2],
    index: Value<'c, 'a>,
) -> Result<Places<'c, 'a>, Error> {
    let at = |part: Part<'c, 'a>| Ok::<_, Error>((part.memory, arith::addi(builder, part.from, index)?));
    Ok([at(source)?, at(target)?])
}
