//! Rewriting: patterns in PDL and in Rust, and the drivers that apply them.

mod created;
mod endless;
mod greedy;
mod guarded;
mod kept;
mod native;
mod outside;
mod patterns;
mod pdl;
mod recording;
mod rewriter;
mod statistics;
mod trace;
mod value;
mod verified;

pub use greedy::{Application, GreedyOptions, RegionSimplification, Report};
pub use guarded::places_compared;
pub use kept::{KeptPatterns, kept_stages};
pub use native::{Check, Constraint, Natives, Rewrite, offer_natives, offered_natives};
pub use patterns::{FrozenPatterns, OperationPattern, PatternSet, RewriteOperation};
pub use pdl::{PdlPatterns, check_pdl, named_dialects};
pub use rewriter::{Editor, Rewriter, with_rewriter};

pub use statistics::RuleStatistics;
pub use trace::trace_rewrites;
pub use value::PdlValue;

pub(crate) use endless::begin as begin_run;
pub(crate) use outside::{has_failed_outside, report_outside};
pub(crate) use patterns::add_to_raw_set;
