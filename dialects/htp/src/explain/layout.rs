//! Places for the boxes of a picture: in rows, each above what it leads to, with lines that go between the boxes.

/// What lies between boxes beside each other, and between rows.
pub const GAP: i64 = 30;

/// The room that a line takes where it passes a row.
const PASSAGE: i64 = 8;

/// How often rows are put in order and moved together.
const SWEEPS: usize = 8;

/// Where boxes stand and lines go.
#[derive(Debug, Default)]
pub struct Layout {
    /// Left and top of each box.
    pub places: Vec<(i64, i64)>,
    /// The points of each line.
    pub lines: Vec<Vec<(i64, i64)>>,
    /// Of all.
    pub width: i64,
    /// Of all.
    pub height: i64,
}

/// A box, or a place where a line passes a row.
struct Item {
    row: usize,
    width: i64,
    height: i64,
    left: i64,
}

/// A part of a line from one row to the next; `port` is where it ends, as a share of the width.
struct Step {
    from: usize,
    to: usize,
    port: (i64, i64),
}

struct Rows {
    items: Vec<Item>,
    steps: Vec<Step>,
    /// The steps of each line.
    lines: Vec<Vec<usize>>,
    /// The items of each row, from left to right.
    rows: Vec<Vec<usize>>,
}

/// Places boxes of such sizes; lines lead from operands, which come first, to users.
pub fn layout(sizes: &[(i64, i64)], edges: &[(usize, usize)]) -> Layout {
    let mut rows = Rows::of(sizes, edges);
    for sweep in 0..SWEEPS {
        rows.order(sweep % 2 == 0);
    }
    rows.pack();
    for sweep in 0..SWEEPS {
        rows.straighten(sweep % 2 == 0);
    }
    rows.layout(sizes.len())
}

impl Rows {
    fn of(sizes: &[(i64, i64)], edges: &[(usize, usize)]) -> Self {
        // How far a box is from the result: operands stand just above their users.
        let mut depths = vec![0usize; sizes.len()];
        for (from, to) in edges.iter().rev() {
            depths[*from] = depths[*from].max(depths[*to] + 1);
        }
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let item = |(at, size): (usize, &(i64, i64))| Item {
            row: deepest - depths[at],
            width: size.0,
            height: size.1,
            left: 0,
        };
        let items = sizes.iter().enumerate().map(item).collect();
        let mut rows = Rows { items, steps: Vec::new(), lines: Vec::new(), rows: vec![Vec::new(); deepest + 1] };
        for (number, (from, to)) in edges.iter().enumerate() {
            let count = edges.iter().filter(|(_, other)| other == to).count() as i64;
            let before = edges[..number].iter().filter(|(_, other)| other == to).count() as i64;
            rows.line(*from, *to, (before + 1, count + 1));
        }
        for at in 0..rows.items.len() {
            let row = rows.items[at].row;
            rows.rows[row].push(at);
        }
        rows
    }

    /// A line, with a place in each row that it passes.
    fn line(&mut self, from: usize, to: usize, port: (i64, i64)) {
        let (mut line, mut last) = (Vec::new(), from);
        for row in self.items[from].row + 1..self.items[to].row {
            self.items.push(Item { row, width: PASSAGE, height: 0, left: 0 });
            let passing = self.items.len() - 1;
            line.push(self.steps.len());
            self.steps.push(Step { from: last, to: passing, port: (1, 2) });
            last = passing;
        }
        line.push(self.steps.len());
        self.steps.push(Step { from: last, to, port });
        self.lines.push(line);
    }

    /// Where a step ends, or begins, as far as the item there stands at `left`.
    fn ends(&self, step: &Step, is_end: bool, left: i64) -> i64 {
        let (item, (part, of)) = if is_end { (step.to, step.port) } else { (step.from, (1, 2)) };
        left + self.items[item].width * part / of
    }

    /// Puts rows in the order of what they are connected with: above, or below.
    fn order(&mut self, downwards: bool) {
        let mut ranks: Vec<i64> = vec![0; self.items.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(rank, at)| ranks[*at] = rank as i64 * 1000);
        }
        let count = self.rows.len();
        for at in 0..count {
            let row = if downwards { at } else { count - 1 - at };
            let wish = |item: &usize| {
                let mut near: Vec<i64> = Vec::new();
                for step in &self.steps {
                    if downwards && step.to == *item {
                        near.push(ranks[step.from]);
                    } else if !downwards && step.from == *item {
                        near.push(ranks[step.to] + 1000 * step.port.0 / step.port.1);
                    }
                }
                if near.is_empty() { ranks[*item] } else { near.iter().sum::<i64>() / near.len() as i64 }
            };
            let mut wishes: Vec<(i64, usize)> = self.rows[row].iter().map(|item| (wish(item), *item)).collect();
            wishes.sort_by_key(|(wish, _)| *wish);
            self.rows[row] = wishes.into_iter().map(|(_, item)| item).collect();
            self.rows[row].iter().enumerate().for_each(|(rank, item)| ranks[*item] = rank as i64 * 1000);
        }
    }

    /// Puts what is in a row beside each other.
    fn pack(&mut self) {
        for row in &self.rows {
            let mut left = 0;
            for at in row {
                self.items[*at].left = left;
                left += self.items[*at].width + GAP;
            }
        }
    }

    /// Moves what is in a row to where its lines are straight, as far as there is room.
    fn straighten(&mut self, downwards: bool) {
        let count = self.rows.len();
        for at in 0..count {
            let row = self.rows[if downwards { at } else { count - 1 - at }].clone();
            let wishes: Vec<i64> = row.iter().map(|item| self.wish(*item, downwards)).collect();
            let room = |index: usize| self.items[row[index]].width + GAP;
            // Both are in order, so what lies in the middle is, too.
            let (mut right, mut left) = (wishes.clone(), wishes);
            for index in 1..row.len() {
                right[index] = right[index].max(right[index - 1] + room(index - 1));
            }
            for index in (1..row.len()).rev() {
                left[index - 1] = left[index - 1].min(left[index] - room(index - 1));
            }
            for (index, item) in row.iter().enumerate() {
                self.items[*item].left = (left[index] + right[index]).div_euclid(2);
            }
        }
    }

    /// Where an item would stand for the sake of its lines from above, or to below.
    fn wish(&self, item: usize, downwards: bool) -> i64 {
        let left = self.items[item].left;
        let is_near = |step: &&Step| if downwards { step.to == item } else { step.from == item };
        let moves: Vec<i64> = self
            .steps
            .iter()
            .filter(is_near)
            .map(|step| {
                let (from, to) = (self.items[step.from].left, self.items[step.to].left);
                let slope = self.ends(step, false, from) - self.ends(step, true, to);
                if downwards { slope } else { -slope }
            })
            .collect();
        if moves.is_empty() { left } else { left + moves.iter().sum::<i64>() / moves.len() as i64 }
    }

    fn layout(&self, boxes: usize) -> Layout {
        let first = self.items.iter().map(|item| item.left).min().unwrap_or(0);
        let heights = self.rows.iter().map(|row| row.iter().map(|at| self.items[*at].height).max().unwrap_or(0));
        let heights: Vec<i64> = heights.collect();
        let mut tops = vec![0];
        for height in &heights {
            tops.push(tops[tops.len() - 1] + height + GAP);
        }
        let line = |steps: &Vec<usize>| {
            let mut points = Vec::new();
            for (number, step) in steps.iter().map(|step| &self.steps[*step]).enumerate() {
                let (from, to) = (&self.items[step.from], &self.items[step.to]);
                let bottom = if number == 0 { from.height } else { heights[from.row] };
                points.push((self.ends(step, false, from.left) - first, tops[from.row] + bottom));
                points.push((self.ends(step, true, to.left) - first, tops[to.row]));
            }
            points
        };
        Layout {
            places: self.items[..boxes].iter().map(|item| (item.left - first, tops[item.row])).collect(),
            lines: self.lines.iter().map(line).collect(),
            width: self.items.iter().map(|item| item.left + item.width - first).max().unwrap_or(0),
            height: tops[tops.len() - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `first` and `second` lead to a chain, `second` only to its end: its line passes the box between.
    #[test]
    fn lines_go_between_boxes() {
        let sizes = [(30, 20), (30, 20), (120, 20), (90, 20)];
        let found = layout(&sizes, &[(0, 2), (2, 3), (1, 3)]);
        // The second operand stands in the row of the first one's user.
        assert_eq!(found.places[1].1, found.places[2].1);
        let line = &found.lines[2];
        assert_eq!(line.len(), 2, "{line:?}");
        for (one, other) in [(1, 2), (0, 1)] {
            let ends = |at: usize| (found.places[at].0, found.places[at].0 + sizes[at].0);
            let apart = ends(one).1 < ends(other).0 || ends(other).1 < ends(one).0;
            assert!(apart || found.places[one].1 != found.places[other].1, "{:?}", found.places);
        }
    }

    #[test]
    fn long_lines_pass_rows_beside_their_boxes() {
        // 0 leads to 1 and 2, and is used by both: the line to 2 passes the row of 1.
        let sizes = [(30, 20), (120, 20), (90, 20)];
        let found = layout(&sizes, &[(0, 1), (1, 2), (0, 2)]);
        let (left, top) = found.places[1];
        let passes = found.lines[2].iter().filter(|(_, y)| (top..=top + 20).contains(y));
        assert!(passes.clone().count() == 2, "{:?}", found.lines);
        assert!(passes.clone().all(|(x, _)| *x < left || *x > left + 120), "{found:?}");
        assert!(found.width >= 120 && found.height == 3 * 20 + 3 * GAP);
    }

    #[test]
    fn nothing_has_no_place() {
        assert_eq!(layout(&[], &[]).places, []);
    }
}
