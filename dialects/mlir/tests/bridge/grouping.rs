//! Large sets of patterns, which are compiled in groups, apply as if they were one.

use skriptnd_mlir::ir;
use skriptnd_mlir::rewrite::{GreedyOptions, Natives, OperationPattern, PatternSet, PdlPatterns, Report};

use crate::toy::{context, parse};

/// `toy.negate {by = N}` becomes `toy.negate {done = N}`, in a pattern of its own for each number.
fn rules(numbers: impl IntoIterator<Item = usize>, benefit: impl Fn(usize) -> usize, suffix: &str) -> String {
    let rule = |number: usize| {
        format!(
            "pdl.pattern @rule{number}{suffix} : benefit({}) {{
  %type = pdl.type
  %x = pdl.operand : %type
  %by = pdl.attribute = {number} : i64
  %old = pdl.operation \"toy.negate\"(%x : !pdl.value) {{\"by\" = %by}} -> (%type : !pdl.type)
  pdl.rewrite %old {{
    %done = pdl.attribute = \"{suffix}\"
    %new = pdl.operation \"toy.negate\"(%x : !pdl.value) {{\"done\" = %done}} -> (%type : !pdl.type)
    pdl.replace %old with %new
  }}
}}
",
            benefit(number)
        )
    };
    numbers.into_iter().map(rule).collect()
}

fn module(numbers: &[usize]) -> String {
    let mut text = "toy.func @f(%a: f64) -> f64 {\n  %x0 = toy.add %a, %a : f64\n".to_string();
    for (index, number) in numbers.iter().enumerate() {
        text += &format!("  %x{} = toy.negate %x{index} {{by = {number} : i64}} : f64\n", index + 1);
    }
    text + &format!("  toy.return %x{} : f64\n}}", numbers.len())
}

fn report(text: String, numbers: &[usize]) -> Report {
    let context = context();
    let mut patterns = PatternSet::new(&context);
    patterns.add_pdl(PdlPatterns::new(text, "rules.pdl", Natives::new())).unwrap().count();
    let mut module = parse(&context, &module(numbers));
    let options = GreedyOptions { fold: false, ..GreedyOptions::default() };
    let report = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
    ir::verify(module.as_operation()).unwrap();
    report
}

#[test]
fn each_rule_of_a_large_set_is_applied_and_counted_once() {
    let numbers: Vec<usize> = (0..150).collect();
    let report = report(rules(0..200, |_| 1, ""), &numbers);
    assert!(report.converged);
    let expected: Vec<String> = numbers.iter().map(|number| format!("rule{number}")).collect();
    let applied: Vec<&str> = report.applications.iter().map(|application| application.pattern.as_str()).collect();
    assert_eq!(applied, expected);
    let counts: Vec<u64> = report.statistics.iter().map(|rule| rule.applied).collect();
    assert_eq!(counts, [vec![1; 150], vec![0; 50]].concat());
}

#[test]
fn walking_over_a_large_set_tells_what_a_small_one_tells() {
    let counts = |last: usize| {
        let context = context();
        let mut patterns = PatternSet::new(&context);
        patterns.add_pdl(PdlPatterns::new(rules(0..last, |_| 1, ""), "rules.pdl", Natives::new())).unwrap();
        let mut module = parse(&context, &module(&[3, 1, 3]));
        let report = patterns.freeze().unwrap().walk_and_apply(&mut module.root()).unwrap();
        report.counts().into_iter().map(|(name, count)| (name.to_string(), count)).collect::<Vec<_>>()
    };
    assert_eq!(counts(200), counts(10));
}

#[test]
fn benefits_and_order_hold_across_groups() {
    // Each number has two rules far from each other in the text.
    let text = |early: usize, late: usize| rules(0..120, |_| early, "a") + &rules(0..120, |_| late, "b");
    let first = |early, late| {
        let report = report(text(early, late), &[7, 119]);
        report.applications.into_iter().map(|application| application.pattern).collect::<Vec<_>>()
    };
    assert_eq!(first(1, 1), ["rule7a", "rule119a"]);
    assert_eq!(first(2, 1), ["rule7a", "rule119a"]);
    assert_eq!(first(1, 2), ["rule7b", "rule119b"]);
}

/// The names of the patterns applied to negations by these numbers.
fn applied(patterns: PatternSet<'_>, context: &ir::Context, numbers: &[usize]) -> Vec<String> {
    let mut module = parse(context, &module(numbers));
    let options = GreedyOptions { fold: false, ..GreedyOptions::default() };
    let report = patterns.freeze().unwrap().apply_greedily(&mut module.root(), &options).unwrap();
    report.applications.into_iter().map(|application| application.pattern).collect()
}

#[test]
fn several_sets_are_grouped_as_one() {
    let context = context();
    let pdl = |text: String, file: &str| PdlPatterns::new(text, file, Natives::new());
    let mut patterns = PatternSet::new(&context);
    patterns.add_pdl(pdl(rules(0..100, |_| 1, "a"), "a.pdl")).unwrap();
    patterns.add_pdl(pdl(rules(0..100, |number| 1 + number % 2, "b"), "b.pdl")).unwrap();
    assert_eq!(applied(patterns, &context, &[6, 7, 99]), ["rule6a", "rule7b", "rule99b"]);
}

#[test]
fn patterns_in_rust_have_their_place_among_groups() {
    let context = context();
    let first = |benefit: u16| {
        let mut patterns = PatternSet::new(&context);
        let marking = OperationPattern::new("marking", "toy.negate", |operation, rewriter| {
            let Some(_) = operation.get("by") else { return Ok(false) };
            let operand = operation.operands().next().ok_or("no operand")?;
            rewriter.replace(operation, &[operand]).map(|()| true)
        });
        patterns
            .add_pdl(PdlPatterns::new(rules(0..150, |number| number + 1, ""), "rules.pdl", Natives::new()))
            .unwrap();
        patterns.add(marking.benefit(benefit));
        applied(patterns, &context, &[10, 100, 140])
    };
    assert_eq!(first(1), ["rule10", "rule100", "rule140"]);
    assert_eq!(first(50), ["marking", "rule100", "rule140"]);
    assert_eq!(first(120), ["marking", "marking", "rule140"]);
    assert_eq!(first(200), ["marking", "marking", "marking"]);
}

#[test]
fn patterns_for_any_operation_have_their_place_among_groups() {
    let any = |benefit: usize| {
        format!(
            "pdl.pattern @any : benefit({benefit}) {{
  %x = pdl.operand
  %number = pdl.type : i64
  %by = pdl.attribute : %number
  %type = pdl.type
  %old = pdl.operation(%x : !pdl.value) {{\"by\" = %by}} -> (%type : !pdl.type)
  pdl.rewrite %old {{
    pdl.replace %old with (%x : !pdl.value)
  }}
}}
"
        )
    };
    let context = context();
    let first = |benefit: usize| {
        let mut patterns = PatternSet::new(&context);
        let text = rules(0..150, |number| number + 1, "") + &any(benefit);
        patterns.add_pdl(PdlPatterns::new(text, "rules.pdl", Natives::new())).unwrap();
        applied(patterns, &context, &[10, 100, 140])
    };
    assert_eq!(first(0), ["rule10", "rule100", "rule140"]);
    assert_eq!(first(50), ["any", "rule100", "rule140"]);
    assert_eq!(first(120), ["any", "any", "rule140"]);
    assert_eq!(first(200), ["any", "any", "any"]);
}
