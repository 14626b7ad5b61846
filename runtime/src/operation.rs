//! Operations of a compiled model, as a profile names them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A line of the model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Line {
    /// The name of the file, without its folder.
    pub file: String,
    /// What the text was made of there, such as a node of a model in another format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Counted from one.
    pub line: usize,
    /// What is invoked there, where that is an operator of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// The operator whose formula is computed, where that is invoked on the way and not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
}

impl Line {
    /// `FILE:LINE`, or `FILE: ORIGIN` where a program wrote the text.
    pub fn place(&self) -> String {
        match &self.origin {
            Some(origin) => format!("{}: {origin}", self.file),
            None => format!("{}:{}", self.file, self.line),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())?;
        self.operator.iter().try_for_each(|operator| write!(f, ": {operator}"))
    }
}

/// What a model that was compiled to be profiled marks the beginning and the end of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Operation {
    /// The lines that it computes, in the order in which it does; none is known of what passes of the compiler added.
    pub lines: Vec<Line>,
    /// Why its elements, or some of them, are computed one after the other and not in vectors; nothing where they all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unvectorized: Option<String>,
    /// The keys of the kernels that it runs, as files of schedules name them; none where loops go from one element to the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
    /// Whether it multiplies bytes, of which processors do several times as many as of reals.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multiplies_bytes: bool,
}
