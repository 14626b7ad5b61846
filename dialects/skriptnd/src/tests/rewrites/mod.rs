//! Each rule of `td/skriptnd/Rewrites.td` is held to what the interpreter computes: of its source pattern a graph is made,
//! which is computed for random operands before and after the rule was applied.

mod graph;
mod run;
mod source;

use crate::generated::rewrites;
use crate::natives::Functions;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::Context;
use skriptnd_mlir::rewrite::{GreedyOptions, PatternSet, PdlPatterns};
use skriptnd_tablegen::drr::{self, Pattern};
use skriptnd_tablegen::ods::Operation;
use skriptnd_tablegen::{Records, search_path};
use source::Variant;
use std::path::Path;

/// Batch normalisations are folded into variables, which a graph of one expression does not have; the operators' own
/// settings and a lit test hold these rules.
const OF_VARIABLES: &str = "FoldBatchNorm";

#[test]
fn rules_keep_what_graphs_compute() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../td/skriptnd/Rewrites.td");
    let records = Records::from_file(&file, &search_path(&file, &[])).unwrap();
    let (patterns, operations) = drr::patterns(&records).unwrap();
    let mut registry = Registry::new();
    crate::register(&mut registry).unwrap();
    let context = registry.context();
    // Folders know some of the rules, too.
    let options = GreedyOptions { fold: false, ..GreedyOptions::default() };
    let (mut failures, mut varied) = (Vec::new(), 0);
    let checked: Vec<_> = patterns.iter().filter(|pattern| !pattern.name.starts_with(OF_VARIABLES)).collect();
    for pattern in &checked {
        let check = |variant| check(&context, pattern, &operations, variant, &options);
        let mut applied = 0;
        for (number, aligned) in [("f32", false), ("i64", false), ("f32", true), ("i64", true)] {
            match check(Variant { number, aligned }) {
                Verdict::Kept => applied += 1,
                Verdict::NotApplied => {}
                Verdict::Broken(reason) => failures.push(format!("{reason}\n({number}, aligned: {aligned})")),
            }
        }
        if applied == 0 {
            failures.push(format!("{}: it applies to no graph that was made of its source pattern", pattern.name));
        }
        varied += applied;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked.len() >= 90, "{} rules", checked.len());
    assert!(varied >= 240, "{varied} variants");
}

/// What a rule did to the graph of its source pattern.
enum Verdict {
    /// Other operations compute the same.
    Kept,
    /// There is no such graph, or the rule's conditions do not hold for it.
    NotApplied,
    Broken(String),
}

fn check(
    context: &Context,
    pattern: &Pattern,
    operations: &[Operation],
    variant: Variant,
    options: &GreedyOptions,
) -> Verdict {
    let name = &pattern.name;
    let Some(mut module) = source::module(context, pattern, operations, variant) else {
        return Verdict::NotApplied;
    };
    let before = graph::text(&module, operations);
    let mut set = PatternSet::new(context);
    set.add_pdl(PdlPatterns::new(alone(name), "rule.pdl", rewrites::natives(Functions))).unwrap();
    let report = set.freeze().unwrap().apply_greedily(&mut module.root(), options).unwrap();
    let after = graph::text(&module, operations);
    if report.applications.is_empty() {
        return Verdict::NotApplied;
    }
    if !report.converged {
        return Verdict::Broken(format!("{name}: it applies without end to\n{before}"));
    }
    match run::compare(&before, &after) {
        Ok(()) => Verdict::Kept,
        Err(reason) => Verdict::Broken(format!("{name}: {reason}\n{before}{after}")),
    }
}

/// The text of one pattern.
fn alone(name: &str) -> String {
    let begin = format!("pdl.pattern @{name} ");
    let rest = rewrites::PDL.split_once(&begin).map(|(_, rest)| rest).unwrap();
    let end = rest.find("\npdl.pattern").unwrap_or(rest.len());
    format!("{begin}{}", &rest[..end])
}
