include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Even : TypeConstraint<CPred<"::llvm::cast<::mlir::IntegerType>($_self).getWidth() % 2 == 0">, "integer of even width">;
def A : Op<T, "a"> { let arguments = (ins Variadic<Even>:$x); }
// expected-error@-1:52 {{Value specified for template argument 'Variadic:type' is of type TypeConstraint; expected type Type: Even}}
