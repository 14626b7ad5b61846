//! The pattern of one rule: what it matches, and what is asked of that.

use super::conjuncts::{Given, Shared, conjuncts};
use super::names::{ValueNames, native};
use crate::dialect;
use crate::grammar::model::*;
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::grammar::write::Writer;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A value in a pattern with its type there.
pub type Typed = (String, &'static str);

/// Values and their types, as operands are written.
pub fn operand_list(operands: &[Typed]) -> String {
    let (values, types): (Vec<&str>, Vec<&str>) = operands.iter().map(|(value, ty)| (value.as_str(), *ty)).unzip();
    if operands.is_empty() { String::new() } else { format!("({} : {})", values.join(", "), types.join(", ")) }
}

/// The types of an op's results, as they are written.
pub fn type_list(types: &[String]) -> String {
    let of: Vec<&str> = types.iter().map(|_| "!pdl.type").collect();
    format!("({} : {})", types.join(", "), of.join(", "))
}

pub const VALUE: &str = "!pdl.value";
pub const OPERATION: &str = "!pdl.operation";
pub const ATTRIBUTE: &str = "!pdl.attribute";

/// The pattern of a rule as it is being written.
pub struct Pattern<'r> {
    pub rule: &'r Rule,
    pub names: ValueNames,
    lets: HashMap<&'r str, &'r MatchOp>,
    /// Operation and type of each op that has a tag, once it is written.
    let_values: HashMap<&'r str, Option<(String, String)>>,
    /// The values of other tags.
    tag_values: HashMap<&'r str, String>,
    /// The types of other tags that the replacement takes.
    tag_types: HashMap<&'r str, String>,
    /// The root's operation and the type of its first output.
    pub root: (String, String),
    /// The types of the root's outputs.
    pub outputs: Vec<String>,
    /// The outputs of matched ops, by operation: all that take them but operands of the match share one.
    results: HashMap<String, String>,
    attributes: HashMap<String, String>,
    /// What is asked already.
    asked: HashSet<String>,
    body: String,
}

impl<'r> Pattern<'r> {
    /// What a rule matches, and what is asked of it.
    pub fn of(rule: &'r Rule, outputs: usize) -> Self {
        let mut pattern = Pattern {
            rule,
            names: ValueNames::default(),
            lets: let_ops(&rule.pattern),
            let_values: HashMap::new(),
            tag_values: HashMap::new(),
            tag_types: HashMap::new(),
            root: (String::new(), String::new()),
            outputs: Vec::new(),
            results: HashMap::new(),
            attributes: HashMap::new(),
            asked: HashSet::new(),
            body: String::new(),
        };
        pattern.names.fresh("rule");
        for tag in outputs_taken(&rule.replacement) {
            let ty = pattern.names.fresh(&format!("{tag}_type"));
            pattern.tag_types.insert(tag, ty);
        }
        pattern.root_op(outputs);
        let root = pattern.root.clone();
        pattern.constraint(native::TENSOR, &[(root.0.clone(), OPERATION)]);
        pattern.condition();
        pattern
    }

    /// What was written.
    pub fn into_body(self) -> String {
        self.body
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    /// What decides whether the rule applies to a match.
    fn condition(&mut self) {
        for flag in &self.rule.flags {
            let operands = [(self.root.0.clone(), OPERATION), self.attribute(flag, &format!("{flag:?}"))];
            self.constraint(native::ALLOWED, &operands);
        }
        let (shared, others) = conjuncts(&self.rule.constraint);
        for Shared { native, given } in shared {
            let operands: Vec<Typed> = given.into_iter().map(|given| self.given(given)).collect();
            self.constraint(native, &operands);
        }
        for condition in others {
            let text = Writer { package: &self.rule.package, renamed: &[] }.expr(condition);
            self.text_constraint(native::HOLDS, &text);
        }
    }

    fn given(&mut self, given: Given<'r>) -> Typed {
        match given {
            Given::Attribute(name, text) => self.attribute(&name, &text),
            Given::Node(OperandRef { kind: OperandRefKind::Tag(tag), .. }) => (self.tag(tag), VALUE),
            Given::Node(_) => {
                let root = self.root.0.clone();
                (self.result(&root), VALUE)
            }
        }
    }

    /// A constraint that is asked of what is matched.
    pub fn constraint(&mut self, native: &str, operands: &[Typed]) {
        let constraint = format!("apply_native_constraint {native:?}{}", operand_list(operands));
        if self.asked.insert(constraint.clone()) {
            self.line(&constraint);
        }
    }

    /// A constraint with a text about the root and the tags that it names.
    pub fn text_constraint(&mut self, native: &str, text: &str) {
        let tags = self.tags_in(text);
        let mut operands = vec![(self.root.0.clone(), OPERATION)];
        for (name, attribute) in self.about_text(text, &tags) {
            operands.push(self.attribute(name, &attribute));
        }
        operands.extend(tags.iter().map(|tag| (self.tag(tag), VALUE)));
        self.constraint(native, &operands);
    }

    /// The attributes of a native function that takes a text: the text, the tags, whose values follow, and the package of
    /// what external functions make, if it is not the default one.
    pub fn about_text(&self, text: &str, tags: &[&str]) -> Vec<(&'static str, String)> {
        let tags: Vec<String> = tags.iter().map(|tag| format!("{tag:?}")).collect();
        let mut about = vec![("text", format!("{text:?}")), ("tags", format!("[{}]", tags.join(", ")))];
        if self.rule.package != DEFAULT_PACKAGE {
            about.push(("package", format!("{:?}", self.rule.package)));
        }
        about
    }

    /// The tags of the rule that a text names.
    pub fn tags_in(&self, text: &str) -> Vec<&'r str> {
        let tags = self.rule.tags.keys().map(String::as_str);
        tags.filter(|tag| text.contains(&format!("\"{tag}\""))).collect()
    }

    /// An attribute that constraints take: once for each value.
    fn attribute(&mut self, name: &str, text: &str) -> Typed {
        if let Some(known) = self.attributes.get(text) {
            return (known.clone(), ATTRIBUTE);
        }
        let value = self.names.fresh(name);
        self.line(&format!("{value} = attribute = {text}"));
        self.attributes.insert(text.to_owned(), value.clone());
        (value, ATTRIBUTE)
    }

    /// Writes the root.
    fn root_op(&mut self, outputs: usize) {
        let operands = self.operands(&self.rule.pattern);
        let root = self.names.fresh("root");
        self.outputs = (0..outputs).map(|_| self.names.fresh("root_type")).collect();
        self.matched_op(&self.rule.pattern, &operands, &root, &self.outputs.clone());
        self.root = (root, self.outputs[0].clone());
    }

    /// Writes an op of the match; returns the operation and the type of its result.
    fn operation(&mut self, op: &'r MatchOp, name: &str) -> (String, String) {
        if let Some(tag) = op.tag.as_deref() {
            if let Some(Some(written)) = self.let_values.get(tag) {
                return written.clone();
            }
            self.let_values.insert(tag, None);
        }
        let operands = self.operands(op);
        let wanted = op.tag.as_deref().unwrap_or(name);
        let (operation, ty) = (self.names.fresh(wanted), self.names.fresh(&format!("{wanted}_type")));
        self.matched_op(op, &operands, &operation, std::slice::from_ref(&ty));
        if let Some(tag) = op.tag.as_deref() {
            self.let_values.insert(tag, Some((operation.clone(), ty.clone())));
        }
        (operation, ty)
    }

    fn operands(&mut self, op: &'r MatchOp) -> Vec<Typed> {
        let mut operands: Vec<Typed> = op.operands.iter().map(|operand| (self.operand(operand), VALUE)).collect();
        if op.open {
            let rest = self.names.fresh("rest");
            self.line(&format!("{rest} = operands"));
            operands.push((rest, "!pdl.range<value>"));
        }
        operands
    }

    fn matched_op(&mut self, op: &MatchOp, operands: &[Typed], operation: &str, types: &[String]) {
        types.iter().for_each(|ty| self.line(&format!("{ty} = type")));
        let opcode = dialect::operation_name(&op.name.qualified(&self.rule.package));
        let (operands, types) = (operand_list(operands), type_list(types));
        self.line(&format!("{operation} = operation {opcode:?}{operands} -> {types}"));
    }

    fn operand(&mut self, operand: &'r MatchOperand) -> String {
        match operand {
            MatchOperand::Tag(tag, _) => match self.tagged_op(tag) {
                Some(operation) => self.new_result(&operation),
                None => self.tag(tag),
            },
            MatchOperand::Op(op) => {
                let (operation, _) = self.operation(op, &op_word(&op.name.text));
                self.new_result(&operation)
            }
        }
    }

    /// The output of a matched op, for one operand of the match.
    fn new_result(&mut self, operation: &str) -> String {
        let result = self.names.fresh(&format!("{}_result", operation.trim_start_matches('%')));
        self.line(&format!("{result} = result 0 of {operation}"));
        self.results.entry(operation.to_owned()).or_insert_with(|| result.clone());
        result
    }

    /// The output of a matched op. MLIR asks first what is asked most, so more results would be looked for before the op is
    /// found to be there.
    pub fn result(&mut self, operation: &str) -> String {
        self.results.get(operation).cloned().unwrap_or_else(|| self.new_result(operation))
    }

    /// The op that `LET` gives a tag. One that is being written can't be its own operand: the check has refused that.
    fn tagged_op(&mut self, tag: &'r str) -> Option<String> {
        let named = self.lets.get(tag).copied()?;
        let is_ready = !matches!(self.let_values.get(tag), Some(None));
        is_ready.then(|| self.operation(named, tag).0)
    }

    /// The value that a tag is bound to.
    pub fn tag(&mut self, tag: &'r str) -> String {
        if let Some(operation) = self.tagged_op(tag) {
            return self.result(&operation);
        }
        if let Some(value) = self.tag_values.get(tag) {
            return value.clone();
        }
        let value = self.names.fresh(tag);
        match self.tag_types.get(tag).cloned() {
            Some(ty) => {
                self.line(&format!("{ty} = type"));
                self.line(&format!("{value} = operand : {ty}"));
            }
            None => self.line(&format!("{value} = operand")),
        }
        self.tag_values.insert(tag, value.clone());
        value
    }

    /// The type of the value that a tag is bound to, if the match has it.
    pub fn tag_type(&self, tag: &str) -> Option<String> {
        let of_op = self.let_values.get(tag).and_then(|written| written.as_ref()).map(|(_, ty)| ty);
        of_op.or_else(|| self.tag_types.get(tag)).cloned()
    }
}

/// What values that stand for an op are called: `conv2d` of `q::Conv2d.relu`.
pub fn op_word(name: &str) -> String {
    let own = name.rsplit("::").next().unwrap_or(name).trim_start_matches('$');
    own.split('.').next().unwrap_or(own).to_ascii_lowercase()
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

/// The tags whose output definition new ops get, outside of what PDL can't build.
fn outputs_taken(part: &Replacement) -> Vec<&str> {
    match &part.kind {
        ReplacementKind::Modified(modifier, body) => {
            let mut tags = outputs_taken(body);
            if let Modifier::SameOutput(OperandRef { kind: OperandRefKind::Tag(tag), .. }) = modifier {
                tags.retain(|known| known != tag);
                tags.push(tag);
            }
            tags
        }
        ReplacementKind::Op(_, operands) => {
            let mut tags: Vec<&str> = operands.iter().flat_map(outputs_taken).collect();
            tags.sort_unstable();
            tags.dedup();
            tags
        }
        ReplacementKind::Wrap(_, inner, _) => outputs_taken(inner),
        _ => Vec::new(),
    }
}
