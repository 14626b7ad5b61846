//! Expressions: precedence over the parser's flat sequences (section 2.4).

use super::ast::{BinaryOp, Builtin, Expr, ExprKind, FoldOp, Item, Member, Name, PackSpec, Span, TypeExpr, UnaryOp};
use super::builder::{Builder, Pair, children, type_name};
use super::diagnostics as say;
use super::grammar::Rule;
use crate::diagnostics::nearest;
use std::iter::Peekable;
use std::sync::Arc;

/// The deepest expression that the tree may hold, so that everything that walks it may recurse.
pub(super) const MAX_DEPTH: u32 = 256;

/// An expression with its depth.
type Node = (Expr, u32);

impl<'a> Builder<'a> {
    /// An expression.
    pub(super) fn expr(&mut self, pair: Pair<'a>) -> Option<Expr> {
        self.node(pair).map(|(expr, _)| expr)
    }

    fn node(&mut self, pair: Pair<'a>) -> Option<Node> {
        let mut parts = children(pair).peekable();
        if let Some(plain) = parts.next_if(|part| matches!(part.as_rule(), Rule::plain_name | Rule::plain_int)) {
            let span = self.span(&plain);
            return self.plain(&plain, span);
        }
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

    /// A name or an integer.
    fn plain(&mut self, pair: &Pair<'a>, span: Span) -> Option<Node> {
        let text = pair.as_str();
        if pair.as_rule() == Rule::plain_name {
            return Some((Expr { kind: ExprKind::Name(Arc::from(text)), span }, 1));
        }
        match text.parse() {
            Ok(value) => Some((Expr { kind: ExprKind::Int(value), span }, 1)),
            Err(_) => {
                self.report(say::integer_too_large(span, text));
                None
            }
        }
    }

    fn next_node(&mut self, parts: &mut impl Iterator<Item = Pair<'a>>) -> Option<Node> {
        let pair = parts.next()?;
        self.node(pair)
    }

    fn finish(&mut self, kind: ExprKind, span: Span, inner: u32) -> Option<Node> {
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

    /// Precedence climbing over `operand (fold | infix operand)*`.
    fn chain(&mut self, parts: &mut Peekable<impl Iterator<Item = Pair<'a>>>, min: u8) -> Option<Node> {
        let operand = parts.next()?;
        let mut left = self.prefixed(operand, parts)?;
        while let Some(next) = parts.peek() {
            match next.as_rule() {
                Rule::fold => {
                    if power(fold_operator(next)).0 < min {
                        break;
                    }
                    let fold = parts.next()?;
                    left = self.fold(left, fold)?;
                }
                Rule::infix => {
                    let operator = next.as_str();
                    let (left_power, right_power) = power(operator);
                    if left_power < min {
                        break;
                    }
                    parts.next();
                    let right = self.chain(parts, right_power)?;
                    left = self.infix(operator, left, right)?;
                }
                _ => break,
            }
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

    fn fold(&mut self, pack: Node, fold: Pair<'a>) -> Option<Node> {
        let fold_span = self.span(&fold);
        let mut parts = fold.into_inner();
        let operator = parts.next()?.as_str();
        let cumulative = parts.next()?.as_str() == "...";
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
        while rest.next_if(|p| p.as_rule() == Rule::infix && p.as_str() == "**").is_some() {
            let exponent = self.chain(rest, power("**").1)?;
            base = self.infix("**", base, exponent)?;
        }
        Some(base)
    }

    /// A primary with its subscripts.
    fn operand(&mut self, parts: &mut impl Iterator<Item = Pair<'a>>) -> Option<Node> {
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
            Rule::int => self.plain(&pair, span),
            Rule::real => match pair.as_str().parse::<f64>() {
                Ok(value) if value.is_finite() => leaf(ExprKind::Real(value)),
                _ => {
                    self.report(say::real_out_of_range(span));
                    None
                }
            },
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

    fn list(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let (items, trailing, depth) = self.items(pair)?;
        if trailing {
            self.report(say::trailing_comma(Span { start: span.end.saturating_sub(1), ..span }));
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
                Item::Value(expr) => expr,
                // `[a:b..]` expands the range, which is what a range in a list does anyway.
                range => Expr { kind: ExprKind::List(vec![range]), span },
            };
            item = Item::Expand(expanded, pack);
        }
        Some((item, depth))
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

    fn bounded(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
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
        match children(pair).next() {
            Some(length) => {
                let (length, depth) = self.node(length)?;
                Some((PackSpec { length: Some(length), span }, depth))
            }
            None => Some((PackSpec { length: None, span }, 0)),
        }
    }

    fn quoted_builtin(&mut self, pair: Pair<'a>, span: Span) -> Option<Node> {
        let mut parts = children(pair);
        let name = parts.next()?;
        let argument = self.next_node(&mut parts)?;
        match builtin(name.as_str()) {
            Some(function) => self.finish(ExprKind::Builtin(function, Box::new(argument.0)), span, argument.1),
            None => {
                let near = nearest(name.as_str(), BUILTINS.iter().map(|(name, _)| *name));
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
            let expr = children(argument).next().filter(|inner| inner.as_rule() == Rule::expr);
            let Some(expr) = expr else {
                self.report(say::nested_invocation(span, &name.text));
                return None;
            };
            let (value, value_depth) = self.node(expr)?;
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

/// How strongly an infix operator binds on its left and on its right, as `facts` of the reference implementation and
/// the examples of the specification have it; the text itself gives no table.
fn power(operator: &str) -> (u8, u8) {
    match operator {
        "=>" => (2, 1),
        "&&" | "||" | "^" => (3, 4),
        "<" | "<=" | ">" | ">=" | "==" | "!=" | "is" | "in" | ":=" => (5, 6),
        "<<" | ">>" | "<?" | ">?" => (7, 8),
        "+" | "-" => (9, 10),
        "*" | "/" | "\\" | "%" => (11, 12),
        _ => (15, 16),
    }
}

/// The operator of a fold.
fn fold_operator<'a>(fold: &Pair<'a>) -> &'a str {
    fold.clone().into_inner().next().map_or("", |operator| operator.as_str())
}

fn binary_op(operator: &str) -> Option<BinaryOp> {
    Some(match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "\\" => BinaryOp::CeilDiv,
        "%" => BinaryOp::Mod,
        "**" => BinaryOp::Pow,
        "<<" | "<?" => BinaryOp::Min,
        ">>" | ">?" => BinaryOp::Max,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        "^" => BinaryOp::Xor,
        "=>" => BinaryOp::Implies,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        _ => return None,
    })
}

fn is_fold(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Eq, Ge, Gt, Le, Lt, Max, Min, Mul, Ne, Or};
    matches!(op, Add | Mul | Min | Max | And | Or | Lt | Le | Gt | Ge | Eq | Ne)
}

fn is_cumulative(op: FoldOp) -> bool {
    use BinaryOp::{Add, And, Max, Min, Mul, Or};
    matches!(op, FoldOp::Binary(Add | Mul | Min | Max | And | Or))
}

fn member_of(text: &str) -> Option<Member> {
    Some(match text {
        "shape" => Member::Shape,
        "rank" => Member::Rank,
        "size" => Member::Size,
        _ => return None,
    })
}

/// The built-in functions by name.
pub(super) const BUILTINS: [(&str, Builtin); 22] = [
    ("abs", Builtin::Abs),
    ("sign", Builtin::Sign),
    ("sqrt", Builtin::Sqrt),
    ("exp", Builtin::Exp),
    ("log", Builtin::Log),
    ("sin", Builtin::Sin),
    ("cos", Builtin::Cos),
    ("tan", Builtin::Tan),
    ("asin", Builtin::Asin),
    ("acos", Builtin::Acos),
    ("atan", Builtin::Atan),
    ("sinh", Builtin::Sinh),
    ("cosh", Builtin::Cosh),
    ("tanh", Builtin::Tanh),
    ("asinh", Builtin::Asinh),
    ("acosh", Builtin::Acosh),
    ("atanh", Builtin::Atanh),
    ("floor", Builtin::Floor),
    ("ceil", Builtin::Ceil),
    ("round", Builtin::Round),
    ("frac", Builtin::Frac),
    ("erf", Builtin::Erf),
];

pub(super) fn builtin(name: &str) -> Option<Builtin> {
    BUILTINS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

/// A name as an expression.
pub(super) fn name_expr(name: &Name) -> Expr {
    Expr { kind: ExprKind::Name(Arc::clone(&name.text)), span: name.span }
}
