//! The tool in a process of its own: TableGen may end it, and who called the tool is told why.

use std::{
    env,
    io::{self, Write as _},
    path::Path,
    process::{Command, ExitStatus},
};

use super::{Arguments, parse};
use crate::{
    error::{Error, Result},
    evaluation::{self, EXIT_CODES, Prepared, TIMED_OUT},
    paths::search_path,
};

/// Set for the process that is watched.
const VARIABLE: &str = "SKRIPTND_TBLGEN_WATCHED";

/// Runs the tool, this program with the same arguments, in another process, and returns its exit code. None where this
/// process is that one, or none can be started, or nothing is to be evaluated: the caller goes on with [`super::main`] then.
pub fn watch(arguments: &[String]) -> Option<u8> {
    if env::var_os(VARIABLE).is_some() {
        evaluation::begin_watched();
        return None;
    }
    let parsed = parse(arguments.iter().cloned()).ok().filter(|parsed| parsed.shown.is_none())?;
    // What the process could not delete goes with the folder.
    let folder = tempfile::tempdir().ok()?;
    let status = other(folder.path()).ok()?.args(arguments).status().ok()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code.and_then(|code| code.checked_sub(EXIT_CODES)) {
        Some(code) => Some(code),
        None => Some(explain(&parsed, status, code == Some(TIMED_OUT))),
    }
}

/// The exit code with which a process ends, watched or not, that would end with `code`.
pub fn exit_code(code: u8) -> u8 {
    if env::var_os(VARIABLE).is_some() { code.saturating_add(EXIT_CODES) } else { code }
}

/// This program, under the name by which it was called.
fn other(folder: &Path) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    #[cfg(unix)]
    if let Some(name) = env::args_os().next() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command.env(VARIABLE, "").env("TMPDIR", folder);
    Ok(command)
}

/// Says why the process ended too soon.
fn explain(arguments: &Arguments, status: ExitStatus, timed_out: bool) -> u8 {
    let file = arguments.file.as_deref().unwrap_or(Path::new(""));
    let name = file.display();
    let said = match check(file, arguments) {
        Err(error) => error,
        Ok(()) if timed_out => evaluation::timed_out(&name.to_string()),
        Ok(()) => Error::new(format!("the work on '{name}' ended early ({status}), which should not happen"))
            .help("if TableGen itself takes the file, report it as a defect of this tool"),
    };
    // Standard error may be gone; the exit code remains.
    let _ = writeln!(io::stderr(), "{said}");
    1
}

/// What LLVM's own tool says of the file.
fn check(file: &Path, arguments: &Arguments) -> Result<()> {
    Prepared::file(file, &search_path(file, &arguments.include_directories))?.input().check()
}
