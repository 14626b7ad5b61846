//! Unrolled loops (section 2.10.1): the body is composed once per iteration.

use super::arguments::term_of;
use super::loops::{Count, Header};
use super::{Builder, Context, Label};
use crate::compose::diagnostics as say;
use crate::compose::graph::{Argument, TensorId};
use crate::compose::limits;
use crate::compose::term::Term;
use crate::syntax::ast::Loop;

impl<'a> Builder<'_, 'a> {
    pub(super) fn unroll(
        &mut self,
        cx: &mut Context<'a>,
        looping: &'a Loop,
        header: Header,
        label: Label,
    ) -> Option<Vec<Argument>> {
        let count = match (&header.count, header.scans.first()) {
            (Count::Known(count), _) => *count,
            (Count::Open, Some(items)) => i64::try_from(items.len()).unwrap_or(i64::MAX),
            _ => {
                self.report(cx, say::unroll_count(looping.span));
                return None;
            }
        };
        if count > limits::UNROLL_COUNT {
            self.report(cx, say::unroll_limit(count, looping.span));
            return None;
        }
        let name = match label {
            Label::Named(name) => name,
            _ => self.numbered(&cx.scope, "loop"),
        };
        let mut carried = header.carried.clone();
        let mut outputs: Vec<Vec<TensorId>> = Vec::new();
        for at in 0..usize::try_from(count).unwrap_or(0) {
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

    /// The tensors that an iteration gives, at least as many as are carried.
    pub(super) fn singles(
        &mut self,
        cx: &Context<'a>,
        looping: &Loop,
        results: &[Argument],
        carried: usize,
    ) -> Option<Vec<TensorId>> {
        let single = |result: &Argument| match result {
            Argument::Single(id) => Some(*id),
            _ => None,
        };
        let Some(ids) = results.iter().map(single).collect::<Option<Vec<TensorId>>>() else {
            self.report(cx, say::carried_pack("a result of the loop's body", looping.span));
            return None;
        };
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
            cx.env.set(&dependency.name.text, term_of(&Argument::Single(*id)));
        }
        for ((name, _), items) in looping.scans.iter().zip(&header.scans) {
            cx.env.set(&name.text, items.get(at).map_or(Term::Unknown, |id| Term::Tensor(*id)));
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
