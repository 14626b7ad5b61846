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
    SkriptND_Real:$x,
    SkriptND_Real:$y,
    Optional<SkriptND_Real>:$b
  );
  let results = (outs SkriptND_Real:$z);
}

def Linalg_MatvecOp : SkriptND_Operator<"linalg", "matvec", [SizedOperands]> {
  let summary = "Product of a matrix, or its transpose, and a vector, with an optional summand";
  let arguments = (ins
    SkriptND_Real:$A,
    SkriptND_Real:$x,
    Optional<SkriptND_Real>:$b,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether A is transposed">:$transA
  );
  let results = (outs SkriptND_Real:$y);
}

def Linalg_MatmulOp : SkriptND_Operator<"linalg", "matmul", [SizedOperands]> {
  let summary = "Product of matrices or their transposes";
  let description = [{
    Batch dimensions stand in front and broadcast; C is an optional summand.
  }];
  let arguments = (ins
    SkriptND_Real:$A,
    SkriptND_Real:$B,
    Optional<SkriptND_Real>:$C,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether A is transposed">:$transA,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether B is transposed">:$transB
  );
  let results = (outs SkriptND_Real:$Z);
}

def Linalg_OuterOp : SkriptND_Operator<"linalg", "outer"> {
  let summary = "Outer product: the products of all pairs of elements";
  let arguments = (ins
    SkriptND_Real:$x,
    SkriptND_Real:$y
  );
  let results = (outs SkriptND_Real:$z);
}

#endif // SKRIPTND_LINALG_TD
