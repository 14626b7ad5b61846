//! The tool in a process of its own: TableGen may end it, and who called the tool is told why.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitStatus,
};

use super::{Arguments, parse};
use crate::{
    error::{Error, Result},
    evaluation::{self, EXIT_CODES, Prepared, TIMED_OUT},
    paths::search_path,
};

/// Runs something, which returns an exit code, in another process with all that this one has; how that one ended.
pub type InOther<'a> = dyn Fn(&mut dyn FnMut() -> u8) -> io::Result<ExitStatus> + 'a;

/// Lets another process `run` the tool on `arguments`, and returns its exit code; says why where it ends early. Where
/// nothing is to be evaluated, or there can be no other process, it runs in this one.
pub fn watch(arguments: &[String], in_other: &InOther<'_>, run: &mut dyn FnMut() -> u8) -> u8 {
    let parsed = parse(arguments.iter().cloned()).ok().filter(|parsed| parsed.shown.is_none());
    // What the process could not delete goes with the folder.
    let (Some(parsed), Ok(folder)) = (parsed, tempfile::tempdir()) else { return run() };
    let status = in_other(&mut || {
        evaluation::begin_watched();
        // Where another folder was chosen before, files may stay there.
        let _ = tempfile::env::override_temp_dir(folder.path());
        run().saturating_add(EXIT_CODES)
    });
    let Ok(status) = status else { return run() };
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code.and_then(|code| code.checked_sub(EXIT_CODES)) {
        Some(code) => code,
        None => explain(&parsed, status, code == Some(TIMED_OUT)),
    }
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
