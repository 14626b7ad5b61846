//! What scalar operators of the language are on tensors of ONNX, which are broadcast.

use super::attributes as attr;
use super::nodes::Nodes;
use crate::element::ElementType;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

/// `a op b` of operands of a type.
pub fn binary(nodes: &mut Nodes, op: BinaryOp, dtype: ScalarType, a: &str, b: &str) -> String {
    match (op, dtype) {
        (BinaryOp::Div, ScalarType::Int) => floor_quotient(nodes, a, b),
        (BinaryOp::CeilDiv, ScalarType::Int) => {
            let negative = nodes.add("Neg", &[a], Vec::new());
            let quotient = floor_quotient(nodes, &negative, b);
            nodes.add("Neg", &[&quotient], Vec::new())
        }
        (BinaryOp::CeilDiv, _) => {
            let quotient = nodes.add("Div", &[a, b], Vec::new());
            nodes.add("Ceil", &[&quotient], Vec::new())
        }
        (BinaryOp::Mod, ScalarType::Real) => nodes.add("Mod", &[a, b], vec![attr::int("fmod", 1)]),
        (BinaryOp::Ne, _) => {
            let equal = nodes.add("Equal", &[a, b], Vec::new());
            nodes.add("Not", &[&equal], Vec::new())
        }
        (BinaryOp::Implies, _) => {
            let not = nodes.add("Not", &[a], Vec::new());
            nodes.add("Or", &[&not, b], Vec::new())
        }
        _ => nodes.add(operator(op), &[a, b], Vec::new()),
    }
}

/// The operator of ONNX that does the same.
fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "Add",
        BinaryOp::Sub => "Sub",
        BinaryOp::Mul => "Mul",
        BinaryOp::Div | BinaryOp::CeilDiv => "Div",
        BinaryOp::Mod => "Mod",
        BinaryOp::Pow => "Pow",
        BinaryOp::Min => "Min",
        BinaryOp::Max => "Max",
        BinaryOp::And => "And",
        BinaryOp::Or | BinaryOp::Implies => "Or",
        BinaryOp::Xor => "Xor",
        BinaryOp::Lt => "Less",
        BinaryOp::Le => "LessOrEqual",
        BinaryOp::Gt => "Greater",
        BinaryOp::Ge => "GreaterOrEqual",
        BinaryOp::Eq | BinaryOp::Ne => "Equal",
    }
}

/// The quotient of integers rounded down: ONNX rounds it towards zero, but its remainder has the divisor's sign.
fn floor_quotient(nodes: &mut Nodes, a: &str, b: &str) -> String {
    let remainder = nodes.add("Mod", &[a, b], Vec::new());
    let multiple = nodes.add("Sub", &[a, &remainder], Vec::new());
    nodes.add("Div", &[&multiple, b], Vec::new())
}

/// A division of integers of which the dividend may be the least one and the divisor -1: that wraps around, but ends what ONNX
/// Runtime runs in.
pub fn quotient(nodes: &mut Nodes, op: BinaryOp, a: &str, b: &str) -> String {
    let (less, one) = (nodes.int(-1), nodes.int(1));
    let is_less = nodes.add("Equal", &[b, &less], Vec::new());
    let divisor = nodes.add("Where", &[&is_less, &one, b], Vec::new());
    let result = binary(nodes, op, ScalarType::Int, a, &divisor);
    if op == BinaryOp::Mod {
        return result;
    }
    let negative = nodes.add("Neg", &[a], Vec::new());
    nodes.add("Where", &[&is_less, &negative, &result], Vec::new())
}

/// 2 to the 63rd: reals from here on are beyond 64 bits.
pub const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// The largest reals below, of 32 and of 64 bits.
const LAST_REAL: f64 = 9_223_371_487_098_961_920.0;
const LAST_DOUBLE: f64 = 9_223_372_036_854_774_784.0;

/// The integer that a real is converted to: what is no number is 0, and what is beyond 64 bits the nearest one.
pub fn nearest_integer(nodes: &mut Nodes, value: &str, real: ElementType, is_limited: bool) -> String {
    let is_double = real == ElementType::Double;
    let number = |nodes: &mut Nodes, value| if is_double { nodes.double(value) } else { nodes.real(value) };
    let (zero, is_none) = (number(nodes, 0.0), nodes.add("IsNaN", &[value], Vec::new()));
    let given = nodes.add("Where", &[&is_none, &zero, value], Vec::new());
    if is_limited {
        return nodes.cast(&given, ElementType::Int64);
    }
    let last = if is_double { LAST_DOUBLE } else { LAST_REAL };
    let [least, most, beyond] = [-BEYOND, last, BEYOND].map(|value| number(nodes, value));
    let below = nodes.add("Min", &[&given, &most], Vec::new());
    let inside = nodes.add("Max", &[&below, &least], Vec::new());
    let inside = nodes.cast(&inside, ElementType::Int64);
    let is_beyond = nodes.add("GreaterOrEqual", &[&given, &beyond], Vec::new());
    let greatest = nodes.int(i64::MAX);
    nodes.add("Where", &[&is_beyond, &greatest, &inside], Vec::new())
}

/// A divisor of what may be dropped afterwards: 1 for 0, by which no run divides.
pub fn not_zero(nodes: &mut Nodes, divisor: &str) -> String {
    let (zero, one) = (nodes.int(0), nodes.int(1));
    let is_zero = nodes.add("Equal", &[divisor, &zero], Vec::new());
    nodes.add("Where", &[&is_zero, &one, divisor], Vec::new())
}

/// A unary operator.
pub fn unary(nodes: &mut Nodes, op: UnaryOp, a: &str) -> String {
    match op {
        UnaryOp::Plus => a.to_owned(),
        UnaryOp::Neg => nodes.add("Neg", &[a], Vec::new()),
        UnaryOp::Not => nodes.add("Not", &[a], Vec::new()),
    }
}

/// A built-in function of reals of a type.
pub fn builtin(nodes: &mut Nodes, function: Builtin, a: &str, real: ElementType) -> String {
    let operator = match function {
        Builtin::Abs => "Abs",
        Builtin::Sign => "Sign",
        Builtin::Sqrt => "Sqrt",
        Builtin::Exp => "Exp",
        Builtin::Log => "Log",
        Builtin::Sin => "Sin",
        Builtin::Cos => "Cos",
        Builtin::Tan => "Tan",
        Builtin::Asin => "Asin",
        Builtin::Acos => "Acos",
        Builtin::Atan => "Atan",
        Builtin::Sinh => "Sinh",
        Builtin::Cosh => "Cosh",
        Builtin::Tanh => "Tanh",
        Builtin::Asinh => "Asinh",
        Builtin::Acosh => "Acosh",
        Builtin::Atanh => "Atanh",
        Builtin::Floor => "Floor",
        Builtin::Ceil => "Ceil",
        Builtin::Erf => "Erf",
        Builtin::Round => return round(nodes, a, real),
        Builtin::Frac => {
            let whole = nodes.add("Floor", &[a], Vec::new());
            return nodes.add("Sub", &[a, &whole], Vec::new());
        }
    };
    nodes.add(operator, &[a], Vec::new())
}

/// The nearest integer, half away from zero; that of ONNX takes the even one.
fn round(nodes: &mut Nodes, a: &str, real: ElementType) -> String {
    let size = nodes.add("Abs", &[a], Vec::new());
    let whole = nodes.add("Floor", &[&size], Vec::new());
    let rest = nodes.add("Sub", &[&size, &whole], Vec::new());
    let half = if real == ElementType::Double { nodes.double(0.5) } else { nodes.real(0.5) };
    let is_above = nodes.add("GreaterOrEqual", &[&rest, &half], Vec::new());
    let step = nodes.cast(&is_above, real);
    let rounded = nodes.add("Add", &[&whole, &step], Vec::new());
    let sign = nodes.add("Sign", &[a], Vec::new());
    nodes.add("Mul", &[&rounded, &sign], Vec::new())
}

/// A conversion.
pub fn cast(nodes: &mut Nodes, a: &str, from: ScalarType, to: ScalarType) -> String {
    if from == to { a.to_owned() } else { nodes.cast(a, attr::element_of(to)) }
}
