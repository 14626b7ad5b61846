include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1>;
def E : I32EnumAttr<"E", "e", [X]> { let genSpecializedAttr = 0; let cppNamespace = "::t"; }
def EA : EnumAttr<T, E> { let assemblyFormat = "`<` $value `>`"; }
def A : Op<T, "a"> {
  let arguments = (ins EA:$e, DefaultValuedAttr<EA, "::t::E::X">:$f);
  let assemblyFormat = "$e attr-dict";
}
// CHECK: syntax: AttributeSyntax::Defined("t.e_attr")
