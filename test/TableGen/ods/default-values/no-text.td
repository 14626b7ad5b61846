include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def S : StrEnumAttr<"S", "s", [StrEnumAttrCase<"a">]>;
// expected-warning@-1:9 {{MLIR has no 'StrEnumAttr' now: it is read as it was}}
// expected-warning@-2:32 {{MLIR has no 'StrEnumAttrCase' now: it is read as it was}}
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<S, "\"b\"">:$wrong,
// expected-error@-1:3 {{the default value "b" is no value of 'S'}}
  DefaultValuedAttr<S, "\"a\"">:$right);
}
