//! What each scalar operator means (specification, section 2.4), written once: for values that are known when composing
//! and for those of a run, with types and neutral elements. All others ask here.
//!
//! An `int` has 64 bits. Where a result does not fit, composition stops with an error and a run wraps around. A `real`
//! is computed with 64 bits when composing and with 32 bits in a run; comparisons are those of IEEE 754.

mod builtin;
mod int;
mod real;
mod scalar;
mod table;
#[cfg(test)]
mod tests;

pub use builtin::{int_builtin, real_builtin};
pub use int::{IntFault, IntResult, ceil_div, floor_div, floor_mod, int, power};
pub use real::{Real, real};
pub use scalar::{Scalar, ScalarType};
pub use table::{
    accumulator, is_comparison, is_defined, keeps_zero, may_be_undefined, neutral, of_nothing, result_type,
};

use skriptnd_syntax::ast::BinaryOp;

/// A comparison; none for other operators. Not a number compares unequal to everything.
pub fn compare<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> Option<bool> {
    Some(match op {
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        _ => return None,
    })
}

/// An operator on truth values, false being less than true; none for arithmetic.
pub fn logic(op: BinaryOp, a: bool, b: bool) -> Option<bool> {
    match op {
        BinaryOp::And => Some(a && b),
        BinaryOp::Or => Some(a || b),
        BinaryOp::Xor => Some(a != b),
        BinaryOp::Implies => Some(!a || b),
        _ => compare(op, a, b),
    }
}
