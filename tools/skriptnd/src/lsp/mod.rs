//! `skriptnd-lsp-server`: the language server for SkriptND, and MLIR's for our dialects.

mod convert;
mod documents;
#[cfg(feature = "mlir")]
mod mlir;
mod models;
mod position;
mod publish;
mod requests;
mod server;
mod standard;
#[cfg(test)]
mod tests;
mod transport;
mod workspace;

use crate::failure::{self, Failure};
use clap::Parser;
use std::ffi::OsString;

#[derive(Debug, Parser)]
#[command(
    name = "skriptnd-lsp-server",
    version,
    about = "The language server for SkriptND sources; speaks LSP on standard input and output",
    after_help = EXAMPLES
)]
struct Cli {
    /// Serve MLIR files with the dialects of this project instead; further arguments are MLIR's
    #[arg(long)]
    mlir: bool,
    /// Standard input and output are used anyway; some editors ask for them
    #[arg(long, hide = true)]
    stdio: bool,
}

const EXAMPLES: &str = "\
Editors start it by themselves. It knows diagnostics, hover, definitions, references, renaming, completion, signatures,
outlines and formatting.

Examples:
  skriptnd-lsp-server          for .sknd files; in Helix: command = \"skriptnd-lsp-server\"
  skriptnd-lsp-server --mlir   for .mlir files

docs/editors.md says how to connect VS Code, Neovim and Helix.";

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    if arguments.get(1).is_some_and(|argument| argument == "--mlir") {
        return mlir_main(arguments);
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap prints both to where they belong.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    if cli.mlir {
        return failure::report(Failure::usage("--mlir must be the first argument"));
    }
    u8::from(!transport::serve(server::run))
}

#[cfg(feature = "mlir")]
fn mlir_main(arguments: &[OsString]) -> u8 {
    let others: Vec<OsString> = arguments.iter().filter(|argument| *argument != "--mlir").cloned().collect();
    mlir::main(&others)
}

#[cfg(not(feature = "mlir"))]
fn mlir_main(_: &[OsString]) -> u8 {
    failure::report(Failure::usage("--mlir: this build has no MLIR"))
}
