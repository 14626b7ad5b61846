//! Quotients and remainders of polynomials, in a form in which equal ones are equal: `(2 * n + 5) / 2` becomes
//! `n + 2`, `(n / 2 + 1) / 2` becomes `(n + 2) / 4`, and `n \ 2` becomes `(n + 1) / 2`.

use super::integer::{floor_div, floor_mod, gcd};
use super::polynomial::Polynomial;
use super::{SymExpr, SymOp};
use std::collections::BTreeMap;

/// `a / divisor`, rounded down; `None` on overflow and division by zero.
pub(super) fn floor_quotient(a: &SymExpr, divisor: i64) -> Option<SymExpr> {
    match divisor {
        0 => return None,
        ..0 => return floor_quotient(&a.scaled(-1)?, divisor.checked_neg()?),
        _ => {}
    }
    let (whole, rest) = split(a, divisor)?;
    if let Some((inner, inner_divisor)) = nested(&rest) {
        let product = inner_divisor.checked_mul(divisor)?;
        return whole.plus(&floor_quotient(&inner, product)?);
    }
    let (rest, divisor) = reduced(rest, divisor)?;
    if Polynomial::of(&rest).symbolic().next().is_some_and(|(_, coefficient)| coefficient < 0) {
        // Of `-n / 2` and `-((n + 1) / 2)`, which are the same, this is the second one.
        let negative = floor_quotient(&rest.scaled(-1)?.shifted(divisor - 1)?, divisor)?;
        return whole.minus(&negative);
    }
    let fraction = match (&rest, divisor) {
        (SymExpr::Const(value), _) => SymExpr::Const(floor_div(*value, divisor)?),
        (_, 1) => rest,
        _ => SymExpr::Apply(SymOp::FloorDiv, vec![rest, SymExpr::Const(divisor)]),
    };
    whole.plus(&fraction)
}

/// `a \ divisor`, rounded up.
pub(super) fn ceil_quotient(a: &SymExpr, divisor: i64) -> Option<SymExpr> {
    match divisor {
        0 => None,
        ..0 => ceil_quotient(&a.scaled(-1)?, divisor.checked_neg()?),
        _ => floor_quotient(&a.shifted(divisor - 1)?, divisor),
    }
}

/// `a % divisor`
pub(super) fn remainder(a: &SymExpr, divisor: i64) -> Option<SymExpr> {
    match divisor {
        0 => return None,
        ..0 => return remainder(&a.scaled(-1)?, divisor.checked_neg()?)?.scaled(-1),
        _ => {}
    }
    let mut rest = BTreeMap::new();
    for (factors, coefficient) in Polynomial::of(a).0 {
        let coefficient = floor_mod(coefficient, divisor)?;
        if coefficient != 0 {
            rest.insert(factors, coefficient);
        }
    }
    match Polynomial(rest).into_expr() {
        SymExpr::Const(value) => Some(SymExpr::Const(value)),
        rest => Some(SymExpr::Apply(SymOp::Mod, vec![rest, SymExpr::Const(divisor)])),
    }
}

/// The quotient by a product of symbols that every term contains.
pub(super) fn exact_quotient(a: &SymExpr, divisor: &SymExpr) -> Option<SymExpr> {
    let divisor = Polynomial::of(divisor);
    let mut terms = divisor.0.iter();
    let (Some((factors, coefficient)), None) = (terms.next(), terms.next()) else { return None };
    let mut quotient = BTreeMap::new();
    for (own, number) in Polynomial::of(a).0 {
        let mut left = own;
        for factor in factors {
            let at = left.iter().position(|other| other == factor)?;
            left.remove(at);
        }
        if number.checked_rem(*coefficient)? != 0 {
            return None;
        }
        quotient.insert(left, number.checked_div(*coefficient)?);
    }
    Some(Polynomial(quotient).into_expr())
}

/// The part of a polynomial that is a multiple of the divisor, divided by it, and the rest.
fn split(a: &SymExpr, divisor: i64) -> Option<(SymExpr, SymExpr)> {
    let (mut whole, mut rest) = (BTreeMap::new(), BTreeMap::new());
    for (factors, coefficient) in Polynomial::of(a).0 {
        if factors.is_empty() {
            whole.insert(Vec::new(), floor_div(coefficient, divisor)?);
            rest.insert(factors, floor_mod(coefficient, divisor)?);
        } else if coefficient % divisor == 0 {
            whole.insert(factors, coefficient / divisor);
        } else {
            rest.insert(factors, coefficient);
        }
    }
    for part in [&mut whole, &mut rest] {
        part.retain(|_, coefficient| *coefficient != 0);
    }
    Some((Polynomial(whole).into_expr(), Polynomial(rest).into_expr()))
}

/// `x / c + y` as `(x + c * y) / c`.
fn nested(a: &SymExpr) -> Option<(SymExpr, i64)> {
    let polynomial = Polynomial::of(a);
    let found = polynomial.symbolic().find_map(|(factors, coefficient)| match (factors.as_slice(), coefficient) {
        ([SymExpr::Apply(SymOp::FloorDiv, parts)], 1) => match parts.as_slice() {
            [inner, SymExpr::Const(divisor)] => Some((factors[0].clone(), inner.clone(), *divisor)),
            _ => None,
        },
        _ => None,
    });
    let (quotient, inner, divisor) = found?;
    let others = a.minus(&quotient)?;
    Some((inner.plus(&others.scaled(divisor)?)?, divisor))
}

/// Without the common divisor of the coefficients and the divisor.
fn reduced(a: SymExpr, divisor: i64) -> Option<(SymExpr, i64)> {
    let mut polynomial = Polynomial::of(&a);
    let common = polynomial.symbolic().fold(divisor, |common, (_, coefficient)| gcd(common, coefficient));
    if common <= 1 {
        return Some((a, divisor));
    }
    let constant = floor_div(polynomial.constant(), common)?;
    for (factors, coefficient) in &mut polynomial.0 {
        *coefficient = if factors.is_empty() { constant } else { *coefficient / common };
    }
    polynomial.0.retain(|_, coefficient| *coefficient != 0);
    Some((polynomial.into_expr(), divisor / common))
}
