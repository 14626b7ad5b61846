//! Declarations: `@dtype`, parameters, `@using`, `@assert` (sections 2.5 to 2.9, 2.13).

use super::ast::{Assertion, DtypeParam, ExtentSpec, LoopBound, PackSpec, Param, TypeExpr, TypeSpec, Using};
use super::builder::{Builder, Pair, children, has_static, type_name};
use super::grammar::Rule;

impl<'a> Builder<'a> {
    pub(super) fn dtype(&mut self, pair: Pair<'a>) -> Option<DtypeParam> {
        let span = self.span(&pair);
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        let bound = type_name(parts.next()?.as_str())?;
        let default = parts.next().and_then(|default| type_name(default.as_str()));
        Some(DtypeParam { name, bound, default, span })
    }

    pub(super) fn param(&mut self, pair: Pair<'a>) -> Option<Param> {
        let span = self.span(&pair);
        let documentation = self.comment_after(pair.as_span().end());
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        let spec = self.type_spec(parts.next()?)?;
        let mut value = None;
        let mut bounds = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::loop_bound => bounds.push(self.loop_bound(part)?),
                _ => value = Some(self.expr(part)?),
            }
        }
        Some(Param { name, spec, value, bounds, documentation, span })
    }

    /// The comment on the rest of a line.
    fn comment_after(&self, end: usize) -> String {
        let rest = self.text[end..].trim_start_matches(|c: char| matches!(c, ';' | '\t' | '\x0B'..=' '));
        let comment = rest.strip_prefix('#').and_then(|comment| comment.lines().next());
        comment.unwrap_or_default().trim().to_owned()
    }

    fn type_spec(&mut self, pair: Pair<'a>) -> Option<TypeSpec> {
        let span = self.span(&pair);
        let mut parts = children(pair);
        let mut spec = self.tensor_spec(parts.next()?)?;
        if let Some(pack) = parts.next() {
            self.pack_length(pack, &mut spec)?;
        }
        spec.span = span;
        Some(spec)
    }

    fn pack_length(&mut self, pair: Pair<'a>, spec: &mut TypeSpec) -> Option<()> {
        let span = self.span(&pair);
        let is_static = has_static(&pair);
        let mut length = None;
        for part in children(pair) {
            match part.as_rule() {
                Rule::bound => spec.length_bound = Some(self.expr(children(part).next()?)?),
                _ => length = Some(self.expr(part)?),
            }
        }
        spec.pack = Some(PackSpec { is_static, length, span });
        Some(())
    }

    /// A type without a pack length.
    pub(super) fn tensor_spec(&mut self, pair: Pair<'a>) -> Option<TypeSpec> {
        let span = self.span(&pair);
        let dynamic = pair.clone().into_inner().any(|p| p.as_rule() == Rule::kw_dynamic);
        let (mut optional, mut base, mut rank, mut shape) = (false, None, None, None);
        for part in children(pair) {
            match part.as_rule() {
                Rule::kw_optional => optional = true,
                Rule::type_expr => base = Some(self.type_expr(part)?),
                Rule::rank => {
                    let expr = children(part).next()?;
                    rank = Some(self.expr(expr)?);
                }
                _ => shape = Some(self.shape(part)?),
            }
        }
        Some(TypeSpec { optional, dynamic, base: base?, rank, shape, pack: None, length_bound: None, span })
    }

    pub(super) fn type_expr(&mut self, pair: Pair<'a>) -> Option<TypeExpr> {
        let inner = pair.into_inner().next()?;
        match type_name(inner.as_str()) {
            Some(keyword) => Some(TypeExpr::Concrete(keyword, self.span(&inner))),
            None => Some(TypeExpr::Generic(self.name(&inner))),
        }
    }

    fn shape(&mut self, pair: Pair<'a>) -> Option<Vec<ExtentSpec>> {
        children(pair).map(|extent| self.extent(extent)).collect()
    }

    fn extent(&mut self, pair: Pair<'a>) -> Option<ExtentSpec> {
        let span = self.span(&pair);
        if pair.as_rule() != Rule::extent {
            let extent = Some(self.expr(pair)?);
            return Some(ExtentSpec { distinct: false, is_static: false, extent, bound: None, pack: None, span });
        }
        let is_static = has_static(&pair);
        let mut spec = ExtentSpec { distinct: false, is_static, extent: None, bound: None, pack: None, span };
        for part in children(pair) {
            match part.as_rule() {
                Rule::distinct => spec.distinct = true,
                Rule::omitted => {}
                Rule::bound => {
                    let expr = children(part).next()?;
                    spec.bound = Some(self.expr(expr)?);
                }
                Rule::pack => spec.pack = Some(self.pack(part)?),
                _ => spec.extent = Some(self.expr(part)?),
            }
        }
        Some(spec)
    }

    pub(super) fn loop_bound(&mut self, pair: Pair<'a>) -> Option<LoopBound> {
        let mut parts = children(pair);
        let index = self.name(&parts.next()?);
        let bound = self.expr(parts.next()?)?;
        Some(LoopBound { index, bound })
    }

    pub(super) fn using(&mut self, pair: Pair<'a>) -> Option<Using> {
        let span = self.span(&pair);
        let mut parts = children(pair);
        let target = self.lvalue(parts.next()?)?;
        let value = self.expr(parts.next()?)?;
        Some(Using { target, value, span })
    }

    pub(super) fn assertion(&mut self, pair: Pair<'a>) -> Option<Assertion> {
        let span = self.span(&pair);
        let mut parts = children(pair);
        let condition = self.expr(parts.next()?)?;
        let mut message = None;
        let mut values = Vec::new();
        for part in parts {
            let is_message = part.as_rule() == Rule::message;
            let mut inner = children(part);
            let first = inner.next()?;
            if is_message {
                message = Some(self.string(first)?);
                continue;
            }
            let first = self.expr(first)?;
            values.push(match inner.next() {
                Some(value) => (Some(first), self.expr(value)?),
                None => (None, first),
            });
        }
        Some(Assertion { condition, message, values, span })
    }
}
