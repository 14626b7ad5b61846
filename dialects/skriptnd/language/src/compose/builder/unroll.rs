//! Unrolled loops (section 2.10.1): the body is composed once per iteration.

use super::loops::{Count, Header, Scan};
use super::{Builder, Context, Label};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::tensors_of;
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorId, TensorTypes};
use crate::compose::term::Term;
use skriptnd_syntax::ast::{Body, Loop};

impl<'a> Builder<'_, 'a> {
    pub(super) fn unroll(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        header: Header,
        label: Label,
    ) -> Option<Vec<Argument>> {
        let count = self.unroll_count(cx, looping, &header)?;
        let name = match label {
            Label::Named(name) => name,
            _ => self.numbered(&cx.scope, "loop"),
        };
        let mut carried: Vec<TensorId> = header.carried.iter().map(|carried| carried.initial).collect();
        // Without iterations, too, each of the body's other results is a pack.
        let packs = self.result_count(cx, &looping.body).unwrap_or(0).saturating_sub(carried.len());
        let mut outputs: Vec<Vec<TensorId>> = vec![Vec::new(); packs];
        for at in 0..count {
            let results = self.iteration(cx, looping, &header, &carried, &name, at)?;
            let mut ids = self.singles(cx, looping, &results, carried.len())?;
            let scanned = ids.split_off(carried.len());
            carried = ids;
            outputs.resize(scanned.len(), Vec::new());
            outputs.iter_mut().zip(scanned).for_each(|(output, id)| output.push(id));
        }
        let finals = carried.into_iter().map(Argument::Single);
        Some(finals.chain(outputs.into_iter().map(Argument::Pack)).collect())
    }

    /// How often the body is composed.
    fn unroll_count(&mut self, cx: &Context<'a>, looping: &Loop, header: &Header) -> Option<usize> {
        let count = match (&header.count, header.scanned()) {
            _ if header.scans.iter().any(|scan| self.has_dynamic_length(scan)) => None,
            (Count::Known(count), _) => Some(*count),
            (Count::Open, Some(items)) => i64::try_from(items).ok(),
            _ => None,
        };
        match count {
            None => self.report(cx, say::unroll_count(looping.span)),
            Some(count) if count > limits::UNROLL_COUNT => self.report(cx, say::unroll_limit(count, looping.span)),
            Some(count) => return Some(usize::try_from(count).unwrap_or(0)),
        }
        None
    }

    /// How many results a body gives; none if what it invokes doesn't exist.
    fn result_count(&self, cx: &Context<'a>, body: &Body) -> Option<usize> {
        Some(match body {
            Body::Invocation(invocation) => {
                let definition = self.session.resolve(&cx.definition.module, &invocation.operator)?;
                definition.operator.outputs.len()
            }
            Body::Block(block) => block.yields.len(),
            Body::Expr(_) => 1,
        })
    }

    /// Whether only the run knows how many items there are.
    fn has_dynamic_length(&self, scan: &Scan) -> bool {
        let Scan::Items(items) = scan else { return false };
        self.tensors.open_length(&tensors_of(items)).is_some()
    }

    /// The tensors that an iteration gives, at least as many as are carried.
    pub(super) fn singles(
        &mut self,
        cx: &Context<'a>,
        looping: &Loop,
        results: &[Argument],
        carried: usize,
    ) -> Option<Vec<TensorId>> {
        let mut ids = Vec::with_capacity(results.len());
        for (at, result) in results.iter().enumerate() {
            let Argument::Single(id) = result else {
                self.report(cx, say::loop_result_pack(at + 1, looping.body.span()));
                return None;
            };
            ids.push(*id);
        }
        if ids.len() < carried {
            self.report(cx, say::loop_results(carried, ids.len(), looping.span));
            return None;
        }
        Some(ids)
    }

    fn iteration(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        header: &Header,
        carried: &[TensorId],
        name: &str,
        at: usize,
    ) -> Option<Vec<Argument>> {
        cx.env.push();
        for (dependency, id) in looping.carried.iter().zip(carried) {
            cx.env.set(&dependency.name.text, Term::of_tensors(&Argument::Single(*id)));
        }
        for ((name, _), scan) in looping.scans.iter().zip(&header.scans) {
            cx.env.set(&name.text, scan.item(at));
        }
        if let Some(index) = looping.count.as_ref().and_then(|count| count.index.as_ref()) {
            cx.env.set(&index.text, Term::Int(at as i64));
        }
        let label = Label::Iteration { name: name.to_owned(), at };
        let results = self.body(cx, &looping.body, label);
        cx.env.pop();
        results
    }
}
