include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<Concat<"!(", F32.predicate>, "not f32">:$c); }
// expected-error@-1:48 {{value not specified for template argument 'Concat:suf'}}
