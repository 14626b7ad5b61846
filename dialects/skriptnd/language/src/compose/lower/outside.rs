//! Unguarded indices that leave their tensor whatever the data is (section 2.12, handling tensor boundaries).

use super::context::FormulaContext;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Eval;
use crate::compose::formula::{AccessIndex, Guard, LinearForm};
use crate::compose::graph::TensorType;

/// An index outside of its tensor in some iteration.
pub(crate) struct Outside {
    /// As it would be written.
    pub(crate) index: String,
    /// Smallest and largest value.
    pub(crate) range: (i128, i128),
    pub(crate) dimension: usize,
    pub(crate) extent: i64,
}

/// Looks at the accesses that every iteration of an assignment makes, where all loops are known.
pub(super) fn check_accesses(context: &FormulaContext, types: &[TensorType]) -> Eval<()> {
    let (loops, accesses) = (context.loops.borrow(), context.accesses.borrow());
    if loops.iter().any(|index| index.dynamic.is_some()) || context.skips.get() {
        return Ok(());
    }
    let names: Vec<&str> = loops.iter().map(|index| index.name.as_str()).collect();
    let extents: Vec<i64> = loops.iter().map(|index| index.extent).collect();
    for access in accesses.iter() {
        let Some(ty) = types.get(access.tensor.0 as usize) else { continue };
        for (dimension, (index, extent)) in access.indices.iter().zip(&ty.shape).enumerate() {
            let Some(extent) = extent.as_known() else { continue };
            if let Some((form, range)) = leaves(index, extent, &extents) {
                let outside = Outside { index: form.text(&names), range, dimension, extent };
                return Err(say::index_outside(&outside, access.span).into());
            }
        }
    }
    Ok(())
}

/// The affine index and its range, if it is not guarded and leaves the extent.
fn leaves(index: &AccessIndex, extent: i64, loops: &[i64]) -> Option<(LinearForm, (i128, i128))> {
    let form = LinearForm::of(&index.index, &[]).filter(|_| index.guard == Guard::None)?;
    let (low, high) = form.wide_range(loops)?;
    (low < 0 || high >= i128::from(extent)).then_some((form, (low, high)))
}
