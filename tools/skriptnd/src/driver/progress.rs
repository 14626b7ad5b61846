//! Says what is going on, where a person is watching.

use std::io::{IsTerminal, Write};

/// A line on a terminal that is replaced by the next one.
pub struct Progress {
    shown: bool,
}

impl Progress {
    /// Silent where standard error is no terminal.
    pub fn new() -> Progress {
        Progress { shown: std::io::stderr().is_terminal() }
    }

    /// Shows what is done now.
    pub fn step(&self, what: &str) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K{what} ...");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
