include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = ["build"];
// expected-error@-1:27 {{Element type mismatch for list: element type 'string' not convertible to 'OpBuilder}}
}
