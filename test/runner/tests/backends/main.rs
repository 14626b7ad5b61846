//! Every case on every backend: conformance cases, settings of operators and models. `refusals/` lists what is not right yet.
//! Compiled code runs in processes of its own.

mod generated;
mod graphs;
mod rules;

use libtest_mimic::{Arguments, Failed, Trial};
use skriptnd_conformance::Problem;
use skriptnd_conformance::backend::{Interpreter, Rewritten};
use skriptnd_conformance::pool::{Pool, serve};
use skriptnd_conformance::refusals::{COMPILED, EXACT, Refusals, SELECTED, inexact};
use skriptnd_conformance::suite::{Subject, subjects};
use skriptnd_interpret::Engine;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    if let Some(code) = serve() {
        return code;
    }
    let arguments = Arguments::from_args();
    // Who names cases wants them, wherever they are.
    let whole = std::env::var_os("SKRIPTND_WHOLE").is_some() || arguments.filter.is_some();
    match trials(whole) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn trials(whole: bool) -> Result<Vec<Trial>, String> {
    let subjects = subjects();
    let mut trials = Vec::new();
    for backend in COMPILED {
        trials.extend(of_compiled(backend, &subjects, whole)?);
    }
    for (backend, list) in SELECTED {
        trials.extend(of_selected((backend, list), &subjects, whole)?);
    }
    trials.extend(of_exact(&subjects, whole)?);
    trials.extend(of_exported(&subjects, whole)?);
    trials.push(Trial::test("interpret: random graphs", generated::interpreted));
    trials.push(Trial::test("htp: rules that preserve meaning", rules::preserve_meaning));
    for subject in subjects {
        // Other tests run the project's own cases in the faster engine, and compare their diagnostics.
        if subject.name.starts_with("shared/") {
            let subject = subject.clone();
            let name = format!("interpret::{}", subject.name);
            trials.push(Trial::test(name, move || interpreted(&subject, Engine::Rows)));
        }
        // What takes an iteration of the oracle after the other has to be small.
        if !subject.is_large() {
            trials.push(Trial::test(format!("oracle::{}", subject.name), move || interpreted(&subject, Engine::Naive)));
        }
    }
    Ok(trials)
}

/// Graphs, written as text and read again.
fn of_exported(subjects: &[Subject], whole: bool) -> Result<Vec<Trial>, String> {
    let refusals = Arc::new(Refusals::alone("exported")?);
    let trial = |subject: &Subject| {
        let (subject, refusals) = (subject.clone(), refusals.clone());
        Trial::test(format!("exported::{}", subject.name), move || exported(&subject, &refusals))
    };
    let taken = taken(subjects, "exported", whole).into_iter().filter(|subject| !subject.is_large());
    let mut trials: Vec<Trial> = taken.map(|subject| trial(&subject)).collect();
    let subjects = subjects.to_vec();
    trials.push(Trial::test("exported: refusals name cases", move || name_cases(&refusals, &subjects)));
    Ok(trials)
}

fn exported(subject: &Subject, refusals: &Refusals) -> Result<(), Failed> {
    let (cases, backend) = (subject.load()?, Rewritten::new()?);
    let judged = cases.entries.iter().map(|entry| refusals.judge(&entry.name, cases.run(entry, &backend).as_ref()));
    let problems: Vec<String> = judged.filter_map(Result::err).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// A backend that takes all subjects, and random graphs.
fn of_compiled(backend: &'static str, subjects: &[Subject], whole: bool) -> Result<Vec<Trial>, String> {
    let (refusals, pool) = (Arc::new(Refusals::of(backend)?), Arc::new(Pool::new(backend)));
    let mut trials = on_backend(backend, taken(subjects, backend, whole), &pool, &refusals);
    let subjects = subjects.to_vec();
    trials.push(Trial::test(format!("{backend}: refusals name cases"), move || name_cases(&refusals, &subjects)));
    let (of_open, of_integers) = (pool.clone(), pool.clone());
    trials.push(Trial::test(format!("{backend}: random networks of integers"), move || {
        generated::integers(&of_integers)
    }));
    trials.push(Trial::test(format!("{backend}: random open extents"), move || generated::open(&of_open)));
    trials.push(Trial::test(format!("{backend}: random graphs"), move || generated::compiled(&pool)));
    Ok(trials)
}

/// The bits of the oracle: of what is small, and of random graphs whose sums and products are rounded. Of some subjects not every bit
/// is promised.
fn of_exact(subjects: &[Subject], whole: bool) -> Result<Vec<Trial>, String> {
    let (refusals, pool, inexact) = (Arc::new(Refusals::of("native")?), Arc::new(Pool::new(EXACT)), inexact()?);
    let known: BTreeSet<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
    let gone: Vec<String> = inexact.difference(&known).cloned().collect();
    let named =
        move || if gone.is_empty() { Ok(()) } else { Err(format!("there are no such subjects: {gone:?}").into()) };
    let mut trials = vec![Trial::test(format!("{EXACT}: what is not exact names subjects"), named)];
    // What lies outside of the project has no list here.
    let is_own = |subject: &Subject| !subject.is_large() && !subject.name.starts_with("shared/");
    for subject in taken(subjects, EXACT, whole).into_iter().filter(is_own) {
        let (pool, refusals, is_exact) = (pool.clone(), refusals.clone(), !inexact.contains(&subject.name));
        let name = format!("{EXACT}::{}", subject.name);
        trials.push(Trial::test(name, move || match is_exact {
            true => judged(&subject, &refusals, |number| pool.compare_bits(&subject.name, number)),
            false => on_pool(&subject, &pool, &refusals),
        }));
    }
    trials.push(Trial::test(format!("{EXACT}: random graphs"), move || generated::rough(&pool)));
    Ok(trials)
}

/// A backend for which some subjects are enough.
fn of_selected((backend, list): (&'static str, &str), subjects: &[Subject], whole: bool) -> Result<Vec<Trial>, String> {
    let (refusals, pool) = (Arc::new(Refusals::of(list)?), Arc::new(Pool::new(backend)));
    let mut trials = on_backend(backend, selected(subjects, backend, whole), &pool, &refusals);
    if backend == "hvx" {
        let of_integers = pool.clone();
        trials.push(Trial::test("hvx: random networks of integers", move || generated::integers(&of_integers)));
    }
    if backend == "htp" {
        let of_quantized = pool.clone();
        trials.push(Trial::test("htp: random graphs", move || generated::compiled(&pool)));
        trials.push(Trial::test("htp: random quantized graphs", move || generated::quantized(&of_quantized)));
    }
    Ok(trials)
}

fn on_backend(backend: &str, subjects: Vec<Subject>, pool: &Arc<Pool>, refusals: &Arc<Refusals>) -> Vec<Trial> {
    let trial = |subject: Subject| {
        let (pool, refusals) = (pool.clone(), refusals.clone());
        let name = format!("{backend}::{}", subject.name);
        Trial::test(name, move || on_pool(&subject, &pool, &refusals))
    };
    subjects.into_iter().map(trial).collect()
}

/// What a backend takes unless all are asked for: of so many conformance cases one, of so many others one, from which on. What one
/// leaves out, others take.
const SAMPLES: [(&str, usize, usize, usize); 4] =
    [("native", 3, 5, 0), ("hexagon", 5, 20, 1), (EXACT, 6, 48, 0), ("exported", 5, 20, 0)];

/// The subjects of a backend.
fn taken(subjects: &[Subject], backend: &str, whole: bool) -> Vec<Subject> {
    let sample = SAMPLES.iter().find(|sample| sample.0 == backend).filter(|_| !whole);
    let &(_, cases, others, first) = sample.unwrap_or(&("", 1, 1, 0));
    let is_taken = |(number, subject): &(usize, &Subject)| {
        let one_of = if subject.name.starts_with("conformance/") { cases } else { others };
        number % one_of == first % one_of
    };
    subjects.iter().enumerate().filter(is_taken).map(|(_, subject)| subject.clone()).collect()
}

/// Each 32nd subject that is small, unless all are asked for, and what the backend is about.
fn selected(subjects: &[Subject], backend: &str, whole: bool) -> Vec<Subject> {
    let small = subjects.iter().filter(|subject| whole || !subject.is_large()).enumerate();
    let special = SPECIAL.iter().find(|(own, _)| *own == backend).map(|(_, names)| *names);
    let is_special = |subject: &Subject| special.is_some_and(|names| subject.name.starts_with(names));
    let taken = small.filter(|(number, subject)| whole || number % SELECTION == 0 || is_special(subject));
    taken.map(|(_, subject)| subject.clone()).collect()
}

/// What has types of its own in the `htp` dialect, and instructions of its own on ARM.
const SPECIAL: [(&str, &str); 2] = [("htp", "conformance/quantization/"), ("neon", "conformance/quantization/pairs")];

/// Of so many subjects one runs on backends for which that is enough.
const SELECTION: usize = 32;

fn on_pool(subject: &Subject, pool: &Pool, refusals: &Refusals) -> Result<(), Failed> {
    judged(subject, refusals, |number| pool.run(&subject.name, number))
}

/// Whether the lists say of each case of a subject what its run says, by its number.
fn judged(
    subject: &Subject,
    refusals: &Refusals,
    run: impl Fn(usize) -> Result<Option<Problem>, String>,
) -> Result<(), Failed> {
    let mut problems = Vec::new();
    for (number, entry) in subject.load()?.entries.iter().enumerate() {
        let outcome = run(number)?;
        problems.extend(refusals.judge(&entry.name, outcome.as_ref()).err());
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn interpreted(subject: &Subject, engine: Engine) -> Result<(), Failed> {
    let cases = subject.load()?;
    let problems: Vec<String> = cases
        .entries
        .iter()
        .filter_map(|entry| Some(format!("{}: {}", entry.name, cases.run(entry, &Interpreter(engine))?)))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// A line whose case is gone says nothing. Cases outside of the project may be missing.
fn name_cases(refusals: &Refusals, subjects: &[Subject]) -> Result<(), Failed> {
    let listed: BTreeSet<&str> = refusals.cases().filter_map(|case| Some(case.split_once("::")?.0)).collect();
    let mut known = BTreeSet::new();
    for subject in subjects.iter().filter(|subject| listed.contains(&*subject.name)) {
        known.extend(subject.load()?.entries.into_iter().map(|entry| entry.name));
    }
    let is_gone = |case: &&str| !known.contains(*case) && !case.starts_with("shared/");
    let gone: Vec<&str> = refusals.cases().filter(is_gone).collect();
    if gone.is_empty() { Ok(()) } else { Err(format!("there are no such cases: {gone:?}").into()) }
}
