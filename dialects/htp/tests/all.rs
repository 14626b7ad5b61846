//! Rules, as their authors write and try them.
//!
//! One executable, since each holds all of the libraries that it is linked with.

mod files;
mod functions;
mod models;
mod operators;
mod packs;
mod trials;
