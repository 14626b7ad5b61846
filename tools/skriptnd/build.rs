//! Links the executable for a fixed address and with the C++ library inside: hundreds of thousands of pointers in MLIR's
//! tables would otherwise be adjusted whenever it starts.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        // Without it the shared one serves.
        if let Some(folder) = env::var_os("CARGO_FEATURE_MLIR").and_then(|_| static_library("libstdc++.a")) {
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib=static:-bundle=stdc++");
        }
    }
}

/// The folder where the C compiler finds a library.
fn static_library(name: &str) -> Option<PathBuf> {
    let asked = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    path.is_absolute().then(|| path.parent().map(PathBuf::from))?
}
