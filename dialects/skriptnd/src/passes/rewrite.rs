//! `skriptnd-rewrite`: the rewrites of `td/skriptnd/Rewrites.td`; `apply-pdl-patterns`: those of a file.

use super::kept;
use crate::generated::discardable::ExactAttribute;
use crate::generated::passes::{ApplyPdlPatternsOptions, SkriptNDRewriteOptions};
use crate::generated::{constraints, rewrites};
use crate::natives::Functions;
use skriptnd_mlir::ir::{Context, Location, OperationRef, Root, emit};
use skriptnd_mlir::pass::PassRun;
use skriptnd_mlir::rewrite::{
    FrozenPatterns, GreedyOptions, KeptPatterns, Report, kept_stages, named_dialects, offered_natives,
};
use skriptnd_mlir::{Error, Failure, Position, Severity};

static REWRITES: KeptPatterns = KeptPatterns::new(|| rewrites::patterns(Functions));

/// Applies the rewrites until none matches.
pub fn run(root: &mut Root<'_, '_>, _: &PassRun<'_>, options: &SkriptNDRewriteOptions) -> Result<(), Failure> {
    let SkriptNDRewriteOptions { max_rewrites, exact, report: tell, statistics } = *options;
    if exact {
        ExactAttribute::set(root.operation());
    }
    let wanted = Wanted::of(max_rewrites, tell);
    let patterns = REWRITES.of(root.context(), statistics).map_err(|error| report(root.context(), error))?;
    let kept = kept::keep(root.operation())?;
    let applied = apply(root, &wanted, &patterns);
    applied.and(kept::release(root.operation(), &kept))
}

/// Applies the patterns in a file of PDL until none matches; where modules stand in a module, those of each in turn. They
/// may call the constraints of MLIR and SkriptND by their names, the functions of the declared rewrites, and those that
/// dialects offer.
pub fn run_file(root: &mut Root<'_, '_>, _: &PassRun<'_>, options: &ApplyPdlPatternsOptions) -> Result<(), Failure> {
    let ApplyPdlPatternsOptions { ref file, max_rewrites, report: tell, statistics } = *options;
    if file.is_empty() {
        return Err("needs a file: apply-pdl-patterns{file=FILE}".into());
    }
    let text = std::fs::read_to_string(file).map_err(|error| Failure::new(format!("cannot read '{file}': {error}")))?;
    let natives = || constraints::natives().and(rewrites::natives(Functions)).and(offered_natives());
    let stages = kept_stages(root.context(), &text, file, natives, statistics);
    let stages = stages.map_err(|error| report(root.context(), error))?;
    let wanted = Wanted::of(max_rewrites, tell);
    stages.iter().try_for_each(|stage| apply(root, &wanted, stage))
}

/// The dialects that the patterns in the file name: what they make is to be known.
pub fn dialects_of_file(pass: &PassRun<'_>) -> Vec<String> {
    let text = std::fs::read_to_string(ApplyPdlPatternsOptions::of(pass).file).unwrap_or_default();
    named_dialects(&text).into_iter().map(str::to_string).collect()
}

/// What a run of patterns is to do and to tell.
struct Wanted {
    /// None: as many as the driver allows by itself.
    max_rewrites: Option<u64>,
    report: bool,
}

impl Wanted {
    /// As the options say, where 0 stands for no number.
    fn of(max_rewrites: u64, report: bool) -> Self {
        Self { max_rewrites: (max_rewrites > 0).then_some(max_rewrites), report }
    }
}

/// Applies patterns until none matches, and tells what was asked for.
fn apply<'c>(root: &mut Root<'c, '_>, wanted: &Wanted, patterns: &FrozenPatterns<'c>) -> Result<(), Failure> {
    let options = GreedyOptions { max_rewrites: wanted.max_rewrites, max_iterations: None, ..Default::default() };
    let applied = patterns.apply_greedily(root, &options).map_err(|error| report(root.context(), error))?;
    if wanted.report {
        for (pattern, count) in applied.counts() {
            emit(root.operation().location(), Severity::Remark, &format!("{pattern} applied {count} times"));
        }
    }
    tell_statistics(root.operation(), &applied);
    match applied.applications.last() {
        Some(last) if !applied.converged => Err(match &last.position {
            Some(position) => reported(root.context(), position, &applied.unending()),
            None => Failure::new(applied.unending()),
        }),
        _ => Ok(()),
    }
}

/// Reports what is wrong with patterns where they are wrong, if that is known.
fn report(context: &Context, error: Error) -> Failure {
    if let Some((position, message)) = error.placed() {
        return reported(context, position, &message);
    }
    error.into()
}

fn reported(context: &Context, place: &Position, message: &str) -> Failure {
    emit(Location::new(context, &place.file, place.line, place.column), Severity::Error, message);
    Failure::reported()
}

fn tell_statistics(operation: OperationRef<'_, '_>, report: &Report) {
    for rule in &report.statistics {
        let place = if rule.place.is_empty() { String::new() } else { format!(" ({})", rule.place) };
        let (name, microseconds) = (&rule.rule, rule.time.as_micros());
        let counts = format!("tried {}, matched {}, applied {}", rule.tried, rule.matched, rule.applied);
        emit(operation.location(), Severity::Remark, &format!("{name}{place}: {counts}, {microseconds} us"));
    }
}
