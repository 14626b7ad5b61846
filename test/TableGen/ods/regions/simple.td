include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let regions = (region AnyRegion:$x, SizedRegion<1>:$y, VariadicRegion<AnyRegion>:$z); let successors = (successor AnySuccessor:$b, VariadicSuccessor<AnySuccessor>:$c); }
