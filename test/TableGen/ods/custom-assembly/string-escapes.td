include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins I32Attr:$n);
  let assemblyFormat = [{ custom<N>("\"lit\"\t", $n) attr-dict }];
}
// CHECK: Element::Text("\"lit\"\t")
