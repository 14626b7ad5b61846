//! How far results may be from what is expected.

use std::str::FromStr;

/// How far a real number may be from the expected one. Not a number agrees with itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// By this part of the largest finite number that is expected.
    OfLargest(f64),
    /// By so many units in the last place of each; zeros have signs.
    LastPlaces(u32),
}

impl Tolerance {
    /// Whether all of them agree.
    pub fn allows(self, expected: &[f32], found: &[f32]) -> bool {
        let finite = expected.iter().filter(|value| value.is_finite());
        let largest = finite.fold(0f64, |most, value| most.max(f64::from(value.abs())));
        let agrees = |(a, b): (&f32, &f32)| match self {
            _ if a.is_nan() || b.is_nan() => a.is_nan() && b.is_nan(),
            Tolerance::OfLargest(part) => a == b || (f64::from(*a) - f64::from(*b)).abs() <= part * largest,
            Tolerance::LastPlaces(places) => {
                a.is_sign_positive() == b.is_sign_positive()
                    && a.is_finite() == b.is_finite()
                    && a.to_bits().abs_diff(b.to_bits()) <= places
            }
        };
        expected.len() == found.len() && expected.iter().zip(found).all(agrees)
    }
}

impl FromStr for Tolerance {
    type Err = String;

    /// `1e-4`, or `2 ulp`
    fn from_str(text: &str) -> Result<Tolerance, String> {
        match text.strip_suffix("ulp") {
            Some(places) => {
                places.trim().parse().map(Tolerance::LastPlaces).map_err(|error| format!("`{text}`: {error}"))
            }
            None => text.parse().map(Tolerance::OfLargest).map_err(|_| format!("`{text}` is no real")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_places_tell_zeros_and_infinities_apart() {
        let two: Tolerance = "2 ulp".parse().unwrap();
        let near = f32::from_bits(1f32.to_bits() + 2);
        assert!(two.allows(&[1.0, -0.0, f32::NAN, f32::INFINITY], &[near, -0.0, -f32::NAN, f32::INFINITY]));
        for (expected, found) in [(0.0, -0.0), (f32::MAX, f32::INFINITY), (near, 1.0 - f32::EPSILON), (1.0, f32::NAN)] {
            assert!(!two.allows(&[expected], &[found]), "{expected} {found}");
        }
    }

    #[test]
    fn parts_are_of_the_largest() {
        let part: Tolerance = "1e-3".parse().unwrap();
        assert!(part.allows(&[100.0, 0.0], &[100.0, -0.05]));
        assert!(!part.allows(&[100.0, f32::INFINITY], &[100.2, f32::INFINITY]));
    }
}
