//! What a rule says of ops that the dialect declares, and is not so.

use skriptnd_ods::{GroupArity, ValueDefinition};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// The declared operands of an op, e.g. `input, [value], axes, inputs...`.
fn listed(operands: &[ValueDefinition]) -> String {
    let shown = operands.iter().map(|operand| match operand.arity {
        GroupArity::One => operand.name.to_owned(),
        GroupArity::Optional => format!("[{}]", operand.name),
        GroupArity::Variadic => format!("{}...", operand.name),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn operands(count: usize) -> String {
    if count == 1 { "1 operand".to_owned() } else { format!("{count} operands") }
}

fn other_count(span: Span, message: String, op: &str, declared: &[ValueDefinition]) -> Diagnostic {
    Diagnostic::warning(Code::OperandCount, span, message).with_help(format!(
        "its operands are `{op}({})`; an op of another package has that before its name",
        listed(declared)
    ))
}

/// How many operands are declared, e.g. `4 to 5 operands`.
fn counted(declared: &[ValueDefinition]) -> String {
    let of = |arity| declared.iter().filter(|operand| operand.arity == arity).count();
    let (least, optional) = (of(GroupArity::One), of(GroupArity::Optional));
    match (of(GroupArity::Variadic), optional) {
        (0, 0) => operands(least),
        (0, _) => format!("{least} to {}", operands(least + optional)),
        _ => format!("{} or more", operands(least)),
    }
}

/// A match of an op with another number of operands than it has.
pub fn matches_other_count(span: Span, op: &str, declared: &[ValueDefinition], found: usize) -> Diagnostic {
    let (expected, found) = (counted(declared), operands(found));
    let message = format!("`{op}` has {expected} in graphs of models, found {found}: the rule never applies to one");
    other_count(span, message, op, declared)
}

/// A new op with another number of operands than it has.
pub fn makes_other_count(span: Span, op: &str, declared: &[ValueDefinition], found: usize) -> Diagnostic {
    let (expected, found) = (counted(declared), operands(found));
    let message = format!("this makes an op `{op}` with {found}, and it has {expected}");
    other_count(span, message, op, declared)
}

/// An op of which only the case is another one than that of a known op.
pub fn op_of_other_case(span: Span, name: &str, meant: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnknownName, span, format!("no op `{name}` is known, and one `{meant}` is"))
        .with_help(format!("write `{meant}`; an op of your own package is registered, e.g. by DEF_PACKAGE_OP"))
}

/// An operand of the match that a new op takes in another place.
pub fn operand_of_other_place(span: Span, op: &str, place: &str, known: &str) -> Diagnostic {
    let message = format!("this is the operand `{place}` of `{op}`, and in the match it is the `{known}` of an op");
    Diagnostic::warning(Code::WrongPlace, span, message).with_help("check the order of the operands")
}

/// Real numbers for an operand that tells an op what to do.
pub fn real_parameter(span: Span, op: &str, place: &str) -> Diagnostic {
    let message = format!("the operand `{place}` of `{op}` is a parameter of integers, found real numbers");
    Diagnostic::warning(Code::WrongPlace, span, message)
        .with_help("make integers by gen_ConstScalar_i32 or gen_ConstArr_vals_i32, or a shape by gen_Shape")
}

/// A shape for an operand that an op computes with.
pub fn shape_as_tensor(span: Span, op: &str, place: &str) -> Diagnostic {
    let message = format!("the operand `{place}` of `{op}` is a tensor that it computes with, found a shape");
    Diagnostic::warning(Code::WrongPlace, span, message)
        .with_help("make a constant by gen_ConstScalar_f32 or gen_ConstArr_f32, or check the order of the operands")
}
