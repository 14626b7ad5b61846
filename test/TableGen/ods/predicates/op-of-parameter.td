// GENERATE: typedef-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def OfOperation : Attr<CPred<"$_op.getNumResults() == 1">, "of an operation with a result">;
def Boxed : TypeParameter<"::mlir::Attribute", "boxed">, Constraint<OfOperation.predicate>;
def Box : TypeDef<T, "Box"> {
  let mnemonic = "box";
  let parameters = (ins Boxed:$boxed);
// expected-error@-1:25 {{the constraint of parameter 'boxed' asks for an operation}}
  let assemblyFormat = "`<` $boxed `>`";
}
// UPSTREAM: takes, its C++ has no such variable
