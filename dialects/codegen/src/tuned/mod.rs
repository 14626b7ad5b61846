//! Schedules that were measured to be faster on a machine than those that are chosen. They lie in a folder that any number of
//! compilations read and write at a time: an entry is a file that is there whole or not at all, found by what code is made for
//! and by what the kernel computes. What is damaged or of another release is as if it were not there, and said.

mod entry;
mod folder;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Ignored};
pub use folder::{Cache, Limits};
