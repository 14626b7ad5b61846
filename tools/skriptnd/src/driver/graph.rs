//! `skriptnd graph`

use super::graph_options::GraphOptions;
use super::model::Model;
use super::output::{self, is_standard_output, is_stream, json_name, print_json};
use super::svg;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use serde_json::json;
use skriptnd_language::compose::graph::{Graph, Operation, OperationKind};
use skriptnd_runtime::atomic::Mode;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, or a .sknd file
    pub model: PathBuf,
    #[command(flatten)]
    graph: GraphOptions,
    /// The picture; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Its format; without it, the ending of FILE decides, and .dot goes to standard output, devices and pipes
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object about the picture
    #[arg(long)]
    pub json: bool,
}

/// How pictures are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture for browsers
    Svg,
    /// A text for Graphviz
    Dot,
}

const EXAMPLES: &str = "\
Examples:
  skriptnd graph model -o model.svg
  skriptnd graph model --graph Decoder -o - | dot -Tpdf > model.pdf";

pub fn run(options: &Options) -> Result<(), Failure> {
    let format = format(options)?;
    if options.json && is_standard_output(&options.output) {
        return Err(Failure::usage("-o - and --json both want standard output"));
    }
    let name = if options.json { Some(json_name(&options.output)?) } else { None };
    let composed = Model::find(&options.model)?.compose(&options.graph)?;
    let drawing = Drawing::of(&composed.graph);
    let text = match format {
        Format::Svg => svg::draw(&drawing),
        Format::Dot => dot(&drawing),
    };
    output::write(&options.output, Mode::Plain, text)?;
    if let Some(name) = name {
        let operations = drawing.boxes.iter().filter(|node| node.is_operation).count();
        print_json(&json!({ "output": name, "graph": composed.graph.name, "operations": operations }));
    }
    Ok(())
}

fn format(options: &Options) -> Result<Format, Failure> {
    let file = &options.output;
    match (options.format, file.extension().and_then(|ending| ending.to_str())) {
        (Some(format), _) => Ok(format),
        (None, Some("svg")) => Ok(Format::Svg),
        (None, Some("dot")) => Ok(Format::Dot),
        _ if is_stream(file) => Ok(Format::Dot),
        _ => Err(Failure::usage(format!("{}: expected a .svg or .dot file, or --format svg|dot", file.display()))),
    }
}

/// Boxes and what leads from one to another.
pub struct Drawing {
    pub boxes: Vec<Node>,
    /// From, to, what flows.
    pub edges: Vec<(usize, usize, String)>,
}

/// A box: an operation, an input or an output.
pub struct Node {
    pub title: String,
    pub is_operation: bool,
}

impl Drawing {
    /// The operations of the graph's body; inside of branches and loops is not shown.
    fn of(graph: &Graph) -> Drawing {
        let mut drawing = Drawing { boxes: Vec::new(), edges: Vec::new() };
        let mut makers = HashMap::new();
        for port in &graph.inputs {
            let node = drawing.add(port.name.clone(), false);
            makers.extend(port.tensors.items().iter().map(|&id| (id, node)));
        }
        for operation in &graph.body.operations {
            let node = drawing.add(title(operation), true);
            for id in operation.inputs.iter().flat_map(|argument| argument.items()) {
                if let Some(&from) = makers.get(id) {
                    drawing.edges.push((from, node, shape(graph, *id)));
                }
            }
            makers.extend(operation.outputs.iter().flat_map(|argument| argument.items()).map(|&id| (id, node)));
        }
        for port in &graph.outputs {
            let node = drawing.add(port.name.clone(), false);
            for id in port.tensors.items() {
                if let Some(&from) = makers.get(id) {
                    drawing.edges.push((from, node, shape(graph, *id)));
                }
            }
        }
        drawing
    }

    fn add(&mut self, title: String, is_operation: bool) -> usize {
        self.boxes.push(Node { title, is_operation });
        self.boxes.len() - 1
    }
}

fn title(operation: &Operation) -> String {
    match &operation.kind {
        OperationKind::Operator(call) => call.operator.to_string(),
        OperationKind::If { .. } => "if".to_string(),
        OperationKind::Loop(_) => "loop".to_string(),
    }
}

fn shape(graph: &Graph, id: skriptnd_language::compose::graph::TensorId) -> String {
    let extents: Vec<_> = graph.tensor(id).ty.shape.iter().map(ToString::to_string).collect();
    extents.join("x")
}

fn dot(drawing: &Drawing) -> String {
    let mut text = String::from("digraph {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    // Writing to a string does not fail.
    for (at, node) in drawing.boxes.iter().enumerate() {
        let style = if node.is_operation { "" } else { ", shape=ellipse" };
        let _ = writeln!(text, "  n{at} [label=\"{}\"{style}];", node.title);
    }
    for (from, to, label) in &drawing.edges {
        let _ = writeln!(text, "  n{from} -> n{to} [label=\"{label}\"];");
    }
    text.push_str("}\n");
    text
}
