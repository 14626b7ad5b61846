//! How operators are written, in the spelling of the specification.

use super::ast::{AssignOp, BinaryOp};

impl BinaryOp {
    /// The operator as it stands between its operands.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::CeilDiv => "\\",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "**",
            BinaryOp::Min => "<<",
            BinaryOp::Max => ">>",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Xor => "^",
            BinaryOp::Implies => "=>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
        }
    }
}

impl AssignOp {
    /// The operator of a formula as it stands behind its target.
    pub fn symbol(self) -> &'static str {
        match self {
            AssignOp::Set => "=",
            AssignOp::Update => ":=",
            AssignOp::Add => "+=",
            AssignOp::Mul => "*=",
            AssignOp::And => "&=",
            AssignOp::Or => "|=",
            AssignOp::Min => "<=",
            AssignOp::Max => ">=",
        }
    }
}

/// The words that are no names, in alphabetical order.
pub const KEYWORDS: [&str; 26] = [
    "arith", "bool", "do", "elif", "else", "false", "for", "graph", "if", "import", "inf", "int", "num", "operator",
    "optional", "pi", "public", "real", "str", "then", "true", "type", "unroll", "while", "with", "yield",
];
