//! Rules as PDL patterns that can be read, and applied by themselves.
//!
//! A rule becomes one `pdl.pattern`: values are named after the operand tags; what is asked of nodes stands as native
//! constraints that all patterns share ([`conjuncts`]), and what they can't say as one of them with the expression's text;
//! the replacement is PDL, and what PDL can't build one native rewrite with the replacement's text. What must be kept in
//! mind: a `pdl.result` that two operands of the match use is not compared, so each gets its own, and all else shares one;
//! patterns of equal benefit are tried in any order, so benefits fall strictly.

pub mod conjuncts;
mod given;
pub mod names;
mod pattern;
mod rewriting;

use crate::explain::explain;
use crate::grammar::model::Rule;
use crate::grammar::root_outputs;
pub use given::with_options;
use pattern::Pattern;
use rewriting::Rewriting;
use skriptnd_source::SourceMap;
use std::borrow::Borrow;
use std::fmt::Write;

/// Rules of one pass: PDL takes benefits up to 32767.
pub const MAX_RULES_OF_PASS: usize = 32_767;

/// The symbol of a rule's pattern.
pub fn pattern_name(index: usize) -> String {
    format!("rule_{index}")
}

/// The index of the rule whose pattern has this symbol.
pub fn rule_index(pattern: &str) -> Option<usize> {
    pattern.strip_prefix("rule_")?.parse().ok()
}

/// The indices of the rules by rising pass number, in the order of the file within a pass.
pub fn by_pass<R: Borrow<Rule>>(rules: &[R]) -> Vec<(i64, Vec<usize>)> {
    let mut passes: std::collections::BTreeMap<i64, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, rule) in rules.iter().enumerate() {
        passes.entry(rule.borrow().pass.number).or_default().push(index);
    }
    passes.into_iter().collect()
}

/// The module of patterns of all passes, a nested module for each pass.
pub fn translate(rules: &[Rule], sources: &SourceMap) -> String {
    let mut text = String::from("module {\n");
    for (number, members) in by_pass(rules) {
        let _ = writeln!(text, "module @pass_{number} {{");
        for (place, index) in members.iter().enumerate() {
            let rule = &rules[*index];
            explain(rule).lines().for_each(|line| text.push_str(&format!("// {line}\n")));
            for pattern in Written::of(rule) {
                text.push_str(&pattern.framed(rule, *index, members.len() - place, sources));
            }
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    text
}

/// The patterns of some rules, the first with the greatest benefit. A rule that is the same as one before is left out: it
/// would never be applied.
pub fn patterns<R: Borrow<Rule>>(rules: &[R], members: &[usize], sources: &SourceMap) -> String {
    let mut written = std::collections::HashSet::new();
    let mut text = String::new();
    for (place, index) in members.iter().enumerate() {
        if let Some(rule) = rules.get(*index).map(R::borrow) {
            for pattern in Written::of(rule) {
                if written.insert(pattern.clone()) {
                    text.push_str(&pattern.framed(rule, *index, members.len() - place, sources));
                }
            }
        }
    }
    text
}

/// The parts of a pattern that tell it from others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Written {
    /// Outputs of the root.
    outputs: usize,
    matched: String,
    root: String,
    rewriting: String,
}

impl Written {
    /// The patterns of a rule: for a root of one output and, if the rule replaces several, for one of so many.
    fn of(rule: &Rule) -> Vec<Self> {
        [1].into_iter().chain(root_outputs(rule)).map(|outputs| Self::for_outputs(rule, outputs)).collect()
    }

    fn for_outputs(rule: &Rule, outputs: usize) -> Self {
        let mut pattern = Pattern::of(rule, outputs);
        let rewriting = Rewriting::write(&mut pattern);
        Written { outputs, root: pattern.root.0.clone(), matched: pattern.into_body(), rewriting }
    }

    /// The pattern of a rule, with its symbol, benefit and place.
    fn framed(&self, rule: &Rule, index: usize, benefit: usize, sources: &SourceMap) -> String {
        let Written { outputs, matched, root, rewriting } = self;
        let (line, column) = sources.position(rule.span);
        let file = sources.file(rule.span.file).map_or("?", |f| f.name.as_str());
        let name = pattern_name(index);
        let variant = if *outputs == 1 { String::new() } else { format!("_of_{outputs}_outputs") };
        format!(
            "pdl.pattern @{name}{variant} : benefit({benefit}) {{\n{matched}  rewrite {root} {{\n    \
             %rule = attribute = {name:?}\n{rewriting}  }}\n}} loc({file:?}:{line}:{column})\n"
        )
    }
}
