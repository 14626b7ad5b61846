include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<SubstLeaves<"$_self", F32.predicate>, "f32">:$c); }
// expected-error@-1:70 {{Value specified for template argument 'SubstLeaves:repl' is of type CPred; expected type string: a record without a name}}
