//! Why an evaluation, or an operator, has no result.

use crate::arithmetic::IntFault;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};

/// Why there is no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error that has been reported already is the reason.
    Silent,
    /// To be reported.
    Report(Box<Diagnostic>),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Report(Box::new(diagnostic))
    }
}

/// The result of an evaluation.
pub(crate) type Eval<T> = Result<T, Failure>;

impl Failure {
    /// Adds the failure to the list, unless its reason is there already.
    pub(crate) fn report(self, diagnostics: &mut Diagnostics) {
        if let Failure::Report(diagnostic) = self {
            diagnostics.push(*diagnostic);
        }
    }
}

/// Why an operator has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not defined for these types.
    Types,
    /// Beyond 64 bits.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// An integer power with a negative exponent.
    NegativeExponent,
}

impl From<IntFault> for Fault {
    fn from(fault: IntFault) -> Self {
        match fault {
            IntFault::Overflow => Fault::Overflow,
            IntFault::DivisionByZero => Fault::DivisionByZero,
            IntFault::NegativeExponent => Fault::NegativeExponent,
        }
    }
}
