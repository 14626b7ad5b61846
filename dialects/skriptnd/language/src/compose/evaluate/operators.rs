//! Operators on single values: run-time scalars go to [`scalar`], all others to [`known`].

use super::{known, scalar};
use crate::compose::failure::Fault;
use crate::compose::term::Term;
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

pub(crate) fn unary(op: UnaryOp, operand: &Term) -> Result<Term, Fault> {
    match operand {
        Term::Scalar(expr) => scalar::unary(op, (**expr).clone()).map(Term::from).ok_or(Fault::Types),
        operand => known::unary(op, operand),
    }
}

pub(crate) fn binary(op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Fault> {
    if !matches!((a, b), (Term::Scalar(_), _) | (_, Term::Scalar(_))) {
        return known::binary(op, a, b);
    }
    let (a, b) = (scalar::of(a).ok_or(Fault::Types)?, scalar::of(b).ok_or(Fault::Types)?);
    scalar::binary(op, a, b).map(Term::from).ok_or(Fault::Types)
}
