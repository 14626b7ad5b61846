//===- math.td - Operators of the module `math` -------------------------===//
//
// Arithmetic, comparison, logic and reduction (specification, section 4.2).
//
// Operators with several operands broadcast: extents must be equal or 1, and operands of lower rank are aligned to the
// right, or as their alignment attribute says: n >= 0 puts n singular dimensions before the operand and aligns it to the
// left, n < 0 puts -n singular dimensions behind it.
//
// Written by `cargo xtask docs` from stdlib/math.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_MATH_TD
#define SKRIPTND_MATH_TD

include "Traits.td"

def Math_IdenOp : SkriptND_Operator<"math", "iden", [SameOperandsAndResultType]> {
  let summary = "The operand itself";
  let arguments = (ins
    SkriptND_Any:$x
  );
  let results = (outs SkriptND_Any:$y);
}

def Math_NegOp : SkriptND_Operator<"math", "neg", [SameOperandsAndResultType]> {
  let summary = "The negative `-x`";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_RcpOp : SkriptND_Operator<"math", "rcp", [SameOperandsAndResultType]> {
  let summary = "The reciprocal `1 / x`";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SqrOp : SkriptND_Operator<"math", "sqr", [SameOperandsAndResultType]> {
  let summary = "The square `x * x`";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_SqrtOp : SkriptND_Operator<"math", "sqrt", [SameOperandsAndResultType]> {
  let summary = "The square root of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RsqrOp : SkriptND_Operator<"math", "rsqr", [SameOperandsAndResultType]> {
  let summary = "The reciprocal of the square, `1 / (x * x)`";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RsqrtOp : SkriptND_Operator<"math", "rsqrt", [SameOperandsAndResultType]> {
  let summary = "The reciprocal of the square root of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_ExpOp : SkriptND_Operator<"math", "exp", [SameOperandsAndResultType]> {
  let summary = "The exponential function of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_LogOp : SkriptND_Operator<"math", "log", [SameOperandsAndResultType]> {
  let summary = "The natural logarithm of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_Log2Op : SkriptND_Operator<"math", "log2", [SameOperandsAndResultType]> {
  let summary = "The logarithm of x to base 2";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SinOp : SkriptND_Operator<"math", "sin", [SameOperandsAndResultType]> {
  let summary = "The sine of x, an angle in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CosOp : SkriptND_Operator<"math", "cos", [SameOperandsAndResultType]> {
  let summary = "The cosine of x, an angle in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_TanOp : SkriptND_Operator<"math", "tan", [SameOperandsAndResultType]> {
  let summary = "The tangent of x, an angle in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AsinOp : SkriptND_Operator<"math", "asin", [SameOperandsAndResultType]> {
  let summary = "The inverse sine of x, in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AcosOp : SkriptND_Operator<"math", "acos", [SameOperandsAndResultType]> {
  let summary = "The inverse cosine of x, in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AtanOp : SkriptND_Operator<"math", "atan", [SameOperandsAndResultType]> {
  let summary = "The inverse tangent of x, in radians";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SinhOp : SkriptND_Operator<"math", "sinh", [SameOperandsAndResultType]> {
  let summary = "The hyperbolic sine of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CoshOp : SkriptND_Operator<"math", "cosh", [SameOperandsAndResultType]> {
  let summary = "The hyperbolic cosine of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_TanhOp : SkriptND_Operator<"math", "tanh", [SameOperandsAndResultType]> {
  let summary = "The hyperbolic tangent of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AsinhOp : SkriptND_Operator<"math", "asinh", [SameOperandsAndResultType]> {
  let summary = "The inverse hyperbolic sine of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AcoshOp : SkriptND_Operator<"math", "acosh", [SameOperandsAndResultType]> {
  let summary = "The inverse hyperbolic cosine of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AtanhOp : SkriptND_Operator<"math", "atanh", [SameOperandsAndResultType]> {
  let summary = "The inverse hyperbolic tangent of x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AbsOp : SkriptND_Operator<"math", "abs", [SameOperandsAndResultType]> {
  let summary = "The absolute value of x";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_SignOp : SkriptND_Operator<"math", "sign", [SameOperandsAndResultType]> {
  let summary = "The sign of x: -1, 0 or 1";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_NotOp : SkriptND_Operator<"math", "not", [SameOperandsAndResultType]> {
  let summary = "Whether x does not hold";
  let arguments = (ins
    SkriptND_Bool:$x
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_FloorOp : SkriptND_Operator<"math", "floor", [SameOperandsAndResultType]> {
  let summary = "The largest integer that is not greater than x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CeilOp : SkriptND_Operator<"math", "ceil", [SameOperandsAndResultType]> {
  let summary = "The smallest integer that is not less than x";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RoundOp : SkriptND_Operator<"math", "round", [SameOperandsAndResultType]> {
  let summary = "The integer nearest to x, half away from zero";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AddOp : SkriptND_Operator<"math", "add"> {
  let summary = "The sum `x + y`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_SubOp : SkriptND_Operator<"math", "sub"> {
  let summary = "The difference `x - y`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MulOp : SkriptND_Operator<"math", "mul"> {
  let summary = "The product `x * y`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_DivOp : SkriptND_Operator<"math", "div"> {
  let summary = "The quotient `x / y`; that of integers is rounded down";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_ModOp : SkriptND_Operator<"math", "mod"> {
  let summary = "The remainder: of integers so that `x == (x / y) * y + x % y`, of reals with the sign of x";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_PowOp : SkriptND_Operator<"math", "pow"> {
  let summary = "The power `x ** y`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MinOp : SkriptND_Operator<"math", "min"> {
  let summary = "The smaller of x and y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MaxOp : SkriptND_Operator<"math", "max"> {
  let summary = "The larger of x and y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_LtOp : SkriptND_Operator<"math", "lt"> {
  let summary = "Whether x is less than y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_GtOp : SkriptND_Operator<"math", "gt"> {
  let summary = "Whether x is greater than y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_LeOp : SkriptND_Operator<"math", "le"> {
  let summary = "Whether x is at most y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_GeOp : SkriptND_Operator<"math", "ge"> {
  let summary = "Whether x is at least y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_EqOp : SkriptND_Operator<"math", "eq"> {
  let summary = "Whether x equals y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_NeOp : SkriptND_Operator<"math", "ne"> {
  let summary = "Whether x differs from y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_AndOp : SkriptND_Operator<"math", "and"> {
  let summary = "Whether both x and y hold";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_OrOp : SkriptND_Operator<"math", "or"> {
  let summary = "Whether x or y holds, or both";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_XorOp : SkriptND_Operator<"math", "xor"> {
  let summary = "Whether either x or y holds, but not both";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_SelectOp : SkriptND_Operator<"math", "select"> {
  let summary = "The element of x where c holds, else that of y";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Bool:$c,
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before c, or behind it if negative">:$cond_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$lhs_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$rhs_align
  );
  let results = (outs SkriptND_Any:$z);
}

def Math_SumNOp : SkriptND_Operator<"math", "sum_n", [SizedOperands]> {
  let summary = "Sum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_ProdNOp : SkriptND_Operator<"math", "prod_n", [SizedOperands]> {
  let summary = "Product of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MinNOp : SkriptND_Operator<"math", "min_n", [SizedOperands]> {
  let summary = "Minimum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MaxNOp : SkriptND_Operator<"math", "max_n", [SizedOperands]> {
  let summary = "Maximum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_AnyNOp : SkriptND_Operator<"math", "any_n", [SizedOperands]> {
  let summary = "Whether an element holds in any tensor of a pack";
  let arguments = (ins
    Variadic<SkriptND_Bool>:$xs
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_AllNOp : SkriptND_Operator<"math", "all_n", [SizedOperands]> {
  let summary = "Whether an element holds in all tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Bool>:$xs
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_ArgminNOp : SkriptND_Operator<"math", "argmin_n", [SizedOperands]> {
  let summary = "Index in the pack of the first smallest element";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Int:$index);
}

def Math_ArgmaxNOp : SkriptND_Operator<"math", "argmax_n", [SizedOperands]> {
  let summary = "Index in the pack of the first largest element";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Int:$index);
}

def Math_AxpbOp : SkriptND_Operator<"math", "axpb"> {
  let summary = "Weighted sum `a * x + b`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Real:$a,
    SkriptND_Real:$x,
    SkriptND_Real:$b,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$x_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before a, or behind it if negative">:$a_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before b, or behind it if negative">:$b_align
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AxpbyOp : SkriptND_Operator<"math", "axpby"> {
  let summary = "Weighted sum `a * x + b * y`";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Real:$a,
    SkriptND_Real:$x,
    SkriptND_Real:$b,
    SkriptND_Real:$y,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$x_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before y, or behind it if negative">:$y_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before a, or behind it if negative">:$a_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before b, or behind it if negative">:$b_align
  );
  let results = (outs SkriptND_Real:$z);
}

def Math_ClampOp : SkriptND_Operator<"math", "clamp"> {
  let summary = "x, but at least a and at most b";
  let description = [{
    Shapes are broadcast.
  }];
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$a,
    SkriptND_Num:$b,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before x, or behind it if negative">:$val_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before a, or behind it if negative">:$min_align,
    Arg<OptionalAttr<I64Attr>, "singular dimensions before b, or behind it if negative">:$max_align
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MinReduceOp : SkriptND_Operator<"math", "min_reduce"> {
  let summary = "Minimum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_MaxReduceOp : SkriptND_Operator<"math", "max_reduce"> {
  let summary = "Maximum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_SumReduceOp : SkriptND_Operator<"math", "sum_reduce"> {
  let summary = "Sum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_ProdReduceOp : SkriptND_Operator<"math", "prod_reduce"> {
  let summary = "Product along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_AnyReduceOp : SkriptND_Operator<"math", "any_reduce"> {
  let summary = "Whether any element along axes holds";
  let arguments = (ins
    SkriptND_Bool:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Bool:$output);
}

def Math_AllReduceOp : SkriptND_Operator<"math", "all_reduce"> {
  let summary = "Whether all elements along axes hold";
  let arguments = (ins
    SkriptND_Bool:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Bool:$output);
}

def Math_MeanReduceOp : SkriptND_Operator<"math", "mean_reduce"> {
  let summary = "Arithmetic mean along axes";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Real:$output);
}

def Math_LpReduceOp : SkriptND_Operator<"math", "lp_reduce"> {
  let summary = "The p-norm along axes: `(sum of abs(x) ** p) ** (1 / p)`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze,
    Arg<F64Attr, "order of the norm">:$p
  );
  let results = (outs SkriptND_Real:$output);
}

def Math_ArgminOp : SkriptND_Operator<"math", "argmin"> {
  let summary = "Index along an axis of the first smallest element";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<I64Attr, "searched dimension">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimension vanishes">:$squeeze
  );
  let results = (outs SkriptND_Int:$output);
}

def Math_ArgmaxOp : SkriptND_Operator<"math", "argmax"> {
  let summary = "Index along an axis of the first largest element";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<I64Attr, "searched dimension">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimension vanishes">:$squeeze
  );
  let results = (outs SkriptND_Int:$output);
}

def Math_ArgminNdOp : SkriptND_Operator<"math", "argmin_nd", [SizedResults]> {
  let summary = "Indices, one tensor for each axis, of the first smallest element along several axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "searched dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimensions vanish">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Int>:$output);
}

def Math_ArgmaxNdOp : SkriptND_Operator<"math", "argmax_nd", [SizedResults]> {
  let summary = "Indices, one tensor for each axis, of the first largest element along several axes";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "searched dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimensions vanish">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Int>:$output);
}

def Math_MomentsOp : SkriptND_Operator<"math", "moments"> {
  let summary = "Mean and variance along axes";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "reduced dimensions">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs
    SkriptND_Real:$mean,
    SkriptND_Real:$variance
  );
}

def Math_CumsumOp : SkriptND_Operator<"math", "cumsum", [SameOperandsAndResultType]> {
  let summary = "Cumulative sum along an axis";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<I64Attr, "dimension along which elements are summed">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether an element is left out of its own sum">:$exclusive,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the sum runs from the end">:$reverse
  );
  let results = (outs SkriptND_Num:$output);
}

#endif // SKRIPTND_MATH_TD
