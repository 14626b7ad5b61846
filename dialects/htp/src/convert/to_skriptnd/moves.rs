//! Ops that move elements.

use super::{Made, ints};
use crate::convert::builder::static_dims;
use crate::generated::operations::{DepthToSpaceOp, SpaceToDepthOp, TileOp};
use skriptnd_dialect::generated::layout::{DepthToSpaceOpBuilder, SpaceToDepthOpBuilder, TileOpBuilder};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value};

/// The operator of an op that moves elements; `None` if it is none of these.
pub fn moved<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Option<Made<'c, 'a>> {
    if let Some(tile) = TileOp::new(op) {
        Some(repeated(tile, to, ty))
    } else if let Some(blocks) = DepthToSpaceOp::new(op) {
        Some(depth_to_space(blocks, to, ty))
    } else {
        SpaceToDepthOp::new(op).map(|blocks| space_to_depth(blocks, to, ty))
    }
}

fn repeated<'c: 'a, 'a>(tile: TileOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let rank = static_dims(ty).ok_or("expected a result of static shape")?.len();
    let repeats = super::integers(tile.multiples()?).filter(|repeats| repeats.len() == rank);
    let repeats = repeats.ok_or("expected as many constant multiples as the result has dimensions")?;
    let axes: Vec<i64> = (0..rank as i64).collect();
    TileOpBuilder::new(to).input(tile.input()?).axes(&axes).repeats(&repeats).output_type(ty).build()?.output()
}

/// Whether the blocks are the outer part of the channels.
fn has_blocks_first(mode: Value<'_, '_>) -> Result<bool, Failure> {
    match ints(mode)? {
        [0] => Ok(true),
        [1] => Ok(false),
        [other] => Err(Failure::new(format!("expected the mode 0 or 1, found {other}"))),
    }
}

fn depth_to_space<'c: 'a, 'a>(blocks: DepthToSpaceOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let size = ints::<2>(blocks.block_size()?)?;
    let made = DepthToSpaceOpBuilder::new(to).input(blocks.input()?).block_size(&size);
    let made = made.blocks_first(has_blocks_first(blocks.mode()?)?).data_format("NXC");
    made.output_type(ty).build()?.output()
}

fn space_to_depth<'c: 'a, 'a>(blocks: SpaceToDepthOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let size = ints::<2>(blocks.block_size()?)?;
    let made = SpaceToDepthOpBuilder::new(to).input(blocks.input()?).block_size(&size);
    let made = made.blocks_first(has_blocks_first(blocks.mode()?)?).data_format("NXC");
    made.output_type(ty).build()?.output()
}
