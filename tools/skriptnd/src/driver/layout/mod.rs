//! Where the boxes and edges of a picture lie: boxes in rows, each below everything that leads to it. In each row that an
//! edge passes it has a place of its own, as a box has, and between rows it is straight: so it crosses no box.

mod order;
mod place;
mod slots;
#[cfg(test)]
mod tests;

use super::drawing::Drawing;
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
    pub width: i64,
    pub height: i64,
}

impl Layout {
    /// None if the edges of the drawing pass too many rows for a picture.
    pub fn of(drawing: &Drawing) -> Option<Layout> {
        let mut slots = Slots::of(drawing)?;
        order::sort(&mut slots);
        let sides = place::sides(&slots);
        let place = |at: usize| Place { left: sides[at].0, right: sides[at].1, top: top(slots.row_of[at]) };
        Some(Layout {
            places: (0..drawing.boxes.len()).map(place).collect(),
            ways: ways(drawing, &slots, &sides),
            width: sides.iter().map(|(_, right)| *right).max().unwrap_or(0) + GAP,
            height: top(slots.rows.len()),
        })
    }
}

/// The upper side of a row.
fn top(row: usize) -> i64 {
    GAP + row as i64 * (HEIGHT + GAP)
}

/// The points of each edge.
fn ways(drawing: &Drawing, slots: &Slots, sides: &[(i64, i64)]) -> Vec<Vec<Point>> {
    let mut between: HashMap<(usize, usize), (i64, i64)> = HashMap::new();
    for (from, to, _) in &drawing.edges {
        between.entry((*from, *to)).or_default().0 += 1;
    }
    let mut way = |from: usize, to: usize| {
        let (count, before) = between.entry((from, to)).or_default();
        let aside = APART * *before - APART * (*count - 1) / 2;
        *before += 1;
        let (mut way, mut last) = (Vec::new(), from);
        for slot in slots.path(from, to).skip(1) {
            let (a, b) = (reach(sides[last]), reach(sides[slot]));
            let (start, end) = ends(a, b);
            go_to(&mut way, ((start + aside).clamp(a.0, a.1), top(slots.row_of[last]) + HEIGHT));
            go_to(&mut way, ((end + aside).clamp(b.0, b.1), top(slots.row_of[slot])));
            last = slot;
        }
        way
    };
    drawing.edges.iter().map(|(from, to, _)| way(*from, *to)).collect()
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
