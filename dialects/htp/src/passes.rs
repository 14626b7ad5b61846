//! The passes of this crate, for pipelines and `skriptnd-opt`.

mod misses;

use crate::check::options_of;
use crate::commands::{RuleSet, Settings};
use crate::convert;
use crate::dialect::encoding;
use crate::engine::{Applied, Engine, Firing, Limits, matched_ops, standing_alone, trace};
use crate::generated::passes::{self, ApplyHtpRulesOptions};
use crate::grammar::model::{DType, Rule};
use crate::grammar::root_outputs;
use crate::{placement, registered};
use skriptnd_mlir::diagnostics::{Failure, Severity};
use skriptnd_mlir::ir::{Location, OperationRef, Root, emit, emit_with, walk};
use skriptnd_mlir::pass::{PassRun, plain, register, register_pipeline};
use skriptnd_mlir::rewrite::offer_natives;
use skriptnd_runtime::atomic;
use skriptnd_source::Span;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Registers all passes.
pub fn register_passes() -> Result<(), skriptnd_mlir::Error> {
    register(passes::convert_skriptnd_to_htp(|root, _, options| {
        let stayed = convert::from_skriptnd(root.operation())?;
        if options.report {
            report_stayed(root.operation(), &stayed);
        }
        Ok(())
    }))?;
    register(passes::convert_htp_to_skriptnd(|root, _| convert::to_skriptnd(root.operation())))?;
    register(passes::apply_htp_rules(run_rules))?;
    register(passes::place_htp_tensors(|root, _, options| {
        let choices = placement::place(root.operation())?;
        let told = choices.iter().filter(|_| options.report);
        told.for_each(|choice| emit(choice.location, Severity::Remark, &choice.text));
        Ok(())
    }))?;
    offer_natives(standing_alone);
    register_pipeline(
        "convert-htp-to-linalg",
        "Convert ops of the tensor processor to linalg, by way of the operators that they are",
        &[],
        plain("convert-htp-to-skriptnd,convert-skriptnd-to-linalg"),
    )?;
    Ok(())
}

/// A remark for each operator that stays and each reason.
fn report_stayed(op: OperationRef<'_, '_>, stayed: &convert::Stayed) {
    for ((operator, reason), count) in stayed {
        let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
        emit(op.location(), Severity::Remark, &format!("{operator} stays{times}: {reason}"));
    }
}

fn run_rules(root: &mut Root<'_, '_>, _: &PassRun<'_>, options: &ApplyHtpRulesOptions) -> Result<(), Failure> {
    if options.file.is_empty() {
        return Err("needs a rule file: apply-htp-rules{file=PATH}".into());
    }
    let settings = settings(options)?;
    let environment = settings.environment()?;
    let files: Vec<PathBuf> = options.file.iter().map(PathBuf::from).collect();
    let rules = RuleSet::load_all(&files, &settings)?.for_application(&environment.functions);
    let told = Told { firings: options.report, misses: options.explain };
    let firings = apply(root, &rules, &settings, told)?.firings;
    if options.trace.is_empty() { Ok(()) } else { write_trace(&options.trace, &firings, &rules.rules) }
}

/// Writes what rules did: as JSON, if the name of the file says so.
fn write_trace(file: &str, firings: &[Firing], rules: &[Rule]) -> Result<(), Failure> {
    let is_json = Path::new(file).extension().is_some_and(|extension| extension == "json");
    let text = if is_json { trace::json(firings, rules) } else { trace::text(firings, rules) };
    let written = atomic::write_file(Path::new(file), |out| out.write_all(text.as_bytes()));
    written.map_err(|error| Failure::new(format!("cannot write '{file}': {error}")))
}

/// What is remarked of rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told {
    /// How often each was applied, and where.
    pub firings: bool,
    /// Why some were not applied: a few that came nearest.
    pub misses: bool,
}

/// Applies rules to what an operation contains; what was found in them is said where they stand.
pub fn apply(root: &mut Root<'_, '_>, rules: &RuleSet, settings: &Settings, told: Told) -> Result<Applied, Failure> {
    report_found(root.operation(), rules);
    if rules.found.has_errors() {
        return Err(Failure::reported());
    }
    report_unseen(root.operation(), &rules.rules);
    let engine = Engine::new(&rules.rules, &rules.sources, settings.environment()?);
    let engine = engine.with_limits(settings.limits(Limits::default())).explaining(told.misses);
    let applied = engine.run(root).map_err(|error| Failure::new(error.to_string()))?;
    registered::note(root.operation(), &rules.file, settings.package.as_deref())?;
    for option in engine.missing_options() {
        let message = format!("graph option `{option}` is not set, and reads as 0");
        emit(option_place(root.operation(), rules, &option), Severity::Warning, &message);
    }
    if told.firings {
        report_firings(root.operation(), rules, &applied.firings);
    }
    misses::report(root.operation(), rules, &applied.misses);
    Ok(applied)
}

/// Where the first rule stands that reads an option.
fn option_place<'c>(op: OperationRef<'c, '_>, rules: &RuleSet, option: &str) -> Location<'c> {
    let mut read = rules.rules.iter().flat_map(options_of);
    let place = read.find(|(name, _)| name == option);
    place.map_or(op.location(), |(_, span)| location(op, rules, span))
}

/// A place in the files of rules.
fn location<'c>(op: OperationRef<'c, '_>, rules: &RuleSet, span: Span) -> Location<'c> {
    let (line, column) = rules.sources.position(span);
    let file = rules.sources.file(span.file).map_or("?", |file| file.name.as_str());
    Location::new(op.context(), file, line, column)
}

fn settings(options: &ApplyHtpRulesOptions) -> Result<Settings, Failure> {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let given_number = |number: u64| usize::try_from(number).ok().filter(|number| *number > 0);
    let mut settings = Settings {
        mode: options.mode.parse()?,
        includes: options.include.iter().map(PathBuf::from).collect(),
        options: options.options.clone(),
        limit: given_number(options.limit),
        applications: given_number(options.limit_applications),
        ..Settings::default()
    };
    if let Some(package) = given(&options.package) {
        settings.take_package(&package)?;
    }
    if let Some(passes) = given(&options.passes) {
        settings.read_passes(Path::new(&passes))?;
    }
    for library in &options.functions {
        settings.read_functions(Path::new(library))?;
    }
    if let Some(prelude) = given(&options.prelude) {
        settings.read_prelude(Path::new(&prelude))?;
    }
    Ok(settings)
}

/// What is wrong with the rules, where the rules stand.
fn report_found(op: OperationRef<'_, '_>, rules: &RuleSet) {
    for diagnostic in rules.found.iter() {
        let severity = match diagnostic.severity {
            skriptnd_source::diagnostics::Severity::Error => Severity::Error,
            skriptnd_source::diagnostics::Severity::Warning => Severity::Warning,
        };
        let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
        let notes: Vec<_> = diagnostic.notes.iter().cloned().chain(help).collect();
        emit_with(location(op, rules, diagnostic.span), severity, &diagnostic.message, &notes);
    }
}

/// The op whose several outputs a rule replaces, and their number.
fn several_outputs(rule: &Rule) -> Option<(String, usize)> {
    Some((matched_ops(rule).swap_remove(0), root_outputs(rule)?))
}

/// A warning for each kind of node that rules name and can't match: the first of its kind, and why.
fn report_unseen(op: OperationRef<'_, '_>, rules: &[Rule]) {
    let named: HashSet<String> = rules.iter().flat_map(matched_ops).collect();
    let replaced: HashSet<(String, usize)> = rules.iter().filter_map(several_outputs).collect();
    let mut told: HashSet<&str> = HashSet::new();
    for node in walk(op) {
        let reason = match node.result_types()[..] {
            _ if !named.contains(node.full_name()) => continue,
            [ty] => match encoding::output_def(ty) {
                None => format!("its result is no tensor of static shape: {ty}"),
                Some(def) if def.encoding.dtype() == DType::Unknown => format!("the elements of {ty} are of no DType"),
                Some(_) => continue,
            },
            ref results if replaced.contains(&(node.full_name().to_owned(), results.len())) => continue,
            ref results => format!("it has {} results, and a match is of ops of one", results.len()),
        };
        if told.insert(node.full_name()) {
            let message = format!("no rule can match this '{}': {reason}", node.full_name());
            emit(node.location(), Severity::Warning, &message);
        }
    }
}

/// A remark for each rule that was applied: how often, and where in the model.
fn report_firings(op: OperationRef<'_, '_>, rules: &RuleSet, firings: &[Firing]) {
    let mut of_rules: Vec<Vec<String>> = vec![Vec::new(); rules.rules.len()];
    for firing in firings {
        of_rules[firing.rule].push(firing.position.as_ref().map_or("?".to_owned(), ToString::to_string));
    }
    for (rule, places) in rules.rules.iter().zip(of_rules) {
        let often = match places.len() {
            0 => continue,
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let remark = format!("rule {} applied {often}: {}", rule.name, places.join(", "));
        emit(op.location(), Severity::Remark, &remark);
    }
}
