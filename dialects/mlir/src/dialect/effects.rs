//! Memory effects of operations.

use crate::ir::OperationRef;

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum EffectKind {
    /// Reads.
    Read = 0,
    /// Writes.
    Write = 1,
    /// Allocates.
    Allocate = 2,
    /// Frees.
    Free = 3,
}

/// Which memory an effect is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectTarget {
    /// Any memory.
    Anything,
    /// The memory behind an operand.
    Operand(usize),
    /// The memory behind a result.
    Result(usize),
}

/// One effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// To which memory.
    pub target: EffectTarget,
}

/// Computes the effects of one operation.
pub type ComputeEffects = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Vec<Effect> + Send + Sync;

/// The memory effects of an operation (`MemoryEffectOpInterface`).
#[derive(Default)]
pub enum Effects {
    /// Nothing is known: no upstream pass moves, merges or removes it. With
    /// [`super::Trait::RecursiveMemoryEffects`], the effects of the operations inside.
    #[default]
    Unknown,
    /// None; it can be removed when unused and merged with an equal one.
    None,
    /// Always these.
    Fixed(Vec<Effect>),
    /// Depends on the operation.
    Computed(Box<ComputeEffects>),
}
