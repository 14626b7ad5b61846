//! Modules, definitions and their blocks (sections 2.2 and 2.15).

use super::advice;
use super::ast::{Name, Operator, OperatorKind, QualifiedName};
use super::builder::{Builder, Pair, children};
use super::diagnostics as say;
use super::errors::{Missing, found, token, token_span};
use super::grammar::{Grammar, Rule};
use pest::Parser;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

impl<'a> Builder<'a> {
    /// The imports and the definitions of a module.
    /// `unread` is the text behind, which is not read.
    pub(super) fn module(&mut self, pair: Pair<'a>, unread: &str) -> (Vec<QualifiedName>, Vec<Operator>) {
        let (mut imports, mut operators) = (Vec::new(), Vec::new());
        let mut from = None;
        for part in children(pair) {
            match part.as_rule() {
                // What follows `from module` are names of operators.
                Rule::import if from.is_some() => imports.extend(from.take()),
                Rule::import => {
                    imports.extend(children(part).map(|name| self.qualified(name)));
                }
                Rule::definition => operators.push(self.definition(part)),
                _ => {
                    from = self.imported_from(&part);
                    self.junk(&part);
                    self.lose(part.as_str());
                    // A brace too many may have ended the definition before.
                    if let Some(before) = operators.last_mut() {
                        self.mark_lost(before);
                    }
                }
            }
        }
        self.lose(unread);
        if let Some(last) = operators.last_mut() {
            self.mark_lost(last);
        }
        self.incomplete |= self.lost.is_some();
        (imports, operators)
    }

    /// The module of Python's `from module import ...`.
    fn imported_from(&self, part: &Pair<'a>) -> Option<QualifiedName> {
        let rest = part.as_str().strip_prefix("from")?.trim_end();
        let name = rest.strip_prefix(char::is_whitespace)?.trim_start();
        let start = part.as_span().start() + part.as_str().trim_end().len() - name.len();
        let inner = self.inner(start..start + name.len());
        let pair = Grammar::parse(Rule::qualified, inner.text).ok()?.next()?;
        Some(inner.qualified(pair))
    }

    /// Text between definitions. What begins like a definition is explained as such.
    fn junk(&mut self, part: &Pair<'a>) {
        let start = part.as_span().start();
        let text = part.as_str();
        let begins = |keyword: &str| {
            text.strip_prefix(keyword).is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace()))
        };
        if begins("operator") || begins("graph") || begins("public") {
            let _ = self.report_syntax(Rule::definition, start);
        } else if begins("import") {
            let _ = self.report_syntax(Rule::import, start);
        } else {
            let (span, token) = (token_span(self.excerpt(), start), token(&self.text[start..]));
            let advice = advice::between_definitions(token, &self.text[start..]);
            self.report(say::expected_definition(span, &found(self.text, start), advice));
        }
    }

    pub(super) fn definition(&mut self, pair: Pair<'a>) -> Operator {
        let lost = self.lost.take();
        let mut operator = empty_definition(self.span(&pair));
        operator.incomplete = false;
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
                    self.report(say::expected_block(
                        token_span(self.excerpt(), start),
                        &found(self.text, start),
                        advice,
                    ));
                    self.lose(part.as_str());
                }
                _ => self.unclosed(&part, &format!("the definition of `{}`", operator.name.text), operator.name.span),
            }
        }
        self.mark_lost(&mut operator);
        self.lost = lost;
        operator
    }

    /// Notes in a definition what of it could not be read since this was last asked.
    fn mark_lost(&mut self, operator: &mut Operator) {
        if let Some(lost) = self.lost.take() {
            self.incomplete = true;
            operator.incomplete = true;
            operator.lost.extend(lost);
        }
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
        let place = self.next_token(at.as_span().start());
        self.report(say::unclosed(token_span(self.excerpt(), place), what, opening, &found(self.text, place)));
    }

    /// The first place from this one on that isn't blank.
    fn next_token(&self, place: usize) -> usize {
        let rest = &self.text[place..];
        place + rest.len() - rest.trim_start().len()
    }

    fn operator_block(&mut self, pair: Pair<'a>, operator: &mut Operator) {
        let Some(block) = pair.into_inner().next() else { return };
        let rule = block.as_rule();
        let text = block.as_str();
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
            self.lose(text);
            return self.report(say::unknown_block(span, head.as_str(), near));
        }
        operator.blocks.push(Name { text: Arc::from(name), span });
        if name == "compose" {
            operator.components.get_or_insert_default();
        }
        let (mut opened, mut errors) = (true, self.error_count());
        for part in parts {
            match part.as_rule() {
                Rule::unopened => {
                    opened = false;
                    let at = self.next_token(part.as_span().start());
                    self.report(say::unopened(span, head.as_str(), &found(self.text, at)));
                    errors = self.error_count();
                }
                // What goes before doesn't parse, or it would have taken this in.
                Rule::end_of_unopened if self.error_count() > errors => self.lose(part.as_str()),
                Rule::end_of_unopened => _ = self.report_syntax(Rule::only_component, part.as_span().start()),
                Rule::unclosed if !opened => {}
                Rule::skipped => self.skipped(part.as_span().start()..part.as_span().end(), rule, name, operator),
                Rule::unclosed => self.unclosed(&part, &format!("the block `@{name}`"), span),
                _ => self.statement(part, name, operator),
            }
        }
    }

    /// A text that is no statement: says why, and reads the statements between which only a semicolon is missing.
    fn skipped(&mut self, range: Range<usize>, rule: Rule, name: &str, operator: &mut Operator) {
        let (alone, terminated) = statement_rules(rule);
        let mut at = range.start;
        let missing = self.report_syntax(terminated, at);
        if missing == Missing::Semicolon {
            while let Some(length) = self.unterminated(at..range.end, alone, name, operator) {
                at += length;
            }
        }
        self.lose(&self.text[at..range.end]);
        if missing == Missing::Word {
            self.lost.get_or_insert_default().insert(Arc::from(""));
        }
    }

    /// Reads a statement that ends with its line, without a semicolon; gives its length with the blanks behind it.
    fn unterminated(&mut self, range: Range<usize>, rule: Rule, block: &str, operator: &mut Operator) -> Option<usize> {
        let mut builder = self.inner(range.clone());
        let pair = Grammar::parse(rule, builder.text).ok()?.next()?;
        let length = pair.as_str().trim_end().len();
        let declares = matches!(rule, Rule::param | Rule::dtype);
        let separator = separator(&builder.text[length..], declares)?;
        builder.statement(pair, block, operator);
        let good = builder.error_count() == 0 && builder.lost.is_none();
        good.then_some(length + separator).filter(|length| *length > 0)
    }

    fn statement(&mut self, part: Pair<'a>, block: &str, operator: &mut Operator) {
        let text = part.as_str();
        let read = match block {
            "dtype" => keep(&mut operator.dtypes, self.dtype(part)),
            "attrib" => keep(&mut operator.attributes, self.param(part)),
            "input" => keep(&mut operator.inputs, self.param(part)),
            "output" => keep(&mut operator.outputs, self.param(part)),
            "constant" => keep(&mut operator.constants, self.param(part)),
            "variable" => keep(&mut operator.variables, self.param(part)),
            "using" => keep(&mut operator.usings, self.using(part)),
            "assert" => keep(&mut operator.asserts, self.assertion(part)),
            "lower" => keep(&mut operator.lowerings, self.lowering(part)),
            "compose" => keep(operator.components.get_or_insert_default(), self.component(part)),
            "update" => keep(&mut operator.updates, self.component(part)),
            _ => keep(&mut operator.quantizations, self.quantization(part)),
        };
        if !read {
            self.lose(text);
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
        lost: HashSet::new(),
        span,
    }
}

/// Adds what could be read; whether there is something.
fn keep<T>(list: &mut Vec<T>, item: Option<T>) -> bool {
    let read = item.is_some();
    list.extend(item);
    read
}

/// The length of what stands between two statements: blanks and comments, a semicolon or at least the end of a line;
/// between declarations a comma, too. None if there is another thing.
fn separator(text: &str, comma: bool) -> Option<usize> {
    let mut rest = text.trim_start_matches(' ');
    let mut separated = rest.is_empty();
    while let Some(first) = rest.chars().next() {
        match first {
            '#' => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            ';' if !separated => {
                separated = true;
                rest = &rest[1..];
            }
            ',' if !separated && comma && begins_declaration(&rest[1..]) => {
                separated = true;
                rest = &rest[1..];
            }
            _ if first.is_whitespace() => {
                separated |= first == '\n';
                rest = &rest[first.len_utf8()..];
            }
            _ => break,
        }
    }
    separated.then_some(text.len() - rest.len())
}

/// Whether a text begins with `name:`.
fn begins_declaration(text: &str) -> bool {
    let text = text.trim_start();
    let after = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    after.len() < text.len() && after.trim_start().starts_with(':')
}

/// The rules of a block's statements: alone, and with their semicolon.
fn statement_rules(of: Rule) -> (Rule, Rule) {
    match of {
        Rule::dtype_block => (Rule::dtype, Rule::only_dtype),
        Rule::param_block => (Rule::param, Rule::only_param),
        Rule::using_block => (Rule::using, Rule::only_using),
        Rule::assert_block => (Rule::assertion, Rule::only_assertion),
        Rule::lower_block => (Rule::lowering, Rule::only_lowering),
        Rule::compose_block => (Rule::component, Rule::only_component),
        _ => (Rule::quantization, Rule::only_quantization),
    }
}

/// The names of the blocks.
const BLOCKS: [&str; 12] = [
    "dtype", "attrib", "input", "using", "constant", "variable", "output", "assert", "lower", "compose", "update",
    "quantize",
];
