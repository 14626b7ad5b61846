//! Where an operand's element lies in memory, as a sum of one function per dimension of the iteration space.

use skriptnd_mlir::ir::affine::{Expr, Map};

/// How an address depends on one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Proportional.
    Linear(i64),
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
            Step::Panel { size, inner, .. } => (tile > 0 && size % tile == 0).then_some(inner),
        }
    }

    /// The distance, if it is the same everywhere.
    pub fn linear(self) -> Option<i64> {
        match self {
            Step::Linear(distance) => Some(distance),
            Step::Panel { .. } => None,
        }
    }

    /// Whether the address depends on the dimension.
    pub fn moves(self) -> bool {
        self != Step::Linear(0)
    }
}

/// An address in elements: `offset` plus one step function per dimension.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Access {
    /// Constant part.
    pub offset: i64,
    /// One per dimension.
    pub steps: Vec<Step>,
}

impl Access {
    /// The address that an indexing map gives in a memref of these strides; none if it is no such sum.
    pub fn new(map: &Map, strides: &[i64], offset: i64) -> Option<Access> {
        let mut terms = Terms { offset, linear: vec![0; map.dims], panels: vec![None; map.dims] };
        for (expr, stride) in map.results.iter().zip(strides) {
            terms.add(expr, *stride)?;
        }
        let steps = terms.linear.into_iter().zip(terms.panels).map(|(linear, panel)| match panel {
            None => Some(Step::Linear(linear)),
            Some((size, outer, inner)) => (linear == 0).then_some(Step::Panel { size, outer, inner }),
        });
        Some(Access { offset: terms.offset, steps: steps.collect::<Option<_>>()? })
    }

    /// The address as an affine map with one result.
    pub fn map(&self) -> Map {
        let mut sum = Expr::Const(self.offset);
        for (dim, step) in self.steps.iter().enumerate() {
            let dim = || Expr::Dim(dim);
            sum = match *step {
                Step::Linear(distance) => sum.plus(dim().times(distance)),
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
    linear: Vec<i64>,
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
        Access::new(&Map::of(attributes::parse(&Context::new(), map)?)?, strides, 0)
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
