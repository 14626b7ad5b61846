//===- rand.td - Operators of the module `rand` -------------------------===//
//
// Random numbers, which have no formula. The same seed gives the same numbers; without a seed they are others in each run.
// Their definitions in SkriptND are in stdlib/rand.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_RAND_TD
#define SKRIPTND_RAND_TD

include "SkriptNDBase.td"

class Rand_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"rand", mnemonic, traits>;

def Rand_UniformOp : Rand_Operator<"uniform", [MemoryEffects<[MemWrite]>]> {
  let summary = "Uniformly distributed numbers between `min` (inclusive) and `max` (exclusive)";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<AnyAttr, "T(0)">:$min,
    DefaultValuedAttr<AnyAttr, "T(1)">:$max,
    OptionalAttr<I64Attr>:$seed,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Num:$output);
}

def Rand_NormalOp : Rand_Operator<"normal", [MemoryEffects<[MemWrite]>]> {
  let summary = "Normally distributed numbers";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<F64Attr, "0.0">:$mean,
    Arg<DefaultValuedAttr<F64Attr, "1.0">, "standard deviation">:$std,
    OptionalAttr<I64Attr>:$seed
  );
  let results = (outs SkriptND_Real:$output);
}

def Rand_BernoulliOp : Rand_Operator<"bernoulli", [MemoryEffects<[MemWrite]>]> {
  let summary = "Truth values that hold with the given probability";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<F64Attr, "0.5">:$prob,
    OptionalAttr<I64Attr>:$seed
  );
  let results = (outs SkriptND_Bool:$output);
}

#endif // SKRIPTND_RAND_TD
