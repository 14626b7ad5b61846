include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let summary = "abc; }
// expected-error@-1:36 {{Unknown or reserved token when parsing a value}}
// expected-error@-2:37 {{end of line in string literal}}
