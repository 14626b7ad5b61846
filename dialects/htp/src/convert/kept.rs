//! Operators that stay operators.

use skriptnd_mlir::diagnostics::Failure;

/// Why an operator is not converted.
#[derive(Debug)]
pub enum Kept {
    /// The tensor processor has nothing that computes the same.
    Because(String),
    /// Something went wrong.
    Failed(Failure),
}

impl Kept {
    /// With a reason, of which "it" is the operator.
    pub fn because(reason: impl Into<String>) -> Self {
        Kept::Because(reason.into())
    }
}

impl From<Failure> for Kept {
    fn from(failure: Failure) -> Self {
        Kept::Failed(failure)
    }
}
