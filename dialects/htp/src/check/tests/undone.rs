//! Rules that together make again what one of them has replaced.

use super::strict;

fn rules(rules: &[(&str, &str, &str, &str)]) -> Vec<String> {
    let text: String = rules
        .iter()
        .map(|(pass, pattern, constraint, made)| {
            format!("DEF_PACKAGE_OPTIMIZATION({pass}, {pattern}, {constraint}, {made})\n")
        })
        .collect();
    strict(&text).into_iter().filter(|message| message.contains("[useless-rule]")).collect()
}

const ENDLESS: &str = "this rule makes again what others of its pass replace";
const UNDOES: &str = "this rule undoes what others do in their passes";
const OWN: &str = "applied to what it makes, the rule gives its match again";

#[test]
fn circles_are_told_once() {
    let (a, b) = ("Op(\"A\", \"x\")", "Op(\"B\", \"x\")");
    let circle = |first: &str, second: &str| rules(&[(first, a, "OK", b), (second, b, "OK", a)]);
    for (passes, line, message) in
        [(["EARLY", "EARLY"], 2, ENDLESS), (["EARLY", "LATE"], 2, UNDOES), (["LATE", "EARLY"], 1, UNDOES)]
    {
        let found = circle(passes[0], passes[1]);
        let [told] = &found[..] else { panic!("{passes:?}: {found:?}") };
        assert!(told.starts_with(&format!("{line}:1: warning")) && told.contains(message), "{told}");
    }
    // Of three rules, of ops within others, of constants and of both ways to name an op.
    for circle in [
        &[
            ("EARLY", a, "OK", b),
            ("EARLY", b, "OK", "Op(\"C\", \"x\")"),
            ("EARLY", "Op(\"C\", \"y\")", "OK", "Op(\"A\", \"y\")"),
        ][..],
        &[
            ("EARLY", "Op(\"F\", Op(\"G\", \"x\"))", "OK", "Op(\"F\", Op(\"H\", \"x\"))"),
            ("EARLY", "Op(\"H\", \"z\")", "OK", "Op(\"G\", \"z\")"),
        ],
        &[
            ("EARLY", "Op(\"F\", LET(\"g\", Op(\"G\", \"x\")), \"g\")", "OK", "Op(\"H\", Op(\"q::G\", \"x\"))"),
            ("EARLY", "Op(\"H\", \"g\")", "OK", "WITH_SAME_OUTPUT(\"*\", Op(\"F\", \"g\", \"g\"))"),
        ],
    ] {
        let found = rules(circle);
        assert!(matches!(&found[..], [told] if told.contains(ENDLESS)), "{circle:?}: {found:?}");
    }
    for made in ["Op(\"P\", \"y\", \"x\")", "WITH_SIZE(\"x\", Op(\"P\", \"y\", \"x\"))"] {
        let found = rules(&[("LATE", "Op(\"P\", \"x\", \"y\")", "OK", made)]);
        assert!(matches!(&found[..], [told] if told.contains(OWN)), "{made}: {found:?}");
    }
}

#[test]
fn what_ends_is_not_told() {
    let (a, b) = ("Op(\"A\", \"x\")", "Op(\"B\", \"x\")");
    for others in [
        // The constraints contradict each other.
        &[("EARLY", a, "IS_FLOAT(\"x\")", b), ("EARLY", b, "IS_QUINT8(\"x\")", a)][..],
        &[("EARLY", a, "OPTION_BOOL(\"o\")", b), ("EARLY", b, "NOT(OPTION_BOOL(\"o\"))", a)],
        &[("EARLY", a, "GT(DIM_DEPTH(\"*\"), 8)", b), ("LATE", b, "LE(DIM_DEPTH(\"*\"), 8)", a)],
        &[(
            "EARLY",
            "Op(\"P\", \"x\", \"y\")",
            "AND(CONSTVAL_FLOAT_VALID(\"x\", 0), NOT(CONSTVAL_FLOAT_VALID(\"y\", 0)))",
            "Op(\"P\", \"y\", \"x\")",
        )],
        // It is not the same again.
        &[("EARLY", a, "OK", b), ("EARLY", b, "OK", "Op(\"A\", Op(\"C\", \"x\"))")],
        &[("EARLY", a, "OK", "Op(\"B\", \"x\", gen_ConstScalar_i32(1))"), ("EARLY", b, "OK", a)],
        // Of another output.
        &[
            (
                "EARLY",
                "Op(\"F\", Op(\"G\", \"x\"))",
                "OK",
                "Op(\"F\", WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(\"H\", \"x\")))",
            ),
            (
                "EARLY",
                "Op(\"F\", Op(\"H\", \"x\"))",
                "OK",
                "Op(\"F\", WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(\"G\", \"x\")))",
            ),
        ],
    ] {
        assert_eq!(rules(others), [""; 0], "{others:?}");
    }
}

/// A file of many rules is searched as one of few.
#[test]
fn many_rules_are_searched() {
    let names: Vec<[String; 2]> =
        (0..2000).map(|at| [format!("Op(\"A{at}\", \"x\")"), format!("Op(\"A{}\", \"x\")", at + 1)]).collect();
    let chain: Vec<_> = names.iter().map(|[from, to]| ("EARLY", from.as_str(), "OK", to.as_str())).collect();
    assert_eq!(rules(&chain), [""; 0]);
}

/// What orders two nodes holds one way only.
#[test]
fn exchanges_that_order_end() {
    let exchange = |constraint| rules(&[("EARLY", "Op(\"H\", \"a\", \"b\")", constraint, "Op(\"H\", \"b\", \"a\")")]);
    for constraint in [
        "LT(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\"))",
        "NOT(LE(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\")))",
        "AND(LE(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\")), NE(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\")))",
        "AND(NE(STEPSIZE_OF(\"a\"), STEPSIZE_OF(\"b\")), GE(STEPSIZE_OF(\"b\"), STEPSIZE_OF(\"a\")))",
        "GT(STEPSIZE_OF(\"a\"), STEPSIZE_OF(\"b\"))",
        "AND(IS_FLOAT(\"a\"), GT(DIM_HEIGHT(\"b\"), DIM_HEIGHT(\"a\")))",
    ] {
        assert_eq!(exchange(constraint), Vec::<String>::new(), "{constraint}");
    }
    for constraint in [
        "LE(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\"))",
        "NE(DIM_DEPTH(\"a\"), DIM_DEPTH(\"b\"))",
        "GE(STEPSIZE_OF(\"a\"), STEPSIZE_OF(\"b\"))",
        "NOT(LT(STEPSIZE_OF(\"a\"), STEPSIZE_OF(\"b\")))",
    ] {
        let found = exchange(constraint);
        assert!(found.len() == 1 && found[0].contains(OWN), "{constraint}: {found:?}");
    }
}
