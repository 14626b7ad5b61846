//! What files register of ops.

use super::{one, strict};

#[test]
fn what_is_registered_fits_together() {
    let relu = "DEF_PACKAGE_OP(f, \"Relu\")\nDEF_PACKAGE_OP(f, \"Cast\")\n";
    let rule = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), OK, Op(\"Relu\", Op(\"Cast\", \"X\")))\n";
    let told = |properties: &str| strict(&format!("{relu}{properties}\n{rule}"));
    let good = "DEF_TENSOR_PROPERTIES(Op(\"Relu\", \"x\"), Flat(\"*\", \"x\"), Tcm(\"x\"), MainMemory(\"...\"))";
    assert_eq!(told(good), [""; 0]);
    for (properties, expected) in [
        (good.replace("Relu", "Sigmoid"), "which nothing registers and no rule makes"),
        (
            good.replace("Flat(", "Crouton(\"x\"), Flat("),
            "tensor \"x\" of op `Relu` can't be both `Flat` and `Crouton`",
        ),
        (good.replace("\"...\"", "\"x\""), "can't be both `MainMemory` and `Tcm`"),
        (good.replace("MainMemory(\"...\")", "MainMemory()"), "`MainMemory` of op `Relu` names no tensor"),
        (format!("{good}\n{good}"), "the tensor properties of op `Relu` are told twice"),
        (
            good.replace("\"x\"),", "\"x\", \"y\"),"),
            "op `Relu` has another number of operands here (1) than in its tensor properties (2)",
        ),
    ] {
        let message = one(told(&properties));
        assert!(message.contains(expected) && message.contains("warning"), "{properties}: {message}");
    }
}
