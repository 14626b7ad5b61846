//! Pictures of graphs: boxes in rows, each below everything that leads to it.

use super::drawing::Drawing;
use std::fmt::Write;

const WIDTH: usize = 180;
const HEIGHT: usize = 34;
const GAP: usize = 36;

pub fn draw(drawing: &Drawing) -> String {
    let rows = rows(drawing);
    let mut filled = vec![0; rows.iter().max().map_or(0, |last| last + 1)];
    let places: Vec<(usize, usize)> = rows
        .iter()
        .map(|&row| {
            filled[row] += 1;
            (GAP + (filled[row] - 1) * (WIDTH + GAP), GAP + row * (HEIGHT + GAP))
        })
        .collect();
    let width = GAP + filled.iter().max().unwrap_or(&0) * (WIDTH + GAP);
    let height = GAP + filled.len() * (HEIGHT + GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    // Writing to a string does not fail.
    for (from, to, label) in &drawing.edges {
        let (x1, y1) = (places[*from].0 + WIDTH / 2, places[*from].1 + HEIGHT);
        let (x2, y2) = (places[*to].0 + WIDTH / 2, places[*to].1);
        let _ = writeln!(text, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"gray\"/>");
        let (x, y) = ((x1 + x2) / 2 + 4, (y1 + y2) / 2 + 4);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"9\" fill=\"gray\">{}</text>", escape(label));
    }
    for (node, (x, y)) in drawing.boxes.iter().zip(&places) {
        let (radius, fill) = if node.is_operation { (3, "aliceblue") } else { (HEIGHT / 2, "white") };
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>"
        );
        let (x, y) = (x + WIDTH / 2, y + HEIGHT / 2 + 4);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(&node.title));
    }
    text.push_str("</svg>\n");
    text
}

/// The row of every box. Edges lead from earlier boxes to later ones.
fn rows(drawing: &Drawing) -> Vec<usize> {
    let mut rows = vec![0; drawing.boxes.len()];
    let mut edges: Vec<_> = drawing.edges.iter().map(|(from, to, _)| (*to, *from)).collect();
    edges.sort_unstable();
    for (to, from) in edges {
        rows[to] = rows[to].max(rows[from] + 1);
    }
    rows
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
