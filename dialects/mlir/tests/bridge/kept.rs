//! Contexts keep compiled patterns, and let go of them when they end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use skriptnd_mlir::Error;
use skriptnd_mlir::ir::Context;
use skriptnd_mlir::rewrite::{GreedyOptions, KeptPatterns, Natives, PdlPatterns, kept_stages};

use crate::toy::{context, parse};

const TEXT: &str = "pdl.pattern @once : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %old = pdl.operation \"toy.negate\"(%x : !pdl.value) -> (%type : !pdl.type)
  pdl.apply_native_constraint \"fits\"(%old : !pdl.operation)
  pdl.rewrite %old {
    pdl.replace %old with(%x : !pdl.value)
  }
}";

const MODULE: &str = "toy.func @f(%a: f64) -> f64 {
  %0 = toy.negate %a : f64
  toy.return %0 : f64
}";

/// How often the patterns were made.
static MADE: AtomicUsize = AtomicUsize::new(0);
/// Whom the native function belongs to: as many as there are compiled sets, and the test.
static OWNER: LazyLock<Arc<()>> = LazyLock::new(|| Arc::new(()));
static PATTERNS: KeptPatterns = KeptPatterns::new(|| {
    MADE.fetch_add(1, Ordering::Relaxed);
    let owner = OWNER.clone();
    let natives = Natives::new().constraint("fits", move |_, _| (Arc::strong_count(&owner) > 0).then(Vec::new));
    PdlPatterns::new(TEXT, "once.pdl", natives)
});
static BROKEN: KeptPatterns = KeptPatterns::new(|| PdlPatterns::new("pdl.pattern", "broken.pdl", Natives::new()));

fn applications(context: &Context, counted: bool) -> usize {
    let mut module = parse(context, MODULE);
    let patterns = PATTERNS.of(context, counted).unwrap();
    let report = patterns.apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap();
    assert_eq!(report.statistics.len(), usize::from(counted));
    report.applications.len()
}

#[test]
fn each_context_compiles_patterns_once_and_drops_them() {
    let (first, second) = (context(), context());
    for _ in 0..3 {
        assert_eq!((applications(&first, false), applications(&second, true)), (1, 1));
    }
    assert_eq!((MADE.load(Ordering::Relaxed), Arc::strong_count(&OWNER)), (2, 3));
    // What counts is compiled apart.
    assert_eq!(applications(&first, true), 1);
    assert_eq!((MADE.load(Ordering::Relaxed), Arc::strong_count(&OWNER)), (3, 4));
    drop(first);
    assert_eq!(Arc::strong_count(&OWNER), 2);
    let third = context();
    assert_eq!(applications(&third, false), 1);
    assert_eq!(MADE.load(Ordering::Relaxed), 4);
    drop((second, third));
    assert_eq!(Arc::strong_count(&OWNER), 1);
}

#[test]
fn texts_are_compiled_once_for_each_context() {
    let (first, second) = (context(), context());
    let made = AtomicUsize::new(0);
    let natives = || {
        made.fetch_add(1, Ordering::Relaxed);
        Natives::new().constraint("fits", |_, _| Some(Vec::new()))
    };
    let staged = format!("module {{\n{TEXT}\n}}\nmodule {{\n{}\n}}", TEXT.replace("once", "twice"));
    let stages = |context, text: &str, counted| kept_stages(context, text, "a.pdl", natives, counted).unwrap();
    for _ in 0..3 {
        let (whole, apart) = (stages(&first, TEXT, false), stages(&first, &staged, false));
        assert_eq!((whole.len(), apart.len()), (1, 2));
        assert!(Arc::ptr_eq(&whole[0], &stages(&first, TEXT, false)[0]));
    }
    assert_eq!(made.load(Ordering::Relaxed), 3);
    // What counts, another text, another context.
    assert!(!Arc::ptr_eq(&stages(&first, TEXT, true)[0], &stages(&first, TEXT, false)[0]));
    stages(&first, &TEXT.replace("once", "ever"), false);
    stages(&second, TEXT, false);
    assert_eq!(made.load(Ordering::Relaxed), 6);
    let mut module = parse(&first, MODULE);
    let report =
        stages(&first, &staged, false)[1].apply_greedily(&mut module.root(), &GreedyOptions::default()).unwrap();
    assert_eq!(report.applications[0].pattern, "twice");
    assert!(kept_stages(&first, "pdl.pattern", "b.pdl", natives, false).is_err());
}

#[test]
fn what_cannot_be_compiled_is_said_each_time() {
    let context = context();
    for _ in 0..2 {
        assert!(matches!(BROKEN.of(&context, false), Err(Error::Reported { .. })));
    }
}
