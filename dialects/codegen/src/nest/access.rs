//! Where an operand's element lies in memory, as a sum of one function per dimension of the iteration space.

use skriptnd_mlir::ir::affine::{Expr, Map};

/// Words of a vector, where targets have whole vectors only.
const WORDS: i64 = 32;

/// A distance that only a run knows: some strides of a dimension of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Open {
    /// The dimension of the memory whose stride it is.
    pub stride: usize,
    /// How many strides.
    pub factor: i64,
    /// What the distance is taken for where distances are compared.
    pub typical: i64,
    /// Of what number the stride is a multiple.
    pub multiple: i64,
}

impl Open {
    /// So many times as far.
    fn times(self, count: i64) -> Open {
        Open { factor: self.factor * count, typical: self.typical.saturating_mul(count), ..self }
    }

    /// Adds it to others of the same stride; none where they are of another one.
    fn add_to(self, others: &mut Option<Open>) -> Option<()> {
        let known = others.get_or_insert(Open { factor: 0, typical: 0, ..self });
        known.factor += self.factor;
        known.typical = known.typical.saturating_add(self.typical);
        (known.stride == self.stride).then_some(())
    }
}

/// How an address depends on one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Proportional.
    Linear(i64),
    /// Proportional to a stride that only a run knows.
    Open(Open),
    /// The dimension is cut into panels: `d floordiv size * outer + d mod size * inner`.
    Panel {
        /// Length of a panel.
        size: i64,
        /// Distance between panels.
        outer: i64,
        /// Distance within a panel.
        inner: i64,
    },
}

impl Step {
    /// Distance of neighbours in a tile that starts at a multiple of `tile`; none if it varies.
    pub fn in_tile(self, tile: i64) -> Option<i64> {
        match self {
            Step::Linear(distance) => Some(distance),
            Step::Open(_) => None,
            Step::Panel { size, inner, .. } => (tile > 0 && size % tile == 0).then_some(inner),
        }
    }

    /// Where a vector of so many lanes has several panels: how many times as far apart they are as they are long, once or not at all
    /// being the same for all.
    pub fn spread(self, lanes: i64) -> Option<i64> {
        let Step::Panel { size, outer, inner: 1 } = self else { return None };
        let fits = size > 0 && size < lanes && lanes % size == 0 && outer % size == 0;
        Some(outer / size).filter(|times| fits && [0, 2].contains(times))
    }

    /// Whether a vector of so many lanes has several panels of groups of a filter, the same in each.
    pub fn repeats(self, lanes: i64, group: i64) -> bool {
        let Step::Panel { size, outer: 0, inner } = self else { return false };
        inner == group && size > 0 && size < lanes && lanes % size == 0
    }

    /// Where a vector of so many lanes has several panels that are whole vectors of words, and all lanes of one are the same: how far apart
    /// these are.
    pub fn for_panels(self, lanes: i64) -> Option<i64> {
        let Step::Panel { size, outer, inner: 0 } = self else { return None };
        (size > 0 && size < lanes && lanes % size == 0 && size % WORDS == 0).then_some(outer)
    }

    /// The distance of the first lanes of vectors in a tile, and of neighbours where there are no panels in one.
    pub fn between(self, tile: i64, lanes: i64) -> Option<i64> {
        let repeats = matches!(self, Step::Panel { inner, .. } if self.repeats(lanes, inner)).then_some(0);
        self.spread(lanes).or(repeats).or_else(|| self.in_tile(tile))
    }

    /// The distance, if it is the same everywhere.
    pub fn linear(self) -> Option<i64> {
        match self {
            Step::Linear(distance) => Some(distance),
            Step::Open(_) | Step::Panel { .. } => None,
        }
    }

    /// The step to the index that is so many further; of panels their own.
    pub fn times(self, count: i64) -> Step {
        match self {
            Step::Linear(distance) => Step::Linear(distance * count),
            Step::Open(open) => Step::Open(open.times(count)),
            Step::Panel { .. } => self,
        }
    }

    /// Whether the distance of neighbours is the same everywhere.
    pub fn is_even(self) -> bool {
        !matches!(self, Step::Panel { .. })
    }

    /// How far neighbours are apart, or panels: an estimate where only a run knows that.
    pub fn typical(self) -> i64 {
        match self {
            Step::Linear(distance) => distance.abs(),
            Step::Open(open) => open.typical.abs(),
            Step::Panel { outer, .. } => outer.abs(),
        }
    }

    /// Whether the address depends on the dimension.
    pub fn moves(self) -> bool {
        self != Step::Linear(0)
    }
}

/// The distance of neighbours along a dimension of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// So many elements.
    Known(i64),
    /// Only a run knows it.
    Open(Open),
}

impl Stride {
    /// Whether a step goes to the next index.
    pub fn is(self, step: Step) -> bool {
        match (self, step) {
            (Stride::Known(own), Step::Linear(distance)) => own == distance,
            (Stride::Open(own), Step::Open(open)) => own.stride == open.stride && own.factor == open.factor,
            _ => false,
        }
    }
}

/// An address in elements: `offset` plus one step function per dimension.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Access {
    /// Constant part.
    pub offset: i64,
    /// The same of strides that only a run knows.
    pub open_offset: Option<Open>,
    /// One per dimension.
    pub steps: Vec<Step>,
}

impl Access {
    /// The address that an indexing map gives in a memref of these strides; none if it is no such sum.
    pub fn new(map: &Map, strides: &[Stride], offset: i64) -> Option<Access> {
        let dims = map.dims;
        let (linear, open, panels) = (vec![0; dims], vec![None; dims], vec![None; dims]);
        let mut terms = Terms { offset, open_offset: None, linear, open, panels };
        for (expr, stride) in map.results.iter().zip(strides) {
            match *stride {
                Stride::Known(stride) => terms.add(expr, stride)?,
                Stride::Open(open) => terms.add_open(expr, open)?,
            }
        }
        let others = terms.open.into_iter().zip(terms.panels);
        let steps = terms.linear.into_iter().zip(others).map(|(linear, others)| match others {
            (None, None) => Some(Step::Linear(linear)),
            (Some(open), None) => (linear == 0).then_some(Step::Open(open)),
            (None, Some((size, outer, inner))) => (linear == 0).then_some(Step::Panel { size, outer, inner }),
            (Some(_), Some(_)) => None,
        });
        Some(Access { offset: terms.offset, open_offset: terms.open_offset, steps: steps.collect::<Option<_>>()? })
    }

    /// Whether only a run knows some of the strides.
    pub fn is_open(&self) -> bool {
        self.open_offset.is_some() || self.open().next().is_some()
    }

    /// Dimensions along which the address grows by strides that only a run knows: which, and how many.
    pub fn open(&self) -> impl Iterator<Item = (usize, usize, i64)> {
        self.steps.iter().enumerate().filter_map(|(dim, step)| match *step {
            Step::Open(open) => Some((dim, open.stride, open.factor)),
            _ => None,
        })
    }

    /// How many different strides of dimensions only a run knows.
    pub fn open_strides(&self) -> usize {
        let mut strides: Vec<_> = self.open().map(|(_, stride, _)| stride).collect();
        strides.sort_unstable();
        strides.dedup();
        strides.len()
    }

    /// The address as an affine map with one result, as far as strides are known.
    pub fn map(&self) -> Map {
        let mut sum = Expr::Const(self.offset);
        for (dim, step) in self.steps.iter().enumerate() {
            let dim = || Expr::Dim(dim);
            sum = match *step {
                Step::Linear(distance) => sum.plus(dim().times(distance)),
                Step::Open(_) => sum,
                Step::Panel { size, outer, inner } => sum
                    .plus(Expr::FloorDiv(Box::new(dim()), size).times(outer))
                    .plus(Expr::Mod(Box::new(dim()), size).times(inner)),
            };
        }
        Map { dims: self.steps.len(), results: vec![sum] }
    }
}

struct Terms {
    offset: i64,
    open_offset: Option<Open>,
    linear: Vec<i64>,
    open: Vec<Option<Open>>,
    panels: Vec<Option<(i64, i64, i64)>>,
}

impl Terms {
    fn add(&mut self, expr: &Expr, factor: i64) -> Option<()> {
        match expr {
            Expr::Const(value) => self.offset += value * factor,
            Expr::Dim(dim) => *self.linear.get_mut(*dim)? += factor,
            Expr::Add(a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Mul(a, by) => self.add(a, factor * by)?,
            Expr::FloorDiv(a, size) => self.panel(a.as_dim()?, *size)?.1 += factor,
            Expr::Mod(a, size) => self.panel(a.as_dim()?, *size)?.2 += factor,
        }
        Some(())
    }

    /// An expression times a distance that only a run knows.
    fn add_open(&mut self, expr: &Expr, distance: Open) -> Option<()> {
        match expr {
            Expr::Const(0) => Some(()),
            Expr::Const(count) => distance.times(*count).add_to(&mut self.open_offset),
            Expr::Dim(dim) => distance.add_to(self.open.get_mut(*dim)?),
            Expr::Add(a, b) => {
                self.add_open(a, distance)?;
                self.add_open(b, distance)
            }
            Expr::Mul(a, by) => self.add_open(a, distance.times(*by)),
            Expr::FloorDiv(..) | Expr::Mod(..) => None,
        }
    }

    fn panel(&mut self, dim: usize, size: i64) -> Option<&mut (i64, i64, i64)> {
        let panel = self.panels.get_mut(dim)?.get_or_insert((size, 0, 0));
        (panel.0 == size && size > 0).then_some(panel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_mlir::ir::{Context, attributes};

    fn access(map: &str, strides: &[i64]) -> Option<Access> {
        let strides: Vec<Stride> = strides.iter().map(|stride| Stride::Known(*stride)).collect();
        Access::new(&Map::of(attributes::parse(&Context::new(), map)?)?, &strides, 0)
    }

    #[test]
    fn strides_that_only_a_run_knows_add_up_too() {
        let map = |text| Map::of(attributes::parse(&Context::new(), text)?);
        let stride = Open { stride: 1, factor: 1, typical: 64, multiple: 1 };
        let strides = [Stride::Open(stride.times(3)), Stride::Open(stride), Stride::Known(1)];
        let window = map("affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d2, d3)>").unwrap();
        let access = Access::new(&window, &strides, 0).unwrap();
        assert_eq!(access.open().collect::<Vec<_>>(), [(0, 1, 3), (1, 1, 2), (2, 1, 1)]);
        assert_eq!((access.steps[1].typical(), access.steps[3]), (128, Step::Linear(1)));
        assert_eq!(access.map().to_string(), "affine_map<(d0, d1, d2, d3) -> (d3)>");
        let shifted = map("affine_map<(d0, d1, d2, d3) -> (d0 + 1, d1 + 2, d3 + 7)>").unwrap();
        let shifted = Access::new(&shifted, &strides, 0).unwrap();
        assert_eq!((shifted.offset, shifted.open_offset), (7, Some(stride.times(5))));
        let other = [Stride::Open(Open { stride: 0, ..stride }), Stride::Open(stride), Stride::Known(1)];
        assert_eq!(Access::new(&map("affine_map<(d0, d1, d2, d3) -> (d0 + 1, d1 + 1, d3)>").unwrap(), &other, 0), None);
        let diagonal = map("affine_map<(d0, d1, d2, d3) -> (d0, d1, d1)>").unwrap();
        assert_eq!(Access::new(&diagonal, &strides, 0), None);
    }

    #[test]
    fn strides_add_up_along_a_window() {
        let window = access("affine_map<(d0, d1, d2) -> (d0 * 2 + d1, d2)>", &[10, 1]).unwrap();
        assert_eq!(window.steps, [Step::Linear(20), Step::Linear(10), Step::Linear(1)]);
    }

    #[test]
    fn panels_have_a_distance_only_inside_a_tile() {
        let panel = access("affine_map<(d0, d1) -> (d0 floordiv 32, d1, d0 mod 32)>", &[640, 32, 1]).unwrap();
        assert_eq!(panel.steps[0], Step::Panel { size: 32, outer: 640, inner: 1 });
        assert_eq!((panel.steps[0].in_tile(16), panel.steps[0].in_tile(24)), (Some(1), None));
        assert_eq!(
            panel.map().to_string(),
            "affine_map<(d0, d1) -> (((((d0 floordiv 32) * 640) + (d0 mod 32)) + (d1 * 32)))>"
        );
    }

    #[test]
    fn quotients_of_sums_are_no_steps() {
        assert_eq!(access("affine_map<(d0, d1) -> ((d0 + d1) floordiv 2)>", &[1]), None);
        assert_eq!(access("affine_map<(d0) -> (d0 floordiv 2, d0)>", &[3, 1]), None);
    }
}
