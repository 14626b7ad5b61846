//! Each rule of `td/skriptnd/Rewrites.td` is held to what the interpreter computes: of its source pattern a graph is made,
//! which is computed for random operands before and after the rule was applied. Graphs that miss the pattern by one thing are left
//! alone.

mod graph;
mod leaves;
mod run;
mod source;
mod values;

use crate::generated::rewrites;
use crate::natives::Functions;
use run::Exactness;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::Context;
use skriptnd_mlir::rewrite::{GreedyOptions, PatternSet, PdlPatterns};
use skriptnd_tablegen::drr::{self, Pattern};
use skriptnd_tablegen::ods::Operation;
use skriptnd_tablegen::{Records, search_path};
use source::{Miss, Variant};
use std::path::Path;

/// The declared rules, and what their operations are.
struct Declared {
    registry: Registry,
    patterns: Vec<Pattern>,
    operations: Vec<Operation>,
}

impl Declared {
    fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../td/skriptnd/Rewrites.td");
        let records = Records::from_file(&file, &search_path(&file, &[])).unwrap();
        let (patterns, operations) = drr::patterns(&records).unwrap();
        assert!(patterns.len() >= 114, "{} rules", patterns.len());
        let mut registry = Registry::new();
        crate::register(&mut registry).unwrap();
        Self { registry, patterns, operations }
    }
}

#[test]
fn rules_keep_what_graphs_compute() {
    let declared = Declared::read();
    let context = declared.registry.context();
    let (mut failures, mut varied) = (Vec::new(), 0);
    for pattern in &declared.patterns {
        let mut applied = 0;
        for (number, aligned) in [("f32", false), ("i64", false), ("f32", true), ("i64", true)] {
            match check(&context, pattern, &declared.operations, Variant { number, aligned, miss: None }) {
                Verdict::Kept => applied += 1,
                Verdict::NoGraph | Verdict::NotApplied => {}
                Verdict::Broken(reason) => failures.push(format!("{reason}\n({number}, aligned: {aligned})")),
            }
        }
        if applied == 0 {
            failures.push(format!("{}: it applies to no graph that was made of its source pattern", pattern.name));
        }
        varied += applied;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(varied >= 240, "{varied} variants");
}

#[test]
fn rules_leave_near_misses_alone() {
    let declared = Declared::read();
    let context = declared.registry.context();
    let misses = (0..3).map(Miss::Interrupted).chain([
        Miss::Distinct,
        Miss::Present,
        Miss::Constant,
        Miss::Done,
        Miss::Longer,
        Miss::Retyped,
        Miss::Given,
    ]);
    let misses: Vec<Option<Miss>> = misses.map(Some).collect();
    let mut failures = Vec::new();
    for pattern in &declared.patterns {
        let mut missed = 0;
        for &miss in &misses {
            match check(&context, pattern, &declared.operations, Variant { number: "f32", aligned: false, miss }) {
                Verdict::NotApplied => missed += 1,
                Verdict::NoGraph => {}
                Verdict::Kept | Verdict::Broken(_) => failures.push(format!("{} matches {miss:?}", pattern.name)),
            }
        }
        if missed == 0 {
            failures.push(format!("{} has no near miss", pattern.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What a rule did to the graph of its source pattern.
enum Verdict {
    /// Other operations compute the same.
    Kept,
    /// There is no such graph.
    NoGraph,
    /// Nothing: the pattern does not match, or the rule's conditions do not hold.
    NotApplied,
    Broken(String),
}

fn check(context: &Context, pattern: &Pattern, operations: &[Operation], variant: Variant) -> Verdict {
    let name = &pattern.name;
    let Some(mut module) = source::module(context, pattern, operations, variant) else {
        return Verdict::NoGraph;
    };
    // Folders know some of the rules, too.
    let options = GreedyOptions { fold: false, ..GreedyOptions::default() };
    // Types of near misses may be unknown.
    let before = if variant.miss.is_none() { graph::text(&module, operations) } else { String::new() };
    eprintln!("{name} {variant:?}\n{}\n{}", alone(name), module.as_operation());
    let mut set = PatternSet::new(context);
    set.add_pdl(PdlPatterns::new(alone(name), "rule.pdl", rewrites::natives(Functions))).unwrap();
    let report = set.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
    if report.applications.is_empty() {
        return Verdict::NotApplied;
    }
    if !report.converged {
        return Verdict::Broken(format!("{name}: it applies without end to\n{before}"));
    }
    if variant.miss.is_some() {
        return Verdict::Broken(format!("{name}: it applies"));
    }
    let after = graph::text(&module, operations);
    match run::compare(&before, &after, exactness(pattern)) {
        Ok(()) => Verdict::Kept,
        Err(reason) => Verdict::Broken(format!("{name}: {reason}\n{before}{after}")),
    }
}

/// What is computed of variables before a run is rounded in another order.
fn exactness(pattern: &Pattern) -> Exactness {
    let is_prepared = pattern.constraints.iter().any(|extra| extra.constraint.definition == "IsPrepared");
    if is_prepared { Exactness::Rounded } else { Exactness::Bits }
}

/// The text of one pattern.
fn alone(name: &str) -> String {
    let begin = format!("pdl.pattern @{name} ");
    let rest = rewrites::PDL.split_once(&begin).map(|(_, rest)| rest).unwrap();
    let end = rest.find("\npdl.pattern").unwrap_or(rest.len());
    format!("{begin}{}", &rest[..end])
}
