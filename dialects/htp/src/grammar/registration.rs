//! Registrations of ops, `DEF_PACKAGE_OP(function, "name")` and its kin, and annotations of external functions.

use super::lexer::{Token, TokenKind};
use super::{Mode, diagnostics};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};

/// The macros that register an op, or tell of its tensors.
pub const MACROS: [&str; 3] = ["DEF_PACKAGE_OP", "DEF_PACKAGE_OP_AND_COST_AND_FLAGS", "DEF_TENSOR_PROPERTIES"];
const COSTS: [&str; 4] = ["GLACIAL", "SNAIL", "FAST", "FREE"];
const FLAGS: [&str; 4] = ["IS_CONST", "RESOURCE_HVX", "RESOURCE_HMX", "RESOURCE_DMA"];

/// An op that a package brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpRegistration {
    /// The C++ function that computes it.
    pub function: String,
    /// The op's name in the graph.
    pub op: String,
    /// One of GLACIAL, SNAIL, FAST, FREE.
    pub cost: Option<String>,
    /// Resources and properties, without `Flags::`.
    pub flags: Vec<String>,
    /// From the name of the macro to the closing parenthesis.
    pub span: Span,
}

/// A function that an annotation comment announces: `return_type name(types)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalFunction {
    /// The function's name, as rules write it.
    pub name: String,
    /// What it returns.
    pub return_type: String,
    /// The types of its parameters.
    pub parameters: Vec<String>,
    /// The place of the annotation.
    pub span: Span,
}

impl ExternalFunction {
    /// Reads the declaration in an annotation comment.
    pub fn parse(text: &str, span: Span) -> Option<Self> {
        let (head, rest) = text.split_once('(')?;
        let parameters = rest.rsplit_once(')')?.0;
        let head = head.trim();
        let start = head.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
        let (return_type, name) = head.split_at(start);
        let parameters = parameters.split(',').map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
        Some(ExternalFunction { name: name.to_owned(), return_type: return_type.trim().to_owned(), parameters, span })
    }
}

/// Reads the tokens of a registration; `None` for those that say nothing about rules.
pub fn parse(tokens: &[Token], mode: Mode, found: &mut Diagnostics) -> Result<Option<OpRegistration>, Box<Diagnostic>> {
    let Some(name) = tokens.first() else { return Ok(None) };
    if name.text == "DEF_TENSOR_PROPERTIES" {
        return Ok(None);
    }
    let operands = split_operands(&tokens[2..tokens.len().max(3) - 1]);
    let with_cost = name.text != MACROS[0];
    let (expected, fits) =
        if with_cost { ("3 or more operands", operands.len() >= 3) } else { ("2 operands", operands.len() == 2) };
    if !fits {
        return Err(diagnostics::registration_operands(&name.text, name.span, expected, operands.len()).into());
    }
    let text = |operand: &[Token]| operand.iter().map(|t| t.text.as_str()).collect::<String>();
    let op = operands[1].iter().filter(|t| t.kind == TokenKind::String).map(|t| t.text.trim_matches('"')).collect();
    let mut registration =
        OpRegistration { function: text(operands[0]), op, cost: None, flags: Vec::new(), span: name.span };
    if let Some(cost) = operands.get(2) {
        let written = text(cost);
        // In C++ a cost may be any expression; the published form is a bare name.
        if mode == Mode::Strict && !COSTS.contains(&written.as_str()) {
            let place = cost.first().map_or(name.span, |t| t.span);
            return Err(diagnostics::unknown_cost(place, &written, &COSTS).into());
        }
        registration.cost = Some(written);
    }
    for flag in operands.iter().skip(3) {
        let written = text(flag);
        let bare = written.strip_prefix("Flags::").unwrap_or(&written);
        if !FLAGS.contains(&bare) {
            let place = flag.first().map_or(name.span, |t| t.span);
            found.push(diagnostics::unknown_flag(place, bare, &FLAGS));
        }
        registration.flags.push(bare.to_owned());
    }
    Ok(Some(registration))
}

/// The operands between commas outside of parentheses and angle brackets: functions may be templates.
fn split_operands(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0usize;
    tokens
        .split(|token| {
            if token.is("(") || token.is("<") {
                depth += 1;
            } else if token.is(")") || token.is(">") {
                depth = depth.saturating_sub(1);
            }
            depth == 0 && token.is(",")
        })
        .collect()
}
