// What predicates say of floating point numbers: NaN is in no order, and zero has two signs.

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"

def Numbers : Dialect {
  let name = "numbers";
  let cppNamespace = "::numbers";
}

// Of the attribute `x`, written as a double.
class Numbers_Op<string mnemonic, string condition> : Op<Numbers, mnemonic> {
  defvar value = "::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble()";
  let arguments = (ins
    Attr<And<[CPred<"::llvm::isa<::mlir::FloatAttr>($_self)">, CPred<!subst("X", value, condition)>]>, mnemonic>:$x
  );
}

def NotLessOp : Numbers_Op<"not_less", "!(X < 0.0)">;
def NotMoreOp : Numbers_Op<"not_more", "!(0 < X)">;
def NotAtMostOp : Numbers_Op<"not_at_most", "!(X <= 1)">;
def NotAtLeastOp : Numbers_Op<"not_at_least", "!((X - 1) >= 0)">;
def NotGreaterOp : Numbers_Op<"not_greater", "!(X > -1.5)">;
def AtLeastOp : Numbers_Op<"at_least", "X >= 0.0">;
def TwiceOp : Numbers_Op<"twice", "!!(X < 0.0)">;
def NotBothOp : Numbers_Op<"not_both", "!(X >= 0.0 && X <= 1.0)">;
def NotEitherOp : Numbers_Op<"not_either", "!(X < 0.0 || X > 1.0)">;
def NotEqualOp : Numbers_Op<"not_equal", "!(X == 1.0)">;
def NotUnequalOp : Numbers_Op<"not_unequal", "!(X != X)">;
def TrueOp : Numbers_Op<"true", "X && true">;
def FalseOp : Numbers_Op<"false", "!X">;
def NanOp : Numbers_Op<"nan", "std::isnan(X)">;
def NotNanOp : Numbers_Op<"not_nan", "!::std::isnan(X)">;
def FiniteOp : Numbers_Op<"finite", "std::isfinite(X) && !std::isinf(X)">;
def SignOp : Numbers_Op<"sign", "std::signbit(X)">;
def MinimumOp : Numbers_Op<"minimum", "std::min(X, 1.0) == 1.0">;
def MinimumFirstOp : Numbers_Op<"minimum_first", "std::min(1.0, X) == 1.0">;
def MaximumOp : Numbers_Op<"maximum", "std::max<double>(1, X) == 1">;
def IgnoringOp : Numbers_Op<"ignoring", "std::fmax(X, 1) == 1">;
def WholeOp : Numbers_Op<"whole", "static_cast<int64_t>(X) == X">;
def NarrowOp : Numbers_Op<"narrow", "static_cast<int>(X * 2) == 1">;
def InfiniteOp : Numbers_Op<"infinite", "X == std::numeric_limits<double>::infinity()">;
def SizeOp : Numbers_Op<"size", "!(std::abs(X) < 1.0)">;
def ChosenOp : Numbers_Op<"chosen", "(X < 0.0 ? 0 : 1.5) > 1">;

def NotNegative : AttrConstraint<Neg<CPred<"::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() < 0.0">>, "not negative">;
def CombinedOp : Op<Numbers, "combined"> { let arguments = (ins ConfinedAttr<F64Attr, [NotNegative]>:$x); }
def ListOp : Op<Numbers, "list"> {
  let arguments = (ins ConfinedAttr<DenseF64ArrayAttr, [
    AttrConstraint<CPred<"llvm::all_of(::llvm::cast<::mlir::DenseF64ArrayAttr>($_self).asArrayRef(), [](double v) { return !(v < 0.0); })">>
  ]>:$x);
}
def SortedOp : Op<Numbers, "sorted"> {
  let arguments = (ins ConfinedAttr<DenseF64ArrayAttr, [
    AttrConstraint<CPred<"llvm::is_sorted(::llvm::cast<::mlir::DenseF64ArrayAttr>($_self).asArrayRef())">>
  ]>:$x);
}
