include "mlir/IR/PatternBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AnyType:$x, StrAttr:$k); let results = (outs AnyType:$r); }
def B : Op<T, "b"> { let arguments = (ins AnyType:$x, StrAttr:$k); let results = (outs AnyType:$r); }
def Escaped : Pat<(A $x, ConstantStrAttr<StrAttr, "he\\\"llo\\n">), (B $x, ConstantStrAttr<StrAttr, "a b">)>;
// CHECK: pdl.attribute = "he\"llo\n"
