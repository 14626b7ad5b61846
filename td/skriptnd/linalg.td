//===- linalg.td - Operators of the module `linalg` ---------------------===//
//
// Products of vectors and matrices (specification, section 4.3).
// Their definitions in SkriptND are in stdlib/linalg.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LINALG_TD
#define SKRIPTND_LINALG_TD

include "SkriptNDBase.td"

class Linalg_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"linalg", mnemonic, traits>;

def Linalg_DotOp : Linalg_Operator<"dot", [Pure, AttrSizedOperandSegments]> {
  let summary = "Dot product of vectors, with an optional summand";
  let arguments = (ins
    SkriptND_Real:$x,
    SkriptND_Real:$y,
    Optional<SkriptND_Real>:$b
  );
  let results = (outs SkriptND_Real:$z);
}

def Linalg_MatvecOp : Linalg_Operator<"matvec", [Pure, AttrSizedOperandSegments]> {
  let summary = "Product of a matrix, or its transpose, and a vector, with an optional summand";
  let arguments = (ins
    SkriptND_Real:$A,
    SkriptND_Real:$x,
    Optional<SkriptND_Real>:$b,
    DefaultValuedAttr<BoolAttr, "false">:$transA
  );
  let results = (outs SkriptND_Real:$y);
}

def Linalg_MatmulOp : Linalg_Operator<"matmul", [Pure, AttrSizedOperandSegments]> {
  let summary = "Product of matrices or their transposes";
  let description = [{
    Batch dimensions stand in front and broadcast; C is an optional summand.
  }];
  let arguments = (ins
    SkriptND_Real:$A,
    SkriptND_Real:$B,
    Optional<SkriptND_Real>:$C,
    DefaultValuedAttr<BoolAttr, "false">:$transA,
    DefaultValuedAttr<BoolAttr, "false">:$transB
  );
  let results = (outs SkriptND_Real:$Z);
}

def Linalg_OuterOp : Linalg_Operator<"outer", [Pure]> {
  let summary = "Outer product: the products of all pairs of elements";
  let arguments = (ins
    SkriptND_Real:$x,
    SkriptND_Real:$y
  );
  let results = (outs SkriptND_Real:$z);
}

#endif // SKRIPTND_LINALG_TD
