//! Why a statement doesn't parse, in the user's words.

use super::advice::{Obstacle, advice, head};
use super::diagnostics as say;
use super::excerpt::Excerpt;
use super::grammar::{Grammar, Rule};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostic;

/// What a statement lacks, which decides how reading goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// The semicolon behind the statement.
    Semicolon,
    /// A name or a value: other places may miss the name.
    Word,
    /// Something else.
    Other,
}

/// Parses the statement at `start` once more and says what was expected where.
pub(super) fn explain(excerpt: Excerpt<'_>, rule: Rule, start: usize) -> (Diagnostic, Missing) {
    let Err(error) = Grammar::parse(rule, &excerpt.text[start..]) else {
        let span = token_span(excerpt, start);
        return (say::unexpected(span, &[], &found(excerpt.text, start), None), Missing::Other);
    };
    let at = start
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let expected = expectations(rule, &error.variant);
    let (before, after) = (&excerpt.text[start..at], &excerpt.text[at..]);
    let token = token(after);
    let found = found(excerpt.text, at);
    if let Some(slip) = misplaced_comma(excerpt, rule, start, at, &expected) {
        return slip;
    }
    let advice = match rule {
        Rule::definition | Rule::import => head(before, token),
        _ => advice(&Obstacle { rule, before, after, token, expected: &expected }),
    };
    if expected.contains(&"`;`") && at > start {
        let comma = expected.contains(&"`,`") && !matches!(found.as_str(), "`}`" | "`,`");
        return (say::missing_semicolon(previous_token(excerpt, at), comma, &found, advice), Missing::Semicolon);
    }
    let word = expected.contains(&"a name") || expected.contains(&"an expression");
    let punctuation = matches!(token, "," | ":" | "=" | ".." | "[" | "]" | ")" | "}" | ";");
    let missing = if word && punctuation { Missing::Word } else { Missing::Other };
    (say::unexpected(token_span(excerpt, at), &expected, &found, advice), missing)
}

/// What could have stood where the parser stopped, in words, what is written as it stands first.
fn expectations(rule: Rule, error: &ErrorVariant<Rule>) -> Vec<&'static str> {
    let positives = match error {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        ErrorVariant::CustomError { .. } => &[],
    };
    let mut expected: Vec<&str> = positives.iter().filter_map(|rule| words(*rule)).collect();
    expected.sort_by_key(|word| (!word.starts_with('`'), *word));
    expected.dedup();
    if expected.is_empty() {
        expected.push(match rule {
            _ if positives.contains(&Rule::pack) => "`..`",
            Rule::definition | Rule::import => "`operator` or `graph`",
            _ => "a statement",
        });
    }
    // A fold's dots could follow any operator; that isn't what a reader misses.
    if expected.contains(&"an expression") {
        expected.retain(|word| *word != "`..`");
    }
    expected
}

/// A comma at the end of a list, or one that should be a semicolon.
fn misplaced_comma(
    excerpt: Excerpt<'_>,
    rule: Rule,
    start: usize,
    at: usize,
    expected: &[&str],
) -> Option<(Diagnostic, Missing)> {
    let (before, token) = (&excerpt.text[start..at], token(&excerpt.text[at..]));
    if matches!(token, ")" | "]" | "}" | ";") && before.trim_end().ends_with(',') {
        return Some((say::trailing_comma(previous_token(excerpt, at), &found(excerpt.text, at)), Missing::Word));
    }
    // What follows is no index symbol, but the next declaration.
    let comma = before.rfind(',').filter(|_| rule == Rule::only_param && token == ":" && expected.contains(&"`<`"))?;
    Some((say::missing_semicolon(previous_token(excerpt, start + comma), false, "`,`", None), Missing::Semicolon))
}

/// What stands at a place, for messages.
pub(super) fn found(text: &str, at: usize) -> String {
    let rest = &text[at.min(text.len())..];
    let token = token(rest);
    match token.chars().next() {
        None => "the end of the file".to_owned(),
        Some('"' | '\'') => format!("the string {token}"),
        Some(c) if c.is_ascii_digit() => format!("the number {token}"),
        Some(_) => format!("`{token}`"),
    }
}

/// The span of the token at a place.
pub(super) fn token_span(excerpt: Excerpt<'_>, at: usize) -> Span {
    let at = at.min(excerpt.text.len());
    excerpt.span_at(at, at + token_length(&excerpt.text[at..]))
}

/// The token that a text begins with.
pub(super) fn token(rest: &str) -> &str {
    &rest[..token_length(rest)]
}

fn token_length(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if word(first) || first == '@' {
        return 1 + rest[1..].find(|c| !word(c)).unwrap_or(rest.len() - 1);
    }
    if matches!(first, '"' | '\'') {
        let line = rest.find('\n').unwrap_or(rest.len());
        return rest[1..line].find(first).map_or(line, |end| end + 2).min(line_boundary(rest, 40));
    }
    for operator in
        ["...", "<?=", ">?=", "..", "&&", "||", "==", "!=", "<=", ">=", "=>", "<<", ">>", "??", "<-", "->", ":="]
    {
        if rest.starts_with(operator) {
            return operator.len();
        }
    }
    first.len_utf8()
}

/// The last character boundary at or before `at`.
fn line_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

/// The token before a place: where a forgotten `;` belongs.
fn previous_token(excerpt: Excerpt<'_>, at: usize) -> Span {
    let mut end = at;
    loop {
        end = excerpt.text[..end].trim_end().len();
        let line = excerpt.text[..end].rfind('\n').map_or(0, |n| n + 1);
        match comment_start(&excerpt.text[line..end]) {
            Some(comment) => end = line + comment,
            None => break,
        }
    }
    let start = excerpt.text[..end].char_indices().next_back().map_or(0, |(i, _)| i);
    excerpt.span_at(start, end)
}

/// Where a comment begins in a line, quotes considered.
pub(super) fn comment_start(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => return Some(at),
            _ => {}
        }
    }
    None
}

/// What to call a rule; none for those whose mention helps nobody.
fn words(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::semicolon => "`;`",
        Rule::comma | Rule::trailing => "`,`",
        Rule::colon => "`:`",
        Rule::equals => "`=`",
        Rule::open_brace | Rule::composed_block => "`{`",
        Rule::close_brace => "`}`",
        Rule::open_paren | Rule::arguments => "`(`",
        Rule::close_paren => "`)`",
        Rule::open_bracket | Rule::subscript | Rule::shape => "`[`",
        Rule::close_bracket => "`]`",
        Rule::back_tick => "a back-tick",
        Rule::bar => "`|`",
        Rule::arrow => "`->`",
        Rule::less => "`<`",
        Rule::greater => "`>`",
        Rule::dots => "`..`",
        Rule::kw_then => "`then`",
        Rule::kw_else => "`else`",
        Rule::kw_elif => "`elif`",
        Rule::kw_do => "`do`",
        Rule::assign_op => "an assignment such as `=` or `+=`",
        Rule::name
        | Rule::qualified
        | Rule::lvalue
        | Rule::plain_target
        | Rule::lvalue_item
        | Rule::typed_name
        | Rule::index => "a name",
        Rule::type_name | Rule::type_expr | Rule::type_spec | Rule::tensor_spec => "a type",
        Rule::infix => "an operator",
        Rule::chain | Rule::operand | Rule::item | Rule::items | Rule::extent | Rule::bound => "an expression",
        Rule::plain_word | Rule::plain_number | Rule::plain_numbers | Rule::only_format => "an expression",
        Rule::real | Rule::int | Rule::prefix | Rule::reference | Rule::list | Rule::paren => "an expression",
        Rule::string | Rule::string_part | Rule::message => "a string",
        Rule::iteration => "`..(count)`",
        Rule::loop_bound => "an index symbol such as `i < n`",
        Rule::attribute => "an attribute",
        Rule::body => "an invocation, a block or an expression",
        Rule::lowering => "a formula",
        Rule::component | Rule::yields => "a statement",
        _ => return None,
    })
}
