//===- rand.td - Operators of the module `rand` -------------------------===//
//
// Random numbers, which have no formula. The same seed gives the same numbers; without a seed they are others in each run.
//
// Written by `cargo xtask docs` from stdlib/rand.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_RAND_TD
#define SKRIPTND_RAND_TD

include "Traits.td"

def Rand_UniformOp : SkriptND_Operator<"rand", "uniform"> {
  let summary = "Uniformly distributed numbers between `min` (inclusive) and `max` (exclusive)";
  let arguments = (ins
    Arg<SkriptND_NonNegativeInts, "extents">:$shape,
    Arg<DefaultValuedAttr<AnyAttr, "T(0)">, "inclusive">:$min,
    Arg<DefaultValuedAttr<AnyAttr, "T(1)">, "exclusive">:$max,
    Arg<OptionalAttr<I64Attr>, "equal seeds give equal numbers">:$seed,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Num:$output);
}

def Rand_NormalOp : SkriptND_Operator<"rand", "normal"> {
  let summary = "Normally distributed numbers";
  let arguments = (ins
    Arg<SkriptND_NonNegativeInts, "extents">:$shape,
    Arg<DefaultValuedAttr<F64Attr, "0.0">, "expected value">:$mean,
    Arg<DefaultValuedAttr<F64Attr, "1.0">, "standard deviation">:$std,
    Arg<OptionalAttr<I64Attr>, "equal seeds give equal numbers">:$seed
  );
  let results = (outs SkriptND_Real:$output);
}

def Rand_BernoulliOp : SkriptND_Operator<"rand", "bernoulli"> {
  let summary = "Truth values that hold with the given probability";
  let arguments = (ins
    Arg<SkriptND_NonNegativeInts, "extents">:$shape,
    Arg<DefaultValuedAttr<F64Attr, "0.5">, "probability of true">:$prob,
    Arg<OptionalAttr<I64Attr>, "equal seeds give equal numbers">:$seed
  );
  let results = (outs SkriptND_Bool:$output);
}

#endif // SKRIPTND_RAND_TD
