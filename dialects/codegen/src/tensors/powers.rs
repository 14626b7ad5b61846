//! Rows of exponentials of differences to the greatest of each, that are divided by their sums, as those of softmax. An exponential is no
//! exact number, so all of a row are multiplied by one reciprocal: sums are 1 at least, and it is a normal number. What is no number in a row is in its sum, and so in all that is computed with that: the greatest element
//! need not tell.

use super::narrow::broadcast;
use super::quotients::{are_sums, computes};
use crate::Error;
use crate::target::Target;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{OperationRef, Value, attributes, block_operations, operations_named};
use skriptnd_mlir::ops::arith::{self, FAST_MATH};
use skriptnd_mlir::ops::{linalg, math, tensor};

/// Operations whose result is no number where an operand is none.
const SPOILED: [&str; 4] = [arith::ADDF, arith::SUBF, arith::MULF, arith::DIVF];
/// Operations between sums and what is computed with them, at most.
const MOST_STEPS: usize = 8;

/// Allows what is said above in a function. Returns how many operations may be computed in another way.
pub fn relax_powers<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let structured = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let structured: Vec<_> = structured.filter(|view| view.operation.result_count() == 1).collect();
    let mut relaxed = 0;
    for view in &structured {
        let flags = match view.inputs[..] {
            [powers, sums] if computes(view, arith::DIVF) && are_shares(powers, sums) => "arcp",
            // One instruction does either there.
            [_] if target.architecture() != "aarch64" && Rows::of(view).is_some_and(|rows| rows.is_told()) => "nnan",
            _ => continue,
        };
        let Some(step) = block_operations(view.body).next() else { continue };
        step.set(FAST_MATH, arith::fast_math(step.context(), flags)?);
        relaxed += 1;
    }
    Ok(relaxed)
}

/// Whether these are exponentials of differences to the greatest of each row, and their sums.
fn are_shares<'c: 'a, 'a>(powers: Value<'c, 'a>, sums: Value<'c, 'a>) -> bool {
    let own = || {
        let differences = source(powers, math::EXP)?;
        let view = Structured::read(differences.defining_operation()?)?;
        let rows = Rows::of(&Structured::read(view.inputs.get(1)?.defining_operation()?)?)?;
        rows.differences(view.operation)?;
        rows.sums(sums.defining_operation()?)
    };
    own().is_some() && are_sums(sums, powers)
}

/// The greatest elements of rows.
struct Rows<'c, 'a> {
    elements: Value<'c, 'a>,
    greatest: Value<'c, 'a>,
    /// What of the element's indices tells the row.
    map: Map,
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    fn of(view: &Structured<'c, 'a>) -> Option<Self> {
        let map = reduced_by(view, arith::MAXIMUMF)?;
        // It is an element of the row, whatever that has.
        let (begin, _) = broadcast(view.outputs[0])?;
        let begin = begin.defining_operation().filter(|begin| begin.full_name() == arith::CONSTANT)?;
        attributes::as_real(begin.get("value")?).filter(|begin| *begin == f64::NEG_INFINITY)?;
        Some(Rows { elements: view.inputs[0], greatest: view.operation.result(0).ok()?, map })
    }

    /// Whether all that is computed with the greatest elements is computed with sums of exponentials of all elements of the row, too.
    fn is_told(&self) -> bool {
        let powers = self.greatest.uses().into_iter().filter_map(|(user, _)| self.powers(user));
        let sums = powers.flat_map(|power| power.uses()).find_map(|(user, _)| self.sums(user));
        let Some(sums) = sums else { return false };
        users(self.greatest).all(|user| match self.differences(user) {
            Some(differences) => users(differences).all(|user| match result_of(user, math::EXP) {
                Some(powers) => users(powers).all(|user| self.sums(user).is_some() || self.is_spoiled(user, sums)),
                None => self.is_spoiled(user, sums),
            }),
            None => self.is_spoiled(user, sums),
        })
    }

    /// What an operation computes, if these are the differences of the elements to the greatest of their rows.
    fn differences(&self, user: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let view = Structured::read(user).filter(|view| computes(view, arith::SUBF))?;
        let is_own = view.inputs[0] == self.elements && view.inputs[1] == self.greatest;
        let each = Map::identity(self.map.dims);
        let is_along = view.maps[0] == each && view.maps[1] == self.map && view.output_map() == Some(&each);
        (is_own && is_along).then(|| user.result(0).ok()).flatten()
    }

    /// The exponentials of such differences.
    fn powers(&self, user: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.differences(user)?.uses().into_iter().find_map(|(user, _)| result_of(user, math::EXP))
    }

    /// The sums of rows.
    fn sums(&self, user: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let view = Structured::read(user)?;
        (reduced_by(&view, arith::ADDF)? == self.map).then(|| user.result(0).ok()).flatten()
    }

    /// Whether an operation is no number where the sum of the row is none.
    fn is_spoiled(&self, user: OperationRef<'c, 'a>, sums: Value<'c, 'a>) -> bool {
        let Some(view) = Structured::read(user).filter(|view| SPOILED.iter().any(|name| computes(view, name))) else {
            return false;
        };
        let is_row = |map: &Map| *map == self.map || *map == Map::identity(self.map.results.len());
        view.inputs.iter().zip(&view.maps).any(|(input, map)| is_row(map) && follows(*input, sums))
    }
}

/// What reads a value and is read itself.
fn users<'c: 'a, 'a>(value: Value<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let is_read = |user: &OperationRef<'_, '_>| user.result_count() == 0 || user.is_used();
    value.uses().into_iter().map(|(user, _)| user).filter(is_read)
}

/// By which indices of its elements an operation combines a tensor, if it is only that.
fn reduced_by(view: &Structured<'_, '_>, name: &str) -> Option<Map> {
    let mut steps = block_operations(view.body);
    let is_it = steps.next()?.full_name() == name && steps.count() == 1;
    let is_whole = view.inputs.len() == 1 && view.maps[0] == Map::identity(view.maps[0].dims);
    view.output_map().filter(|_| is_it && is_whole && !view.is_parallel()).cloned()
}

/// The tensor of whose elements a value is a function.
fn source<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<Value<'c, 'a>> {
    Structured::read(value.defining_operation()?).filter(|view| computes(view, name))?.inputs.first().copied()
}

/// The result of an operation that computes a function of each element.
fn result_of<'c: 'a, 'a>(user: OperationRef<'c, 'a>, name: &str) -> Option<Value<'c, 'a>> {
    Structured::read(user).filter(|view| computes(view, name))?.operation.result(0).ok()
}

/// Whether a value is another, in another shape or its logarithm.
fn follows<'c: 'a, 'a>(value: Value<'c, 'a>, of: Value<'c, 'a>) -> bool {
    let mut value = value;
    for _ in 0..MOST_STEPS {
        if value == of {
            return true;
        }
        let Some(definition) = value.defining_operation() else { return false };
        let is_same = [tensor::COLLAPSE_SHAPE, tensor::EXPAND_SHAPE].contains(&definition.full_name());
        if !is_same && result_of(definition, math::LOG).is_none() {
            return false;
        }
        let Ok(source) = definition.operand(0) else { return false };
        value = source;
    }
    false
}
