use super::{SymExpr, SymOp};
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
