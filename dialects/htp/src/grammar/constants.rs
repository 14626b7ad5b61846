//! Constants of C++ that rules name: `const char *relu = "Relu";`, `constexpr int tile = 8;` and their kin.

use super::lexer::{Item, Token, TokenKind};

/// Types of which one stands in front of such a name.
const TYPES: [&str; 4] = ["char", "string_view", "string", "auto"];
/// Words of which one stands in front of the name of a number that stays.
const STAYING: [&str; 3] = ["const", "constexpr", "constinit"];
/// How far before its name a declaration begins.
const MAX_TOKENS: usize = 8;

/// Name and value of a constant, if it is declared at an index: `name = "..." "...";`, `name[] = ...`, `name{"..."};`, or a number in
/// place of the strings.
pub fn declared(items: &[Item], at: usize) -> Option<Vec<Token>> {
    let token = |index: usize| match items.get(index) {
        Some(Item::Token(token)) => Some(token),
        _ => None,
    };
    let is = |index: usize, text: &str| token(index).is_some_and(|token| token.is(text));
    let name = token(at).filter(|token| token.kind == TokenKind::Name)?;
    let behind = if is(at + 1, "[") && is(at + 2, "]") { at + 3 } else { at + 1 };
    let braced = is(behind, "{");
    if !braced && !is(behind, "=") {
        return None;
    }
    let first = behind + 1;
    let strings = (first..).take_while(|index| token(*index).is_some_and(|t| t.kind == TokenKind::String)).count();
    let signs = usize::from(is(first, "-") || is(first, "+"));
    let is_number = token(first + signs).is_some_and(|t| t.kind == TokenKind::Number);
    let (count, words) = if is_number { (signs + 1, &STAYING[..]) } else { (strings, &TYPES[..]) };
    if !has_before(items, at, words) {
        return None;
    }
    let end = first + count;
    let is_closed = if braced { is(end, "}") && is(end + 1, ";") } else { is(end, ";") };
    let parts = (first..end).filter_map(token);
    (count > 0 && is_closed).then(|| std::iter::once(name).chain(parts).cloned().collect())
}

/// Whether the declaration of the name at an index has one of some words.
fn has_before(items: &[Item], at: usize, words: &[&str]) -> bool {
    let before = items[..at].iter().rev().take(MAX_TOKENS).map_while(|item| match item {
        Item::Token(token) if !token.is(";") && !token.is("{") && !token.is("}") => Some(token),
        _ => None,
    });
    before.into_iter().any(|token| token.name().is_some_and(|name| words.contains(&name)))
}
