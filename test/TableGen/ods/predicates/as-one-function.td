include "mlir/IR/OpBase.td"
// GENERATE: type-constraint-defs
def A : TypeConstraint<CPred<"true">, "any"> { let cppFunctionName = "isIt"; }
def B : TypeConstraint<CPred<"false">, "none"> { let cppFunctionName = "is_it"; }
// expected-error@-1:5 {{a second constraint is the function 'is_it'}}
// UPSTREAM: takes, C++ tells the two names apart
