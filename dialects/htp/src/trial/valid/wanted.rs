//! What ops want of their operands, for a result of some shape and type: one of the ways in which they can be put together.

use super::super::Random;
use crate::apply::{Encoding, OutputDef};
use crate::grammar::model::DType;

/// What an operand has to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// A tensor to compute with.
    Tensor(OutputDef),
    /// A `$Shape`.
    Shape(Vec<u64>),
    /// Constant integers, and their shape.
    Ints(Vec<i64>, Vec<u64>),
    /// A constant number, of so many dimensions.
    Real(f64, usize),
}

/// The ops of one tensor.
const UNARY: [&str; 19] = [
    "Relu",
    "Sigmoid",
    "Tanh",
    "Gelu",
    "Silu",
    "HardSwish",
    "ElementWiseSoftplus",
    "ElementWiseNeg",
    "ElementWiseAbs",
    "ElementWiseSign",
    "ElementWiseExp",
    "ElementWiseLog",
    "ElementWiseSquareRoot",
    "ElementWiseRsqrt",
    "ElementWiseSin",
    "ElementWiseCos",
    "ElementWiseFloor",
    "ElementWiseCeil",
    "ElementWiseRound",
];

const REDUCTIONS: [&str; 5] = ["ReduceMean", "ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax"];

/// The result of an op, and what it wants; `None` where it gives no such result, or it is not known here. `operands` tells how many
/// the match has, `other` a type for what an op converts.
pub fn wanted(
    op: &str,
    output: OutputDef,
    operands: usize,
    other: Encoding,
    random: &mut Random,
) -> Option<(OutputDef, Vec<Wanted>)> {
    let rank = output.dims.len();
    let of_root = |operands| Some((output.clone(), operands));
    let same = || Wanted::Tensor(output.clone());
    match op {
        "Dequantize" | "Quantize" | "Requantize" | "Cast" => converted(op, &output, other, random),
        "ReluMinMax" => {
            let least = random.choose(&[0.0, -1.0]).unwrap_or(0.0);
            of_root(vec![same(), Wanted::Real(least, rank), Wanted::Real(6.0, rank)])
        }
        "LeakyRelu" | "Elu" => of_root(vec![same(), Wanted::Real(0.25, 1)]),
        "HardSigmoid" => of_root(vec![same(), Wanted::Real(0.25, 1), Wanted::Real(0.5, 1)]),
        "Softmax" => of_root(vec![same(), Wanted::Real(1.0, 4)]),
        "Reshape" | "Transpose" | "Slice_shape" => of_root(moved(op, &output, random)),
        "Concat" => of_root(joined(&output, operands, random)?),
        _ if UNARY.contains(&op) => of_root(vec![same()]),
        _ if REDUCTIONS.contains(&op) => {
            let axis = random.below(rank);
            let (mut result, mut from) = (output.clone(), output.dims.clone());
            (result.dims[axis], from[axis]) = (1, 1 + random.below(4) as u64);
            let operand = Wanted::Tensor(OutputDef { dims: from, encoding: output.encoding.clone() });
            Some((result, vec![operand, Wanted::Ints(vec![axis as i64], vec![1]), Wanted::Ints(vec![0], vec![1])]))
        }
        _ if op.starts_with("ElementWise") => {
            let narrow = if random.below(2) == 0 { vec![1; rank] } else { output.dims.clone() };
            let narrow = Wanted::Tensor(OutputDef { dims: narrow, encoding: output.encoding.clone() });
            let other = if random.below(4) == 0 { narrow } else { same() };
            of_root(vec![same(), other])
        }
        _ => windows(op, output, random),
    }
}

/// Ops whose result has another type than their operand.
fn converted(op: &str, output: &OutputDef, other: Encoding, random: &mut Random) -> Option<(OutputDef, Vec<Wanted>)> {
    let encoding = output.encoding.clone();
    let is_quantized = |encoding: &Encoding| encoding.dtype().is_quantized();
    let float = Encoding::plain(DType::Float32);
    let quantized = if is_quantized(&other) { other.clone() } else { Encoding::new(DType::QUInt8, 128, 0.0625) };
    let (to, from) = match op {
        "Dequantize" => (float, quantized),
        "Quantize" => (if is_quantized(&encoding) { encoding } else { quantized }, float),
        "Requantize" => {
            let coarser = Encoding::new(DType::QInt8, 0, 0.125);
            (if is_quantized(&encoding) { encoding } else { coarser }, quantized)
        }
        _ => {
            let from = random.choose(&[DType::Float32, DType::Float16, DType::Int32]).unwrap_or(DType::Float32);
            let is_chosen = is_quantized(&other) || random.below(2) == 0;
            let from = if is_chosen { Encoding::plain(from) } else { other };
            (if is_quantized(&encoding) { float } else { encoding }, from)
        }
    };
    let of = |encoding| OutputDef { dims: output.dims.clone(), encoding };
    Some((of(to), vec![Wanted::Tensor(of(from))]))
}

/// Ops that move elements: what they move, and how.
fn moved(op: &str, output: &OutputDef, random: &mut Random) -> Vec<Wanted> {
    let OutputDef { dims, encoding } = output.clone();
    let rank = dims.len();
    let of = |dims: Vec<u64>| Wanted::Tensor(OutputDef { dims, encoding: encoding.clone() });
    match op {
        "Reshape" => {
            let flat = vec![dims.iter().product()];
            let from = if random.below(2) == 0 { flat } else { dims.iter().rev().copied().collect() };
            vec![of(from), Wanted::Shape(dims)]
        }
        "Transpose" => {
            let mut order: Vec<usize> = (0..rank).collect();
            (1..rank).for_each(|at| order.swap(at, random.below(at + 1)));
            let mut from = vec![0; rank];
            order.iter().zip(&dims).for_each(|(axis, extent)| from[*axis] = *extent);
            let order: Vec<i64> = order.into_iter().map(|axis| axis as i64).collect();
            vec![of(from), Wanted::Ints(order, vec![rank as u64])]
        }
        _ => {
            let start: Vec<u64> = dims.iter().map(|_| random.below(3) as u64).collect();
            let whole =
                dims.iter().zip(&start).map(|(extent, start)| extent + start + random.below(2) as u64).collect();
            vec![of(whole), Wanted::Shape(start), Wanted::Shape(dims)]
        }
    }
}

/// An axis, and as many parts along it as the match has.
fn joined(output: &OutputDef, operands: usize, random: &mut Random) -> Option<Vec<Wanted>> {
    let OutputDef { dims, encoding } = output.clone();
    let (axis, parts) = (random.below(dims.len()), operands.checked_sub(1)?.max(1));
    let extents = split(*dims.get(axis)?, parts)?;
    let part = |extent: u64| {
        let mut dims = dims.clone();
        dims[axis] = extent;
        Wanted::Tensor(OutputDef { dims, encoding: encoding.clone() })
    };
    let axis = Wanted::Ints(vec![axis as i64], vec![1]);
    Some([axis].into_iter().chain(extents.into_iter().map(part)).collect())
}

/// A number as a sum of so many.
fn split(whole: u64, parts: usize) -> Option<Vec<u64>> {
    let parts = u64::try_from(parts).ok().filter(|parts| *parts > 0 && *parts <= whole)?;
    Some((0..parts).map(|part| whole / parts + u64::from(part < whole % parts)).collect())
}

/// Products with filters, and windows over images: what they want beside the image is in floats.
fn windows(op: &str, output: OutputDef, random: &mut Random) -> Option<(OutputDef, Vec<Wanted>)> {
    let OutputDef { dims, encoding } = output.clone();
    let float = |dims: Vec<u64>| Wanted::Tensor(OutputDef { dims, encoding: Encoding::plain(DType::Float32) });
    let input = |dims: Vec<u64>| Wanted::Tensor(OutputDef { dims, encoding: encoding.clone() });
    let mut choose = |values: &[u64]| random.choose(values).unwrap_or(1);
    if let ("FullyConnected" | "FullyConnected.relu", &[rows, columns]) = (op, &dims[..]) {
        let inner = choose(&[1, 2, 3, 5]);
        return Some((output, vec![input(vec![rows, inner]), float(vec![columns, inner]), float(vec![columns])]));
    }
    let [batch, height, width, channels] = dims[..] else { return None };
    let (size, stride) = ([choose(&[1, 2, 3]), choose(&[1, 2, 3])], [choose(&[1, 2]), choose(&[1, 2])]);
    let is_dilated = op.starts_with("Conv2d") || op.starts_with("DepthWiseConv2d");
    let dilation = [(); 2].map(|()| if is_dilated { choose(&[1, 2, 3]) } else { 1 });
    // Pads are smaller than windows.
    let pads: Vec<u64> = [size[0], size[0], size[1], size[1]].map(|size| choose(&[0, 0, 1]).min(size - 1)).to_vec();
    let reach = [0, 1].map(|at| (size[at] - 1) * dilation[at] + 1);
    let extent = |extent: u64, at: usize| {
        (extent.checked_sub(1)? * stride[at] + reach[at])
            .checked_sub(pads[2 * at] + pads[2 * at + 1])
            .filter(|e| *e > 0)
    };
    let (above, across) = (extent(height, 0)?, extent(width, 1)?);
    let step = |steps: [u64; 2]| Wanted::Shape(vec![1, steps[0], steps[1], 1]);
    let pads = Wanted::Ints(pads.iter().map(|pad| *pad as i64).collect(), vec![2, 2]);
    Some(match op {
        "Conv2d" | "Conv2d.relu" => {
            let (inner, groups) = (choose(&[1, 2, 3]), choose(&[1, 1, 2, 3]));
            let groups = if channels % groups == 0 { groups } else { 1 };
            let filter = float(vec![size[0], size[1], inner, channels]);
            let image = input(vec![batch, above, across, inner * groups]);
            let groups = Wanted::Ints(vec![groups as i64], vec![1]);
            (output, vec![image, filter, float(vec![channels]), step(stride), pads, step(dilation), groups])
        }
        "DepthWiseConv2d" | "DepthWiseConv2d.relu" => {
            let filter = float(vec![size[0], size[1], 1, channels]);
            let image = input(vec![batch, above, across, channels]);
            (output, vec![image, filter, float(vec![channels]), step(stride), pads, step(dilation)])
        }
        "PoolMax2d" => (output, vec![input(vec![batch, above, across, channels]), step(size), pads, step(stride)]),
        "PoolAvg2d" => {
            let counts = Wanted::Ints(vec![choose(&[0, 1]) as i64], vec![1]);
            (output, vec![input(vec![batch, above, across, channels]), step(size), pads, step(stride), counts])
        }
        _ => return None,
    })
}
