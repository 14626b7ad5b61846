//! Ops that the dialect declares: how many operands they have, and which.

use super::parts;

const STRIDED: &str = "\"x\", \"w\", \"b\", \"stride\", \"pad\", \"dil\", \"g\"";

#[test]
fn operands_of_known_ops_are_counted() {
    let conv = format!("Op(\"Conv2d\", {STRIDED})");
    let matches = |pattern: &str| parts(pattern, "IS_FLOAT(\"*\")", "Op(\"Own\", \"x\")");
    for (pattern, told) in [
        ("Op(\"Relu\", \"x\", \"y\")", Some("2 operands")),
        ("Op(\"q::Conv2d\", \"x\")", Some("1 operand")),
        ("OpVarIn(\"Relu\", \"x\", \"y\")", Some("2 operands")),
        ("Op(\"A\", Op(\"MatMul\", \"x\"))", Some("1 operand")),
        ("Op(\"Pad\", \"x\", \"v\", \"a\", \"p\", \"m\", \"z\")", Some("6 operands")),
        (&conv, None),
        ("OpVarIn(\"Conv2d\", \"x\", \"w\")", None),
        ("Op(\"Concat\", \"a\", \"x\", \"x\", \"x\", \"x\")", None),
        ("Op(\"Pad\", \"x\", \"a\", \"p\", \"m\")", None),
        ("Op(\"mine::Relu\", \"x\", \"y\")", None),
        ("Op(\"Mystery\", \"x\", \"y\")", None),
    ] {
        let found: Vec<String> =
            matches(pattern).into_iter().filter(|message| message.contains("never applies")).collect();
        match told {
            None => assert_eq!(found, [""; 0], "{pattern}"),
            Some(count) => assert!(matches!(&found[..], [told] if told.contains(count)), "{pattern}: {found:?}"),
        }
    }
}

#[test]
fn operands_of_new_ops_have_their_places() {
    let made = |replacement: &str| parts(&format!("Op(\"Conv2d\", {STRIDED})"), "IS_FLOAT(\"*\")", replacement);
    for (replacement, told) in [
        ("Op(\"Conv2d.relu\", \"x\", \"w\")", "this makes an op `q::Conv2d.relu` with 2 operands"),
        ("WrapOp(\"Softmax\", Op(\"Relu\", \"x\"))", "this makes an op `q::Softmax` with 1 operand"),
        ("OpMultiOut(2, 0, \"TopK\", \"x\")", "this makes an op `q::TopK` with 1 operand"),
        (
            "Op(\"Conv2d.relu\", \"x\", \"w\", \"b\", \"pad\", \"stride\", \"dil\", \"g\")",
            "this is the operand `stride` of `q::Conv2d.relu`, and in the match it is the `pad_amount`",
        ),
        (
            "Op(\"Conv2d.relu\", \"x\", \"stride\", \"b\", \"stride\", \"pad\", \"dil\", \"g\")",
            "this is the operand `filter` of `q::Conv2d.relu`, and in the match it is the `stride`",
        ),
        (
            "Op(\"Conv2d.relu\", \"x\", \"w\", \"b\", \"w\", \"pad\", \"dil\", \"g\")",
            "this is the operand `stride` of `q::Conv2d.relu`, and in the match it is the `filter`",
        ),
        (
            "Op(\"Reshape\", \"x\", gen_ConstScalar_f32(1.0f))",
            "the operand `shape` of `q::Reshape` is a parameter of integers",
        ),
        ("Op(\"ElementWiseAdd\", \"x\", gen_ShapeOf(\"x\"))", "the operand `rhs` of `q::ElementWiseAdd` is a tensor"),
        ("Op(\"RELU\", \"x\")", "no op `q::RELU` is known, and one `q::Relu` is"),
    ] {
        let found = made(replacement);
        assert!(found.iter().any(|message| message.contains(told)), "{replacement}: {found:?}");
    }
    for replacement in [
        "Op(\"Conv2d.relu\", \"x\", \"w\", \"b\", \"stride\", \"pad\", \"dil\", \"g\")",
        "Op(\"PoolMax2d\", \"x\", \"stride\", \"pad\", \"stride\")",
        "Op(\"ElementWiseAdd\", \"x\", gen_ConstScalar_f32(1.0f))",
        "Op(\"Reshape\", \"x\", gen_ShapeOf(\"*\"))",
        "OP_ITER(Op(\"Concat\", gen_ConstScalar_i32(1)), \"I\", 0, 2, \"x\")",
        "Op(\"mine::Conv2d\", \"x\", \"w\")",
        "Op(\"Mystery\", \"stride\", \"x\")",
    ] {
        let found: Vec<String> = made(replacement).into_iter().filter(|message| message.contains("`q::")).collect();
        assert_eq!(found, [""; 0], "{replacement}");
    }
}
