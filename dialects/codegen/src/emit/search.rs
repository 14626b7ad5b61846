//! What lanes have found, each in its own part of a dimension: the best element of all, and the index of the first that is it.

use crate::Error;
use crate::nest::op::Op;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::vector::{self, CombiningKind};

/// How elements are compared.
pub(super) struct Search {
    /// Whether they are real numbers.
    is_real: bool,
    /// Whether the largest is searched.
    is_largest: bool,
}

impl Search {
    /// By a strict comparison.
    pub(super) fn new(compared: Op) -> Self {
        let is_largest = matches!(compared, Op::CmpF(FloatPredicate::Ogt) | Op::CmpI(IntegerPredicate::Sgt));
        Search { is_real: matches!(compared, Op::CmpF(_)), is_largest }
    }

    /// The best of all lanes. Where one is not a number all are: they began with it.
    pub(super) fn best<'c: 'a, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        found: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let (name, kind) = match (self.is_real, self.is_largest) {
            (true, true) => (arith::MAXNUMF, CombiningKind::Maxnumf),
            (true, false) => (arith::MINNUMF, CombiningKind::Minnumf),
            (false, true) => (arith::MAXSI, CombiningKind::Maxsi),
            (false, false) => (arith::MINSI, CombiningKind::Minsi),
        };
        all(builder, found, name, kind)
    }

    /// The smallest of the indices where the best was found.
    pub(super) fn first<'c: 'a, 'a>(
        &self,
        builder: Builder<'c, 'a>,
        best: Value<'c, 'a>,
        found: &[Value<'c, 'a>],
        places: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let mut candidates = Vec::new();
        for (found, place) in found.iter().zip(places) {
            let lanes = lanes(found.r#type());
            let best = builder.broadcast(best, lanes)?;
            let is_best = match (self.is_real, self.is_largest) {
                (true, true) => arith::cmpf(&builder, FloatPredicate::Ule, best, *found)?,
                (true, false) => arith::cmpf(&builder, FloatPredicate::Uge, best, *found)?,
                (false, _) => arith::cmpi(&builder, IntegerPredicate::Eq, best, *found)?,
            };
            let none = builder.integer(element(place.r#type()), i64::MAX)?;
            candidates.push(arith::select(&builder, is_best, *place, builder.broadcast(none, lanes)?)?);
        }
        all(builder, &candidates, arith::MINSI, CombiningKind::Minsi)
    }
}

/// All lanes of all vectors combined.
fn all<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
    name: &str,
    kind: CombiningKind,
) -> Result<Value<'c, 'a>, Error> {
    let mut sum: Option<Value<'c, 'a>> = None;
    for value in values {
        let element = element(value.r#type());
        let scalar = match value.r#type().is_vector() {
            true => vector::reduction(&builder, kind, *value, element)?,
            false => *value,
        };
        sum = Some(sum.map_or(Ok(scalar), |sum| builder.value(name, &[sum, scalar], &[], element))?);
    }
    sum.ok_or_else(|| Error::malformed("a search among no elements"))
}

fn element(kind: Type<'_>) -> Type<'_> {
    if kind.is_vector() { types::element(kind) } else { kind }
}

fn lanes(kind: Type<'_>) -> i64 {
    let extent = types::shape(kind).and_then(|shape| shape.first().copied().flatten()).filter(|_| kind.is_vector());
    extent.and_then(|extent| i64::try_from(extent).ok()).unwrap_or(1)
}
