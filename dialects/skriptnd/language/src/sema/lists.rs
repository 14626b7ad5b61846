//! Types of lists and their items.

use super::checker::Checker;
use super::diagnostics as say;
use super::types::{Base, Type};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, ExprKind, Item, PackSpec};

impl Checker<'_> {
    /// Items of a list: one base type, packs expanded.
    pub(super) fn list(&mut self, items: &[Item]) -> Type {
        let mut list = Type::pack(Base::Unknown);
        let mut nested = false;
        for item in items {
            let ty = self.item(item, &mut nested);
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

    /// `nested` says whether a list within the list has been reported.
    fn item(&mut self, item: &Item, nested: &mut bool) -> Type {
        match item {
            Item::Value(value) => {
                let ty = self.expr(value);
                let list = matches!(value.kind, ExprKind::List(_));
                match ty.packed {
                    true if list && std::mem::replace(nested, true) => {}
                    true if list => self.report(say::nested_list(value.span, &ty)),
                    true => self.report(say::pack_not_expanded(value.span, &ty)),
                    false => {}
                }
                ty
            }
            Item::Expand(value, pack) => {
                let mut ty = self.expr(value);
                match &pack.length {
                    Some(length) => ty.optional |= self.length(length),
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
            Item::Zip(packs, spec) => self.zip(packs, spec),
        }
    }

    fn zip(&mut self, packs: &[Expr], spec: &PackSpec) -> Type {
        let mut zip = Type::pack(Base::Unknown);
        zip.optional = spec.length.as_ref().is_some_and(|length| self.length(length));
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

    /// The length of a pack: an int, or a bool that makes an item conditional. Says whether it may be null.
    pub(super) fn length(&mut self, length: &Expr) -> bool {
        let ty = self.value(length);
        if !matches!(ty.base, Base::Int | Base::Bool | Base::Unknown) || ty.packed {
            self.report(say::wrong_type(length.span, "the length of a pack", "int or bool", &ty));
        }
        ty.optional
    }
}

/// Where an item stands.
pub(super) fn item_span(item: &Item) -> Span {
    match item {
        Item::Value(value) => value.span,
        Item::Expand(value, pack) => value.span.to(pack.span),
        Item::Range(_, _, _, span) => *span,
        Item::Zip(packs, pack) => packs.first().map_or(pack.span, |first| first.span.to(pack.span)),
    }
}
