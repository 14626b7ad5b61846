//! What has no meaning, or another one than it seems to have, is not accepted in silence; and one mistake is one error.

use super::{constraint, one, parts, replacement};

#[test]
fn indices_count_from_zero() {
    for (text, place, outcome) in [
        ("EQ(DIM_OF(\"X\", -1), 4)", "3:16", "`DIM_OF` counts from 0: -1 reads as 0"),
        ("EQ(DIM_OF(\"X\", SUB(1, 3)), 4)", "3:16", "`DIM_OF` counts from 0: -2 reads as 0"),
        ("EQ(CONSTVAL_INT(\"X\", -1), 4)", "3:22", "`CONSTVAL_INT` counts from 0: -1 reads as MIN_INT"),
        ("GT(CONSTVAL_FLOAT(\"X\", -1), 4.0)", "3:24", "`CONSTVAL_FLOAT` counts from 0: -1 reads as NaN"),
        ("CONSTVAL_INT_VALID(\"X\", -1)", "3:25", "`CONSTVAL_INT_VALID` counts from 0: -1 is never valid"),
    ] {
        assert_eq!(one(constraint(text)), format!("{place}: warning[negative-size] {outcome}"));
    }
    for text in ["EQ(DIM_OF(\"X\", 1), 4)", "EQ(DIM_OF(\"X\", SUB(RANK_OF(\"X\"), 1)), 4)"] {
        assert_eq!(constraint(text), [""; 0]);
    }
}

#[test]
fn matches_begin_with_ops() {
    for name in ["$Const", "$Shape"] {
        let message = one(parts(&format!("Op(\"{name}\")"), "OK", "Op(\"B\")"));
        let expected = format!("2:4: warning[restriction] the match begins with `{name}`, a constant");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(parts("Op(\"A\", Op(\"$Const\"))", "OK", "Op(\"B\")"), [""; 0]);
}

#[test]
fn functions_of_the_framework_need_a_split_and_operands() {
    let split = |start: &str| {
        replacement(&format!(
            "AUTOSPLIT(3, \"I\", 32, Op(\"A\", AUTOSPLIT_SLICE(\"X\", {start}, AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, \"I\", \"X\"))))"
        ))
    };
    assert_eq!(split("AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, \"I\", \"X\")"), [""; 0]);
    assert_eq!(split("AUTOSPLIT_SHAPEFN_APPLY(simpledim_split_start, \"I\", \"X\", 3)"), [""; 0]);
    for (start, expected) in [
        (
            "SHAPEFN_APPLY(simple_split_start, \"X\")",
            "error[wrong-place] function `simple_split_start` takes the context",
        ),
        (
            "AUTOSPLIT_SHAPEFN_APPLY(simpledim_split_start, \"I\", \"X\")",
            "error[operand-count] function `simpledim_split_start` takes 2 operands behind the split, found 1",
        ),
        (
            "AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, \"I\")",
            "error[operand-count] function `simple_split_start` takes 1 operand behind the split, found 0",
        ),
    ] {
        let message = one(split(start));
        assert!(message.starts_with("4:") && message.contains(expected), "{message}");
    }
}

#[test]
fn chunks_have_dimensions() {
    let expected = "3:30: error[type] a dimension of a chunk is 0 to 4294967295, found -1";
    assert_eq!(one(constraint("EQ(LAYOUT_CHUNKSIZE(Crouton, -1), 3)")), expected);
}

#[test]
fn what_follows_from_a_mistake_is_no_other_one() {
    let message = one(replacement("AUTOSPLIT(1, I, 8, Op(\"B\", TYPICAL_SLICE(\"X\", \"I\")))"));
    assert!(message.contains("4:14: error") && message.contains("found `I`"), "{message}");
    let message = one(replacement("OpMultiOut(0, 0, \"B\", \"X\")"));
    assert!(message.contains("4:12: error") && message.contains("is 1 to 1024, found 0"), "{message}");
}
