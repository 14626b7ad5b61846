//! Where the boxes and edges of a picture lie: boxes in rows, each below everything that leads to it. In each row that an
//! edge passes it has a place of its own, as a box has, and between rows it is straight: so it crosses no box. Labels stand
//! between rows, which are as far apart as they need.

mod labels;
mod order;
mod place;
mod slots;
#[cfg(test)]
mod tests;

use super::drawing::Drawing;
use labels::Gap;
pub use labels::Label;
use slots::Slots;
use std::collections::HashMap;

/// The height of a box.
pub const HEIGHT: i64 = 34;
/// What is left free between rows, and around the picture.
pub const GAP: i64 = 36;
/// How far from the corners of a box edges end.
const CORNER: i64 = 18;
/// How far apart several edges between two boxes are.
const APART: i64 = 16;

/// A point, from the upper left corner.
pub type Point = (i64, i64);

/// A box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub left: i64,
    pub right: i64,
    pub top: i64,
}

/// A picture.
pub struct Layout {
    /// Of each box.
    pub places: Vec<Place>,
    /// The points of each edge, between which it is straight.
    pub ways: Vec<Vec<Point>>,
    /// What is written beside edges.
    pub labels: Vec<Label>,
    pub width: i64,
    pub height: i64,
}

impl Layout {
    /// None if the edges of the drawing pass too many rows for a picture.
    pub fn of(drawing: &Drawing) -> Option<Layout> {
        let mut slots = Slots::of(drawing)?;
        order::sort(&mut slots);
        let sides = place::sides(&slots);
        let parts = parts(drawing, &slots, &sides);
        let gaps = labels::gaps(drawing, &parts, slots.rows.len());
        let tops = tops(&gaps);
        let place = |at: usize| Place { left: sides[at].0, right: sides[at].1, top: tops[slots.row_of[at]] };
        let labels: Vec<Label> =
            gaps.into_iter().zip(&tops).flat_map(|(gap, top)| gap.labels_at(top + HEIGHT)).collect();
        let boxes_end = sides.iter().map(|(_, right)| *right).max().unwrap_or(0);
        Some(Layout {
            places: (0..drawing.boxes.len()).map(place).collect(),
            ways: parts.iter().map(|parts| way(parts, &tops)).collect(),
            width: labels.iter().map(Label::right).fold(boxes_end, i64::max) + GAP,
            height: tops[tops.len() - 1],
            labels,
        })
    }
}

/// The upper sides of the rows, and of one behind the last.
fn tops(gaps: &[Gap]) -> Vec<i64> {
    let mut tops = vec![GAP];
    for gap in gaps {
        tops.push(tops[tops.len() - 1] + HEIGHT + gap.height);
    }
    tops
}

/// A straight part of an edge: below which row it is, and where it begins and ends.
#[derive(Debug, Clone, Copy)]
struct Part {
    row: usize,
    from: i64,
    to: i64,
}

/// The parts of each edge, from row to row.
fn parts(drawing: &Drawing, slots: &Slots, sides: &[(i64, i64)]) -> Vec<Vec<Part>> {
    let mut between: HashMap<(usize, usize), (i64, i64)> = HashMap::new();
    for (from, to, _) in &drawing.edges {
        between.entry((*from, *to)).or_default().0 += 1;
    }
    let mut parts_of = |from: usize, to: usize| {
        let (count, before) = between.entry((from, to)).or_default();
        let aside = APART * *before - APART * (*count - 1) / 2;
        *before += 1;
        let path: Vec<usize> = slots.path(from, to).collect();
        let part = |pair: &[usize]| {
            let (a, b) = (reach(sides[pair[0]]), reach(sides[pair[1]]));
            let (start, end) = ends(a, b);
            let row = slots.row_of[pair[0]];
            Part { row, from: (start + aside).clamp(a.0, a.1), to: (end + aside).clamp(b.0, b.1) }
        };
        path.windows(2).map(part).collect()
    };
    drawing.edges.iter().map(|(from, to, _)| parts_of(*from, *to)).collect()
}

/// The points of an edge.
fn way(parts: &[Part], tops: &[i64]) -> Vec<Point> {
    let mut way = Vec::new();
    for part in parts {
        go_to(&mut way, (part.from, tops[part.row] + HEIGHT));
        go_to(&mut way, (part.to, tops[part.row + 1]));
    }
    way
}

/// Where edges may end between the sides of a slot.
fn reach((left, right): (i64, i64)) -> (i64, i64) {
    if right - left > 2 * CORNER { (left + CORNER, right - CORNER) } else { (left, right) }
}

/// Where a line leaves the one and reaches the other: straight down, if it can.
fn ends(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    match (a.0.max(b.0), a.1.min(b.1)) {
        (left, right) if left <= right => ((left + right) / 2, (left + right) / 2),
        _ if a.1 < b.0 => (a.1, b.0),
        _ => (a.0, b.1),
    }
}

/// Adds a point; one between two others straight above each other is left out.
fn go_to(way: &mut Vec<Point>, point: Point) {
    if let [.., first, second] = way.as_slice()
        && first.0 == second.0
        && second.0 == point.0
    {
        way.pop();
    }
    way.push(point);
}
