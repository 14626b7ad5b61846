include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins UnitProp:$flag, DefaultValuedProp<I64Prop, "3">:$n, Arg<I32Prop, "how many">:$count, F32:$x);
  let assemblyFormat = [{
    $x ($flag^)? prop-dict attr-dict
  }];
}
// CHECK: Syntax: ``` operation ::= `t.a` $x ($flag^)? prop-dict attr-dict ```
// CHECK: #### Properties | Property | Description |
// CHECK: | `flag` | unit property |
// CHECK: | `n` | int64_t, default `3` |
// CHECK: | `count` | how many (int32_t) |
// CHECK: /// The property `n`: int64_t.
// CHECK: /// Sets the property `n`.
// CHECK: syntax: AttributeSyntax::Flag
