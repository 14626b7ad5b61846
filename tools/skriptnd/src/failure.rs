//! How commands end that don't do what they should.

use std::fmt::Display;
use std::io::Write;
use std::panic::PanicHookInfo;

/// The exit code for a fault of our own.
pub const INTERNAL: u8 = 70;

/// Why a command ends.
#[derive(Debug)]
pub enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The input is wrong.
    Input(String),
    /// The input is wrong, and all about it has been said.
    Reported,
}

impl Failure {
    /// The command line is wrong.
    pub fn usage(message: impl Display) -> Self {
        Failure::Usage(message.to_string())
    }

    /// The input is wrong.
    pub fn input(message: impl Display) -> Self {
        Failure::Input(message.to_string())
    }
}

/// Writes to standard error. A reader that has gone away is no error, and certainly no reason to panic.
pub fn print_message(text: impl Display) {
    let _ = write!(std::io::stderr(), "{text}");
}

/// Says why a command ends; returns its exit code.
pub fn report(failure: Failure) -> u8 {
    match failure {
        Failure::Usage(message) => {
            print_message(format_args!("skriptnd: error: {message}\nTry `skriptnd --help`.\n"));
            2
        }
        Failure::Input(message) => {
            print_message(format_args!("skriptnd: error: {message}\n"));
            1
        }
        Failure::Reported => 1,
    }
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
