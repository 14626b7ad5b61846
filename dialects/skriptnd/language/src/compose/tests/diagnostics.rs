//! What the messages say, and where they point.

use super::{error, errors, graph};
use skriptnd_source::diagnostics::Code;

fn model(compose: &str) -> String {
    graph(&format!("@input {{ x: real[3]; k: int[3]; }} @output {{ y: real[3]; }} @compose {{ {compose} }}"))
}

/// Code, place and a part of the message of a single error.
fn check(compose: &str, code: Code, place: &str, part: &str) {
    let (diagnostic, found) = error(&model(compose));
    assert_eq!((diagnostic.code, found.as_str()), (code, place), "{}", diagnostic.message);
    assert!(diagnostic.message.contains(part), "{}", diagnostic.message);
}

#[test]
fn invocations() {
    check("y = inc(z);", Code::UndeclaredIdentifier, "z", "`z` is not declared");
    check("y = icn(x);", Code::UnknownOperator, "icn", "`icn`");
    check("y = nn.relu(x);", Code::UnknownOperator, "nn.relu", "`nn.relu`");
    check("y = inc(x, x);", Code::ArgumentCount, "x", "has 1 input, 2 arguments are given");
    check("y = add(x);", Code::MissingArgument, "add(x)", "input `z`");
    check("y = inc(k);", Code::TypeMismatch, "k", "argument `x` must be real, found int");
    check("y = inc([x, x]);", Code::ArgumentKind, "[x, x]", "one tensor, found a pack");
    check("y = scale(x);", Code::MissingAttribute, "scale(x)", "attribute `f`");
    check("y = scale{f=1}(x);", Code::AttributeType, "1", "must be real, found int (1)");
    check("y = scale{f=x}(x);", Code::AttributeType, "x", "it is a tensor");
    check("y = scale{g=1.0, f=1.0}(x);", Code::UnknownAttribute, "g", "no attribute `g`");
    check("y = scale{f=1.0, f=2.0}(x);", Code::DuplicateAttribute, "f", "given twice");
    check("y = scale<int>{f=1.0}(x);", Code::TypeCount, "scale<int>{f=1.0}(x)", "0 generic types, 1 are given");
    check("y, z = inc(x);", Code::ResultCount, "y, z = inc(x)", "1 result, 2 are named");
    check("t = inc(x); t = inc(x); y = inc(t);", Code::AssignedTwice, "t", "`t` has a value already");
    check("y = add(x, 1.0);", Code::RankMismatch, "1.0", "argument `z` of `main.add` must have 1 dimension, found 0");
    let (diagnostic, _) = error(&model("y = icn(x);"));
    assert_eq!(diagnostic.help.as_deref(), Some("did you mean `inc`?"));
}

#[test]
fn outputs() {
    check("t = inc(x);", Code::OutputNotAssigned, "y", "never assigned");
    check("y = [x, x];", Code::OutputType, "y: real[3]", "pack");
    let (diagnostic, _) = error(&model("y = k;"));
    assert_eq!(diagnostic.message, "output `y` is declared as real[3], its value is int[3]: the element types differ");
}

#[test]
fn independent_errors_are_all_reported_and_followers_are_silent() {
    let text = model("a = inc(k); b = inc(missing); c = add(a, b); d = scale{f=true}(c); y = inc(c);");
    let found: Vec<(Code, String)> = errors(&text).iter().map(|(d, place)| (d.code, place.clone())).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], (Code::TypeMismatch, "k".to_owned()));
    assert_eq!(found[1], (Code::UndeclaredIdentifier, "missing".to_owned()));
}

#[test]
fn errors_inside_operators_tell_the_way() {
    let inner = "
        operator low { @input { x: real[n]; z: optional real[n]; } @output { y: real[n]; }
            @lower { y[i,] = x[i,] + z[i,], i < n; } }
        operator mid { @input { x: real[n]; } @output { y: real[n]; } @compose { t = inc(x); y = low(t); } }";
    let (diagnostic, place) = error(&format!("{inner}{}", model("y = mid(x);")));
    assert_eq!((diagnostic.code, place.as_str()), (Code::OptionalNotResolved, "x[i,] + z[i,]"));
    let chain: Vec<&str> = diagnostic.chain.iter().map(|frame| frame.operator.as_str()).collect();
    assert_eq!(chain, ["main.low", "main.mid"]);
    assert!(diagnostic.message.contains("`z`"), "{}", diagnostic.message);
}

#[test]
fn formulas() {
    let formula = |lower: &str| {
        let operator =
            format!("operator o {{ @input {{ x: real[n]; }} @output {{ y: real[n]; }} @lower {{ {lower} }} }}");
        error(&format!("{operator}{}", model("y = o(x);"))).0.code
    };
    assert_eq!(formula("y[i,] := x[i,], i < n;"), Code::NotInitialised);
    assert_eq!(formula("y[i,] >= x[i,], i < n;"), Code::NotInitialised);
    assert_eq!(formula("y[i,] = 1, i < n;"), Code::AssignedType);
    assert_eq!(formula("y[i,] = x[i, i], i < n;"), Code::IndexCount);
    assert_eq!(formula("x[i,] = 1.0, i < n;"), Code::TargetIsNoOutput);
    assert_eq!(formula("y[i,] = x[i,], i < n; y[i,] = x[i,], i < n;"), Code::AssignedAgain);
    assert_eq!(formula("y[i,] += x[i,], i < n; y[i,] *= x[i,], i < n;"), Code::AssignedAgain);
    assert_eq!(formula("y[i,] &= x[i,] > 0.0, i < n;"), Code::AccumulatedType);
    assert_eq!(formula("y[i,] = x[i,], i < -n;"), Code::NegativeLoop);
    assert_eq!(formula("y[i,] = x[j,], i < n;"), Code::UndeclaredIdentifier);
    assert_eq!(formula("y[i,] = x[0.5,], i < n;"), Code::IndexType);
    let two =
        "operator o { @input { x: real[n]; } @output { y: real[n]; z: real[n]; } @lower { y[i,] = x[i,], i < n; } }";
    let text = format!("{two}{}", model("y, z = o(x);"));
    assert_eq!(error(&text).0.message, "no formula of `@lower` computes all of output `z`");
}

#[test]
fn generic_types() {
    let operator = "operator o { @dtype { T: num; } @attrib { a: T; } @input { x: T[n]; } @output { y: T[n]; }
        @lower { y[i,] = x[i,] + a, i < n; } }";
    let (diagnostic, _) = error(&format!("{operator}{}", model("y = o{a=1}(x);")));
    assert_eq!(diagnostic.message, "attribute `a` is int, but type `T` is real already");
    let (diagnostic, _) = error(&format!("{operator}{}", model("y = o{a=true}(x);")));
    assert_eq!(diagnostic.code, Code::TypeMismatch);
    let (diagnostic, _) = error(&format!("{operator}{}", model("y = o<bool>{a=true}(x);")));
    assert_eq!(diagnostic.code, Code::TypeNotAdmitted);
}
