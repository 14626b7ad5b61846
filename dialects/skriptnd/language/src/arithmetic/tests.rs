use super::*;
use skriptnd_syntax::ast::Builtin;

#[test]
fn integer_division_of_all_signs() {
    let cases = [(7, 2, 3, 4, 1), (-7, 2, -4, -3, 1), (7, -2, -4, -3, -1), (-7, -2, 3, 4, -1), (6, -2, -3, -3, 0)];
    for (a, b, down, up, rest) in cases {
        let results = (floor_div(a, b).exact(), ceil_div(a, b).exact(), floor_mod(a, b).exact());
        assert_eq!(results, (Ok(down), Ok(up), Ok(rest)), "{a} {b}");
        assert_eq!(down * b + rest, a, "{a} {b}");
    }
    for op in [floor_div, ceil_div, floor_mod] {
        assert_eq!(op(1, 0), IntResult::Undefined(IntFault::DivisionByZero));
    }
    assert_eq!(floor_div(i64::MIN, -1), IntResult::Inexact(i64::MIN, IntFault::Overflow));
    assert_eq!(ceil_div(i64::MIN, -1), IntResult::Inexact(i64::MIN, IntFault::Overflow));
    assert_eq!(floor_mod(i64::MIN, -1), IntResult::Exact(0));
}

#[test]
fn integer_powers() {
    let cases = [(3, 4, 81), (-2, 3, -8), (5, 0, 1), (0, 0, 1), (-1, -3, -1), (1, -5, 1), (-2, 63, i64::MIN)];
    for (a, b, expected) in cases {
        assert_eq!(power(a, b), IntResult::Exact(expected), "{a} ** {b}");
    }
    assert_eq!(power(7, -1), IntResult::Inexact(0, IntFault::NegativeExponent));
    assert_eq!(power(0, -1), IntResult::Undefined(IntFault::NegativeExponent));
    assert_eq!(power(2, 64), IntResult::Inexact(0, IntFault::Overflow));
    assert_eq!(power(10, 19).exact(), Err(IntFault::Overflow));
    assert_eq!(power(10, 18).exact(), Ok(1_000_000_000_000_000_000));
    assert_eq!(power(3, 41).wrapped(), Ok(3i64.wrapping_pow(41)));
}

#[test]
fn beyond_64_bits_a_run_wraps() {
    assert_eq!(int(BinaryOp::Add, i64::MAX, 1), Some(IntResult::Inexact(i64::MIN, IntFault::Overflow)));
    assert_eq!(int(BinaryOp::Mul, 1 << 32, 1 << 32).map(IntResult::wrapped), Some(Ok(0)));
    assert_eq!(int(BinaryOp::Lt, 1, 2), None);
    assert_eq!(int_builtin(Builtin::Abs, i64::MIN), Some(IntResult::Inexact(i64::MIN, IntFault::Overflow)));
}

#[test]
fn special_values() {
    assert!(f32::NAN.smaller(1.0).is_nan() && 1.0f32.smaller(f32::NAN).is_nan());
    assert!(f64::NAN.larger(1.0).is_nan() && 1.0f64.larger(f64::NAN).is_nan());
    assert_eq!((1.0f32.smaller(2.0), 1.0f32.larger(2.0)), (1.0, 2.0));
    assert_eq!(real_builtin(Builtin::Round, -2.5), -3.0);
    assert_eq!(real_builtin(Builtin::Frac, -1.25), 0.75);
    assert_eq!(real_builtin(Builtin::Sign, -0.0), 0.0);
    assert_eq!(real(BinaryOp::CeilDiv, 7.0f32, 2.0), Some(4.0));
    assert_eq!(compare(BinaryOp::Ne, f32::NAN, f32::NAN), Some(true));
    assert_eq!(logic(BinaryOp::Implies, true, false), Some(false));
}

#[test]
fn neutral_elements_change_nothing() {
    let operators = [BinaryOp::Add, BinaryOp::Mul, BinaryOp::Min, BinaryOp::Max];
    for op in operators {
        let Some(Scalar::Int(whole)) = neutral(op, ScalarType::Int) else { panic!("{op:?}") };
        for value in [i64::MIN, -1, 0, 1, i64::MAX] {
            assert_eq!(int(op, whole, value), Some(IntResult::Exact(value)), "{op:?}");
        }
        let Some(Scalar::Real(real_neutral)) = neutral(op, ScalarType::Real) else { panic!("{op:?}") };
        for value in [f64::NEG_INFINITY, -1.5, 0.0, f64::INFINITY] {
            assert_eq!(real(op, real_neutral, value), Some(value), "{op:?}");
        }
    }
    for op in [BinaryOp::And, BinaryOp::Or] {
        let Some(Scalar::Bool(truth)) = neutral(op, ScalarType::Bool) else { panic!("{op:?}") };
        assert_eq!([false, true].map(|value| logic(op, truth, value)), [Some(false), Some(true)]);
        assert_eq!(neutral(op, ScalarType::Int), None);
    }
    assert_eq!(of_nothing(BinaryOp::Max, ScalarType::Int), None);
    assert_eq!(of_nothing(BinaryOp::Mul, ScalarType::Real), Some(Scalar::Real(1.0)));
}

#[test]
fn what_follows_from_the_values() {
    let undefined = [BinaryOp::Div, BinaryOp::CeilDiv, BinaryOp::Mod, BinaryOp::Pow];
    let others = [BinaryOp::Add, BinaryOp::Min, BinaryOp::And, BinaryOp::Lt];
    assert!(undefined.into_iter().all(may_be_undefined) && !others.into_iter().any(may_be_undefined));
    assert!([Builtin::Sin, Builtin::Erf, Builtin::Round].into_iter().all(keeps_zero));
    assert!(![Builtin::Exp, Builtin::Log, Builtin::Acosh].into_iter().any(keeps_zero));
    assert_eq!(result_type(BinaryOp::Lt, ScalarType::Bool), Some(ScalarType::Bool));
    assert_eq!(result_type(BinaryOp::Min, ScalarType::Bool), None);
    assert_eq!(result_type(BinaryOp::And, ScalarType::Int), None);
    assert_eq!(result_type(BinaryOp::Pow, ScalarType::Real), Some(ScalarType::Real));
    assert_eq!(result_type(BinaryOp::Eq, ScalarType::Str), None);
    assert!(is_defined(Builtin::Abs, ScalarType::Int) && !is_defined(Builtin::Exp, ScalarType::Int));
}
