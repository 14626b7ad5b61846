//! Builds the C++ bridge in `bridge/` and links it, with lld behind it.

use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs, io};

fn main() {
    if let Err(message) = build() {
        eprintln!("cannot build the C++ bridge: {message}");
        exit(1);
    }
}

fn build() -> Result<(), String> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?;
    let source = Path::new(&manifest).join("bridge");
    let source = source.canonicalize().map_err(|error| format!("{}: {error}", source.display()))?;
    println!("cargo:rerun-if-changed={}", source.display());
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = PathBuf::from(env::var_os("MLIR_SYS_220_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into()));
    let output = shared(Path::new(&env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?), &source, &prefix);
    let _alone = lock(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    run(&mut configure(&source, &prefix, &output))?;
    run(Command::new("cmake").arg("--build").arg(&output))?;
    println!("cargo:rustc-link-search=native={}", output.display());
    println!("cargo:rustc-link-search=native={}", prefix.join("lib").display());
    for library in ["skriptnd_bridge", "skriptnd_lld", "lldCommon"] {
        println!("cargo:rustc-link-lib=static={library}");
    }
    Ok(())
}

/// The folder that all builds of the sources on one LLVM share, in that of the profile: the bridge takes minutes, and is the
/// same whatever workspace and features cargo builds the library for.
fn shared(output: &Path, source: &Path, prefix: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    (source, prefix).hash(&mut hasher);
    output.ancestors().nth(3).unwrap_or(output).join(format!("bridge-{:016x}", hasher.finish()))
}

/// Keeps other builds waiting until it is closed.
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::create(folder.with_extension("lock"))?;
    flock(&file, FlockOperation::LockExclusive)?;
    Ok(file)
}

fn configure(source: &Path, prefix: &Path, output: &Path) -> Command {
    let define = |name: &str, value: PathBuf| format!("-D{name}={}", value.display());
    let mut command = Command::new("cmake");
    command.args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]);
    command.arg(define("MLIR_DIR", prefix.join("lib/cmake/mlir")));
    command.arg(define("LLVM_DIR", prefix.join("lib/cmake/llvm")));
    // The compiler that LLVM's packages bring along, unless another is asked for.
    let clang = prefix.join("bin/clang++");
    if env::var_os("CXX").is_none() && clang.exists() {
        command.arg(define("CMAKE_CXX_COMPILER", clang));
    }
    if is_of_another_checkout(source, output) {
        command.arg("--fresh");
    }
    command.arg("-S").arg(source).arg("-B").arg(output);
    command
}

/// Whether the folder was made for sources elsewhere, as in a checkout that was moved; CMake refuses such.
fn is_of_another_checkout(source: &Path, output: &Path) -> bool {
    let Ok(cache) = fs::read_to_string(output.join("CMakeCache.txt")) else { return false };
    let home = cache.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="));
    let folder = cache.lines().find_map(|line| line.strip_prefix("CMAKE_CACHEFILE_DIR:INTERNAL="));
    home.is_some_and(|home| Path::new(home) != source) || folder.is_some_and(|folder| Path::new(folder) != output)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&text)))
}
