//! How functions and assignments are called in attributes.

use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};
use skriptnd_syntax::spelling::BUILTINS;

/// The function of a `skriptnd.apply`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Builtin(Builtin),
    Select,
    Cast,
}

const UNARY: [(&str, UnaryOp); 3] = [("plus", UnaryOp::Plus), ("neg", UnaryOp::Neg), ("not", UnaryOp::Not)];

const BINARY: [(&str, BinaryOp); 19] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("div", BinaryOp::Div),
    ("ceil_div", BinaryOp::CeilDiv),
    ("mod", BinaryOp::Mod),
    ("pow", BinaryOp::Pow),
    ("min", BinaryOp::Min),
    ("max", BinaryOp::Max),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("implies", BinaryOp::Implies),
    ("lt", BinaryOp::Lt),
    ("le", BinaryOp::Le),
    ("gt", BinaryOp::Gt),
    ("ge", BinaryOp::Ge),
    ("eq", BinaryOp::Eq),
    ("ne", BinaryOp::Ne),
];

const ASSIGN: [(&str, AssignOp); 8] = [
    ("set", AssignOp::Set),
    ("update", AssignOp::Update),
    ("add", AssignOp::Add),
    ("mul", AssignOp::Mul),
    ("and", AssignOp::And),
    ("or", AssignOp::Or),
    ("min", AssignOp::Min),
    ("max", AssignOp::Max),
];

fn find<T: Copy>(table: &[(&'static str, T)], name: &str) -> Option<T> {
    table.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
}

fn name_of<T: PartialEq>(table: &[(&'static str, T)], item: T) -> &'static str {
    table.iter().find(|entry| entry.1 == item).map_or("", |entry| entry.0)
}

impl Function {
    pub(super) fn parse(name: &str) -> Option<Function> {
        match name {
            "select" => Some(Function::Select),
            "cast" => Some(Function::Cast),
            _ => find(&UNARY, name)
                .map(Function::Unary)
                .or_else(|| find(&BINARY, name).map(Function::Binary))
                .or_else(|| find(&BUILTINS, name).map(Function::Builtin)),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Unary(op) => name_of(&UNARY, op),
            Function::Binary(op) => name_of(&BINARY, op),
            Function::Builtin(function) => name_of(&BUILTINS, function),
            Function::Select => "select",
            Function::Cast => "cast",
        }
    }
}

pub(super) fn parse_assign(name: &str) -> Option<AssignOp> {
    find(&ASSIGN, name)
}

pub(super) fn assign_name(op: AssignOp) -> &'static str {
    name_of(&ASSIGN, op)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_name_of_its_own() {
        let unary = UNARY.iter().map(|entry| Function::Unary(entry.1));
        let binary = BINARY.iter().map(|entry| Function::Binary(entry.1));
        let builtin = BUILTINS.iter().map(|entry| Function::Builtin(entry.1));
        for function in unary.chain(binary).chain(builtin).chain([Function::Select, Function::Cast]) {
            assert_eq!(Function::parse(function.name()), Some(function));
        }
        for (name, op) in ASSIGN {
            assert_eq!((parse_assign(name), assign_name(op)), (Some(op), name));
        }
    }
}
