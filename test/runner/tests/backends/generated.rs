//! Random graphs: every backend computes of them what the oracle computes.

use crate::graphs::{self, Step};
use libtest_mimic::Failed;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use skriptnd_conformance::backend::Interpreter;
use skriptnd_conformance::pool::Pool;
use skriptnd_conformance::suite::compare_with_oracle;
use skriptnd_conformance::{Class, Problem};
use skriptnd_interpret::Engine;
use std::cell::Cell;

/// Graphs for each backend. `SKRIPTND_GRAPHS` gives another number; the first of them are always the same.
const INTERPRETED: u32 = 400;
const COMPILED: u32 = 60;
/// Of those that are rounded.
const ROUGH: u32 = 60;
/// Of those with open extents, which run several times each; `SKRIPTND_WHOLE` asks for more.
const OPEN: u32 = 24;
const ALL_OPEN: u32 = 1000;

/// Of networks of integers.
const INTEGERS: u32 = 8;

/// Most steps of a graph.
const STEPS: usize = 12;

/// Most attempts at making a failing graph smaller.
const SHRINKING: u32 = 200;

/// In the faster engine.
pub fn interpreted() -> Result<(), Failed> {
    search(INTERPRETED, graphs::text, |text| compare_with_oracle(text, &Interpreter(Engine::Rows)))
}

/// On a compiled backend, which may refuse a graph but not get it wrong.
pub fn compiled(pool: &Pool) -> Result<(), Failed> {
    on_backend(pool, COMPILED, graphs::text)
}

/// The same where tensors are quantized.
pub fn quantized(pool: &Pool) -> Result<(), Failed> {
    on_backend(pool, COMPILED, graphs::quantized)
}

/// Of graphs whose sums and products are rounded: on a backend that rounds where the formulas do, each bit is the oracle's.
pub fn rough(pool: &Pool) -> Result<(), Failed> {
    search(ROUGH, graphs::rough, |text| {
        let problem = pool.compare_with_oracle(text)?;
        Ok(problem.filter(|problem| problem.class != Class::Refused))
    })
}

/// Of graphs whose open extents are 0, 1, and their bounds.
pub fn open(pool: &Pool) -> Result<(), Failed> {
    let count = if std::env::var_os("SKRIPTND_WHOLE").is_some() { ALL_OPEN } else { OPEN };
    on_backend(pool, count, graphs::open::text)
}

/// Of networks of integers: none is refused.
pub fn integers(pool: &Pool) -> Result<(), Failed> {
    search(INTEGERS, graphs::integers::text, |text| pool.compare_with_oracle(text))
}

fn on_backend(pool: &Pool, count: u32, write: impl Fn(&[Step]) -> String) -> Result<(), Failed> {
    search(count, write, |text| {
        // What the interpreter does not take, the compiler is not asked for.
        compare_with_oracle(text, &Interpreter(Engine::Rows))?;
        let problem = pool.compare_with_oracle(text)?;
        Ok(problem.filter(|problem| problem.class != Class::Refused))
    })
}

/// Makes graphs until one has a problem, then the smallest that has one. An error means that the text was not valid.
fn search(
    count: u32,
    write: impl Fn(&[Step]) -> String,
    run: impl Fn(&str) -> Result<Option<Problem>, String>,
) -> Result<(), Failed> {
    let count = std::env::var("SKRIPTND_GRAPHS").ok().and_then(|count| count.parse().ok()).unwrap_or(count);
    let config = Config { cases: count, failure_persistence: None, max_shrink_iters: SHRINKING, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let invalid = Cell::new(0);
    let outcome = runner.run(&vec(any::<Step>(), 1..=STEPS), |steps| {
        let text = write(&steps);
        match run(&text) {
            Ok(None) => Ok(()),
            Ok(Some(problem)) => Err(TestCaseError::fail(format!("{problem}\n{text}"))),
            Err(reason) => {
                invalid.set(invalid.get() + 1);
                match invalid.get() * 10 > count + 20 {
                    true => Err(TestCaseError::fail(format!(
                        "too many graphs are not valid, as this one: {reason}\n{text}"
                    ))),
                    false => Ok(()),
                }
            }
        }
    });
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(reason, _)) => Err(reason.message().to_owned().into()),
        Err(other) => Err(other.to_string().into()),
    }
}
