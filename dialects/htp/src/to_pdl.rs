//! Rules as PDL patterns.
//!
//! A rule becomes one `pdl.pattern` with its structure, one native constraint that decides the rest (condition and
//! whether the replacement is defined), and one native rewrite that builds the replacement. What must be kept in mind:
//! a `pdl.result` that is used twice is not compared, so each use gets its own; patterns of equal benefit are tried in
//! any order, so benefits fall strictly; native constraints are shared by name, so each rule has its own.

use crate::dialect;
use crate::grammar::model::{MatchOp, MatchOperand, Rule};
use skriptnd_source::SourceMap;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Write;

/// Rules of one pass: PDL takes benefits up to 32767.
pub const MAX_RULES_OF_PASS: usize = 32_767;

/// The symbol of a rule's pattern.
pub fn pattern_name(index: usize) -> String {
    format!("rule_{index}")
}

/// The name of a rule's native constraint.
pub fn constraint_name(index: usize) -> String {
    format!("htp.rule_{index}.applies")
}

/// The name of a rule's native rewrite.
pub fn rewrite_name(index: usize) -> String {
    format!("htp.rule_{index}.replacement")
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
        let _ = writeln!(text, "module @pass_{number} {{\n{}}}", patterns(rules, &members, sources));
    }
    text.push_str("}\n");
    text
}

/// The patterns of some rules, the first with the greatest benefit.
pub fn patterns<R: Borrow<Rule>>(rules: &[R], members: &[usize], sources: &SourceMap) -> String {
    let mut text = String::new();
    for (place, index) in members.iter().enumerate() {
        if let Some(rule) = rules.get(*index).map(R::borrow) {
            let pattern = Pattern { package: &rule.package, lets: let_ops(&rule.pattern), ..Pattern::default() };
            text.push_str(&pattern.write(rule, *index, members.len() - place, sources));
        }
    }
    text
}

/// The ops that `LET` names.
fn let_ops(pattern: &MatchOp) -> HashMap<&str, &MatchOp> {
    let mut found = HashMap::new();
    let mut pending = vec![pattern];
    while let Some(op) = pending.pop() {
        if let Some(tag) = &op.tag {
            found.insert(tag.as_str(), op);
        }
        pending.extend(op.operands.iter().filter_map(|o| if let MatchOperand::Op(op) = o { Some(op) } else { None }));
    }
    found
}

#[derive(Default)]
struct Pattern<'r> {
    package: &'r str,
    lets: HashMap<&'r str, &'r MatchOp>,
    /// The operation of each tag that `LET` gives, once it is written.
    let_values: HashMap<&'r str, Option<String>>,
    /// The value of each other tag.
    tag_values: HashMap<&'r str, String>,
    body: String,
    values: usize,
}

impl<'r> Pattern<'r> {
    fn write(mut self, rule: &'r Rule, index: usize, benefit: usize, sources: &SourceMap) -> String {
        let root = self.operation(&rule.pattern);
        let tags: Vec<String> = rule.tags.keys().map(|tag| self.tag(tag)).collect();
        let mut operands = vec![root.clone()];
        operands.extend(tags.iter().cloned());
        let mut types = vec!["!pdl.operation"];
        types.extend(tags.iter().map(|_| "!pdl.value"));
        let arguments = format!("{} : {}", operands.join(", "), types.join(", "));
        let (line, column) = sources.position(rule.span);
        let file = sources.file(rule.span.file).map_or("?", |f| f.name.as_str());
        format!(
            "pdl.pattern @{name} : benefit({benefit}) {{\n{body}  \
             apply_native_constraint \"{constraint}\"({arguments})\n  \
             rewrite {root} {{\n    \
             %replacement = apply_native_rewrite \"{rewrite}\"({arguments}) : !pdl.value\n    \
             replace {root} with (%replacement : !pdl.value)\n  }}\n}} loc({file:?}:{line}:{column})\n",
            name = pattern_name(index),
            body = self.body,
            constraint = constraint_name(index),
            rewrite = rewrite_name(index),
        )
    }

    fn fresh(&mut self) -> String {
        self.values += 1;
        format!("%{}", self.values)
    }

    /// Writes an op of the match; returns the name of the operation.
    fn operation(&mut self, op: &'r MatchOp) -> String {
        if let Some(tag) = op.tag.as_deref() {
            if let Some(Some(written)) = self.let_values.get(tag) {
                return written.clone();
            }
            self.let_values.insert(tag, None);
        }
        let mut operands: Vec<String> = op.operands.iter().map(|operand| self.operand(operand)).collect();
        let mut types = vec!["!pdl.value"; operands.len()];
        if op.open {
            let rest = self.fresh();
            let _ = writeln!(self.body, "  {rest} = operands");
            operands.push(rest);
            types.push("!pdl.range<value>");
        }
        let (result, operation) = (self.fresh(), self.fresh());
        let name = dialect::operation_name(&op.name.qualified(self.package));
        let _ = writeln!(self.body, "  {result} = type");
        let list = if operands.is_empty() {
            String::new()
        } else {
            format!("({} : {})", operands.join(", "), types.join(", "))
        };
        let _ = writeln!(self.body, "  {operation} = operation {name:?}{list} -> ({result} : !pdl.type)");
        if let Some(tag) = op.tag.as_deref() {
            self.let_values.insert(tag, Some(operation.clone()));
        }
        operation
    }

    fn operand(&mut self, operand: &'r MatchOperand) -> String {
        match operand {
            MatchOperand::Tag(tag, _) => self.tag(tag),
            MatchOperand::Op(op) => {
                let operation = self.operation(op);
                self.result(&operation)
            }
        }
    }

    fn result(&mut self, operation: &str) -> String {
        let result = self.fresh();
        let _ = writeln!(self.body, "  {result} = result 0 of {operation}");
        result
    }

    /// The value that a tag is bound to.
    fn tag(&mut self, tag: &'r str) -> String {
        let named = self.lets.get(tag).copied();
        // An op that is being written can't be its own operand: the check has refused that.
        if let Some(op) = named.filter(|_| !matches!(self.let_values.get(tag), Some(None))) {
            let operation = self.operation(op);
            return self.result(&operation);
        }
        if let Some(value) = self.tag_values.get(tag) {
            return value.clone();
        }
        let value = self.fresh();
        let _ = writeln!(self.body, "  {value} = operand");
        self.tag_values.insert(tag, value.clone());
        value
    }
}
