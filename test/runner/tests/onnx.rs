//! Every graph, written as ONNX and imported again. `refusals/onnx.txt` lists what has no form in ONNX, or another one yet.

use libtest_mimic::{Arguments, Failed, Trial};
use skriptnd_conformance::backend::Onnx;
use skriptnd_conformance::refusals::Refusals;
use skriptnd_conformance::suite::{Subject, subjects};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

/// Of subjects that are no conformance cases, each of so many is tried, unless all are asked for.
const SELECTION: usize = 8;

fn main() -> ExitCode {
    match trials() {
        Ok(trials) => libtest_mimic::run(&Arguments::from_args(), trials).exit_code(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let refusals = Arc::new(Refusals::alone("onnx")?);
    // Who names cases wants them, wherever they are.
    let arguments = Arguments::from_args();
    let whole = std::env::var_os("SKRIPTND_WHOLE").is_some() || arguments.filter.is_some();
    let subjects: Vec<Subject> = subjects().into_iter().filter(|subject| !subject.is_large()).collect();
    let is_taken = |(number, subject): &(usize, &Subject)| {
        whole || subject.name.starts_with("conformance/") || number % SELECTION == 0
    };
    let trial = |subject: &Subject| {
        let (subject, refusals) = (subject.clone(), refusals.clone());
        Trial::test(format!("onnx::{}", subject.name), move || judged(&subject, &refusals))
    };
    let taken = subjects.iter().enumerate().filter(is_taken).map(|(_, subject)| subject);
    let mut trials: Vec<Trial> = taken.map(trial).collect();
    trials.push(Trial::test("onnx: refusals name cases", move || name_cases(&refusals, &subjects)));
    Ok(trials)
}

fn judged(subject: &Subject, refusals: &Refusals) -> Result<(), Failed> {
    let cases = subject.load()?;
    let judged = cases.entries.iter().map(|entry| refusals.judge(&entry.name, cases.run(entry, &Onnx).as_ref()));
    let problems: Vec<String> = judged.filter_map(Result::err).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn name_cases(refusals: &Refusals, subjects: &[Subject]) -> Result<(), Failed> {
    let loaded = subjects.iter().map(|subject| subject.load()).collect::<Result<Vec<_>, String>>()?;
    let known: BTreeSet<&str> = loaded.iter().flat_map(|cases| &cases.entries).map(|entry| &*entry.name).collect();
    let gone: Vec<&str> = refusals.cases().filter(|case| !known.contains(case)).collect();
    if gone.is_empty() { Ok(()) } else { Err(format!("there are no such cases: {gone:?}").into()) }
}
