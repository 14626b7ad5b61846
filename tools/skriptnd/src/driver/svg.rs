//! Pictures of graphs for browsers.

use super::drawing::Drawing;
use super::layout::{GAP, HEIGHT, Layout, Point};
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
    for (x, y, label) in labels(drawing, &layout) {
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"9\" fill=\"gray\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            escape(label)
        );
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// What flows along the edges, beside where they begin; of edges that begin alike once.
fn labels<'a>(drawing: &'a Drawing, layout: &Layout) -> Vec<(i64, i64, &'a str)> {
    let beside = |(way, edge): (&Vec<Point>, &'a (usize, usize, String))| {
        let (first, second) = (way.first()?, way.get(1)?);
        // Either this part is as high as the gap, or it is straight down.
        Some(((first.0 + second.0) / 2 + 4, first.1 + GAP / 2 + 4, edge.2.as_str()))
    };
    let mut labels: Vec<_> = layout.ways.iter().zip(&drawing.edges).filter_map(beside).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
