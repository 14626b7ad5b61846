include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let summary = "Performs average pooling on the input.";
  let description = [{
    Each entry in `output` is the mean of the *corresponding* window.

    ```mlir
    %0 = t.a
    ```
    */ end
  }];
}
// CHECK: _Performs average pooling on the input._
// CHECK: Each entry in `output` is the mean of the *corresponding* window.
