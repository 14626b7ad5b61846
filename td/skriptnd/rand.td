//===- rand.td - Operators of the module `rand` -------------------------===//
//
// Random numbers, which have no formula. The same seed gives the same numbers.
// Their definitions in SkriptND are in stdlib/rand.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_RAND_TD
#define SKRIPTND_RAND_TD

include "SkriptNDBase.td"

class Rand_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"rand", mnemonic, traits>;

def Rand_UniformOp : Rand_Operator<"uniform", [MemoryEffects<[MemWrite]>]> {
  let summary = "Uniform between `min` (inclusive) and `max` (exclusive)";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<F64Attr, "0.0">:$min,
    DefaultValuedAttr<F64Attr, "1.0">:$max,
    OptionalAttr<I64Attr>:$seed
  );
  let results = (outs SkriptND_Real:$output);
}

def Rand_NormalOp : Rand_Operator<"normal", [MemoryEffects<[MemWrite]>]> {
  let summary = "Normal distribution";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<F64Attr, "0.0">:$mean,
    DefaultValuedAttr<F64Attr, "1.0">:$stdev,
    OptionalAttr<I64Attr>:$seed
  );
  let results = (outs SkriptND_Real:$output);
}

def Rand_BernoulliOp : Rand_Operator<"bernoulli", [MemoryEffects<[MemWrite]>]> {
  let summary = "True with the given probability";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    DefaultValuedAttr<F64Attr, "0.5">:$prob,
    OptionalAttr<I64Attr>:$seed
  );
  let results = (outs SkriptND_Bool:$output);
}

#endif // SKRIPTND_RAND_TD
