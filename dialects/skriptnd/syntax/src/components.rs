//! Statements of `@lower`, `@compose`, `@update` and `@quantize` (sections 2.10 to 2.14).

use super::ast::{
    AssignOp, AttributeAssignment, Block, Body, Branch, Carried, Component, ComponentValue, Expr, ExprKind, Invocation,
    IterCount, LValue, LValueItem, LocalTarget, Loop, Lowering, Name, Quantization, TypeExpr, TypeSpec,
};
use super::builder::{Builder, Pair, children};
use super::diagnostics as say;
use super::grammar::Rule;
use super::operators::name_expr;
use skriptnd_source::Span;

impl<'a> Builder<'a> {
    pub(super) fn lowering(&mut self, pair: Pair<'a>) -> Option<Lowering> {
        let span = self.span(&pair);
        let mut parts = children(pair).filter(|part| part.as_rule() != Rule::kw_unroll).peekable();
        let unroll = match parts.next_if(|part| part.as_rule() == Rule::iteration) {
            Some(iteration) => Some(self.iteration(iteration)?),
            None => None,
        };
        let mut locals = Vec::new();
        while let Some(part) = parts.next_if(|part| matches!(part.as_rule(), Rule::local | Rule::with_locals)) {
            if part.as_rule() == Rule::local {
                locals.push(self.local(part)?);
            } else {
                for local in children(part) {
                    locals.push(self.local(local)?);
                }
            }
        }
        let target = self.target(parts.next()?)?;
        let op = assign_op(parts.next()?.as_str());
        let value = self.expr(parts.next()?)?;
        let mut bounds = Vec::new();
        let mut condition = None;
        for part in parts {
            if part.as_rule() == Rule::loop_bound {
                bounds.push(self.loop_bound(part)?);
            } else {
                let expr = children(part).next()?;
                condition = Some(self.expr(expr)?);
            }
        }
        Some(Lowering { unroll, locals, target, op, value, bounds, condition, span })
    }

    fn local(&mut self, pair: Pair<'a>) -> Option<(LocalTarget, Expr)> {
        let mut parts = children(pair).peekable();
        let name = self.name(&parts.next()?);
        let pack = match parts.next_if(|part| part.as_rule() == Rule::pack) {
            Some(pack) => Some(self.pack(pack)?),
            None => None,
        };
        let value = self.expr(parts.next()?)?;
        Some((LocalTarget { name, pack }, value))
    }

    fn target(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let mut parts = children(pair);
        let mut target = name_expr(&self.name(&parts.next()?));
        for subscript in parts {
            let span = target.span.to(self.span(&subscript));
            let (items, trailing_comma, _) = self.items(subscript)?;
            target = Expr { kind: ExprKind::Subscript { base: Box::new(target), items, trailing_comma }, span };
        }
        Some(target)
    }

    fn iteration(&mut self, pair: Pair<'a>) -> Option<IterCount> {
        let span = self.span(&pair);
        let (mut index, mut count) = (None, None);
        for part in children(pair) {
            match part.as_rule() {
                Rule::index => index = Some(self.name(&part)),
                _ => count = Some(self.expr(part)?),
            }
        }
        Some(IterCount { index, count, span })
    }

    pub(super) fn component(&mut self, pair: Pair<'a>) -> Option<Component> {
        let span = self.span(&pair);
        let mut results = Vec::new();
        let mut value = None;
        for part in children(pair) {
            match part.as_rule() {
                Rule::lvalue => results.push(self.lvalue(part)?),
                Rule::branch => value = Some(ComponentValue::Branch(self.branch(part)?)),
                Rule::r#loop => value = Some(ComponentValue::Loop(Box::new(self.looping(part)?))),
                _ => value = Some(ComponentValue::Body(self.body(part)?)),
            }
        }
        Some(Component { results, value: value?, span })
    }

    pub(super) fn lvalue(&mut self, pair: Pair<'a>) -> Option<LValue> {
        let span = self.span(&pair);
        let inner = children(pair).next()?;
        match inner.as_rule() {
            Rule::plain_target => {
                return Some(LValue::Item(LValueItem::Name { name: self.name(&inner), spec: None, pack: None }));
            }
            Rule::lvalue_item => return self.lvalue_item(inner).map(LValue::Item),
            _ => {}
        }
        let items = children(inner).map(|item| self.lvalue_item(item)).collect::<Option<_>>()?;
        Some(LValue::List(items, span))
    }

    fn lvalue_item(&mut self, pair: Pair<'a>) -> Option<LValueItem> {
        let inner = children(pair).next()?;
        let span = self.span(&inner);
        let rule = inner.as_rule();
        if rule == Rule::omitted {
            return Some(LValueItem::Omitted(span));
        }
        let (mut names, mut pack) = (Vec::new(), None);
        for part in children(inner) {
            match part.as_rule() {
                Rule::pack => pack = Some(self.pack(part)?),
                _ => names.push(self.typed_name(part)?),
            }
        }
        if rule == Rule::lvalue_zip {
            return Some(LValueItem::Zip { names, pack, span });
        }
        let (name, spec) = names.pop()?;
        Some(LValueItem::Name { name, spec, pack })
    }

    fn typed_name(&mut self, pair: Pair<'a>) -> Option<(Name, Option<Box<TypeSpec>>)> {
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        let spec = match parts.next() {
            Some(spec) => Some(Box::new(self.tensor_spec(spec)?)),
            None => None,
        };
        Some((name, spec))
    }

    fn branch(&mut self, pair: Pair<'a>) -> Option<Branch> {
        let span = self.span(&pair);
        let mut bodies = children(pair).map(|body| self.body(body)).collect::<Option<Vec<_>>>()?;
        let otherwise = bodies.pop()?;
        let mut arms = Vec::new();
        let mut bodies = bodies.into_iter();
        while let (Some(condition), Some(consequent)) = (bodies.next(), bodies.next()) {
            arms.push((condition, consequent));
        }
        Some(Branch { arms, otherwise, span })
    }

    fn looping(&mut self, pair: Pair<'a>) -> Option<Loop> {
        let span = self.span(&pair);
        let (mut carried, mut scans) = (Vec::new(), Vec::new());
        let (mut unroll, mut count, mut body) = (false, None, None);
        let (mut while_before, mut while_after) = (None, None);
        for part in children(pair) {
            match part.as_rule() {
                Rule::with_clause => carried = children(part).map(|c| self.carried(c)).collect::<Option<_>>()?,
                Rule::for_clause => scans = children(part).map(|s| self.scan(s)).collect::<Option<_>>()?,
                Rule::kw_unroll => unroll = true,
                Rule::iteration => count = Some(self.iteration(part)?),
                Rule::while_clause => {
                    let span = self.span(&part);
                    let condition = self.body(children(part).next()?)?;
                    if body.is_none() {
                        while_before = Some(condition);
                    } else if while_before.is_some() {
                        self.report(say::two_whiles(span));
                        return None;
                    } else {
                        while_after = Some(condition);
                    }
                }
                _ => body = Some(self.body(children(part).next()?)?),
            }
        }
        Some(Loop { carried, scans, while_before, unroll, count, body: body?, while_after, span })
    }

    fn carried(&mut self, pair: Pair<'a>) -> Option<Carried> {
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        let (mut spec, mut value) = (None, None);
        for part in parts {
            match part.as_rule() {
                Rule::tensor_spec => spec = Some(self.tensor_spec(part)?),
                _ => value = Some(self.expr(part)?),
            }
        }
        Some(Carried { name, spec, value: value? })
    }

    fn scan(&mut self, pair: Pair<'a>) -> Option<(Name, Expr)> {
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        Some((name, self.expr(parts.next()?)?))
    }

    fn body(&mut self, pair: Pair<'a>) -> Option<Body> {
        let span = self.span(&pair);
        let mut label = None;
        for part in children(pair) {
            match part.as_rule() {
                Rule::label => label = children(part).next().map(|name| self.name(&name)),
                Rule::composed_block => return self.block(part, label, span).map(Body::Block),
                Rule::invocation => return self.invocation(part, label, span).map(Body::Invocation),
                _ => return self.expr(part).map(Body::Expr),
            }
        }
        None
    }

    fn block(&mut self, pair: Pair<'a>, label: Option<Name>, span: Span) -> Option<Block> {
        let opening = self.span_at(pair.as_span().start(), pair.as_span().start() + 1);
        let errors = self.error_count();
        let (mut components, mut yields) = (Vec::new(), None::<Vec<Expr>>);
        for part in children(pair) {
            match part.as_rule() {
                Rule::component if yields.is_some() => self.report(say::misplaced_yield(self.span(&part))),
                Rule::component => components.extend(self.component(part)),
                Rule::yields if yields.is_some() => self.report(say::misplaced_yield(self.span(&part))),
                Rule::yields => yields = children(part).map(|value| self.expr(value)).collect(),
                Rule::skipped => _ = self.report_syntax(Rule::only_block_statement, part.as_span().start()),
                _ => self.unclosed(&part, "this block", opening),
            }
        }
        if self.error_count() > errors {
            return None;
        }
        let Some(yields) = yields else {
            self.report(say::missing_yield(Span { start: span.end.saturating_sub(1), ..span }));
            return None;
        };
        Some(Block { label, components, yields, span })
    }

    fn invocation(&mut self, pair: Pair<'a>, label: Option<Name>, span: Span) -> Option<Invocation> {
        let mut parts = children(pair);
        let operator = self.qualified(parts.next()?);
        let (mut types, mut attributes, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::type_arguments => types = self.types(part)?,
                Rule::attributes => attributes = self.attributes(part)?,
                _ => {
                    for argument in children(part) {
                        arguments.push(self.argument(argument)?);
                    }
                }
            }
        }
        Some(Invocation { label, operator, types, attributes, arguments, span })
    }

    fn types(&mut self, pair: Pair<'a>) -> Option<Vec<TypeExpr>> {
        children(pair).map(|part| self.type_expr(part)).collect()
    }

    fn attributes(&mut self, pair: Pair<'a>) -> Option<Vec<AttributeAssignment>> {
        children(pair).map(|part| self.attribute(part)).collect()
    }

    fn attribute(&mut self, pair: Pair<'a>) -> Option<AttributeAssignment> {
        let colon = pair.clone().into_inner().find(|part| part.as_rule() == Rule::colon);
        let mut parts = children(pair);
        let name = self.name(&parts.next()?);
        if let Some(colon) = colon {
            self.report(say::attribute_colon(self.span(&colon), &name.text));
            return None;
        }
        Some(AttributeAssignment { name, value: self.expr(parts.next()?)? })
    }

    fn argument(&mut self, pair: Pair<'a>) -> Option<(Option<Expr>, Span)> {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::omitted => Some((None, span)),
            _ => Some((Some(self.expr(pair)?), span)),
        }
    }

    pub(super) fn quantization(&mut self, pair: Pair<'a>) -> Option<Quantization> {
        let mut parts = children(pair);
        let tensor = self.qualified(parts.next()?);
        let operator = self.qualified(parts.next()?);
        let mut span = operator.span;
        let (mut types, mut attributes) = (Vec::new(), Vec::new());
        for part in parts {
            span = span.to(self.span(&part));
            match part.as_rule() {
                Rule::type_arguments => types = self.types(part)?,
                _ => attributes = self.attributes(part)?,
            }
        }
        let operator = Invocation { label: None, operator, types, attributes, arguments: Vec::new(), span };
        Some(Quantization { tensor, operator })
    }
}

fn assign_op(text: &str) -> AssignOp {
    match text {
        ":=" => AssignOp::Update,
        "+=" => AssignOp::Add,
        "*=" => AssignOp::Mul,
        "&=" => AssignOp::And,
        "|=" => AssignOp::Or,
        "<=" | "<?=" => AssignOp::Min,
        ">=" | ">?=" => AssignOp::Max,
        _ => AssignOp::Set,
    }
}
