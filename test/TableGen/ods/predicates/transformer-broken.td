include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [TypesMatchWith<"alike", "x", "y", "getElementTypeOrSelf($_self">]> {
  let arguments = (ins AnyType:$x, AnyType:$y);
}
// expected-error@-3:21 {{the predicate 'std::equal_to<>()(getElementTypeOrSelf($x.getType(), $y.getType())' is no expression: '(' is not closed}}
def B : Op<T, "b", [TypesMatchWith<"alike", "x", "y", "">]> { let arguments = (ins AnyType:$x, AnyType:$y); }
// expected-error@-1:21 {{the predicate 'std::equal_to<>()(, $y.getType())' is no expression: nothing stands before ','}}
// UPSTREAM: takes, C++ refuses what is made of it
