//! Loops (section 2.10.1).

use super::arguments::term_of;
use super::{Builder, Context, Label, nested};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::{self, Argument, Operation, OperationKind, Origin, Region, TensorId, TensorType};
use crate::compose::infer::evaluate_shape;
use crate::compose::limits;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::syntax::ast::{Carried, Loop, Name, Span, TypeSpec};

/// What a loop runs over, worked out before its body.
pub(super) struct Header {
    pub(super) carried: Vec<TensorId>,
    pub(super) scans: Vec<Vec<TensorId>>,
    pub(super) count: Count,
    /// How many tensors the left side expects from a scan output.
    pub(super) declared: Option<i64>,
}

/// How often a loop runs.
pub(super) enum Count {
    /// As often as a condition says.
    Open,
    Known(i64),
    /// An integer of extents.
    Extents(SymExpr, Option<i64>),
    /// The value of a tensor.
    Tensor(TensorId),
}

impl Header {
    /// How often the loop runs at most, if something bounds it.
    fn maximum(&self) -> Option<usize> {
        match (&self.count, self.scans.first()) {
            (Count::Known(count), _) => usize::try_from(*count).ok(),
            (_, Some(items)) => Some(items.len()),
            (Count::Extents(_, bound), None) => bound.or(self.declared).and_then(|bound| usize::try_from(bound).ok()),
            _ => self.declared.and_then(|length| usize::try_from(length).ok()),
        }
    }
}

impl<'a> Builder<'_, 'a> {
    /// Composes a loop whose scan outputs are to have the declared length, or fewer where the count depends on the run.
    pub(super) fn looping(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        label: Label,
        declared: Option<i64>,
    ) -> Option<Vec<Argument>> {
        let header = self.header(cx, looping, declared)?;
        let conditional = looping.while_before.is_some() || looping.while_after.is_some();
        if looping.unroll {
            if conditional {
                self.report(cx, say::unrolled_condition(looping.span));
                return None;
            }
            return self.unroll(cx, looping, header, label);
        }
        if matches!(header.count, Count::Open) && header.scans.is_empty() && !conditional {
            self.report(cx, say::loop_without_end(looping.span));
            return None;
        }
        self.dynamic_loop(cx, looping, &header, label)
    }

    fn header(&mut self, cx: &mut Context<'a>, looping: &'a Loop, declared: Option<i64>) -> Option<Header> {
        let mut carried = Vec::with_capacity(looping.carried.len());
        for dependency in &looping.carried {
            carried.push(self.initial(cx, dependency));
        }
        let mut scans: Vec<Vec<TensorId>> = Vec::with_capacity(looping.scans.len());
        for (name, pack) in &looping.scans {
            match self.argument(cx, pack)? {
                Argument::Pack(items) => scans.push(items),
                _ => {
                    self.report(cx, say::scan_is_no_pack(&name.text, pack.span));
                    return None;
                }
            }
        }
        self.check_lengths(cx, looping, &scans)?;
        let count = self.count(cx, looping)?;
        if let (Count::Known(count), Some(first)) = (&count, scans.first()) {
            if usize::try_from(*count).is_ok_and(|count| count > first.len()) {
                self.report(cx, say::loop_count(*count, first.len(), looping.span));
                return None;
            }
        }
        Some(Header { carried: carried.into_iter().collect::<Option<_>>()?, scans, count, declared })
    }

    fn check_lengths(&mut self, cx: &Context<'a>, looping: &Loop, scans: &[Vec<TensorId>]) -> Option<()> {
        let Some(((first, _), count)) = looping.scans.first().zip(scans.first().map(Vec::len)) else { return Some(()) };
        for ((name, pack), items) in looping.scans.iter().zip(scans) {
            if items.len() != count {
                self.report(cx, say::scan_lengths((&first.text, count), (&name.text, items.len()), pack.span));
                return None;
            }
        }
        Some(())
    }

    /// The initial value of a carried tensor; a compile-time value takes the declared shape.
    fn initial(&mut self, cx: &Context<'a>, dependency: &Carried) -> Option<TensorId> {
        let term = self.eval(cx, &dependency.value);
        let term = self.check(cx, term)?;
        let declared = match &dependency.spec {
            Some(spec) => {
                let declared = self.carried_type(cx, &dependency.name, spec);
                Some(self.check(cx, declared)?)
            }
            None => None,
        };
        let span = dependency.value.span;
        if let (Some((dtype, Some(shape))), Some(value), false) = (&declared, term.to_value(), term.is_pack()) {
            if term.dtype() != Some(*dtype) {
                self.report(cx, say::initial_value_type(&dependency.name.text, *dtype, &term, span));
                return None;
            }
            return Some(self.add(TensorType { dtype: *dtype, shape: shape.clone() }, Origin::Constant(value), span));
        }
        let argument = self.make_argument(&term, span);
        let Argument::Single(id) = self.check(cx, argument)? else {
            self.report(cx, say::carried_pack(&dependency.name.text, span));
            return None;
        };
        if let Some((dtype, shape)) = declared {
            let found = self.ty(id).clone();
            let expected = TensorType { dtype, shape: shape.unwrap_or_else(|| found.shape.clone()) };
            if !self.agrees(&expected, &found, &dependency.name.text, span) {
                self.report(cx, say::declared_type(&dependency.name, &expected, &found));
                return None;
            }
        }
        Some(id)
    }

    fn carried_type(
        &self,
        cx: &Context<'a>,
        name: &Name,
        spec: &TypeSpec,
    ) -> crate::compose::evaluate::Eval<(ScalarType, Option<Vec<Extent>>)> {
        let evaluator = Evaluator::new(&cx.env, &self.tensors);
        let bounds = self.session.bounds.borrow();
        let shape = spec.shape.as_deref();
        let shape = shape.map(|shape| evaluate_shape(&evaluator, shape, None, name, &bounds)).transpose()?;
        Ok((evaluator.resolve_type(&spec.base)?, shape))
    }

    fn count(&mut self, cx: &Context<'a>, looping: &Loop) -> Option<Count> {
        let Some(expr) = looping.count.as_ref().and_then(|iteration| iteration.count.as_ref()) else {
            return Some(Count::Open);
        };
        let term = self.eval(cx, expr);
        match self.check(cx, term)? {
            Term::Null => Some(Count::Open),
            Term::Int(count) if count < 0 => {
                self.report(cx, say::negative_count(count, expr.span));
                None
            }
            Term::Int(count) => Some(Count::Known(count)),
            Term::Symbolic(extents) => {
                let bounds = self.session.bounds.borrow();
                let bound = extents.upper_bound(&|symbol| bounds.get(symbol).copied());
                Some(Count::Extents(extents, bound))
            }
            Term::Tensor(id) => {
                let ty = self.ty(id);
                if ty.dtype == ScalarType::Int && ty.shape.is_empty() {
                    return Some(Count::Tensor(id));
                }
                let diagnostic = say::count_type(ty, expr.span);
                self.report(cx, diagnostic);
                None
            }
            other => {
                self.report(cx, say::known_int_expected(&other, expr.span));
                None
            }
        }
    }

    fn dynamic_loop(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        header: &Header,
        label: Label,
    ) -> Option<Vec<Argument>> {
        let name = match &label {
            Label::Named(name) => name.clone(),
            _ => self.numbered(&cx.scope, "loop"),
        };
        let scope = nested(&cx.scope, &name);
        cx.env.push();
        let parameters = self.parameters(cx, looping, header, &scope);
        let before = looping.while_before.as_ref();
        let condition = before.or(looping.while_after.as_ref()).map(|body| self.condition(cx, body, looping.span));
        let (operations, results) = self.region(|builder| builder.body(cx, &looping.body, label));
        cx.env.pop();
        let body = Region { parameters: parameters.clone(), operations, results: results? };
        let condition = match condition {
            Some(condition) => Some(Region { parameters, ..condition? }),
            None => None,
        };
        let (scan_types, maximum) = self.check_results(cx, looping, header, &body)?;
        let dynamic = condition.is_some() || !matches!(header.count, Count::Known(_) | Count::Open);
        let mut outputs = Vec::with_capacity(body.results.len());
        for id in body.parameters.iter().take(header.carried.len()) {
            let ty = self.ty(*id).clone();
            outputs.push(Argument::Single(self.add(ty, Origin::Result, looping.span)));
        }
        for ty in scan_types {
            outputs.push(self.scan_output(&ty, maximum, dynamic, &header.count, &scope, looping.span));
        }
        let (inputs, count) = loop_inputs(header);
        let kind = OperationKind::Loop(Box::new(graph::Loop {
            carried: header.carried.len(),
            scans: header.scans.len(),
            has_index: looping.count.as_ref().is_some_and(|count| count.index.is_some()),
            count,
            body,
            condition,
            tested_before: before.is_some(),
        }));
        let chain = cx.chain.clone();
        self.operations.push(Operation { kind, inputs, outputs: outputs.clone(), scope, span: looping.span, chain });
        Some(outputs)
    }

    /// Carried tensors, items of the packs, and the index, by the names that the body knows.
    fn parameters(&mut self, cx: &mut Context<'a>, looping: &Loop, header: &Header, scope: &str) -> Vec<TensorId> {
        let mut parameters = Vec::new();
        for (dependency, initial) in looping.carried.iter().zip(&header.carried) {
            let ty = self.ty(*initial).clone();
            parameters.push(self.parameter(cx, &dependency.name, ty, scope));
        }
        for ((name, _), items) in looping.scans.iter().zip(&header.scans) {
            let ty = self.item_type(items, &nested(scope, &name.text));
            parameters.push(self.parameter(cx, name, ty, scope));
        }
        if let Some(index) = looping.count.as_ref().and_then(|count| count.index.as_ref()) {
            let ty = TensorType { dtype: ScalarType::Int, shape: Vec::new() };
            parameters.push(self.parameter(cx, index, ty, scope));
        }
        parameters
    }

    fn parameter(&mut self, cx: &mut Context<'a>, name: &Name, ty: TensorType, scope: &str) -> TensorId {
        let argument = Argument::Single(self.add(ty, Origin::Input { default: None }, name.span));
        self.name_argument(&argument, &nested(scope, &name.text));
        cx.env.set(&name.text, term_of(&argument));
        argument.items()[0]
    }

    /// The type that holds for all items: extents that differ become symbols.
    fn item_type(&mut self, items: &[TensorId], name: &str) -> TensorType {
        let Some(first) = items.first() else { return TensorType { dtype: ScalarType::Real, shape: Vec::new() } };
        let mut ty = self.ty(*first).clone();
        for (at, extent) in ty.shape.iter_mut().enumerate() {
            let all: Vec<&Extent> = items.iter().filter_map(|id| self.ty(*id).shape.get(at)).collect();
            if all.iter().all(|other| other.value == extent.value) {
                continue;
            }
            let bound = all.iter().map(|extent| extent.as_known().or(extent.bound)).collect::<Option<Vec<_>>>();
            let bound = bound.and_then(|bounds| bounds.into_iter().max());
            let symbol: std::sync::Arc<str> = format!("{name}.{at}").into();
            if let Some(bound) = bound {
                self.session.bounds.borrow_mut().insert(symbol.clone(), bound);
            }
            *extent = Extent { value: SymExpr::Symbol(symbol), bound };
        }
        ty
    }

    /// Checks what the body gives; the types of the scan outputs' items and how many there are at most.
    fn check_results(
        &mut self,
        cx: &Context<'a>,
        looping: &Loop,
        header: &Header,
        body: &Region,
    ) -> Option<(Vec<TensorType>, usize)> {
        let carried = header.carried.len();
        let ids = self.singles(cx, looping, &body.results, carried)?;
        let mut types: Vec<TensorType> = ids.iter().map(|id| self.ty(*id).clone()).collect();
        let scans = types.split_off(carried);
        for ((dependency, parameter), found) in looping.carried.iter().zip(&body.parameters).zip(&types) {
            let expected = self.ty(*parameter).clone();
            if !self.agrees(&expected, found, &dependency.name.text, looping.span) {
                self.report(cx, say::carried_type(&dependency.name.text, &expected, found, looping.span));
                return None;
            }
        }
        match header.maximum() {
            Some(maximum) if scans.is_empty() || maximum as i64 <= limits::UNROLL_COUNT => Some((scans, maximum)),
            Some(maximum) => {
                self.report(cx, say::pack_too_long(maximum, looping.span));
                None
            }
            None if scans.is_empty() => Some((scans, 0)),
            None => {
                self.report(cx, say::scan_output_length(looping.span));
                None
            }
        }
    }

    /// One tensor per iteration; a pack of as many as there can be.
    fn scan_output(
        &mut self,
        ty: &TensorType,
        maximum: usize,
        dynamic: bool,
        count: &Count,
        scope: &str,
        span: Span,
    ) -> Argument {
        let items: Vec<TensorId> = (0..maximum).map(|_| self.add(ty.clone(), Origin::Result, span)).collect();
        if let (true, Some(first)) = (dynamic, items.first()) {
            let bound = i64::try_from(maximum).ok();
            let value = match count {
                Count::Extents(extents, _) => extents.clone(),
                _ => SymExpr::Symbol(nested(scope, "count").into()),
            };
            if let (SymExpr::Symbol(symbol), Some(bound)) = (&value, bound) {
                self.session.bounds.borrow_mut().insert(symbol.clone(), bound);
            }
            self.tensors.lengths.insert(*first, (maximum, Extent { value, bound }));
        }
        Argument::Pack(items)
    }
}

/// Initial values, packs and count as inputs of the operation, and the count where it is no tensor.
fn loop_inputs(header: &Header) -> (Vec<Argument>, Option<Extent>) {
    let mut inputs: Vec<Argument> = header.carried.iter().map(|id| Argument::Single(*id)).collect();
    inputs.extend(header.scans.iter().map(|items| Argument::Pack(items.clone())));
    let items = header.scans.first().and_then(|items| i64::try_from(items.len()).ok()).map(Extent::known);
    let (tensor, count) = match &header.count {
        Count::Open => (Argument::Null, items),
        Count::Known(count) => (Argument::Null, Some(Extent::known(*count))),
        Count::Extents(value, bound) => (Argument::Null, Some(Extent { value: value.clone(), bound: *bound })),
        Count::Tensor(id) => (Argument::Single(*id), items),
    };
    inputs.push(tensor);
    (inputs, count)
}
