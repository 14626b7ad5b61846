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
    Option<"maxRewrites", "max-rewrites", "uint64_t", "0",
           "Stop with an error after so many rewrites, which a rule that matches its own result would exceed; "
           "0: after 10,000, and 20 for each operation of the module">,
    Option<"exact", "exact", "bool", "false",
           "Leave out what is rounded in another way than the formulas, here and in all passes behind: sets `skriptnd.exact`">,
    Option<"report", "report", "bool", "false", "Remark how often each pattern was applied">,
    Option<"statistics", "statistics", "bool", "false",
           "Remark for each pattern how often it was tried, matched and applied, and how long its rewriting took">,
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

def ApplyPdlPatterns : Pass<"apply-pdl-patterns", "::mlir::ModuleOp"> {
  let summary = "Rewrite by patterns in a file of PDL";
  let description = [{
    Applies the `pdl.pattern` operations of a file until none matches: what `skriptnd-tblgen -gen-pdl` makes of a .td file,
    what `skriptnd-translate --htp-rules-to-pdl` makes of HTP rules, or what was written by hand. Where modules stand in
    the module, their patterns are applied one module after the other. The patterns may call the native functions of
    `td/skriptnd/Rewrites.td`, those that all translated patterns share, and those of HTP rules.
  }];
  let dependentDialects = ["skriptnd", "pdl"];
  let options = [
    Option<"file", "file", "std::string", "", "The file">,
    Option<"maxRewrites", "max-rewrites", "uint64_t", "0",
           "Stop with an error after so many rewrites, which a rule that matches its own result would exceed; "
           "0: after 10,000, and 20 for each operation of the module">,
    Option<"report", "report", "bool", "false", "Remark how often each pattern was applied">,
    Option<"statistics", "statistics", "bool", "false",
           "Remark for each pattern how often it was tried, matched and applied, and how long its rewriting took">,
  ];
}

#endif // SKRIPTND_PASSES_TD
