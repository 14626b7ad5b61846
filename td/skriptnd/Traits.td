//===- Traits.td - Standard operators: classes and traits -------------------===//
//
// What TableGen adds to the declarations of standard operators, which are
// written from their definitions in SkriptND.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_TRAITS_TD
#define SKRIPTND_TRAITS_TD

include "SkriptNDBase.td"

//===----------------------------------------------------------------------===//
// Operators by what is known of them; definitions don't tell it
//===----------------------------------------------------------------------===//

// Applied to its own result, the operator changes nothing.
defvar SkriptND_Idempotent = ["math.iden", "math.abs", "math.sign", "math.floor", "math.ceil", "math.round"];

// Applied to its own result, the operator gives the operand.
defvar SkriptND_Involutions = ["math.neg", "math.not"];

// The order of operands doesn't matter. Those with attributes that align single operands are none of them.
defvar SkriptND_Commutative = ["math.sum_n", "math.prod_n", "math.min_n", "math.max_n", "math.any_n", "math.all_n"];

// Equal ones have different results, so that they must not be merged.
defvar SkriptND_Random = ["rand.uniform", "rand.normal", "rand.bernoulli"];

class SkriptND_Known<list<string> operators, string name, list<Trait> traits, list<Trait> otherwise = []> {
  list<Trait> found = !if(!empty(!filter(operator, operators, !eq(operator, name))), otherwise, traits);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

// An operator with variables of its own. Its definition in SkriptND verifies it and infers its results.
class SkriptND_StatefulOperator<string module, string mnemonic, list<Trait> traits = []>
    : SkriptND_Op<module # "." # mnemonic,
                  !listconcat([DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let cppNamespace = "::skriptnd::" # module;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

// An operator whose results depend on its operands and attributes only, unless it draws random numbers.
class SkriptND_Operator<string module, string mnemonic, list<Trait> traits = []>
    : SkriptND_StatefulOperator<module, mnemonic, !listconcat(
          SkriptND_Known<SkriptND_Random, module # "." # mnemonic, [MemoryEffects<[MemWrite]>], [Pure]>.found,
          SkriptND_Known<SkriptND_Idempotent, module # "." # mnemonic, [Idempotent]>.found,
          SkriptND_Known<SkriptND_Involutions, module # "." # mnemonic, [Involution]>.found,
          SkriptND_Known<SkriptND_Commutative, module # "." # mnemonic, [Commutative]>.found,
          traits)>;

#endif // SKRIPTND_TRAITS_TD
