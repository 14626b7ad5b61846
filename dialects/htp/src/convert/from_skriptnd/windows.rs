//! Convolutions and poolings.

use super::{bias, of_floats};
use crate::convert::builder::{Nodes, static_dims, tensor};
use crate::convert::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST, TO_FILTER, Window, WindowAttributes, pair};
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::nn::{AvgPoolOp, ConvOp, DeconvOp, MaxPoolOp};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};

type Made<'c, 'a> = Result<Value<'c, 'a>, Kept>;

/// What becomes of an operator with windows; `None` if it is none.
pub fn window<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Option<Made<'c, 'a>> {
    if let Some(conv) = ConvOp::new(op) {
        Some(convolution(conv, to))
    } else if let Some(deconv) = DeconvOp::new(op) {
        Some(transposed_convolution(deconv, to))
    } else if let Some(pool) = MaxPoolOp::new(op) {
        Some(pool.input().map_err(Kept::from).and_then(|input| pooling(op, input, None, to)))
    } else if let Some(pool) = AvgPoolOp::new(op) {
        let counts_padding = Some(!pool.ignore_border().unwrap_or(true));
        Some(pool.input().map_err(Kept::from).and_then(|input| pooling(op, input, counts_padding, to)))
    } else {
        None
    }
}

/// How the dimensions of images are moved to those of the processor, and back.
#[derive(Clone, Copy)]
struct Format {
    to_last: Option<[usize; 4]>,
    back: [usize; 4],
}

impl Format {
    fn of(name: &str) -> Option<Self> {
        match name {
            "NCX" => Some(Format { to_last: Some(TO_CHANNELS_LAST), back: TO_CHANNELS_FIRST }),
            "NXC" => Some(Format { to_last: None, back: [0, 1, 2, 3] }),
            "XCN" => Some(Format { to_last: Some([3, 0, 1, 2]), back: [1, 2, 3, 0] }),
            _ => None,
        }
    }

    fn last<'c: 'a, 'a>(self, value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        match self.to_last {
            Some(TO_CHANNELS_LAST) => to.last(value),
            Some(order) => to.transpose(value, &order),
            None => Ok(value),
        }
    }

    fn back<'c: 'a, 'a>(self, value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if self.to_last.is_some() { to.transpose(value, &self.back) } else { Ok(value) }
    }

    /// Extents with the channels last.
    fn extents(self, dims: &[u64]) -> Option<[u64; 4]> {
        let dims = <[u64; 4]>::try_from(dims).ok()?;
        Some(self.to_last.map_or(dims, |order| order.map(|axis| dims[axis])))
    }
}

/// The order of a filter's dimensions as the processor has them: height, width, `C`, `N`.
fn filter_order(name: &str) -> Option<[usize; 4]> {
    match name {
        "NCX" => Some(TO_FILTER),
        "NXC" => Some([1, 2, 3, 0]),
        "XCN" => Some([0, 1, 2, 3]),
        "CXN" => Some([1, 2, 0, 3]),
        _ => None,
    }
}

/// The parts of an operator over images.
struct Images<'c, 'a> {
    op: OperationRef<'c, 'a>,
    input: Value<'c, 'a>,
    format: Format,
    /// Batch, height, width and channels of input and output.
    from: [u64; 4],
    into: [u64; 4],
}

impl<'c: 'a, 'a> Images<'c, 'a> {
    fn new(op: OperationRef<'c, 'a>, input: Value<'c, 'a>, format: &str) -> Result<Self, Kept> {
        of_floats(op)?;
        let format = Format::of(format).ok_or_else(|| Kept::because("its `data_format` is not known"))?;
        let extents = |ty| static_dims(ty).and_then(|dims| format.extents(&dims));
        let (from, into) = (extents(input.r#type()), extents(op.result(0)?.r#type()));
        let (Some(from), Some(into)) = (from, into) else {
            return Err(Kept::because("it does not go over height and width of images"));
        };
        Ok(Images { op, input, format, from, into })
    }

    /// The window over the larger image that gives the smaller one.
    fn window(&self, size: [i64; 2], larger: [u64; 4], smaller: [u64; 4]) -> Result<Window, Kept> {
        let op = self.op;
        let pair_of = |name: &str| op.get_integers(name).and_then(|extents| <[i64; 2]>::try_from(extents).ok());
        let padding = op.get_integers("padding").map(<[i64; 4]>::try_from);
        let (Some(stride), Some(dilation), Ok(padding)) = (pair_of("stride"), pair_of("dilation"), padding.transpose())
        else {
            return Err(Kept::because("its strides, dilations and padding are not those of images"));
        };
        let is_upper = op.get_string("padding_align") == Some("UPPER");
        let attributes = WindowAttributes { size, stride, dilation, padding, is_upper };
        let extents = |dims: [u64; 4]| pair(&dims[1..3]).unwrap_or_default();
        let window = attributes.window(extents(larger), extents(smaller));
        window.ok_or_else(|| Kept::because("its windows leave out elements at the border"))
    }

    /// The type of the output with the channels last.
    fn output_type(&self) -> Result<skriptnd_mlir::ir::Type<'c>, Failure> {
        tensor(types::element(self.input.r#type()), &self.into)
    }
}

/// Extents over height and width as the shape `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT`.
fn steps<'c: 'a, 'a>(to: &Builder<'c, 'a>, extents: [i64; 2]) -> Result<Value<'c, 'a>, Failure> {
    let [height, width] = extents.map(|extent| extent.unsigned_abs());
    to.shape(&[1, height, width, 1])
}

/// A filter as the processor has it, and its extents.
fn filter<'c: 'a, 'a>(
    filter: Value<'c, 'a>,
    format: &str,
    to: &Builder<'c, 'a>,
) -> Result<(Value<'c, 'a>, [u64; 4]), Kept> {
    let order = filter_order(format).ok_or_else(|| Kept::because("its `filter_format` is not known"))?;
    let dims = static_dims(filter.r#type()).and_then(|dims| <[u64; 4]>::try_from(dims).ok());
    let dims = dims.ok_or_else(|| Kept::because("it does not go over height and width of images"))?;
    let moved = if order == [0, 1, 2, 3] { filter } else { to.transpose(filter, &order)? };
    Ok((moved, order.map(|axis| dims[axis])))
}

fn groups_of(groups: i64, channels: u64) -> i64 {
    if groups == 0 { i64::try_from(channels).unwrap_or(i64::MAX) } else { groups }
}

fn convolution<'c: 'a, 'a>(conv: ConvOp<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let images = Images::new(conv.operation(), conv.input()?, conv.data_format()?)?;
    let input = images.format.last(images.input, to)?;
    let (filter, extents) = filter(conv.filter()?, conv.filter_format()?, to)?;
    let [height, width, of_group, count] = extents;
    let window = images.window(pair(&[height, width]).unwrap_or_default(), images.from, images.into)?;
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
    Ok(images.format.back(output, to)?)
}

fn transposed_convolution<'c: 'a, 'a>(deconv: DeconvOp<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let images = Images::new(deconv.operation(), deconv.input()?, deconv.data_format()?)?;
    let (filter, [height, width, ..]) = filter(deconv.filter()?, deconv.filter_format()?, to)?;
    // A convolution with this window would compute the input from the output.
    let size = pair(&[height, width]).unwrap_or_default();
    let window = images.window(size, images.into, images.from)?;
    let groups = groups_of(deconv.groups()?, images.from[3]);
    let node = htp::TransposeConv2dOpBuilder::new(to)
        .input(images.format.last(images.input, to)?)
        .filter(filter)
        .bias(bias(deconv.bias(), images.into[3], to)?)
        .stride(steps(to, window.stride)?)
        .pad_amount(to.ints(&window.pad_amount(), &[2, 2])?)
        .dilation(steps(to, window.dilation)?)
        .groups(to.ints(&[groups], &[1])?);
    Ok(images.format.back(node.output_type(images.output_type()?).build()?.output()?, to)?)
}

/// A pooling: of maxima, or of means with what is said of their border.
fn pooling<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    input: Value<'c, 'a>,
    counts_padding: Option<bool>,
    to: &Builder<'c, 'a>,
) -> Made<'c, 'a> {
    let format = match op.get_integers("axes").as_deref() {
        Some([2, 3]) => "NCX",
        Some([1, 2]) => "NXC",
        _ => return Err(Kept::because("it does not go over height and width of images")),
    };
    let images = Images::new(op, input, format)?;
    let size = op.get_integers("size").and_then(|size| <[i64; 2]>::try_from(size).ok());
    let size = size.ok_or_else(|| Kept::because("its windows are not those of images"))?;
    let window = images.window(size, images.from, images.into)?;
    if window.dilation != [1, 1] {
        return Err(Kept::because("its windows are dilated"));
    }
    let input = images.format.last(images.input, to)?;
    let (size, pads) = (steps(to, window.size)?, to.ints(&window.pad_amount(), &[2, 2])?);
    let stride = steps(to, window.stride)?;
    let ty = images.output_type()?;
    let output = match counts_padding {
        None => {
            let node = htp::PoolMax2dOpBuilder::new(to).input(input).size(size).pad_amount(pads).stride(stride);
            node.output_type(ty).build()?.output()?
        }
        Some(counts) => {
            let node = htp::PoolAvg2dOpBuilder::new(to).input(input).size(size).pad_amount(pads).stride(stride);
            node.count_pad(to.ints(&[i64::from(counts)], &[1])?).output_type(ty).build()?.output()?
        }
    };
    Ok(images.format.back(output, to)?)
}
