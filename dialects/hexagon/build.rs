//! Compiles the runtime on bare machines (`runtime/bare/*.c`) with clang, for each of them; its objects are embedded in the library.
//! Generates the Rust of the dialect from `td/hexagon`.

use skriptnd_tablegen::{BuildScript, generate, ods::Model};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &[&str] = &["start", "runner", "memory", "math"];

/// What is compiled for a machine: its name in the table, further sources, and options of clang.
const MACHINES: &[(&str, &[&str], &[&str])] = &[
    (
        "HEXAGON",
        &["arithmetic", "doubles"],
        // As `dialects/mlir/src/llvm.rs` has it for models.
        &[
            "--target=hexagon-unknown-linux-musl",
            "-mcpu=hexagonv67",
            "-mllvm",
            "-rdf-opt=false",
            "-mllvm",
            "-slot1-store-slot0-load=false",
        ],
    ),
    ("AARCH64", &[], &["--target=aarch64-unknown-linux-gnu"]),
    ("RISCV64", &[], &["--target=riscv64-unknown-linux-gnu", "-march=rv64gc"]),
];

fn main() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let runtime = root.join("../../runtime");
    let output = PathBuf::from(variable("OUT_DIR"));
    println!("cargo::rerun-if-changed={}", runtime.join("bare").display());
    println!("cargo::rerun-if-changed={}", runtime.join("include").display());
    let mut table = String::new();
    for (machine, further, options) in MACHINES {
        table += &format!("/// Objects of the runtime with their names.\npub const {machine}: &[(&str, &[u8])] = &[\n");
        for source in SOURCES.iter().chain(*further) {
            let object = output.join(format!("{machine}-{source}.o"));
            compile(&runtime.join("bare").join(format!("{source}.c")), &object, options);
            table += &format!("    ({:?}, include_bytes!({:?})),\n", format!("{source}.o"), object);
        }
        table += "];\n";
    }
    if let Err(error) = std::fs::write(output.join("objects.rs"), table) {
        fail(&format!("can't write the table of objects: {error}"));
    }
    if let Err(error) = dialect() {
        fail(&error.to_string());
    }
}

fn dialect() -> skriptnd_tablegen::Result<()> {
    let script = BuildScript::new("../../td/hexagon")?;
    let operations = script.read("Hexagon.td")?;
    let model = Model::read(&operations)?.of_dialect("hexagon");
    script.write("definitions.rs", &generate::operation_definitions(&model, "Hexagon.td")?)?;
    script.write("operations.rs", &generate::operation_declarations(&model, "Hexagon.td")?)?;
    script.write("dialect.rs", &generate::dialect(&model, "Hexagon.td")?)
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| fail(&format!("cargo did not set {name}")))
}

fn compile(source: &Path, object: &Path, options: &[&str]) {
    let status = Command::new("clang-22")
        .args(options)
        .args(["-O2", "-ffreestanding", "-fno-builtin"])
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
