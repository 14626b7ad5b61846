//! Where the labels of edges stand: below the boxes that edges begin at, in as many lines as they need to stand beside or
//! below each other.

use super::{GAP, Part, Point};
use crate::driver::drawing::Drawing;
use std::collections::HashSet;

/// About the width of a letter of a label.
const LETTER: i64 = 6;
/// How far letters reach above the line that they stand on.
const ABOVE: i64 = 8;
/// How far apart lines are, at least.
const LINE: i64 = 13;
/// What is free between an edge and its label, and behind it.
const ASIDE: i64 = 4;

/// A label, from where its first letter stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub at: Point,
    pub text: String,
}

impl Label {
    /// Where it ends, about.
    pub fn right(&self) -> i64 {
        self.at.0 + LETTER * self.text.chars().count() as i64
    }

    fn is_clear_of(&self, other: &Label) -> bool {
        self.at.1 != other.at.1 || self.right() + ASIDE <= other.at.0 || other.right() + ASIDE <= self.at.0
    }
}

/// What is between two rows.
pub struct Gap {
    pub height: i64,
    /// From the upper end of the gap.
    labels: Vec<Label>,
}

impl Gap {
    /// The labels if the gap begins here.
    pub fn labels_at(self, top: i64) -> impl Iterator<Item = Label> {
        self.labels.into_iter().map(move |label| Label { at: (label.at.0, label.at.1 + top), ..label })
    }
}

/// The gaps below rows. Of edges that begin alike one has a label.
pub fn gaps(drawing: &Drawing, parts: &[Vec<Part>], rows: usize) -> Vec<Gap> {
    let mut wanted: Vec<Vec<(Part, &str)>> = vec![Vec::new(); rows];
    let mut known = HashSet::new();
    for (parts, (_, _, label)) in parts.iter().zip(&drawing.edges) {
        if let Some(part) = parts.first().filter(|part| !label.is_empty() && known.insert((part.row, part.from, label)))
        {
            wanted[part.row].push((*part, label));
        }
    }
    wanted.iter().map(|labels| gap(labels)).collect()
}

/// The lowest gap whose lines have room for labels beside these parts of edges.
fn gap(wanted: &[(Part, &str)]) -> Gap {
    let mut lines = 1;
    loop {
        let height = GAP.max(LINE * (lines + 1));
        if let Some(labels) = set(wanted, lines, height) {
            return Gap { height, labels };
        }
        lines += 1 + lines / 4;
    }
}

/// Sets labels in so many lines; none if there are too few. As many lines as labels are enough.
fn set(wanted: &[(Part, &str)], lines: i64, height: i64) -> Option<Vec<Label>> {
    let mut set: Vec<Vec<Label>> = vec![Vec::new(); lines as usize];
    for (part, text) in wanted {
        let label = |line: usize| {
            let y = height * (line as i64 + 1) / (lines + 1);
            let x = part.from + (part.to - part.from) * y / height;
            Label { at: (x + ASIDE, y + ABOVE / 2), text: (*text).to_owned() }
        };
        // Those in the middle are farthest from the boxes.
        let middle = set.len() / 2;
        let mut labels = (middle..set.len()).chain((0..middle).rev()).map(|line| (line, label(line)));
        let (line, label) = labels.find(|(line, label)| set[*line].iter().all(|other| other.is_clear_of(label)))?;
        set[line].push(label);
    }
    Some(set.into_iter().flatten().collect())
}
