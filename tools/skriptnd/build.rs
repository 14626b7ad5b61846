//! Links the executable for a fixed address: hundreds of thousands of pointers in MLIR's tables would otherwise be
//! adjusted whenever it starts.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
