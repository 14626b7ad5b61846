//! Scales and zero points of tensors, from the values that they had.

use super::seen::Seen;

/// How the range of what is quantized follows from values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// From the least to the greatest.
    MinMax,
    /// Without what is farthest out: so many of a hundred values are within, as many below as above.
    Percentile(f64),
    /// With the least mean square error.
    Mse,
}

/// The whole numbers of quantized tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// How many bits they have.
    pub bits: u32,
    /// Whether they go from below zero; 0 stands for 0 then, and the least is the negative of the greatest.
    pub signed: bool,
}

impl Form {
    /// `u8`
    pub const U8: Form = Form { bits: 8, signed: false };
    /// `i8`
    pub const I8: Form = Form { bits: 8, signed: true };
    /// `i16`
    pub const I16: Form = Form { bits: 16, signed: true };

    /// The least and the greatest whole number.
    pub fn limits(self) -> [i64; 2] {
        match self.signed {
            true => [-(1 << (self.bits - 1)) + 1, (1 << (self.bits - 1)) - 1],
            false => [0, (1 << self.bits) - 1],
        }
    }
}

/// How one tensor is quantized.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// The whole numbers.
    pub form: Form,
    /// How far neighbouring numbers are from each other.
    pub scale: f32,
    /// The whole number that stands for 0.
    pub zero_point: i64,
}

impl Parameters {
    /// For a range, which is extended to have 0. One of 0 alone has the scale 1.
    pub fn of_range([least, most]: [f64; 2], form: Form) -> Parameters {
        let (least, most) = (least.min(0.0), most.max(0.0));
        let [lowest, highest] = form.limits();
        let (span, steps) = match form.signed {
            true => (most.max(-least), highest as f64),
            false => (most - least, (highest - lowest) as f64),
        };
        let scale = match span / steps {
            0.0 => 1.0,
            // Division by less gives infinities.
            scale => (scale as f32).max(f32::MIN_POSITIVE),
        };
        let below = if form.signed { 0.0 } else { (-least / f64::from(scale)).round() };
        Parameters { form, scale, zero_point: (below as i64).clamp(lowest, highest) }
    }

    /// From what was seen of a tensor; 0 alone where nothing was.
    pub fn of(seen: &Seen, method: Method, form: Form) -> Parameters {
        if seen.count == 0 {
            return Parameters::of_range([0.0, 0.0], form);
        }
        let full = seen.limits.map(f64::from);
        match method {
            Method::MinMax => Parameters::of_range(full, form),
            Method::Percentile(percent) => Parameters::of_range(within(seen, percent), form),
            // The steps of 16 bits are narrower than what a histogram tells apart; nothing is won by cutting off, either.
            Method::Mse if form.bits > 8 => Parameters::of_range(full, form),
            Method::Mse => least_error(seen, full, form),
        }
    }

    /// What becomes of a number, as `quant.zero_point_linear_quantize` has it.
    pub fn quantized(&self, value: f32) -> f32 {
        let [lowest, highest] = self.form.limits().map(|limit| (limit - self.zero_point) as f32);
        let steps = (value / self.scale).round();
        if steps.is_nan() { 0.0 } else { steps.max(lowest).min(highest) * self.scale }
    }

    /// The least and the greatest number that there is.
    pub fn range(&self) -> [f64; 2] {
        self.form.limits().map(|limit| (limit - self.zero_point) as f64 * f64::from(self.scale))
    }

    /// The sum of the squares of what numbers are changed by.
    fn error(&self, seen: &Seen) -> f64 {
        let of_part = |(value, count): (f64, u64)| {
            let error = f64::from(self.quantized(value as f32)) - value;
            error * error * count as f64
        };
        seen.parts().map(of_part).sum()
    }
}

/// The range of so many of a hundred values.
fn within(seen: &Seen, percent: f64) -> [f64; 2] {
    let cut = (seen.count as f64 * (100.0 - percent) / 200.0).floor();
    let (width, [least, most]) = (seen.width(), seen.limits.map(f64::from));
    let outside = |counts: &mut dyn Iterator<Item = &u64>| {
        let mut passed = 0.0;
        counts
            .take_while(|count| {
                passed += **count as f64;
                passed <= cut
            })
            .count() as f64
            * width
    };
    [least + outside(&mut seen.histogram.iter()), most - outside(&mut seen.histogram.iter().rev())]
}

/// How many lengths of a range are tried in each turn.
const TRIED: usize = 64;

/// Tries shorter ranges, first at both ends alike, then at each end.
fn least_error(seen: &Seen, full: [f64; 2], form: Form) -> Parameters {
    let whole = Parameters::of_range(full, form);
    let mut best = (whole.error(seen), full, whole);
    let attempt = |range: [f64; 2], best: &mut (f64, [f64; 2], Parameters)| {
        let parameters = Parameters::of_range(range, form);
        let error = parameters.error(seen);
        if error < best.0 {
            *best = (error, range, parameters);
        }
    };
    let parts = || (1..TRIED).map(|part| part as f64 / TRIED as f64);
    for part in parts() {
        attempt(full.map(|end| end * part), &mut best);
    }
    for end in [0, 1, 0, 1] {
        let range = best.1;
        for part in parts().map(|part| 2.0 * part) {
            let mut other = range;
            // No farther than anything was.
            other[end] = (range[end] * part).clamp(full[0].min(0.0), full[1].max(0.0));
            attempt(other, &mut best);
        }
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values in a bell, with few that are far away.
    fn values(count: usize) -> Vec<f32> {
        let mut state = 12345u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let mut values: Vec<f32> = (0..count).map(|_| (0..12).map(|_| next()).sum::<f32>() + 0.7).collect();
        values[0] = 14.0;
        values[1] = -6.5;
        values
    }

    fn seen(values: &[f32]) -> Seen {
        let mut seen = Seen::default();
        seen.note(values);
        seen.count(values);
        seen
    }

    /// The mean square error of the values themselves.
    fn error(parameters: &Parameters, values: &[f32]) -> f64 {
        let square = |value: &f32| f64::from(parameters.quantized(*value) - value).powi(2);
        values.iter().map(square).sum::<f64>() / values.len() as f64
    }

    #[test]
    fn zero_is_one_of_the_numbers() {
        for range in [[-1.0, 1.0], [0.5, 3.0], [-7.0, -2.0], [0.0, 0.0], [-1e-30, 2e-42], [-3e38, 3e38]] {
            for form in [Form::U8, Form::I8, Form::I16] {
                let parameters = Parameters::of_range(range, form);
                assert!(parameters.scale.is_finite() && parameters.scale > 0.0, "{range:?} {form:?}");
                assert_eq!(parameters.quantized(0.0), 0.0, "{range:?} {form:?}");
                let [lowest, highest] = form.limits();
                assert!((lowest..=highest).contains(&parameters.zero_point));
                assert!(!form.signed || parameters.zero_point == 0);
            }
        }
    }

    #[test]
    fn the_least_and_the_greatest_are_kept() {
        let values = values(500);
        for form in [Form::U8, Form::I8, Form::I16] {
            let parameters = Parameters::of(&seen(&values), Method::MinMax, form);
            let farthest = values.iter().map(|value| (parameters.quantized(*value) - value).abs()).fold(0.0, f32::max);
            // A zero point between two steps shifts the range by half a step.
            assert!(farthest <= 1.001 * parameters.scale, "{farthest} {parameters:?}");
        }
        assert_eq!(Parameters::of(&seen(&[3.0; 9]), Method::MinMax, Form::U8).quantized(3.0), 3.0);
        assert_eq!(Parameters::of(&seen(&[-3.0; 9]), Method::MinMax, Form::U8).quantized(-3.0), -3.0);
    }

    #[test]
    fn percentiles_are_those_of_sorted_values() {
        let mut values = values(20_000);
        let seen = seen(&values);
        values.sort_by(f32::total_cmp);
        for percent in [99.9, 99.0, 90.0, 100.0] {
            let cut = (values.len() as f64 * (100.0 - percent) / 200.0).floor() as usize;
            let expected = [values[cut], values[values.len() - 1 - cut]].map(f64::from);
            let found = within(&seen, percent);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() <= 1.001 * seen.width(), "{percent}: {found} {expected}");
            }
        }
    }

    #[test]
    fn no_other_range_has_a_much_smaller_error() {
        let values = values(1_000);
        for form in [Form::U8, Form::I8, Form { bits: 4, signed: true }, Form { bits: 4, signed: false }] {
            let found = error(&Parameters::of(&seen(&values), Method::Mse, form), &values);
            let ends = (0..=30).map(|part| part as f64 / 30.0);
            let ranges = ends.clone().flat_map(|low| ends.clone().map(move |high| [-6.5 * low, 14.0 * high]));
            let least = ranges.map(|range| error(&Parameters::of_range(range, form), &values)).fold(f64::MAX, f64::min);
            assert!(found <= 1.1 * least, "{form:?}: {found} {least}");
            let full = error(&Parameters::of(&seen(&values), Method::MinMax, form), &values);
            assert!(found <= full, "{form:?}: {found} {full}");
        }
    }

    #[test]
    fn what_is_no_number_is_counted_and_left_out() {
        let odd = seen(&[f32::NAN, 1.0, f32::INFINITY, -2.0, f32::NEG_INFINITY]);
        assert_eq!((odd.count, odd.not_finite, odd.limits), (2, 3, [-2.0, 1.0]));
        for method in [Method::MinMax, Method::Percentile(99.0), Method::Mse] {
            let nothing = Parameters::of(&seen(&[]), method, Form::U8);
            assert_eq!((nothing.scale, nothing.zero_point), (1.0, 0));
            let parameters = Parameters::of(&odd, method, Form::U8);
            assert!(parameters.scale.is_finite() && parameters.quantized(f32::NAN) == 0.0);
        }
    }
}
