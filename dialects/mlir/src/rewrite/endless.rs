//! Rules that never end. Drivers of ours stop after a number of rewrites; those that MLIR runs by itself, such as its
//! canonicalizer, know no limit within an iteration: there the rules refuse to match once they have applied too often.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use mlir_sys::MlirRewriterBase;

use super::outside::report_outside;
use crate::ir::{self, OperationRef};

/// Applications in one run that are never too many.
const ALWAYS_ALLOWED: u64 = 10_000;
/// Further applications for each operation that there is then.
const ALLOWED_PER_OPERATION: u64 = 20;
/// Of so many applications the rules are named.
const REMEMBERED: usize = 32;

/// A number for what runs now: pipelines begin another.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// The rules that one driver applies to one root.
#[derive(Default, PartialEq, Eq)]
struct Run {
    driver: usize,
    root: usize,
    generation: u64,
}

#[derive(Default)]
struct Count {
    run: Run,
    applications: u64,
    limit: u64,
    last: VecDeque<String>,
    ended: bool,
}

thread_local! {
    static COUNT: RefCell<Count> = RefCell::default();
}

/// Says that what runs from now on is another run, even if it looks the same.
pub(crate) fn begin() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

fn run_of(driver: MlirRewriterBase, operation: OperationRef<'_, '_>) -> Run {
    let (driver, root) = (driver.ptr as usize, operation.root().key());
    Run { driver, root, generation: GENERATION.load(Ordering::Relaxed) }
}

/// How often rules may be applied in one run to what an operation contains.
pub(super) fn allowed(root: OperationRef<'_, '_>) -> u64 {
    ALWAYS_ALLOWED + ALLOWED_PER_OPERATION.saturating_mul(ir::walk(root).len() as u64)
}

/// Whether rules may still be applied.
pub(super) fn is_allowed(driver: MlirRewriterBase, operation: OperationRef<'_, '_>) -> bool {
    COUNT.with_borrow(|count| !count.ended || count.run != run_of(driver, operation))
}

/// Notes that a rule is applied at an operation; reports the rules where it is once too often.
pub(super) fn applied(driver: MlirRewriterBase, rule: &str, operation: OperationRef<'_, '_>) {
    let run = run_of(driver, operation);
    let message = COUNT.with_borrow_mut(|count| {
        if count.run != run {
            *count = Count { run, limit: ALWAYS_ALLOWED, ..Count::default() };
        }
        count.applications += 1;
        count.last.push_back(rule.to_string());
        if count.last.len() > REMEMBERED {
            count.last.pop_front();
        }
        if count.applications <= count.limit {
            return None;
        }
        if count.limit == ALWAYS_ALLOWED {
            count.limit = allowed(operation.root());
        }
        if count.applications <= count.limit {
            return None;
        }
        let first = !std::mem::replace(&mut count.ended, true);
        first.then(|| message(count.applications, count.last.iter().map(String::as_str)))
    });
    if let Some(message) = message {
        report_outside(operation.location(), &message);
    }
}

/// What is said of rules that apply again and again.
pub fn message<'n>(applications: u64, last: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = last.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<String> = names.into_iter().map(|name| format!("'{name}'")).collect();
    format!("rewriting does not end: after {applications} rewrites these rules still apply: {}", names.join(", "))
}
