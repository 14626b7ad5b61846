include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { DerivedAttr n = DerivedAttr<"int">; }
// expected-error@-1:38 {{value not specified for template argument 'DerivedAttr:b'}}
