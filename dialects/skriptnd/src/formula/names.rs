//! How functions and assignments are called in attributes.

use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};

/// The function of a `skriptnd.apply`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Builtin(Builtin),
    Select,
    Cast,
}

impl Function {
    pub(super) fn parse(name: &str) -> Option<Function> {
        match name {
            "select" => Some(Function::Select),
            "cast" => Some(Function::Cast),
            _ => (name.parse().map(Function::Unary))
                .or_else(|_| name.parse().map(Function::Binary))
                .or_else(|_| name.parse().map(Function::Builtin))
                .ok(),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Unary(op) => op.into(),
            Function::Binary(op) => op.into(),
            Function::Builtin(function) => function.into(),
            Function::Select => "select",
            Function::Cast => "cast",
        }
    }
}

pub(super) fn parse_assign(name: &str) -> Option<AssignOp> {
    name.parse().ok()
}

pub(super) fn assign_name(op: AssignOp) -> &'static str {
    op.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn every_function_has_a_name_of_its_own() {
        let unary = UnaryOp::iter().map(Function::Unary);
        let binary = BinaryOp::iter().map(Function::Binary);
        let builtin = Builtin::iter().map(Function::Builtin);
        for function in unary.chain(binary).chain(builtin).chain([Function::Select, Function::Cast]) {
            assert_eq!(Function::parse(function.name()), Some(function));
        }
        assert!(AssignOp::iter().all(|op| parse_assign(assign_name(op)) == Some(op)));
    }
}
