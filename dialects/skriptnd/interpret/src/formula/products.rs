//! The two inner loops of a contraction.

use super::elements::sum;

/// An address while two loops run: where it begins, and its steps.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub first: i64,
    /// From one iteration of the innermost loop to the next.
    pub lane: i64,
    /// From one iteration of the loop around it to the next.
    pub repeat: i64,
}

impl Run {
    fn row(self, number: i64) -> i64 {
        self.first + number * self.repeat
    }
}

/// A factor.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub items: &'a [f32],
    pub run: Run,
}

impl<'a> Source<'a> {
    /// The elements of a row whose step is 1.
    fn neighbours(self, row: i64, lanes: usize) -> &'a [f32] {
        let first = self.run.row(row) as usize;
        &self.items[first..first + lanes]
    }

    /// The elements of a row whose step is positive, and what lies behind them.
    fn every(self, row: i64) -> impl Iterator<Item = &'a f32> {
        self.items[self.run.row(row) as usize..].iter().step_by(self.run.lane as usize)
    }

    fn at(self, row: i64, lane: i64) -> f32 {
        self.items[(self.run.row(row) + lane * self.run.lane) as usize]
    }
}

/// Adds the products of `a` and `b` (of `a` alone without it) to `sums`; `size` is the number of lanes and of repeats.
pub(super) fn accumulate(
    (sums, target): (&mut [f64], Run),
    a: Source,
    b: Option<Source>,
    (lanes, repeats): (usize, i64),
) {
    for row in 0..repeats {
        let first = target.row(row) as usize;
        match (target.lane, a.run.lane, b.map(|b| (b, b.run.lane))) {
            (0, 1, None) => sums[first] += sum(a.neighbours(row, lanes)),
            (0, 1, Some((b, 1))) => sums[first] += dot(a.neighbours(row, lanes), b.neighbours(row, lanes)),
            (1, 1, None) => scaled(&mut sums[first..first + lanes], a.neighbours(row, lanes), 1.0),
            (1, 1, Some((b, 0))) => scaled(&mut sums[first..first + lanes], a.neighbours(row, lanes), b.at(row, 0)),
            (1, 2.., Some((b, 0))) => scaled(&mut sums[first..first + lanes], a.every(row), b.at(row, 0)),
            (1, 0, Some((b, 1))) => scaled(&mut sums[first..first + lanes], b.neighbours(row, lanes), a.at(row, 0)),
            _ => {
                for lane in 0..lanes as i64 {
                    let product = a.at(row, lane) * b.map_or(1.0, |b| b.at(row, lane));
                    sums[(target.row(row) + lane * target.lane) as usize] += f64::from(product);
                }
            }
        }
    }
}

fn scaled<'a>(sums: &mut [f64], items: impl IntoIterator<Item = &'a f32>, factor: f32) {
    for (sum, &item) in sums.iter_mut().zip(items) {
        *sum += f64::from(item * factor);
    }
}

/// Several sums at once, so that additions need not wait for each other.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    const WIDTH: usize = 8;
    let mut sums = [0.0f64; WIDTH];
    let (chunks_a, chunks_b) = (a.chunks_exact(WIDTH), b.chunks_exact(WIDTH));
    let rest = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(&a, &b)| f64::from(a * b)).sum::<f64>();
    for (a, b) in chunks_a.zip(chunks_b) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum += f64::from(a * b);
        }
    }
    sums.iter().sum::<f64>() + rest
}
