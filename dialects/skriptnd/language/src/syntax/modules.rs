//! Modules, definitions and their blocks (sections 2.2 and 2.15).

use super::advice;
use super::ast::{Name, Operator, OperatorKind, QualifiedName, Span};
use super::builder::{Builder, Pair, children};
use super::diagnostics as say;
use super::errors::{found, token, token_span};
use super::grammar::Rule;
use crate::diagnostics::nearest;
use std::sync::Arc;

impl<'a> Builder<'a> {
    /// The imports and the definitions of a module.
    pub(super) fn module(&mut self, pair: Pair<'a>) -> (Vec<QualifiedName>, Vec<Operator>) {
        let (mut imports, mut operators) = (Vec::new(), Vec::new());
        for part in children(pair) {
            match part.as_rule() {
                Rule::import => {
                    imports.extend(children(part).map(|name| self.qualified(name)));
                }
                Rule::definition => operators.push(self.definition(part)),
                _ => self.junk(&part),
            }
        }
        (imports, operators)
    }

    /// Text between definitions. What begins like a definition is explained as such.
    fn junk(&mut self, part: &Pair<'a>) {
        let start = part.as_span().start();
        let text = part.as_str();
        let begins = |keyword: &str| {
            text.strip_prefix(keyword).is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace()))
        };
        if begins("operator") || begins("graph") || begins("public") {
            self.report_syntax(Rule::definition, start);
        } else if begins("import") {
            self.report_syntax(Rule::import, start);
        } else {
            let (span, token) = (token_span(self, start), token(&self.text[start..]));
            let advice = advice::between_definitions(token, &self.text[start..]);
            self.report(say::expected_definition(span, &found(self.text, start), advice));
        }
    }

    pub(super) fn definition(&mut self, pair: Pair<'a>) -> Operator {
        let errors = self.error_count();
        let mut operator = empty_definition(self.span(&pair));
        operator.documentation = self.documentation(pair.as_span().start());
        for part in children(pair) {
            match part.as_rule() {
                Rule::kw_public => operator.public = true,
                Rule::kw_graph => operator.kind = OperatorKind::Graph,
                Rule::kw_operator => {}
                Rule::name => operator.name = self.name(&part),
                Rule::block => self.operator_block(part, &mut operator),
                Rule::stray => {
                    let start = part.as_span().start();
                    let advice = advice::between_blocks(&self.text[start..], token(&self.text[start..]), &BLOCKS);
                    self.report(say::expected_block(token_span(self, start), &found(self.text, start), advice));
                }
                _ => self.unclosed(&part, &format!("the definition of `{}`", operator.name.text), operator.name.span),
            }
        }
        operator.incomplete = self.error_count() > errors;
        operator
    }

    /// The comment lines immediately before a definition.
    fn documentation(&self, start: usize) -> String {
        let line_start = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let (before, line) = self.text[..start].split_at(line_start);
        if !line.trim().is_empty() {
            return String::new();
        }
        let mut lines: Vec<&str> = before
            .lines()
            .rev()
            .map_while(|line| line.trim().strip_prefix('#'))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .collect();
        lines.reverse();
        lines.join("\n")
    }

    /// Reports a `}` that is missing where `at` stands.
    pub(super) fn unclosed(&mut self, at: &Pair<'a>, what: &str, opening: Span) {
        let place = at.as_span().start();
        let rest = &self.text[place..];
        let skipped = rest.len() - rest.trim_start().len();
        let place = place + skipped;
        self.report(say::unclosed(token_span(self, place), what, opening, &found(self.text, place)));
    }

    fn operator_block(&mut self, pair: Pair<'a>, operator: &mut Operator) {
        let Some(block) = pair.into_inner().next() else { return };
        let rule = block.as_rule();
        let mut parts = children(block);
        let Some(head) = parts.next() else { return };
        let span = self.span(&head);
        let name = head.as_str().trim_start_matches('@');
        if rule == Rule::unknown_block {
            let near = match name {
                "lowering" | "formula" => Some("lower"),
                "quantization" => Some("quantize"),
                "composition" | "body" => Some("compose"),
                "params" | "parameters" | "attributes" => Some("attrib"),
                "weights" => Some("variable"),
                _ => nearest(name, BLOCKS),
            };
            return self.report(say::unknown_block(span, head.as_str(), near));
        }
        operator.blocks.push(Name { text: Arc::from(name), span });
        if name == "compose" {
            operator.components.get_or_insert_default();
        }
        for part in parts {
            match part.as_rule() {
                Rule::skipped => self.report_syntax(statement_rule(rule), part.as_span().start()),
                Rule::unclosed => self.unclosed(&part, &format!("the block `@{name}`"), span),
                _ => self.statement(part, name, operator),
            }
        }
    }

    fn statement(&mut self, part: Pair<'a>, block: &str, operator: &mut Operator) {
        match block {
            "dtype" => operator.dtypes.extend(self.dtype(part)),
            "attrib" => operator.attributes.extend(self.param(part)),
            "input" => operator.inputs.extend(self.param(part)),
            "output" => operator.outputs.extend(self.param(part)),
            "constant" => operator.constants.extend(self.param(part)),
            "variable" => operator.variables.extend(self.param(part)),
            "using" => operator.usings.extend(self.using(part)),
            "assert" => operator.asserts.extend(self.assertion(part)),
            "lower" => operator.lowerings.extend(self.lowering(part)),
            "compose" => operator.components.get_or_insert_default().extend(self.component(part)),
            "update" => operator.updates.extend(self.component(part)),
            _ => operator.quantizations.extend(self.quantization(part)),
        }
    }
}

/// A definition of which nothing is known.
pub(super) fn empty_definition(span: Span) -> Operator {
    Operator {
        kind: OperatorKind::Operator,
        public: false,
        name: Name { text: Arc::from(""), span },
        documentation: String::new(),
        dtypes: Vec::new(),
        attributes: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        constants: Vec::new(),
        variables: Vec::new(),
        usings: Vec::new(),
        asserts: Vec::new(),
        lowerings: Vec::new(),
        components: None,
        updates: Vec::new(),
        quantizations: Vec::new(),
        blocks: Vec::new(),
        incomplete: true,
        span,
    }
}

/// The rule of a block's statements, with their semicolon.
fn statement_rule(of: Rule) -> Rule {
    match of {
        Rule::dtype_block => Rule::only_dtype,
        Rule::param_block => Rule::only_param,
        Rule::using_block => Rule::only_using,
        Rule::assert_block => Rule::only_assertion,
        Rule::lower_block => Rule::only_lowering,
        Rule::compose_block => Rule::only_component,
        _ => Rule::only_quantization,
    }
}

/// The names of the blocks.
const BLOCKS: [&str; 12] = [
    "dtype", "attrib", "input", "using", "constant", "variable", "output", "assert", "lower", "compose", "update",
    "quantize",
];
