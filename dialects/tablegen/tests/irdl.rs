//! IRDL that is made of declarations is loaded by `mlir-opt`, and admits and refuses what was declared.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use skriptnd_tablegen::{Records, generate, llvm_prefix, ods::Model, search_path};

/// The text for one dialect of a file, which becomes `new_name`, as `mlir-opt` has the dialect already.
fn irdl(file: &Path, dialect: &str, new_name: &str) -> (String, usize) {
    let records = Records::from_file(file, &search_path(file, &[])).unwrap();
    let (text, left_out) = generate::irdl(&Model::read_dialect(&records, Some(dialect)).unwrap());
    let renamed = text.replace(&format!("irdl.dialect @{dialect} "), &format!("irdl.dialect @{new_name} "));
    (renamed.replace(&format!("@{dialect}::"), &format!("@{new_name}::")), left_out.len())
}

fn load(prefix: &Path, irdl: &Path, input: &Path) -> Output {
    let option = format!("--irdl-file={}", irdl.display());
    Command::new(prefix.join("bin/mlir-opt")).arg(option).arg(input).output().unwrap()
}

#[test]
fn upstream_dialects_are_loaded() {
    let prefix = llvm_prefix();
    let directory = tempfile::tempdir().unwrap();
    let (text, input) = (directory.path().join("it.irdl"), directory.path().join("in.mlir"));
    fs::write(&input, "").unwrap();
    let folder = prefix.join("include/mlir/Dialect");
    for (file, dialect) in [
        ("Arith/IR/ArithOps.td", "arith"),
        ("Func/IR/FuncOps.td", "func"),
        ("SCF/IR/SCFOps.td", "scf"),
        ("ControlFlow/IR/ControlFlowOps.td", "cf"),
        ("Tensor/IR/TensorOps.td", "tensor"),
        ("MemRef/IR/MemRefOps.td", "memref"),
        ("Vector/IR/VectorOps.td", "vector"),
        ("Linalg/IR/LinalgOps.td", "linalg"),
        ("Tosa/IR/TosaOps.td", "tosa"),
        ("Shape/IR/ShapeOps.td", "shape"),
        ("PDL/IR/PDLOps.td", "pdl"),
        ("Transform/IR/TransformOps.td", "transform"),
        ("GPU/IR/GPUOps.td", "gpu"),
        ("Async/IR/AsyncOps.td", "async"),
        ("SPIRV/IR/SPIRVOps.td", "spirv"),
        ("LLVMIR/LLVMOps.td", "llvm"),
    ] {
        fs::write(&text, irdl(&folder.join(file), dialect, "renamed").0).unwrap();
        let output = load(&prefix, &text, &input);
        assert!(output.status.success(), "{dialect}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A dialect in a folder of its own, in IRDL.
struct Loaded {
    directory: tempfile::TempDir,
    warnings: Vec<String>,
}

impl Loaded {
    /// The dialect `t` with these declarations.
    fn new(declarations: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let td = directory.path().join("it.td");
        let head = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/EnumAttr.td\"\n\
                    include \"mlir/Interfaces/InferTypeOpInterface.td\"\ndef T : Dialect { let name = \"t\"; }\n";
        fs::write(&td, format!("{head}{declarations}")).unwrap();
        let records = Records::from_file(&td, &search_path(&td, &[])).unwrap();
        let (text, warnings) = generate::irdl(&Model::read(&records).unwrap());
        fs::write(directory.path().join("it.irdl"), text).unwrap();
        Self { directory, warnings: warnings.iter().map(|warning| warning.message().to_string()).collect() }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.directory.path().join("it.irdl")).unwrap()
    }

    /// What `mlir-opt` says of some text; nothing if it takes it.
    fn verdict(&self, input: &str) -> Option<String> {
        let file = self.directory.path().join("in.mlir");
        fs::write(&file, input).unwrap();
        let mut command = Command::new(llvm_prefix().join("bin/mlir-opt"));
        command.arg(format!("--irdl-file={}", self.directory.path().join("it.irdl").display()));
        let output = command.arg("--allow-unregistered-dialect").arg(file).output().unwrap();
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Checks that an operation is taken, or refused with `expected`. It has operands of these types, and of the `rest`
    /// regions and attributes, or results (`-> f32`).
    fn check(&self, operation: &str, operands: &[&str], rest: &str, expected: Option<&str>) {
        let arguments: Vec<String> =
            operands.iter().enumerate().map(|(index, kind)| format!("%{index}: {kind}")).collect();
        let names: Vec<String> = (0..operands.len()).map(|index| format!("%{index}")).collect();
        let (before, results) = rest.strip_prefix("->").map_or((rest, "()"), |results| ("", results));
        let operation =
            format!("\"t.{operation}\"({}) {before} : ({}) -> {results}", names.join(", "), operands.join(", "));
        let end = "\"u.end\"() : () -> ()";
        let input = format!("\"u.f\"() ({{ ^bb0({}): {operation} {end} }}) : () -> ()", arguments.join(", "));
        match (self.verdict(&input), expected) {
            (None, None) => {}
            (Some(said), Some(expected)) => assert!(said.contains(expected), "{operation}: {said}"),
            (said, _) => panic!("{operation}: expected {expected:?}, got {said:?}\n{}", self.text()),
        }
    }
}

#[test]
fn constraints_hold() {
    let loaded = Loaded::new(
        r#"
def Token : TypeDef<T, "Token"> { let mnemonic = "token"; }
def One : I32EnumAttrCase<"One", 1>;
def Level : I32EnumAttr<"Level", "l", [One]> { let genSpecializedAttr = 0; }
def Kind : AnyTypeOf<[F32, SI<8>, AnyVectorOfAnyRank, Token]>;
def A : Op<T, "a"> {
  let arguments = (ins Kind:$x, Variadic<Index>:$more, Level:$level, OptionalAttr<StrAttr>:$text);
  let regions = (region SizedRegion<1>:$body);
}
"#,
    );
    assert_eq!(loaded.warnings, [""; 0]);
    let with = |level: &str| format!("({{ \"u.end\"() : () -> () }}) {{level = {level}}}");
    for kind in ["f32", "si8", "vector<2xf32>", "!t.token"] {
        loaded.check("a", &[kind], &with("1 : i32"), None);
    }
    for kind in ["f64", "i8"] {
        loaded.check("a", &[kind], &with("1 : i32"), Some("does not satisfy the constraint"));
    }
    loaded.check("a", &["f32", "index", "index"], &with("1 : i32"), None);
    loaded.check("a", &["f32", "index", "i32"], &with("1 : i32"), Some("but got 'i32'"));
    loaded.check("a", &[], &with("1 : i32"), Some("expects at least 1 operands"));
    loaded.check("a", &["f32"], &with("2 : i32"), Some("expected '1 : i32'"));
    loaded.check("a", &["f32"], &with("1 : i64"), Some("expected '1 : i32'"));
    loaded.check("a", &["f32"], "({ \"u.end\"() : () -> () })", Some("attribute \"level\" is expected"));
    loaded.check("a", &["f32"], "{level = 1 : i32}", Some("unexpected number of regions: expected 1 but got 0"));
    let two = "({ \"u.end\"() : () -> () ^b: \"u.end\"() : () -> () }) {level = 1 : i32}";
    loaded.check("a", &["f32"], two, Some("expected region 0 to have 1 block(s) but got 2"));
}

/// Values in IRDL are variables: what two operands share would have to be equal.
#[test]
fn equal_constraints_are_no_equal_types() {
    let loaded = Loaded::new(
        r#"
def Pair : TypeDef<T, "Pair"> { let mnemonic = "pair"; let parameters = (ins "Type":$a, "Type":$b); let assemblyFormat = "`<` params `>`"; }
def A : Op<T, "a"> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$z); }
def B : Op<T, "b"> { let arguments = (ins AnyFloat:$x, AnyFloat:$y, AnyAttr:$m, AnyAttr:$n); }
def C : Op<T, "c", [SameTypeOperands]> { let arguments = (ins AnyFloat:$x, AnyFloat:$y, Variadic<AnyFloat>:$z); }
def D : Op<T, "d", [AllTypesMatch<["x", "z"]>]> {
  let arguments = (ins AnyTypeOf<[F32, I32]>:$x, AnyType:$y);
  let results = (outs AnyTypeOf<[F32, F64]>:$z);
}
def E : Op<T, "e", [SameOperandsAndResultType]> { let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$z); }
def F : Op<T, "f", [SameOperandsAndResultType]> { let arguments = (ins AnyInteger:$x); let results = (outs AnyInteger:$z); }
"#,
    );
    assert_eq!(loaded.warnings, [""; 0]);
    loaded.check("a", &["f32", "i32"], "-> index", None);
    loaded.check("a", &["!t.pair<i32, f32>", "i32"], "-> index", None);
    loaded.check("b", &["f32", "f64"], "{m = 1, n = 2}", None);
    loaded.check("b", &["f32", "i64"], "{m = 1, n = 2}", Some("'i64' does not satisfy"));
    loaded.check("c", &["f64", "f64", "f64", "f64"], "", None);
    loaded.check("c", &["f64", "f32"], "", Some("expected 'f64' but got 'f32'"));
    loaded.check("c", &["f64", "f64", "f64", "f32"], "", Some("expected 'f64' but got 'f32'"));
    loaded.check("c", &["i64", "i64"], "", Some("does not satisfy"));
    loaded.check("d", &["f32", "index"], "-> f32", None);
    loaded.check("d", &["i32", "index"], "-> i32", Some("does not satisfy"));
    loaded.check("d", &["f32", "index"], "-> f64", Some("expected 'f32' but got 'f64'"));
    loaded.check("e", &["tensor<2xf32>"], "-> tensor<?xf32>", None);
    loaded.check("f", &["i32"], "-> i32", None);
    loaded.check("f", &["i32"], "-> i64", Some("expected 'i32' but got 'i64'"));
}

#[test]
fn attributes_are_constrained() {
    let loaded = Loaded::new(
        r#"
def Own : TypeDef<T, "Own"> { let mnemonic = "s"; }
def S : StrEnumAttr<"S", "s", [StrEnumAttrCase<"up">, StrEnumAttrCase<"down">]>;
def A : Op<T, "a"> {
  let arguments = (ins TypeAttrOf<AnyInteger>:$type, BoolAttr:$flag, UnitAttr:$unit, DenseI64ArrayAttr:$list,
                       ElementsAttr:$any, StringElementsAttr:$dense, F32Attr:$float, FlatSymbolRefAttr:$symbol, S:$word,
                       DefaultValuedAttr<I32Attr, "1">:$absent);
}
"#,
    );
    let given = [
        ("type", "i32", "f32"),
        ("flag", "true", "1 : i8"),
        ("list", "array<i64: 1>", "[1]"),
        ("any", "dense<1> : tensor<2xi32>", ""),
        ("dense", "dense<\"a\"> : tensor<2x!t.s>", "dense<1> : tensor<2xi32>"),
        ("float", "1.0 : f32", "1"),
        ("symbol", "@a", "\"a\""),
        ("word", "\"up\"", "\"left\""),
    ];
    let with = |wrong: Option<usize>| {
        let entries = given.iter().enumerate().map(|(index, (name, right, other))| {
            format!("{name} = {}", if wrong == Some(index) { other } else { right })
        });
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    };
    loaded.check("a", &[], &with(None), None);
    for (index, _) in given.iter().enumerate().filter(|(_, (_, _, other))| !other.is_empty()) {
        loaded.check("a", &[], &with(Some(index)), Some("error: "));
    }
    assert!(
        loaded.text().contains("// IRDL admits anything for what may be absent: unit, absent"),
        "{}",
        loaded.text()
    );
}

#[test]
fn what_irdl_cannot_say_is_warned_of() {
    let loaded = Loaded::new(
        r#"
def Name : TypeDef<T, "Name"> { let mnemonic = "a_b"; }
def A : Op<T, "a_b">;
def B : Op<T, "b.c">;
def C : Op<T, "Cap">;
def D : Op<T, "d__e">;
def E : Op<T, "_e">;
def F : Op<T, "f"> { let regions = (region VariadicRegion<AnyRegion>:$r); }
def G : Op<T, "g", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<AnyFloat>:$x, Variadic<F32>:$y, Optional<AnyType>:$z); }
def H : Op<T, "h", [SameVariadicOperandSize]> { let arguments = (ins Variadic<F32>:$x, Variadic<F32>:$y); }
def I : Op<T, "i", [Terminator]> { let successors = (successor AnySuccessor:$s); }
def J : Op<T, "1j"> {
  let arguments = (ins F32:$aB, F32:$a_b, F32:$_c, F32:$d__e);
  let results = (outs F32:$a_B, F32, F32);
}
"#,
    );
    assert_eq!(
        loaded.warnings,
        [
            "IRDL has no 't.a_b': an operation has this name",
            "IRDL has no operation 't.b.c': names have lowercase letters, digits and underscores only",
            "IRDL has no operation 't.Cap': names have lowercase letters, digits and underscores only",
            "IRDL has no operation 't.d__e': names have no leading or double underscores",
            "IRDL has no operation 't._e': names have no leading or double underscores",
            "IRDL has no operation 't.f': regions cannot be variadic",
            "IRDL takes values of one type only for 'x' of 't.g'",
            "IRDL asks 't.h' for the attribute operandSegmentSizes",
            "IRDL has no successors: 't.i' is refused where it has some",
            "IRDL has no terminators: 't.i' ends no block that needs one",
        ]
    );
    loaded.check("a_b", &[], "", None);
    loaded.check("h", &["f32", "f32"], "{operandSegmentSizes = array<i32: 1, 1>}", None);
    loaded.check("1j", &["f32", "f32", "f32", "f32"], "-> (f32, f32, f32)", None);
    loaded.check("1j", &["f32", "f32", "f32"], "-> (f32, f32, f32)", Some("expects exactly 4 operands"));
}

#[test]
fn dialects_without_a_name_in_irdl_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let td = directory.path().join("it.td");
    fs::write(&td, "include \"mlir/IR/OpBase.td\"\ndef T : Dialect { let name = \"Ty\"; }\ndef A : Op<T, \"a\">;")
        .unwrap();
    let records = Records::from_file(&td, &search_path(&td, &[])).unwrap();
    let (text, warnings) = generate::irdl(&Model::read(&records).unwrap());
    assert!(!text.contains("irdl."), "{text}");
    assert!(warnings[0].message().starts_with("IRDL has no dialect 'Ty'"), "{warnings:?}");
}
