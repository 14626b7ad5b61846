//! Compiles the Hexagon runtime (`runtime/hexagon/*.c`) with clang; its objects are embedded in the library.

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &[&str] = &["start", "runner", "memory", "arithmetic", "math"];

fn main() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let runtime = root.join("../../runtime");
    let output = PathBuf::from(variable("OUT_DIR"));
    println!("cargo::rerun-if-changed={}", runtime.join("hexagon").display());
    println!("cargo::rerun-if-changed={}", runtime.join("include").display());
    let mut table = String::from(
        "/// Objects of the Hexagon runtime with their names.\npub const OBJECTS: &[(&str, &[u8])] = &[\n",
    );
    for source in SOURCES {
        let object = output.join(format!("{source}.o"));
        compile(&runtime.join("hexagon").join(format!("{source}.c")), &object);
        table += &format!("    ({:?}, include_bytes!({:?})),\n", format!("{source}.o"), object);
    }
    table += "];\n";
    if let Err(error) = std::fs::write(output.join("objects.rs"), table) {
        fail(&format!("can't write the table of objects: {error}"));
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| fail(&format!("cargo did not set {name}")))
}

fn compile(source: &Path, object: &Path) {
    let status = Command::new("clang-22")
        .args(["--target=hexagon-unknown-linux-musl", "-mcpu=hexagonv67", "-O2", "-ffreestanding", "-fno-builtin"])
        // As `dialects/mlir/src/llvm.rs` has it for models.
        .args(["-mllvm", "-rdf-opt=false", "-mllvm", "-slot1-store-slot0-load=false"])
        .args(["-nostdlibinc", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-c"])
        .arg(source)
        .arg("-o")
        .arg(object)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => fail(&format!("clang-22 could not compile {}", source.display())),
        Err(error) => fail(&format!("clang-22 did not start ({error}); `cargo xtask doctor` says what is missing")),
    }
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1);
}
