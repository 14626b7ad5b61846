//! Rewriting: patterns in PDL and in Rust, and the drivers that apply them.

mod endless;
mod greedy;
mod guarded;
mod kept;
mod native;
mod patterns;
mod pdl;
mod recording;
mod rewriter;
mod statistics;
mod trace;
mod value;

pub use greedy::{Application, GreedyOptions, RegionSimplification, Report};
pub use guarded::places_compared;
pub use kept::{KeptPatterns, kept_stages};
pub use native::{Check, Constraint, Natives, Rewrite, offer_natives, offered_natives};
pub use patterns::{FrozenPatterns, OperationPattern, PatternSet, RewriteOperation};
pub use pdl::{PdlPatterns, check_pdl};
pub use rewriter::{Editor, Rewriter, with_rewriter};

pub use statistics::RuleStatistics;
pub use trace::trace_rewrites;
pub use value::PdlValue;

pub(crate) use endless::{begin as begin_run, has_ended_one};
pub(crate) use patterns::add_to_raw_set;
pub(crate) use recording::fail_inference;
