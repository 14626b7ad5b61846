//! A rule as two graphs: what it matches and what takes its place.

use super::Explainer;
use crate::grammar::model::*;

/// What a box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// An op.
    Op,
    /// Whatever a tag stands for, or another node that is there already.
    Node,
    /// A constant.
    Constant,
    /// A choice, or a part that is made several times.
    Control,
}

/// A box of a sketch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Box {
    /// What it stands for.
    pub shape: Shape,
    /// What it is.
    pub title: String,
    /// What is said of its output.
    pub notes: Vec<String>,
}

/// A graph: the result is the last box, and edges lead from operands to users.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The boxes, operands before users.
    pub boxes: Vec<Box>,
    /// From, to, and which operand it is.
    pub edges: Vec<(usize, usize, String)>,
}

impl Sketch {
    /// What a rule matches.
    pub fn of_pattern(rule: &Rule) -> Self {
        let mut sketch = Sketch::default();
        sketch.pattern(&rule.pattern, &rule.package);
        sketch
    }

    /// What takes the root's place.
    pub fn of_replacement(rule: &Rule) -> Self {
        let mut sketch = Sketch::default();
        sketch.replacement(&rule.replacement, &Explainer::of(rule), Vec::new());
        sketch
    }

    fn add(&mut self, shape: Shape, title: String, notes: Vec<String>, operands: &[(usize, String)]) -> usize {
        self.boxes.push(Box { shape, title, notes });
        let made = self.boxes.len() - 1;
        self.edges.extend(operands.iter().map(|(from, label)| (*from, made, label.clone())));
        made
    }

    /// The box of a node that is there already: one for all of its uses.
    fn node(&mut self, title: String, notes: Vec<String>) -> usize {
        let known = self.boxes.iter().position(|known| known.shape == Shape::Node && known.title == title);
        known.unwrap_or_else(|| self.add(Shape::Node, title, notes, &[]))
    }

    fn pattern(&mut self, op: &MatchOp, package: &str) -> usize {
        let mut operands = Vec::new();
        for (index, operand) in op.operands.iter().enumerate() {
            let from = match operand {
                MatchOperand::Op(op) => self.pattern(op, package),
                MatchOperand::Tag(tag, _) => self.node(tag.clone(), Vec::new()),
            };
            operands.push((from, index.to_string()));
        }
        let mut notes: Vec<String> = op.tag.iter().map(|tag| format!("called {tag}")).collect();
        notes.extend(op.open.then(|| "may have further operands".to_owned()));
        self.add(Shape::Op, op.name.qualified(package), notes, &operands)
    }

    fn operands(&mut self, operands: &[Replacement], words: &Explainer<'_>) -> Vec<(usize, String)> {
        let numbered = operands.iter().enumerate();
        numbered.map(|(index, operand)| (self.replacement(operand, words, Vec::new()), index.to_string())).collect()
    }

    fn replacement(&mut self, part: &Replacement, words: &Explainer<'_>, mut notes: Vec<String>) -> usize {
        match &part.kind {
            ReplacementKind::Existing(operand) => self.node(words.operand(operand), notes),
            ReplacementKind::Op(name, operands) => {
                let operands = self.operands(operands, words);
                self.add(Shape::Op, name.qualified(words.package), notes, &operands)
            }
            ReplacementKind::MultiOut(outputs, output, name, operands) => {
                let operands = self.operands(operands, words);
                notes.push(format!("output {} of {}", words.expr(output), words.expr(outputs)));
                self.add(Shape::Op, name.qualified(words.package), notes, &operands)
            }
            ReplacementKind::Wrap(name, inner, always) => {
                let inner = self.replacement(inner, words, Vec::new());
                notes.extend((!always).then(|| "unless it is one already".to_owned()));
                self.add(Shape::Op, name.qualified(words.package), notes, &[(inner, "0".to_owned())])
            }
            ReplacementKind::Constant(constant) => self.add(Shape::Constant, words.constant(constant), notes, &[]),
            ReplacementKind::Modified(modifier, body) => {
                notes.push(words.modifier(modifier));
                self.replacement(body, words, notes)
            }
            _ => self.control(part, words, notes),
        }
    }

    /// What is chosen, made several times, or made elsewhere.
    fn control(&mut self, part: &Replacement, words: &Explainer<'_>, mut notes: Vec<String>) -> usize {
        let mut of = |part: &Replacement| self.replacement(part, words, Vec::new());
        let (title, operands) = match &part.kind {
            ReplacementKind::Select(condition, first, second) => {
                let branches = [(of(first), "then"), (of(second), "else")];
                (format!("if {}", words.expr(condition)), branches.to_vec())
            }
            ReplacementKind::AutoSplit(dimension, tag, size, body) => {
                let (dimension, size) = (words.expr(dimension), words.expr(size));
                let title = format!("slices {tag} of {size}, joined along dimension {dimension}");
                (title, vec![(of(body), "each slice")])
            }
            ReplacementKind::Iterate(base, tag, low, high, body) => {
                let title = format!("an input for each {tag} from {} below {}", words.expr(low), words.expr(high));
                (title, vec![(of(base), "op"), (of(body), "each input")])
            }
            ReplacementKind::Slice(operand, start, size) => {
                ("slice".to_owned(), vec![(of(operand), "of"), (of(start), "at"), (of(size), "size")])
            }
            ReplacementKind::TypicalSlice(operand, tag, dimension) => {
                notes.extend(dimension.iter().map(|dimension| format!("along dimension {}", words.expr(dimension))));
                (format!("slice {tag}"), vec![(of(operand), "of")])
            }
            ReplacementKind::ShapeFunction(function, _, operands) => {
                let nodes = operands.iter().filter_map(|operand| match operand {
                    ApplyOperand::Node(node) => Some((of(node), "")),
                    ApplyOperand::Scalar(_) => None,
                });
                let nodes = nodes.collect();
                let scalars = operands.iter().filter_map(|operand| match operand {
                    ApplyOperand::Node(_) => None,
                    ApplyOperand::Scalar(expr) => Some(words.expr(expr)),
                });
                let scalars: Vec<String> = scalars.collect();
                notes.extend((!scalars.is_empty()).then(|| format!("with {}", scalars.join(", "))));
                (format!("shape by {function}"), nodes)
            }
            _ => (words.replacement(part), Vec::new()),
        };
        let operands: Vec<_> = operands.into_iter().map(|(from, label)| (from, label.to_owned())).collect();
        self.add(Shape::Control, title, notes, &operands)
    }
}
