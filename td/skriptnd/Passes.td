//===- Passes.td - Passes on the skriptnd dialect --------------------------===//

#ifndef SKRIPTND_PASSES_TD
#define SKRIPTND_PASSES_TD

include "mlir/Pass/PassBase.td"

def SkriptNDRewrite : Pass<"skriptnd-rewrite", "::mlir::ModuleOp"> {
  let summary = "Simplify graphs by the declared rewrites";
  let description = [{
    Applies the patterns of `td/skriptnd/Rewrites.td` until none matches: batch normalisation goes into the filter of
    the convolution before it, repeated activations, transposes and reshapes cancel, identities vanish. The patterns
    match whole operators, so the pass runs before any decomposition.
  }];
  let dependentDialects = ["skriptnd"];
  let options = [
    Option<"maxRewrites", "max-rewrites", "int64_t", "1000000",
           "Stop with an error after so many rewrites, which a rule that matches its own result would exceed">,
    Option<"report", "report", "bool", "false", "Remark how often each pattern was applied">,
  ];
}

def SkriptNDDecompose : Pass<"skriptnd-decompose", "::mlir::ModuleOp"> {
  let summary = "Replace operators by their compositions";
  let description = [{
    An operator with a `@compose` block is replaced by what the block says for its attributes and operand types, again
    and again until only operators with formulas are left.
  }];
  let dependentDialects = ["skriptnd"];
  let options = [
    ListOption<"keep", "keep", "std::string", "Operators to leave whole, such as `nn.softmax`">,
  ];
}

def SkriptNDLowerOperators : Pass<"skriptnd-lower-operators", "::mlir::ModuleOp"> {
  let summary = "Replace operators by their formulas";
  let description = [{
    An operator with a `@lower` block becomes a formula operation.
  }];
  let dependentDialects = ["skriptnd"];
}

def ConvertSkriptNDToLinalg : Pass<"convert-skriptnd-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn graphs into functions on tensors";
  let description = [{
    Each `skriptnd.graph` becomes a `func.func` of its inputs and variables, formulas become operations of linalg,
    tensor, arith, math and scf. Uniform constants become splats; the values of variables never stand in the module.
  }];
  let dependentDialects = ["arith", "func", "linalg", "math", "scf", "tensor"];
}

#endif // SKRIPTND_PASSES_TD
