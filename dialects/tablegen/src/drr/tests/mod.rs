//! Each paragraph of upstream's text about DRR: what becomes of valid patterns, and what is said of broken ones.

mod asked;
mod broken;
mod making;
mod matching;

use super::*;
use std::io::Write as _;

const PRELUDE: &str = r#"include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def Neg : TOp<"neg", [SameOperandsAndResultType]> { let arguments = (ins F32Tensor:$x); let results = (outs F32Tensor:$y); }
def Add : TOp<"add"> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); let results = (outs AnyTensor:$z); }
def Scale : TOp<"scale"> {
  let arguments = (ins AnyTensor:$x, I64Attr:$by, OptionalAttr<I64Attr>:$bias, DefaultValuedAttr<I64Attr, "3">:$times);
  let results = (outs AnyTensor:$y);
}
def Join : TOp<"join", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyTensor>:$xs, Optional<AnyTensor>:$y); let results = (outs AnyTensor:$z);
}
def Cat : TOp<"cat"> { let arguments = (ins Variadic<AnyTensor>:$xs, I32Attr:$axis); let results = (outs AnyTensor:$z); }
def Two : TOp<"two"> { let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$a, AnyTensor:$b); }
def Three : TOp<"three"> { let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$a, AnyTensor:$b, AnyTensor:$c); }
def Sink : TOp<"sink"> { let arguments = (ins AnyTensor:$x); }
def Pair : TOp<"pair"> { let arguments = (ins AnyAttr:$a, AnyAttr:$b); let results = (outs I32:$r); }
def Same : TOp<"same", [AllTypesMatch<["x", "y"]>]> { let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$y); }
def Kind : I32EnumAttr<"Kind", "", [I32EnumAttrCase<"Red", 0>, I32EnumAttrCase<"Blue", 4>]> { let cppNamespace = "::t"; }
def Painted : TOp<"painted"> { let arguments = (ins AnyTensor:$x, Kind:$kind); let results = (outs AnyTensor:$y); }
"#;

fn read(patterns: &str) -> Result<PdlModule> {
    let mut file = tempfile::Builder::new().suffix(".td").tempfile().unwrap();
    file.write_all(format!("{PRELUDE}{patterns}").as_bytes()).unwrap();
    let records = Records::from_file(file.path(), &[crate::paths::llvm_prefix().join("include")]).unwrap();
    translate(&records)
}

fn pdl(patterns: &str) -> PdlModule {
    read(patterns).unwrap_or_else(|error| panic!("{patterns}: {error}"))
}

/// What is wrong: line and column behind the prelude, and the message.
fn errors(patterns: &str) -> Vec<String> {
    let error = read(patterns).map(|module| module.text).unwrap_err();
    let first = PRELUDE.lines().count();
    let shown = |diagnostic: &Diagnostic| match diagnostic.place().position() {
        Some((_, line, column)) => format!("{}:{column}: {}", line - first, diagnostic.message()),
        None => diagnostic.message().to_string(),
    };
    error.diagnostics().iter().map(shown).collect()
}

/// The lines of the only pattern, without those around them.
fn lines(patterns: &str) -> Vec<String> {
    let text = pdl(patterns).text;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(text.matches("pdl.pattern").count(), 1, "{text}");
    lines[1..lines.len() - 1].iter().map(|line| line.to_string()).collect()
}

/// Checks that lines stand in the text in this order.
#[track_caller]
fn has(patterns: &str, expected: &[&str]) {
    let lines = lines(patterns);
    let mut rest = lines.iter();
    for expected in expected {
        assert!(rest.any(|line| line == expected), "{expected}\nis not in order in\n{}", lines.join("\n"));
    }
}
