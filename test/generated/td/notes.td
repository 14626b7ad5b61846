// A dialect with all that a `Dialect` record can ask for: attributes on operations of others, verifiers, patterns.

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Soft : I32EnumAttrCase<"Soft", 1, "soft">;
def Loud : I32EnumAttrCase<"Loud", 2, "loud">;
def Volume : I32EnumAttr<"Volume", "how loud", [Soft, Loud]> { let genSpecializedAttr = 0; }

def Notes_Dialect : Dialect {
  let name = "notes";
  let cppNamespace = "::notes";
  let dependentDialects = ["::mlir::arith::ArithDialect", "LLVM::LLVMDialect", "tensor"];
  let discardableAttrs = (ins
    "::mlir::StringAttr":$text,
    I32Attr:$count,
    "::mlir::DenseI32ArrayAttr":$sizes,
    "::mlir::DenseI64ArrayAttr":$long_sizes,
    UnitAttr:$seen,
    Volume:$volume
  );
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Notes_KeepOp : Op<Notes_Dialect, "keep", [Pure]> {
  let results = (outs I32:$value);
  let assemblyFormat = "attr-dict";
}
