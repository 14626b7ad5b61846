//! `skriptnd doctor`

use super::output::print_line;
use crate::failure::Failure;
use std::path::PathBuf;

/// A program that some commands call.
struct Program {
    names: &'static [&'static str],
    purpose: &'static str,
    package: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { names: &["cc", "gcc", "clang"], purpose: "links compiled models for this machine", package: "gcc" },
    Program { names: &["ld.lld-22", "ld.lld"], purpose: "links models for Hexagon", package: "lld-22" },
    Program { names: &["clang-22", "clang"], purpose: "compiles the Hexagon start code", package: "clang-22" },
    Program { names: &["qemu-hexagon"], purpose: "runs models compiled for Hexagon", package: "qemu-user" },
];

/// Says what is there; fails if something is missing.
pub fn run() -> Result<(), Failure> {
    print_line(format_args!(
        "skriptnd {}, {}-{}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS
    ));
    let with_mlir = if cfg!(feature = "mlir") { "yes" } else { "no: only `check` and the interpreter work" };
    print_line(format_args!("MLIR built in: {with_mlir}"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    print_line(format_args!("processors: {threads}"));
    let mut missing = Vec::new();
    for program in PROGRAMS {
        match program.names.iter().find_map(|name| find(name)) {
            Some(path) => print_line(format_args!("found    {:<28} {}", path.display(), program.purpose)),
            None => {
                print_line(format_args!("missing  {:<28} {}", program.names[0], program.purpose));
                missing.push(program.package);
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    missing.dedup();
    Err(Failure::input(format!("something is missing; get it with: apt-get install {}", missing.join(" "))))
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
