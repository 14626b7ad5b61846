include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [?]>;
// expected-error@-1:5 {{an entry of 'traits' is not a definition}}
// TOLD: in field 'traits' of 'A'
def B : Op<T, ?>;
// expected-error@-1:5 {{operation 'B' needs a name}}
// TOLD: in field 'opName' of 'B'
def C : Op<T, "c"> { let arguments = ?; }
// expected-error@-1:26 {{'C' needs a dag in field 'arguments'}}
def D : Op<T, "d"> { let arguments = (? I32:$x); }
// expected-error@-1:26 {{the dag (? I32:$x) has no operator}}
def E : Op<T, "e"> { let results = (outs ?:$y, 3); }
// expected-error@-1:42 {{an entry of 'results' is not a constraint}}
// expected-error@-2:48 {{an entry of 'results' is not a constraint}}
