//! Types of unary, binary and fold operators.

use super::checker::Checker;
use super::diagnostics as say;
use super::types::{Base, Context, Type};
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind, FoldOp, UnaryOp};

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Type {
        let ty = self.value(operand);
        let (valid, symbol, expected) = match op {
            UnaryOp::Plus => (ty.base.is_numeric(), "+", "int or real"),
            UnaryOp::Neg => (ty.base.is_numeric(), "-", "int or real"),
            UnaryOp::Not => (ty.base.is(&Base::Bool), "!", "bool"),
        };
        if !valid {
            self.report(say::wrong_type(operand.span, &format!("the operand of `{symbol}`"), expected, &ty));
            return ty.with_base(Base::Unknown);
        }
        ty
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Type {
        self.warn_of_mixture(op, left, right);
        let (a, b) = self.operands(op, left, right);
        let ty = Type { packed: a.packed || b.packed, optional: a.optional || b.optional, ..Type::UNKNOWN };
        let class = OperandClass::of(op);
        for (operand, own) in [(left, &a), (right, &b)] {
            if !class.accepts(&own.base) {
                self.report(say::wrong_operand(operand, op, class.words(), own));
                // Of another operator, which may have been meant, the result may be of another type.
                return ty.with_base(Base::Unknown);
            }
        }
        let decided_later = class.compares() && a.base.is_generic() && b.base.is_generic();
        if !a.base.is(&b.base) && !decided_later {
            let mismatch =
                say::operand_mismatch(left.span.to(right.span), op.symbol(), (left.span, &a), (right.span, &b));
            self.report(match &left.kind {
                // `0 < a < n`
                ExprKind::Binary(inner, ..) if class == OperandClass::Order && is_order(*inner) => {
                    mismatch.with_help("comparisons don't chain: write `a < b && b < c`")
                }
                _ => mismatch,
            });
            return ty.with_base(class.result(Base::Unknown));
        }
        let operands = if a.is_unknown() { b.base } else { a.base };
        ty.with_base(class.result(operands))
    }

    /// `a || b && c` reads from the left, which few expect.
    fn warn_of_mixture(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let logical = |op: BinaryOp| matches!(op, BinaryOp::And | BinaryOp::Or);
        if !logical(op) {
            return;
        }
        if let ExprKind::Binary(inner, ..) = left.kind
            && logical(inner)
            && inner != op
        {
            self.report(say::unclear_logic(left.span.to(right.span), inner.symbol(), op.symbol(), left.span));
        }
    }

    pub(super) fn fold(&mut self, pack: &Expr, op: FoldOp, cumulative: bool) -> Type {
        let ty = self.value(pack);
        if !ty.packed && !ty.is_unknown() {
            self.report(say::not_a_pack(pack.span, "be folded", &ty));
            return Type::UNKNOWN;
        }
        let FoldOp::Binary(op) = op else {
            return Type { optional: true, ..Type::scalar(ty.base) };
        };
        let class = OperandClass::of(op);
        // Whether a pack is ascending is asked of numbers only; its items are compared whatever their type.
        let items = if class == OperandClass::Order { OperandClass::Numbers } else { class };
        if !items.accepts(&ty.base) {
            let role = format!("the operand of `{} {}`", op.symbol(), if cumulative { "..." } else { ".." });
            self.report(say::wrong_type(pack.span, &role, items.words(), &ty));
        }
        // The formula of an operator folds packs whose length is known by then, so their minimum exists.
        let may_be_empty = matches!(op, BinaryOp::Min | BinaryOp::Max) && self.context != Context::Formula;
        Type {
            base: class.result(ty.base),
            packed: cumulative,
            optional: ty.optional || (may_be_empty && !cumulative),
            tensor: false,
        }
    }
}

fn is_order(op: BinaryOp) -> bool {
    OperandClass::of(op) == OperandClass::Order
}

/// What a binary operator takes and gives.
#[derive(Clone, Copy, PartialEq)]
enum OperandClass {
    Numbers,
    Truths,
    Comparison,
    Order,
}

impl OperandClass {
    fn of(op: BinaryOp) -> Self {
        use BinaryOp::{
            Add, And, CeilDiv, Div, Eq, Ge, Gt, Implies, Le, Lt, Max, Min, Mod, Mul, Ne, Or, Pow, Sub, Xor,
        };
        match op {
            Add | Sub | Mul | Div | CeilDiv | Mod | Pow | Min | Max => OperandClass::Numbers,
            And | Or | Xor | Implies => OperandClass::Truths,
            Eq | Ne => OperandClass::Comparison,
            Lt | Le | Gt | Ge => OperandClass::Order,
        }
    }

    fn accepts(self, base: &Base) -> bool {
        match self {
            OperandClass::Numbers => base.is_numeric(),
            OperandClass::Truths => base.is(&Base::Bool),
            OperandClass::Comparison | OperandClass::Order => true,
        }
    }

    fn words(self) -> &'static str {
        match self {
            OperandClass::Numbers => "int or real",
            OperandClass::Truths => "bool",
            OperandClass::Comparison | OperandClass::Order => "any type",
        }
    }

    /// Two generic types may turn out to be one when an operator is invoked, as in `math.lt` (section 4.2.2).
    fn compares(self) -> bool {
        matches!(self, OperandClass::Comparison | OperandClass::Order)
    }

    fn result(self, operands: Base) -> Base {
        if self == OperandClass::Numbers { operands } else { Base::Bool }
    }
}
