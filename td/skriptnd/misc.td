//===- misc.td - Operators of the module `misc` -------------------------===//
//
// Operators that belong nowhere else.
// Their definitions in SkriptND are in stdlib/misc.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_MISC_TD
#define SKRIPTND_MISC_TD

include "SkriptNDBase.td"

class Misc_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"misc", mnemonic, traits>;

def Misc_MeshGridOp : Misc_Operator<"mesh_grid", [Pure, AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "Coordinates of a grid: one tensor for each of the given vectors, which varies along its own dimension";
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

#endif // SKRIPTND_MISC_TD
