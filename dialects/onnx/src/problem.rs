//! What can't be said of a model, and where.

use skriptnd_source::shown;
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
        // Names are those of a file that anybody may have written.
        let reason = shown(&self.reason);
        match (&self.node, &self.operator) {
            (Some(node), Some(operator)) => write!(f, "node `{}` ({}): {reason}", shown(node), shown(operator)),
            (Some(node), None) => write!(f, "`{}`: {reason}", shown(node)),
            _ => f.write_str(&reason),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_control_no_terminal() {
        let problem =
            Problem { node: Some("a\u{1B}[31m".into()), operator: Some("B\u{202E}".into()), reason: "c\u{7}".into() };
        assert_eq!(problem.to_string(), "node `a\\u{1b}[31m` (B\\u{202e}): c\\u{7}");
        assert!(Problem::of_file("a".repeat(1 << 20)).to_string().len() < 3000);
    }
}
