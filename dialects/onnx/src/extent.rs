//! Extents as expressions of those that only a run knows: sums of products, so that equal ones look the same.

use skriptnd_syntax::ast::BinaryOp;
use skriptnd_syntax::build::Expression;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bound of extents that nobody gave one: the language asks for a bound of what inputs leave open, and nobody meets this one.
pub const LARGEST_OPEN: i64 = skriptnd_runtime::metadata::OPEN_BOUND;

/// Bounds that follow from others are at most so large: nothing has as many elements.
const LARGEST: i64 = (1 << 62) - 1;

/// Exact quotients have so many terms at most.
const MOST_TERMS: usize = 64;

/// A whole number that may depend on extents of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent {
    /// Coefficients, none of them 0, of products of atoms; the constant is that of the empty product.
    terms: BTreeMap<Vec<Atom>, i64>,
}

/// What is not taken apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    /// What the text calls it: an extent of an input, or `found.shape[0]`.
    Symbol(Arc<str>),
    /// An operation that is no sum of products.
    Applied(Operation, Box<Extent>, Box<Extent>),
}

/// Operations of atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Operation {
    Div,
    CeilDiv,
    Mod,
    Min,
    Max,
}

impl Operation {
    fn of_language(self) -> BinaryOp {
        match self {
            Operation::Div => BinaryOp::Div,
            Operation::CeilDiv => BinaryOp::CeilDiv,
            Operation::Mod => BinaryOp::Mod,
            Operation::Min => BinaryOp::Min,
            Operation::Max => BinaryOp::Max,
        }
    }

    /// The value, if it has one: quotients round as the language's do.
    fn compute(self, left: i64, right: i64) -> Option<i64> {
        let floor = |left: i64, right: i64| {
            let quotient = left.checked_div(right)?;
            Some(if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
        };
        match self {
            Operation::Div => floor(left, right),
            Operation::CeilDiv => floor(left, right.checked_neg()?)?.checked_neg(),
            Operation::Mod => left.checked_sub(floor(left, right)?.checked_mul(right)?),
            Operation::Min => Some(left.min(right)),
            Operation::Max => Some(left.max(right)),
        }
    }
}

impl From<i64> for Extent {
    fn from(value: i64) -> Extent {
        Extent { terms: BTreeMap::from_iter((value != 0).then(|| (Vec::new(), value))) }
    }
}

impl Extent {
    /// An extent that the text has a name for.
    pub fn symbol(name: impl Into<Arc<str>>) -> Extent {
        Extent { terms: BTreeMap::from([(vec![Atom::Symbol(name.into())], 1)]) }
    }

    /// The value, if it does not depend on a run.
    pub fn known(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The sum; sums of numbers that have none are those of 64 bits that wrap.
    pub fn add(&self, other: &Extent) -> Extent {
        let mut terms = self.terms.clone();
        for (product, coefficient) in &other.terms {
            let sum = terms.entry(product.clone()).or_default();
            *sum = sum.wrapping_add(*coefficient);
        }
        terms.retain(|_, coefficient| *coefficient != 0);
        Extent { terms }
    }

    /// The difference.
    pub fn sub(&self, other: &Extent) -> Extent {
        self.add(&other.mul(&Extent::from(-1)))
    }

    /// The product.
    pub fn mul(&self, other: &Extent) -> Extent {
        let mut result = Extent::default();
        for (left, by) in &self.terms {
            for (right, times) in &other.terms {
                let mut product = [left.as_slice(), right].concat();
                product.sort();
                let term = Extent { terms: BTreeMap::from([(product, by.wrapping_mul(*times))]) };
                result = result.add(&term);
            }
        }
        result
    }

    /// The quotient, rounded down; none by 0.
    pub fn div(&self, other: &Extent) -> Option<Extent> {
        match self.exact_quotient(other) {
            Some(exact) => Some(exact),
            None => self.operation(Operation::Div, other),
        }
    }

    /// The quotient, rounded up; none by 0.
    pub fn div_up(&self, other: &Extent) -> Option<Extent> {
        match self.exact_quotient(other) {
            Some(exact) => Some(exact),
            None => self.operation(Operation::CeilDiv, other),
        }
    }

    /// What is left of the quotient; none by 0.
    pub fn modulo(&self, other: &Extent) -> Option<Extent> {
        match self.exact_quotient(other) {
            Some(_) => Some(Extent::default()),
            None => self.operation(Operation::Mod, other),
        }
    }

    /// The lesser.
    pub fn lesser(&self, other: &Extent) -> Extent {
        self.one_of(other, Operation::Min)
    }

    /// The greater.
    pub fn greater(&self, other: &Extent) -> Extent {
        self.one_of(other, Operation::Max)
    }

    fn one_of(&self, other: &Extent, operation: Operation) -> Extent {
        if self == other { self.clone() } else { self.operation(operation, other).unwrap_or_else(|| self.clone()) }
    }

    fn operation(&self, operation: Operation, other: &Extent) -> Option<Extent> {
        if let (Some(left), Some(right)) = (self.known(), other.known()) {
            return operation.compute(left, right).map(Extent::from);
        }
        if other.known() == Some(0) && !matches!(operation, Operation::Min | Operation::Max) {
            return None;
        }
        let atom = Atom::Applied(operation, Box::new(self.clone()), Box::new(other.clone()));
        Some(Extent { terms: BTreeMap::from([(vec![atom], 1)]) })
    }

    /// The quotient, where nothing is left over whatever the symbols are.
    fn exact_quotient(&self, other: &Extent) -> Option<Extent> {
        let (mut rest, mut quotient) = (self.clone(), Extent::default());
        for _ in 0..MOST_TERMS {
            let Some(leading) = rest.leading() else { return other.leading().map(|_| quotient) };
            let part = quotient_of_products(leading, other.leading()?)?;
            rest = rest.sub(&part.mul(other));
            quotient = quotient.add(&part);
        }
        None
    }

    /// The term of the longest product. Of those as long, the order of names decides, so that it stays the leading one when all
    /// are multiplied.
    fn leading(&self) -> Option<(&Vec<Atom>, i64)> {
        let leading = self.terms.iter().max_by_key(|(product, _)| (product.len(), *product))?;
        Some((leading.0, *leading.1))
    }

    /// The greatest value, where the symbols are between 0 and their bounds; none where one has no bound.
    pub fn greatest(&self, bound: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        let mut sum = 0i64;
        for (product, coefficient) in &self.terms {
            let greatest =
                product.iter().try_fold(1i64, |most, atom| Some(most.saturating_mul(atom.greatest(bound)?)))?;
            // Extents are not negative, so what is taken off takes off nothing at least.
            let term = if *coefficient > 0 || product.is_empty() { coefficient.saturating_mul(greatest) } else { 0 };
            sum = sum.saturating_add(term);
        }
        Some(sum.min(LARGEST))
    }

    /// Whether one of its symbols is asked for.
    pub fn has_symbol(&self, asked: &impl Fn(&str) -> bool) -> bool {
        self.terms.keys().flatten().any(|atom| match atom {
            Atom::Symbol(name) => asked(name),
            Atom::Applied(_, left, right) => left.has_symbol(asked) || right.has_symbol(asked),
        })
    }

    /// The same with other names for symbols; `None` where one stays.
    pub fn renamed(&self, renamed: &impl Fn(&str) -> Option<String>) -> Extent {
        if !self.has_symbol(&|symbol| renamed(symbol).is_some()) {
            return self.clone();
        }
        let product = |(product, coefficient): (&Vec<Atom>, &i64)| {
            let mut product: Vec<Atom> = product.iter().map(|atom| atom.renamed(renamed)).collect();
            product.sort();
            (product, *coefficient)
        };
        Extent { terms: self.terms.iter().map(product).collect() }
    }

    /// Whether it is no negative number: a sum of products of extents with factors that are none.
    pub fn is_extent(&self) -> bool {
        self.terms.values().all(|coefficient| *coefficient >= 0)
    }

    /// Whether it can't be the same as another, whatever the run.
    pub fn differs_from(&self, other: &Extent) -> bool {
        self.sub(other).known().is_some_and(|difference| difference != 0)
    }

    /// As the text has it.
    pub fn expression(&self) -> Expression {
        let mut sum: Option<Expression> = None;
        let constant = self.terms.get(&Vec::new()).copied();
        let products = self.terms.iter().filter(|(product, _)| !product.is_empty());
        for (product, coefficient) in products {
            let (operation, by) = match (&sum, *coefficient) {
                (Some(_), by) if by < 0 => (BinaryOp::Sub, by.wrapping_neg()),
                (_, by) => (BinaryOp::Add, by),
            };
            let factors =
                (by != 1).then_some(Expression::Int(by)).into_iter().chain(product.iter().map(Atom::expression));
            let term = factors.reduce(|left, right| Expression::binary(BinaryOp::Mul, left, right));
            let term = term.unwrap_or(Expression::Int(by));
            sum = Some(match sum {
                Some(sum) => Expression::binary(operation, sum, term),
                None => term,
            });
        }
        match (sum, constant) {
            (None, constant) => Expression::Int(constant.unwrap_or(0)),
            (Some(sum), None) => sum,
            (Some(sum), Some(constant)) if constant < 0 => {
                Expression::binary(BinaryOp::Sub, sum, Expression::Int(constant.wrapping_neg()))
            }
            (Some(sum), Some(constant)) => Expression::binary(BinaryOp::Add, sum, Expression::Int(constant)),
        }
    }
}

impl Atom {
    fn expression(&self) -> Expression {
        match self {
            Atom::Symbol(name) => Expression::Name(name.to_string()),
            Atom::Applied(operation, left, right) => {
                Expression::binary(operation.of_language(), left.expression(), right.expression())
            }
        }
    }

    fn renamed(&self, renamed: &impl Fn(&str) -> Option<String>) -> Atom {
        match self {
            Atom::Symbol(name) => renamed(name).map_or_else(|| self.clone(), |name| Atom::Symbol(name.into())),
            Atom::Applied(operation, left, right) => {
                Atom::Applied(*operation, Box::new(left.renamed(renamed)), Box::new(right.renamed(renamed)))
            }
        }
    }

    fn greatest(&self, bound: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        let (operation, left, right) = match self {
            Atom::Symbol(name) => return bound(name),
            Atom::Applied(operation, left, right) => (operation, left, right),
        };
        match operation {
            Operation::Div => left.greatest(bound)?.checked_div(right.known().filter(|by| *by > 0).unwrap_or(1)),
            Operation::CeilDiv => {
                let by = right.known().filter(|by| *by > 0).unwrap_or(1);
                Operation::CeilDiv.compute(left.greatest(bound)?, by)
            }
            Operation::Mod => right.greatest(bound),
            Operation::Min => match (left.greatest(bound), right.greatest(bound)) {
                (Some(left), Some(right)) => Some(left.min(right)),
                (left, right) => left.or(right),
            },
            Operation::Max => Some(left.greatest(bound)?.max(right.greatest(bound)?)),
        }
    }
}

/// The quotient of two terms, where the first is a multiple of the second.
fn quotient_of_products((product, factor): (&Vec<Atom>, i64), (by, times): (&Vec<Atom>, i64)) -> Option<Extent> {
    let mut left = product.clone();
    for atom in by {
        left.remove(left.iter().position(|found| found == atom)?);
    }
    let factor = (factor.checked_rem(times)? == 0).then(|| factor.checked_div(times))??;
    Some(Extent { terms: BTreeMap::from([(left, factor)]) })
}

/// The product of extents.
pub fn volume(shape: &[Extent]) -> Extent {
    shape.iter().fold(Extent::from(1), |volume, extent| volume.mul(extent))
}

/// The extents, if none depends on a run.
pub fn known_shape(shape: &[Extent]) -> Option<Vec<i64>> {
    shape.iter().map(Extent::known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(extent: &Extent) -> String {
        format!("{:?}", extent.expression())
    }

    #[test]
    fn equal_sums_of_products_are_equal() {
        let (n, m) = (Extent::symbol("n"), Extent::symbol("m"));
        let one = Extent::from(1);
        assert_eq!(n.add(&one).mul(&m), m.add(&n.mul(&m)));
        assert_eq!(n.sub(&n), Extent::from(0));
        assert_eq!(n.mul(&Extent::from(6)).div(&Extent::from(3)), Some(n.mul(&Extent::from(2))));
        assert_eq!(n.mul(&m).div(&n), Some(m.clone()));
        assert_ne!(n.div(&Extent::from(2)).unwrap().mul(&Extent::from(2)), n);
        assert_eq!(n.div(&Extent::from(0)), None);
        let steps = n.sub(&Extent::from(2)).div(&Extent::from(2)).unwrap().add(&one);
        let all = steps.mul(&m).mul(&Extent::from(64));
        assert_eq!(all.div(&steps.mul(&m)), Some(Extent::from(64)));
        assert_eq!(all.div(&steps), Some(m.mul(&Extent::from(64))));
        assert_eq!(n.mul(&n).sub(&one).div(&n.sub(&one)), Some(n.add(&one)));
        assert!(n.mul(&n).add(&one).exact_quotient(&n.add(&one)).is_none());
        assert!(n.differs_from(&n.add(&one)) && !n.differs_from(&m));
    }

    #[test]
    fn quotients_round_as_the_language_does() {
        let divided = |left: i64, right: i64| Extent::from(left).div(&Extent::from(right)).unwrap().known();
        assert_eq!([divided(-7, 2), divided(7, 2), divided(7, -2)], [Some(-4), Some(3), Some(-4)]);
        assert_eq!(Extent::from(7).div_up(&Extent::from(2)).unwrap().known(), Some(4));
        assert_eq!(Extent::from(-7).modulo(&Extent::from(2)).unwrap().known(), Some(1));
    }

    #[test]
    fn bounds_follow_from_those_of_symbols() {
        let n = Extent::symbol("n");
        let bound = |name: &str| (name == "n").then_some(10);
        let half = n.add(&Extent::from(5)).div(&Extent::from(2)).unwrap();
        assert_eq!(half.greatest(&bound), Some(7));
        assert_eq!(n.mul(&n).sub(&n).greatest(&bound), Some(100));
        assert_eq!(Extent::symbol("m").greatest(&bound), None);
        assert!(text(&half).contains("Div"));
    }

    #[test]
    fn bounds_of_large_products_stay_below_64_bits() {
        let n = Extent::symbol("n");
        let most = |extent: &Extent| extent.greatest(&|_| Some(LARGEST_OPEN));
        assert_eq!(most(&n), Some(LARGEST_OPEN));
        assert_eq!(most(&n.mul(&n).mul(&n)), Some(LARGEST));
        assert_eq!(most(&n.mul(&n).mul(&n).add(&n)), Some(LARGEST));
    }
}
