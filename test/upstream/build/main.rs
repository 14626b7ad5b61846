//! Generates dialects of MLIR under the name `x<dialect>`, and what they leave to Rust so that it admits everything.

mod permissive;
mod whole;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use skriptnd_tablegen::{
    Error, Records, Result, generate, llvm_prefix,
    ods::{Model, Operation},
    search_path,
};

/// Name, files, and the file that names the dialect.
const DIALECTS: [(&str, &str, &str); 12] = [
    ("arith", "Arith/IR/ArithOps.td", "Arith/IR/ArithBase.td"),
    ("func", "Func/IR/FuncOps.td", "Func/IR/FuncOps.td"),
    ("scf", "SCF/IR/SCFOps.td", "SCF/IR/SCFOps.td"),
    ("cf", "ControlFlow/IR/ControlFlowOps.td", "ControlFlow/IR/ControlFlowOps.td"),
    ("tensor", "Tensor/IR/TensorOps.td", "Tensor/IR/TensorBase.td"),
    ("linalg", "Linalg/IR/LinalgOps.td Linalg/IR/LinalgStructuredOps.td", "Linalg/IR/LinalgBase.td"),
    ("memref", "MemRef/IR/MemRefOps.td", "MemRef/IR/MemRefBase.td"),
    ("vector", "Vector/IR/VectorOps.td", "Vector/IR/Vector.td"),
    ("tosa", "Tosa/IR/TosaOps.td", "Tosa/IR/TosaOpBase.td"),
    ("shape", "Shape/IR/ShapeOps.td", "Shape/IR/ShapeBase.td"),
    ("pdl", "PDL/IR/PDLOps.td", "PDL/IR/PDLDialect.td"),
    ("transform", "Transform/IR/TransformOps.td Transform/IR/TransformTypes.td", "Transform/IR/TransformDialect.td"),
];

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=hooks");
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| Error::new("OUT_DIR is not set"))?);
    for (name, file, base) in DIALECTS {
        dialect(&output, name, file, base)?;
    }
    println!("cargo:rerun-if-env-changed=SKRIPTND_WHOLE");
    let whole = if env::var_os("SKRIPTND_WHOLE").is_some() { whole::modules()? } else { String::new() };
    fs::write(output.join("whole.rs"), whole).map_err(|error| Error::new(format!("whole.rs: {error}")))
}

fn dialect(output: &Path, name: &str, file: &str, base: &str) -> Result<()> {
    let failed = |error: std::io::Error| Error::new(format!("{name}: {error}"));
    let upstream = llvm_prefix().join("include/mlir/Dialect");
    let renamed = format!("x{name}");
    let folder = output.join(name);
    let copy = folder.join("mlir/Dialect").join(base);
    fs::create_dir_all(copy.parent().unwrap_or(&folder)).map_err(failed)?;
    let text = fs::read_to_string(upstream.join(base)).map_err(failed)?;
    let text = text.replacen(&format!("let name = \"{name}\";"), &format!("let name = \"{renamed}\";"), 1);
    fs::write(&copy, text).map_err(failed)?;
    let main = folder.join("main.td");
    let includes: String = file.split(' ').map(|file| format!("include \"mlir/Dialect/{file}\"\n")).collect();
    fs::write(&main, includes).map_err(failed)?;
    let records = Records::from_file(&main, &search_path(&main, &[]))?;
    let model = Model::read_dialect(&records, Some(&renamed))?;
    let model = model.with_operations(is_generated);
    let rust = [
        generate::operation_definitions(&model, file)?,
        generate::operation_declarations(&model, file)?,
        generate::enumerations(&model, file)?,
        generate::dialect(&model, file)?,
    ]
    .join("\n");
    let by_hand = PathBuf::from("hooks").join(name).with_extension("rs");
    let by_hand = if by_hand.exists() { fs::read_to_string(by_hand).map_err(failed)? } else { String::new() };
    let rust = permissive::with_hooks(&rust, &by_hand).map_err(|error| Error::new(format!("{name}: {error}")))?;
    fs::write(output.join(format!("{name}.rs")), rust).map_err(failed)
}

/// Whether Rust can be made of an operation; `tests/upstream.rs` of the back end counts those of which it can't.
fn is_generated(operation: &Operation) -> bool {
    generate::check(&Model { operations: vec![operation.clone()], ..Model::default() }).is_ok()
}
