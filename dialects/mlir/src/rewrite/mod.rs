//! Rewriting: patterns in PDL and in Rust, and the drivers that apply them.

mod greedy;
mod native;
mod patterns;
mod rewriter;

pub use greedy::{Application, GreedyOptions, RegionSimplification, Report};
pub use native::{Constraint, Natives, PdlValue, Rewrite};
pub use patterns::{FrozenPatterns, OperationPattern, PatternSet, PdlPatterns, RewriteOperation};
pub use rewriter::{Rewriter, with_rewriter};
