//! From a module to the file that is asked for: code of one or several versions, and what a processor must have for each.

mod code;
pub mod compile;
pub mod versions;
