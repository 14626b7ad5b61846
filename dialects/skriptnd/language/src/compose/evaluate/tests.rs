//! Values of expressions, worked out by hand from section 2.4.

use super::Evaluator;
use crate::compose::env::Env;
use crate::compose::extent::SymExpr;
use crate::compose::failure::Failure;
use crate::compose::tensors::FormalTensors;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::diagnostics::Code;
use skriptnd_source::{SourceMap, Span};
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind};
use std::sync::Arc;

fn parsed(text: &str) -> Expr {
    let module = format!("operator o {{ @using {{ result = {text}; }} }}");
    let file = SourceMap::default().add("test", module.as_str());
    let (module, diagnostics) = skriptnd_syntax::parse(file, &module);
    assert!(!diagnostics.has_errors(), "{text}: {:?}", diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>());
    module.operators[0].usings[0].value.clone()
}

/// `a = [3, 1, 4]`, `b = [true, false, true]`, `n = 5`, `x = 2.5`, `s` and `t` known at run time, `none` null.
fn env() -> Env {
    let mut env = Env::default();
    let mut set = |name: &str, term: Term| env.set(&Arc::from(name), term);
    set("a", Term::Pack([3, 1, 4].map(Term::Int).to_vec()));
    set("b", Term::Pack([true, false, true].map(Term::Bool).to_vec()));
    set("n", Term::Int(5));
    set("x", Term::Real(2.5));
    set("w", Term::Str("word".into()));
    set("s", Term::Symbolic(SymExpr::Symbol("s".into())));
    set("t", Term::Symbolic(SymExpr::Symbol("t".into())));
    set("none", Term::Null);
    set("T", Term::Type(ScalarType::Real));
    env
}

fn value(text: &str) -> Result<String, String> {
    let tensors = FormalTensors::default();
    match Evaluator::new(&env(), &tensors).eval(&parsed(text)) {
        Ok(term) => Ok(term.to_string()),
        Err(Failure::Report(diagnostic)) => Err(diagnostic.code.to_string()),
        Err(Failure::Silent) => Err("silent".to_owned()),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(value(text).as_deref(), Ok(*expected), "{text}");
    }
}

fn check_errors(cases: &[(&str, &str)]) {
    for (text, code) in cases {
        assert_eq!(value(text), Err((*code).to_owned()), "{text}");
    }
}

#[test]
fn lists_ranges_and_zips() {
    check(&[
        ("[n, a.., n]", "[5, 3, 1, 4, 5]"),
        ("[7 ..(3)]", "[7, 7, 7]"),
        ("[1, n ..(n > 4), 2, n ..(n > 5)]", "[1, 5, 2]"),
        ("[0, 2:n, a..]", "[0, 2, 3, 4, 3, 1, 4]"),
        ("[n:0:-2]", "[5, 3, 1]"),
        ("[n-1:-1:-1]", "[4, 3, 2, 1, 0]"),
        ("[3:3]", "[]"),
        ("[0:n:3]", "[0, 3]"),
        ("[(a, a * 10)..]", "[3, 30, 1, 10, 4, 40]"),
        ("[1 ..(0)]", "[]"),
        ("[none, 1]", "null"),
        ("[1 ..(1000000000000)]", "[1 ..(1000000000000)]"),
        ("[2 ..(1000000000000)] + ..", "2000000000000"),
    ]);
    check_errors(&[
        ("[a, 1]", "pack-not-expanded"),
        ("[0:1000000000000]", "pack-limit"),
        ("[0:5:0]", "zero-stride"),
        ("[1, 2.0]", "mixed-list"),
        ("[(a, [1])..]", "pack-lengths"),
        ("[1 ..(-1)]", "negative-length"),
    ]);
}

#[test]
fn indexing() {
    check(&[
        ("a[0]", "3"),
        ("a[-1]", "4"),
        ("a[[2, 0]]", "[4, 3]"),
        ("a[b]", "[3, 4]"),
        ("a[1:]", "[1, 4]"),
        ("a[:-1]", "[3, 1]"),
        ("a[::-1]", "[4, 1, 3]"),
        ("a[2:0:-1]", "[4, 1]"),
        ("a[::2]", "[3, 4]"),
        ("a[-2:]", "[1, 4]"),
        ("a[1:100]", "[1, 4]"),
        ("w[0]", "w"),
        ("w[1:3]", "or"),
        ("w[::-1]", "drow"),
        ("w[[0, 3]]", "wd"),
    ]);
    check_errors(&[
        ("a[3]", "index-range"),
        ("a[-4]", "index-range"),
        ("a[[true]]", "pack-lengths"),
        ("n[0]", "not-indexable"),
    ]);
}

#[test]
fn substitution() {
    check(&[
        ("a[1] <- 9", "[3, 9, 4]"),
        ("a[-1] <- 9", "[3, 1, 9]"),
        ("a[[0, 2]] <- [7, 8]", "[7, 1, 8]"),
        ("a[[0, 2]] <- 0", "[0, 1, 0]"),
        ("a[b] <- [5, 6]", "[5, 1, 6]"),
        ("a[1:] <- [5, 6]", "[3, 5, 6]"),
    ]);
    check_errors(&[("a[[0, 2]] <- [1]", "pack-lengths"), ("a[0] <- [1]", "pack-for-item")]);
}

#[test]
fn operators() {
    check(&[
        ("7 / 2", "3"),
        ("(0 - 7) / 2", "-4"),
        ("7 \\ 2", "4"),
        ("(0 - 7) \\ 2", "-3"),
        ("(0 - 7) % 3", "2"),
        ("7.5 % 2.0", "1.5"),
        ("7.5 \\ 2.0", "4.0"),
        ("2 ** 10", "1024"),
        ("-2 ** 2", "-4"),
        ("2.0 ** 0.5 > 1.41", "true"),
        ("3 << 5", "3"),
        ("3 >> 5", "5"),
        ("a + 1", "[4, 2, 5]"),
        ("a * a", "[9, 1, 16]"),
        ("a > 2", "[true, false, true]"),
        ("!b", "[false, true, false]"),
        ("-a", "[-3, -1, -4]"),
        ("true ^ true", "false"),
        ("false => 1 / 0 == 1", "true"),
        ("true || 1 / 0 == 1", "true"),
        ("'abc' == \"abc\"", "true"),
        ("'a' < 'b'", "true"),
        ("none + 1", "null"),
    ]);
    check_errors(&[
        ("1 / 0", "division-by-zero"),
        ("1 % 0", "division-by-zero"),
        ("9223372036854775807 + 1", "integer-overflow"),
        ("2 ** 63", "integer-overflow"),
        ("2 ** (0 - 1)", "negative-exponent"),
        ("1 + 1.0", "operand-type"),
        ("true + true", "operand-type"),
        ("a + [1, 2]", "pack-lengths"),
        ("missing + 1", "undeclared-identifier"),
    ]);
}

#[test]
fn selection_and_null() {
    check(&[
        ("n > 3 ? 1 : 1 / 0", "1"),
        ("n > 9 ? 1", "null"),
        ("b ? a : 0", "[3, 0, 4]"),
        ("b ? a : a * 10", "[3, 10, 4]"),
        ("?none", "false"),
        ("?n", "true"),
        ("?none && none > 3 ? none : 7", "7"),
        ("none ?? 3", "3"),
        ("n ?? 3", "5"),
        ("none > 3", "null"),
        ("(none ?? a)[0]", "3"),
        ("a is 1", "[false, true, false]"),
        ("s is t", "false"),
        ("s is s", "true"),
        ("s + t is t + s", "true"),
        ("n in a", "false"),
        ("[3, 9] in a", "[true, false]"),
        ("'x' in ['x', 'y']", "true"),
    ]);
}

#[test]
fn folds() {
    check(&[
        ("a + ..", "8"),
        ("a * ..", "12"),
        ("a << ..", "1"),
        ("a >> ..", "4"),
        ("b && ..", "false"),
        ("b || ..", "true"),
        ("[1 ..(0)] + ..", "0"),
        ("[1 ..(0)] * ..", "1"),
        ("[1 ..(0)] >> ..", "null"),
        ("[true ..(0)] && ..", "true"),
        ("[true ..(0)] || ..", "false"),
        ("[1, 2, 2] <= ..", "true"),
        ("[1, 2, 2] < ..", "false"),
        ("[3, 1] > ..", "true"),
        ("[1, 2, 1] != ..", "false"),
        ("[1, 2, 3] != ..", "true"),
        ("['a', 'b', 'a'] != ..", "false"),
        ("[2, 2] == ..", "true"),
        ("[1 ..(0)] != ..", "true"),
        ("a + .. + 42", "50"),
        ("a + ...", "[3, 4, 8]"),
        ("a * ...", "[3, 3, 12]"),
        ("a >> ...", "[3, 3, 4]"),
        ("a << ...", "[3, 1, 1]"),
        ("b && ...", "[true, false, false]"),
        ("[1 ..(0)] + ...", "[]"),
        ("[2, 2, 2] := ..", "2"),
        ("a := ..", "null"),
        ("[s ..(2)] := ..", "s"),
    ]);
    check_errors(&[("n + ..", "pack-expected")]);
}

#[test]
fn casts_functions_and_strings() {
    check(&[
        ("int(2.9)", "2"),
        ("int(-2.9)", "-2"),
        ("real(n)", "5.0"),
        ("bool(0)", "false"),
        ("int(true)", "1"),
        ("real(a)", "[3.0, 1.0, 4.0]"),
        ("int(inf)", "9223372036854775807"),
        ("int(-inf)", "-9223372036854775808"),
        ("T(n)", "5.0"),
        ("T()", "0.0"),
        ("int()", "0"),
        ("str() == ''", "true"),
        ("`sqrt`(16.0)", "4.0"),
        ("`round`(2.5)", "3.0"),
        ("`round`(-2.5)", "-3.0"),
        ("`frac`(-0.25)", "0.75"),
        ("`abs`(-3)", "3"),
        ("`sign`(-2.0)", "-1.0"),
        ("\"n is {n + 2}, a is {a}, x is {x}\"", "n is 7, a is [3, 1, 4], x is 2.5"),
        ("'a' 'b'", "ab"),
    ]);
    check_errors(&[("`sqrt`(4)", "builtin-type"), ("int('1')", "no-such-cast"), ("U(1)", "unknown-type")]);
}

#[test]
fn the_error_function_agrees_with_tables() {
    let erf = |x| crate::arithmetic::real_builtin(skriptnd_syntax::ast::Builtin::Erf, x);
    // Abramowitz and Stegun, table 7.1 and 7.3.
    let table = [
        (0.0, 0.0),
        (0.1, 0.112_462_916_0),
        (0.5, 0.520_499_877_8),
        (1.0, 0.842_700_792_9),
        (2.0, 0.995_322_265_0),
        (2.4, 0.999_311_486_1),
        (3.0, 0.999_977_909_5),
    ];
    for (x, expected) in table {
        assert!((erf(x) - expected).abs() < 1e-10, "erf({x}) = {}", erf(x));
        assert_eq!(erf(-x), -erf(x));
    }
    assert_eq!((erf(f64::INFINITY), erf(f64::NEG_INFINITY)), (1.0, -1.0));
    assert!(erf(f64::NAN).is_nan());
    assert!((erf(2.5 - 1e-13) - erf(2.5)).abs() < 1e-14, "both ways meet");
}

#[test]
fn extents_of_the_run_stay_symbolic() {
    check(&[
        ("s + 1 - s", "1"),
        ("(2 * s + 4) / 2 - s", "2"),
        ("s == s", "true"),
        ("s < s + 1", "true"),
        ("(s >> s)", "s"),
        ("(s * 4) % 4", "0"),
        ("[s, t] + ..", "s + t"),
        ("s == t || true", "true"),
        ("s > 0 ? s : s", "s"),
    ]);
    check(&[("1.0 / real(s)", "1.0 / real(s)"), ("int(`ceil`(real(s) * 1.5))", "int(ceil(real(s) * 1.5))")]);
    check(&[("[0:s]", "[0, 1, 2, ... (s items)]"), ("[t ..(s)]", "[t ..(s)]"), ("[0:s] * 2 + ..", "s * s - s")]);
}

#[test]
fn deep_expressions_end_with_a_message() {
    // The parser has a limit of its own, so the tree is built here.
    let mut expr = parsed("1");
    for _ in 0..300 {
        let span = expr.span;
        expr = Expr { kind: ExprKind::Paren(Box::new(expr)), span };
    }
    let tensors = FormalTensors::default();
    match Evaluator::new(&env(), &tensors).eval(&expr) {
        Err(Failure::Report(diagnostic)) => assert_eq!(diagnostic.code, Code::NestingLimit),
        other => panic!("{other:?}"),
    }
}

#[test]
fn long_chains_are_no_depth() {
    let mut expr = parsed("1 + 1");
    for _ in 0..10_000 {
        let span = expr.span;
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(expr), Box::new(parsed_one(span)));
        expr = Expr { kind, span };
    }
    let tensors = FormalTensors::default();
    let sum = Evaluator::new(&env(), &tensors).eval(&expr);
    assert!(matches!(sum, Ok(Term::Int(10_002))), "{sum:?}");
    dismantle(expr);
}

fn parsed_one(span: Span) -> Expr {
    Expr { kind: ExprKind::Int(1), span }
}

/// Drops a chain without recursion.
fn dismantle(expr: Expr) {
    let mut rest = Some(expr);
    while let Some(expr) = rest {
        rest = match expr.kind {
            ExprKind::Binary(_, left, _) => Some(*left),
            _ => None,
        };
    }
}
