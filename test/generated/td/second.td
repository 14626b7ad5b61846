include "Interfaces.td"

def Second : Dialect {
  let name = "second";
  let cppNamespace = "::second";
}

def Second_BagOp : Op<Second, "bag", [Sized]> {
  let arguments = (ins Variadic<AnyType>:$items);
}
