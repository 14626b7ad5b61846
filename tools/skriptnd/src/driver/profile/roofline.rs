//! A roofline: what each operation reaches, by how much it computes for each byte, below what the machine can do.

use super::measured::Measured;
use super::table::size;
use super::{Limits, Profile};
use crate::driver::svg::escape;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
/// Left, top, right and bottom of what is drawn in.
const FRAME: [f64; 4] = [78.0, 56.0, 930.0, 540.0];
/// Operations that have their names beside them.
const MOST_NAMED: usize = 8;
/// About the width of a letter of a name.
const LETTER: f64 = 6.2;
const LINES: [&str; 3] = ["#2b8a3e", "#e8890c", "#c92a2a"];

/// A logarithmic scale.
struct Scale {
    /// The powers of ten that it goes from and to.
    powers: [f64; 2],
    /// Where it begins and ends in the picture.
    ends: [f64; 2],
}

impl Scale {
    /// From the power of ten below all values to the one above.
    fn of(values: &[f64], ends: [f64; 2]) -> Scale {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.iter().copied().fold(0.0, f64::max).log10().ceil();
        Scale { powers: [least, most.max(least + 1.0)], ends }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.log10() - self.powers[0]) / (self.powers[1] - self.powers[0]);
        self.ends[0] + part.clamp(0.0, 1.0) * (self.ends[1] - self.ends[0])
    }

    fn range(&self) -> [f64; 2] {
        self.powers.map(|power| 10f64.powf(power))
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.powers[0] as i32..=self.powers[1] as i32).map(|power| 10f64.powi(power))
    }
}

/// The picture.
pub fn svg(profile: &Profile) -> String {
    let operations = profile.operations.iter().filter_map(|operation| Some((operation, point(operation)?)));
    let mut operations: Vec<_> = operations.collect();
    operations.sort_by(|(a, _), (b, _)| b.us.total_cmp(&a.us));
    let limits = &profile.limits;
    let of_bytes = operations.iter().any(|(operation, _)| operation.multiplies_bytes());
    let of_bytes = of_bytes.then_some((limits.gops_of_bytes, "GOP/s on bytes"));
    let roofs: Vec<Roof> = [(limits.gflops, "GFLOP/s")].into_iter().chain(of_bytes).collect();
    let ridges = limits.bandwidths.iter().map(|(_, bandwidth)| limits.gflops / bandwidth);
    let across: Vec<f64> =
        operations.iter().map(|(_, (x, _))| *x).chain(ridges.flat_map(|x| [x / 2.0, x * 4.0])).collect();
    let up: Vec<f64> = operations
        .iter()
        .map(|(_, (_, y))| *y)
        .chain([limits.gflops / 20.0])
        .chain(roofs.iter().map(|roof| roof.0 * 1.2))
        .collect();
    let scales = (Scale::of(&across, [FRAME[0], FRAME[2]]), Scale::of(&up, [FRAME[3], FRAME[1]]));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"30\" font-size=\"17\" fill=\"#222\">What each operation reaches</text>\n",
        FRAME[0]
    );
    grid(&mut text, &scales);
    lines(&mut text, (limits, &roofs), &scales);
    for (operation, at) in operations.iter().rev() {
        draw(&mut text, profile, (operation, *at), &scales);
    }
    name_longest(&mut text, profile, &operations, &scales);
    text.push_str("</svg>\n");
    text
}

/// Operations on numbers for each byte, and in each nanosecond.
fn point(operation: &Measured) -> Option<(f64, f64)> {
    let rate = operation.gflops().filter(|_| operation.bytes > 0)?;
    Some((operation.work as f64 / operation.bytes as f64, rate))
}

fn grid(text: &mut String, (across, up): &(Scale, Scale)) {
    let [left, top, right, bottom] = FRAME;
    // Writing to a string does not fail.
    for tick in across.ticks() {
        let x = across.place(tick);
        let _ = writeln!(text, "<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#e4e4e4\"/>");
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{tick}</text>",
            bottom + 18.0
        );
    }
    for tick in up.ticks() {
        let y = up.place(tick);
        let _ = writeln!(text, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e4e4e4\"/>");
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{tick}</text>",
            left - 8.0,
            y + 4.0
        );
    }
    let (middle, half) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" fill=\"#222\">operations on numbers for each byte</text>",
        bottom + 42.0
    );
    let _ = writeln!(
        text,
        "<text transform=\"translate(22 {half}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222\">GFLOP/s</text>"
    );
}

/// How much the machine computes in a nanosecond at most, and of what.
type Roof = (f64, &'static str);

/// The roofs and the slopes that lead to them.
fn lines(text: &mut String, (limits, roofs): (&Limits, &[Roof]), (across, up): &(Scale, Scale)) {
    let ([least, most], [lowest, _]) = (across.range(), up.range());
    let highest = roofs.iter().fold(0.0, |highest: f64, roof| highest.max(roof.0));
    for (limit, unit) in roofs {
        let roof = up.place(*limit);
        let nearest = limits.bandwidths.iter().map(|(_, bandwidth)| limit / bandwidth).fold(most, f64::min);
        let (begin, end) = (across.place(nearest), FRAME[2]);
        let _ = writeln!(text, "<path d=\"M{begin:.1} {roof:.1}H{end:.1}\" stroke=\"#222\" stroke-width=\"2\"/>");
        let y = roof - 7.0;
        let _ =
            writeln!(text, "<text x=\"{end}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#222\">{limit:.0} {unit}</text>");
    }
    for (number, (bytes, bandwidth)) in limits.bandwidths.iter().enumerate() {
        let begin = least.max(lowest / bandwidth);
        let (from, to) = ((begin, begin * bandwidth), (highest / bandwidth, highest));
        let colour = LINES[number % LINES.len()];
        let (x, y) = (across.place(from.0), up.place(from.1));
        let (end, top) = (across.place(to.0), up.place(to.1));
        let _ = writeln!(text, "<path d=\"M{x:.1} {y:.1}L{end:.1} {top:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let place = FRAME[1] - 20.0;
        let column = FRAME[2] - 230.0 * (limits.bandwidths.len() - 1 - number) as f64;
        let _ = writeln!(
            text,
            "<text x=\"{column}\" y=\"{place}\" text-anchor=\"end\" fill=\"{colour}\">{bandwidth:.0} GB/s, up to {}</text>",
            size(*bytes)
        );
    }
}

fn draw(
    text: &mut String,
    profile: &Profile,
    (operation, (x, y)): (&Measured, (f64, f64)),
    (across, up): &(Scale, Scale),
) {
    let (x, y, share) = (across.place(x), up.place(y), profile.share(operation));
    let radius = radius(share);
    let title = escape(&operation.title());
    let limit =
        profile.of_limit(operation).map_or_else(String::new, |part| format!(", {:.0} % of the limit", 100.0 * part));
    let _ = writeln!(
        text,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#1c7ed6\" fill-opacity=\"0.45\" stroke=\"#1864ab\">\
         <title>{title}\n{:.2} us, {:.1} % of the time{limit}</title></circle>",
        operation.us,
        100.0 * share
    );
}

/// Of a circle whose area is a share.
fn radius(share: f64) -> f64 {
    3.5 + 22.0 * share.sqrt()
}

/// Writes the names of the operations that take longest beside them, where there is room.
fn name_longest(text: &mut String, profile: &Profile, operations: &[(&Measured, (f64, f64))], scales: &(Scale, Scale)) {
    let mut taken: Vec<[f64; 3]> = Vec::new();
    for (operation, (x, y)) in operations.iter().take(MOST_NAMED) {
        let (x, y) = (scales.0.place(*x), scales.1.place(*y) + 4.0);
        let distance = radius(profile.share(operation)) + 4.0;
        let title = operation.title();
        let short = escape(title.split(" + ").next().unwrap_or_default());
        let length = LETTER * short.chars().count() as f64;
        let is_right = x > (FRAME[0] + 2.0 * FRAME[2]) / 3.0;
        let (anchor, at, left) =
            if is_right { ("end", x - distance, x - distance - length) } else { ("start", x + distance, x + distance) };
        let meets = |other: &[f64; 3]| (other[0] - y).abs() < 12.0 && other[1] < left + length && left < other[2];
        if taken.iter().any(meets) {
            continue;
        }
        taken.push([y, left, left + length]);
        let _ = writeln!(
            text,
            "<text x=\"{at:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"11\" fill=\"#222\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{short}</text>"
        );
    }
}
