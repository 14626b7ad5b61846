include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Variadic<Variadic<I32>>:$n); }
// expected-error@-1:52 {{Value specified for template argument 'Variadic:type' is of type Variadic; expected type Type: a record without a name}}
