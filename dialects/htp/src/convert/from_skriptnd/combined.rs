//! Operators that are several elementwise ops, one behind the other.

use super::{Converted, of_floats};
use crate::convert::builder::{Nodes, permuted, static_dims, tensor};
use crate::convert::by_table::aligned_to;
use crate::convert::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST};
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};

type Made<'c, 'a> = Result<Value<'c, 'a>, Kept>;

const ADD: &str = htp::ElementWiseAddOp::NAME;
const MULTIPLY: &str = htp::ElementWiseMultiplyOp::NAME;
const DIVIDE: &str = htp::ElementWiseDivideOp::NAME;
const LEAST: &str = htp::ElementWiseMinimumOp::NAME;
const MOST: &str = htp::ElementWiseMaximumOp::NAME;

/// What becomes of an operator that is several ops, or one in other terms; `None` if it is none of them.
pub fn combined<'c: 'a, 'a>(op: OperationRef<'c, 'a>, path: &str, to: &Builder<'c, 'a>) -> Option<Converted<'c, 'a>> {
    let make: fn(&Elementwise<'_, 'c, 'a>) -> Made<'c, 'a> = match path {
        "math.sqr" => |of| of.square(),
        "math.rcp" => |of| of.reciprocal(of.operand(0, None)?),
        "math.rsqr" => |of| of.reciprocal(of.squared()?),
        "math.axpb" => |of| of.scaled_and_shifted(),
        "math.axpby" => |of| of.weighted_sum(),
        "math.clamp" => |of| of.limited(),
        // 0 is added: a sum of negative zeros is a positive one.
        "math.sum_n" => |of| of.result(of.joined(ADD, of.folded(ADD)?, of.number(0.0)?)?),
        "math.prod_n" => |of| of.result(of.folded(MULTIPLY)?),
        "math.min_n" => |of| of.result(of.folded(LEAST)?),
        "math.max_n" => |of| of.result(of.folded(MOST)?),
        "image.nearest_upsample" => return Some(nearest(op, to).map(|value| vec![value])),
        "image.linear_upsample" => {
            return Some(Err(Kept::because(
                "`ResizeBilinear` takes its weights in another order, and rounds otherwise",
            )));
        }
        _ => return None,
    };
    Some(Elementwise::new(op, to).and_then(|elementwise| make(&elementwise)).map(|value| vec![value]))
}

/// An operator whose operands and result have the same dimensions, where they do not repeat.
struct Elementwise<'t, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    to: &'t Builder<'c, 'a>,
    rank: usize,
}

impl<'t, 'c: 'a, 'a> Elementwise<'t, 'c, 'a> {
    fn new(op: OperationRef<'c, 'a>, to: &'t Builder<'c, 'a>) -> Result<Self, Kept> {
        of_floats(op)?;
        let rank = types::rank(op.result(0)?.r#type()).unwrap_or_default();
        Ok(Elementwise { op, to, rank })
    }

    /// An operand at the place that an attribute tells, with the channels of images last.
    fn operand(&self, index: usize, align: Option<&str>) -> Made<'c, 'a> {
        let align = align.and_then(|name| self.op.get_integer(name));
        let operand = aligned_to(self.op.operand(index)?, align, self.rank, self.to)?;
        let is_image = types::rank(operand.r#type()) == Some(4);
        Ok(if is_image { self.to.last(operand)? } else { operand })
    }

    fn number(&self, value: f64) -> Made<'c, 'a> {
        Ok(self.to.reals(&[value], &vec![1; self.rank])?)
    }

    /// An op of two operands, whose shapes are broadcast.
    fn joined(&self, name: &str, first: Value<'c, 'a>, second: Value<'c, 'a>) -> Made<'c, 'a> {
        let [mut long, mut short] = [first, second].map(|value| static_dims(value.r#type()).unwrap_or_default());
        if long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        let before = long.len() - short.len();
        for (extent, other) in long[before..].iter_mut().zip(short) {
            *extent = if *extent == 1 { other } else { *extent };
        }
        let ty = tensor(types::element(first.r#type()), &long)?;
        Ok(self.to.operation(name, &[first, second], &[], &[ty])?.result(0)?)
    }

    /// The result as the operator has it.
    fn result(&self, value: Value<'c, 'a>) -> Made<'c, 'a> {
        Ok(if self.rank == 4 { self.to.transpose(value, &TO_CHANNELS_FIRST)? } else { value })
    }

    fn squared(&self) -> Made<'c, 'a> {
        let x = self.operand(0, None)?;
        self.joined(MULTIPLY, x, x)
    }

    fn square(&self) -> Made<'c, 'a> {
        self.result(self.squared()?)
    }

    fn reciprocal(&self, of: Value<'c, 'a>) -> Made<'c, 'a> {
        self.result(self.joined(DIVIDE, self.number(1.0)?, of)?)
    }

    fn scaled_and_shifted(&self) -> Made<'c, 'a> {
        let [a, x] = [self.operand(0, Some("a_align"))?, self.operand(1, Some("x_align"))?];
        let product = self.joined(MULTIPLY, a, x)?;
        let b = self.operand(2, Some("b_align"))?;
        self.result(self.joined(ADD, product, b)?)
    }

    fn weighted_sum(&self) -> Made<'c, 'a> {
        let [a, x] = [self.operand(0, Some("a_align"))?, self.operand(1, Some("x_align"))?];
        let [b, y] = [self.operand(2, Some("b_align"))?, self.operand(3, Some("y_align"))?];
        let sum = self.joined(ADD, self.joined(MULTIPLY, a, x)?, self.joined(MULTIPLY, b, y)?)?;
        self.result(sum)
    }

    /// Limits that are tensors.
    fn limited(&self) -> Made<'c, 'a> {
        let [x, least] = [self.operand(0, Some("val_align"))?, self.operand(1, Some("min_align"))?];
        let raised = self.joined(MOST, x, least)?;
        let most = self.operand(2, Some("max_align"))?;
        self.result(self.joined(LEAST, raised, most)?)
    }

    /// All tensors of a pack.
    fn folded(&self, name: &str) -> Made<'c, 'a> {
        if self.op.operand_count() == 0 {
            return Err(Kept::because("its pack is empty"));
        }
        let mut total = self.operand(0, None)?;
        for index in 1..self.op.operand_count() {
            total = self.joined(name, total, self.operand(index, None)?)?;
        }
        Ok(total)
    }
}

/// Positions are found exactly up to this product of extents: they are `i * extent / size` in floats of 24 bits.
const MOST_EXACT: u64 = 1 << 22;

/// Each element several times: the nearest one below each new position.
fn nearest<'c: 'a, 'a>(upsample: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    of_floats(upsample)?;
    let (input, ty) = (upsample.operand(0)?, upsample.result(0)?.r#type());
    let (from, into) = (static_dims(input.r#type()).unwrap_or_default(), static_dims(ty).unwrap_or_default());
    let is_exact = |(from, into): (&u64, &u64)| from.checked_mul(*into).is_some_and(|product| product <= MOST_EXACT);
    if !from.iter().zip(&into).all(is_exact) {
        return Err(Kept::because("`ResizeNearestNeighbor` does not find all positions of such extents exactly"));
    }
    let order: Vec<usize> = if from.len() == 4 { TO_CHANNELS_LAST.into() } else { (0..from.len()).collect() };
    let resized: Vec<usize> = (0..from.len()).filter(|place| from[order[*place]] != into[order[*place]]).collect();
    if resized.is_empty() {
        return Ok(input);
    }
    let is_image = from.len() == 4;
    let (input, made) = if is_image { (to.last(input)?, permuted(ty, &order)?) } else { (input, ty) };
    let axes: Vec<i64> = resized.iter().map(|place| *place as i64).collect();
    let size: Vec<i64> = resized.iter().map(|place| i64::try_from(into[order[*place]]).unwrap_or(i64::MAX)).collect();
    let count = [axes.len() as u64];
    let node = htp::ResizeNearestNeighborOpBuilder::new(to).input(input);
    let node = node.axes(to.ints(&axes, &count)?).size(to.ints(&size, &count)?);
    // Corners coincide, and positions are rounded down.
    let node = node.transform(to.ints(&[1], &[1])?).rounding(to.ints(&[0], &[1])?);
    let output = node.output_type(made).build()?.output()?;
    Ok(if is_image { to.transpose(output, &TO_CHANNELS_FIRST)? } else { output })
}
