include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins
    DefaultValuedAttr<DenseI64ArrayAttr, "1, 2">:$dense,
// expected-error@-1:5 {{the default value 1, 2 is no value of 'DenseI64ArrayAttr'}}
    DefaultValuedAttr<I32ArrayAttr, "1, 2">:$array,
// expected-error@-1:5 {{the default value 1, 2 is no value of 'I32ArrayAttr'}}
    DefaultValuedProp<IntArrayProp<I64Prop>, "1, 2">:$property,
// expected-error@-1:5 {{the default value 1, 2 is no value of '::llvm::SmallVector<int64_t>'}}
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2}">:$right);
}
// TOLD: write a list in braces: "{1, 2}"
// UPSTREAM: takes, C++ refuses the call
