//! Why formulas can't be evaluated.

use skriptnd_language::compose::formula::TensorRef;
use skriptnd_syntax::ast::BinaryOp;

/// Why a formula can't be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormulaFault {
    /// An unguarded index is outside its tensor.
    OutOfRange { tensor: TensorRef, dimension: usize, index: i64, extent: i64 },
    /// A division by 0 or a negative power of 0.
    Undefined { op: BinaryOp, left: i64, right: i64 },
    /// An expression is nested too deeply.
    TooDeep(usize),
    /// The time is up.
    Timeout,
    /// No memory for so many elements.
    Memory(usize),
    /// A tensor of strings, which the language has and a run doesn't.
    Strings,
    /// The formula contradicts itself; composition should have refused it.
    Inconsistent(&'static str),
}
