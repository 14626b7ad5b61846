use super::{Extent, RealExpr, SymExpr, SymOp};
use skriptnd_syntax::ast::{BinaryOp, Builtin};
use std::sync::Arc;

fn symbol(name: &str) -> SymExpr {
    SymExpr::Symbol(Arc::from(name))
}

fn known(value: i64) -> SymExpr {
    SymExpr::Const(value)
}

#[test]
fn polynomials_are_canonical() {
    let (s, t) = (symbol("s"), symbol("t"));
    let square = s.plus(&t).and_then(|sum| sum.times(&sum)).unwrap();
    let expanded = s.times(&s).unwrap().plus(&s.times(&t).unwrap().times(&known(2)).unwrap()).unwrap();
    let expanded = t.times(&t).unwrap().plus(&expanded).unwrap();
    assert_eq!(square, expanded);
    assert_eq!(square.minus(&expanded), Some(known(0)));
    assert_eq!(SymExpr::apply(SymOp::FloorDiv, vec![s.times(&known(4)).unwrap(), known(4)]), Some(s.clone()));
    assert_eq!(SymExpr::apply(SymOp::Lt, vec![s.clone(), s.plus(&known(1)).unwrap()]), Some(known(1)));
}

#[test]
fn bounds_follow_the_expression() {
    // (s + 2 - 3) / 2 + 1 for s at most 9
    let s = symbol("s");
    let value = SymExpr::apply(SymOp::FloorDiv, vec![s.plus(&known(-1)).unwrap(), known(2)]).unwrap();
    let value = value.plus(&known(1)).unwrap();
    assert_eq!(value.upper_bound(&|_| Some(9)), Some(5));
    assert_eq!(value.evaluate(&|_| Some(9)), Some(5));
    assert_eq!(value.substitute(&|_| Some(known(4))), Some(known(2)));
}

#[test]
fn bounds_decide_conditions() {
    let s = symbol("s");
    let less = |a: &SymExpr, b: i64| SymExpr::apply(SymOp::Lt, vec![a.clone(), known(b)]).unwrap();
    assert_eq!(less(&s, 10).truth(&|_| Some(9)), Some(true));
    assert_eq!(less(&s, 9).truth(&|_| Some(9)), None);
    assert_eq!(less(&s, 0).truth(&|_| Some(9)), Some(false));
    let both = SymExpr::apply(SymOp::And, vec![less(&s, 10), less(&s, 5)]).unwrap();
    assert_eq!(both.truth(&|_| Some(9)), None);
    assert_eq!(both.truth(&|_| Some(4)), Some(true));
    assert_eq!(both.truth(&|_| None), None);
}

#[test]
fn quotients_are_near_what_they_divide() {
    let s = symbol("s");
    let half = apply(SymOp::FloorDiv, &s, &known(2));
    let is_never_negative = |expr: SymExpr| expr.is_never_negative(&|_| Some(1 << 30));
    assert!(is_never_negative(s.minus(&half.scaled(2).unwrap()).unwrap()));
    assert!(!is_never_negative(half.scaled(2).unwrap().minus(&s).unwrap()));
    assert!(is_never_negative(half.scaled(2).unwrap().minus(&s).unwrap().plus(&known(1)).unwrap()));
    let quarter = apply(SymOp::FloorDiv, &s.plus(&known(3)).unwrap(), &known(4));
    assert!(is_never_negative(quarter.scaled(4).unwrap().minus(&s).unwrap()));
    assert!(!is_never_negative(s.minus(&quarter.scaled(4).unwrap()).unwrap()));
}

fn apply(op: SymOp, a: &SymExpr, b: &SymExpr) -> SymExpr {
    SymExpr::apply(op, vec![a.clone(), b.clone()]).unwrap()
}

#[test]
fn equal_quotients_are_the_same() {
    let n = symbol("n");
    let (plus, minus) = (n.plus(&known(1)).unwrap(), n.plus(&known(-1)).unwrap());
    let divide = |a: &SymExpr, b: i64| apply(SymOp::FloorDiv, a, &known(b));
    assert_eq!(plus.times(&minus), n.times(&n).unwrap().plus(&known(-1)));
    assert_eq!(divide(&n.times(&known(2)).unwrap(), 2), n);
    assert_eq!(divide(&n.times(&known(2)).unwrap().plus(&known(5)).unwrap(), 2), n.plus(&known(2)).unwrap());
    assert_eq!(divide(&n.times(&known(6)).unwrap(), 4), divide(&n.times(&known(3)).unwrap(), 2));
    assert_eq!(divide(&divide(&n, 2), 3), divide(&n, 6));
    assert_eq!(divide(&divide(&plus, 2).plus(&known(1)).unwrap(), 2), divide(&n.plus(&known(3)).unwrap(), 4));
    assert_eq!(apply(SymOp::CeilDiv, &n, &known(4)), divide(&n.plus(&known(3)).unwrap(), 4));
    assert_eq!(divide(&n, -2), apply(SymOp::CeilDiv, &n, &known(2)).times(&known(-1)).unwrap());
    assert_eq!(divide(&minus, 2).plus(&known(1)).unwrap(), divide(&plus, 2));
    assert_ne!(divide(&n, 2).times(&known(2)).unwrap(), n);
    let m = symbol("m");
    assert_eq!(
        apply(SymOp::FloorDiv, &n.times(&m).unwrap().times(&known(4)).unwrap(), &n),
        m.times(&known(4)).unwrap()
    );
}

#[test]
fn conditions_are_decided_where_no_value_can_matter() {
    let (n, m) = (symbol("n"), symbol("m"));
    let rest = apply(SymOp::Mod, &n, &known(4));
    let whole = apply(SymOp::FloorDiv, &n, &known(4)).times(&known(4)).unwrap();
    assert_eq!(apply(SymOp::Eq, &rest.plus(&whole).unwrap(), &n), known(1));
    assert_eq!(apply(SymOp::Eq, &n.times(&known(2)).unwrap(), &known(5)), known(0));
    assert_eq!(apply(SymOp::Le, &known(0), &n), known(1));
    assert_eq!(apply(SymOp::Lt, &rest, &known(4)), known(1));
    assert_eq!(apply(SymOp::Min, &n, &n.plus(&m).unwrap()), n);
    assert_eq!(apply(SymOp::Max, &apply(SymOp::Max, &n, &m), &n), apply(SymOp::Max, &m, &n));
    let less = apply(SymOp::Lt, &n, &m);
    let not = SymExpr::apply(SymOp::Not, vec![less.clone()]).unwrap();
    assert_eq!(apply(SymOp::Or, &less, &not), known(1));
    assert_eq!(apply(SymOp::Eq, &n, &m), apply(SymOp::Eq, &m, &n));
}

#[test]
fn few_values_are_all_tried() {
    let n = symbol("n");
    let rest = apply(SymOp::Mod, &n.times(&known(-1)).unwrap(), &known(8));
    // n rounded up to a multiple of 8
    let padded = n.plus(&rest).unwrap();
    assert_eq!(padded.upper_bound(&|_| Some(10)), Some(16));
    let even =
        apply(SymOp::Eq, &apply(SymOp::Mod, &n.times(&n.plus(&known(1)).unwrap()).unwrap(), &known(2)), &known(0));
    assert_eq!(even.truth(&|_| Some(20)), Some(true));
    assert_eq!(even.truth(&|_| Some(1 << 40)), None);
    assert_eq!(apply(SymOp::FloorDiv, &known(12), &n).upper_bound(&|_| Some(4)), Some(12));
    assert_eq!(n.times(&n).unwrap().upper_bound(&|_| None), None);
}

#[test]
fn reals_of_extents() {
    let n = RealExpr::of(symbol("n"));
    let scaled = RealExpr::binary(BinaryOp::Mul, n.clone(), RealExpr::known(1.5)).unwrap();
    let ceil = RealExpr::builtin(Builtin::Ceil, scaled).truncated();
    assert_eq!(ceil.evaluate(&|_| Some(5)), Some(8));
    assert_eq!(ceil.upper_bound(&|_| Some(7)), Some(11));
    assert_eq!(ceil.to_string(), "int(ceil(real(n) * 1.5))");
    let half = RealExpr::binary(BinaryOp::Div, n.clone(), RealExpr::known(2.0)).unwrap();
    assert_eq!(RealExpr::builtin(Builtin::Floor, half).truncated(), apply(SymOp::FloorDiv, &symbol("n"), &known(2)));
    let twice = RealExpr::binary(BinaryOp::Mul, n, RealExpr::known(2.0)).unwrap();
    assert_eq!(twice.truncated(), symbol("n").times(&known(2)).unwrap());
}

#[test]
fn extents_are_written_as_a_person_would() {
    let (n, m) = (symbol("n"), symbol("m"));
    let difference = n.plus(&known(-1)).unwrap();
    let quotient = apply(SymOp::FloorDiv, &n.plus(&known(1)).unwrap(), &known(2));
    assert_eq!(difference.to_string(), "n - 1");
    assert_eq!(quotient.plus(&known(1)).unwrap().to_string(), "(n + 1) / 2 + 1");
    assert_eq!(quotient.times(&m).unwrap().to_string(), "m * ((n + 1) / 2)");
    assert_eq!(known(3).minus(&n).unwrap().to_string(), "-n + 3");
    assert_eq!(apply(SymOp::Lt, &m, &n).to_string(), "m < n");
    assert_eq!(apply(SymOp::Min, &m, &difference).to_string(), "m << n - 1");
}

const OPS: [SymOp; 10] = [
    SymOp::FloorDiv,
    SymOp::CeilDiv,
    SymOp::Mod,
    SymOp::Min,
    SymOp::Max,
    SymOp::Lt,
    SymOp::Le,
    SymOp::Eq,
    SymOp::And,
    SymOp::Or,
];

/// An expression, and the values that it has at points.
type Valued = (SymExpr, Vec<Option<i64>>);

/// What an operation makes of two expressions, and of their values without these.
fn combined(kind: usize, [a, b]: [Valued; 2]) -> Option<Valued> {
    let expr = match kind {
        10 => a.0.plus(&b.0),
        11 => a.0.minus(&b.0),
        12 => a.0.times(&b.0),
        _ => SymExpr::apply(OPS[kind], vec![a.0, b.0]),
    };
    let values = a.1.iter().zip(&b.1).map(|(a, b)| match kind {
        10 => a.zip(*b).map(|(a, b)| a + b),
        11 => a.zip(*b).map(|(a, b)| a - b),
        12 => a.zip(*b).map(|(a, b)| a * b),
        _ => a.zip(*b).and_then(|(a, b)| OPS[kind].evaluate(&[a, b])),
    });
    Some((expr?, values.collect()))
}

/// A random expression of `n` and `m`, with its values at points.
fn random(points: &[(i64, i64)], next: &mut impl FnMut(usize) -> usize) -> Valued {
    let mut pool: Vec<Valued> = vec![
        (symbol("n"), points.iter().map(|p| Some(p.0)).collect()),
        (symbol("m"), points.iter().map(|p| Some(p.1)).collect()),
    ];
    pool.extend([-3, 1, 2, 4].map(|value| (known(value), vec![Some(value); points.len()])));
    for _ in 0..5 {
        let kind = next(13);
        let operands = [0; 2].map(|_| {
            let (expr, values) = pool[next(pool.len())].clone();
            if !matches!(OPS.get(kind), Some(SymOp::And | SymOp::Or)) {
                return (expr, values);
            }
            let truth = apply(SymOp::Ne, &expr, &known(0));
            (truth, values.into_iter().map(|value| value.map(|value| i64::from(value != 0))).collect())
        });
        pool.extend(combined(kind, operands));
    }
    pool.pop().unwrap()
}

/// Simplification must not change values, whatever expression it is given, nor may bounds leave any out.
#[test]
fn simplified_expressions_keep_their_values() {
    let mut state = 1u64;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % limit as u64) as usize
    };
    let points: Vec<(i64, i64)> = (0..5).flat_map(|n| (0..5).map(move |m| (n, m))).collect();
    for _ in 0..3000 {
        let (expr, values) = random(&points, &mut next);
        let defined = points.iter().zip(&values).filter_map(|(point, value)| value.map(|value| (point, value)));
        for ((n, m), value) in defined.clone() {
            let found = expr.evaluate(&|name| Some(if name == "n" { *n } else { *m }));
            assert_eq!(found, Some(value), "{expr} at n = {n}, m = {m}");
        }
        let least = defined.clone().map(|(_, value)| value).min().unwrap_or(0);
        assert!(least >= 0 || !expr.is_never_negative(&|_| Some(1 << 30)), "{expr} is {least}");
        if let (Some(bound), Some(largest)) = (expr.upper_bound(&|_| Some(4)), defined.map(|(_, value)| value).max()) {
            assert!(bound >= largest, "{expr} is at most {bound}, but {largest}");
        }
    }
}

#[test]
fn bounds_tell_those_of_symbols() {
    let told = |value: SymExpr, bound| Extent { value, bound }.symbol_bound().map(|(_, bound)| bound);
    let twice = || symbol("n").times(&known(2)).unwrap();
    assert_eq!(told(symbol("n"), Some(4)), Some(4));
    assert_eq!(told(twice().plus(&known(1)).unwrap(), Some(8)), Some(3));
    assert_eq!(told(twice(), None), None);
    assert_eq!(told(known(9).minus(&symbol("n")).unwrap(), Some(8)), None);
    assert_eq!(told(symbol("n").times(&symbol("m")).unwrap(), Some(8)), None);
}
