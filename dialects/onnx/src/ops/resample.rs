//! Which elements of a dimension make one of the resized dimension, and by what weights.

/// How a new position becomes one of the old dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coordinates {
    HalfPixel,
    HalfPixelSymmetric,
    /// `tf_half_pixel_for_nn`, which versions 11 and 12 have: half an element further.
    HalfPixelForNearest,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    /// `tf_crop_and_resize`: only a region is seen, with aligned corners.
    Region,
}

impl Coordinates {
    /// The one that an attribute names.
    pub(crate) fn of(name: &str) -> Option<Coordinates> {
        Some(match name {
            "half_pixel" => Coordinates::HalfPixel,
            "tf_half_pixel_for_nn" => Coordinates::HalfPixelForNearest,
            "half_pixel_symmetric" => Coordinates::HalfPixelSymmetric,
            "pytorch_half_pixel" => Coordinates::PytorchHalfPixel,
            "align_corners" => Coordinates::AlignCorners,
            "asymmetric" => Coordinates::Asymmetric,
            "tf_crop_and_resize" => Coordinates::Region,
            _ => return None,
        })
    }
}

/// Which of two elements is the nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    PreferFloor,
    PreferCeil,
    Floor,
    Ceil,
}

impl Rounding {
    /// The one that an attribute names.
    pub(crate) fn of(name: &str) -> Option<Rounding> {
        Some(match name {
            "round_prefer_floor" => Rounding::PreferFloor,
            "round_prefer_ceil" => Rounding::PreferCeil,
            "floor" => Rounding::Floor,
            "ceil" => Rounding::Ceil,
            _ => return None,
        })
    }

    /// What the standard library calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Rounding::PreferFloor => "ROUND_PREFER_FLOOR",
            Rounding::PreferCeil => "ROUND_PREFER_CEIL",
            Rounding::Floor => "FLOOR",
            Rounding::Ceil => "CEIL",
        }
    }

    fn round(self, position: f64) -> f64 {
        match self {
            Rounding::PreferFloor => (position - 0.5).ceil(),
            Rounding::PreferCeil => (position + 0.5).floor(),
            Rounding::Floor => position.floor(),
            Rounding::Ceil => position.ceil(),
        }
    }
}

/// What weighs the elements around a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kernel {
    Nearest(Rounding),
    Linear { antialiased: bool },
    Cubic { antialiased: bool, parameter: f64 },
}

impl Kernel {
    /// How far it reaches to each side.
    fn reach(self) -> i64 {
        match self {
            Kernel::Nearest(_) | Kernel::Linear { .. } => 1,
            Kernel::Cubic { .. } => 2,
        }
    }

    /// The weight of an element at a distance.
    fn weight(self, distance: f64) -> f64 {
        let x = distance.abs();
        match self {
            Kernel::Nearest(_) => 1.0,
            Kernel::Linear { .. } => (1.0 - x).max(0.0),
            Kernel::Cubic { parameter: a, .. } if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            Kernel::Cubic { parameter: a, .. } if x < 2.0 => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
            Kernel::Cubic { .. } => 0.0,
        }
    }

    fn is_antialiased(self) -> bool {
        matches!(self, Kernel::Linear { antialiased: true } | Kernel::Cubic { antialiased: true, .. })
    }
}

/// One dimension that is resized.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    /// The old extent.
    pub(crate) extent: i64,
    /// The new extent.
    pub(crate) size: i64,
    /// The new extent by the old one, before it is rounded.
    pub(crate) scale: f64,
    /// The part that is seen, of [`Coordinates::Region`].
    pub(crate) region: (f64, f64),
    /// How positions are found.
    pub(crate) coordinates: Coordinates,
    /// Whether elements beyond the ends do not count; else the ends are repeated.
    pub(crate) excludes_outside: bool,
}

/// The elements that make each new one, a row for each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// Elements of a row.
    pub(crate) width: usize,
    /// Positions in the old dimension.
    pub(crate) positions: Vec<i64>,
    /// Their weights.
    pub(crate) weights: Vec<f64>,
    /// Which new elements lie outside of the old dimension.
    pub(crate) is_outside: Vec<bool>,
}

impl Axis {
    /// The table of a kernel.
    pub(crate) fn table(&self, kernel: Kernel) -> Table {
        let mut table = Table { width: 1, positions: Vec::new(), weights: Vec::new(), is_outside: Vec::new() };
        for at in 0..self.size {
            // Regions may lie anywhere.
            let position = self.position(at as f64).clamp(-1e12, 1e12);
            let is_outside =
                self.coordinates == Coordinates::Region && !(0.0..=(self.extent - 1) as f64).contains(&position);
            let row = self.row(kernel, position);
            table.width = row.len();
            for (found, weight) in row {
                table.positions.push(found.clamp(0, (self.extent - 1).max(0)));
                table.weights.push(if is_outside { 0.0 } else { weight });
            }
            table.is_outside.push(is_outside);
        }
        table
    }

    /// How many elements a row has.
    pub(crate) fn width(&self, kernel: Kernel) -> i64 {
        match kernel {
            Kernel::Nearest(_) => 1,
            _ => ((kernel.reach() as f64 / self.narrowing(kernel)).ceil() as i64).saturating_mul(2),
        }
    }

    /// An antialiased kernel is as much wider as elements become fewer.
    fn narrowing(&self, kernel: Kernel) -> f64 {
        if kernel.is_antialiased() { self.scale.min(1.0) } else { 1.0 }
    }

    /// Where a new position lies in the old dimension.
    fn position(&self, at: f64) -> f64 {
        let extent = self.extent as f64;
        let exact = self.scale * extent;
        let half_pixel = (at + 0.5) / self.scale - 0.5;
        let aligned = |part: f64| if exact == 1.0 { None } else { Some(at * part * (extent - 1.0) / (exact - 1.0)) };
        match self.coordinates {
            Coordinates::HalfPixel => half_pixel,
            Coordinates::HalfPixelForNearest => half_pixel + 0.5,
            Coordinates::PytorchHalfPixel if exact == 1.0 => -0.5,
            Coordinates::PytorchHalfPixel => half_pixel,
            Coordinates::HalfPixelSymmetric => extent / 2.0 * (1.0 - self.size as f64 / exact) + half_pixel,
            Coordinates::Asymmetric => at / self.scale,
            Coordinates::AlignCorners => aligned(1.0).unwrap_or(0.0),
            Coordinates::Region => {
                let part = self.region.1 - self.region.0;
                aligned(part).unwrap_or(part * (extent - 1.0) / 2.0) + self.region.0 * (extent - 1.0)
            }
        }
    }

    /// Positions around one, with their weights, whose sum is 1.
    fn row(&self, kernel: Kernel, position: f64) -> Vec<(i64, f64)> {
        if let Kernel::Nearest(rounding) = kernel {
            return vec![(rounding.round(position) as i64, 1.0)];
        }
        let (narrowing, count) = (self.narrowing(kernel), self.width(kernel));
        let first = position.floor() as i64 - count / 2 + 1;
        let mut row: Vec<(i64, f64)> =
            (first..first + count).map(|at| (at, kernel.weight((at as f64 - position) * narrowing))).collect();
        if self.excludes_outside {
            row.iter_mut().filter(|(at, _)| !(0..self.extent).contains(at)).for_each(|(_, weight)| *weight = 0.0);
        }
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        if sum != 0.0 {
            row.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(extent: i64, size: i64, coordinates: Coordinates) -> Axis {
        let scale = size as f64 / extent as f64;
        Axis { extent, size, scale, region: (0.0, 1.0), coordinates, excludes_outside: false }
    }

    #[test]
    fn nearest_elements_round_as_they_are_told() {
        let nearest = |rounding| axis(4, 8, Coordinates::Asymmetric).table(Kernel::Nearest(rounding)).positions;
        assert_eq!(nearest(Rounding::Floor), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(nearest(Rounding::PreferFloor), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(nearest(Rounding::PreferCeil), [0, 1, 1, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn weights_are_shared_by_neighbours() {
        let table = axis(2, 4, Coordinates::HalfPixel).table(Kernel::Linear { antialiased: false });
        assert_eq!(table.weights, [0.25, 0.75, 0.75, 0.25, 0.25, 0.75, 0.75, 0.25]);
        assert_eq!(table.positions, [0, 0, 0, 1, 0, 1, 1, 1]);
        let cubic = Kernel::Cubic { antialiased: true, parameter: -0.5 };
        let table = axis(8, 3, Coordinates::HalfPixel).table(cubic);
        for row in table.weights.chunks(table.width) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_lies_outside_of_a_region_has_no_weights() {
        let seen = Axis { region: (0.5, 1.5), ..axis(5, 5, Coordinates::Region) };
        let table = seen.table(Kernel::Linear { antialiased: false });
        assert_eq!(table.is_outside, [false, false, false, true, true]);
        assert_eq!(table.weights[6..], [0.0; 4]);
    }
}
