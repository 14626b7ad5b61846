//! A picture of how far layers are from what they give with reals.

use super::report::{Layer, Report, decibels};
use crate::driver::svg::escape;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
/// What lies above the first layer, and below the last one.
const TOP: f64 = 84.0;
const BOTTOM: f64 = 36.0;
const ROW: f64 = 20.0;
/// Where bars begin and end.
const BARS: [f64; 2] = [400.0, 890.0];
/// Letters of a layer's name.
const LONGEST: usize = 58;

/// A bar for each layer, as long as its signal is above the noise.
pub fn svg(report: &Report) -> String {
    let all = report.layers.iter().flat_map(|layer| [layer.whole.decibels(), layer.alone.decibels()]);
    let most = all.flatten().fold(10.0, f64::max);
    let most = (most / 10.0).ceil() * 10.0;
    let height = TOP + ROW * report.layers.len() as f64 + BOTTOM;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"30\" font-size=\"17\" fill=\"#222\">How far each layer is from what it gives with reals</text>\n\
         <text x=\"20\" y=\"52\" fill=\"#555\">signal to noise in dB: <tspan fill=\"#1c7ed6\">bars</tspan> with all that is quantized \
         before it, <tspan fill=\"#e8590c\">ticks</tspan> of rounding it alone</text>\n"
    );
    grid(&mut text, most, height);
    for (row, layer) in report.layers.iter().enumerate() {
        draw(&mut text, TOP + ROW * row as f64, layer, most);
    }
    text.push_str("</svg>\n");
    text
}

fn place(decibels: f64, most: f64) -> f64 {
    BARS[0] + (decibels / most).clamp(0.0, 1.0) * (BARS[1] - BARS[0])
}

fn grid(text: &mut String, most: f64, height: f64) {
    let step = if most > 60.0 { 20.0 } else { 10.0 };
    let ticks = (0..).map(|tick| f64::from(tick) * step).take_while(|tick| *tick <= most);
    // Writing to a string does not fail.
    for tick in ticks {
        let (x, end) = (place(tick, most), height - BOTTOM);
        let _ = writeln!(text, "<path d=\"M{x:.1} {}V{end}\" stroke=\"#e4e4e4\"/>", TOP - 6.0);
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{tick}</text>",
            TOP - 10.0
        );
    }
}

fn draw(text: &mut String, top: f64, layer: &Layer, most: f64) {
    let name = format!("{} {}", layer.operator, layer.name);
    let short: String = name.chars().take(LONGEST).collect();
    let (short, title) = (escape(&short), escape(&format!("{name} ({})", layer.place())));
    let base = top + ROW / 2.0 + 4.0;
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\" font-size=\"11\" fill=\"#222\">{short}</text>",
        BARS[0] - 8.0
    );
    let label = decibels(&layer.whole);
    // What differs in nothing is as far above the noise as the picture goes.
    let end = if label == "exact" { BARS[1] } else { place(layer.whole.decibels().unwrap_or(0.0), most) };
    let _ = writeln!(
        text,
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"#1c7ed6\" fill-opacity=\"0.6\"><title>{title}\n\
         {label} dB, greatest error {:.4e}</title></rect>",
        BARS[0],
        top + 3.0,
        end - BARS[0],
        ROW - 6.0,
        layer.whole.largest
    );
    if let Some(alone) = layer.alone.decibels() {
        let x = place(alone, most);
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} {}V{}\" stroke=\"#e8590c\" stroke-width=\"2\"/>",
            top + 2.0,
            top + ROW - 2.0
        );
    }
    let _ = writeln!(text, "<text x=\"{}\" y=\"{base}\" font-size=\"11\" fill=\"#555\">{label}</text>", BARS[1] + 8.0);
}
