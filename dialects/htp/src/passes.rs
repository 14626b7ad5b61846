//! The passes of this crate, for pipelines and `skriptnd-opt`.

use crate::apply::Options;
use crate::commands::{RuleSet, Settings};
use crate::convert;
use crate::engine::Engine;
use skriptnd_language::diagnostics::render;
use skriptnd_mlir::diagnostics::{Failure, Severity, emit};
use skriptnd_mlir::ir::{OperationLike, OperationRef};
use skriptnd_mlir::pass::{OptionValue, PassRun, PassSpec, register, register_pipeline};
use std::path::{Path, PathBuf};

/// Registers all passes.
pub fn register_passes() -> Result<(), skriptnd_mlir::Error> {
    register(
        PassSpec::new("convert-skriptnd-to-htp", "Converts operators that the tensor processor has", |op, _| {
            convert::from_skriptnd(op).map(|_| ())
        })
        .dependent_dialect(crate::dialect::NAMESPACE),
    )?;
    register(
        PassSpec::new("convert-htp-to-skriptnd", "Converts ops of the tensor processor to operators", |op, _| {
            convert::to_skriptnd(op)
        })
        .dependent_dialect("skriptnd"),
    )?;
    register_pipeline(
        "convert-htp-to-linalg",
        "Converts ops of the tensor processor to linalg, by way of the operators that they are",
        "convert-htp-to-skriptnd,convert-skriptnd-to-linalg",
    )?;
    register(apply_rules())?;
    Ok(())
}

fn apply_rules() -> PassSpec {
    let text = || OptionValue::Text(String::new());
    PassSpec::new("apply-htp-rules", "Applies the optimization rules of a file", run_rules)
        .option("file", "The rule file", text())
        .option("mode", "`strict`: the published grammar; `sdk`: with the extensions of public rule files", text())
        .option("include", "Directories of included files", OptionValue::Texts(Vec::new()))
        .option("passes", "A table of pass groups in place of the built-in one", text())
        .option("package", "The package of ops whose names have none", text())
        .option("options", "Options of the graph, name=value", OptionValue::Texts(Vec::new()))
        .option("report", "Report a remark for each rule that was applied", OptionValue::Flag(false))
        .dependent_dialect(crate::dialect::NAMESPACE)
}

fn run_rules(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    let mut settings = Settings::default();
    let mode = run.text("mode");
    if !mode.is_empty() {
        settings.mode = mode.parse()?;
    }
    let passes = run.text("passes");
    if !passes.is_empty() {
        settings.read_passes(Path::new(&passes))?;
    }
    let package = run.text("package");
    if !package.is_empty() {
        settings.package = package;
    }
    settings.includes = run.texts("include").into_iter().map(PathBuf::from).collect();
    let file = run.text("file");
    if file.is_empty() {
        return Err("needs a rule file: apply-htp-rules{file=PATH}".into());
    }
    let rules = RuleSet::load(Path::new(&file), &settings)?.for_application();
    for diagnostic in rules.found.iter() {
        let severity = match diagnostic.severity {
            skriptnd_language::diagnostics::Severity::Error => Severity::Error,
            skriptnd_language::diagnostics::Severity::Warning => Severity::Warning,
        };
        emit(op.location(), severity, render(diagnostic, &rules.sources).trim_end());
    }
    if rules.found.has_errors() {
        return Err(Failure::reported());
    }
    let options = Options::parse(&run.texts("options"))?;
    let engine = Engine::new(&rules.rules, &rules.sources, &settings.package, options);
    let firings = engine.run(op).map_err(|error| Failure::new(error.to_string()))?;
    for option in engine.missing_options() {
        emit(op.location(), Severity::Warning, &format!("graph option `{option}` is not set, and reads as 0"));
    }
    if run.flag("report") {
        for (index, rule) in rules.rules.iter().enumerate() {
            let of_rule = firings.iter().filter(|firing| firing.rule == index);
            let count = of_rule.clone().count();
            if count > 0 {
                let places = of_rule.map(|f| f.position.as_ref().map_or("?".to_owned(), ToString::to_string));
                let places = places.collect::<Vec<_>>().join(", ");
                emit(op.location(), Severity::Remark, &format!("rule {} applied {count} times: {places}", rule.name));
            }
        }
    }
    Ok(())
}
