include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<And<I32.predicate>, "i32">:$a); }
// expected-error@-1:52 {{Value specified for template argument 'And:children' is of type CPred; expected type list<Pred>: a record without a name}}
