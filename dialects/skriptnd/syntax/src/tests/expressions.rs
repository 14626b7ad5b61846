use super::{expression, parse_text};
use crate::ast::{Expr, ExprKind, FoldOp, Item, StrPart, TypeExpr};
use crate::grammar::{Grammar, Rule};
use crate::spelling::KEYWORDS;
use pest::Parser;

/// An expression with every operation in parentheses.
fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Real(value) => format!("{value:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Inf => "inf".into(),
        ExprKind::Pi => "pi".into(),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Str(parts) => parts.iter().map(show_part).collect::<Vec<_>>().join("+"),
        ExprKind::Member(base, member) => format!("{}.{member:?}", base.text),
        ExprKind::List(list) => format!("[{}]", items(list)),
        ExprKind::Subscript { base, items: list, trailing_comma } => {
            format!("{}[{}{}]", show(base), items(list), if *trailing_comma { "," } else { "" })
        }
        ExprKind::Bounded { index, remap: None } => format!("|{}|", show(index)),
        ExprKind::Bounded { index, remap: Some((a, b)) } => {
            format!("|{} <> {} : {}|", show(index), show(a), show(b))
        }
        ExprKind::Substitute { base, index, value } => {
            format!("({}[{}] <- {})", show(base), items(std::slice::from_ref(index)), show(value))
        }
        ExprKind::Unary(op, value) => format!("({op:?} {})", show(value)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::Select(c, a, None) => format!("({} ? {})", show(c), show(a)),
        ExprKind::Select(c, a, Some(b)) => format!("({} ? {} : {})", show(c), show(a), show(b)),
        ExprKind::Coalesce(a, b) => format!("({} ?? {})", show(a), show(b)),
        ExprKind::Is(a, b) => format!("({} is {})", show(a), show(b)),
        ExprKind::In(a, b) => format!("({} in {})", show(a), show(b)),
        ExprKind::NullTest(a) => format!("(? {})", show(a)),
        ExprKind::Fold { pack, op, cumulative } => {
            let dots = if *cumulative { "..." } else { ".." };
            match op {
                FoldOp::Binary(op) => format!("({} {op:?} {dots})", show(pack)),
                FoldOp::Uniform => format!("({} := {dots})", show(pack)),
            }
        }
        ExprKind::Cast(ty, value) => {
            let ty = match ty {
                TypeExpr::Concrete(name, _) => format!("{name:?}"),
                TypeExpr::Generic(name) => name.text.to_string(),
            };
            format!("{ty}({})", value.as_deref().map_or(String::new(), show))
        }
        ExprKind::Builtin(function, value) => format!("`{function:?}`({})", show(value)),
        ExprKind::Paren(inner) => show(inner),
    }
}

fn show_part(part: &StrPart) -> String {
    match part {
        StrPart::Text(text) => format!("{text:?}"),
        StrPart::Format(value) => format!("{{{}}}", show(value)),
    }
}

fn items(list: &[Item]) -> String {
    let optional = |e: &Option<Expr>| e.as_ref().map_or(String::new(), show);
    let pack = |length: &Option<Expr>| length.as_ref().map_or("..".to_owned(), |l| format!("..({})", show(l)));
    let one = |item: &Item| match item {
        Item::Value(value) => show(value),
        Item::Expand(value, spec) => format!("{}{}", show(value), pack(&spec.length)),
        Item::Range(b, e, s, _) => format!("{}:{}:{}", optional(b), optional(e), optional(s)),
        Item::Zip(values, spec) => {
            format!("({}){}", values.iter().map(show).collect::<Vec<_>>().join(", "), pack(&spec.length))
        }
    };
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn precedence() {
    let cases = [
        ("a + b * c", "(a Add (b Mul c))"),
        ("a - b - c", "((a Sub b) Sub c)"),
        ("a ** b ** c", "((a Pow b) Pow c)"),
        ("-a ** b", "(Neg (a Pow b))"),
        ("a ** -b", "(a Pow (Neg b))"),
        ("-a * b", "((Neg a) Mul b)"),
        ("a \\ b % c", "((a CeilDiv b) Mod c)"),
        ("a << b + c", "(a Min (b Add c))"),
        ("a < b << c", "(a Lt (b Min c))"),
        ("a || b && c", "((a Or b) And c)"),
        ("a ^ b || c", "((a Xor b) Or c)"),
        ("a == b && c", "((a Eq b) And c)"),
        ("a => b || c", "(a Implies (b Or c))"),
        ("a => b => c", "(a Implies (b Implies c))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ?? b ? c : d", "(a ?? (b ? c : d))"),
        ("a ? b ?? c : d", "(a ? (b ?? c) : d)"),
        ("a ?? b ?? c", "(a ?? (b ?? c))"),
        ("?a && c ? a : 0", "(((? a) And c) ? a : 0)"),
        ("c ? ?x : y", "(c ? (? x) : y)"),
        ("!a in b", "((Not a) in b)"),
        ("s is -1 ? 1 : s", "((s is (Neg 1)) ? 1 : s)"),
        ("(a + b) * c", "((a Add b) Mul c)"),
    ];
    for (text, expected) in cases {
        assert_eq!(show(&expression(text)), expected, "{text}");
    }
}

#[test]
fn folds_take_the_precedence_of_their_operator() {
    let cases = [
        ("p + .. + 40", "((p Add ..) Add 40)"),
        ("a + b * ..", "(a Add (b Mul ..))"),
        ("a is b && ..", "((a is b) And ..)"),
        ("x >> ...", "(x Max ...)"),
        ("x >? ...", "(x Max ...)"),
        ("x != ..", "(x Ne ..)"),
        ("x := ..", "(x := ..)"),
        ("(x + ...)[-1]", "(x Add ...)[(Neg 1)]"),
    ];
    for (text, expected) in cases {
        assert_eq!(show(&expression(text)), expected, "{text}");
    }
}

#[test]
fn lists_subscripts_and_substitutions() {
    let cases = [
        ("[1 ..(3), a.., 2:n, (b, c)..]", "[1..(3), a.., 2:n:, (b, c)..]"),
        ("[]", "[]"),
        ("a[::-1]", "a[::(Neg 1)]"),
        ("a[:n]", "a[:n:]"),
        ("x[i,]", "x[i,]"),
        ("x[]", "x[]"),
        ("x[k][i, j..]", "x[k][i, j..]"),
        ("x[|i - n <> 0 : s - 1|..]", "x[|(i Sub n) <> 0 : (s Sub 1)|..]"),
        ("x[c ? |i| : i..]", "x[(c ? |i| : i)..]"),
        ("a[i] <- b + 1", "(a[i] <- (b Add 1))"),
        ("x[z[a] <- |i|..]", "x[(z[a] <- |i|)..]"),
        ("i <-1", "(i Lt (Neg 1))"),
        ("bytes.shape[0:1]", "bytes.Shape[0:1:]"),
    ];
    for (text, expected) in cases {
        assert_eq!(show(&expression(text)), expected, "{text}");
    }
}

#[test]
fn literals_and_calls() {
    let cases = [
        ("1e-5 + 1.5 + 2.", "((1e-5 Add 1.5) Add 2.0)"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("int(-inf)", "Int((Neg inf))"),
        ("T()", "T()"),
        ("`sqrt`(x)", "`Sqrt`(x)"),
        ("sqrt(x) + sqrt", "(`Sqrt`(x) Add sqrt)"),
        ("'a' \"b\"\n 'c'", "\"abc\""),
        (r#""a = {a + 2}\{\n""#, r#""a = "+{(a Add 2)}+"{\n""#),
        (r#""{x == '\}'}""#, r#"{(x Eq "}")}"#),
        ("is \\ in", "(is CeilDiv in)"),
        ("is is in in is", "((is is in) in is)"),
    ];
    for (text, expected) in cases {
        assert_eq!(show(&expression(text)), expected, "{text}");
    }
}

#[test]
fn both_spellings_mean_the_same() {
    for (old, new) in [("a << b", "a <? b"), ("a >> b", "a >? b"), ("`exp`(x)", "exp(x)"), ("a << ..", "a <? ..")] {
        assert_eq!(show(&expression(old)), show(&expression(new)));
    }
}

#[test]
fn keywords_are_no_names() {
    for word in KEYWORDS {
        assert!(Grammar::parse(Rule::name, word).is_err(), "{word}");
        assert!(Grammar::parse(Rule::name, &format!("{word}s")).is_ok(), "{word}s");
    }
    assert!(KEYWORDS.is_sorted());
    assert_eq!(parse_text("operator o { @using { v = [then, a]; } }").1, ["1:28 expected an expression, found `then`"]);
}
