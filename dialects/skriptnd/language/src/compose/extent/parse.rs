//! Reads expressions of extents from their texts, which the IR has in types and attributes.

use super::{FoldOp, RealExpr, SymExpr, SymOp};
use pest::Parser;
use pest::iterators::Pair;
use pest_derive::Parser;
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};
use std::str::FromStr;

/// Texts nested deeper than this are refused.
const MOST_NESTED: usize = 200;

#[derive(Parser)]
#[grammar = "compose/extent/extent.pest"]
struct Grammar;

/// A part of an expression. Truth values are integers.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Int(SymExpr),
    Real(RealExpr),
}

impl FromStr for SymExpr {
    type Err = ();

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, ()> {
        match part(text) {
            Some(Part::Int(expr)) => Ok(expr),
            _ => Err(()),
        }
    }
}

impl FromStr for RealExpr {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match part(text) {
            Some(Part::Real(expr)) => Ok(expr),
            _ => Err(()),
        }
    }
}

fn part(text: &str) -> Option<Part> {
    let depth = text.bytes().fold((0usize, 0usize), |(open, most), byte| match byte {
        b'(' | b'!' | b'?' => (open + 1, most.max(open + 1)),
        b')' => (open.saturating_sub(1), most),
        _ => (open, most),
    });
    if depth.1 > MOST_NESTED {
        return None;
    }
    let mut pairs = Grammar::parse(Rule::whole, text).ok()?;
    of(pairs.next()?)
}

fn of(pair: Pair<'_, Rule>) -> Option<Part> {
    match pair.as_rule() {
        Rule::int => Some(Part::Int(SymExpr::Const(pair.as_str().parse().ok()?))),
        Rule::real => Some(Part::Real(RealExpr::known(pair.as_str().parse().ok()?))),
        Rule::symbol => Some(Part::Int(SymExpr::Symbol(pair.as_str().into()))),
        Rule::not => apply(SymOp::Not, vec![of(pair.into_inner().next()?)?]),
        Rule::call => {
            let mut parts = pair.into_inner();
            let (function, operand) = (parts.next()?.as_str(), of(parts.next()?)?);
            call(function, operand)
        }
        Rule::fold => {
            let mut parts = pair.into_inner();
            let (op, item, length) = (FoldOp::named(parts.next()?.as_str())?, parts.next()?, parts.next()?);
            match (of(item)?, of(length)?) {
                (Part::Int(item), Part::Int(length)) => SymExpr::folded(op, item, length).map(Part::Int),
                _ => None,
            }
        }
        Rule::choice => choice(pair),
        Rule::sum => sum(pair),
        _ => operators(pair),
    }
}

fn choice(pair: Pair<'_, Rule>) -> Option<Part> {
    let mut parts = pair.into_inner();
    let condition = of(parts.next()?)?;
    let Some(then) = parts.next() else { return Some(condition) };
    match (condition, of(then)?, of(parts.next()?)?) {
        (Part::Int(condition), Part::Real(a), Part::Real(b)) => Some(Part::Real(RealExpr::select(condition, a, b))),
        (condition, a, b) => apply(SymOp::Select, vec![condition, a, b]),
    }
}

fn sum(pair: Pair<'_, Rule>) -> Option<Part> {
    let mut parts = pair.into_inner().peekable();
    let negative = parts.next_if(|part| part.as_rule() == Rule::minus).is_some();
    let first = parts.next()?;
    let value = if negative { negated(first)? } else { of(first)? };
    rest(value, parts)
}

/// A product behind a sign, which is that of its first factor.
fn negated(product: Pair<'_, Rule>) -> Option<Part> {
    let mut parts = product.into_inner();
    let first = match of(parts.next()?)? {
        Part::Int(value) => Part::Int(value.scaled(-1)?),
        Part::Real(value) => Part::Real(RealExpr::unary(UnaryOp::Neg, value)),
    };
    rest(first, parts)
}

fn operators(pair: Pair<'_, Rule>) -> Option<Part> {
    let mut parts = pair.into_inner();
    let first = of(parts.next()?)?;
    rest(first, parts)
}

/// Operators with what stands on their right, applied from the left.
fn rest<'i>(first: Part, mut parts: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Part> {
    let mut value = first;
    while let Some(operator) = parts.next() {
        value = binary(&operator, value, of(parts.next()?)?)?;
    }
    Some(value)
}

fn binary(operator: &Pair<'_, Rule>, a: Part, b: Part) -> Option<Part> {
    let relation = match operator.as_str() {
        "<" => Some(SymOp::Lt),
        "<=" => Some(SymOp::Le),
        "==" => Some(SymOp::Eq),
        "!=" => Some(SymOp::Ne),
        _ => None,
    };
    match (a, b, relation) {
        (Part::Int(a), Part::Int(b), None) => integer(operator.as_rule(), a, b).map(Part::Int),
        (Part::Real(a), Part::Real(b), None) => RealExpr::binary(real(operator.as_rule())?, a, b).map(Part::Real),
        (Part::Real(a), Part::Real(b), Some(relation)) => Some(Part::Int(RealExpr::compare(relation, a, b))),
        (a, b, Some(relation)) => apply(relation, vec![a, b]),
        _ => None,
    }
}

fn integer(operator: Rule, a: SymExpr, b: SymExpr) -> Option<SymExpr> {
    let op = match operator {
        Rule::plus => return a.plus(&b),
        Rule::minus => return a.minus(&b),
        Rule::times => return a.times(&b),
        Rule::floor_div if (&a, &b) == (&SymExpr::Const(1), &SymExpr::Const(0)) => return Some(SymExpr::undefined()),
        Rule::floor_div => SymOp::FloorDiv,
        Rule::ceil_div => SymOp::CeilDiv,
        Rule::modulo => SymOp::Mod,
        Rule::pow => SymOp::Pow,
        Rule::min => SymOp::Min,
        Rule::max => SymOp::Max,
        Rule::and => SymOp::And,
        Rule::or => SymOp::Or,
        _ => return None,
    };
    SymExpr::apply(op, vec![a, b])
}

fn real(operator: Rule) -> Option<BinaryOp> {
    Some(match operator {
        Rule::plus => BinaryOp::Add,
        Rule::minus => BinaryOp::Sub,
        Rule::times => BinaryOp::Mul,
        Rule::floor_div => BinaryOp::Div,
        Rule::ceil_div => BinaryOp::CeilDiv,
        Rule::modulo => BinaryOp::Mod,
        Rule::pow => BinaryOp::Pow,
        Rule::min => BinaryOp::Min,
        Rule::max => BinaryOp::Max,
        _ => return None,
    })
}

fn call(function: &str, operand: Part) -> Option<Part> {
    match (function, operand) {
        ("real", Part::Int(value)) => Some(Part::Real(RealExpr::of(value))),
        ("int", Part::Real(value)) => Some(Part::Int(value.truncated())),
        ("abs", operand @ Part::Int(_)) => apply(SymOp::Abs, vec![operand]),
        ("sign", operand @ Part::Int(_)) => apply(SymOp::Sign, vec![operand]),
        (name, Part::Real(value)) => Some(Part::Real(RealExpr::builtin(Builtin::from_str(name).ok()?, value))),
        _ => None,
    }
}

fn apply(op: SymOp, parts: Vec<Part>) -> Option<Part> {
    let integer = |part| if let Part::Int(value) = part { Some(value) } else { None };
    SymExpr::apply(op, parts.into_iter().map(integer).collect::<Option<_>>()?).map(Part::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str) -> SymExpr {
        SymExpr::Symbol(name.into())
    }

    #[track_caller]
    fn survives(expr: SymExpr) {
        assert_eq!(expr.to_string().parse(), Ok(expr.clone()), "{expr}");
    }

    fn apply(op: SymOp, parts: &[SymExpr]) -> SymExpr {
        SymExpr::apply(op, parts.to_vec()).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let (n, m, three) = (symbol("n"), symbol("block:x.0"), SymExpr::Const(3));
        let sum = n.times(&SymExpr::Const(-2)).unwrap().plus(&m).unwrap().plus(&three).unwrap();
        survives(sum.clone());
        survives(SymExpr::Const(-7));
        survives(SymExpr::undefined());
        let ops =
            [SymOp::FloorDiv, SymOp::CeilDiv, SymOp::Mod, SymOp::Min, SymOp::Max, SymOp::Lt, SymOp::Le, SymOp::Ne];
        for op in ops {
            survives(apply(op, &[sum.clone(), n.clone()]));
            survives(apply(op, &[apply(op, &[sum.clone(), m.clone()]), n.times(&m).unwrap()]));
        }
        let less = apply(SymOp::Lt, &[n.clone(), three.clone()]);
        let other = apply(SymOp::Eq, &[m.clone(), three.clone()]);
        survives(apply(SymOp::And, &[less.clone(), other.clone()]));
        survives(apply(SymOp::Select, &[apply(SymOp::Or, &[less.clone(), other]), sum.clone(), n.clone()]));
        // A sign binds more than what rounds.
        for op in [SymOp::FloorDiv, SymOp::CeilDiv, SymOp::Mod] {
            let part = apply(op, &[n.clone(), three.clone()]);
            survives(part.scaled(-1).unwrap());
            survives(part.scaled(-1).unwrap().times(&m).unwrap().plus(&n).unwrap());
            survives(apply(op, &[n.scaled(-1).unwrap(), three.clone()]));
        }
        let quarter = apply(SymOp::FloorDiv, &[n.clone(), SymExpr::Const(4)]).scaled(-1).unwrap();
        assert_eq!(quarter.to_string(), "-(n / 4)");
        assert_eq!("-n / 4".parse(), Ok(apply(SymOp::FloorDiv, &[n.scaled(-1).unwrap(), SymExpr::Const(4)])));
        survives(apply(SymOp::Abs, std::slice::from_ref(&sum)).plus(&n).unwrap());
        survives(apply(SymOp::Not, &[apply(SymOp::And, &[less, apply(SymOp::Ne, &[n.clone(), m])])]));
    }

    #[test]
    fn folds_are_read() {
        let (item, length) = (apply(SymOp::Mod, &[symbol("#"), SymExpr::Const(7)]), symbol("n"));
        survives(item.clone());
        for op in FoldOp::ALL {
            let fold = SymExpr::folded(op, item.clone(), length.plus(&SymExpr::Const(1)).unwrap()).unwrap();
            survives(fold.clone());
            survives(fold.times(&symbol("sum")).unwrap());
        }
    }

    #[test]
    fn reals_are_read() {
        let n = RealExpr::of(symbol("n"));
        let half = RealExpr::binary(BinaryOp::Mul, n.clone(), RealExpr::known(0.5)).unwrap();
        let root = RealExpr::builtin(Builtin::Sqrt, half);
        survives(root.clone().truncated());
        survives(RealExpr::compare(SymOp::Lt, root.clone(), RealExpr::known(1e-7)));
        let product = RealExpr::binary(BinaryOp::Mul, root.clone(), n).unwrap();
        let negative = RealExpr::unary(UnaryOp::Neg, product);
        assert_eq!(negative.to_string().parse(), Ok(negative.clone()), "{negative}");
        let negative = RealExpr::unary(UnaryOp::Neg, root);
        assert_eq!(negative.to_string().parse(), Ok(negative.clone()), "{negative}");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "n +",
            "n m",
            "(n",
            "sqrt(n)",
            "n / 0",
            "real(n)",
            "(all of # for # < n)",
            "(sum of # for n)",
            "9999999999999999999",
        ] {
            assert_eq!(text.parse::<SymExpr>(), Err(()), "{text}");
        }
        assert_eq!("(".repeat(100_000).parse::<SymExpr>(), Err(()));
    }
}
