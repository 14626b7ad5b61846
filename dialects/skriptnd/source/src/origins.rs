//! What the lines of a text were made of that a program has written: the nodes of a model in another format.

use crate::shown::shown;
use std::fmt;
use std::ops::Range;

/// What a line was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What that is in the model.
    pub kind: Kind,
    /// What the model calls it.
    pub name: String,
    /// Of how many more the line was made.
    pub others: usize,
}

/// A part of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A node, by what it does.
    Node(String),
    /// Given to a run.
    Input,
    /// What a run gives.
    Output,
    /// A tensor that the model holds.
    Weight,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = shown(&self.name);
        match &self.kind {
            Kind::Node(operator) => write!(f, "node `{name}` ({})", shown(operator))?,
            Kind::Input => write!(f, "input `{name}`")?,
            Kind::Output => write!(f, "output `{name}`")?,
            Kind::Weight => write!(f, "weight `{name}`")?,
        }
        match self.others {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}

/// What the lines of a text were made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    parts: Vec<Origin>,
    /// The number of its part for each line.
    lines: Vec<Option<usize>>,
}

impl Origins {
    /// Says what lines were made of, which count from 0; what was said of them before is forgotten.
    pub fn tell(&mut self, lines: Range<usize>, origin: Origin) {
        if self.lines.len() < lines.end {
            self.lines.resize(lines.end, None);
        }
        self.lines[lines].fill(Some(self.parts.len()));
        self.parts.push(origin);
    }

    /// What a line was made of, if that is known.
    pub fn of_line(&self, line: usize) -> Option<&Origin> {
        self.parts.get((*self.lines.get(line)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, others: usize) -> Origin {
        Origin { kind: Kind::Node("Conv".into()), name: name.into(), others }
    }

    #[test]
    fn what_stands_inside_of_others_is_told() {
        let mut origins = Origins::default();
        origins.tell(2..6, node("loop", 0));
        origins.tell(3..4, node("inner", 0));
        let told: Vec<_> = (0..8).map(|line| origins.of_line(line).map_or("", |origin| origin.name.as_str())).collect();
        assert_eq!(told, ["", "", "loop", "inner", "loop", "loop", "", ""]);
    }

    #[test]
    fn parts_are_shown_as_a_person_may_read_them() {
        assert_eq!(node("/a/Conv", 0).to_string(), "node `/a/Conv` (Conv)");
        assert_eq!(node("a\u{1B}[31m", 3).to_string(), "node `a\\u{1b}[31m` (Conv) and 3 more");
        assert_eq!(Origin { kind: Kind::Input, ..node("x.1", 0) }.to_string(), "input `x.1`");
        assert!(node(&"a".repeat(1 << 20), 0).to_string().len() < 3000);
    }
}
