//! Registrations of ops, `DEF_PACKAGE_OP(function, "name")` and its kin, what is told of their tensors, and annotations of
//! external functions.

use super::lexer::{Token, TokenKind};
use super::{Mode, diagnostics};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};

/// The macros that register an op, or tell of its tensors.
pub const MACROS: [&str; 4] = [
    "DEF_PACKAGE_OP",
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS",
    "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS",
    "DEF_TENSOR_PROPERTIES",
];
const COSTS: [&str; 4] = ["GLACIAL", "SNAIL", "FAST", "FREE"];
/// What an op costs of which nothing is told.
pub const MOST_COSTS: &str = COSTS[0];
const FLAGS: [&str; 5] = ["IS_CONST", "INHIBIT_CONST_PROP", "RESOURCE_HVX", "RESOURCE_HMX", "RESOURCE_DMA"];
const LAYOUTS: [&str; 5] = ["Flat", "Crouton", "MainMemory", "Tcm", "Outputs"];

/// An op that a package brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpRegistration {
    /// The C++ function that computes it.
    pub function: String,
    /// The op's name in the graph.
    pub op: String,
    /// One of GLACIAL, SNAIL, FAST, FREE, or the function that tells it.
    pub cost: Option<String>,
    /// Resources and properties, without `Flags::`.
    pub flags: Vec<String>,
    /// The package that the file around it declares.
    pub package: Option<String>,
    /// From the name of the macro to the closing parenthesis.
    pub span: Span,
}

impl OpRegistration {
    /// What one execution costs; without a word the most.
    pub fn cost(&self) -> &str {
        self.cost.as_deref().unwrap_or(MOST_COSTS)
    }
}

/// The place of a word for costs, from the least on; that of another expression, which only C++ can tell, is the last.
pub fn cost_rank(word: &str) -> usize {
    COSTS.iter().rev().position(|cost| *cost == word).unwrap_or(COSTS.len() - 1)
}

/// What `DEF_TENSOR_PROPERTIES(Op("name", "a", ...), Flat("a"), ...)` tells of an op's tensors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorProperties {
    /// The op's name.
    pub op: String,
    /// Tags of its operands.
    pub operands: Vec<String>,
    /// How tensors are laid out and where they lie: `Flat`, `Tcm` and the like, each with operands, `*` for the output.
    pub layouts: Vec<(String, Vec<String>)>,
    /// The package that the file around it declares.
    pub package: Option<String>,
    /// The macro's name.
    pub span: Span,
}

/// What a registration is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Registered {
    /// An op.
    Op(OpRegistration),
    /// Of an op's tensors.
    Properties(TensorProperties),
}

/// What an external function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// The replacement that is at work.
    Replacement,
    /// The context of a split.
    Split,
    /// A node.
    Node,
    /// `bool`.
    Bool,
    /// A whole number.
    Integer,
    /// A float.
    Float,
    /// A type of which nothing is known.
    Other,
}

impl ParameterKind {
    /// Of a type as C++ or a short word of the annotation has it.
    pub fn of(written: &str) -> Self {
        let words: Vec<&str> = written.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
        let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
        match () {
            () if has(&["Replacement", "rpx", "repl"]) => Self::Replacement,
            () if has(&["Split_Context", "SplitContext", "split", "splitinfo"]) => Self::Split,
            () if has(&["OpRef", "OpDef", "Operand", "OperandTag", "op", "opref"]) => Self::Node,
            () if has(&["bool"]) => Self::Bool,
            () if has(&["float", "double"]) => Self::Float,
            () if has(&["int", "unsigned", "size", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "Idx"]) => {
                Self::Integer
            }
            () => Self::Other,
        }
    }
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

/// Reads the tokens of a registration.
pub fn parse(tokens: &[Token], mode: Mode, found: &mut Diagnostics) -> Result<Option<Registered>, Box<Diagnostic>> {
    let Some(name) = tokens.first() else { return Ok(None) };
    let operands = split_operands(&tokens[2..tokens.len().max(3) - 1]);
    if name.text == "DEF_TENSOR_PROPERTIES" {
        return properties(name, &operands, found).map(|told| Some(Registered::Properties(told)));
    }
    let with_cost = name.text != MACROS[0];
    let (expected, fits) =
        if with_cost { ("3 or more operands", operands.len() >= 3) } else { ("2 operands", operands.len() == 2) };
    if !fits {
        return Err(diagnostics::registration_operands(&name.text, name.span, expected, operands.len()).into());
    }
    if string(operands[1]).is_empty() {
        let place = operands[1].first().map_or(name.span, |t| t.span);
        found.push(diagnostics::op_name_expected(place, &text(operands[1]), mode == Mode::Strict));
        return Ok(None);
    }
    let mut registration = OpRegistration {
        function: text(operands[0]),
        op: string(operands[1]),
        cost: None,
        flags: Vec::new(),
        package: None,
        span: name.span,
    };
    if let Some(cost) = operands.get(2) {
        let written = text(cost).trim_matches('"').to_owned();
        // In C++ a cost may be any expression; the published form is a bare name.
        let is_function = name.text == MACROS[2];
        if !is_function && !COSTS.contains(&written.as_str()) {
            let place = cost.first().map_or(name.span, |t| t.span);
            let unknown = diagnostics::unknown_cost(place, &written, &COSTS);
            if mode == Mode::Strict {
                return Err(unknown.into());
            }
            if cost.iter().all(|token| token.kind == TokenKind::Name) {
                found.push(Diagnostic { severity: Severity::Warning, ..unknown });
            }
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
    Ok(Some(Registered::Op(registration)))
}

fn text(operand: &[Token]) -> String {
    operand.iter().map(|token| token.text.as_str()).collect()
}

fn string(operand: &[Token]) -> String {
    let strings = operand.iter().filter(|token| token.kind == TokenKind::String);
    strings.map(|token| token.text.trim_matches('"')).collect()
}

fn properties(name: &Token, parts: &[&[Token]], found: &mut Diagnostics) -> Result<TensorProperties, Box<Diagnostic>> {
    let Some((op, layouts)) = parts.split_first().and_then(|(op, rest)| Some((called(op)?, rest))) else {
        return Err(diagnostics::properties_operands(name.span).into());
    };
    let mut operands: Vec<String> = op.1.iter().map(|operand| string(operand)).collect();
    let own = if operands.is_empty() { String::new() } else { operands.remove(0) };
    let mut told = TensorProperties { op: own, operands, layouts: Vec::new(), package: None, span: name.span };
    for layout in layouts {
        let place = layout.first().map_or(name.span, |token| token.span);
        let Some((kind, tensors)) = called(layout).filter(|(kind, _)| LAYOUTS.contains(&kind.text.as_str())) else {
            found.push(diagnostics::unknown_layout(place, &text(layout), &LAYOUTS));
            continue;
        };
        for tensor in &tensors {
            let tag = string(tensor);
            let is_known = tag.is_empty() || tag == "*" || tag == "..." || told.operands.contains(&tag);
            if !is_known {
                let place = tensor.first().map_or(place, |token| token.span);
                found.push(diagnostics::unknown_tensor(place, &tag, &told.op));
            }
        }
        told.layouts.push((kind.text.clone(), tensors.iter().map(|tensor| string(tensor)).collect()));
    }
    Ok(told)
}

/// The name and the operands of a call.
fn called(tokens: &[Token]) -> Option<(&Token, Vec<&[Token]>)> {
    let [name, open, inner @ .., close] = tokens else { return None };
    let is_call = name.name().is_some() && open.is("(") && close.is(")");
    is_call.then(|| (name, if inner.is_empty() { Vec::new() } else { split_operands(inner) }))
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
