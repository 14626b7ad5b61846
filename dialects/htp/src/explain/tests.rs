use super::*;
use crate::commands::{RuleSet, Settings};

#[test]
fn a_rule_reads_well() {
    let set = RuleSet::parse(
        "test.htp",
        "DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op(\"A\", LET(\"r\", OpVarIn(\"$Cat\", \"x\"))),\n\
         AND(IS_FLOAT(\"x\"), GT(DIM_DEPTH(\"*\"), ADD(1, 2u)), NOT(SAME_SHAPE(\"r\", INPUT_OF(\"*\", 0)))),\n\
         WITH_SIZE(gen_Shape(1, 1, 1, RANK_OF(\"x\")), Op(\"mine::B\", \"r\", gen_ConstScalar_f32(0.5))))",
        &Settings::default(),
    );
    assert!(set.found.is_empty(), "{}", set.messages());
    assert_eq!(
        explain(&set.rules[0]),
        "test.htp:1: in pass EARLY + 2 (2002)\n  \
           matches  q::A(r = $Cat(x, ...))\n  \
           where    dtype of x == Float32\n  and      dimension 3 of the root > 3\n  \
           and      not(r and input 0 of the root have the same shape)\n  \
           becomes  mine::B(r, float 0.5) {size of shape [1, 1, 1, rank of x]}\n"
    );
}

#[test]
fn nothing_of_a_replacement_is_left_out() {
    let becomes = |replacement: &str| {
        let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, OpVarIn(\"A\", \"x\"), OK, {replacement})");
        let set = RuleSet::parse("test.htp", &text, &Settings::default());
        assert_eq!(set.rules.len(), 1, "{}", set.messages());
        explain(&set.rules[0]).split_once("becomes  ").unwrap().1.trim().to_owned()
    };
    for (replacement, expected) in [
        (
            "AUTOSPLIT(1, \"I\", 8, Op(\"A\", CHANGEDIM_SLICE(\"x\", \"I\", 2)))",
            "split I of dimension 1 in slices of 8: q::A(slice I of x along dimension 2)",
        ),
        (
            "AUTOSPLIT(1, \"I\", 8, Op(\"A\", AUTOSPLIT_SHAPEFN_APPLY(f, \"I\", \"x\", SPLIT_START(\"I\"))))",
            "split I of dimension 1 in slices of 8: q::A(f(split I, x, start of split I))",
        ),
        (
            "OP_ITER(Op(\"A\"), \"K\", 0, 2, Op(\"B\", INPUT_OF(\"*\", ITER_VAR(\"K\"))))",
            "q::A() with an input for K from 0 below 2: q::B(input K of the root)",
        ),
        (
            "WITH_SPLIT_HISTORY(\"x\", 4, WITH_SAME_OUTPUT(\"x\", Op(\"B\", gen_ConstArr_i32(7, 3))))",
            "q::B(ints [7, 3 times]) {size and type of x} {split history of x and a split in slices of 4}",
        ),
        ("WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(\"B\"))", "q::B() {dtype Float16}"),
        ("WITH_OUTPUT_TYPE(DType::QInt8, 3, 0.5f, Op(\"B\"))", "q::B() {dtype QInt8, zero offset 3, step size 0.5}"),
    ] {
        assert_eq!(becomes(replacement), expected);
    }
}

/// The conditions of a rule, and what comes before them.
fn conditions(condition: &str) -> String {
    let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", \"n\"), {condition}, Op(\"B\", \"x\"))");
    let set = RuleSet::parse("test.htp", &text, &Settings::default());
    assert_eq!(set.rules.len(), 1, "{}", set.messages());
    let told = explain(&set.rules[0]);
    let told = told.split_once("q::A(x, n)\n").unwrap().1.split_once("  becomes").unwrap().0;
    told.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_may_be_one_of_several_is_told_once() {
    let quantized = "OR(IS_QUINT8(\"x\"), IS_QINT8(\"x\"))";
    assert_eq!(conditions(quantized), "where    dtype of x is one of [QUInt8, QInt8]");
    assert_eq!(
        conditions(&format!("OR({quantized}, GT(DIM_DEPTH(\"x\"), 4), IS_FLOAT(\"x\"))")),
        "where    dtype of x is one of [QUInt8, QInt8] or dimension 3 of x > 4 or dtype of x == Float32"
    );
    let other = "OR(IS_QUINT8(\"x\"), IS_QUINT8(\"n\"))";
    assert_eq!(conditions(other), "where    dtype of x == QUInt8 or dtype of n == QUInt8");
}

#[test]
fn what_is_told_often_has_a_name() {
    let size = "MUL(DIM_OF(\"x\", 0), DIM_OF(\"x\", 1), DIM_OF(\"x\", 2))";
    assert_eq!(
        conditions(&format!("AND(GT({size}, 4), LT({size}, 9), NE({size}, 6))")),
        "with     m = dimension 0 of x * dimension 1 of x * dimension 2 of x; where    m > 4; and      m < 9; and      m != 6"
    );
}
