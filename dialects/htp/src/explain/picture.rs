//! Rules as pictures: pattern and replacement beside each other, with the words above and below.

use super::layout::{GAP, Layout, layout};
use super::lines::without_parentheses;
use super::sketch::{Shape, Sketch};
use super::{Explainer, heading, names};
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
    let mut sides = [("matches", Sketch::of_pattern(rule)), ("becomes", Sketch::of_replacement(rule))];
    let conditions = conditions(rule, &mut sides[1].1);
    let heading = heading(rule);
    match format {
        Format::Svg => svg(&heading, &conditions, &sides),
        Format::Dot => dot(&heading, &conditions, &sides),
    }
}

/// What is said below the picture; parts that are said often, there and in the boxes, have names.
fn conditions(rule: &Rule, replacement: &mut Sketch) -> Vec<String> {
    let mut told = Explainer::of(rule).conditions(&rule.constraint);
    let count = told.len();
    let texts = || replacement.boxes.iter().flat_map(|node| std::iter::once(&node.title).chain(&node.notes));
    told.extend(texts().cloned());
    let names = names::named(&mut told, |name| rule.tags.contains_key(name));
    let mut texts = told.split_off(count).into_iter();
    for node in &mut replacement.boxes {
        std::iter::once(&mut node.title)
            .chain(&mut node.notes)
            .for_each(|text| *text = texts.next().unwrap_or_default());
    }
    let names = names.into_iter().map(|(name, meaning)| format!("with {name} = {meaning}"));
    let told = told.iter().enumerate().map(|(at, condition)| {
        let word = if at == 0 { "where" } else { "and" };
        format!("{word} {}", without_parentheses(condition))
    });
    names.chain(told).collect()
}

const LETTER: i64 = 7;
const SMALL_LETTER: i64 = 6;
const LINE: i64 = 16;
/// What sentences take to be read.
const LEAST_WIDTH: i64 = 600;

/// A sketch with a place for each box.
struct Laid<'s> {
    sketch: &'s Sketch,
    sizes: Vec<(i64, i64)>,
    layout: Layout,
}

impl<'s> Laid<'s> {
    fn of(sketch: &'s Sketch) -> Self {
        let size = |at: usize| {
            let lines = lines(sketch, at);
            let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as i64;
            // Which operands lead to it is told above it, beside each other.
            let operands = sketch.edges.iter().filter(|(_, to, _)| *to == at).map(|(.., label)| label.len() as i64);
            let (count, widest) = operands.fold((1, 0), |(count, widest), length| (count + 1, length.max(widest)));
            let width = (longest * LETTER + 20).max(count * (widest * SMALL_LETTER + 6));
            (width, lines.len() as i64 * LINE + 12)
        };
        let sizes: Vec<_> = (0..sketch.boxes.len()).map(size).collect();
        let edges: Vec<_> = sketch.edges.iter().map(|(from, to, _)| (*from, *to)).collect();
        Laid { sketch, layout: layout(&sizes, &edges), sizes }
    }

    fn write(&self, left: i64, top: i64, text: &mut String) {
        for ((_, _, label), points) in self.sketch.edges.iter().zip(&self.layout.lines) {
            let line: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", left + x, top + y)).collect();
            let _ = writeln!(text, "<polyline points=\"{}\" fill=\"none\" stroke=\"gray\"/>", line.join(" "));
            // Which operand it is stands where the line ends: there the lines are apart.
            let (x, y) = points.last().map_or((left, top), |(x, y)| (left + x + 3, top + y - 4));
            let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" fill=\"gray\">{}</text>", escape(label));
        }
        for (at, node) in self.sketch.boxes.iter().enumerate() {
            let ((x, y), (width, height)) = (self.layout.places[at], self.sizes[at]);
            let (x, y) = (left + x, top + y);
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
                let (x, y) = (x + width / 2, y + (number as i64 + 1) * LINE + 2);
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

fn svg(heading: &str, conditions: &[String], [pattern, replacement]: &[(&str, Sketch); 2]) -> String {
    let top = GAP + 3 * LINE;
    let (left, right) = (Laid::of(&pattern.1), Laid::of(&replacement.1));
    let beside = GAP + left.layout.width.max(pattern.0.len() as i64 * LETTER) + 2 * GAP;
    let mut body = String::new();
    let mut say = |x: i64, y: i64, weight: &str, line: &str| {
        let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" font-weight=\"{weight}\">{}</text>", escape(line));
    };
    say(GAP, GAP, "bold", heading);
    say(GAP, GAP + 2 * LINE, "normal", pattern.0);
    say(beside, GAP + 2 * LINE, "normal", replacement.0);
    let mut y = top + left.layout.height.max(right.layout.height) + LINE;
    let width = (beside + right.layout.width + GAP).max(heading.len() as i64 * LETTER + 2 * GAP).max(LEAST_WIDTH);
    for line in
        conditions.iter().flat_map(|condition| wrapped(condition, usize::try_from(width / LETTER).unwrap_or(40)))
    {
        say(GAP, y, "normal", &line);
        y += LINE;
    }
    left.write(GAP, top, &mut body);
    right.write(beside, top, &mut body);
    let height = y + GAP;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         {body}</svg>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn dot(heading: &str, conditions: &[String], sides: &[(&str, Sketch); 2]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let told: Vec<String> = conditions.iter().flat_map(|condition| wrapped(condition, 80)).collect();
    let label = quoted(&format!("{heading}\n{}", told.join("\n"))).replace('\n', "\\n");
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
    fn boxes_say_all_of_their_parts() {
        let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), GT(DIM_DEPTH(\"x\"), 2), AUTOSPLIT(3, \"I\", 2,\n\
                    Op(\"A\", CHANGEDIM_SLICE(\"x\", \"I\", 1), AUTOSPLIT_SHAPEFN_APPLY(f, \"I\", \"x\", 7, 0.5))))";
        let set = RuleSet::parse("test.htp", text, &Settings::default());
        let sketch = Sketch::of_replacement(&set.rules[0]);
        let told: Vec<String> =
            sketch.boxes.iter().map(|node| format!("{}: {}", node.title, node.notes.join("; "))).collect();
        assert!(told.contains(&"slice I: along dimension 1".to_owned()), "{told:?}");
        assert!(told.contains(&"shape by f: with 7, 0.5".to_owned()), "{told:?}");
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
