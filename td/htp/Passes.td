//===- Passes.td - Passes on the htp dialect --------------------------------===//

#ifndef HTP_PASSES_TD
#define HTP_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertSkriptNDToHtp : Pass<"convert-skriptnd-to-htp", "::mlir::ModuleOp"> {
  let summary = "Convert operators that the tensor processor has to its ops";
  let description = [{
    Operators on images become ops on images with the channels last, between transposes that cancel where they meet.
    What has no counterpart stays as it is. Quantization becomes the type of what is computed.
  }];
  let dependentDialects = ["htp", "quant"];
  let options = [
    Option<"report", "report", "bool", "false", "Remark which operators stay, how many, and why">,
  ];
}

def ConvertHtpToSkriptND : Pass<"convert-htp-to-skriptnd", "::mlir::ModuleOp"> {
  let summary = "Convert ops of the tensor processor to the operators that they are";
  let dependentDialects = ["skriptnd"];
}

def ApplyHtpRules : Pass<"apply-htp-rules", "::mlir::ModuleOp"> {
  let summary = "Apply the optimization rules of one or more files";
  let description = [{
    Passes run in rising number, each until no rule applies; between passes dead nodes are removed and common ones
    merged. Several files are those of one op package: each pass has the rules of all of them, tried in the order of the
    files. A name with spaces or commas stands in quotes, several of them in braces: `file={"my rules.htp","others.htp"}`.
  }];
  let dependentDialects = ["htp"];
  let options = [
    ListOption<"file", "file", "std::string", "The rule files">,
    Option<"mode", "mode", "std::string", "\"strict\"",
           "`strict`: the published grammar; `sdk`: with the extensions of public rule files">,
    ListOption<"include", "include", "std::string", "Directories of included files">,
    Option<"passes", "passes", "std::string", "", "A table of pass groups in place of the built-in one">,
    Option<"package", "package", "std::string", "",
           "The package of ops whose names have none; without it the one that the file declares, or `q`">,
    Option<"prelude", "prelude", "std::string", "", "A file of macros in place of the built-in one of the `sdk` mode">,
    ListOption<"functions", "functions", "std::string", "Shared libraries with external functions">,
    Option<"limit", "limit", "uint64_t", "0", "Sweeps over the graph in one pass; 0 for as many as usual">,
    Option<"limitApplications", "limit-applications", "uint64_t", "0",
           "Applications of rules in one pass; 0 for as many as usual">,
    ListOption<"options", "options", "std::string", "Options of the graph, name=value">,
    Option<"report", "report", "bool", "false", "Remark how often each rule was applied, and where">,
    Option<"explain", "explain", "bool", "false", "Remark why rules were not applied: those that came nearest to a node">,
    Option<"trace", "trace", "std::string", "",
           "A file for what rules did, step by step; a name that ends in .json gets an object a line">,
  ];
}

def PlaceHtpTensors : Pass<"place-htp-tensors", "::mlir::ModuleOp"> {
  let summary = "Take a variant of each op, and convert tensors to the formats that it needs";
  let description = [{
    Of the variants that a package registers (`htp.variants`, which `apply-htp-rules` notes), the cheapest is taken: FREE before FAST, SNAIL and
    GLACIAL, then that of the fewest conversions, then the first. Where an operand lies in another way than the variant needs it, or in other memory,
    `q.ForceFormat_*`, `q.*_to_vtcm` and `q.*_from_vtcm` convert it, once for all that take it so. Tensors of which nothing is told lie flat in main
    memory, as those of the graph do; an operand of which a variant does not tell a layout or a place is taken as it lies. Conversions that are
    there, which rules may make, are made anew, so that pairs which undo each other go.
  }];
  let dependentDialects = ["htp"];
  let options = [
    Option<"report", "report", "bool", "false", "Remark which variant each op has, and how many conversions there are">,
  ];
}

#endif // HTP_PASSES_TD
