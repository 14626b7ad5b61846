//! How commands end that don't do what they should.

use crate::diagnostics::{List, Message};
use serde_json::Value as Json;
use std::fmt::{self, Display, Formatter};
use std::io::{self, ErrorKind, Write};
use std::panic::PanicHookInfo;
use std::path::Path;

/// The exit code for a fault of our own.
pub const INTERNAL: u8 = 70;

/// Why a command ends.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong.
    Usage(Message),
    /// The input is wrong.
    Input(Message),
    /// The input is wrong; it has been printed why.
    Diagnosed(Box<List>),
    /// The input is wrong, and all about it has been said, in JSON too.
    Reported,
}

impl Failure {
    /// The command line is wrong.
    pub fn usage(text: impl Display) -> Self {
        Failure::Usage(Message::new(text))
    }

    /// The input is wrong.
    pub fn input(text: impl Display) -> Self {
        Failure::Input(Message::new(text))
    }

    /// The system refuses a file or folder.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        let failure = Failure::input(format!("{}: {error}", path.display()));
        match error.kind() {
            ErrorKind::PermissionDenied => failure
                .with_help("its permissions, or those of a folder around it, don't allow this: `ls -ld` shows them"),
            ErrorKind::StorageFull => failure.with_help("make room on the disk, or name another place"),
            _ => failure,
        }
    }

    /// The same with what to do about it.
    pub fn with_help(mut self, help: impl Display) -> Self {
        if let Failure::Usage(message) | Failure::Input(message) = &mut self {
            message.help = Some(help.to_string());
        }
        self
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Input(message) => message.fmt(formatter),
            Failure::Diagnosed(_) | Failure::Reported => {
                formatter.write_str("the model is invalid; see standard error")
            }
        }
    }
}

/// Writes to standard error. A reader that has gone away is no error, and certainly no reason to panic.
pub fn print_message(text: impl Display) {
    let _ = write!(std::io::stderr(), "{text}");
}

/// Says why a command ends; returns its exit code.
pub fn report(failure: Failure) -> u8 {
    report_as("skriptnd", failure)
}

/// The same for one of the tools.
pub fn report_as(tool: &str, failure: Failure) -> u8 {
    match failure {
        Failure::Usage(message) => {
            print_message(format_args!("{tool}: error: {message}\nTry `{tool} --help`.\n"));
            2
        }
        Failure::Input(message) => {
            print_message(format_args!("{tool}: error: {message}\n"));
            1
        }
        Failure::Diagnosed(_) | Failure::Reported => 1,
    }
}

/// The same for MLIR's tools, which print what they are given.
#[cfg(feature = "mlir")]
pub fn to_message(failure: Failure) -> skriptnd_mlir::Failure {
    skriptnd_mlir::Failure::new(match failure {
        Failure::Usage(message) | Failure::Input(message) => format!("error: {message}"),
        Failure::Diagnosed(_) | Failure::Reported => String::new(),
    })
}

/// The same for programs; none where they were told already.
pub fn to_json(failure: &Failure) -> Option<Json> {
    let list = match failure {
        Failure::Usage(message) | Failure::Input(message) => &List::of_message(message),
        Failure::Diagnosed(list) => list,
        Failure::Reported => return None,
    };
    Some(list.to_json(false))
}

/// What is printed in place of a backtrace.
pub fn report_panic(info: &PanicHookInfo) {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    print_message(format_args!(
        "skriptnd: internal error: {message}{place}\nThis is a fault of the compiler; please report it.\n"
    ));
}
