include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
multiclass Both<string name> {
  def _A : Op<T, name # "_a">;
  def _B : Op<T, name # "_b">;
}
defm X : Both<"x">;
foreach i = [1, 2] in def C#i : Op<T, "c" # i> { let summary = "c " # i; }
// CHECK: name: "t.x_a"
// CHECK: ### `t.c2`
