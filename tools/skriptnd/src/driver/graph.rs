//! `skriptnd graph`

use super::drawing::Drawing;
use super::graph_options::GraphOptions;
use super::model::Model;
use super::output::{self, is_standard_output, is_stream, json_name, print_json};
use super::svg;
use super::variables::{Source, VariableOptions};
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use serde_json::json;
use skriptnd_runtime::atomic::Mode;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
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
    output::check_place(&options.output)?;
    if options.json && is_standard_output(&options.output) {
        return Err(Failure::usage("-o - and --json both want standard output"));
    }
    let name = if options.json { Some(json_name(&options.output)?) } else { None };
    let model = Model::find(&options.model, &options.graph)?;
    let composed = model.compose(&options.graph)?;
    // Nor are its weights overwritten, which are not looked at.
    Source::new(&VariableOptions::default(), &model, &composed.graph)?;
    let drawing = Drawing::of(&composed.graph);
    let text = match format {
        Format::Svg => svg::draw(&drawing).ok_or_else(|| too_large(&options.output))?,
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

fn too_large(file: &Path) -> Failure {
    let dot = file.with_extension("dot");
    Failure::input(format!(
        "{}: the graph has more edges past other operations than a picture has room for\nhelp: Graphviz may take it: -o {}",
        file.display(),
        dot.display()
    ))
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
