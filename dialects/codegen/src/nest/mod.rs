//! Kernels as data: what is computed at the points of an iteration space, and in which loops. Nothing here knows values
//! of the IR, so a nest can be printed, changed, compared and judged by itself; `emit` writes its code.

pub mod access;
pub mod ahead;
pub mod alignment;
pub mod alternatives;
pub mod atom;
pub mod blocked;
pub mod branch;
pub mod chains;
pub mod computation;
mod copies;
pub mod cost;
mod cost_of_matrices;
mod cost_of_scaled;
pub mod decided;
pub mod dots;
pub mod element;
mod groups;
pub mod key;
pub mod legal;
pub mod matrices;
pub mod merged;
pub mod needed;
pub mod op;
pub mod packed;
pub mod parallel;
pub mod parts;
pub mod plain;
pub mod random;
pub mod row_pairs;
pub mod rows_of_bytes;
pub mod scaled;
pub mod schedule;
pub mod search;
pub mod share;
pub mod space;
pub mod staged;
pub mod table;
#[cfg(test)]
pub mod testing;
pub mod text;
mod traffic;
pub mod unpacked;
pub mod unvectorized;
mod windows;
pub mod woven;

pub use schedule::Schedule;
pub use space::Space;

/// A kernel: what it computes, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Nest {
    /// What.
    pub space: Space,
    /// How.
    pub schedule: Schedule,
}

impl Nest {
    /// Whether each range of the parallel loops has a part of some memory.
    pub fn has_parts(&self) -> bool {
        let has_parts = self.space.operands.iter().any(|operand| matches!(operand, space::Operand::Parts { .. }));
        has_parts || !self.schedule.packs.is_empty()
    }
}
