//! The passes of this crate, for pipelines and `skriptnd-opt`.

use crate::apply::Options;
use crate::commands::{RuleSet, Settings};
use crate::convert;
use crate::engine::{Engine, Firing};
use crate::generated::passes;
use skriptnd_mlir::diagnostics::{Failure, Severity};
use skriptnd_mlir::ir::{Location, OperationRef, Root, emit, emit_with};
use skriptnd_mlir::pass::{PassRun, plain, register, register_pipeline};
use std::path::{Path, PathBuf};

/// Registers all passes.
pub fn register_passes() -> Result<(), skriptnd_mlir::Error> {
    register(passes::convert_skriptnd_to_htp(|root, _| convert::from_skriptnd(root.operation()).map(drop)))?;
    register(passes::convert_htp_to_skriptnd(|root, _| convert::to_skriptnd(root.operation())))?;
    register(passes::apply_htp_rules(run_rules))?;
    register_pipeline(
        "convert-htp-to-linalg",
        "Convert ops of the tensor processor to linalg, by way of the operators that they are",
        &[],
        plain("convert-htp-to-skriptnd,convert-skriptnd-to-linalg"),
    )?;
    Ok(())
}

fn run_rules(root: &mut Root<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    let file = run.text("file");
    if file.is_empty() {
        return Err("needs a rule file: apply-htp-rules{file=PATH}".into());
    }
    let settings = settings(run)?;
    let rules = RuleSet::load(Path::new(&file), &settings)?.for_application();
    report_found(root.operation(), &rules);
    if rules.found.has_errors() {
        return Err(Failure::reported());
    }
    let options = Options::parse(&run.texts("options"))?;
    let engine = Engine::new(&rules.rules, &rules.sources, &settings.package, options);
    let firings = engine.run(root).map_err(|error| Failure::new(error.to_string()))?;
    for option in engine.missing_options() {
        emit(
            root.operation().location(),
            Severity::Warning,
            &format!("graph option `{option}` is not set, and reads as 0"),
        );
    }
    if run.flag("report") {
        report_firings(root.operation(), &rules, &firings);
    }
    Ok(())
}

fn settings(run: &PassRun<'_>) -> Result<Settings, Failure> {
    let includes = run.texts("include").into_iter().map(PathBuf::from).collect();
    let mut settings =
        Settings { mode: run.text("mode").parse()?, package: run.text("package"), includes, ..Settings::default() };
    let passes = run.text("passes");
    if !passes.is_empty() {
        settings.read_passes(Path::new(&passes))?;
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
        let (line, column) = rules.sources.position(diagnostic.span);
        let file = rules.sources.file(diagnostic.span.file).map_or("?", |file| file.name.as_str());
        let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
        let notes: Vec<_> = diagnostic.notes.iter().cloned().chain(help).collect();
        emit_with(Location::new(op.context(), file, line, column), severity, &diagnostic.message, &notes);
    }
}

/// A remark for each rule that was applied: how often, and where in the model.
fn report_firings(op: OperationRef<'_, '_>, rules: &RuleSet, firings: &[Firing]) {
    for (index, rule) in rules.rules.iter().enumerate() {
        let of_rule = firings.iter().filter(|firing| firing.rule == index);
        let places: Vec<String> =
            of_rule.map(|f| f.position.as_ref().map_or("?".to_owned(), ToString::to_string)).collect();
        let often = match places.len() {
            0 => continue,
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let remark = format!("rule {} applied {often}: {}", rule.name, places.join(", "));
        emit(op.location(), Severity::Remark, &remark);
    }
}
