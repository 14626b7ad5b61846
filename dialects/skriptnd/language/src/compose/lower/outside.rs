//! Indices that leave their tensor whatever the data is (section 2.12, handling tensor boundaries).

use crate::compose::diagnostics as say;
use crate::compose::evaluate::context::FormulaContext;
use crate::compose::failure::Eval;
use crate::compose::formula::{AccessIndex, Guard, LinearForm, ScalarExpr};
use crate::compose::tensors::FormalTensors;

/// Looks at the accesses that every iteration of an assignment makes, where all loops are known.
pub(super) fn check_accesses(context: &FormulaContext, types: &FormalTensors) -> Eval<()> {
    let (loops, accesses) = (context.loops.borrow(), context.accesses.borrow());
    if loops.iter().any(|index| index.dynamic.is_some()) || context.skips.get() {
        return Ok(());
    }
    let names: Vec<&str> = loops.iter().map(|index| index.name.as_str()).collect();
    let extents: Vec<i64> = loops.iter().map(|index| index.extent).collect();
    for access in accesses.iter() {
        let Some(ty) = types.get(access.tensor) else { continue };
        for (dimension, (index, extent)) in access.indices.iter().zip(&ty.shape).enumerate() {
            let Some(extent) = extent.as_known() else { continue };
            if let Some((form, range, replaces)) = leaves(index, extent, &extents) {
                let outside = say::Outside { index: form.text(&names), range, dimension, extent, replaces };
                return Err(say::index_outside(&outside, access.span).into());
            }
        }
    }
    Ok(())
}

/// An affine index, its smallest and largest value, and which other index it replaces.
type Leaving = (LinearForm, (i128, i128), Option<&'static str>);

/// The affine index that leaves the extent, if there is one: the index itself, or what it is remapped to.
fn leaves(index: &AccessIndex, extent: i64, loops: &[i64]) -> Option<Leaving> {
    let form = LinearForm::of(&index.index, &[])?;
    let extent = i128::from(extent);
    let leaving = |form: LinearForm, range: (i128, i128), replaces| {
        (range.0 < 0 || range.1 >= extent).then_some((form, range, replaces))
    };
    match &index.guard {
        Guard::Skip => None,
        Guard::None => {
            let range = form.wide_range(loops)?;
            leaving(form, range, None)
        }
        Guard::Remap { below, above } => {
            let replaced = |by: &ScalarExpr, outside: &dyn Fn(i128) -> bool, which| {
                let by = LinearForm::of(by, &[])?;
                let range = range_where(&by, &form, outside, loops)?;
                leaving(by, range, Some(which))
            };
            replaced(below, &|at| at < 0, "a negative one")
                .or_else(|| replaced(above, &|at| at >= extent, "one beyond the end"))
        }
    }
}

/// The range of a form over the iterations in which another one is outside on one end; none if there is none, or if
/// the two depend on several loops, whose combinations would have to be looked at.
fn range_where(
    form: &LinearForm,
    index: &LinearForm,
    outside: &dyn Fn(i128) -> bool,
    loops: &[i64],
) -> Option<(i128, i128)> {
    let mut numbers: Vec<usize> = form.loops().chain(index.loops()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let (number, extent) = match *numbers {
        [] => (0, 1),
        [number] => (number, *loops.get(number)?),
        // What doesn't depend on the loops is used if any iteration leaves the tensor.
        _ if form.loops().next().is_none() => {
            let (low, high) = index.wide_range(loops)?;
            return (outside(low) || outside(high)).then(|| form.wide_range(loops)).flatten();
        }
        _ => return None,
    };
    let is_outside = |at: i64| outside(index.wide_at(number, at));
    let last = extent.checked_sub(1).filter(|last| *last >= 0)?;
    // An affine form of one index leaves on one side only once: the iterations are the first or the last ones.
    let (first, last) = match (is_outside(0), is_outside(last)) {
        (true, true) => (0, last),
        (true, false) => (0, change(0, last, &is_outside)),
        (false, true) => (change(0, last, &is_outside) + 1, last),
        (false, false) => return None,
    };
    let (a, b) = (form.wide_at(number, first), form.wide_at(number, last));
    Some((a.min(b), a.max(b)))
}

/// The last iteration that is as the first one.
fn change(mut first: i64, mut last: i64, holds: &dyn Fn(i64) -> bool) -> i64 {
    let begin = holds(first);
    while last - first > 1 {
        let middle = first + (last - first) / 2;
        *(if holds(middle) == begin { &mut first } else { &mut last }) = middle;
    }
    first
}
