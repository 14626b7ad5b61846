include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let summary = "a | b";
  let description = "# Heading\n| a | b |\n";
  let arguments = (ins Arg<I32, "the | input">:$x, Arg<I32Attr, "an *attribute*">:$n);
  let results = (outs Res<I32, "the result">:$y);
}
// CHECK: | `n` |
// CHECK: an *attribute*
