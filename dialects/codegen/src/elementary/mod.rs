//! Elementary functions of f32 as sums and products. Vectors, what remains beside them, and scalar loops take the same
//! steps, so that the result for an element does not depend on where it stands.
//!
//! Coefficients are minimax fits of our own (least squares at Chebyshev's nodes, reweighted until the relative error of the
//! function is level); each file says of what. What is not here is a function of the library.

mod circular;
mod error_function;
mod exponential;
mod logarithm;
mod power;
mod remainder;
mod scale;
mod softplus;
mod steps;
mod tangent;

use crate::generated::discardable::ExactAttribute;
use crate::nest::atom::Fused;
use crate::nest::element::Element;
use crate::{Error, Target};
use circular::Circular;
use scale::Scale;
use skriptnd_mlir::ir::{Builder, OperationRef, operations_named, types};
use skriptnd_mlir::ops::{arith, math};
use skriptnd_mlir::rewrite::with_rewriter;
use softplus::softplus_of;
use steps::Steps;

/// What is taken apart. The tangents are first: they look at what their operands are.
const FUNCTIONS: [&str; 8] =
    [math::TANH, math::EXP, math::LOG, math::ERF, math::POWF, math::SIN, math::COS, arith::REMF];

/// Takes apart the elementary functions of f32 and of vectors of them, scalable ones too. The results are within two
/// units in the last place, numbers below the normal ones included. Returns their number.
pub fn expand<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut expanded = 0;
    let mut target = None;
    for name in FUNCTIONS {
        for operation in operations_named(module, name) {
            let target = target.get_or_insert_with(|| Target::noted(module));
            expanded += usize::from(expand_one(operation, target)?);
        }
    }
    Ok(expanded)
}

/// Whether it is of a type that is expanded: other widths are the library's, and what is on tensors is none yet.
fn expand_one<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, target: &Target) -> Result<bool, Error> {
    let x = operation.operand(0)?;
    let context = operation.context();
    if types::element(x.r#type()) != types::f32(context) {
        return Ok(false);
    }
    let word = types::integer(context, 32);
    let words = match types::shape(x.r#type()) {
        Some(_) => types::with_lanes_of(x.r#type(), word),
        None => Some(word),
    };
    let Some(words) = words else { return Ok(false) };
    let (fused, scale) = (Fused::of(target).has(Element::Real(32)), Scale::of(x.r#type(), target));
    let steps = Steps { place: Builder::before(operation)?, reals: x.r#type(), words, fused, scale };
    let result = match operation.full_name() {
        math::EXP => Some(steps.exponential(x)?),
        math::LOG => Some(steps.logarithm(x)?),
        math::TANH => Some(match softplus_of(x).filter(|_| !ExactAttribute::is_present(operation.root())) {
            Some(x) => steps.tangent_of_softplus(x)?,
            None => steps.tangent(x)?,
        }),
        math::ERF => Some(steps.error(x)?),
        math::POWF => steps.power(x, operation.operand(1)?, wide_fused(target))?,
        // An emulator of RISC-V does not take what this becomes.
        arith::REMF if !target.isa.is_scalable() => steps.remainder(x, operation.operand(1)?)?,
        math::SIN => steps.circular(Circular::Sine, x, wide_fused(target))?,
        math::COS => steps.circular(Circular::Cosine, x, wide_fused(target))?,
        _ => None,
    };
    let Some(result) = result else { return Ok(false) };
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?;
    Ok(true)
}

/// Whether products and sums of f64 are fused; none where there are no vectors of them.
fn wide_fused(target: &Target) -> Option<bool> {
    (target.isa.bits() > 0).then(|| Fused::of(target).has(Element::Real(64)))
}
