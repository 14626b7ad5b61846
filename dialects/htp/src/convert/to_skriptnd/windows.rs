//! Convolutions and poolings.

use super::{Made, ints, shape, vector_unless_zero};
use crate::convert::builder::static_dims;
use crate::generated::operations::{
    Conv2dOp, Conv2dReluOp, DepthWiseConv2dOp, DepthWiseConv2dReluOp, PoolAvg2dOp, PoolMax2dOp, TransposeConv2dOp,
};
use skriptnd_dialect::generated::nn::{AvgPoolOpBuilder, ConvOpBuilder, DeconvOpBuilder, MaxPoolOpBuilder};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value};

/// The operator of an op with windows, and whether values below zero are cut off behind it; `None` if it is none.
pub fn window<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    to: &Builder<'c, 'a>,
    ty: Type<'c>,
) -> Option<(Made<'c, 'a>, bool)> {
    let is_rectified = Conv2dReluOp::new(op).is_some() || DepthWiseConv2dReluOp::new(op).is_some();
    let is_convolution = Conv2dOp::new(op).is_some() || DepthWiseConv2dOp::new(op).is_some();
    let made = if is_convolution || is_rectified {
        convolution(op, to, ty)
    } else if let Some(conv) = TransposeConv2dOp::new(op) {
        transposed_convolution(conv, to, ty)
    } else if let Some(pool) = PoolMax2dOp::new(op) {
        largest(pool, to, ty)
    } else if let Some(pool) = PoolAvg2dOp::new(op) {
        mean(pool, to, ty)
    } else {
        return None;
    };
    Some((made, is_rectified))
}

/// Height and width of a `$Shape` operand `[1, height, width, 1]`.
fn steps(value: Value<'_, '_>) -> Result<[i64; 2], Failure> {
    match shape(value)?[..] {
        [_, height, width, _] => Ok([height, width]),
        _ => Err("expected a shape [1, height, width, 1] as a parameter".into()),
    }
}

/// Before height and width, then behind them.
fn padding(value: Value<'_, '_>) -> Result<[i64; 4], Failure> {
    let [top, bottom, left, right] = ints(value)?;
    Ok([top, left, bottom, right])
}

/// Of a convolution, or of one of each channel on its own, which has no groups.
fn convolution<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let groups = match op.operand(6) {
        Ok(groups) => ints::<1>(groups)?[0],
        Err(_) => 0,
    };
    let conv = ConvOpBuilder::new(to)
        .input(op.operand(0)?)
        .filter(op.operand(1)?)
        .bias(vector_unless_zero(op.operand(2)?, to)?)
        .stride(&steps(op.operand(3)?)?)
        .padding(&padding(op.operand(4)?)?)
        .dilation(&steps(op.operand(5)?)?)
        .padding_align("UPPER")
        .ceil_mode(false)
        .groups(groups)
        .data_format("NXC")
        .filter_format("XCN");
    conv.output_type(ty).build()?.output()
}

fn transposed_convolution<'c: 'a, 'a>(
    conv: TransposeConv2dOp<'c, 'a>,
    to: &Builder<'c, 'a>,
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let dims = static_dims(ty).and_then(|dims| <[u64; 4]>::try_from(dims).ok());
    let [_, height, width, _] = dims.ok_or("expected a result of four dimensions")?;
    let size = [height, width].map(|extent| i64::try_from(extent).unwrap_or(i64::MAX));
    let [groups] = ints(conv.groups()?)?;
    let deconv = DeconvOpBuilder::new(to)
        .input(conv.input()?)
        .filter(conv.filter()?)
        .bias(vector_unless_zero(conv.bias()?, to)?)
        .stride(&steps(conv.stride()?)?)
        .padding(&padding(conv.pad_amount()?)?)
        .dilation(&steps(conv.dilation()?)?)
        .padding_align("UPPER")
        .output_size(&size)
        .groups(groups)
        .data_format("NXC")
        .filter_format("XCN");
    deconv.output_type(ty).build()?.output()
}

fn largest<'c: 'a, 'a>(pool: PoolMax2dOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let made = MaxPoolOpBuilder::new(to)
        .input(pool.input()?)
        .axes(&[1, 2])
        .size(&steps(pool.size()?)?)
        .stride(&steps(pool.stride()?)?)
        .dilation(&[1, 1])
        .padding(&padding(pool.pad_amount()?)?)
        .padding_align("UPPER")
        .ceil_mode(false);
    made.output_type(ty).build()?.output()
}

fn mean<'c: 'a, 'a>(pool: PoolAvg2dOp<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let [counts_padding] = ints(pool.count_pad()?)?;
    let made = AvgPoolOpBuilder::new(to)
        .input(pool.input()?)
        .axes(&[1, 2])
        .size(&steps(pool.size()?)?)
        .stride(&steps(pool.stride()?)?)
        .dilation(&[1, 1])
        .padding(&padding(pool.pad_amount()?)?)
        .padding_align("UPPER")
        .ignore_border(counts_padding == 0)
        .ceil_mode(false);
    made.output_type(ty).build()?.output()
}
