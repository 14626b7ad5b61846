//! How far what is computed with few bits is from what reals give.

/// The deviation of one tensor in all runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deviation {
    /// The sum of the squares of what is expected.
    signal: f64,
    /// The sum of the squares of the differences.
    noise: f64,
    /// The greatest difference.
    pub largest: f64,
    /// The greatest of what is expected, by its amount.
    pub most: f64,
    /// How many pairs were compared.
    pub count: u64,
    /// Of how many only one is finite.
    pub lost: u64,
}

impl Deviation {
    /// Takes what was computed and what is expected.
    pub fn note(&mut self, computed: &[f32], expected: &[f32]) {
        self.lost += computed.len().abs_diff(expected.len()) as u64;
        for (computed, expected) in computed.iter().zip(expected) {
            self.note_one(f64::from(*computed), f64::from(*expected));
        }
    }

    /// Takes one pair.
    pub fn note_one(&mut self, computed: f64, expected: f64) {
        match (computed.is_finite(), expected.is_finite()) {
            (true, true) => {
                let difference = (computed - expected).abs();
                self.signal += expected * expected;
                self.noise += difference * difference;
                self.largest = self.largest.max(difference);
                self.most = self.most.max(expected.abs());
                self.count += 1;
            }
            (false, false) => {}
            _ => self.lost += 1,
        }
    }

    /// Ten times the logarithm of what is expected by what differs, in squares; none where nothing differs or nothing was
    /// expected.
    pub fn decibels(&self) -> Option<f64> {
        (self.noise > 0.0 && self.signal > 0.0).then(|| 10.0 * (self.signal / self.noise).log10())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_signal_is_twenty_decibels() {
        let mut deviation = Deviation::default();
        deviation.note(&[1.1, -2.2, 0.0], &[1.0, -2.0, 0.0]);
        assert!((deviation.decibels().unwrap() - 20.0).abs() < 1e-5);
        assert!((deviation.largest - 0.2).abs() < 1e-6 && deviation.most == 2.0 && deviation.count == 3);
        let mut exact = Deviation::default();
        exact.note(&[1.0, f32::INFINITY], &[1.0, f32::INFINITY]);
        assert_eq!((exact.decibels(), exact.lost), (None, 0));
        exact.note(&[f32::NAN], &[1.0]);
        assert_eq!(exact.lost, 1);
    }
}
