//! Whether two trees are equal up to places.

use crate::ast::{
    Assertion, AssignOp, AttributeAssignment, BinaryOp, Block, Body, Branch, Builtin, Carried, Component,
    ComponentValue, DtypeParam, Expr, ExprKind, ExtentSpec, FoldOp, Invocation, Item, IterCount, LValue, LValueItem,
    LocalTarget, Loop, LoopBound, Lowering, Member, Module, Name, Operator, OperatorKind, Operators, PackSpec, Param,
    QualifiedName, Quantization, StrPart, TypeExpr, TypeName, TypeSpec, UnaryOp, Using,
};
use skriptnd_source::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// Equality up to places.
pub(super) trait Same {
    fn same(&self, other: &Self) -> bool;
}

/// Places don't matter.
impl Same for Span {
    fn same(&self, _: &Self) -> bool {
        true
    }
}

impl Same for f64 {
    fn same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Same> Same for Vec<T> {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl Same for Operators {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Same> Same for Box<T> {
    fn same(&self, other: &Self) -> bool {
        (**self).same(other)
    }
}

impl<A: Same, B: Same> Same for (A, B) {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

macro_rules! plain {
    ($($ty:ty),*) => {
        $(impl Same for $ty {
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}

/// All fields are named, so that a new one is not forgotten.
macro_rules! structs {
    ($($ty:ident { $($field:ident),* })*) => {
        $(impl Same for $ty {
            fn same(&self, other: &Self) -> bool {
                let $ty { $($field),* } = self;
                true $(&& $field.same(&other.$field))*
            }
        })*
    };
}

plain!(
    AssignOp,
    BinaryOp,
    Builtin,
    FoldOp,
    Member,
    OperatorKind,
    TypeName,
    UnaryOp,
    String,
    Arc<str>,
    HashSet<Arc<str>>,
    bool,
    i64
);

structs! {
    Name { text, span }
    QualifiedName { parts, span }
    Module { imports, operators, incomplete }
    Operator {
        kind, public, name, documentation, dtypes, attributes, inputs, outputs, constants, variables, usings, asserts,
        lowerings, components, updates, quantizations, blocks, incomplete, lost, span
    }
    DtypeParam { name, bound, default, span }
    TypeSpec { optional, dynamic, base, rank, shape, pack, length_bound, span }
    ExtentSpec { distinct, is_static, extent, bound, pack, span }
    PackSpec { is_static, length, span }
    Param { name, spec, value, bounds, documentation, span }
    LoopBound { index, bound }
    Using { target, value, span }
    Assertion { condition, message, values, span }
    Lowering { unroll, locals, target, op, value, bounds, condition, span }
    LocalTarget { name, pack }
    IterCount { index, count, span }
    Component { results, value, span }
    Block { label, components, yields, span }
    Invocation { label, operator, types, attributes, arguments, span }
    AttributeAssignment { name, value }
    Branch { arms, otherwise, span }
    Carried { name, spec, value }
    Loop { carried, scans, while_before, unroll, count, body, while_after, span }
    Quantization { tensor, operator }
    Expr { kind, span }
}

impl Same for TypeExpr {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (TypeExpr::Concrete(a, _), TypeExpr::Concrete(b, _)) => a.same(b),
            (TypeExpr::Generic(a), TypeExpr::Generic(b)) => a.same(b),
            _ => false,
        }
    }
}

impl Same for LValue {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (LValue::Item(a), LValue::Item(b)) => a.same(b),
            (LValue::List(a, _), LValue::List(b, _)) => a.same(b),
            _ => false,
        }
    }
}

impl Same for LValueItem {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (LValueItem::Name { name, spec, pack }, LValueItem::Name { name: n, spec: s, pack: p }) => {
                name.same(n) && spec.same(s) && pack.same(p)
            }
            (LValueItem::Zip { names, pack, .. }, LValueItem::Zip { names: n, pack: p, .. }) => {
                names.same(n) && pack.same(p)
            }
            (LValueItem::Omitted(_), LValueItem::Omitted(_)) => true,
            _ => false,
        }
    }
}

impl Same for ComponentValue {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (ComponentValue::Body(a), ComponentValue::Body(b)) => a.same(b),
            (ComponentValue::Branch(a), ComponentValue::Branch(b)) => a.same(b),
            (ComponentValue::Loop(a), ComponentValue::Loop(b)) => a.same(b),
            _ => false,
        }
    }
}

impl Same for Body {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Body::Invocation(a), Body::Invocation(b)) => a.same(b),
            (Body::Block(a), Body::Block(b)) => a.same(b),
            (Body::Expr(a), Body::Expr(b)) => a.same(b),
            _ => false,
        }
    }
}

impl Same for StrPart {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (StrPart::Text(a), StrPart::Text(b)) => a.same(b),
            (StrPart::Format(a), StrPart::Format(b)) => a.same(b),
            _ => false,
        }
    }
}

impl Same for Item {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Item::Value(a), Item::Value(b)) => a.same(b),
            (Item::Expand(a, n), Item::Expand(b, m)) => a.same(b) && n.same(m),
            (Item::Range(a, b, c, _), Item::Range(d, e, f, _)) => a.same(d) && b.same(e) && c.same(f),
            (Item::Zip(a, n), Item::Zip(b, m)) => a.same(b) && n.same(m),
            _ => false,
        }
    }
}

impl Same for ExprKind {
    fn same(&self, other: &Self) -> bool {
        use ExprKind::*;
        match (self, other) {
            (Int(a), Int(b)) => a.same(b),
            (Real(a), Real(b)) => a.same(b),
            (Bool(a), Bool(b)) => a.same(b),
            (Str(a), Str(b)) => a.same(b),
            (Inf, Inf) | (Pi, Pi) => true,
            (Name(a), Name(b)) => a.same(b),
            (Member(a, m), Member(b, n)) => a.same(b) && m.same(n),
            (List(a), List(b)) => a.same(b),
            (Subscript { base, items, trailing_comma }, Subscript { base: b, items: i, trailing_comma: t }) => {
                base.same(b) && items.same(i) && trailing_comma.same(t)
            }
            (Bounded { index, remap }, Bounded { index: i, remap: r }) => index.same(i) && remap.same(r),
            (Substitute { base, index, value }, Substitute { base: b, index: i, value: v }) => {
                base.same(b) && index.same(i) && value.same(v)
            }
            (Unary(o, a), Unary(p, b)) => o.same(p) && a.same(b),
            (Binary(o, a, b), Binary(p, c, d)) => o.same(p) && a.same(c) && b.same(d),
            (Select(a, b, c), Select(d, e, f)) => a.same(d) && b.same(e) && c.same(f),
            (Coalesce(a, b), Coalesce(c, d)) | (Is(a, b), Is(c, d)) | (In(a, b), In(c, d)) => a.same(c) && b.same(d),
            (NullTest(a), NullTest(b)) | (Paren(a), Paren(b)) => a.same(b),
            (Fold { pack, op, cumulative }, Fold { pack: p, op: o, cumulative: c }) => {
                pack.same(p) && op.same(o) && cumulative.same(c)
            }
            (Cast(t, a), Cast(u, b)) => t.same(u) && a.same(b),
            (Builtin(f, a), Builtin(g, b)) => f.same(g) && a.same(b),
            _ => false,
        }
    }
}
