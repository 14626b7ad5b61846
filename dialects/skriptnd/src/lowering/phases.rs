//! Accumulations whose targets are windows, as those of deconvolutions: `output[|s * i + d * j - p|] += ...`. The elements of
//! an output that lie `s` apart take their parts from the same items `j`, in a window of `i`. So each such phase of the output is an
//! accumulation of its own that writes every element once, and gathers what belongs to it.

use super::form::IndexForm;
use super::plan::{Plan, PlanError, Structured, Tensors, extent_of, plan};
use super::requirements::requirements;
use super::{mixed_radix::MixedRadix, walk};
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, FormulaConstant, Guard, LoopIndex, ScalarExpr, ScalarKind,
};
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

/// More phases than these are more code than they are worth.
const MOST_PHASES: usize = 64;

/// The same where only a run knows how large they are: bufferization then analyses each together with all that are before it.
const MOST_OPEN_PHASES: usize = 16;

/// The phases of an assignment that is not structured, all of them structured; none where there are no such.
pub fn phases(assignment: &Assignment, tensors: Tensors<'_>, constants: &[FormulaConstant]) -> Option<Vec<Assignment>> {
    let replaces = matches!(assignment.op, AssignOp::Set | AssignOp::Update);
    if replaces || assignment.targets.len() != 1 || !requirements(assignment, tensors, constants).is_empty() {
        return None;
    }
    let (mut pending, mut done, mut most) = (vec![assignment.clone()], Vec::new(), MOST_PHASES);
    while let Some(next) = pending.pop() {
        match Window::find(&next, tensors) {
            Some(window) => {
                most = if window.extent.as_known().is_some() { most } else { MOST_OPEN_PHASES };
                pending.extend(window.phases(&next, tensors).into_iter().rev());
            }
            None => done.push(next),
        }
        if pending.len() + done.len() > most {
            return None;
        }
    }
    let whole = |plan: Result<Plan<'_>, PlanError>| match plan {
        Ok(Plan::Structured(Structured { targets, .. })) => targets.iter().all(|target| !target.is_padded()),
        Ok(Plan::Nothing) => true,
        _ => false,
    };
    done.iter().all(|phase| whole(plan(phase, tensors))).then_some(done)
}

const ONE: SymExpr = SymExpr::Const(1);

/// A dimension of a target that is written at `stride * i + distance * j + offset`, where that is inside of it.
struct Window {
    dimension: usize,
    extent: SymExpr,
    offset: i64,
    /// The loop that gives way to one over the elements of a phase, its extent and its factor.
    moved: Term,
    /// The other one, and how many items it goes through.
    item: Option<(Term, i64)>,
}

#[derive(Clone)]
struct Term {
    number: usize,
    extent: SymExpr,
    factor: i64,
}

impl Window {
    /// The first such dimension.
    fn find(assignment: &Assignment, tensors: Tensors<'_>) -> Option<Window> {
        let target = assignment.targets.first()?;
        let shape = &tensors.get(target.tensor)?.shape;
        let mut locals = Vec::new();
        for local in &assignment.locals {
            locals.push(IndexForm::of(local, &locals));
        }
        let forms: Vec<IndexForm> =
            target.indices.iter().map(|index| IndexForm::of(&index.index, &locals)).collect::<Option<_>>()?;
        let extents: Vec<_> = assignment.loops.iter().map(extent_of).collect();
        let find = |dimension: usize| {
            let (form, extent, limits) = (&forms[dimension], shape.get(dimension)?, tensors.limits);
            let (low, high) = form.range(&extents, limits)?;
            let is_inside = limits.is_never_negative(&low) && limits.is_at_most(&high.plus(&ONE)?, extent);
            if is_inside && (form.terms().is_empty() || MixedRadix::of(form, &extents).is_some()) {
                return None;
            }
            let own = |number: usize| {
                let others = forms.iter().enumerate().filter(|(other, _)| *other != dimension);
                !others.flat_map(|(_, form)| form.terms()).any(|term| term.0 == number)
            };
            let term = |(number, factor): (usize, i64)| {
                let extent = extents[number].clone();
                (factor > 0 && own(number)).then_some(Term { number, extent, factor })
            };
            let terms: Vec<Term> = form.known_terms()?.into_iter().map(term).collect::<Option<_>>()?;
            let reach = |term: &Term| limits.estimate(&term.extent).and_then(|extent| extent.checked_mul(term.factor));
            let (moved, item) = match terms.as_slice() {
                [only] => (only, None),
                // Work is what the other loop does for every element of the target.
                [a, b]
                    if b.extent.as_known().is_some() && (a.extent.as_known().is_none() || reach(a)? >= reach(b)?) =>
                {
                    (a, Some(b))
                }
                [a, b] => (b, Some(a)),
                _ => return None,
            };
            let item = item.map(|item| Some((item.clone(), item.extent.as_known()?)));
            let item = if let Some(item) = item { Some(item?) } else { None };
            let offset = form.offset().as_known()?;
            Some(Window { dimension, extent: extent.clone(), offset, moved: moved.clone(), item })
        };
        (0..forms.len()).find_map(find)
    }

    fn phases(&self, assignment: &Assignment, tensors: Tensors<'_>) -> Vec<Assignment> {
        (0..self.moved.factor).filter_map(|phase| self.phase(phase, assignment, tensors)).collect()
    }

    /// The assignment to the elements `stride * q + phase`; none if nothing is assigned to them.
    fn phase(&self, phase: i64, assignment: &Assignment, tensors: Tensors<'_>) -> Option<Assignment> {
        let stride = self.moved.factor;
        let behind = self.extent.minus(&SymExpr::Const(phase))?;
        let count = SymExpr::apply(SymOp::CeilDiv, vec![behind, SymExpr::Const(stride)])?;
        if count.as_known().is_some_and(|count| count <= 0) {
            return None;
        }
        let (factor, items) = self.item.as_ref().map_or((0, 1), |(item, count)| (item.factor, *count));
        let rest = |item: i64| phase - self.offset - factor * item;
        let first = (0..items.min(stride)).find(|&item| rest(item) % stride == 0)?;
        let step = stride / gcd(stride, factor);
        let last = first + (items - 1 - first) / step * step;
        // Items are counted backwards: then the moved loop's index rises with both of the new ones.
        let number = self.item.as_ref().map(|(item, _)| item.number);
        let item = number.map(|number| (number, sum(int(last), &[(-step, number)])));
        let backwards = number.map(|number| (factor * step / stride, number));
        let terms: Vec<_> = [(1, self.moved.number)].into_iter().chain(backwards).collect();
        let moved = (self.moved.number, sum(int(rest(last) / stride), &terms));
        let replacements: Vec<_> = [moved].into_iter().chain(item).collect();
        let most =
            SymExpr::Const(rest(last) / stride + factor * step / stride * ((last - first) / step)).plus(&count)?;
        let is_inside = rest(last) / stride >= 0 && tensors.limits.is_at_most(&most, &self.moved.extent);
        let mut turned = self.guarded(assignment, tensors, &replacements, is_inside);
        let mut set = |number: usize, extent: SymExpr| {
            let most = extent.as_known().or_else(|| tensors.limits.upper_bound(&extent)).unwrap_or(i64::MAX);
            let dynamic = Some(extent).filter(|extent| extent.as_known().is_none());
            turned.loops[number] = LoopIndex { name: assignment.loops[number].name.clone(), extent: most, dynamic };
        };
        set(self.moved.number, count);
        if let Some((item, _)) = &self.item {
            set(item.number, SymExpr::Const((last - first) / step + 1));
        }
        let place = sum(int(phase), &[(stride, self.moved.number)]);
        turned.targets[0].indices[self.dimension] = AccessIndex { index: place, guard: Guard::None };
        Some(turned)
    }

    /// The assignment with the replacements, and skipped where the moved loop's index is none of that loop.
    fn guarded(
        &self,
        assignment: &Assignment,
        tensors: Tensors<'_>,
        replaced: &[(usize, ScalarExpr)],
        is_inside: bool,
    ) -> Assignment {
        let mut turned = assignment.clone();
        let Term { number, extent, .. } = &self.moved;
        let mut substitution = Substitution { replaced, tensors, number: *number, extent, guards: 0 };
        let parts = turned.locals.iter_mut().chain(&mut turned.values).chain(&mut turned.condition);
        parts.for_each(|part| substitution.apply(part));
        let is_guarded = is_inside || substitution.guards > 0 && !has_choices(assignment);
        for (place, index) in turned.targets[0].indices.iter_mut().enumerate() {
            if place != self.dimension {
                substitution.apply(&mut index.index);
            }
        }
        if let Some((_, moved)) = replaced.first().filter(|_| !is_guarded) {
            let compare = |op, value| binary(ScalarType::Bool, op, moved.clone(), value);
            let both = |a, b| binary(ScalarType::Bool, BinaryOp::And, a, b);
            let inside = both(compare(BinaryOp::Ge, int(0)), compare(BinaryOp::Lt, constant(extent)));
            turned.condition = Some(turned.condition.take().map_or(inside.clone(), |before| both(inside, before)));
        }
        turned
    }
}

/// Whether some parts of an assignment count for some elements only.
fn has_choices(assignment: &Assignment) -> bool {
    let mut pending: Vec<&ScalarExpr> = assignment.values.iter().chain(&assignment.locals).collect();
    while let Some(expression) = pending.pop() {
        if matches!(expression.kind, ScalarKind::Select(..)) {
            return true;
        }
        walk::children(expression, &mut |child| pending.push(child));
    }
    assignment.condition.is_some()
}

/// Puts expressions in the place of loop indices.
struct Substitution<'s> {
    replaced: &'s [(usize, ScalarExpr)],
    tensors: Tensors<'s>,
    /// The moved loop and its extent.
    number: usize,
    extent: &'s SymExpr,
    /// How many accesses skip the iterations that the moved loop does not have.
    guards: usize,
}

impl Substitution<'_> {
    fn apply(&mut self, expression: &mut ScalarExpr) {
        match &mut expression.kind {
            ScalarKind::Const(_) | ScalarKind::Local(_) => {}
            ScalarKind::Index(number) => {
                if let Some((_, new)) = self.replaced.iter().find(|(replaced, _)| replaced == number) {
                    *expression = new.clone();
                }
            }
            ScalarKind::Access { tensor, indices } => {
                let shape = self.tensors.get(*tensor).map(|tensor| tensor.shape.as_slice()).unwrap_or_default();
                for (at, index) in indices.iter_mut().enumerate() {
                    self.index(index, shape.get(at));
                }
            }
            ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => self.apply(a),
            ScalarKind::Binary(_, a, b) => {
                self.apply(a);
                self.apply(b);
            }
            ScalarKind::Select(condition, a, b) => {
                self.apply(condition);
                self.apply(a);
                self.apply(b);
            }
        }
    }

    fn index(&mut self, index: &mut AccessIndex, extent: Option<&SymExpr>) {
        let is_moved = matches!(index.index.kind, ScalarKind::Index(number) if number == self.number);
        if is_moved && extent == Some(self.extent) && matches!(index.guard, Guard::None | Guard::Skip) {
            index.guard = Guard::Skip;
            self.guards += 1;
        }
        self.apply(&mut index.index);
        if let Guard::Remap { below, above } = &mut index.guard {
            self.apply(below);
            self.apply(above);
        }
    }
}

fn constant(expr: &SymExpr) -> ScalarExpr {
    let value = expr.as_known().map_or_else(|| Value::Symbolic(Symbolic::Int(expr.clone())), Value::Int);
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(value) }
}

fn int(value: i64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(Value::Int(value)) }
}

fn binary(dtype: ScalarType, op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    ScalarExpr { dtype, kind: ScalarKind::Binary(op, Box::new(a), Box::new(b)) }
}

/// `start` and multiples of loop indices.
fn sum(start: ScalarExpr, terms: &[(i64, usize)]) -> ScalarExpr {
    terms.iter().fold(start, |sum, &(factor, number)| {
        let index = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) };
        binary(ScalarType::Int, BinaryOp::Add, sum, binary(ScalarType::Int, BinaryOp::Mul, index, int(factor)))
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
