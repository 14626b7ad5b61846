//! Applies rules.

pub mod passes;
