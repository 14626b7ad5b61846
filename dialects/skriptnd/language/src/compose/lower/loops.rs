//! The loops of an assignment: those that remain, and those that are unrolled.

use super::instantiate::{Instantiation, Unrolled};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::context::loop_extent;
use crate::compose::evaluate::scalar;
use crate::compose::failure::Eval;
use crate::compose::formula::{LoopIndex, ScalarExpr, ScalarKind};
use crate::compose::limits;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Lowering};

impl<'a> Instantiation<'a> {
    /// Whether bounds that depend on other indices have known upper bounds.
    pub(super) fn bounds_have_ranges(&mut self, at: usize, lowering: &'a Lowering) -> bool {
        let info = self.request.info;
        if !lowering.bounds.iter().any(|bound| info.is_bounding(at, &bound.index.text)) {
            return true;
        }
        self.env.push();
        for name in &self.unrolled {
            self.env.set(name, Term::Int(0));
        }
        let guards = self.guards.len();
        let ranged = self.loops(lowering).is_ok();
        self.guards.truncate(guards);
        self.env.pop();
        ranged
    }

    pub(super) fn unroll(&mut self, at: usize, lowering: &Lowering, loops: &[Unrolled<'_>]) -> Eval<()> {
        let Some((first, rest)) = loops.split_first() else { return self.assignment(at, lowering) };
        let mut dynamic = None;
        let count = match self.eval(first.count)? {
            Term::Null => return Ok(()),
            Term::Int(count) => count,
            // As often as at most; the run leaves out what is too much.
            Term::Symbolic(expr) => {
                let bound = expr.upper_bound(&|symbol| self.request.binding.bounds.get(symbol).copied());
                dynamic = Some(expr.clone());
                bound.ok_or_else(|| say::known_int_expected(&Term::Symbolic(expr), first.count.span))?
            }
            other => return Err(say::known_int_expected(&other, first.count.span).into()),
        };
        if count < 0 {
            return Err(say::negative_count(count, first.count.span).into());
        }
        self.empty |= count == 0;
        if count > limits::UNROLL_COUNT {
            return Err(say::unroll_limit(count, first.count.span).into());
        }
        for value in 0..count {
            if let Some(index) = first.index {
                self.env.set(index, Term::Int(value));
            }
            let runs = dynamic.as_ref().and_then(|count| {
                let count = scalar::of(&Term::Symbolic(count.clone()))?;
                scalar::binary(BinaryOp::Lt, scalar::int(value), count)
            });
            let outer = self.guards.len();
            self.guards.extend(runs);
            let result = self.unroll(at, lowering, rest);
            self.guards.truncate(outer);
            result?;
        }
        Ok(())
    }

    pub(super) fn check_iterations(&self, span: Span) -> Eval<()> {
        let loops = self.context.loops.borrow();
        let known = loops.iter().filter(|index| index.dynamic.is_none()).map(|index| index.extent);
        let count = known.into_iter().try_fold(1i64, i64::checked_mul);
        if count.is_some_and(|count| count <= limits::ITERATIONS) {
            return Ok(());
        }
        let extents: Vec<_> = loops.iter().map(|index| (index.name.clone(), index.extent)).collect();
        Err(say::too_many_iterations(&extents, span).into())
    }

    /// Opens the loops of all indices that have no value yet; false if a bound is null.
    pub(super) fn loops(&mut self, lowering: &Lowering) -> Eval<bool> {
        self.context.restart();
        for bound in &lowering.bounds {
            let name = &bound.index.text;
            if self.unrolled.contains(name) {
                continue;
            }
            let extents = match self.eval(&bound.bound)?.written_out() {
                Term::Null => return Ok(false),
                Term::Repeat(_, count) if count > limits::RANK as u64 => {
                    let count = usize::try_from(count).unwrap_or(usize::MAX);
                    return Err(say::rank_limit(count, bound.bound.span).into());
                }
                Term::Repeat(item, count) => {
                    let open = |number| self.open(format!("{name}{number}"), &item, bound.bound.span);
                    Term::Pack((0..count).map(open).collect::<Eval<_>>()?)
                }
                Term::Pack(items) => {
                    let mut indices = Vec::with_capacity(items.len());
                    for (number, item) in items.iter().enumerate() {
                        indices.push(self.open(format!("{name}{number}"), item, bound.bound.span)?);
                    }
                    Term::Pack(indices)
                }
                single => self.open(name.to_string(), &single, bound.bound.span)?,
            };
            self.env.set(name, extents);
        }
        Ok(true)
    }

    /// Opens a loop and gives its index.
    fn open(&mut self, name: String, extent: &Term, span: Span) -> Eval<Term> {
        let (known, dynamic) = match extent {
            // As often as at most; a condition leaves out what is too much.
            Term::Scalar(bound) => match self.context.range(bound).map(|range| i64::try_from(range.high.max(0))) {
                Some(Ok(most)) if most <= limits::ITERATIONS => (most, None),
                _ => return Err(say::known_int_expected(extent, span).into()),
            },
            known => {
                let Some(expr) = known.as_extent() else { return Err(say::known_int_expected(known, span).into()) };
                let bound = expr.upper_bound(&|symbol| self.request.binding.bounds.get(symbol).copied());
                loop_extent(&expr, bound)
            }
        };
        if known < 0 {
            return Err(say::negative_loop(&name, known, span).into());
        }
        let mut loops = self.context.loops.borrow_mut();
        loops.push(LoopIndex { name, extent: known, dynamic });
        let index = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(loops.len() - 1) };
        if let Term::Scalar(bound) = extent {
            self.guards.extend(scalar::binary(BinaryOp::Lt, index.clone(), (**bound).clone()));
        }
        Ok(Term::Scalar(Box::new(index)))
    }
}
