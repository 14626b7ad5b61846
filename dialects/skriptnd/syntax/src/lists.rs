//! Lists, and what stands between brackets: values, ranges, expansions, zips.

use super::ast::{Expr, ExprKind, Item, PackSpec};
use super::builder::{Builder, Pair, children, has_static};
use super::diagnostics as say;
use super::expressions::Node;
use super::grammar::Rule;
use skriptnd_source::Span;

impl<'a> Builder<'a> {
    pub(super) fn list(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let (items, trailing, depth) = self.items(pair)?;
        if trailing {
            self.report(say::trailing_comma(Span { start: span.end.saturating_sub(1), ..span }, "`]`"));
            return None;
        }
        for item in &items {
            if let Item::Range(begin, end, _, span) = item
                && (begin.is_none() || end.is_none())
            {
                self.report(say::missing_range_end(*span));
                return None;
            }
        }
        self.finish(ExprKind::List(items), span, depth)
    }

    /// What stands between brackets, whether a comma ends it, and how deep it is.
    pub(super) fn items(&mut self, bracketed: Pair<'a>) -> Option<(Vec<Item>, bool, u32)> {
        let mut items = Vec::new();
        let mut trailing = false;
        let mut depth = 0;
        for part in children(bracketed).flat_map(children) {
            if part.as_rule() == Rule::trailing {
                trailing = true;
                continue;
            }
            let (item, item_depth) = self.item(part)?;
            depth = depth.max(item_depth);
            items.push(item);
        }
        Some((items, trailing, depth))
    }

    fn item(&mut self, pair: Pair<'a>) -> Option<(Item, u32)> {
        let span = self.span(&pair);
        let mut parts = children(pair).peekable();
        let value = match parts.peek()?.as_rule() {
            Rule::range => None,
            _ => {
                let expr = parts.next()?;
                let expanded = parts.peek().is_some_and(|p| p.as_rule() == Rule::pack);
                if let Some(tuple) = tuple(&expr).filter(|_| expanded) {
                    let pack = parts.next()?;
                    return self.zip(tuple, pack);
                }
                Some(self.node(expr)?)
            }
        };
        let mut depth = value.as_ref().map_or(1, |(_, depth)| *depth);
        let mut item = match (parts.next_if(|p| p.as_rule() == Rule::range), value) {
            (Some(range), begin) => {
                let (end, step, range_depth) = self.range(range)?;
                depth = depth.max(range_depth);
                Item::Range(begin.map(|(expr, _)| expr), end, step, span)
            }
            (None, Some((expr, _))) => Item::Value(expr),
            (None, None) => return None,
        };
        if let Some(pack) = parts.next() {
            let (pack, pack_depth) = self.pack_node(pack)?;
            depth = depth.max(pack_depth);
            let expanded = match item {
                Item::Value(expr) => {
                    self.check_blank(&expr, &pack);
                    expr
                }
                // `[a:b..]` expands the range, which is what a range in a list does anyway.
                range => Expr { kind: ExprKind::List(vec![range]), span },
            };
            item = Item::Expand(expanded, pack);
        }
        Some((item, depth))
    }

    /// Digits that touch the dots could be read as a real number (section 2.4).
    fn check_blank(&mut self, item: &Expr, pack: &PackSpec) {
        let is_integer = match &item.kind {
            ExprKind::Int(_) => true,
            ExprKind::Unary(_, operand) => matches!(operand.kind, ExprKind::Int(_)),
            _ => false,
        };
        if is_integer && item.span.end == pack.span.start {
            self.report(say::missing_blank(item.span.to(pack.span)));
        }
    }

    fn range(&mut self, pair: Pair<'a>) -> Option<(Option<Expr>, Option<Expr>, u32)> {
        let (mut end, mut step, mut depth) = (None, None, 0);
        for part in children(pair) {
            let is_end = part.as_rule() == Rule::range_end;
            let (expr, part_depth) = self.next_node(&mut children(part))?;
            depth = depth.max(part_depth);
            *(if is_end { &mut end } else { &mut step }) = Some(expr);
        }
        Some((end, step, depth))
    }

    fn zip(&mut self, tuple: Pair<'a>, pack: Pair<'a>) -> Option<(Item, u32)> {
        let mut packs = Vec::new();
        let mut depth = 0;
        for part in children(tuple) {
            let (expr, part_depth) = self.node(part)?;
            depth = depth.max(part_depth);
            packs.push(expr);
        }
        let (pack, pack_depth) = self.pack_node(pack)?;
        Some((Item::Zip(packs, pack), depth.max(pack_depth)))
    }

    pub(super) fn bounded(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let (index, mut depth) = self.next_node(&mut parts)?;
        let mut remap = None;
        if let Some(below) = parts.next() {
            let below = self.node(below)?;
            let above = self.next_node(&mut parts)?;
            depth = depth.max(below.1).max(above.1);
            remap = Some((Box::new(below.0), Box::new(above.0)));
        }
        self.finish(ExprKind::Bounded { index: Box::new(index), remap }, span, depth)
    }

    /// `..` or `..(length)`.
    pub(super) fn pack(&mut self, pair: Pair<'a>) -> Option<PackSpec> {
        self.pack_node(pair).map(|(pack, _)| pack)
    }

    fn pack_node(&mut self, pair: Pair<'a>) -> Option<(PackSpec, u32)> {
        let span = self.span(&pair);
        let is_static = has_static(&pair);
        let (length, depth) = match children(pair).next() {
            Some(length) => {
                let (length, depth) = self.node(length)?;
                (Some(length), depth)
            }
            None => (None, 0),
        };
        Some((PackSpec { is_static, length, span }, depth))
    }
}

/// The parenthesised tuple that an expression consists of.
fn tuple<'a>(expr: &Pair<'a>) -> Option<Pair<'a>> {
    let mut pair = expr.clone();
    for rule in [Rule::operand, Rule::paren] {
        let mut inner = pair.into_inner();
        pair = inner.next().filter(|p| p.as_rule() == rule)?;
        if inner.next().is_some() {
            return None;
        }
    }
    (children(pair.clone()).count() > 1).then_some(pair)
}
