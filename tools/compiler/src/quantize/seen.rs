//! What values a tensor had in the runs on sample inputs.

/// How many parts a histogram has: enough for 32 of them in each step of 8 bits.
pub const BINS: usize = 8192;

/// The values of one tensor in all runs so far. What is no number, and the infinities, are counted and left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// How many numbers.
    pub count: u64,
    /// How many elements that are no finite numbers.
    pub not_finite: u64,
    /// The least and the greatest number; the other way round without any.
    pub limits: [f32; 2],
    /// How many numbers are in each part of the range between these, from the second time on that the runs are made.
    pub histogram: Vec<u64>,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { count: 0, not_finite: 0, limits: [f32::INFINITY, f32::NEG_INFINITY], histogram: Vec::new() }
    }
}

impl Seen {
    /// Takes the values of a run.
    pub fn note(&mut self, values: &[f32]) {
        for value in values {
            if value.is_finite() {
                self.count += 1;
                self.limits = [self.limits[0].min(*value), self.limits[1].max(*value)];
            } else {
                self.not_finite += 1;
            }
        }
    }

    /// Counts the values of a run that was noted, in the parts of the range of all runs.
    pub fn count(&mut self, values: &[f32]) {
        self.histogram.resize(BINS, 0);
        let [least, _] = self.limits;
        let width = self.width();
        for value in values.iter().filter(|value| value.is_finite()) {
            let place = if width > 0.0 { (f64::from(*value) - f64::from(least)) / width } else { 0.0 };
            self.histogram[(place as usize).min(BINS - 1)] += 1;
        }
    }

    /// The width of a part of the histogram.
    pub fn width(&self) -> f64 {
        (f64::from(self.limits[1]) - f64::from(self.limits[0])) / BINS as f64
    }

    /// The parts of the histogram that have numbers: their middles, and how many numbers.
    pub fn parts(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let (least, width) = (f64::from(self.limits[0]), self.width());
        let parts = self.histogram.iter().enumerate().filter(|(_, count)| **count > 0);
        parts.map(move |(at, count)| (least + (at as f64 + 0.5) * width, *count))
    }
}
