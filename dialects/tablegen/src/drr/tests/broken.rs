//! What is said of broken patterns: place and message.

use super::*;

#[test]
fn refusals_say_where_and_why() {
    let cases: &[(&str, &str)] = &[
        (
            "(Neg $x, $y), (replaceWithValue $x)",
            "1:22: pattern 'P': operation 't.neg' has 1 arguments, the pattern gives 2",
        ),
        (
            "(Add $x), (replaceWithValue $x)",
            "1:13: pattern 'P': operation 't.add' has 2 arguments, the pattern gives 1",
        ),
        ("(Neg $x), (replaceWithValue $y)", "1:41: pattern 'P': '$y' is not bound"),
        ("(Neg $x), (Add $x, (Neg $y))", "1:37: pattern 'P': '$y' is not bound"),
        ("(T $x), (replaceWithValue $x)", "1:13: pattern 'P': 'T' cannot be matched: it is not an operation"),
        ("(Neg $x), (T $x)", "1:23: pattern 'P': 'T' cannot be made: it is not an operation"),
        (
            "(replaceWithValue $x), (Neg $x)",
            "1:13: pattern 'P': 'replaceWithValue' cannot be matched: it is not an operation",
        ),
        (
            "(Neg I64Attr:$x), (replaceWithValue $x)",
            "1:18: pattern 'P': 'I64Attr' is not a type constraint, which an operand needs",
        ),
        (
            "(Cat $x, F32Tensor:$a), (Cat $x, $a)",
            "1:22: pattern 'P': 'F32Tensor' is not an attribute constraint, which an attribute needs",
        ),
        ("(Add (Neg:$n $x), (Neg:$n $y)), (replaceWithValue $x)", "1:31: pattern 'P': '$n' is bound twice"),
        ("(Neg:$x $x), (Neg $x)", "1:13: pattern 'P': '$x' is bound twice"),
        (
            "(Add (Two $x), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': 't.two' has 2 results: say which by '$op__N'",
        ),
        ("(Add (Two:$t__2 $x), $y), (replaceWithValue $y)", "1:18: pattern 'P': 't.two' has no result 2"),
        (
            "(Add (Sink $x), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': 't.sink' has no result that could be an operand",
        ),
        ("(Neg $x), (Scale $x, ?, ?, ?)", "1:23: pattern 'P': attribute 'by' must be given"),
        (
            "(Scale $x, $_, $b, $_), (Cat (variadic $x), $b)",
            "1:57: pattern 'P': '$b' may be absent, but attribute 'axis' must be given",
        ),
        (
            "(Neg $x), (Neg (Add $x, $x))",
            "1:28: pattern 'P': the types of 't.add' cannot be inferred; say them by (returnType ...)",
        ),
        (
            "(Neg $x), (Neg $x, (returnType $x))",
            "1:32: pattern 'P': what replaces the root has the types of the root: 'returnType' cannot change them",
        ),
        ("(Neg $x), (Neg (Add $x, $x, (returnType)))", "1:41: pattern 'P': 'returnType' needs types"),
        (
            "(Neg $x), (Neg (Add $x, $x, (returnType $x, $x)))",
            "1:41: pattern 'P': 't.add' has 1 results, 'returnType' gives 2",
        ),
        (
            "(Neg $x), (Neg (location $x), $x)",
            "1:43: pattern 'P': 'returnType' and 'location' stand behind all arguments",
        ),
        ("(Neg $x), (Neg $x, (location))", "1:32: pattern 'P': 'location' needs bound names or a string"),
        ("(Neg $x), (Neg $x, (location \"a\", \"b\"))", "1:47: pattern 'P': 'location' takes one string"),
        ("(Neg $x), (Neg $x, (location $q))", "1:42: pattern 'P': '$q' is not bound"),
        ("(Cat $x, $a), (Cat $x, $a, (location $a))", "1:50: pattern 'P': the attribute '$a' has no place"),
        ("(Neg $x), (replaceWithValue $x, $x)", "1:23: pattern 'P': 'replaceWithValue' takes one bound name"),
        ("(Neg $x), (replaceWithValue:$y $x)", "1:23: pattern 'P': 'replaceWithValue' cannot be named '$y'"),
        ("(Add (either $a)), (replaceWithValue $a)", "1:18: pattern 'P': 'either' takes two operands"),
        (
            "(Cat (either $a, $b)), (replaceWithValue $a)",
            "1:18: pattern 'P': argument 'axis' of 't.cat' cannot be in 'either'",
        ),
        ("(Neg (variadic $x)), (replaceWithValue $x)", "1:18: pattern 'P': operand 'x' is one value, not a group"),
        ("(Join $xs, (variadic $y, $z)), (replaceWithValue $z)", "1:24: pattern 'P': operand 'y' is one value at most"),
        ("(Cat $xs, $a), (Neg $xs)", "1:33: pattern 'P': operand 'x' takes one value, any number are given"),
        (
            "(Cat $xs, $a), (Cat (variadic $xs, $xs), $a)",
            "1:28: pattern 'P': operand 'xs' cannot join values of unknown number with others",
        ),
        (
            "(Add (NativeCodeCall<\"f($_self)\">:$q), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': the native call cannot be named '$q': it names what it tells in its arguments",
        ),
        (
            "(Neg $x), (NativeCodeCall<\"f($0, $1)\"> $x)",
            "1:23: pattern 'P': the native call 'f($0, $1)' has $1, but one argument is given",
        ),
        (
            "(Neg $x), (NativeCodeCallVoid<\"f($0)\"> $x)",
            "1:5: pattern 'P': the root has 1 results, the pattern gives 0",
        ),
        (
            "(Neg $x), (NativeCodeCall<\"f($0)\", 9223372036854775807> $x)",
            "1:23: pattern 'P': a native call returns 0 to 256 values, not 9223372036854775807",
        ),
        (
            "(Neg $x), (NativeCodeCall<\"f($0)\", -1> $x)",
            "1:23: pattern 'P': a native call returns 0 to 256 values, not -1",
        ),
        (
            "(Add (NativeCodeCall<\"f($_self)\", 1000000> $q), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': a native call returns 0 to 256 values, not 1000000",
        ),
        (
            "(Neg $x), (NativeCodeCall<\"fn::g($0)\"> $x)",
            "1:23: pattern 'P': the native call 'fn::g($0)' has 'fn' in its path, which is no name in Rust",
        ),
        (
            "(Cat $x, $a), (Cat $x, ConstantAttr<I32Attr, \"99999999999999999999999\">)",
            "1:36: pattern 'P': 99999999999999999999999 is not a value of 'I32Attr'",
        ),
        ("(Cat $x, $a), (Cat $x, 4294967296)", "1:36: pattern 'P': 4294967296 is not a value of 'I32Attr'"),
        ("(Neg $x), (NativeCodeCall<\"\"> $x)", "1:23: pattern 'P': the native call says nothing"),
        (
            "(Neg $x), (Neg I32Attr:$x)",
            "1:28: pattern 'P': 'I32Attr' cannot constrain '$x' here: state it in the source pattern",
        ),
        ("(Neg $x), (Neg F32Tensor)", "1:28: pattern 'P': 'F32Tensor' cannot be an argument of something made"),
        ("(Neg $x), (Cat (variadic $x), (Neg $x))", "1:43: pattern 'P': attribute 'axis' cannot be an operation"),
        ("(Neg $x), (Neg:$z $x), [(HasNoUseOf $z)]", "1:49: pattern 'P': '$z' is not bound"),
        ("(Neg $x), (Neg $x), [(F32Tensor $x, $x)]", "1:34: pattern 'P': a type constraint is about one value, not 2"),
        ("(Neg $x), (Neg $x), [(Neg $x)]", "1:34: pattern 'P': 'Neg' is not a constraint"),
        ("(Neg $x), (Neg $x), [(HasNoUseOf)]", "1:34: pattern 'P': the constraint 'has no use' is about nothing"),
        (
            "(Neg $x), (replaceWithValue $x), [], [], (addBenefit -5)",
            "1:5: pattern 'P': the benefit is that of 1 operations and -5 more, which is not between 0 and 32767",
        ),
        (
            "(Neg $x), (replaceWithValue $x), [], [], (addBenefit 40000)",
            "1:5: pattern 'P': the benefit is that of 1 operations and 40000 more, which is not between 0 and 32767",
        ),
        (
            "(Neg:$n $x), (replaceWithValue $n)",
            "1:44: pattern 'P': the result of the root 't.neg' is replaced by itself; such a rule would apply to what it leaves again and again",
        ),
        (
            "(Add (NativeCodeCall<\"Foo(&$0)\"> I32Attr:$n), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': 'Foo(&$0)' is not given '$_self', the operation that it is asked of",
        ),
        (
            "(Add (NativeCodeCall<\"Foo\">), $y), (replaceWithValue $y)",
            "1:18: pattern 'P': 'Foo' is not given '$_self', the operation that it is asked of",
        ),
        (
            "(Pair ConstantAttr<AffineMapAttr, \"m\">, $b), (Pair $b, $b)",
            "1:19: pattern 'P': the constant 'm' of 'AffineMapAttr' cannot be said in MLIR's syntax",
        ),
    ];
    for (pattern, expected) in cases {
        assert_eq!(errors(&format!("def P : Pat<{pattern}>;")), [*expected], "{pattern}");
    }
}

#[test]
fn results_that_do_not_fit_are_told() {
    let cases = [
        ("(Two $x), [(Neg $x)]", "1:5: pattern 'P': the root has 2 results, the pattern gives 1"),
        ("(Neg $x), []", "1:5: pattern 'P': the root has 1 results, the pattern gives 0"),
        (
            "(Neg $x), [(Two $x)]",
            "1:28: pattern 'P': an operation cannot both help and replace the root: it has more results than are left",
        ),
    ];
    for (pattern, expected) in cases {
        let found = errors(&format!("def P : Pattern<{pattern}>;"));
        assert!(found.contains(&expected.to_string()), "{pattern}: {found:?}");
    }
}

#[test]
fn all_errors_are_told_in_one_run() {
    let found = errors(
        "def P : Pattern<(Add (Neg $x, $y), (T $z)),
  [(Neg $x, $x), (Scale $x, ?, ?, ?)],
  [(Neg $x), (HasNoUseOf $w)]>;
def Q : Pat<(Neg $x), (Add $y, $z)>;",
    );
    assert_eq!(
        found,
        [
            "1:31: pattern 'P': operation 't.neg' has 1 arguments, the pattern gives 2",
            "1:36: pattern 'P': 'T' cannot be matched: it is not an operation",
            "3:4: pattern 'P': 'Neg' is not a constraint",
            "2:13: pattern 'P': operation 't.neg' has 1 arguments, the pattern gives 2",
            "4:28: pattern 'Q': '$y' is not bound",
            "4:32: pattern 'Q': '$z' is not bound",
        ]
    );
}

#[test]
fn one_mistake_is_told_once() {
    // Which results are replaced is not known, so neither are their types.
    let found = errors("def P : Pattern<(Two $x), [(Add $x, $x)]>;");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the root has 2 results"), "{found:?}");
    let found = errors("def P : Pattern<(Neg $x), [(Add:$d $x), (Add $d, $d)]>;");
    assert_eq!(found, ["1:28: pattern 'P': operation 't.add' has 2 arguments, the pattern gives 1"]);
}

#[test]
fn operations_that_no_pattern_names_need_not_be_readable() {
    let module = pdl("def Odd : TOp<\"odd\"> { let arguments = (ins AnyTensor); }
def P : Pat<(Neg $x), (replaceWithValue $x)>;");
    assert_eq!(module.rules.len(), 1);
}

#[test]
fn patterns_that_match_what_they_make_are_told() {
    let endless = |pattern: &str| {
        let warnings = pdl(&format!("def P : Pat<{pattern}>;")).warnings;
        warnings.iter().any(|warning| warning.message().contains("applies without end"))
    };
    for pattern in [
        "(Add $x, $y), (Add $y, $x)",
        "(Neg (Neg:$n $x)), (Neg $n)",
        "(Neg $x), (Neg (Neg $x))",
        "(Cat $xs, ConstantAttr<I32Attr, \"1\">), (Cat $xs, ConstantAttr<I32Attr, \"1\">)",
        "(Cat $xs, I32Attr:$a), (Cat $xs, $a)",
    ] {
        assert!(endless(pattern), "{pattern}");
    }
    for pattern in [
        "(Add $x, $x), (Add $x, (Same $x))",
        "(Neg (Neg $x)), (Neg $x)",
        "(Cat $xs, ConstantAttr<I32Attr, \"1\">), (Cat $xs, ConstantAttr<I32Attr, \"2\">)",
        "(Add F32Tensor:$x, $y), (Add $y, $x)",
        "(Add:$s $x, $y), (Add $y, $x), [(HasNoUseOf:$s)]",
    ] {
        assert!(!endless(pattern), "{pattern}");
    }
}
