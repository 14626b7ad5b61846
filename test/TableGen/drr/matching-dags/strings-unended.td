include "mlir/IR/PatternBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AnyType:$x, StrAttr:$k); let results = (outs AnyType:$r); }
def Unended : Pat<(A $x, ConstantStrAttr<StrAttr, "he\"llo">), (A $x, ConstantStrAttr<StrAttr, "a b">)>;
// expected-error@-1:26 {{pattern 'Unended': "he"llo" is not a value of 'StrAttr'}}
// UPSTREAM: takes, the C++ that it makes is none
