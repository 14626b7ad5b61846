//! Convolutions.

use super::bias;
use super::formats::{Format, filter};
use super::over_images::{Images, steps, window};
use crate::convert::builder::Nodes;
use crate::convert::images::pair;
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::nn::{ConvOp, DeconvOp};
use skriptnd_mlir::ir::{Builder, OperationRef, Value};

type Made<'c, 'a> = Result<Value<'c, 'a>, Kept>;

/// What becomes of a convolution; `None` if it is none.
pub fn convolved<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Option<Made<'c, 'a>> {
    if let Some(conv) = ConvOp::new(op) {
        Some(convolution(conv, to))
    } else {
        DeconvOp::new(op).map(|deconv| transposed_convolution(deconv, to))
    }
}

fn format(name: &str) -> Result<Format, Kept> {
    Format::of(name).ok_or_else(|| Kept::because("its `data_format` is not known"))
}

fn groups_of(groups: i64, channels: u64) -> i64 {
    if groups == 0 { i64::try_from(channels).unwrap_or(i64::MAX) } else { groups }
}

fn convolution<'c: 'a, 'a>(conv: ConvOp<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let images = Images::new(conv.operation(), conv.input()?, format(conv.data_format()?)?)?;
    let input = images.last(to)?;
    let (filter, extents) = filter(conv.filter()?, conv.filter_format()?, to)?;
    let [height, width, of_group, count] = extents;
    let size = pair(&[height, width]).unwrap_or_default();
    let window = window(conv.operation(), size, images.from, images.into)?;
    let groups = groups_of(conv.groups()?, images.from[3]);
    let bias = bias(conv.bias(), count, to)?;
    let stride = steps(to, window.stride)?;
    let (pads, dilation) = (to.ints(&window.pad_amount(), &[2, 2])?, steps(to, window.dilation)?);
    let is_depthwise = of_group == 1 && groups > 1 && i64::try_from(images.from[3]) == Ok(groups);
    let output = if is_depthwise {
        let node = htp::DepthWiseConv2dOpBuilder::new(to).input(input).filter(filter).bias(bias).stride(stride);
        node.pad_amount(pads).dilation(dilation).output_type(images.output_type()?).build()?.output()?
    } else {
        let node = htp::Conv2dOpBuilder::new(to).input(input).filter(filter).bias(bias).stride(stride);
        let node = node.pad_amount(pads).dilation(dilation).groups(to.ints(&[groups], &[1])?);
        node.output_type(images.output_type()?).build()?.output()?
    };
    Ok(images.back(output, to)?)
}

fn transposed_convolution<'c: 'a, 'a>(deconv: DeconvOp<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let images = Images::new(deconv.operation(), deconv.input()?, format(deconv.data_format()?)?)?;
    let (filter, [height, width, ..]) = filter(deconv.filter()?, deconv.filter_format()?, to)?;
    // A convolution with this window would compute the input from the output.
    let size = pair(&[height, width]).unwrap_or_default();
    let window = window(deconv.operation(), size, images.into, images.from)?;
    let groups = groups_of(deconv.groups()?, images.from[3]);
    let node = htp::TransposeConv2dOpBuilder::new(to)
        .input(images.last(to)?)
        .filter(filter)
        .bias(bias(deconv.bias(), images.into[3], to)?)
        .stride(steps(to, window.stride)?)
        .pad_amount(to.ints(&window.pad_amount(), &[2, 2])?)
        .dilation(steps(to, window.dilation)?)
        .groups(to.ints(&[groups], &[1])?);
    Ok(images.back(node.output_type(images.output_type()?).build()?.output()?, to)?)
}
