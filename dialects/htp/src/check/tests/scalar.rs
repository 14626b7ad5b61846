//! Expressions: types, names, places and counts.

use super::{constraint, one};

#[test]
fn constraint_types() {
    let error = |text: &str| one(constraint(text));
    assert_eq!(error("DIM_DEPTH(\"X\")"), "3:1: error[type] expected type bool, found size");
    assert_eq!(error("AND(OK, 1)"), "3:9: error[type] expected type bool, found int");
    assert_eq!(error("NOT(1.5)"), "3:5: error[type] expected type bool, found float");
    assert_eq!(error("IS_POW2(2.0)"), "3:9: error[type] expected type int or size, found float");
    assert_eq!(error("EQ(ROUNDUP(4, 3), 4)"), "3:15: error[roundup] `ROUNDUP` rounds to a power of 2, found 3");
    assert_eq!(error("EQ(DIV(4, 0), 4)"), "3:11: error[division-by-zero] an integer is divided by 0");
    assert_eq!(error("EQ(MOD(4, SUB(1, 1)), 4)"), "3:11: error[division-by-zero] an integer is divided by 0");
    assert_eq!(error("EQ(ROUNDUP(4, ADD(1, 2)), 4)"), "3:15: error[roundup] `ROUNDUP` rounds to a power of 2, found 3");
    assert_eq!(error("EQ(OK, 1)"), "3:1: error[type] `EQ` needs operands of one type, found bool and int");
    assert_eq!(error("LT(true, false)"), "3:1: error[type] `LT` compares numbers, found bool");
    assert_eq!(
        error("EQ(SELECT(OK, 1, OK), 1)"),
        "3:4: error[type] `SELECT` needs operands of one type, found int and bool"
    );
    assert_eq!(
        error("EQ(FLOAT(DType::Int32), 1.0)"),
        "3:10: error[type] a value of type dtype can't be converted to float"
    );
    assert_eq!(
        error("EQ(DTYPE(1.0), DType::Int32)"),
        "3:10: error[type] a value of type float can't be converted to dtype"
    );
    assert_eq!(error("EQ(DIM_OF(\"X\", 1.0), 1)"), "3:16: error[type] expected type int or size, found float");
    assert_eq!(
        error("EXTERNAL_CONSTRAINT(f, \"X\", DType::Int32)"),
        "3:29: error[type] expected type bool, int, size or float, found dtype"
    );
    assert_eq!(error("EQ(ADD(1, DType::Int32), 1)"), "3:11: error[type] expected type int, size or float, found dtype");
    assert_eq!(
        error("LT(DIM_DEPTH(\"X\"), -1)"),
        "3:20: warning[negative-size] -1 meets a value of type size and becomes a huge number"
    );
    for good in [
        "OK",
        "XOR(true)",
        "EQ(ABS(NEG(-5)), 5)",
        "EQ(SUB(DIM_DEPTH(\"X\"), 1), 3.0)",
        "GE(MAX(1, 2u), 0.5)",
        "EQ(OK, true)",
        "OPTION_BOOL(\"a\")",
        "NE(DTYPE(3), DTYPE_OF(\"*\"))",
        "EQ(INT(DType::QInt8), 3)",
        "CONSTVAL_INT_VALID(\"X\", RANK_OF(\"X\"))",
        "EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3), 32)",
        "SAME_SHAPE(SELECT(OK, \"X\", \"*\"), INPUT_OF(\"*\", 0))",
        "EQ(OPTION_INT(\"o\"), ROUNDUP(3, 4))",
        "LT(CONSTVAL_FLOAT(OUTPUT_OF(\"*\", 0), 1), NEG_INF)",
    ] {
        assert_eq!(constraint(good), [""; 0], "{good}");
    }
}

#[test]
fn names_places_and_counts() {
    let error = |text: &str| one(constraint(text));
    assert_eq!(error("DIM_OF(\"X\")"), "3:1: error[operand-count] `DIM_OF` takes 2 operands, found 1");
    assert_eq!(error("IS_FLOAT(\"X\", \"X\")"), "3:1: error[operand-count] `IS_FLOAT` takes 1 operand, found 2");
    assert_eq!(error("AND()"), "3:1: error[operand-count] `AND` takes 1 or more operands, found 0");
    assert_eq!(
        error("IS_QUINT_8(\"X\")"),
        "3:1: error[unknown-name] expected a constraint expression, found unknown name `IS_QUINT_8`"
    );
    assert_eq!(error("Op(\"A\")"), "3:1: error[wrong-place] expected a constraint expression, found `Op(...)`");
    assert_eq!(error("OKAY"), "3:1: error[unknown-name] `OKAY` is no constant of the rule language");
    assert_eq!(error("\"X\""), "3:1: error[unexpected] expected a constraint expression, found `\"X\"`");
    assert_eq!(
        error("IS_FLOAT(3)"),
        "3:10: error[unexpected] expected an operand tag, INPUT_OF or OUTPUT_OF, found `3`"
    );
    assert_eq!(error("IS_FLOAT(\"Y\")"), "3:10: error[unknown-tag] the match has no operand tag \"Y\"");
    assert_eq!(
        error("EQ(ZERO_OFFSET_OF(\"X\"), 0)"),
        "3:4: error[extension] `ZERO_OFFSET_OF` is no part of the published grammar"
    );
    assert_eq!(
        error("EQ(QType::Int8, 1)"),
        "3:4: error[unknown-name] expected `DType::Int8` or another constant, found `QType::Int8`"
    );
    assert_eq!(
        error("EQ(DTYPE_OF(\"X\"), DType::Float)"),
        "3:19: warning[dtype-float] `DType::Float` is no tag of DType; it is taken as `DType::Float32`"
    );
    assert_eq!(
        error("EQ(SPLIT_START(\"I\"), 0)"),
        "3:16: error[split-tag] no AUTOSPLIT or OP_ITER around this has the split tag \"I\""
    );
    assert_eq!(
        error("EXTERNAL_CONSTRAINT(f, INPUT_OF(\"X\", 0))"),
        "3:24: error[unexpected] expected an operand tag as a string constant, found `INPUT_OF(...)`"
    );
    assert_eq!(
        error("EQ(LAYOUT_CHUNKSIZE(T, ADD(1, 2)), 1)"),
        "3:24: error[unexpected] expected a dimension as an integer constant, found `ADD(...)`"
    );
    assert_eq!(error("EQ(010, 8)"), "3:4: warning[octal] `010` is an octal constant of value 8");
    assert_eq!(error("EQ(08, 8)"), "3:4: error[number] `08` is no number");
    assert_eq!(error("EQ(3000000000, 8)"), "3:4: error[number] `3000000000` is beyond the range of its type");
    assert_eq!(
        error("IS_FLOAT(\"a\\n\")"),
        "3:10: error[string-constant] a string constant must not hold `\\`: only printable ASCII characters except `\"` and `\\`"
    );
    // Independent errors of one rule are all told.
    assert_eq!(constraint("AND(IS_FLOAT(\"Y\"), GT(1, OK), OKAY)").len(), 3);
}
