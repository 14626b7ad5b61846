//! `x[...]`: items of packs, tensors of packs, elements of tensors (section 2.4, indexing and tensor access).

use super::checker::Checker;
use super::diagnostics as say;
use super::types::{Base, Context, Type};
use skriptnd_syntax::ast::{Expr, ExprKind, Item};

impl Checker<'_> {
    pub(super) fn subscript(&mut self, expr: &Expr, base: &Expr, items: &[Item], trailing_comma: bool) -> Type {
        let ty = self.expr(base);
        if ty.is_unknown() && !ty.tensor {
            self.index_items(items);
            return Type { packed: false, ..ty };
        }
        if !ty.tensor {
            return self.pack_item(expr, base, &ty, items, trailing_comma);
        }
        if let (true, false, [index @ (Item::Value(_) | Item::Range(..))]) = (ty.packed, trailing_comma, items) {
            let index = self.index(index);
            return Type { packed: index.packed, ..ty.optional_if(index.optional) };
        }
        self.access(expr, base, ty, items, trailing_comma)
    }

    /// An item or several items of a pack, or characters of a string.
    fn pack_item(&mut self, expr: &Expr, base: &Expr, ty: &Type, items: &[Item], trailing_comma: bool) -> Type {
        let text = ty.base == Base::Str && !ty.packed;
        if !ty.packed && !text {
            self.report(say::not_a_pack(base.span, "be indexed", ty));
        }
        let ([item], false) = (items, trailing_comma) else {
            self.report(say::pack_index_count(expr.span, items.len(), trailing_comma));
            return Type { packed: false, ..ty.clone() };
        };
        let index = self.index(item);
        Type { packed: ty.packed && index.packed, ..ty.clone() }.optional_if(index.optional)
    }

    /// The type of an index: int, or a mask.
    pub(super) fn index(&mut self, item: &Item) -> Type {
        match item {
            Item::Value(value) => {
                let ty = self.value(value);
                let mask = ty.base == Base::Bool && ty.packed;
                if !ty.base.is(&Base::Int) && !mask {
                    self.report(say::wrong_type(value.span, "an index", "int, or a pack of bool", &ty));
                }
                ty
            }
            Item::Range(begin, end, step, _) => {
                for bound in [begin, end, step].into_iter().flatten() {
                    self.expect(bound, &Base::Int, "the bound of a range");
                }
                Type::pack(Base::Int)
            }
            Item::Expand(value, pack) => {
                self.report(say::expanded_index(value.span.to(pack.span)));
                Type::UNKNOWN
            }
            Item::Zip(packs, pack) => {
                self.report(say::expanded_index(packs.first().map_or(pack.span, |p| p.span)));
                Type::UNKNOWN
            }
        }
    }

    /// Elements of a tensor; of each tensor of a pack if none is selected.
    fn access(&mut self, expr: &Expr, base: &Expr, ty: Type, items: &[Item], trailing_comma: bool) -> Type {
        if self.context != Context::Formula {
            self.report(say::access_outside_formula(expr.span, self.context));
            return Type { base: Base::Unknown, tensor: false, ..ty };
        }
        let single = items.iter().all(|item| matches!(item, Item::Value(_) | Item::Range(..)));
        let missed = self.rank_of(base).filter(|rank| single && items.len() != *rank);
        if let Some(rank) = missed {
            self.report(say::access_rank(expr.span, rank, items.len()));
            self.index_items(items);
            return Type { base: Base::Unknown, tensor: false, packed: false, ..ty };
        } else if let ([Item::Value(_)], false) = (items, trailing_comma) {
            self.report(say::access_needs_comma(expr.span));
            // A pack of indices may lack its dots.
            let (_, optional) = self.index_items(items);
            return Type { tensor: false, ..ty.optional_if(optional) };
        }
        let (packed, optional) = self.index_items(items);
        Type { tensor: false, ..ty.optional_if(optional).packed_if(packed) }
    }

    /// The rank of a tensor whose extents are all single.
    fn rank_of(&self, base: &Expr) -> Option<usize> {
        match &base.kind {
            ExprKind::Name(name) => self.symbols.get(name).and_then(|symbol| symbol.rank),
            ExprKind::Subscript { base, .. } => self.rank_of(base),
            _ => None,
        }
    }

    /// Checks the indices of an access. Says whether one of them is a pack that isn't expanded, so that there is one
    /// element for each of its items, and whether one of them may be null.
    fn index_items(&mut self, items: &[Item]) -> (bool, bool) {
        let (mut packed, mut optional) = (false, false);
        for item in items {
            let ty = match item {
                Item::Value(value) => {
                    let ty = self.expect(value, &Base::Int, "the index of a tensor");
                    packed |= ty.packed;
                    ty
                }
                Item::Expand(value, pack) => {
                    if let Some(length) = &pack.length {
                        self.length(length);
                    }
                    let ty = self.expect(value, &Base::Int, "the index of a tensor");
                    if !ty.packed && pack.length.is_none() && !ty.is_unknown() {
                        self.report(say::expanded_single(value.span, &ty));
                    }
                    ty
                }
                Item::Range(begin, end, step, _) => {
                    for bound in [begin, end, step].into_iter().flatten() {
                        self.expect(bound, &Base::Int, "the bound of a range");
                    }
                    packed = true;
                    Type::pack(Base::Int)
                }
                Item::Zip(packs, _) => {
                    packs.iter().for_each(|pack| drop(self.expect(pack, &Base::Int, "the index of a tensor")));
                    Type::pack(Base::Int)
                }
            };
            optional |= ty.optional;
        }
        (packed, optional)
    }
}
