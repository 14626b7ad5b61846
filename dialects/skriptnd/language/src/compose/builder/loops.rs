//! Loops (section 2.10.1).

mod carried;
mod header;
mod scans;

use super::{Builder, Context, Label, nested};
use crate::compose::diagnostics as say;
use crate::compose::extent::{Extent, SymExpr, SymOp};
use crate::compose::graph::{self, Operation, OperationKind, Origin, Region};
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
pub(super) use header::{Count, Header, Scan};
use skriptnd_syntax::ast::{LValue, LValueItem, Loop, Name};
use std::collections::HashSet;
use std::sync::Arc;

/// The body of a loop, composed with certain types of the carried tensors.
struct Attempt {
    parameters: Vec<TensorId>,
    condition: Option<Region>,
    operations: Vec<Operation>,
    /// One tensor per result: new values of the carried tensors, then items of the scan outputs.
    results: Vec<TensorId>,
    /// Symbols that have another value in each iteration.
    symbols: HashSet<Arc<str>>,
}

/// A dynamic loop that is being composed.
struct Work<'a, 'l> {
    looping: &'a Loop,
    /// The left side, which may say how many scan outputs there are at most, and which of them nobody needs.
    results: &'l [LValue],
    scope: String,
    label: Label,
    /// The packs as tensors; absent ones are none.
    packs: Vec<Option<Vec<TensorId>>>,
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn looping(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        results: &[LValue],
        label: Label,
    ) -> Option<Vec<Argument>> {
        let header = self.header(cx, looping, results)?;
        let conditional = looping.while_before.is_some() || looping.while_after.is_some();
        if looping.unroll {
            if conditional {
                self.report(cx, say::unrolled_condition(looping.span));
                return None;
            }
            return self.unroll(cx, looping, header, label);
        }
        if matches!(header.count, Count::Open) && header.scanned().is_none() && !conditional {
            self.report(cx, say::loop_without_end(looping.span));
            return None;
        }
        if header.scanned() == Some(0) || matches!(header.count, Count::Known(0)) {
            // What is wrong inside does not matter, nor is there an item whose type the body could be composed with.
            let finals = header.carried.iter().map(|carried| Argument::Single(carried.initial));
            let empty = results.iter().skip(header.carried.len()).map(|_| Argument::Pack(Vec::new()));
            return Some(finals.chain(empty).collect());
        }
        let name = match &label {
            Label::Named(name) => name.clone(),
            _ => self.numbered(&cx.scope, "loop"),
        };
        let scope = nested(&cx.scope, &name);
        let packs = self.packs(cx, looping, &header)?;
        self.dynamic_loop(cx, header, &Work { looping, results, scope, label, packs })
    }

    /// What `for` runs over as tensors.
    fn packs(&mut self, cx: &Context<'a>, looping: &Loop, header: &Header) -> Option<Vec<Option<Vec<TensorId>>>> {
        let mut packs = Vec::with_capacity(header.scans.len());
        for (scan, (_, pack)) in header.scans.iter().zip(&looping.scans) {
            let Scan::Items(items) = scan else {
                packs.push(None);
                continue;
            };
            let argument = self.make_argument(&Term::Pack(items.clone()), pack.span);
            let items = self.check(cx, argument)?.items().to_vec();
            let alike = |a: &TensorType, b: &TensorType| a.dtype == b.dtype && a.shape.len() == b.shape.len();
            if let Some(other) = items.iter().find(|id| !alike(self.ty(**id), self.ty(items[0]))) {
                let types = (self.ty(items[0]).clone(), self.ty(*other).clone());
                self.report(cx, say::scanned_types(&types.0, &types.1, pack.span));
                return None;
            }
            packs.push(Some(items));
        }
        Some(packs)
    }

    fn dynamic_loop(&mut self, cx: &mut Context<'a>, mut header: Header, work: &Work<'a, '_>) -> Option<Vec<Argument>> {
        let looping = work.looping;
        let attempt = self.settled(cx, &mut header, work)?;
        let carried = header.carried.len();
        let mut outputs = self.carried_outputs(cx, &header, work, &attempt)?;
        let mut results: Vec<Argument> = attempt.results.iter().map(|id| Argument::Single(*id)).collect();
        let scanned = results.split_off(carried);
        let mut kept = Vec::with_capacity(scanned.len());
        for (number, item) in scanned.into_iter().enumerate() {
            if let Some(LValue::Item(LValueItem::Omitted(_))) = work.results.get(carried + number) {
                kept.push(false);
                continue;
            }
            let ty = self.ty(item.items()[0]).clone();
            outputs.push(self.scan_output(cx, &header, work, &attempt, (number, &ty))?);
            results.push(item);
            kept.push(true);
        }
        let (inputs, count) = self.loop_inputs(&header, &work.packs);
        let kind = OperationKind::Loop(Box::new(graph::Loop {
            carried,
            scans: work.packs.iter().flatten().count(),
            has_index: looping.count.as_ref().is_some_and(|count| count.index.is_some()),
            count,
            body: Region { parameters: attempt.parameters, operations: attempt.operations, results },
            condition: attempt.condition,
            tested_before: looping.while_before.is_some(),
        }));
        let (scope, chain) = (work.scope.clone(), cx.chain.clone());
        self.operations.push(Operation {
            kind,
            inputs,
            outputs: outputs.clone(),
            scope,
            span: looping.span,
            chain,
            instance: None,
        });
        Some(with_omitted(outputs, carried, &kept))
    }

    /// Composes condition and body with the types that the header gives.
    fn attempt(&mut self, cx: &mut Context<'a>, header: &Header, work: &Work<'a, '_>) -> Option<Attempt> {
        let looping = work.looping;
        let symbols = self.symbols.len();
        cx.env.push();
        let parameters = self.parameters(cx, header, work);
        let condition = looping.while_before.as_ref().or(looping.while_after.as_ref());
        let condition = condition.map(|body| self.condition(cx, body));
        let idle = self.idle_conditions(header, work);
        let (operations, results) = self.excepting(&idle, |builder| {
            builder.dynamic_region(|builder| builder.body(cx, &looping.body, work.label.clone()))
        });
        cx.env.pop();
        let results = self.singles(cx, looping, &results?, header.carried.len())?;
        let condition = match condition {
            Some(condition) => Some(Region { parameters: parameters.clone(), ..condition? }),
            None => None,
        };
        let symbols = self.symbols.iter().skip(symbols).cloned().collect();
        Some(Attempt { parameters, condition, operations, results, symbols })
    }

    /// When the body never runs, as far as extents tell.
    fn idle_conditions(&self, header: &Header, work: &Work<'a, '_>) -> Vec<SymExpr> {
        let count = match &header.count {
            Count::Extents(count, _) => Some(count.clone()),
            _ => None,
        };
        let scanned = self.scanned_length(&work.packs).map(|length| length.value);
        let open = count.into_iter().chain(scanned).filter(|length| length.as_known().is_none());
        open.filter_map(|length| SymExpr::apply(SymOp::Le, vec![length, SymExpr::Const(0)])).collect()
    }

    /// Carried tensors, items of the packs, and the index, by the names that the body knows.
    fn parameters(&mut self, cx: &mut Context<'a>, header: &Header, work: &Work<'a, '_>) -> Vec<TensorId> {
        let (looping, scope) = (work.looping, work.scope.as_str());
        let mut parameters = Vec::new();
        for (dependency, carried) in looping.carried.iter().zip(&header.carried) {
            parameters.push(self.parameter(cx, &dependency.name, carried.ty.clone(), scope));
        }
        for ((name, _), items) in looping.scans.iter().zip(&work.packs) {
            match items {
                Some(items) => {
                    let ty = self.item_type(items, &nested(scope, &name.text));
                    parameters.push(self.parameter(cx, name, ty, scope));
                }
                None => cx.env.set(&name.text, Term::Null),
            }
        }
        if let Some(index) = looping.count.as_ref().and_then(|count| count.index.as_ref()) {
            let ty = TensorType { dtype: ScalarType::Int, shape: Vec::new() };
            parameters.push(self.parameter(cx, index, ty, scope));
        }
        parameters
    }

    fn parameter(&mut self, cx: &mut Context<'a>, name: &Name, ty: TensorType, scope: &str) -> TensorId {
        let id = self.add(ty, Origin::Input { default: None }, name.span);
        let argument = Argument::Single(id);
        self.name_argument(&argument, &nested(scope, &name.text));
        cx.env.set(&name.text, Term::of_tensors(&argument));
        id
    }

    /// Initial values, packs and count as inputs of the operation, and the count where it is no tensor.
    fn loop_inputs(&self, header: &Header, packs: &[Option<Vec<TensorId>>]) -> (Vec<Argument>, Option<Extent>) {
        let mut inputs: Vec<Argument> =
            header.carried.iter().map(|carried| Argument::Single(carried.initial)).collect();
        inputs.extend(packs.iter().flatten().map(|items| Argument::Pack(items.clone())));
        let items = self.scanned_length(packs);
        let (tensor, count) = match &header.count {
            Count::Open => (Argument::Null, items),
            Count::Known(count) => (Argument::Null, Some(Extent::known(*count))),
            Count::Extents(value, bound) => (Argument::Null, Some(Extent { value: value.clone(), bound: *bound })),
            Count::Tensor(id) => (Argument::Single(*id), items),
        };
        inputs.push(tensor);
        (inputs, count)
    }

    /// The length of the packs after `for`, which another loop may have made.
    fn scanned_length(&self, packs: &[Option<Vec<TensorId>>]) -> Option<Extent> {
        let lengths = packs.iter().flatten().map(|items| {
            let bound = i64::try_from(items.len()).ok();
            let open = self.tensors.lengths.of_tensors(items).map(|value| Extent { value, bound });
            open.unwrap_or_else(|| Extent::known(items.len() as i64))
        });
        lengths.min_by_key(|length| length.as_known().is_some())
    }
}

/// The outputs with empty packs in the places of those that nobody needs.
fn with_omitted(outputs: Vec<Argument>, carried: usize, kept: &[bool]) -> Vec<Argument> {
    let mut outputs = outputs.into_iter();
    let mut all: Vec<Argument> = outputs.by_ref().take(carried).collect();
    all.extend(kept.iter().map(|kept| {
        let output = if *kept { outputs.next() } else { None };
        output.unwrap_or_else(|| Argument::Pack(Vec::new()))
    }));
    all
}
