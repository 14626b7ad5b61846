//! What operators with windows have in common.

use super::formats::{Format, NO_IMAGES};
use super::of_floats;
use crate::convert::builder::{Nodes, static_dims, tensor};
use crate::convert::images::{Window, WindowAttributes, pair};
use crate::convert::kept::Kept;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types};

/// The parts of an operator over images; lines are images of height 1.
pub struct Images<'c, 'a> {
    pub input: Value<'c, 'a>,
    format: Format,
    output: Type<'c>,
    /// Batch, height, width and channels of input and output.
    pub from: [u64; 4],
    pub into: [u64; 4],
}

impl<'c: 'a, 'a> Images<'c, 'a> {
    pub fn new(op: OperationRef<'c, 'a>, input: Value<'c, 'a>, format: Format) -> Result<Self, Kept> {
        of_floats(op)?;
        let output = op.result(0)?.r#type();
        let extents = |ty| static_dims(ty).and_then(|dims| format.extents(&dims));
        let (Some(from), Some(into)) = (extents(input.r#type()), extents(output)) else {
            return Err(Kept::because(NO_IMAGES));
        };
        Ok(Images { input, format, output, from, into })
    }

    /// The input with its channels last.
    pub fn last(&self, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        self.format.last(self.input, to)
    }

    /// The output as the operator has it, of what the processor's op gives.
    pub fn back(&self, output: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        self.format.back(output, &static_dims(self.output).unwrap_or_default(), to)
    }

    /// The type of the output with the channels last.
    pub fn output_type(&self) -> Result<Type<'c>, Failure> {
        tensor(types::element(self.output), &self.into)
    }
}

/// Extents over height and width; a line has `neutral` over its height.
pub fn over_both(extents: &[i64], neutral: i64) -> Option<[i64; 2]> {
    match *extents {
        [height, width] => Some([height, width]),
        [width] => Some([neutral, width]),
        _ => None,
    }
}

/// The window of an operator over the larger image that gives the smaller one.
pub fn window(op: OperationRef<'_, '_>, size: [i64; 2], larger: [u64; 4], smaller: [u64; 4]) -> Result<Window, Kept> {
    let both = |name: &str| op.get_integers(name).and_then(|extents| over_both(&extents, 1));
    let padding = op.get_integers("padding").map(|padding| {
        let (before, behind) = padding.split_at(padding.len() / 2);
        Some((over_both(before, 0)?, over_both(behind, 0)?))
    });
    let (Some(stride), Some(dilation), None | Some(Some(_))) = (both("stride"), both("dilation"), padding) else {
        return Err(Kept::because("its strides, dilations and padding are not those of images"));
    };
    let padding = padding.flatten().map(|([top, left], [bottom, right])| [top, left, bottom, right]);
    let is_upper = op.get_string("padding_align") == Some("UPPER");
    fitting(WindowAttributes { size, stride, dilation, padding, is_upper }, larger, smaller)
}

/// The window over the larger image that gives the smaller one.
pub fn fitting(attributes: WindowAttributes, larger: [u64; 4], smaller: [u64; 4]) -> Result<Window, Kept> {
    let extents = |dims: [u64; 4]| pair(&dims[1..3]).unwrap_or_default();
    let window = attributes.window(extents(larger), extents(smaller));
    window.ok_or_else(|| Kept::because("its windows leave out elements at the border"))
}

/// Extents over height and width as the shape `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT`.
pub fn steps<'c: 'a, 'a>(to: &Builder<'c, 'a>, extents: [i64; 2]) -> Result<Value<'c, 'a>, Failure> {
    let [height, width] = extents.map(|extent| extent.unsigned_abs());
    to.shape(&[1, height, width, 1])
}
