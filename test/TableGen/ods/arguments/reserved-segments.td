include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<I32>:$x, Variadic<I32>:$y, DenseI32ArrayAttr:$operandSegmentSizes); }
// expected-error@-1:107 {{the attribute 'operandSegmentSizes' is that of the trait AttrSizedOperandSegments}}
