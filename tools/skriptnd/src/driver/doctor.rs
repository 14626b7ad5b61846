//! `skriptnd doctor`

use super::output::{print_json, print_line};
use crate::failure::Failure;
use crate::report::keep;
use clap::Args;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    /// Print what is there as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A program that some commands call. Compiling and linking, for whatever target, need none.
struct Program {
    name: &'static str,
    purpose: &'static str,
    package: &'static str,
}

const PROGRAMS: &[Program] = &[Program {
    name: "qemu-hexagon",
    purpose: "runs models compiled for Hexagon: `--backend hexagon`",
    package: "qemu-user",
}];

/// What there is on this machine.
struct Found {
    processors: usize,
    /// Each program with where it is.
    programs: Vec<(&'static Program, Option<PathBuf>)>,
}

/// Says what is there; fails if something is missing.
pub fn run(options: &Options) -> Result<(), Failure> {
    let places = PROGRAMS.iter().map(|program| (program, find(program.name)));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let found = Found { processors, programs: places.collect() };
    let missing = found.missing();
    if !options.json {
        found.print();
        return missing.map_or(Ok(()), Err);
    }
    let valid = missing.is_none();
    let list = missing.and_then(keep).unwrap_or_default();
    print_json(&list.to_json_with(valid, found.to_json()));
    if valid { Ok(()) } else { Err(Failure::Reported) }
}

impl Found {
    fn print(&self) {
        let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
        print_line(format_args!("skriptnd {}, {architecture}-{system}", env!("CARGO_PKG_VERSION")));
        let with_mlir = if cfg!(feature = "mlir") { "yes" } else { "no: only `check` and the interpreter work" };
        print_line(format_args!("MLIR built in: {with_mlir}"));
        print_line(format_args!("processors: {}", self.processors));
        print_line(format_args!("Compiling, linking and running natively need no other program."));
        for (program, place) in &self.programs {
            match place {
                Some(path) => print_line(format_args!("found    {:<28} {}", path.display(), program.purpose)),
                None => print_line(format_args!("missing  {:<28} {}", program.name, program.purpose)),
            }
        }
    }

    fn to_json(&self) -> Json {
        let describe = |(program, place): &(&Program, Option<PathBuf>)| {
            let path = place.as_ref().map(|path| path.to_string_lossy());
            json!({ "name": program.name, "path": path, "purpose": program.purpose, "package": program.package })
        };
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "machine": format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            "mlir": cfg!(feature = "mlir"),
            "processors": self.processors,
            "programs": self.programs.iter().map(describe).collect::<Vec<_>>(),
        })
    }

    /// The failure that something is missing.
    fn missing(&self) -> Option<Failure> {
        let missing = self.programs.iter().filter(|(_, place)| place.is_none());
        let mut packages: Vec<_> = missing.map(|(program, _)| program.package).collect();
        packages.dedup();
        let text = || format!("something is missing; get it with: apt-get install {}", packages.join(" "));
        (!packages.is_empty()).then(|| Failure::input(text()))
    }
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
