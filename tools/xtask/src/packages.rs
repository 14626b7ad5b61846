//! The Debian packages that the project needs, and how to get those that are missing.

use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// A package and what it is for.
struct Package {
    name: &'static str,
    purpose: &'static str,
}

const PACKAGES: &[Package] = &[
    Package { name: "g++", purpose: "links the executable; builds programs in C that tests run" },
    Package { name: "cmake", purpose: "builds the bridge to MLIR" },
    Package { name: "ninja-build", purpose: "builds the bridge to MLIR" },
    Package { name: "llvm-22-dev", purpose: "LLVM" },
    Package { name: "libmlir-22-dev", purpose: "MLIR" },
    Package { name: "mlir-22-tools", purpose: "MLIR's own tools, which lit tests compare with" },
    Package { name: "clang-22", purpose: "compiles the bridge to MLIR and the runtime on bare machines" },
    Package { name: "libclang-22-dev", purpose: "reads the headers of MLIR's C API" },
    Package { name: "libpolly-22-dev", purpose: "LLVM's TableGen library links against it" },
    Package { name: "liblld-22-dev", purpose: "the linker, which becomes part of the executable" },
    Package { name: "llvm-22-tools", purpose: "FileCheck and lit" },
    Package { name: "libzstd-dev", purpose: "LLVM links against it" },
    Package { name: "zlib1g-dev", purpose: "LLVM links against it" },
    Package { name: "qemu-user", purpose: "runs executables for Hexagon, AArch64 and RISC-V" },
    Package { name: "openmpi-bin", purpose: "starts the processes that share a model in tests" },
    Package { name: "python3", purpose: "runs lit, writes the wheel" },
    Package { name: "python3-venv", purpose: "environments for the tests of the package for Python" },
];

fn is_installed(package: &Package) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${db:Status-Status}", package.name])
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

fn missing() -> Vec<&'static Package> {
    PACKAGES.iter().filter(|package| !is_installed(package)).collect()
}

fn install_command(packages: &[&Package]) -> String {
    let names: Vec<_> = packages.iter().map(|package| package.name).collect();
    format!("apt-get install --yes --no-install-recommends {}", names.join(" "))
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let quiet =
        Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Installs what is missing as root or with a password-less sudo.
///
/// # Errors
/// Where neither is possible: names what is missing and the command that installs it.
pub fn install() -> Result<()> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let command = install_command(&missing);
    let sudo = if is_root() {
        ""
    } else if succeeds("sudo", &["-n", "true"]) {
        "sudo "
    } else {
        let names: Vec<_> = missing.iter().map(|p| format!("  {:<18} {}", p.name, p.purpose)).collect();
        bail!("these Debian packages are missing:\n{}\nInstall them with:\n  sudo {command}", names.join("\n"));
    };
    eprintln!("Installing {} Debian packages ...", missing.len());
    for line in [format!("{sudo}apt-get update --quiet"), format!("{sudo}{command} --quiet")] {
        let status = Command::new("sh")
            .args(["-c", &line])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .with_context(|| format!("`{line}` did not start"))?;
        if !status.success() {
            bail!("`{line}` failed; run it by hand to see why");
        }
    }
    Ok(())
}

/// Prints the state of each package; true if nothing is missing.
pub fn doctor() -> bool {
    let mut absent = Vec::new();
    for package in PACKAGES {
        let present = is_installed(package);
        println!("{} {:<18} {}", if present { "ok     " } else { "missing" }, package.name, package.purpose);
        if !present {
            absent.push(package);
        }
    }
    if absent.is_empty() {
        println!("Everything is installed.");
    } else {
        println!("Install what is missing with:\n  sudo {}", install_command(&absent));
    }
    absent.is_empty()
}
