include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
  code reference = [{
    operator add { @input { lhs: real[i..]; rhs: real[i..]; } @output { result: real[i..]; } @lower { result[i..] = lhs[i..] + rhs[i..]; } }
  }];
}
// CHECK: pub const REFERENCE: skriptnd_ods::Formula<'static>
