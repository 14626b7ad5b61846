//! Types of expressions (section 2.4).

use super::checker::Checker;
use super::diagnostics as say;
use super::names::Meaning;
use super::types::{Base, Context, Type};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Builtin, Expr, ExprKind, FoldOp, Item, Member, Name, StrPart, TypeExpr};
use std::sync::Arc;

impl Checker<'_> {
    /// The type of an expression that may be a tensor where the context allows it.
    pub(super) fn expr(&mut self, expr: &Expr) -> Type {
        #[cfg(test)]
        crate::steps::count(1);
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
            ExprKind::Builtin(function, argument) => self.builtin(expr, *function, argument),
            ExprKind::Paren(inner) => self.expr(inner),
        }
    }

    /// The types of two operands that are no tensors; of two tensors the operator is wrong, not each of them.
    pub(super) fn operands(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> (Type, Type) {
        let a = self.expr(left);
        let known = self.promoted.len();
        if matches!(op, BinaryOp::And | BinaryOp::Implies) {
            self.promote(left);
        }
        let b = self.expr(right);
        self.promoted.truncate(known);
        let tensor = [(left, &a), (right, &b)].into_iter().find(|(_, ty)| ty.tensor);
        if let Some((operand, ty)) = tensor {
            let context = self.context;
            self.report(match context {
                Context::Composition => say::operator_on_tensor(left.span.to(right.span), op, (operand.span, ty)),
                _ => say::tensor_as_value(operand.span, ty, context),
            });
        }
        let value = |ty: Type| if ty.tensor { Type { tensor: false, base: Base::Unknown, ..ty } } else { ty };
        (value(a), value(b))
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
        let mut text = Type::scalar(Base::Str);
        for part in parts {
            if let StrPart::Format(value) = part {
                text.optional |= self.value(value).optional;
            }
        }
        text
    }

    fn name(&mut self, name: &Arc<str>, expr: &Expr) -> Type {
        let Some(symbol) = self.lookup(name, expr.span) else { return Type::UNKNOWN };
        if !symbol.assigned && self.context != Context::CompileTime {
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
        if index_type.base == Base::Bool {
            self.report(say::substituted_mask(super::lists::item_span(index)));
        }
        let value_type = self.expr(value);
        if !value_type.base.is(&pack.base) {
            self.report(say::wrong_type(value.span, "the new value of an item", &pack.base.to_string(), &value_type));
        }
        if value_type.packed && !index_type.packed && !index_type.is_unknown() {
            self.report(say::wrong_type(value.span, "the new value of a single item", "a single value", &value_type));
        }
        if index_type.packed && !value_type.packed && !value_type.is_unknown() {
            self.report(say::single_new_value(value.span, &value_type));
        }
        Type { packed: true, ..pack.optional_if(index_type.optional || value_type.optional) }
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
        if !a.optional && !a.is_unknown() && !self.may_be_null(value) {
            self.report(say::coalesced_never_null(value.span, &a));
        }
        if b.optional {
            self.report(say::optional_fallback(fallback.span, &b));
        }
        let base = self.same(value, &a, fallback, &b, "??");
        Type { base, packed: a.packed || b.packed, optional: false, tensor: a.tensor || b.tensor }
    }

    /// What counts as there although its type is optional: names that a null test has promoted, and in formulas the
    /// minimum of a pack, whose length is known by then.
    fn may_be_null(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Paren(inner) => self.may_be_null(inner),
            ExprKind::Name(name) => self.promoted.contains(name),
            ExprKind::Fold { op: FoldOp::Binary(BinaryOp::Min | BinaryOp::Max), cumulative: false, .. } => true,
            _ => false,
        }
    }

    fn identity(&mut self, left: &Expr, right: &Expr) -> Type {
        let (a, b) = (self.expr(left), self.expr(right));
        self.same(left, &a, right, &b, "is");
        Type::scalar(Base::Bool).packed_if(a.packed || b.packed).optional_if(a.optional || b.optional)
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
            self.report(say::never_null(operand.span, &ty));
        }
        Type::scalar(Base::Bool)
    }

    fn cast(&mut self, ty: &TypeExpr, value: Option<&Expr>) -> Type {
        if let TypeExpr::Generic(name) = ty
            && !self.operator.dtypes.iter().any(|dtype| dtype.name.text == name.text)
        {
            // Where the declaration of a generic type could not be read, or is missing, that is the mistake.
            if !self.unknown_types.contains(&name.text) {
                self.report(say::unknown_call(name));
            }
            value.iter().for_each(|value| drop(self.expr(value)));
            return Type::UNKNOWN;
        }
        let base = self.base(ty);
        let Some(value) = value else { return Type::scalar(base) };
        let from = self.value(value);
        let arithmetic = base.is_arithmetic() && from.base.is_arithmetic();
        if !arithmetic && !from.base.is(&base) {
            self.report(say::bad_cast(value.span, &from, &base));
        }
        from.with_base(base)
    }

    fn builtin(&mut self, expr: &Expr, function: Builtin, argument: &Expr) -> Type {
        let span = Span { end: argument.span.start.saturating_sub(1), ..expr.span };
        self.names.occurs(span, Meaning::Builtin(function.into()));
        let ty = self.value(argument);
        let any_number = matches!(function, Builtin::Abs | Builtin::Sign);
        // What is valid for a generic number is valid for int and for real (section 2.13).
        let valid = match &ty.base {
            Base::Int | Base::Generic(..) => any_number && ty.base.is_numeric(),
            base => base.is_numeric(),
        };
        if valid {
            return ty;
        }
        let expected = if any_number { "int or real" } else { "real" };
        self.report(say::wrong_type(argument.span, &format!("the argument of `{function}`"), expected, &ty));
        // Of a generic type the function may be what is wrong.
        let base = if ty.base.is_generic() { Base::Unknown } else { Base::Real };
        ty.with_base(base)
    }
}
