//! Which convolutions have Winograd's form, and as which tiles.

use super::transforms::Tile;
use crate::nest::element::{Element, Number};
use crate::tensors::roles::{Roles, is_fixed};
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Expr;
use skriptnd_mlir::ir::{Value, types};

/// A convolution of images, channels last, with filters of 3 by 3.
#[derive(Clone, Copy)]
pub struct Convolution<'c, 'a> {
    /// The images, with what is around them.
    pub image: Value<'c, 'a>,
    /// The filter.
    pub filter: Value<'c, 'a>,
    /// The places of output channel, input channel, row and column in the filter.
    pub places: [usize; 4],
    /// What the elements of images and filter are.
    pub numbers: [Number; 2],
    /// What is added to.
    pub initial: Value<'c, 'a>,
    /// Rows and columns of the output, or what they are taken for.
    pub usual: [i64; 2],
    /// Channels that are read.
    pub inputs: i64,
    /// Channels that are written.
    pub outputs: i64,
}

/// Rows and columns of a filter.
pub const SIDE: i64 = 3;

impl<'c: 'a, 'a> Convolution<'c, 'a> {
    /// What a structured operation is, if it is such a convolution of real numbers or integers by a filter that is known before the run.
    pub fn of(structured: &Structured<'c, 'a>) -> Option<Self> {
        let roles = Roles::of(structured).filter(|roles| !roles.depthwise)?;
        let output = structured.output_map()?.as_dims()?;
        let &[batch, row, column, channel] = output.as_slice() else { return None };
        let [Expr::Dim(image), down, across, Expr::Dim(read)] = structured.maps[roles.input].results.as_slice() else {
            return None;
        };
        let [down, across] = [window(down, row)?, window(across, column)?];
        let filter = structured.maps[roles.filter].as_dims()?;
        let place = |dim: usize| filter.iter().position(|own| *own == dim);
        let places = [place(channel)?, place(*read)?, place(down)?, place(across)?];
        let extent = |dim: usize| structured.open[dim].is_none().then_some(structured.extents[dim]);
        let dims = [batch, row, column, channel, *read, down, across];
        let is_of_words = roles.sum == Element::Integer(32);
        let fits = *image == batch
            && channel == roles.channel
            && structured.extents.len() == dims.len()
            && [*read, down, across].iter().all(|&dim| structured.reduced[dim])
            && [down, across].iter().all(|&dim| extent(dim) == Some(SIDE))
            && is_fixed(structured.inputs[roles.filter])
            && (is_of_words || roles.sum == Element::Real(32))
            && [roles.input, roles.filter].iter().all(|&input| is_narrow(structured.inputs[input], is_of_words));
        fits.then_some(Convolution {
            image: structured.inputs[roles.input],
            filter: structured.inputs[roles.filter],
            places,
            numbers: roles.numbers,
            initial: *structured.outputs.first()?,
            usual: [structured.extents[row], structured.extents[column]],
            inputs: extent(*read)?,
            outputs: extent(channel)?,
        })
    }

    /// Whether integers are multiplied, and added up in words.
    pub fn is_of_integers(&self) -> bool {
        matches!(self.numbers[0], Number::Signed(_) | Number::Unsigned(_))
    }

    /// How many tiles there are usually along rows and columns of an image.
    pub fn usual_tiles(&self, tile: Tile) -> [i64; 2] {
        self.usual.map(|extent| tiles(extent, tile))
    }
}

/// How many tiles so many outputs need.
pub fn tiles(outputs: i64, tile: Tile) -> i64 {
    (outputs + tile.outputs() - 1) / tile.outputs()
}

/// The dimension of a window along a dimension of the output: neighbours in both are neighbours in the image.
fn window(index: &Expr, along: usize) -> Option<usize> {
    let Expr::Add(one, other) = index else { return None };
    match (one.as_dim()?, other.as_dim()?) {
        (own, window) | (window, own) if own == along => Some(window),
        _ => None,
    }
}

/// Whether the elements of a tensor are reals that f32 has, or integers of at most 16 bits.
fn is_narrow(tensor: Value<'_, '_>, is_of_words: bool) -> bool {
    match elements::of(types::element(tensor.r#type())) {
        Some(Element::Integer(2..=16)) => is_of_words,
        Some(Element::Real(16 | 32) | Element::BFloat) => !is_of_words,
        _ => false,
    }
}
