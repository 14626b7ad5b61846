//! How operators order the dimensions of images and filters, and how the processor does.

use crate::convert::builder::{Nodes, static_dims};
use crate::convert::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST, TO_FILTER};
use crate::convert::kept::Kept;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, Value};

/// Why an operator stays whose dimensions are others.
pub const NO_IMAGES: &str = "it does not go over height and width of images, or along lines";

/// The order of an image's dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    to_last: Option<[usize; 4]>,
    back: [usize; 4],
    /// The first dimension that windows slide along.
    spatial: usize,
}

impl Format {
    /// Batch, channels, height, width.
    pub const CHANNELS_FIRST: Format = Format { to_last: Some(TO_CHANNELS_LAST), back: TO_CHANNELS_FIRST, spatial: 2 };
    /// Batch, height, width, channels.
    pub const CHANNELS_LAST: Format = Format { to_last: None, back: [0, 1, 2, 3], spatial: 1 };

    pub fn of(name: &str) -> Option<Self> {
        match name {
            "NCX" => Some(Format::CHANNELS_FIRST),
            "NXC" => Some(Format::CHANNELS_LAST),
            "XCN" => Some(Format { to_last: Some([3, 0, 1, 2]), back: [1, 2, 3, 0], spatial: 0 }),
            _ => None,
        }
    }

    /// The extents of an image; a line is one of height 1.
    pub fn lifted(self, dims: &[u64]) -> Option<[u64; 4]> {
        lifted(dims, self.spatial)
    }

    /// An image, or a line as an image of height 1, with its channels last.
    pub fn last<'c: 'a, 'a>(self, value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let value = as_image(value, self.spatial, to)?;
        match self.to_last {
            Some(TO_CHANNELS_LAST) => to.last(value),
            Some(order) => to.transpose(value, &order),
            None => Ok(value),
        }
    }

    /// What has its channels last in this order, with these extents.
    pub fn back<'c: 'a, 'a>(
        self,
        value: Value<'c, 'a>,
        dims: &[u64],
        to: &Builder<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let value = if self.to_last.is_some() { to.transpose(value, &self.back)? } else { value };
        if dims.len() == 4 { Ok(value) } else { to.reshaped(value, dims) }
    }

    /// Extents with the channels last.
    pub fn extents(self, dims: &[u64]) -> Option<[u64; 4]> {
        let dims = self.lifted(dims)?;
        Some(self.to_last.map_or(dims, |order| order.map(|axis| dims[axis])))
    }
}

/// The extents of an image; those of a line get a height of 1 before their width.
fn lifted(dims: &[u64], spatial: usize) -> Option<[u64; 4]> {
    let mut dims = dims.to_vec();
    if dims.len() == 3 {
        dims.insert(spatial, 1);
    }
    dims.try_into().ok()
}

/// A line as an image of height 1; an image as it is.
fn as_image<'c: 'a, 'a>(value: Value<'c, 'a>, spatial: usize, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let dims = static_dims(value.r#type()).ok_or("has a tensor of dynamic shape")?;
    match lifted(&dims, spatial) {
        Some(lifted) if dims.len() < lifted.len() => to.reshaped(value, &lifted),
        _ => Ok(value),
    }
}

/// A filter as the processor has it (height, width, channels of a group, outputs), and its extents.
pub fn filter<'c: 'a, 'a>(
    filter: Value<'c, 'a>,
    format: &str,
    to: &Builder<'c, 'a>,
) -> Result<(Value<'c, 'a>, [u64; 4]), Kept> {
    let (order, spatial) = match format {
        "NCX" => (TO_FILTER, 2),
        "NXC" => ([1, 2, 3, 0], 1),
        "XCN" => ([0, 1, 2, 3], 0),
        "CXN" => ([1, 2, 0, 3], 1),
        _ => return Err(Kept::because("its `filter_format` is not known")),
    };
    let dims = static_dims(filter.r#type()).and_then(|dims| lifted(&dims, spatial));
    let dims = dims.ok_or_else(|| Kept::because(NO_IMAGES))?;
    let filter = as_image(filter, spatial, to)?;
    let moved = if order == [0, 1, 2, 3] { filter } else { to.transpose(filter, &order)? };
    Ok((moved, order.map(|axis| dims[axis])))
}
