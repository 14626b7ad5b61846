//! `skriptnd-rewrite`: the rewrites of `td/skriptnd/Rewrites.td`.

use crate::generated::rewrites;
use skriptnd_mlir::ir::{Root, emit};
use skriptnd_mlir::pass::PassRun;
use skriptnd_mlir::rewrite::{GreedyOptions, PatternSet};
use skriptnd_mlir::{Failure, Severity};

/// Applies the rewrites until none matches.
pub fn run(root: &mut Root<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    let limit = run.integer("max-rewrites");
    let mut patterns = PatternSet::new(root.context());
    patterns.add_pdl(rewrites::patterns())?;
    let options = GreedyOptions { max_rewrites: u64::try_from(limit).ok(), max_iterations: None, ..Default::default() };
    let report = patterns.freeze().apply_greedily(root, &options)?;
    if run.flag("report") {
        for (pattern, count) in report.counts() {
            emit(root.operation().location(), Severity::Remark, &format!("{pattern} applied {count} times"));
        }
    }
    if report.converged {
        return Ok(());
    }
    let last = report.applications.last().map(|last| format!("; the last one was '{}'", last.pattern));
    Err(Failure::new(format!("did not end after {limit} rewrites{}", last.unwrap_or_default())))
}
