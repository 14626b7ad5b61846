//! What the greedy driver is told, and what it tells.

use std::collections::BTreeMap;

use super::endless;
use super::statistics::RuleStatistics;
use crate::diagnostics::{Diagnostic, Position};
use crate::ffi;
use crate::ir::OperationRef;

/// How regions are simplified between iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum RegionSimplification {
    /// Not at all.
    #[default]
    Disabled = 0,
    /// Unreachable blocks and dead arguments go.
    Normal = 1,
    /// Equal blocks are merged, too.
    Aggressive = 2,
}

/// How the greedy driver applies patterns.
#[derive(Clone, Copy, Debug)]
pub struct GreedyOptions {
    /// After so many rewrites the driver stops and reports that it did not converge. None: after 10,000, and 20 for each
    /// operation that there is when it begins.
    pub max_rewrites: Option<u64>,
    /// After so many iterations over the IR the driver stops and reports that it did not converge.
    pub max_iterations: Option<u64>,
    /// Fold operations.
    pub fold: bool,
    /// Merge equal constants.
    pub merge_constants: bool,
    /// Simplify regions.
    pub region_simplification: RegionSimplification,
    /// Visit operations from the top down, in place of bottom up.
    pub top_down: bool,
}

impl Default for GreedyOptions {
    fn default() -> Self {
        Self {
            max_rewrites: None,
            max_iterations: Some(10),
            fold: true,
            merge_constants: true,
            region_simplification: RegionSimplification::Disabled,
            top_down: true,
        }
    }
}

impl GreedyOptions {
    /// As a driver of `root` is told.
    pub(super) fn to_raw(self, root: OperationRef<'_, '_>) -> ffi::GreedyOptions {
        let limit = |limit: u64| limit.try_into().unwrap_or(i64::MAX);
        ffi::GreedyOptions {
            max_rewrites: limit(self.max_rewrites.unwrap_or_else(|| endless::allowed(root))),
            max_iterations: self.max_iterations.map_or(-1, limit),
            fold: self.fold,
            merge_constants: self.merge_constants,
            top_down: self.top_down,
            region_simplification: self.region_simplification as u32,
        }
    }
}

/// One application of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The pattern's name: of a PDL pattern its symbol name.
    pub pattern: String,
    /// The name of the operation that it matched at.
    pub operation: String,
    /// The operation's place in its source, if known.
    pub position: Option<Position>,
    /// The operation's whole location as MLIR prints it.
    pub location: String,
}

/// What a driver did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Whether no pattern matched any more when the driver stopped.
    pub converged: bool,
    /// Whether the IR was changed, be it by folding alone.
    pub changed: bool,
    /// The patterns applied, in order.
    pub applications: Vec<Application>,
    /// What each rule did, if the patterns were frozen to tell.
    pub statistics: Vec<RuleStatistics>,
    /// Warnings and remarks reported meanwhile.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// How often each pattern was applied.
    pub fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for application in &self.applications {
            *counts.entry(application.pattern.as_str()).or_default() += 1;
        }
        counts
    }

    /// What to say if it did not converge: the rules that still applied.
    pub fn unending(&self) -> String {
        let last = self.applications.iter().rev().take(32).map(|application| application.pattern.as_str());
        endless::message(self.applications.len() as u64, last)
    }
}
