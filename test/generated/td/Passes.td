// Passes with options of all kinds.

include "mlir/Pass/PassBase.td"

def TestKinds : Pass<"generated-test-kinds", "ModuleOp"> {
  let summary = "Shows its options";
  let options = [
    Option<"flag", "flag", "bool", "1", "Truth">,
    Option<"small", "small", "int8_t", "-128", "Eight bits">,
    Option<"number", "number", "int64_t", "0x10", "An integer">,
    Option<"natural", "natural", "unsigned", "-1u", "As many as there are">,
    Option<"largest", "largest", "uint64_t", "std::numeric_limits<uint64_t>::max()", "As large as can be">,
    Option<"ratio", "ratio", "double", "0.30f", "A number">,
    Option<"title", "title", "std::string", "\"a \\\"b\\\"\"", "A text">,
    Option<"type", "type", "std::string", "Names::kMain.str()", "A text that C++ makes">,
    Option<"fusionMode", "fusion-mode", "enum FusionMode", "mlir::FusionMode::kGreedy", "Which",
           "llvm::cl::values(clEnumValN(mlir::FusionMode::kGreedy, \"greedy\", \"Both \" \"ways\"), clEnumValN(FusionMode::Sibling, \"sibling\", \"\"))">,
    Option<"visibility", "visibility", "::mlir::LLVM::Visibility", "::mlir::LLVM::Visibility::Default", "Of what",
           "::llvm::cl::values(clEnumValN(::mlir::LLVM::Visibility::Hidden, \"hidden\", \"Hidden\"))">,
    ListOption<"flags", "flags", "bool", "Truths">,
    ListOption<"numbers", "numbers", "int", "Integers">,
    ListOption<"naturals", "naturals", "uint8_t", "Natural numbers">,
    ListOption<"ratios", "ratios", "float", "Numbers">,
    ListOption<"titles", "titles", "std::string", "Texts">,
    ListOption<"modes", "modes", "Mode", "Ways", "cl::values(clEnumVal(Fast, \"At once\"), clEnumVal(Slow, \"\"))">,
  ];
  let statistics = [
    Statistic<"numRuns", "num-runs", "How often it ran">,
    Statistic<"numOthers", "num-others", "What it never does">,
  ];
}

def TestFunctions : InterfacePass<"generated-test-functions", "mlir::FunctionOpInterface"> {
  let summary = "Runs on functions";
}
