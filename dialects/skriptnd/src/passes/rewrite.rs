//! `skriptnd-rewrite`: the rewrites of `td/skriptnd/Rewrites.td`; `apply-pdl-patterns`: those of a file.

use crate::generated::rewrites;
use crate::natives::Functions;
use skriptnd_mlir::ir::{OperationRef, Root, emit};
use skriptnd_mlir::pass::PassRun;
use skriptnd_mlir::rewrite::{GreedyOptions, PatternSet, PdlPatterns, Report, offered_natives};
use skriptnd_mlir::{Failure, Severity};

/// Applies the rewrites until none matches.
pub fn run(root: &mut Root<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    apply(root, run, vec![rewrites::patterns(Functions)])
}

/// Applies the patterns in a file of PDL until none matches; where modules stand in a module, those of each in turn. They
/// may call the functions of the declared rewrites, and those that dialects offer.
pub fn run_file(root: &mut Root<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    let file = run.text("file");
    if file.is_empty() {
        return Err("needs a file: apply-pdl-patterns{file=FILE}".into());
    }
    let text =
        std::fs::read_to_string(&file).map_err(|error| Failure::new(format!("cannot read '{file}': {error}")))?;
    let natives = || rewrites::natives(Functions).and(offered_natives());
    apply(root, run, PdlPatterns::staged(root.context(), &text, &file, natives)?)
}

/// Applies sets of patterns one after the other.
fn apply(root: &mut Root<'_, '_>, run: &PassRun<'_>, stages: Vec<PdlPatterns>) -> Result<(), Failure> {
    stages.into_iter().try_for_each(|stage| apply_stage(root, run, stage))
}

fn apply_stage(root: &mut Root<'_, '_>, run: &PassRun<'_>, rewrites: PdlPatterns) -> Result<(), Failure> {
    let mut patterns = PatternSet::new(root.context());
    patterns.add_pdl(rewrites)?;
    if run.flag("statistics") {
        patterns.count();
    }
    let limit = run.integer("max-rewrites");
    let Some(max_rewrites) = u64::try_from(limit).ok().filter(|limit| *limit > 0) else {
        return Err(Failure::new(format!("max-rewrites: expected at least 1, found {limit}")));
    };
    let options = GreedyOptions { max_rewrites: Some(max_rewrites), max_iterations: None, ..Default::default() };
    let report = patterns.freeze()?.apply_greedily(root, &options)?;
    if run.flag("report") {
        for (pattern, count) in report.counts() {
            emit(root.operation().location(), Severity::Remark, &format!("{pattern} applied {count} times"));
        }
    }
    tell_statistics(root.operation(), &report);
    if report.converged { Ok(()) } else { Err(Failure::new(report.unending())) }
}

fn tell_statistics(operation: OperationRef<'_, '_>, report: &Report) {
    for rule in &report.statistics {
        let place = if rule.place.is_empty() { String::new() } else { format!(" ({})", rule.place) };
        let (name, microseconds) = (&rule.rule, rule.time.as_micros());
        let counts = format!("tried {}, matched {}, applied {}", rule.tried, rule.matched, rule.applied);
        emit(operation.location(), Severity::Remark, &format!("{name}{place}: {counts}, {microseconds} us"));
    }
}
