//! Geometry of windows over images: what convolutions and poolings have in common.

/// `[batch, channels, height, width]` to `[batch, height, width, channels]`.
pub const TO_CHANNELS_LAST: [usize; 4] = [0, 2, 3, 1];
/// `[batch, height, width, channels]` to `[batch, channels, height, width]`.
pub const TO_CHANNELS_FIRST: [usize; 4] = [0, 3, 1, 2];
/// `[n, c, height, width]` to `[height, width, c, n]`, as filters have it.
pub const TO_FILTER: [usize; 4] = [2, 3, 1, 0];

/// A window moving over height and width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// How far it reaches: rows, columns.
    pub size: [i64; 2],
    /// How far it moves from one result to the next: rows, columns.
    pub stride: [i64; 2],
    /// The distance of its elements.
    pub dilation: [i64; 2],
    /// Elements before height and width, then behind them.
    pub padding: [i64; 4],
}

/// What operators say of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowAttributes {
    /// How far it reaches.
    pub size: [i64; 2],
    /// How far it moves.
    pub stride: [i64; 2],
    /// The distance of its elements.
    pub dilation: [i64; 2],
    /// Elements before height and width, then behind them.
    pub padding: Option<[i64; 4]>,
    /// Whether the odd element of automatic padding goes behind.
    pub is_upper: bool,
}

impl WindowAttributes {
    /// The window that gives `output` from `input`. Without `padding` there is as much as is needed; an output that is
    /// rounded up has more of it behind. `None` where elements are cut off instead.
    pub fn window(self, input: [i64; 2], output: [i64; 2]) -> Option<Window> {
        let WindowAttributes { size, stride, dilation, padding, is_upper } = self;
        if stride.iter().chain(&dilation).chain(&size).chain(&input).any(|extent| *extent <= 0) {
            return None;
        }
        let mut window = Window { size, stride, dilation, padding: padding.unwrap_or_default() };
        for axis in 0..2 {
            let total = (output[axis] - 1) * stride[axis] + window.covered(axis) - input[axis];
            if padding.is_none() {
                window.padding[axis] = if is_upper { total.div_euclid(2) } else { -(-total).div_euclid(2) };
                window.padding[axis + 2] = total - window.padding[axis];
            }
            let behind = total - window.padding[axis];
            window.padding[axis + 2] = window.padding[axis + 2].max(behind);
        }
        let fits = window.padding.iter().all(|p| *p >= 0) && window.output(input) == output;
        fits.then_some(window)
    }
}

impl Window {
    /// Elements of the input that it covers along an axis.
    fn covered(&self, axis: usize) -> i64 {
        (self.size[axis] - 1) * self.dilation[axis] + 1
    }

    /// Height and width of the output, rounded down.
    pub fn output(&self, input: [i64; 2]) -> [i64; 2] {
        [0, 1].map(|axis| {
            let padded = input[axis] + self.padding[axis] + self.padding[axis + 2];
            (padded - self.covered(axis)).div_euclid(self.stride[axis]) + 1
        })
    }

    /// How many elements of the window at one output lie inside of the input, along an axis.
    pub fn inside(&self, axis: usize, at: i64, input: i64) -> i64 {
        let begin = at * self.stride[axis] - self.padding[axis];
        let positions = (0..self.size[axis]).map(|element| begin + element * self.dilation[axis]);
        positions.filter(|position| (0..input).contains(position)).count() as i64
    }

    /// The padding as ops of the tensor processor have it: before and behind height, before and behind width.
    pub fn pad_amount(&self) -> [i64; 4] {
        let [top, left, bottom, right] = self.padding;
        [top, bottom, left, right]
    }
}

/// Extents as integers.
pub fn pair(extents: &[u64]) -> Option<[i64; 2]> {
    let [height, width] = extents else { return None };
    Some([i64::try_from(*height).ok()?, i64::try_from(*width).ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(size: [i64; 2], stride: [i64; 2], padding: Option<[i64; 4]>, is_upper: bool) -> WindowAttributes {
        WindowAttributes { size, stride, dilation: [1, 1], padding, is_upper }
    }

    #[test]
    fn automatic_padding_keeps_the_size() {
        let window = attributes([3, 2], [1, 1], None, true).window([8, 8], [8, 8]).unwrap();
        assert_eq!(window.padding, [1, 0, 1, 1]);
        let lower = attributes([3, 2], [1, 1], None, false).window([8, 8], [8, 8]).unwrap();
        assert_eq!(lower.padding, [1, 1, 1, 0]);
    }

    #[test]
    fn rounding_up_pads_behind() {
        let window = attributes([2, 2], [2, 2], Some([0; 4]), true).window([5, 4], [3, 2]).unwrap();
        assert_eq!(window.padding, [0, 0, 1, 0]);
    }

    #[test]
    fn cut_off_elements_have_no_window() {
        assert_eq!(attributes([1, 1], [2, 2], None, true).window([9, 9], [4, 4]), None);
        assert_eq!(attributes([1, 1], [0, 1], None, true).window([9, 9], [9, 9]), None);
        assert_eq!(attributes([3, 3], [1, 1], Some([-1, 0, 0, 0]), true).window([9, 9], [6, 7]), None);
    }

    #[test]
    fn alexnet_has_its_sizes() {
        let window = attributes([11, 11], [4, 4], Some([0; 4]), true).window([224, 224], [54, 54]).unwrap();
        assert_eq!(window.output([224, 224]), [54, 54]);
        assert_eq!(window.pad_amount(), [0; 4]);
    }
}
