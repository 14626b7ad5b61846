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

impl Window {
    /// The window of an operator; without `padding` the output has the extents of the input divided by the stride, and
    /// `upper` tells that the odd element of padding goes behind. `None` where elements are cut off instead.
    pub fn new(
        input: [i64; 2],
        size: [i64; 2],
        stride: [i64; 2],
        dilation: [i64; 2],
        padding: Option<[i64; 4]>,
        upper: bool,
    ) -> Option<Self> {
        let automatic = || {
            let mut padding = [0; 4];
            for axis in 0..2 {
                let covered = (size[axis] - 1) * dilation[axis] + 1;
                let total = (input[axis].div_euclid(stride[axis]) - 1) * stride[axis] + covered - input[axis];
                let before = if upper { total.div_euclid(2) } else { -(-total).div_euclid(2) };
                padding[axis] = before;
                padding[axis + 2] = total - before;
            }
            padding
        };
        if stride.iter().chain(&dilation).chain(&size).any(|extent| *extent <= 0) {
            return None;
        }
        let padding = padding.unwrap_or_else(automatic);
        padding.iter().all(|p| *p >= 0).then_some(Window { size, stride, dilation, padding })
    }

    /// Height and width of the output, rounded down.
    pub fn output(&self, input: [i64; 2]) -> [i64; 2] {
        [0, 1].map(|axis| {
            let covered = (self.size[axis] - 1) * self.dilation[axis] + 1;
            (input[axis] + self.padding[axis] + self.padding[axis + 2] - covered).div_euclid(self.stride[axis]) + 1
        })
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

    #[test]
    fn automatic_padding_keeps_the_size() {
        let window = Window::new([8, 8], [3, 2], [1, 1], [1, 1], None, true).unwrap();
        assert_eq!(window.padding, [1, 0, 1, 1]);
        assert_eq!(window.output([8, 8]), [8, 8]);
        let lower = Window::new([8, 8], [3, 2], [1, 1], [1, 1], None, false).unwrap();
        assert_eq!(lower.padding, [1, 1, 1, 0]);
    }

    #[test]
    fn cut_off_elements_have_no_window() {
        assert_eq!(Window::new([9, 9], [1, 1], [2, 2], [1, 1], None, true), None);
        assert_eq!(Window::new([9, 9], [1, 1], [0, 1], [1, 1], None, true), None);
    }

    #[test]
    fn alexnet_has_its_sizes() {
        let window = Window::new([224, 224], [11, 11], [4, 4], [1, 1], Some([0; 4]), true).unwrap();
        assert_eq!(window.output([224, 224]), [54, 54]);
        assert_eq!(window.pad_amount(), [0; 4]);
    }
}
