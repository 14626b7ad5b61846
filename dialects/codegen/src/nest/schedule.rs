//! How a kernel's loops stand.

use super::atom::Atom;
use super::space::Space;
pub use crate::target::Tail;
use skriptnd_mlir::ir::types::Width;

/// The vectorized dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vectors {
    /// Which.
    pub dim: usize,
    /// Lanes of a vector.
    pub lanes: i64,
    /// Elements in a tile.
    pub tile: i64,
    /// Whether these are to be multiplied by a number that only the processor knows.
    pub is_scalable: bool,
    /// What is done with the rest.
    pub tail: Tail,
}

impl Vectors {
    /// The width of a vector.
    pub fn width(&self) -> Width {
        Width { lanes: self.lanes, is_scalable: self.is_scalable }
    }
}

/// A reduced dimension along which an atom adds groups of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grouped {
    /// Which.
    pub dim: usize,
    /// By what.
    pub atom: &'static Atom,
}

/// A dimension that is unrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows {
    /// Which.
    pub dim: usize,
    /// How many of its elements are in a tile.
    pub count: i64,
}

/// How a kernel is computed: loops over tiles of the parallel dimensions, in them the loops over the reduced ones, and in
/// those vectors and rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// The vectorized dimension.
    pub vectors: Option<Vectors>,
    /// The unrolled parallel dimension.
    pub rows: Option<Rows>,
    /// Parallel dimensions, outermost first.
    pub order: Vec<usize>,
    /// Reduced dimensions, outermost first.
    pub reductions: Vec<usize>,
    /// How many of these, counted from the innermost, are no loops but code for each index.
    pub unrolled: usize,
    /// The dimension of groups; without, products are added one by one.
    pub grouped: Option<Grouped>,
}

impl Schedule {
    /// Whether a dimension is the vectorized one.
    pub fn is_vectorized(&self, dim: usize) -> bool {
        self.vectors.is_some_and(|vectors| vectors.dim == dim)
    }

    /// Elements of a dimension in a tile.
    pub fn tile(&self, dim: usize) -> i64 {
        let vectors = self.vectors.filter(|vectors| vectors.dim == dim).map(|vectors| vectors.tile);
        let rows = self.rows.filter(|rows| rows.dim == dim).map(|rows| rows.count);
        vectors.or(rows).unwrap_or(1)
    }

    /// The groups along a dimension.
    pub fn grouped_along(&self, dim: usize) -> Option<Grouped> {
        self.grouped.filter(|grouped| grouped.dim == dim)
    }

    /// Iterations of the loop over a reduced dimension, one by one or by groups.
    pub fn iterations(&self, space: &Space, dim: usize) -> i64 {
        let group = self.grouped_along(dim).map_or(1, |grouped| grouped.atom.group);
        space.dims[dim].extent.saturating_add(group - 1) / group
    }
}
