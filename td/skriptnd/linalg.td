//===- linalg.td - Operators of the module `linalg` ---------------------===//
//
// Products of vectors and matrices (specification, section 4.3).
//
// Written by `cargo xtask docs` from stdlib/linalg.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LINALG_TD
#define SKRIPTND_LINALG_TD

include "Traits.td"

def Linalg_DotOp : SkriptND_Operator<"linalg", "dot", [SizedOperands]> {
  let summary = "Dot product of vectors, with an optional summand";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y,
    Optional<SkriptND_Num>:$b
  );
  let results = (outs SkriptND_Num:$z);
}

def Linalg_MatvecOp : SkriptND_Operator<"linalg", "matvec", [SizedOperands]> {
  let summary = "Product of a matrix, or its transpose, and a vector, with an optional summand";
  let arguments = (ins
    SkriptND_Num:$A,
    SkriptND_Num:$x,
    Optional<SkriptND_Num>:$b,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether A is transposed">:$transA
  );
  let results = (outs SkriptND_Num:$y);
}

def Linalg_MatmulOp : SkriptND_Operator<"linalg", "matmul", [SizedOperands]> {
  let summary = "Product of matrices or their transposes";
  let description = [{
    Batch dimensions stand in front and broadcast; C is an optional summand.
  }];
  let arguments = (ins
    SkriptND_Num:$A,
    SkriptND_Num:$B,
    Optional<SkriptND_Num>:$C,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether A is transposed">:$transA,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether B is transposed">:$transB
  );
  let results = (outs SkriptND_Num:$Z);
}

def Linalg_OuterOp : SkriptND_Operator<"linalg", "outer"> {
  let summary = "Outer product: the products of all pairs of elements";
  let arguments = (ins
    SkriptND_Num:$x,
    SkriptND_Num:$y
  );
  let results = (outs SkriptND_Num:$z);
}

#endif // SKRIPTND_LINALG_TD
