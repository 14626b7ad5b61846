//! Accumulations whose targets are windows, as those of deconvolutions: `output[|s * i + d * j - p|] += ...`. The elements of
//! an output that lie `s` apart take their parts from the same items `j`, in a window of `i`. So each such phase of the output is an
//! accumulation of its own that writes every element once, and gathers what belongs to it.

use super::form::IndexForm;
use super::plan::{Plan, PlanError, Structured, Tensors, extent_of, plan};
use super::requirements::requirements;
use super::{mixed_radix::MixedRadix, walk};
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, FormulaConstant, Guard, LoopIndex, ScalarExpr, ScalarKind,
};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

/// More phases than these are more code than they are worth.
const MOST_PHASES: usize = 64;

/// The phases of an assignment that is not structured, all of them structured; none where there are no such.
pub fn phases(assignment: &Assignment, tensors: Tensors<'_>, constants: &[FormulaConstant]) -> Option<Vec<Assignment>> {
    let replaces = matches!(assignment.op, AssignOp::Set | AssignOp::Update);
    if replaces || assignment.targets.len() != 1 || !requirements(assignment, tensors, constants).is_empty() {
        return None;
    }
    let (mut pending, mut done) = (vec![assignment.clone()], Vec::new());
    while let Some(next) = pending.pop() {
        match Window::find(&next, tensors) {
            Some(window) => pending.extend(window.phases(&next, tensors).into_iter().rev()),
            None => done.push(next),
        }
        if pending.len() + done.len() > MOST_PHASES {
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

/// A dimension of a target that is written at `stride * i + distance * j + offset`, where that is inside of it.
struct Window {
    dimension: usize,
    extent: i64,
    offset: i64,
    /// The loop that gives way to one over the elements of a phase, its extent and its factor.
    moved: Term,
    /// The other one.
    item: Option<Term>,
}

#[derive(Clone, Copy)]
struct Term {
    number: usize,
    extent: i64,
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
            let (form, extent) = (&forms[dimension], shape.get(dimension)?.as_known()?);
            let (low, high) = form.range(&extents, tensors.limits)?;
            let is_inside = low.as_known()? >= 0 && high.as_known()? < extent;
            if is_inside && (form.terms().is_empty() || MixedRadix::of(form, &extents).is_some()) {
                return None;
            }
            let own = |number: usize| {
                let others = forms.iter().enumerate().filter(|(other, _)| *other != dimension);
                !others.flat_map(|(_, form)| form.terms()).any(|term| term.0 == number)
            };
            let term = |(number, factor): (usize, i64)| {
                let extent = extents[number].as_known()?;
                (factor > 0 && own(number)).then_some(Term { number, extent, factor })
            };
            let terms: Vec<Term> = form.known_terms()?.into_iter().map(term).collect::<Option<_>>()?;
            let (moved, item) = match *terms.as_slice() {
                [only] => (only, None),
                // Work is what the other loop does for every element of the target.
                [a, b] if a.factor * a.extent >= b.factor * b.extent => (a, Some(b)),
                [a, b] => (b, Some(a)),
                _ => return None,
            };
            Some(Window { dimension, extent, offset: form.offset().as_known()?, moved, item })
        };
        (0..forms.len()).find_map(find)
    }

    fn phases(&self, assignment: &Assignment, tensors: Tensors<'_>) -> Vec<Assignment> {
        (0..self.moved.factor).filter_map(|phase| self.phase(phase, assignment, tensors)).collect()
    }

    /// The assignment to the elements `stride * q + phase`; none if nothing is assigned to them.
    fn phase(&self, phase: i64, assignment: &Assignment, tensors: Tensors<'_>) -> Option<Assignment> {
        let stride = self.moved.factor;
        let count = (self.extent - phase + stride - 1) / stride;
        let (factor, items) = self.item.map_or((0, 1), |item| (item.factor, item.extent));
        let rest = |item: i64| phase - self.offset - factor * item;
        let first = (0..items.min(stride)).find(|&item| rest(item) % stride == 0)?;
        let step = stride / gcd(stride, factor);
        let last = first + (items - 1 - first) / step * step;
        // Items are counted backwards: then the moved loop's index rises with both of the new ones.
        let number = self.item.map(|item| item.number);
        let item = number.map(|number| (number, sum(int(last), &[(-step, number)])));
        let backwards = number.map(|number| (factor * step / stride, number));
        let terms: Vec<_> = [(1, self.moved.number)].into_iter().chain(backwards).collect();
        let moved = (self.moved.number, sum(int(rest(last) / stride), &terms));
        let replacements: Vec<_> = [moved].into_iter().chain(item).collect();
        let most = rest(last) / stride + count - 1 + factor * step / stride * ((last - first) / step);
        let is_inside = rest(last) / stride >= 0 && most < self.moved.extent;
        let mut turned = self.guarded(assignment, tensors, &replacements, is_inside);
        turned.loops[self.moved.number] = known(&assignment.loops[self.moved.number], count);
        if let Some(item) = self.item {
            turned.loops[item.number] = known(&assignment.loops[item.number], (last - first) / step + 1);
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
        let Term { number, extent, .. } = self.moved;
        let mut substitution = Substitution { replaced, tensors, number, extent, guards: 0 };
        let parts = turned.locals.iter_mut().chain(&mut turned.values).chain(&mut turned.condition);
        parts.for_each(|part| substitution.apply(part));
        let is_guarded = is_inside || substitution.guards > 0 && !has_choices(assignment);
        for (place, index) in turned.targets[0].indices.iter_mut().enumerate() {
            if place != self.dimension {
                substitution.apply(&mut index.index);
            }
        }
        if let Some((_, moved)) = replaced.first().filter(|_| !is_guarded) {
            let compare = |op, value| binary(ScalarType::Bool, op, moved.clone(), int(value));
            let both = |a, b| binary(ScalarType::Bool, BinaryOp::And, a, b);
            let inside = both(compare(BinaryOp::Ge, 0), compare(BinaryOp::Lt, extent));
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
    extent: i64,
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
                    let extent = shape.get(at).and_then(|extent| extent.as_known());
                    self.index(index, extent);
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

    fn index(&mut self, index: &mut AccessIndex, extent: Option<i64>) {
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

fn known(index: &LoopIndex, extent: i64) -> LoopIndex {
    LoopIndex { name: index.name.clone(), extent, dynamic: None }
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
