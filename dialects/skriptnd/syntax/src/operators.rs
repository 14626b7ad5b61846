//! Tables of operators, functions and members.

use super::ast::{BinaryOp, Builtin, Expr, ExprKind, FoldOp, Member, Name};
use std::sync::Arc;

/// How strongly an infix operator binds on its left and on its right, as `facts` of the reference implementation and
/// the examples of the specification have it; the text itself gives no table.
pub(super) fn power(operator: &str) -> (u8, u8) {
    match operator {
        "=>" => (2, 1),
        "&&" | "||" | "^" => (3, 4),
        "<" | "<=" | ">" | ">=" | "==" | "!=" | "is" | "in" | ":=" => (5, 6),
        "<<" | ">>" | "<?" | ">?" => (7, 8),
        "+" | "-" => (9, 10),
        "*" | "/" | "\\" | "%" => (11, 12),
        _ => (15, 16),
    }
}

pub(super) fn binary_op(operator: &str) -> Option<BinaryOp> {
    Some(match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "\\" => BinaryOp::CeilDiv,
        "%" => BinaryOp::Mod,
        "**" => BinaryOp::Pow,
        "<<" | "<?" => BinaryOp::Min,
        ">>" | ">?" => BinaryOp::Max,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        "^" => BinaryOp::Xor,
        "=>" => BinaryOp::Implies,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        _ => return None,
    })
}

pub(super) fn is_fold(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Eq, Ge, Gt, Le, Lt, Max, Min, Mul, Ne, Or};
    matches!(op, Add | Mul | Min | Max | And | Or | Lt | Le | Gt | Ge | Eq | Ne)
}

pub(super) fn is_cumulative(op: FoldOp) -> bool {
    use BinaryOp::{Add, And, Max, Min, Mul, Or};
    matches!(op, FoldOp::Binary(Add | Mul | Min | Max | And | Or))
}

pub(super) fn member_of(text: &str) -> Option<Member> {
    Some(match text {
        "shape" => Member::Shape,
        "rank" => Member::Rank,
        "size" => Member::Size,
        _ => return None,
    })
}

/// A name as an expression.
pub(super) fn name_expr(name: &Name) -> Expr {
    Expr { kind: ExprKind::Name(Arc::clone(&name.text)), span: name.span }
}

pub(super) fn builtin(name: &str) -> Option<Builtin> {
    name.parse().ok()
}
