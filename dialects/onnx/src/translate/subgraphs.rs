//! Branches and loops.
