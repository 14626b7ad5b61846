//===- Former.td - What MLIR's OpBase.td once had --------------*- tablegen -*-===//
//
// Files in the spellings of the text on early operation definitions are read with it.
//
//===----------------------------------------------------------------------===//

#ifndef RUST_FORMER
#define RUST_FORMER

include "mlir/IR/OpBase.td"

// Traits of an operation by the names of their C++ classes, beside those in the list of `Op`.
class Traits<list<string> names> {
  list<Trait> namedTraits = !foreach(name, names, NativeOpTrait<name>);
}

#endif // RUST_FORMER
