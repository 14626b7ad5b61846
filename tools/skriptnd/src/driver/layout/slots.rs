//! The rows of a picture and what stands in them.

use crate::driver::drawing::Drawing;

/// Nobody follows more edges, and they have to fit in memory.
const MAX_BENDS: usize = 1 << 20;
/// The narrowest box.
const WIDTH: i64 = 180;
/// About the width of a letter.
const LETTER: i64 = 8;

/// Places in rows: of boxes, and behind them bends, where edges pass a row. The edges that leave a box share its bends.
pub struct Slots {
    pub boxes: usize,
    /// By slot.
    pub row_of: Vec<usize>,
    pub widths: Vec<i64>,
    /// The slots of each row, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// By slot: what it is linked to in the row above, and in the row below.
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// By box, its first bend.
    first_bend: Vec<usize>,
}

impl Slots {
    /// None if there are too many bends.
    pub fn of(drawing: &Drawing) -> Option<Slots> {
        let boxes = drawing.boxes.len();
        let mut row_of = rows(drawing);
        // The last row that edges of a box lead to.
        let mut last: Vec<usize> = row_of.clone();
        for (from, to, _) in &drawing.edges {
            last[*from] = last[*from].max(row_of[*to]);
        }
        let bends = |at: usize| (last[at] - row_of[at]).saturating_sub(1);
        if (0..boxes).map(bends).sum::<usize>() > MAX_BENDS {
            return None;
        }
        let mut first_bend = Vec::with_capacity(boxes);
        for at in 0..boxes {
            first_bend.push(row_of.len());
            row_of.extend(row_of[at] + 1..last[at]);
        }
        let width = |title: &str| WIDTH.max(LETTER * title.chars().count() as i64 + 24);
        let mut widths: Vec<i64> = drawing.boxes.iter().map(|node| width(&node.title)).collect();
        widths.resize(row_of.len(), 0);
        let mut rows = vec![Vec::new(); row_of.iter().max().map_or(0, |last| last + 1)];
        row_of.iter().enumerate().for_each(|(slot, row)| rows[*row].push(slot));
        let (above, below) = (vec![Vec::new(); row_of.len()], vec![Vec::new(); row_of.len()]);
        let mut slots = Slots { boxes, row_of, widths, rows, above, below, first_bend };
        slots.link(drawing, &last);
        Some(slots)
    }

    fn link(&mut self, drawing: &Drawing, last: &[usize]) {
        for (from, last) in last.iter().enumerate().take(self.boxes) {
            let bends = (last - self.row_of[from]).saturating_sub(1);
            let mut above = from;
            for bend in self.first_bend[from]..self.first_bend[from] + bends {
                self.add_link(above, bend);
                above = bend;
            }
        }
        for (from, to, _) in &drawing.edges {
            self.add_link(self.before(*from, *to), *to);
        }
    }

    fn add_link(&mut self, above: usize, below: usize) {
        self.below[above].push(below);
        self.above[below].push(above);
    }

    /// The slot from which an edge leads to its end.
    fn before(&self, from: usize, to: usize) -> usize {
        match self.row_of[to] - self.row_of[from] {
            1 => from,
            rows => self.first_bend[from] + rows - 2,
        }
    }

    /// The slots of an edge.
    pub fn path(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let bends = self.row_of[to] - self.row_of[from] - 1;
        let first = self.first_bend[from];
        std::iter::once(from).chain(first..first + bends).chain([to])
    }

    /// Whether a slot is a bend.
    pub fn is_bend(&self, slot: usize) -> bool {
        slot >= self.boxes
    }
}

/// The row of every box. Edges lead from earlier boxes to later ones. What nothing leads to stands just above what needs it.
fn rows(drawing: &Drawing) -> Vec<usize> {
    let mut rows = vec![0; drawing.boxes.len()];
    let mut edges: Vec<_> = drawing.edges.iter().map(|(from, to, _)| (*to, *from)).collect();
    edges.sort_unstable();
    for &(to, from) in &edges {
        rows[to] = rows[to].max(rows[from] + 1);
    }
    let mut needed: Vec<Option<usize>> = vec![None; rows.len()];
    for &(to, from) in &edges {
        needed[from] = Some(needed[from].map_or(rows[to], |row| row.min(rows[to])));
    }
    let is_first = |at: usize| rows[at] == 0;
    (0..rows.len()).map(|at| needed[at].filter(|_| is_first(at)).map_or(rows[at], |row| row - 1)).collect()
}
