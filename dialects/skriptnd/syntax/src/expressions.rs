//! Expressions: precedence over the parser's flat sequences (section 2.4).

use super::ast::{Expr, ExprKind, FoldOp, UnaryOp};
use super::builder::{Builder, Pair, children};
use super::diagnostics as say;
use super::grammar::Rule;
use super::operators::{binary_op, is_cumulative, is_fold, power};
use skriptnd_source::Span;
use std::iter::Peekable;

/// The deepest expression that the tree may hold, so that everything that walks it may recurse.
pub(super) const MAX_DEPTH: u32 = 256;

/// An expression with its depth.
pub(super) type Node = (Expr, u32);

impl<'a> Builder<'a> {
    /// An expression.
    pub(super) fn expr(&mut self, pair: Pair<'a>) -> Option<Expr> {
        self.node(pair).map(|(expr, _)| expr)
    }

    pub(super) fn node(&mut self, pair: Pair<'a>) -> Option<Node> {
        if pair.as_rule() != Rule::chain {
            return self.plain(&pair);
        }
        let mut parts = children(pair).peekable();
        let chain = self.chain(&mut parts, 0)?;
        let Some(tail) = parts.next() else { return Some(chain) };
        let is_select = tail.as_rule() == Rule::select;
        let mut branches = children(tail);
        let first = self.next_node(&mut branches)?;
        if !is_select {
            return self.binary(chain, first, ExprKind::Coalesce);
        }
        let second = match branches.next() {
            Some(branch) => Some(self.node(branch)?),
            None => None,
        };
        let last = second.as_ref().unwrap_or(&first);
        let span = chain.0.span.to(last.0.span);
        let depth = chain.1.max(first.1).max(second.as_ref().map_or(0, |s| s.1));
        let otherwise = second.map(|(expr, _)| Box::new(expr));
        self.finish(ExprKind::Select(Box::new(chain.0), Box::new(first.0), otherwise), span, depth)
    }

    pub(super) fn next_node(&mut self, parts: &mut impl Iterator<Item = Pair<'a>>) -> Option<Node> {
        let pair = parts.next()?;
        self.node(pair)
    }

    pub(super) fn finish(&mut self, kind: ExprKind, span: Span, inner: u32) -> Option<Node> {
        if inner < MAX_DEPTH {
            return Some((Expr { kind, span }, inner + 1));
        }
        self.report(say::expression_too_deep(span, MAX_DEPTH));
        None
    }

    fn binary(&mut self, left: Node, right: Node, make: fn(Box<Expr>, Box<Expr>) -> ExprKind) -> Option<Node> {
        let span = left.0.span.to(right.0.span);
        self.finish(make(Box::new(left.0), Box::new(right.0)), span, left.1.max(right.1))
    }

    /// Precedence climbing over `operand (operator (dots | operand))*`.
    fn chain(&mut self, parts: &mut Peekable<impl Iterator<Item = Pair<'a>>>, min: u8) -> Option<Node> {
        let operand = parts.next()?;
        if self.depth == MAX_DEPTH {
            self.report(say::expression_too_deep(self.span(&operand), MAX_DEPTH));
            return None;
        }
        self.depth += 1;
        let node = self.operations(operand, parts, min);
        self.depth -= 1;
        node
    }

    fn operations(
        &mut self,
        operand: Pair<'a>,
        parts: &mut Peekable<impl Iterator<Item = Pair<'a>>>,
        min: u8,
    ) -> Option<Node> {
        let mut left = self.prefixed(operand, parts)?;
        while let Some(next) = parts.peek() {
            if !matches!(next.as_rule(), Rule::infix | Rule::uniform) {
                break;
            }
            let (left_power, right_power) = power(next.as_str());
            if left_power < min {
                break;
            }
            let operator = parts.next()?;
            left = match parts.next_if(|next| next.as_rule() == Rule::dots) {
                Some(dots) => self.fold(left, &operator, &dots)?,
                None => {
                    let right = self.chain(parts, right_power)?;
                    self.infix(operator.as_str(), left, right)?
                }
            };
        }
        Some(left)
    }

    fn infix(&mut self, operator: &str, left: Node, right: Node) -> Option<Node> {
        match binary_op(operator) {
            Some(op) => {
                let span = left.0.span.to(right.0.span);
                self.finish(ExprKind::Binary(op, Box::new(left.0), Box::new(right.0)), span, left.1.max(right.1))
            }
            None if operator == "is" => self.binary(left, right, ExprKind::Is),
            None => self.binary(left, right, ExprKind::In),
        }
    }

    fn fold(&mut self, pack: Node, operator: &Pair<'a>, dots: &Pair<'a>) -> Option<Node> {
        let fold_span = self.span(operator).to(self.span(dots));
        let operator = operator.as_str();
        let cumulative = dots.as_str() == "...";
        let op = match binary_op(operator) {
            Some(op) if is_fold(op) => FoldOp::Binary(op),
            None if operator == ":=" => FoldOp::Uniform,
            _ => {
                self.report(say::cannot_fold(fold_span, operator));
                return None;
            }
        };
        if cumulative && !is_cumulative(op) {
            self.report(say::cannot_cumulate(fold_span, operator));
            return None;
        }
        let span = pack.0.span.to(fold_span);
        self.finish(ExprKind::Fold { pack: Box::new(pack.0), op, cumulative }, span, pack.1)
    }

    /// An operand with its prefixes. `-a ** b` is `-(a ** b)`, so the operator that follows may belong to it.
    fn prefixed(&mut self, pair: Pair<'a>, rest: &mut Peekable<impl Iterator<Item = Pair<'a>>>) -> Option<Node> {
        let mut prefixes = Vec::new();
        let mut inner = pair.into_inner().peekable();
        while let Some(prefix) = inner.next_if(|p| p.as_rule() == Rule::prefix) {
            prefixes.push(prefix);
        }
        let mut node = match self.least_integer(&mut prefixes, &mut inner) {
            Some(node) => node,
            None => self.operand(&mut inner)?,
        };
        if !prefixes.is_empty() {
            node = self.powers(node, rest)?;
        }
        for prefix in prefixes.into_iter().rev() {
            let span = self.span(&prefix).to(node.0.span);
            let operand = Box::new(node.0);
            let kind = match prefix.as_str() {
                "-" => ExprKind::Unary(UnaryOp::Neg, operand),
                "!" => ExprKind::Unary(UnaryOp::Not, operand),
                "?" => ExprKind::NullTest(operand),
                _ => ExprKind::Unary(UnaryOp::Plus, operand),
            };
            node = self.finish(kind, span, node.1)?;
        }
        Some(node)
    }

    /// `-9223372036854775808`, whose positive counterpart is no 64-bit integer.
    fn least_integer(
        &mut self,
        prefixes: &mut Vec<Pair<'a>>,
        inner: &mut Peekable<impl Iterator<Item = Pair<'a>>>,
    ) -> Option<Node> {
        const MAGNITUDE: &str = "9223372036854775808";
        let minus = prefixes.last().is_some_and(|p| p.as_str() == "-");
        let literal =
            minus.then(|| inner.next_if(|p| p.as_rule() == Rule::int && p.as_str() == MAGNITUDE)).flatten()?;
        let span = self.span(&prefixes.pop()?).to(self.span(&literal));
        Some((Expr { kind: ExprKind::Int(i64::MIN), span }, 1))
    }

    /// `** b ** c` after a prefixed operand.
    fn powers(&mut self, mut base: Node, rest: &mut Peekable<impl Iterator<Item = Pair<'a>>>) -> Option<Node> {
        while let Some(operator) = rest.next_if(|p| p.as_rule() == Rule::infix && p.as_str() == "**") {
            base = match rest.next_if(|next| next.as_rule() == Rule::dots) {
                Some(dots) => self.fold(base, &operator, &dots)?,
                None => {
                    let exponent = self.chain(rest, power("**").1)?;
                    self.infix("**", base, exponent)?
                }
            };
        }
        Some(base)
    }
}
