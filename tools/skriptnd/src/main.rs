//! One executable for all tools: the name it is called by says which.

mod diagnostics;
mod driver;
mod failure;
mod lsp;
#[cfg(feature = "mlir")]
mod model_arguments;
#[cfg(feature = "mlir")]
mod opt;
#[cfg(feature = "mlir")]
mod registry;
mod report;
#[cfg(feature = "mlir")]
mod tblgen;
#[cfg(feature = "mlir")]
mod translate;

use mimalloc::MiMalloc;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Compilers allocate many small things.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Models nest, and so do calls that look into them; the address space for this is taken only when used.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(failure::report_panic));
    log();
    skriptnd_runtime::atomic::take_limits_as_errors();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&arguments));
    let code = match thread {
        Ok(thread) => thread.join().unwrap_or(failure::INTERNAL),
        Err(error) => {
            failure::print_message(format_args!("skriptnd: error: can't start a thread: {error}\n"));
            failure::INTERNAL
        }
    };
    ExitCode::from(code)
}

/// What passes decided, for whoever asks for it by `RUST_LOG`.
fn log() {
    let (filter, terminal) = (EnvFilter::from_default_env(), std::io::stderr().is_terminal());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(terminal)
        .without_time()
        .init();
}

fn run(arguments: &[OsString]) -> u8 {
    let program = arguments.first().map(Path::new).and_then(Path::file_stem).and_then(|name| name.to_str());
    match program {
        #[cfg(feature = "mlir")]
        Some("skriptnd-opt") => opt::main(arguments),
        #[cfg(feature = "mlir")]
        Some("skriptnd-translate") => translate::main(arguments),
        #[cfg(feature = "mlir")]
        Some("skriptnd-tblgen") => tblgen::main(arguments),
        Some("skriptnd-lsp-server") => lsp::main(arguments),
        _ => driver::main(arguments),
    }
}
