//! Poolings.

use super::formats::{Format, NO_IMAGES};
use super::over_images::{Images, fitting, steps};
use crate::convert::builder::{MOST_ELEMENTS, Nodes, static_dims, tensor};
use crate::convert::images::{Window, WindowAttributes};
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::nn::{AvgPoolOp, MaxPoolOp, SumPoolOp};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};

type Made<'c, 'a> = Result<Value<'c, 'a>, Kept>;

/// What is taken of each window.
#[derive(Debug, Clone, Copy)]
enum Taken {
    Maximum,
    Sum,
    Mean { counts_padding: bool },
}

/// What becomes of a pooling; `None` if it is none.
pub fn pooled<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Option<Made<'c, 'a>> {
    let (input, taken) = if let Some(pool) = MaxPoolOp::new(op) {
        (pool.input(), Taken::Maximum)
    } else if let Some(pool) = SumPoolOp::new(op) {
        (pool.input(), Taken::Sum)
    } else {
        let pool = AvgPoolOp::new(op)?;
        (pool.input(), Taken::Mean { counts_padding: !pool.ignore_border().unwrap_or(true) })
    };
    Some(input.map_err(Kept::from).and_then(|input| Pool::new(op, input, to)?.made(taken)))
}

/// The windows over all dimensions of a tensor.
struct Axes {
    size: Vec<i64>,
    stride: Vec<i64>,
    dilation: Vec<i64>,
    padding: Option<(Vec<i64>, Vec<i64>)>,
}

impl Axes {
    /// `None` where attributes do not fit.
    fn of(op: OperationRef<'_, '_>, rank: usize) -> Option<Axes> {
        let axes = op.get_integers("axes")?;
        let absolute = |axis: i64| usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok();
        let places: Vec<usize> = axes.iter().map(|axis| absolute(*axis)).collect::<Option<_>>()?;
        let over_all = |values: &[i64], neutral: i64| {
            let mut all = vec![neutral; rank];
            for (place, value) in places.iter().zip(values) {
                *all.get_mut(*place)? = *value;
            }
            (values.len() == places.len()).then_some(all)
        };
        let padding = match op.get_integers("padding") {
            None => None,
            Some(padding) => {
                let (before, behind) = padding.split_at(padding.len() / 2);
                Some((over_all(before, 0)?, over_all(behind, 0)?))
            }
        };
        let of = |name: &str| over_all(&op.get_integers(name)?, 1);
        Some(Axes { size: of("size")?, stride: of("stride")?, dilation: of("dilation")?, padding })
    }

    /// Whether windows are single elements along a dimension.
    fn is_single(&self, axis: usize) -> bool {
        let is_padded = self.padding.as_ref().is_some_and(|(before, behind)| before[axis] != 0 || behind[axis] != 0);
        self.size[axis] == 1 && self.stride[axis] == 1 && !is_padded
    }

    /// The order of dimensions in which windows go over height and width only.
    fn format(&self) -> Option<(Format, Vec<usize>)> {
        let rank = self.size.len();
        let last = rank.checked_sub(1)?;
        let channels_at = |axis: usize| self.is_single(0) && self.is_single(axis);
        match rank {
            3 | 4 if channels_at(1) => Some((Format::CHANNELS_FIRST, (2..rank).collect())),
            3 | 4 if channels_at(last) => Some((Format::CHANNELS_LAST, (1..last).collect())),
            _ => None,
        }
    }

    /// What is said of the dimensions of a format; a line has height 1.
    fn window(&self, spatial: &[usize], is_upper: bool) -> WindowAttributes {
        let both = |values: &[i64], neutral: i64| match *spatial {
            [height, width] => [values[height], values[width]],
            _ => [neutral, values[spatial[0]]],
        };
        let padding = self.padding.as_ref().map(|(before, behind)| {
            let ([top, left], [bottom, right]) = (both(before, 0), both(behind, 0));
            [top, left, bottom, right]
        });
        let [size, stride, dilation] = [&self.size, &self.stride, &self.dilation].map(|values| both(values, 1));
        WindowAttributes { size, stride, dilation, padding, is_upper }
    }
}

struct Pool<'t, 'c, 'a> {
    images: Images<'c, 'a>,
    window: Window,
    to: &'t Builder<'c, 'a>,
}

impl<'t, 'c: 'a, 'a> Pool<'t, 'c, 'a> {
    fn new(op: OperationRef<'c, 'a>, input: Value<'c, 'a>, to: &'t Builder<'c, 'a>) -> Result<Self, Kept> {
        let rank = types::rank(input.r#type()).unwrap_or_default();
        let axes = Axes::of(op, rank).ok_or_else(|| Kept::because("its windows are not those of images"))?;
        let (format, spatial) = axes.format().ok_or_else(|| Kept::because(NO_IMAGES))?;
        let images = Images::new(op, input, format)?;
        let is_upper = op.get_string("padding_align") == Some("UPPER");
        let window = fitting(axes.window(&spatial, is_upper), images.from, images.into)?;
        Ok(Pool { images, window, to })
    }

    fn made(&self, taken: Taken) -> Made<'c, 'a> {
        let is_dilated = (0..2).any(|axis| self.window.size[axis] > 1 && self.window.dilation[axis] > 1);
        let output = match taken {
            Taken::Maximum if is_dilated => self.largest_of_parts()?,
            Taken::Maximum => self.largest()?,
            Taken::Mean { counts_padding } if !is_dilated => self.mean(counts_padding)?,
            Taken::Mean { counts_padding } => {
                let counts = self.counts(counts_padding)?;
                let mean = htp::ElementWiseDivideOpBuilder::new(self.to).lhs(self.sum()?).rhs(counts);
                mean.output_type(self.images.output_type()?).build()?.output()?
            }
            Taken::Sum => self.sum()?,
        };
        Ok(self.images.back(output, self.to)?)
    }

    fn pads(&self) -> Result<Value<'c, 'a>, Failure> {
        self.to.ints(&self.window.pad_amount(), &[2, 2])
    }

    fn largest(&self) -> Result<Value<'c, 'a>, Failure> {
        let input = self.images.last(self.to)?;
        let node = htp::PoolMax2dOpBuilder::new(self.to).input(input).size(steps(self.to, self.window.size)?);
        let node = node.pad_amount(self.pads()?).stride(steps(self.to, self.window.stride)?);
        node.output_type(self.images.output_type()?).build()?.output()
    }

    fn mean(&self, counts_padding: bool) -> Result<Value<'c, 'a>, Failure> {
        let input = self.images.last(self.to)?;
        let node = htp::PoolAvg2dOpBuilder::new(self.to).input(input).size(steps(self.to, self.window.size)?);
        let node = node.pad_amount(self.pads()?).stride(steps(self.to, self.window.stride)?);
        let count_pad = self.to.ints(&[i64::from(counts_padding)], &[1])?;
        node.count_pad(count_pad).output_type(self.images.output_type()?).build()?.output()
    }

    /// Elements of a window.
    fn volume(&self) -> usize {
        let [height, width] = self.window.size.map(|extent| usize::try_from(extent).unwrap_or(usize::MAX));
        height.saturating_mul(width)
    }

    /// A convolution of each channel with ones.
    fn sum(&self) -> Made<'c, 'a> {
        let channels = self.images.from[3];
        let count = usize::try_from(channels).unwrap_or(usize::MAX).saturating_mul(self.volume());
        if count as u64 > MOST_ELEMENTS {
            return Err(Kept::because("the filter that sums its windows is large for a constant"));
        }
        let [height, width] = self.window.size.map(i64::unsigned_abs);
        let node = htp::DepthWiseConv2dOpBuilder::new(self.to)
            .input(self.images.last(self.to)?)
            .filter(self.to.reals(&vec![1.0; count], &[height, width, 1, channels])?)
            .bias(super::bias(None, channels, self.to)?)
            .stride(steps(self.to, self.window.stride)?)
            .pad_amount(self.pads()?)
            .dilation(steps(self.to, self.window.dilation)?);
        Ok(node.output_type(self.images.output_type()?).build()?.output()?)
    }

    /// How many elements of each window count, as a constant.
    fn counts(&self, counts_padding: bool) -> Made<'c, 'a> {
        let [height, width] = [self.images.into[1], self.images.into[2]];
        if counts_padding {
            return Ok(self.to.reals(&[self.volume() as f64], &[1, 1, 1, 1])?);
        }
        if height.saturating_mul(width) > MOST_ELEMENTS {
            return Err(Kept::because("the counts of its windows are large for a constant"));
        }
        let inside = |axis: usize, at: u64| self.window.inside(axis, at as i64, self.images.from[axis + 1] as i64);
        let counts = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let counts: Vec<f64> = counts.map(|(row, column)| (inside(0, row) * inside(1, column)) as f64).collect();
        Ok(self.to.reals(&counts, &[1, height, width, 1])?)
    }

    /// The maximum of the parts of the image that each element of a dilated window meets.
    fn largest_of_parts(&self) -> Made<'c, 'a> {
        if self.volume() > MOST_PARTS {
            return Err(Kept::because("its windows are dilated, and large"));
        }
        let input = self.padded()?;
        let ty = self.images.output_type()?;
        let mut largest: Option<Value<'c, 'a>> = None;
        for row in 0..self.window.size[0] {
            for column in 0..self.window.size[1] {
                let part = self.part(input, [row, column])?;
                largest = Some(match largest {
                    None => part,
                    Some(before) => {
                        let node = htp::ElementWiseMaximumOpBuilder::new(self.to).lhs(before).rhs(part);
                        node.output_type(ty).build()?.output()?
                    }
                });
            }
        }
        largest.ok_or_else(|| Kept::because("its windows are empty"))
    }

    /// The image with what stands around it, which is less than everything.
    fn padded(&self) -> Result<Value<'c, 'a>, Failure> {
        let input = self.images.last(self.to)?;
        let [top, left, bottom, right] = self.window.padding;
        if self.window.padding == [0; 4] {
            return Ok(input);
        }
        let mut dims = static_dims(input.r#type()).unwrap_or_default();
        dims[1] += (top + bottom).unsigned_abs();
        dims[2] += (left + right).unsigned_abs();
        let node = htp::PadOpBuilder::new(self.to)
            .input(input)
            .value(self.to.reals(&[f64::NEG_INFINITY], &[])?)
            .axes(self.to.ints(&[1, 2], &[2])?)
            .padding(self.to.ints(&[top, left, bottom, right], &[4])?)
            .method(self.to.ints(&[0], &[1])?);
        node.output_type(tensor(types::element(input.r#type()), &dims)?).build()?.output()
    }

    /// What an element of all windows meets.
    fn part(&self, input: Value<'c, 'a>, at: [i64; 2]) -> Result<Value<'c, 'a>, Failure> {
        let begin = [0, 1].map(|axis| at[axis] * self.window.dilation[axis]);
        let end =
            [0, 1].map(|axis| begin[axis] + (self.images.into[axis + 1] as i64 - 1) * self.window.stride[axis] + 1);
        let node = htp::StridedSliceOpBuilder::new(self.to)
            .input(input)
            .axes(self.to.ints(&[1, 2], &[2])?)
            .begin(self.to.ints(&begin, &[2])?)
            .end(self.to.ints(&end, &[2])?)
            .stride(self.to.ints(&self.window.stride, &[2])?);
        node.output_type(self.images.output_type()?).build()?.output()
    }
}

/// Windows with more elements stay whole.
const MOST_PARTS: usize = 32;
