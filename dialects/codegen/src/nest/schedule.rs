//! How a kernel's loops stand.

use super::atom::Atom;
use super::space::Space;
pub use crate::target::Tail;
use skriptnd_mlir::ir::types::Width;

/// The lanes of a vector along a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lanes {
    /// How many there are.
    pub count: i64,
    /// Whether this and the loop's step are to be multiplied by a number that only the processor knows.
    pub is_scalable: bool,
    /// What is done with the rest.
    pub tail: Tail,
}

/// What an iteration of a loop goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Elements.
    Elements,
    /// Vectors.
    Vectors(Lanes),
    /// Groups of products that an atom adds.
    Groups(&'static Atom),
}

/// What a loop does with its dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It goes over parts of a parallel dimension.
    Parallel,
    /// It goes over a reduced dimension, whose elements it combines.
    Reduce,
    /// The same as code for each index.
    Unroll,
}

/// A loop of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Loop {
    /// The dimension that it goes along.
    pub dim: usize,
    /// Elements of the dimension in an iteration.
    pub step: i64,
    /// What it does.
    pub kind: Kind,
    /// What an iteration goes on with.
    pub form: Form,
}

impl Loop {
    /// How many iterations it has along a whole dimension, the last of which may have fewer elements.
    pub fn iterations(&self, space: &Space) -> i64 {
        let extent = space.dims[self.dim].extent;
        extent / self.step + i64::from(extent % self.step > 0)
    }
}

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

    /// The form of its loop.
    pub fn form(self) -> Form {
        Form::Vectors(Lanes { count: self.lanes, is_scalable: self.is_scalable, tail: self.tail })
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

/// A dimension of whose elements a tile has several, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows {
    /// Which.
    pub dim: usize,
    /// How many.
    pub count: i64,
}

/// A copy of what the loops within some read of an operand, in the order in which they read it. It is made at the begin of each
/// iteration of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pack {
    /// The operand.
    pub operand: usize,
    /// How many of the loops stand around it.
    pub depth: usize,
}

/// How a kernel is computed: the loops over parallel dimensions, outermost first, and in them those over the reduced ones. A
/// dimension may have several loops, whose steps get smaller: those of parallel ones that are innermost go over tiles, which are held
/// in registers; those over blocks of a reduced one stand among the loops around tiles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// The loops.
    pub loops: Vec<Loop>,
    /// What is copied, from the outermost loop inwards.
    pub packs: Vec<Pack>,
}

impl Schedule {
    /// The same loops over single elements.
    pub fn element_by_element(&self) -> Schedule {
        let element = |own: &Loop| {
            let kind = if own.kind == Kind::Unroll { Kind::Reduce } else { own.kind };
            let step = if self.innermost(own.dim) == Some(own) { 1 } else { own.step };
            Loop { dim: own.dim, step, kind, form: Form::Elements }
        };
        Schedule { loops: self.loops.iter().map(element).collect(), packs: Vec::new() }
    }

    /// The same loops but for those over blocks of reduced dimensions, and without copies.
    pub fn in_one_block(&self) -> Schedule {
        let is_block = |own: &Loop| own.kind != Kind::Parallel && self.is_block(own);
        Schedule { loops: self.loops.iter().filter(|own| !is_block(own)).copied().collect(), packs: Vec::new() }
    }

    /// Whether another loop goes over what an iteration leaves of the dimension.
    pub fn is_block(&self, own: &Loop) -> bool {
        self.innermost(own.dim) != Some(own)
    }

    /// The loops around a tile: over parallel dimensions, and over blocks of reduced ones.
    pub fn around(&self) -> &[Loop] {
        let is_within = |own: &&Loop| own.kind != Kind::Parallel && !self.is_block(own);
        let within = self.loops.iter().rev().take_while(is_within).count();
        &self.loops[..self.loops.len() - within]
    }

    /// The reduced dimension that is cut into blocks, with the elements of the smallest ones.
    pub fn blocks(&self) -> Option<(usize, i64)> {
        self.around().iter().rev().find(|own| own.kind != Kind::Parallel).map(|own| (own.dim, own.step))
    }

    /// The loops over reduced dimensions in a tile.
    fn reduced(&self) -> &[Loop] {
        &self.loops[self.around().len()..]
    }

    /// Reduced dimensions, outermost first, as they have loops in a tile.
    pub fn reductions(&self) -> Vec<usize> {
        self.reduced().iter().map(|own| own.dim).collect()
    }

    /// How many of these, counted from the innermost, are no loops but code for each index.
    pub fn unrolled(&self) -> usize {
        self.reduced().iter().filter(|own| own.kind == Kind::Unroll).count()
    }

    /// The innermost loop along a dimension.
    pub fn innermost(&self, dim: usize) -> Option<&Loop> {
        self.loops.iter().rev().find(|own| own.dim == dim)
    }

    /// The vectorized dimension.
    pub fn vectors(&self) -> Option<Vectors> {
        self.loops.iter().find_map(|own| match own.form {
            Form::Vectors(Lanes { count: lanes, is_scalable, tail }) => {
                Some(Vectors { dim: own.dim, lanes, tile: own.step, is_scalable, tail })
            }
            _ => None,
        })
    }

    /// Whether it has vectors of more than one lane.
    pub fn has_vectors(&self) -> bool {
        self.vectors().is_some_and(|vectors| vectors.lanes > 1)
    }

    /// The dimension of which a tile has several elements, one after the other.
    pub fn rows(&self) -> Option<Rows> {
        let (is_plain, innermost) = (|own: &Loop| own.form == Form::Elements, |own: &Loop| self.innermost(own.dim));
        let mut rows = self.around().iter().filter(|own| is_plain(own) && innermost(own) == Some(*own));
        rows.find(|own| own.step != 1).map(|own| Rows { dim: own.dim, count: own.step })
    }

    /// The dimension of groups; without, products are added one by one.
    pub fn grouped(&self) -> Option<Grouped> {
        self.loops.iter().find_map(|own| match own.form {
            Form::Groups(atom) => Some(Grouped { dim: own.dim, atom }),
            _ => None,
        })
    }

    /// Whether a dimension is the vectorized one.
    pub fn is_vectorized(&self, dim: usize) -> bool {
        self.vectors().is_some_and(|vectors| vectors.dim == dim)
    }

    /// Elements of a dimension in a tile.
    pub fn tile(&self, dim: usize) -> i64 {
        self.innermost(dim).map_or(1, |own| own.step)
    }

    /// The groups along a dimension.
    pub fn grouped_along(&self, dim: usize) -> Option<Grouped> {
        self.grouped().filter(|grouped| grouped.dim == dim)
    }

    /// Iterations of the loop over a reduced dimension, one by one or by groups.
    pub fn iterations(&self, space: &Space, dim: usize) -> i64 {
        let group = self.grouped_along(dim).map_or(1, |grouped| grouped.atom.group);
        space.dims[dim].extent.saturating_add(group - 1) / group
    }
}
