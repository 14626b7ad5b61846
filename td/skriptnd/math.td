//===- math.td - Operators of the module `math` -------------------------===//
//
// Arithmetic, comparison, logic and reduction (specification, section 4.2).
// Their definitions in SkriptND are in stdlib/math.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_MATH_TD
#define SKRIPTND_MATH_TD

include "SkriptNDBase.td"

class Math_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"math", mnemonic, traits>;

def Math_IdenOp : Math_Operator<"iden", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "The operand itself";
  let arguments = (ins
    SkriptND_Any:$x
  );
  let results = (outs SkriptND_Any:$y);
}

def Math_NegOp : Math_Operator<"neg", [Pure, SameOperandsAndResultType, Involution]> {
  let summary = "Negation";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_RcpOp : Math_Operator<"rcp", [Pure, SameOperandsAndResultType]> {
  let summary = "Reciprocal";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SqrOp : Math_Operator<"sqr", [Pure, SameOperandsAndResultType]> {
  let summary = "Square";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_SqrtOp : Math_Operator<"sqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "Square root";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RsqrOp : Math_Operator<"rsqr", [Pure, SameOperandsAndResultType]> {
  let summary = "Reciprocal of the square";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RsqrtOp : Math_Operator<"rsqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "Reciprocal of the square root";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_ExpOp : Math_Operator<"exp", [Pure, SameOperandsAndResultType]> {
  let summary = "Exponential function";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_LogOp : Math_Operator<"log", [Pure, SameOperandsAndResultType]> {
  let summary = "Natural logarithm";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_Log2Op : Math_Operator<"log2", [Pure, SameOperandsAndResultType]> {
  let summary = "Logarithm to base 2";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SinOp : Math_Operator<"sin", [Pure, SameOperandsAndResultType]> {
  let summary = "Sine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CosOp : Math_Operator<"cos", [Pure, SameOperandsAndResultType]> {
  let summary = "Cosine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_TanOp : Math_Operator<"tan", [Pure, SameOperandsAndResultType]> {
  let summary = "Tangent";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AsinOp : Math_Operator<"asin", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse sine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AcosOp : Math_Operator<"acos", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse cosine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AtanOp : Math_Operator<"atan", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse tangent";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_SinhOp : Math_Operator<"sinh", [Pure, SameOperandsAndResultType]> {
  let summary = "Hyperbolic sine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CoshOp : Math_Operator<"cosh", [Pure, SameOperandsAndResultType]> {
  let summary = "Hyperbolic cosine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_TanhOp : Math_Operator<"tanh", [Pure, SameOperandsAndResultType]> {
  let summary = "Hyperbolic tangent";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AsinhOp : Math_Operator<"asinh", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse hyperbolic sine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AcoshOp : Math_Operator<"acosh", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse hyperbolic cosine";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AtanhOp : Math_Operator<"atanh", [Pure, SameOperandsAndResultType]> {
  let summary = "Inverse hyperbolic tangent";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AbsOp : Math_Operator<"abs", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "Absolute value";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_SignOp : Math_Operator<"sign", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "Sign: -1, 0 or 1";
  let arguments = (ins
    SkriptND_Num:$x
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_NotOp : Math_Operator<"not", [Pure, SameOperandsAndResultType, Involution]> {
  let summary = "Logical negation";
  let arguments = (ins
    SkriptND_Bool:$x
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_FloorOp : Math_Operator<"floor", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "Largest integer that is not greater";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_CeilOp : Math_Operator<"ceil", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "Smallest integer that is not less";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_RoundOp : Math_Operator<"round", [Pure, SameOperandsAndResultType, Idempotent]> {
  let summary = "Nearest integer, half away from zero";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AddOp : Math_Operator<"add", [Pure]> {
  let summary = "Sum";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_SubOp : Math_Operator<"sub", [Pure]> {
  let summary = "Difference";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MulOp : Math_Operator<"mul", [Pure]> {
  let summary = "Product";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_DivOp : Math_Operator<"div", [Pure]> {
  let summary = "Quotient; of integers, rounded down";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_ModOp : Math_Operator<"mod", [Pure]> {
  let summary = "Remainder: `x == (x / y) * y + x % y`";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_PowOp : Math_Operator<"pow", [Pure]> {
  let summary = "Power";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MinOp : Math_Operator<"min", [Pure]> {
  let summary = "Minimum";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_MaxOp : Math_Operator<"max", [Pure]> {
  let summary = "Maximum";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Num:$z);
}

def Math_LtOp : Math_Operator<"lt", [Pure]> {
  let summary = "Whether x is less than y";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_GtOp : Math_Operator<"gt", [Pure]> {
  let summary = "Whether x is greater than y";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_LeOp : Math_Operator<"le", [Pure]> {
  let summary = "Whether x is at most y";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_GeOp : Math_Operator<"ge", [Pure]> {
  let summary = "Whether x is at least y";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_EqOp : Math_Operator<"eq", [Pure]> {
  let summary = "Whether x equals y";
  let arguments = (ins
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_NeOp : Math_Operator<"ne", [Pure]> {
  let summary = "Whether x differs from y";
  let arguments = (ins
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_AndOp : Math_Operator<"and", [Pure]> {
  let summary = "Logical conjunction";
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_OrOp : Math_Operator<"or", [Pure]> {
  let summary = "Logical disjunction";
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_XorOp : Math_Operator<"xor", [Pure]> {
  let summary = "Exclusive disjunction";
  let arguments = (ins
    SkriptND_Bool:$x,
    SkriptND_Bool:$y,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Bool:$z);
}

def Math_SelectOp : Math_Operator<"select", [Pure]> {
  let summary = "The element of x where c holds, else that of y";
  let arguments = (ins
    SkriptND_Bool:$c,
    SkriptND_Any:$x,
    SkriptND_Any:$y,
    OptionalAttr<I64Attr>:$cond_align,
    OptionalAttr<I64Attr>:$lhs_align,
    OptionalAttr<I64Attr>:$rhs_align
  );
  let results = (outs SkriptND_Any:$z);
}

def Math_SumNOp : Math_Operator<"sum_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Sum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_ProdNOp : Math_Operator<"prod_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Product of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MinNOp : Math_Operator<"min_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Minimum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MaxNOp : Math_Operator<"max_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Maximum of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_AnyNOp : Math_Operator<"any_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Disjunction of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Bool>:$xs
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_AllNOp : Math_Operator<"all_n", [Pure, Commutative, AttrSizedOperandSegments]> {
  let summary = "Conjunction of the tensors of a pack";
  let arguments = (ins
    Variadic<SkriptND_Bool>:$xs
  );
  let results = (outs SkriptND_Bool:$y);
}

def Math_ArgminNOp : Math_Operator<"argmin_n", [Pure, AttrSizedOperandSegments]> {
  let summary = "Index in the pack of the first smallest element";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Int:$index);
}

def Math_ArgmaxNOp : Math_Operator<"argmax_n", [Pure, AttrSizedOperandSegments]> {
  let summary = "Index in the pack of the first largest element";
  let arguments = (ins
    Variadic<SkriptND_Num>:$xs
  );
  let results = (outs SkriptND_Int:$index);
}

def Math_AxpbOp : Math_Operator<"axpb", [Pure]> {
  let summary = "Weighted sum `a * x + b`";
  let arguments = (ins
    SkriptND_Real:$a,
    SkriptND_Real:$x,
    SkriptND_Real:$b,
    OptionalAttr<I64Attr>:$x_align,
    OptionalAttr<I64Attr>:$a_align,
    OptionalAttr<I64Attr>:$b_align
  );
  let results = (outs SkriptND_Real:$y);
}

def Math_AxpbyOp : Math_Operator<"axpby", [Pure]> {
  let summary = "Weighted sum `a * x + b * y`";
  let arguments = (ins
    SkriptND_Real:$a,
    SkriptND_Real:$x,
    SkriptND_Real:$b,
    SkriptND_Real:$y,
    OptionalAttr<I64Attr>:$x_align,
    OptionalAttr<I64Attr>:$y_align,
    OptionalAttr<I64Attr>:$a_align,
    OptionalAttr<I64Attr>:$b_align
  );
  let results = (outs SkriptND_Real:$z);
}

def Math_ClampOp : Math_Operator<"clamp", [Pure]> {
  let summary = "x, but at least a and at most b";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$a,
    SkriptND_Num:$b,
    OptionalAttr<I64Attr>:$val_align,
    OptionalAttr<I64Attr>:$min_align,
    OptionalAttr<I64Attr>:$max_align
  );
  let results = (outs SkriptND_Num:$y);
}

def Math_MinReduceOp : Math_Operator<"min_reduce", [Pure]> {
  let summary = "Minimum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_MaxReduceOp : Math_Operator<"max_reduce", [Pure]> {
  let summary = "Maximum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_SumReduceOp : Math_Operator<"sum_reduce", [Pure]> {
  let summary = "Sum along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_ProdReduceOp : Math_Operator<"prod_reduce", [Pure]> {
  let summary = "Product along axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Num:$output);
}

def Math_AnyReduceOp : Math_Operator<"any_reduce", [Pure]> {
  let summary = "Disjunction along axes";
  let arguments = (ins
    SkriptND_Bool:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Bool:$output);
}

def Math_AllReduceOp : Math_Operator<"all_reduce", [Pure]> {
  let summary = "Conjunction along axes";
  let arguments = (ins
    SkriptND_Bool:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Bool:$output);
}

def Math_MeanReduceOp : Math_Operator<"mean_reduce", [Pure]> {
  let summary = "Arithmetic mean along axes";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Real:$output);
}

def Math_LpReduceOp : Math_Operator<"lp_reduce", [Pure]> {
  let summary = "p-norm along axes";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze,
    F64Attr:$p
  );
  let results = (outs SkriptND_Real:$output);
}

def Math_ArgminOp : Math_Operator<"argmin", [Pure]> {
  let summary = "Index along an axis of the first smallest element";
  let arguments = (ins
    SkriptND_Num:$input,
    I64Attr:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimension vanishes">:$squeeze
  );
  let results = (outs SkriptND_Int:$output);
}

def Math_ArgmaxOp : Math_Operator<"argmax", [Pure]> {
  let summary = "Index along an axis of the first largest element";
  let arguments = (ins
    SkriptND_Num:$input,
    I64Attr:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimension vanishes">:$squeeze
  );
  let results = (outs SkriptND_Int:$output);
}

def Math_ArgminNdOp : Math_Operator<"argmin_nd", [Pure, AttrSizedResultSegments]> {
  let summary = "Indices, one tensor for each axis, of the first smallest element along several axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimensions vanish">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Int>:$output);
}

def Math_ArgmaxNdOp : Math_Operator<"argmax_nd", [Pure, AttrSizedResultSegments]> {
  let summary = "Indices, one tensor for each axis, of the first largest element along several axes";
  let arguments = (ins
    SkriptND_Num:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the searched dimensions vanish">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Int>:$output);
}

def Math_MomentsOp : Math_Operator<"moments", [Pure]> {
  let summary = "Mean and variance along axes";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the reduced dimensions vanish">:$squeeze
  );
  let results = (outs SkriptND_Real:$mean, SkriptND_Real:$variance);
}

def Math_CumsumOp : Math_Operator<"cumsum", [Pure]> {
  let summary = "Cumulative sum along an axis";
  let arguments = (ins
    SkriptND_Num:$input,
    I64Attr:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether an element is left out of its own sum">:$exclusive,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the sum runs from the end">:$reverse
  );
  let results = (outs SkriptND_Num:$output);
}

#endif // SKRIPTND_MATH_TD
