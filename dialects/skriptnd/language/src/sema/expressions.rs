//! Types of expressions (section 2.4).

use super::checker::{Checker, Context};
use super::diagnostics as say;
use super::types::{Base, Type};
use crate::syntax::ast::{BinaryOp, Builtin, Expr, ExprKind, FoldOp, Item, Member, Name, StrPart, TypeExpr, UnaryOp};
use std::sync::Arc;

impl Checker<'_> {
    /// The type of an expression that may be a tensor where the context allows it.
    pub(super) fn expr(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Int(_) => Type::scalar(Base::Int),
            ExprKind::Real(_) | ExprKind::Inf | ExprKind::Pi => Type::scalar(Base::Real),
            ExprKind::Bool(_) => Type::scalar(Base::Bool),
            ExprKind::Str(parts) => self.string(parts),
            ExprKind::Name(name) => self.name(name, expr),
            ExprKind::Member(base, member) => self.member(base, *member, expr),
            ExprKind::List(items) => self.list(items),
            ExprKind::Subscript { base, items, trailing_comma } => self.subscript(expr, base, items, *trailing_comma),
            ExprKind::Bounded { index, remap } => self.bounded(expr, index, remap.as_ref()),
            ExprKind::Substitute { base, index, value } => self.substitution(base, index, value),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Select(condition, then, otherwise) => self.select(condition, then, otherwise.as_deref()),
            ExprKind::Coalesce(value, fallback) => self.coalesce(value, fallback),
            ExprKind::Is(left, right) => self.identity(left, right),
            ExprKind::In(item, pack) => self.containment(item, pack),
            ExprKind::NullTest(operand) => self.null_test(operand),
            ExprKind::Fold { pack, op, cumulative } => self.fold(pack, *op, *cumulative),
            ExprKind::Cast(ty, value) => self.cast(ty, value.as_deref()),
            ExprKind::Builtin(function, argument) => self.builtin(*function, argument),
            ExprKind::Paren(inner) => self.expr(inner),
        }
    }

    /// The type of an expression that is no tensor.
    pub(super) fn value(&mut self, expr: &Expr) -> Type {
        let ty = self.expr(expr);
        if !ty.tensor {
            return ty;
        }
        self.report(say::tensor_as_value(expr.span, &ty, self.context));
        Type { tensor: false, base: Base::Unknown, ..ty }
    }

    /// A value that must be of a certain base type.
    pub(super) fn expect(&mut self, expr: &Expr, base: &Base, role: &str) -> Type {
        let ty = self.value(expr);
        if !ty.base.is(base) {
            self.report(say::wrong_type(expr.span, role, &base.to_string(), &ty));
        }
        ty
    }

    fn string(&mut self, parts: &[StrPart]) -> Type {
        for part in parts {
            if let StrPart::Format(value) = part {
                self.value(value);
            }
        }
        Type::scalar(Base::Str)
    }

    fn name(&mut self, name: &Arc<str>, expr: &Expr) -> Type {
        let Some(symbol) = self.lookup(name, expr.span) else { return Type::UNKNOWN };
        if !symbol.assigned && self.context == Context::Composition {
            self.report(say::unassigned_output(expr.span, name, symbol.span));
        }
        let promoted = self.promoted.contains(name);
        Type { optional: symbol.ty.optional && !promoted, ..symbol.ty }
    }

    fn member(&mut self, base: &Name, member: Member, expr: &Expr) -> Type {
        let Some(symbol) = self.lookup(&base.text, base.span) else { return Type::UNKNOWN };
        let valid = symbol.ty.tensor && symbol.ty.packed == (member == Member::Size);
        if !valid && !symbol.ty.is_unknown() {
            self.report(say::bad_member(expr.span, &base.text, member, &symbol.ty));
        }
        let promoted = self.promoted.contains(&base.text);
        let ty = if member == Member::Shape { Type::pack(Base::Int) } else { Type::scalar(Base::Int) };
        ty.optional_if(symbol.ty.optional && !promoted)
    }

    /// Items of a list: one base type, packs expanded.
    fn list(&mut self, items: &[Item]) -> Type {
        let mut list = Type::pack(Base::Unknown);
        for item in items {
            let ty = self.item(item);
            let span = item_span(item);
            if !ty.base.is(&list.base) {
                self.report(say::mixed_list(span, &list.base, &ty));
            }
            if list.is_unknown() {
                list.base = ty.base;
            }
            list.optional |= ty.optional;
            list.tensor |= ty.tensor;
        }
        list
    }

    fn item(&mut self, item: &Item) -> Type {
        match item {
            Item::Value(value) => {
                let ty = self.expr(value);
                if ty.packed {
                    self.report(say::pack_not_expanded(value.span, &ty));
                }
                ty
            }
            Item::Expand(value, pack) => {
                let ty = self.expr(value);
                match &pack.length {
                    Some(length) => self.length(length),
                    None if !ty.packed && !ty.is_unknown() => self.report(say::expanded_single(value.span, &ty)),
                    None => {}
                }
                ty
            }
            Item::Range(begin, end, step, _) => {
                let mut ty = Type::pack(Base::Int);
                for bound in [begin, end, step].into_iter().flatten() {
                    ty.optional |= self.expect(bound, &Base::Int, "the bound of a range").optional;
                }
                ty
            }
            Item::Zip(packs, spec) => {
                if let Some(length) = &spec.length {
                    self.length(length);
                }
                let mut zip = Type::pack(Base::Unknown);
                for pack in packs {
                    let ty = self.expr(pack);
                    if !ty.packed && !ty.is_unknown() {
                        self.report(say::expanded_single(pack.span, &ty));
                    }
                    if !ty.base.is(&zip.base) {
                        self.report(say::mixed_list(pack.span, &zip.base, &ty));
                    }
                    zip = Type { base: ty.base, ..zip.optional_if(ty.optional) };
                }
                zip
            }
        }
    }

    /// The length of a pack: an int, or a bool that makes an item conditional.
    pub(super) fn length(&mut self, length: &Expr) {
        let ty = self.value(length);
        if !matches!(ty.base, Base::Int | Base::Bool | Base::Unknown) || ty.packed {
            self.report(say::wrong_type(length.span, "the length of a pack", "int or bool", &ty));
        }
    }

    fn bounded(&mut self, expr: &Expr, index: &Expr, remap: Option<&(Box<Expr>, Box<Expr>)>) -> Type {
        if self.context != Context::Formula {
            self.report(say::bound_outside_formula(expr.span));
        }
        let mut ty = self.expect(index, &Base::Int, "the index of a tensor");
        if let Some((below, above)) = remap {
            for other in [below, above] {
                let other = self.expect(other, &Base::Int, "the index of a tensor");
                ty = ty.packed_if(other.packed).optional_if(other.optional);
            }
        }
        ty.with_base(Base::Int)
    }

    fn substitution(&mut self, base: &Expr, index: &Item, value: &Expr) -> Type {
        let pack = self.expr(base);
        if !pack.packed && !pack.is_unknown() {
            self.report(say::not_a_pack(base.span, "be changed by `<-`", &pack));
        }
        let index_type = self.index(index);
        let value_type = self.expr(value);
        if !value_type.base.is(&pack.base) {
            self.report(say::wrong_type(value.span, "the new value of an item", &pack.base.to_string(), &value_type));
        }
        if value_type.packed && !index_type.packed && !index_type.is_unknown() {
            self.report(say::wrong_type(value.span, "the new value of a single item", "a single value", &value_type));
        }
        Type { packed: true, ..pack.optional_if(index_type.optional || value_type.optional) }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Type {
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

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Type {
        self.warn_of_mixture(op, left, right);
        let (a, b) = (self.value(left), self.value(right));
        let ty = Type { packed: a.packed || b.packed, optional: a.optional || b.optional, ..Type::UNKNOWN };
        let class = OperandClass::of(op);
        for (operand, own) in [(left, &a), (right, &b)] {
            if !class.accepts(&own.base) {
                let role = format!("the operand of `{}`", symbol(op));
                self.report(say::wrong_type(operand.span, &role, class.words(), own));
                return ty.with_base(class.result(Base::Unknown));
            }
        }
        if !a.base.is(&b.base) {
            self.report(say::operand_mismatch(left.span.to(right.span), symbol(op), (left.span, &a), (right.span, &b)));
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
            self.report(say::unclear_logic(left.span.to(right.span), symbol(inner), symbol(op), left.span));
        }
    }

    fn select(&mut self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>) -> Type {
        let test = self.condition(condition, "the condition of `?:`");
        let known = self.promoted.len();
        self.promote(condition);
        let a = self.expr(then);
        self.promoted.truncate(known);
        let Some(otherwise) = otherwise else {
            return Type { optional: true, ..a.packed_if(test.packed) };
        };
        let b = self.expr(otherwise);
        let base = self.same(then, &a, otherwise, &b, "?:");
        Type {
            base,
            packed: test.packed || a.packed || b.packed,
            optional: test.optional || a.optional || b.optional,
            tensor: a.tensor || b.tensor,
        }
    }

    /// A bool that is no tensor.
    pub(super) fn condition(&mut self, condition: &Expr, role: &str) -> Type {
        self.expect(condition, &Base::Bool, role)
    }

    /// Notes which optional names a condition shows to be there (section 2.4, null testing).
    pub(super) fn promote(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::NullTest(operand) => {
                if let ExprKind::Name(name) = &operand.kind {
                    self.promoted.push(name.clone());
                }
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.promote(a);
                self.promote(b);
            }
            ExprKind::Paren(inner) => self.promote(inner),
            _ => {}
        }
    }

    /// Reports two operands of different base types, and gives the one they have.
    fn same(&mut self, left: &Expr, a: &Type, right: &Expr, b: &Type, operator: &str) -> Base {
        if !a.base.is(&b.base) {
            self.report(say::operand_mismatch(left.span.to(right.span), operator, (left.span, a), (right.span, b)));
            return Base::Unknown;
        }
        if a.is_unknown() { b.base.clone() } else { a.base.clone() }
    }

    fn coalesce(&mut self, value: &Expr, fallback: &Expr) -> Type {
        let (a, b) = (self.expr(value), self.expr(fallback));
        if !a.optional && !a.is_unknown() {
            self.report(say::never_null(value.span, &a, "??"));
        }
        let base = self.same(value, &a, fallback, &b, "??");
        Type { base, packed: a.packed || b.packed, optional: b.optional, tensor: a.tensor || b.tensor }
    }

    fn identity(&mut self, left: &Expr, right: &Expr) -> Type {
        let (a, b) = (self.expr(left), self.expr(right));
        self.same(left, &a, right, &b, "is");
        Type::scalar(Base::Bool).packed_if(a.packed || b.packed)
    }

    fn containment(&mut self, item: &Expr, pack: &Expr) -> Type {
        let (a, b) = (self.value(item), self.value(pack));
        if !b.packed && !b.is_unknown() {
            self.report(say::not_a_pack(pack.span, "be searched by `in`", &b));
        }
        self.same(item, &a, pack, &b, "in");
        Type { packed: a.packed, optional: a.optional || b.optional, ..Type::scalar(Base::Bool) }
    }

    fn null_test(&mut self, operand: &Expr) -> Type {
        let ty = self.expr(operand);
        if !ty.optional && !ty.is_unknown() {
            self.report(say::never_null(operand.span, &ty, "?"));
        }
        Type::scalar(Base::Bool)
    }

    fn fold(&mut self, pack: &Expr, op: FoldOp, cumulative: bool) -> Type {
        let ty = self.value(pack);
        if !ty.packed && !ty.is_unknown() {
            self.report(say::not_a_pack(pack.span, "be folded", &ty));
        }
        let FoldOp::Binary(op) = op else {
            return Type { optional: true, ..Type::scalar(ty.base) };
        };
        let class = OperandClass::of(op);
        if !class.accepts(&ty.base) {
            let role = format!("the operand of `{} ..`", symbol(op));
            self.report(say::wrong_type(pack.span, &role, class.words(), &ty));
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

    fn cast(&mut self, ty: &TypeExpr, value: Option<&Expr>) -> Type {
        let base = self.base(ty);
        let Some(value) = value else { return Type::scalar(base) };
        let from = self.value(value);
        if base == Base::Str || !from.base.is_arithmetic() {
            self.report(say::bad_cast(value.span, &from, &base));
        }
        from.with_base(base)
    }

    fn builtin(&mut self, function: Builtin, argument: &Expr) -> Type {
        let ty = self.value(argument);
        let any_number = matches!(function, Builtin::Abs | Builtin::Sign);
        let valid = match &ty.base {
            Base::Int => any_number,
            base => base.is_numeric(),
        };
        if valid {
            return ty;
        }
        let name = format!("{function:?}").to_lowercase();
        let expected = if any_number { "int or real" } else { "real" };
        self.report(say::wrong_type(argument.span, &format!("the argument of `{name}`"), expected, &ty));
        ty.with_base(Base::Real)
    }
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

    fn result(self, operands: Base) -> Base {
        if self == OperandClass::Numbers { operands } else { Base::Bool }
    }
}

/// How an operator is written.
pub(super) fn symbol(op: BinaryOp) -> &'static str {
    match op {
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

/// Where an item stands.
pub(super) fn item_span(item: &Item) -> crate::syntax::ast::Span {
    match item {
        Item::Value(value) => value.span,
        Item::Expand(value, pack) => value.span.to(pack.span),
        Item::Range(_, _, _, span) => *span,
        Item::Zip(packs, pack) => packs.first().map_or(pack.span, |first| first.span.to(pack.span)),
    }
}
