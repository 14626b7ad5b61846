//! Rules as pictures: pattern and replacement beside each other, with the words above and below.

use super::sketch::{Shape, Sketch};
use super::{Explainer, heading};
use crate::grammar::model::Rule;
use std::fmt::Write;

/// How pictures are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For browsers.
    Svg,
    /// For Graphviz.
    Dot,
}

impl Format {
    /// The ending of files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Dot => "dot",
        }
    }
}

/// The picture of a rule.
pub fn picture(rule: &Rule, format: Format) -> String {
    let sides = [("matches", Sketch::of_pattern(rule)), ("becomes", Sketch::of_replacement(rule))];
    let condition = format!("where {}", Explainer::of(rule).conditions(&rule.constraint).join(" and "));
    let heading = heading(rule);
    match format {
        Format::Svg => svg(&heading, &condition, &sides),
        Format::Dot => dot(&heading, &condition, &sides),
    }
}

const LETTER: usize = 7;
const LINE: usize = 16;
const GAP: usize = 30;

/// A sketch with a place for each box.
struct Laid<'s> {
    sketch: &'s Sketch,
    /// Left, top, width and height.
    places: Vec<[usize; 4]>,
    width: usize,
    height: usize,
}

impl<'s> Laid<'s> {
    /// Boxes in rows, each below everything that leads to it.
    fn of(sketch: &'s Sketch, left: usize, top: usize) -> Self {
        let mut rows = vec![0; sketch.boxes.len()];
        for at in 0..sketch.boxes.len() {
            let before = sketch.edges.iter().filter(|(_, to, _)| *to == at).map(|(from, ..)| rows[*from] + 1);
            rows[at] = before.max().unwrap_or(0);
        }
        let mut laid = Laid { sketch, places: vec![[0; 4]; rows.len()], width: 0, height: 0 };
        for row in 0..=rows.iter().copied().max().unwrap_or(0) {
            let (mut x, mut tallest) = (0, 0);
            for at in (0..rows.len()).filter(|at| rows[*at] == row) {
                let lines = lines(sketch, at);
                let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) * LETTER + 20;
                let height = lines.len() * LINE + 12;
                laid.places[at] = [left + x, top + laid.height, width, height];
                x += width + GAP;
                tallest = tallest.max(height);
            }
            laid.width = laid.width.max(x);
            laid.height += tallest + GAP;
        }
        laid
    }

    fn write(&self, text: &mut String) {
        for (from, to, label) in &self.sketch.edges {
            let ([x, y, width, height], [left, top, reach, _]) = (self.places[*from], self.places[*to]);
            let (x1, y1, x2, y2) = (x + width / 2, y + height, left + reach / 2, top);
            let _ = writeln!(text, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"gray\"/>");
            let (x, y) = (usize::midpoint(x1, x2) + 4, usize::midpoint(y1, y2) + 4);
            let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" fill=\"gray\">{}</text>", escape(label));
        }
        for (at, node) in self.sketch.boxes.iter().enumerate() {
            let [x, y, width, height] = self.places[at];
            let (radius, fill) = match node.shape {
                Shape::Op => (3, "aliceblue"),
                Shape::Node => (height / 2, "white"),
                Shape::Constant => (3, "lightyellow"),
                Shape::Control => (10, "honeydew"),
            };
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>"
            );
            for (number, line) in lines(self.sketch, at).iter().enumerate() {
                let (x, y) = (x + width / 2, y + (number + 1) * LINE + 2);
                let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(line));
            }
        }
    }
}

/// What stands in a box.
fn lines(sketch: &Sketch, at: usize) -> Vec<String> {
    let node = &sketch.boxes[at];
    std::iter::once(&node.title).chain(&node.notes).flat_map(|line| wrapped(line, 40)).collect()
}

/// A text in lines of about this length.
fn wrapped(text: &str, length: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        match lines[last].is_empty() {
            true => lines[last].push_str(word),
            false if lines[last].len() + word.len() < length => {
                lines[last].push(' ');
                lines[last].push_str(word);
            }
            false => lines.push(word.to_owned()),
        }
    }
    lines
}

fn svg(heading: &str, condition: &str, [pattern, replacement]: &[(&str, Sketch); 2]) -> String {
    let top = GAP + 3 * LINE;
    let left = Laid::of(&pattern.1, GAP, top);
    let right = Laid::of(&replacement.1, left.width + 3 * GAP, top);
    let mut body = String::new();
    let mut say = |x: usize, y: usize, weight: &str, line: &str| {
        let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" font-weight=\"{weight}\">{}</text>", escape(line));
    };
    say(GAP, GAP, "bold", heading);
    say(GAP, GAP + 2 * LINE, "normal", pattern.0);
    say(left.width + 3 * GAP, GAP + 2 * LINE, "normal", replacement.0);
    let mut y = top + left.height.max(right.height) + LINE;
    let width = (left.width + right.width + 4 * GAP).max(heading.len() * LETTER + 2 * GAP);
    for line in wrapped(condition, width / LETTER) {
        say(GAP, y, "normal", &line);
        y += LINE;
    }
    left.write(&mut body);
    right.write(&mut body);
    let height = y + GAP;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         {body}</svg>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn dot(heading: &str, condition: &str, sides: &[(&str, Sketch); 2]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let label = quoted(&format!("{heading}\n{}", wrapped(condition, 80).join("\n"))).replace('\n', "\\n");
    let mut text = format!("digraph {{\n  label=\"{label}\";\n  node [fontname=\"sans-serif\"];\n");
    for (number, (title, sketch)) in sides.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label=\"{title}\";");
        for (at, node) in sketch.boxes.iter().enumerate() {
            let shape = match node.shape {
                Shape::Op => "box",
                Shape::Node => "ellipse",
                Shape::Constant => "note",
                Shape::Control => "hexagon",
            };
            let label = quoted(&lines(sketch, at).join("\n")).replace('\n', "\\n");
            let _ = writeln!(text, "    n{number}_{at} [shape={shape}, label=\"{label}\"];");
        }
        for (from, to, label) in &sketch.edges {
            let _ = writeln!(text, "    n{number}_{from} -> n{number}_{to} [label=\"{}\"];", quoted(label));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{RuleSet, Settings};

    fn rule() -> Rule {
        let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", LET(\"b\", OpVarIn(\"B\", \"x\"))), GT(DIM_DEPTH(\"x\"), 2),\n\
                    WITH_TYPE(\"x\", Op(\"C\", SELECT(IS_FLOAT(\"x\"), \"b\", gen_ConstScalar_i32(3)), \"x\")))";
        let set = RuleSet::parse("test.htp", text, &Settings::default());
        assert!(set.found.is_empty(), "{}", set.messages());
        set.rules[0].clone()
    }

    #[test]
    fn a_tag_is_one_box() {
        let sketch = Sketch::of_pattern(&rule());
        let titles: Vec<&str> = sketch.boxes.iter().map(|node| node.title.as_str()).collect();
        assert_eq!(titles, ["x", "q::B", "q::A"]);
        assert_eq!(sketch.boxes[1].notes, ["called b", "may have further operands"]);
        assert_eq!(sketch.edges.len(), 3);
    }

    #[test]
    fn pictures_show_both_sides() {
        let svg = picture(&rule(), Format::Svg);
        for text in [
            "matches",
            "becomes",
            "q::A",
            "q::C",
            "if dtype of x == Float32",
            "type of x",
            "where dimension 3 of x &gt; 2",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let dot = picture(&rule(), Format::Dot);
        assert!(
            dot.contains("subgraph cluster_1") && dot.contains("shape=hexagon") && dot.contains("label=\"else\""),
            "{dot}"
        );
    }
}
