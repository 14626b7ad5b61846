// GENERATE: enum-defs enum-doc op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def One : I64EnumAttrCase<"One", 1, "one">;
def Two : I64EnumAttrCase<"Two", 2, "two">;
def Number : I64EnumAttr<"Number", "a number", [One, Two]>;
def C0 : IntEnumAttrCaseBase<I<8>, "C0", "c0", 0>;
def Small : IntEnumAttr<I8, "Small", "small", [C0]>;
def A : Op<T, "a"> { let arguments = (ins Number:$n, OptionalAttr<Number>:$m, DefaultValuedAttr<Number, "Number::Two">:$d); }
