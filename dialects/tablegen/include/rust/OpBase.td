//===- OpBase.td - What TableGen for Rust adds to MLIR's --------*- tablegen -*-===//
//
// The back end brings this file along: include "rust/OpBase.td" is found without -I.
//
//===----------------------------------------------------------------------===//

#ifndef RUST_OP_BASE
#define RUST_OP_BASE

include "mlir/IR/OpBase.td"

// A predicate in Rust, with the placeholders of CPred: $_self, $_op, $_builder and, where a constraint has
// parameters, $0, $1 and so on.
class RustPred<string expression> : Pred {
  string rust = expression;
}

// The sizes of groups stand in an attribute although they follow from the number of values, as there is one open group.
def SizedOperands : NativeOpTrait<"AttrSizedOperandSegments">;
def SizedResults : NativeOpTrait<"AttrSizedResultSegments">;

#endif // RUST_OP_BASE
