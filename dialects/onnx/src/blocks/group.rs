//! Runs of statements that are alike.

/// A run of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// Its first statement.
    pub begin: usize,
    /// How deep the module is in others that it is of; none where it is of none.
    pub depth: Option<usize>,
}

/// Runs of statements that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// How many statements each has.
    pub length: usize,
    /// Where they are, in their order.
    pub runs: Vec<Run>,
    /// How many of them remain in the text, as those in runs of another group are there once.
    pub sites: usize,
    /// How many of those are in runs of other groups.
    pub inner: usize,
}
