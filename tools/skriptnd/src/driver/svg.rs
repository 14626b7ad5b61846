//! Pictures of graphs for browsers.

use super::drawing::Drawing;
use super::layout::{HEIGHT, Label, Layout};
use std::fmt::Write;

/// None if the graph is too large for a picture.
pub fn draw(drawing: &Drawing) -> Option<String> {
    let layout = Layout::of(drawing)?;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n",
        layout.width, layout.height
    );
    // Writing to a string does not fail.
    for way in &layout.ways {
        let points: Vec<_> = way.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let _ = writeln!(text, "<polyline points=\"{}\" fill=\"none\" stroke=\"gray\"/>", points.join(" "));
    }
    for (node, place) in drawing.boxes.iter().zip(&layout.places) {
        let (radius, fill) = if node.is_operation { (3, "aliceblue") } else { (HEIGHT / 2, "white") };
        let (x, y, width) = (place.left, place.top, place.right - place.left);
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>"
        );
        let (x, y) = (x + width / 2, y + HEIGHT / 2 + 4);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(&node.title));
    }
    for Label { at: (x, y), text: label } in &layout.labels {
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"9\" fill=\"gray\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            escape(label)
        );
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// A text as XML has it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
