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

#[test]
fn constraints_hold() {
    let prefix = llvm_prefix();
    let directory = tempfile::tempdir().unwrap();
    let (td, text, input) =
        (directory.path().join("it.td"), directory.path().join("it.irdl"), directory.path().join("in.mlir"));
    fs::write(
        &td,
        r#"include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; }
def Token : TypeDef<T, "Token"> { let mnemonic = "token"; }
def One : I32EnumAttrCase<"One", 1>;
def Level : I32EnumAttr<"Level", "l", [One]> { let genSpecializedAttr = 0; }
def Kind : AnyTypeOf<[F32, SI<8>, AnyVectorOfAnyRank, Token]>;
def A : Op<T, "a"> {
  let arguments = (ins Kind:$x, Variadic<Index>:$more, Level:$level, OptionalAttr<StrAttr>:$text);
  let regions = (region SizedRegion<1>:$body);
}
def B : Op<T, "b.c">;
"#,
    )
    .unwrap();
    let (irdl, left_out) = irdl(&td, "t", "t");
    assert_eq!(left_out, 1, "{irdl}");
    fs::write(&text, irdl).unwrap();
    let body = "({ \"u.end\"() : () -> () })";
    let cases = [
        ("f32", "1 : i32", true),
        ("si8", "1 : i32", true),
        ("vector<2xf32>", "1 : i32", true),
        ("!t.token", "1 : i32", true),
        ("f64", "1 : i32", false),
        ("i8", "1 : i32", false),
        ("f32", "2 : i32", false),
        ("f32", "1 : i64", false),
    ];
    for (operand, level, admitted) in cases {
        let operation = format!("\"t.a\"(%x) {body} {{level = {level}}} : ({operand}) -> ()");
        fs::write(&input, format!("\"u.f\"() ({{ ^bb0(%x: {operand}): {operation} }}) : () -> ()")).unwrap();
        let mut command = Command::new(prefix.join("bin/mlir-opt"));
        command.arg(format!("--irdl-file={}", text.display())).arg("--allow-unregistered-dialect").arg(&input);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), admitted, "{operand}, {level}: {said}");
    }
}
