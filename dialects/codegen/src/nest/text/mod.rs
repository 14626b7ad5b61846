//! Schedules as text: what `--dump-schedules` writes and `--schedules` reads.

mod parse;
mod print;

pub use parse::{Problem, Written, parse};
pub use print::print;

#[cfg(test)]
mod tests;
