//! The operators that come with the compiler, each setting a test; whether each operator has settings; whether their table
//! is up to date.

use libtest_mimic::{Arguments, Failed, Trial};
use skriptnd_conformance::operators::{self, Setting, Settings};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

/// How many valid settings an operator must have.
const ENOUGH: usize = 3;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match operators::all() {
        Ok(settings) => libtest_mimic::run(&arguments, trials(settings)).exit_code(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn trials(settings: Vec<Settings>) -> Vec<Trial> {
    let settings: Arc<[Settings]> = settings.into();
    let mut trials = Vec::new();
    for (at, operator) in settings.iter().enumerate() {
        for (number, setting) in operator.graphs.iter().enumerate() {
            let settings = settings.clone();
            let name = format!("{}::{}", operator.operator, setting.name);
            trials.push(Trial::test(name, move || check(&settings[at].graphs[number])));
        }
    }
    let given = settings.clone();
    trials.push(Trial::test("every operator has settings", move || every_operator_has_settings(&given)));
    trials.push(Trial::test("the table of operators is up to date", move || table_is_up_to_date(&settings)));
    trials
}

fn check(setting: &Setting) -> Result<(), Failed> {
    let problems = setting.file.run();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn every_operator_has_settings(settings: &[Settings]) -> Result<(), Failed> {
    let tested: BTreeSet<&str> = settings.iter().filter(|s| s.valid() >= ENOUGH).map(|s| &*s.operator).collect();
    let library = operators::library();
    let names = library.modules.iter().filter(|(module, _)| library.is_standard(module)).flat_map(|(module, tree)| {
        let public = tree.operators.iter().filter(|operator| !operator.name.text.starts_with('_'));
        public.map(move |operator| format!("{module}.{}", operator.name.text))
    });
    let lacking: Vec<String> = names.filter(|name| !tested.contains(&**name)).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(format!("these operators have fewer than {ENOUGH} valid settings in test/operators: {lacking:?}").into())
}

fn table_is_up_to_date(settings: &[Settings]) -> Result<(), Failed> {
    let path = operators::table_path();
    let checked_in = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if checked_in == operators::table(settings)? {
        return Ok(());
    }
    Err(format!("{} is out of date; `cargo xtask docs` writes it anew", path.display()).into())
}
