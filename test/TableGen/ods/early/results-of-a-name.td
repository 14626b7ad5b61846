include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">, Results<[Foo]>;
// expected-error@-1:35 {{Variable not defined: 'Foo'}}
