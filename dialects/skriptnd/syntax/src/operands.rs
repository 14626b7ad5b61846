//! Operands of expressions: literals, names, calls, subscripts.

use super::ast::{Builtin, Expr, ExprKind, Name, TypeExpr};
use super::builder::{Builder, Pair, children, type_name};
use super::diagnostics as say;
use super::expressions::Node;
use super::grammar::Rule;
use super::operators::{builtin, member_of};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;

impl<'a> Builder<'a> {
    /// A primary with its subscripts.
    pub(super) fn operand(&mut self, parts: &mut impl Iterator<Item = Pair<'a>>) -> Option<Node> {
        let primary = parts.next()?;
        let mut node = self.primary(primary)?;
        for part in parts {
            let end = self.span(&part);
            if part.as_rule() == Rule::substitution {
                let value = children(part).next()?;
                let value = self.node(value)?;
                node = self.substitution(node, value)?;
            } else {
                let (items, trailing_comma, depth) = self.items(part)?;
                let (span, depth) = (node.0.span.to(end), node.1.max(depth));
                let kind = ExprKind::Subscript { base: Box::new(node.0), items, trailing_comma };
                node = self.finish(kind, span, depth)?;
            }
        }
        Some(node)
    }

    fn substitution(&mut self, access: Node, value: Node) -> Option<Node> {
        let span = access.0.span.to(value.0.span);
        let ExprKind::Subscript { base, mut items, trailing_comma } = access.0.kind else { return None };
        match (items.pop(), items.is_empty() && !trailing_comma) {
            (Some(index), true) => {
                let kind = ExprKind::Substitute { base, index: Box::new(index), value: Box::new(value.0) };
                self.finish(kind, span, access.1.max(value.1))
            }
            _ => {
                self.report(say::single_index_item(access.0.span));
                None
            }
        }
    }

    fn primary(&mut self, pair: Pair<'a>) -> Option<Node> {
        let span = self.span(&pair);
        let leaf = |kind| Some((Expr { kind, span }, 1));
        match pair.as_rule() {
            Rule::int | Rule::real => self.number(pair.as_str(), span),
            Rule::truth => leaf(ExprKind::Bool(pair.as_str() == "true")),
            Rule::infinity => leaf(ExprKind::Inf),
            Rule::pi => leaf(ExprKind::Pi),
            Rule::string => self.string(pair).map(|expr| (expr, 2)),
            Rule::list => self.list(pair, span),
            Rule::paren => self.paren(pair, span),
            Rule::builtin => self.quoted_builtin(pair, span),
            Rule::cast => self.cast(pair, span),
            Rule::bounded => self.bounded(pair, span),
            _ => self.reference(pair, span),
        }
    }

    fn paren(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let (inner, depth) = self.next_node(&mut parts)?;
        if parts.next().is_some() {
            self.report(say::tuple_not_expanded(span));
            return None;
        }
        self.finish(ExprKind::Paren(Box::new(inner)), span, depth)
    }

    fn quoted_builtin(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let name = parts.next()?;
        let argument = self.next_node(&mut parts)?;
        match builtin(name.as_str()) {
            Some(function) => self.finish(ExprKind::Builtin(function, Box::new(argument.0)), span, argument.1),
            None => {
                let near = nearest(name.as_str(), Builtin::names());
                self.report(say::unknown_builtin(self.span(&name), name.as_str(), near));
                None
            }
        }
    }

    fn cast(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let keyword = parts.next()?;
        let ty = TypeExpr::Concrete(type_name(keyword.as_str())?, self.span(&keyword));
        match parts.next() {
            Some(value) => {
                let (value, depth) = self.node(value)?;
                self.finish(ExprKind::Cast(ty, Some(Box::new(value))), span, depth)
            }
            None => self.finish(ExprKind::Cast(ty, None), span, 0),
        }
    }

    /// A name, `x.shape`, or a call: a built-in function, or a cast to a generic type.
    fn reference(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let qualified = self.qualified(parts.next()?);
        let call = parts.next();
        match (qualified.parts.as_slice(), call) {
            ([name], None) => Some((Expr { kind: ExprKind::Name(name.text.clone()), span }, 1)),
            ([name], Some(call)) => self.call(name, call, span),
            ([base, member], None) => match member_of(&member.text) {
                Some(member) => Some((Expr { kind: ExprKind::Member(base.clone(), member), span }, 1)),
                None => {
                    self.report(say::unknown_member(member.span, &base.text, &member.text));
                    None
                }
            },
            (parts, call) => {
                let path: Vec<&str> = parts.iter().map(|p| &*p.text).collect();
                self.report(match call {
                    Some(_) => say::nested_invocation(span, &path.join(".")),
                    None => say::unknown_member(span, path[0], &path[1..].join(".")),
                });
                None
            }
        }
    }

    fn call(&mut self, name: &Name, call: Pair<'a>, span: Span) -> Option<Node> {
        let mut arguments = Vec::new();
        for part in children(call) {
            if part.as_rule() == Rule::attributes {
                self.report(say::nested_invocation(span, &name.text));
                return None;
            }
            arguments.extend(children(part));
        }
        let mut depth = 0;
        let mut values = Vec::new();
        for argument in arguments {
            if argument.as_rule() == Rule::omitted {
                self.report(say::nested_invocation(span, &name.text));
                return None;
            }
            let (value, value_depth) = self.node(argument)?;
            depth = depth.max(value_depth);
            values.push(value);
        }
        let function = builtin(&name.text);
        if values.len() > 1 || (values.is_empty() && function.is_some()) {
            self.report(match function {
                Some(_) => say::argument_count(span, &name.text, values.len()),
                None => say::nested_invocation(span, &name.text),
            });
            return None;
        }
        let kind = match (function, values.pop()) {
            (Some(function), Some(value)) => ExprKind::Builtin(function, Box::new(value)),
            (_, value) => ExprKind::Cast(TypeExpr::Generic(name.clone()), value.map(Box::new)),
        };
        self.finish(kind, span, depth)
    }
}
