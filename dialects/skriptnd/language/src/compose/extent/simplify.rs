//! What can be said of an operation without knowing the values of the symbols.

use super::integer::gcd;
use super::polynomial::Polynomial;
use super::quotient::{ceil_quotient, exact_quotient, floor_quotient, remainder};
use super::{SymExpr, SymOp};
use SymExpr::Const;

/// Exponents up to this one are multiplied out.
const SMALL_EXPONENT: i64 = 8;

impl SymExpr {
    /// Applies an operation that has no polynomial form; `None` on overflow and division by zero.
    pub fn apply(op: SymOp, parts: Vec<SymExpr>) -> Option<SymExpr> {
        if let Some(known) = parts.iter().map(SymExpr::as_known).collect::<Option<Vec<i64>>>() {
            return op.evaluate(&known).map(Const);
        }
        match (op, parts.as_slice()) {
            (SymOp::FloorDiv | SymOp::CeilDiv | SymOp::Mod, [a, b]) => divided(op, a, b),
            (SymOp::Pow, [a, Const(exponent @ 0..=SMALL_EXPONENT)]) => {
                (0..*exponent).try_fold(Const(1), |product, _| product.times(a))
            }
            (SymOp::Min | SymOp::Max, _) => extremum(op, parts),
            (SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne, [a, b]) => compared(op, a, b),
            (SymOp::And | SymOp::Or, _) => Some(connected(op, parts)),
            (SymOp::Not, [a]) => Some(negated(a)),
            (SymOp::Select, [condition, then, otherwise]) => Some(selected(condition, then, otherwise)),
            (SymOp::Abs, [a]) if a.sign() == Some(1) => Some(a.clone()),
            _ => Some(SymExpr::Apply(op, parts)),
        }
    }

    /// 1 if the value is nowhere negative, -1 if it is everywhere; symbols are extents, so none is negative.
    fn sign(&self) -> Option<i64> {
        let (low, high) = self.range()?;
        if low >= 0 { Some(1) } else { (high < 0).then_some(-1) }
    }

    fn one_of(op: SymOp, a: &SymExpr, b: &SymExpr) -> SymExpr {
        SymExpr::Apply(op, vec![a.clone(), b.clone()])
    }
}

fn divided(op: SymOp, a: &SymExpr, b: &SymExpr) -> Option<SymExpr> {
    if let Const(divisor) = b {
        return match op {
            SymOp::FloorDiv => floor_quotient(a, *divisor),
            SymOp::CeilDiv => ceil_quotient(a, *divisor),
            _ => remainder(a, *divisor),
        };
    }
    match exact_quotient(a, b) {
        Some(_) if op == SymOp::Mod => Some(Const(0)),
        Some(quotient) => Some(quotient),
        None => Some(SymExpr::one_of(op, a, b)),
    }
}

/// The smallest or largest of some values, without those that others go beyond.
fn extremum(op: SymOp, parts: Vec<SymExpr>) -> Option<SymExpr> {
    let mut kept: Vec<SymExpr> = Vec::new();
    for part in flattened(op, parts) {
        let beyond = |a: &SymExpr, b: &SymExpr| {
            let difference = if op == SymOp::Min { b.minus(a) } else { a.minus(b) };
            difference.is_some_and(|difference| difference.sign() == Some(1))
        };
        if kept.iter().any(|other| beyond(other, &part)) {
            continue;
        }
        kept.retain(|other| !beyond(&part, other));
        kept.push(part);
    }
    kept.sort();
    if kept.len() == 1 { kept.pop() } else { Some(SymExpr::Apply(op, kept)) }
}

fn flattened(op: SymOp, parts: Vec<SymExpr>) -> Vec<SymExpr> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            SymExpr::Apply(inner, parts) if inner == op => flat.extend(parts),
            part => flat.push(part),
        }
    }
    flat
}

fn compared(op: SymOp, a: &SymExpr, b: &SymExpr) -> Option<SymExpr> {
    let difference = a.minus(b)?;
    let decided = decided(op, &difference).or_else(|| decided(op, &expanded(&difference)?));
    if let Some(truth) = decided {
        return Some(Const(i64::from(truth)));
    }
    if matches!(op, SymOp::Eq | SymOp::Ne) && never_zero(&difference) {
        return Some(Const(i64::from(op == SymOp::Ne)));
    }
    let symmetric = matches!(op, SymOp::Eq | SymOp::Ne) && b < a && !matches!(b, Const(_));
    Some(if symmetric || matches!((op, a), (SymOp::Eq | SymOp::Ne, Const(_))) {
        SymExpr::one_of(op, b, a)
    } else {
        SymExpr::one_of(op, a, b)
    })
}

/// Whether a comparison holds, by what its sides differ.
fn decided(op: SymOp, difference: &SymExpr) -> Option<bool> {
    let (low, high) = difference.range()?;
    match op {
        SymOp::Lt if high < 0 => Some(true),
        SymOp::Lt if low >= 0 => Some(false),
        SymOp::Le if high <= 0 => Some(true),
        SymOp::Le if low > 0 => Some(false),
        SymOp::Eq | SymOp::Ne if low > 0 || high < 0 => Some(op == SymOp::Ne),
        SymOp::Eq | SymOp::Ne if (low, high) == (0, 0) => Some(op == SymOp::Eq),
        _ => None,
    }
}

/// Whether the constant is no multiple of what divides all other terms.
fn never_zero(expr: &SymExpr) -> bool {
    let polynomial = Polynomial::of(expr);
    let common = polynomial.symbolic().fold(0, |common, (_, coefficient)| gcd(common, coefficient));
    common > 1 && polynomial.constant() % common != 0
}

/// Remainders as what quotients leave: `a % b` is `a - a / b * b`.
fn expanded(expr: &SymExpr) -> Option<SymExpr> {
    let mut found = false;
    let mut sum = Const(0);
    for (factors, coefficient) in Polynomial::of(expr).0 {
        let mut term = Const(coefficient);
        for factor in &factors {
            let factor = match factor {
                SymExpr::Apply(SymOp::Mod, parts) if parts.len() == 2 => {
                    found = true;
                    let quotient = SymExpr::apply(SymOp::FloorDiv, parts.clone())?;
                    parts[0].minus(&quotient.times(&parts[1])?)?
                }
                other => other.clone(),
            };
            term = term.times(&factor)?;
        }
        sum = sum.plus(&term)?;
    }
    found.then_some(sum)
}

/// `&&` and `||`
fn connected(op: SymOp, parts: Vec<SymExpr>) -> SymExpr {
    let decisive = i64::from(op == SymOp::Or);
    let mut kept = Vec::new();
    for part in flattened(op, parts) {
        match part.as_known() {
            Some(known) if i64::from(known != 0) == decisive => return Const(decisive),
            Some(_) => {}
            None => kept.push(part),
        }
    }
    kept.sort();
    kept.dedup();
    if kept.iter().any(|part| kept.binary_search(&negated(part)).is_ok()) {
        return Const(decisive);
    }
    match kept.len() {
        0 => Const(1 - decisive),
        1 => kept.remove(0),
        _ => SymExpr::Apply(op, kept),
    }
}

fn negated(condition: &SymExpr) -> SymExpr {
    match condition {
        Const(value) => Const(i64::from(*value == 0)),
        SymExpr::Apply(op, parts) => match (op, parts.as_slice()) {
            (SymOp::Not, [inner]) => inner.clone(),
            (SymOp::Eq, [a, b]) => SymExpr::one_of(SymOp::Ne, a, b),
            (SymOp::Ne, [a, b]) => SymExpr::one_of(SymOp::Eq, a, b),
            (SymOp::Lt, [a, b]) => SymExpr::one_of(SymOp::Le, b, a),
            (SymOp::Le, [a, b]) => SymExpr::one_of(SymOp::Lt, b, a),
            _ => SymExpr::Apply(SymOp::Not, vec![condition.clone()]),
        },
        other => SymExpr::Apply(SymOp::Not, vec![other.clone()]),
    }
}

fn selected(condition: &SymExpr, then: &SymExpr, otherwise: &SymExpr) -> SymExpr {
    match condition {
        Const(0) => otherwise.clone(),
        Const(_) => then.clone(),
        _ if then == otherwise => then.clone(),
        _ => SymExpr::Apply(SymOp::Select, vec![condition.clone(), then.clone(), otherwise.clone()]),
    }
}
