//! Splits and the constraints around them.

use super::{one, parts};

const PATTERN: &str = "Op(\"A\", \"X\")";

fn split(dimension: u32) -> String {
    format!("AUTOSPLIT({dimension}, \"I\", 32, Op(\"A\", TYPICAL_SLICE(\"X\", \"I\")))")
}

fn told(constraint: &str, replacement: &str) -> Vec<String> {
    parts(PATTERN, constraint, replacement)
}

#[test]
fn the_dimension_that_is_split_is_compared() {
    let other =
        "3:1: warning[split-unguarded] the rule splits dimension 1, and its constraint compares dimension 3 only";
    assert_eq!(one(told("GT(DIM_DEPTH(\"*\"), 32)", &split(1))), other);
    for good in [
        "GT(DIM_HEIGHT(\"X\"), 32)",
        "AND(GT(DIM_DEPTH(\"*\"), 32), GT(DIM_HEIGHT(\"*\"), 32))",
        "GT(DIM_OF(\"*\", SUB(RANK_OF(\"*\"), 1)), 32)",
        "GT(MUL(DIM_HEIGHT(\"*\"), DIM_DEPTH(\"*\")), 4096)",
        "EXTERNAL_CONSTRAINT(f, \"X\")",
    ] {
        assert_eq!(told(good, &split(1)), [""; 0], "{good}");
    }
    // The condition of a SELECT is a guard of both its branches.
    let chosen = format!("SELECT(GT(DIM_HEIGHT(\"*\"), 32), {}, Op(\"B\", \"X\"))", split(1));
    assert_eq!(told("OK", &chosen), [""; 0]);
}

#[test]
fn the_dimension_that_is_split_is_large() {
    let vain = |most: u32| {
        let what = "the rule splits dimension 1 only where it is";
        format!("3:1: warning[split-unguarded] {what} {most} or less, and fits one slice of 32")
    };
    assert_eq!(one(told("LT(DIM_HEIGHT(\"*\"), 32)", &split(1))), vain(31));
    assert_eq!(one(told("AND(OK, NOT(GT(DIM_HEIGHT(\"*\"), 16)))", &split(1))), vain(16));
    let otherwise = format!("SELECT(GT(DIM_HEIGHT(\"*\"), 32), Op(\"B\", \"X\"), {})", split(1));
    assert_eq!(one(told("OK", &otherwise)), vain(32));
    for good in ["LE(DIM_HEIGHT(\"*\"), 33)", "GT(DIM_HEIGHT(\"*\"), 16)", "AND(LT(DIM_HEIGHT(\"X\"), 8), OK)"] {
        assert_eq!(told(good, &split(1)), [""; 0], "{good}");
    }
}
