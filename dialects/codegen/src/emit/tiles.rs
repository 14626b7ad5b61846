//! Memory in VTCM for the tiles of a kernel's operands.

use crate::Error;
use crate::nest::space::{Operand, Space};
use crate::nest::staged::{LINE, Staging, Tiles};
use skriptnd_hexagon::generated::dialect_attributes::VtcmAttr;
use skriptnd_mlir::ir::{Builder, Value, attributes, types};
use skriptnd_mlir::ops::memref;

/// What of a kernel's operands is in VTCM, and how it gets there.
#[derive(Clone)]
pub struct Staged<'c, 'a> {
    /// How many of the parallel loops are around a tile of what is streamed.
    pub depth: usize,
    /// Operands that are copied before the loops.
    pub whole: Vec<Copied<'c, 'a>>,
    /// Operands whose tiles are copied.
    pub streamed: Vec<Copied<'c, 'a>>,
    /// Whether the DMA copies.
    pub by_dma: bool,
}

/// An operand that is copied.
#[derive(Clone, Copy)]
pub struct Copied<'c, 'a> {
    /// Its tiles.
    pub tiles: Tiles,
    /// The operand itself, as one dimension.
    pub source: Value<'c, 'a>,
    /// The places of its tiles.
    pub places: Value<'c, 'a>,
    /// Elements that a line has, if the operand begins at one.
    pub line: Option<i64>,
}

impl<'c: 'a, 'a> Staged<'c, 'a> {
    /// Makes the memory in VTCM, where a kernel begins.
    pub fn new(
        builder: Builder<'c, 'a>,
        space: &Space,
        flat: &[Option<Value<'c, 'a>>],
        (staging, by_dma): (&Staging, bool),
    ) -> Result<Self, Error> {
        let copied = |tiles: &Tiles| {
            let missing = || Error::malformed("a kernel without one of its operands");
            let source = flat.get(tiles.operand).copied().flatten().ok_or_else(missing)?;
            let kind = u64::try_from(tiles.places * tiles.place)
                .ok()
                .and_then(|count| types::memref(types::element(source.r#type()), &[Some(count)]))
                .zip(VtcmAttr::get(builder.context()).ok())
                .and_then(|(kind, space)| attributes::in_memory_space(kind, Some(space.attribute())));
            let kind = kind.ok_or_else(|| Error::malformed("no memory for tiles"))?;
            let is_whole = matches!(space.operands[tiles.operand], Operand::Passed { is_moved: false, .. });
            let bytes = space.element(tiles.operand).map_or(1, |element| element.bytes());
            let line = is_whole.then_some(LINE / bytes).filter(|line| *line > 1);
            Ok(Copied { tiles: *tiles, source, places: memref::alloca(&builder, kind, LINE)?, line })
        };
        let all = |tiles: &[Tiles]| tiles.iter().map(copied).collect::<Result<Vec<_>, Error>>();
        Ok(Staged { depth: staging.depth, whole: all(&staging.whole)?, streamed: all(&staging.streamed)?, by_dma })
    }
}
