// RUN: skriptnd-tblgen -gen-pass-decls %s | FileCheck %s --check-prefix=DECLS
// RUN: skriptnd-tblgen -gen-pass-doc %s | FileCheck %s --check-prefix=DOC
// RUN: skriptnd-tblgen -gen-pass-decls %td/skriptnd/Passes.td | FileCheck %s --check-prefix=OURS

include "mlir/Pass/PassBase.td"

def Polish : Pass<"test-polish", "func::FuncOp"> {
  let summary = "Polish functions";
  let description = [{
    Rubs until they shine.
  }];
  let dependentDialects = ["arith::ArithDialect", "scf"];
  let options = [
    Option<"rounds", "rounds", "int64_t", "3", "How often">,
    ListOption<"only", "only", "std::string", "Which functions">,
  ];
}

// DECLS: pub const ARGUMENTS: &[&str] = &["test-polish"];
// DECLS: pub struct PolishOptions {
// DECLS: pub rounds: i64,
// DECLS: pub only: Vec<String>,
// DECLS: /// `test-polish`: Polish functions.
// DECLS: pub fn test_polish(
// DECLS: PassSpec::new(
// DECLS: move |root, pass| run(root, pass, &PolishOptions::of(pass)),
// DECLS: .anchor("func.func")
// DECLS-NEXT: .dependent_dialect("arith")
// DECLS-NEXT: .dependent_dialect("scf")
// DECLS-NEXT: .option("rounds", "How often", OptionValue::Integer(3))
// DECLS-NEXT: .option("only", "Which functions", OptionValue::Texts(Vec::new()))

// DOC: ### `-test-polish`
// DOC: _Polish functions_
// DOC: Rubs until they shine.
// DOC: -rounds : How often
// DOC-NEXT: -only   : Which functions

// OURS: pub const ARGUMENTS: &[&str] = &[
// OURS-NEXT: "skriptnd-rewrite",
// OURS-NEXT: "skriptnd-decompose",
// OURS: pub fn apply_pdl_patterns(
