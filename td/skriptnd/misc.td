//===- misc.td - Operators of the module `misc` -------------------------===//
//
// Operators that belong nowhere else.
//
// Written by `cargo xtask docs` from stdlib/misc.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_MISC_TD
#define SKRIPTND_MISC_TD

include "Traits.td"

def Misc_MeshGridOp : SkriptND_Operator<"misc", "mesh_grid", [SizedOperands, SizedResults]> {
  let summary = "Coordinates of a grid: one tensor for each of the given vectors, which varies along its own dimension";
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

#endif // SKRIPTND_MISC_TD
