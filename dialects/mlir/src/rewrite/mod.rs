//! Rewriting: patterns in PDL and in Rust, and the drivers that apply them.

mod greedy;
mod native;
mod patterns;
mod pdl;
mod recording;
mod rewriter;

pub use greedy::{Application, GreedyOptions, RegionSimplification, Report};
pub use native::{Constraint, Natives, PdlValue, Rewrite};
pub use patterns::{FrozenPatterns, OperationPattern, PatternSet, RewriteOperation};
pub use pdl::PdlPatterns;
pub use rewriter::{Editor, Rewriter, with_rewriter};

pub(crate) use patterns::add_to_raw_set;
pub(crate) use recording::fail_inference;
