//! What can't be said of a model, and where.

use std::fmt;

/// A node or a part of the file that the importer can't translate.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The node's name, or what it gives where it has none; `None` of the file itself.
    pub node: Option<String>,
    /// The operator, with its domain where that is not the default one.
    pub operator: Option<String>,
    /// What is expected, and what there is.
    pub reason: String,
}

impl Problem {
    /// One of the file as a whole.
    pub fn of_file(reason: impl Into<String>) -> Problem {
        Problem { node: None, operator: None, reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.node, &self.operator) {
            (Some(node), Some(operator)) => write!(f, "node `{node}` ({operator}): {}", self.reason),
            (Some(node), None) => write!(f, "`{node}`: {}", self.reason),
            _ => f.write_str(&self.reason),
        }
    }
}

/// How many names are listed.
const LISTED: usize = 10;

/// Names, the first of them where they are many, as a terminal may show them.
pub fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut shown: Vec<String> = names.take(LISTED + 1).map(|name| format!("`{}`", name.escape_debug())).collect();
    if shown.len() > LISTED {
        shown[LISTED] = "...".to_owned();
    }
    shown.join(", ")
}
