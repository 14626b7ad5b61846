//! Each rule of `td/skriptnd/Rewrites.td` is held to what the interpreter computes: of its source pattern a graph is made,
//! which is computed for random operands before and after the rule was applied.

mod graph;
mod run;
mod source;

use crate::generated::rewrites;
use crate::natives::Functions;
use skriptnd_mlir::Registry;
use skriptnd_mlir::rewrite::{GreedyOptions, PatternSet, PdlPatterns};
use skriptnd_tablegen::{Records, drr, search_path};
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
    let mut checked = 0;
    let mut failures = Vec::new();
    for pattern in patterns.iter().filter(|pattern| !pattern.name.starts_with(OF_VARIABLES)) {
        let Some(mut module) = source::module(&context, pattern, &operations) else {
            failures.push(format!("{}: no graph of its source pattern can be made", pattern.name));
            continue;
        };
        let before = graph::text(&module, &operations);
        let mut set = PatternSet::new(&context);
        set.add_pdl(PdlPatterns::new(alone(&pattern.name), "rule.pdl", rewrites::natives(Functions))).unwrap();
        let report = set.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
        let after = graph::text(&module, &operations);
        if !report.converged || report.applications.is_empty() {
            failures.push(format!("{}: it was applied {} times to\n{before}", pattern.name, report.applications.len()));
        } else if let Err(reason) = run::compare(&before, &after) {
            failures.push(format!("{}: {reason}\n{before}{after}", pattern.name));
        }
        checked += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked >= 90, "{checked} rules");
}

/// The text of one pattern.
fn alone(name: &str) -> String {
    let begin = format!("pdl.pattern @{name} ");
    let rest = rewrites::PDL.split_once(&begin).map(|(_, rest)| rest).unwrap();
    let end = rest.find("\npdl.pattern").unwrap_or(rest.len());
    format!("{begin}{}", &rest[..end])
}
