include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Right : Op<T, "right">;

def Wrong : Op<?, "wrong">;
// expected-error@-1:5 {{TableGen cannot evaluate this: a class is defined by itself or nested too deep, or '?' stands where a record is needed}}
def Other : Op<T, "other">;
