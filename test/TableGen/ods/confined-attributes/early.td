include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Confined<I32Attr, [IntMinValue<10>]>:$n); }
// expected-warning@-1:43 {{'Confined' is called 'ConfinedAttr' now}}
// UPSTREAM: refuses, this is the text's spelling
// CHECK: predicate::integer(this) >= 10
