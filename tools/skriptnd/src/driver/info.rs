//! `skriptnd info`: what a model takes, gives and needs.

use super::graph_options::GraphOptions;
use super::inputs::MAX_ELEMENTS;
use super::output::{print, print_json};
use crate::failure::Failure;
use clap::Args;
use serde_json::{Value as Json, json};
use skriptnd_runtime::metadata::{Extent, Metadata, OPEN_BOUND, TensorInfo};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::variable::files;
use skriptnd_runtime::{Library, write_dat};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd or .onnx file, or a compiled model
    pub model: PathBuf,
    /// With --bind, sizes of memory are counted for these extents; a compiled model takes them, too
    #[command(flatten)]
    graph: GraphOptions,
    /// Write a file of zeros for each variable to this folder, in the variable's shape, to be filled
    #[arg(long, value_name = "DIR")]
    template: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Tells inputs, outputs, variables and states with types and shapes (`n|64`: an extent of the run, at most 64), the memory that a run
needs, and the processor that the code is for. A model is compiled for this, and nothing of it is kept.

Examples:
  skriptnd info model
  skriptnd info model.so --json
  skriptnd info model.so --bind batch=8
  skriptnd info model --template weights";

/// Says what a model is.
pub fn run(options: &Options) -> Result<(), Failure> {
    if options.graph.import.weights.is_some() {
        return Err(Failure::usage("--weights: what a model is does not depend on the values of its variables"));
    }
    if let Some(metadata) = super::native::of_hexagon(&options.model)? {
        super::native::check_fixed(&options.graph)?;
        return tell(options, &metadata, false, None);
    }
    let library = super::native::library(&options.model, &options.graph)?;
    let needs = match is_bound(options) {
        true => Some(Needs::of(&library, options.graph.bound_extents())?),
        false => None,
    };
    tell(options, library.metadata(), library.weights().is_some(), needs.as_ref())
}

/// Says what there is to say; `is_whole` tells whether the values of variables are in the artifact.
fn tell(options: &Options, metadata: &Metadata, is_whole: bool, needs: Option<&Needs>) -> Result<(), Failure> {
    if let Some(folder) = &options.template {
        write_template(folder, metadata)?;
    }
    match options.json {
        true => print_json(&to_json(metadata, needs)?),
        false => print(text(metadata, is_whole, needs)),
    }
    Ok(())
}

/// Whether extents are given that the code leaves open.
fn is_bound(options: &Options) -> bool {
    super::sources::is_artifact(&options.model) && !options.graph.bound_extents().is_empty()
}

/// What a run needs for some extents.
struct Needs {
    extents: Vec<(String, i64)>,
    workspace_bytes: usize,
    peak_bytes: usize,
}

impl Needs {
    /// Asks the code.
    fn of(library: &Library, given: &[(String, i64)]) -> Result<Needs, Failure> {
        let metadata = library.metadata();
        let known = || metadata.extents.iter().map(|extent| extent.name.as_str()).collect::<Vec<_>>().join(", ");
        if let Some((name, _)) = given.iter().find(|(name, _)| metadata.extents.iter().all(|open| open.name != *name)) {
            let known = if metadata.extents.is_empty() { "none".to_owned() } else { known() };
            return Err(Failure::usage(format!(
                "--bind {name}: the compiled model has no such open extent; it has: {known}"
            )));
        }
        let value = |name: &str| given.iter().find(|(given, _)| given == name).map(|(_, value)| *value);
        let extents = metadata.extents.iter().map(|open| {
            let value =
                value(&open.name).ok_or_else(|| Failure::usage(format!("--bind {}=VALUE is missing", open.name)))?;
            match open.bound.filter(|bound| value > *bound) {
                Some(bound) => Err(Failure::input(format!("--bind {}={value}: at most {bound} is allowed", open.name))),
                None => Ok((open.name.clone(), value)),
            }
        });
        let extents = extents.collect::<Result<Vec<_>, _>>()?;
        let workspace_bytes =
            library.workspace(extents.iter().map(|(_, value)| *value).collect()).map_err(Failure::input)?;
        Ok(Needs { extents, workspace_bytes, peak_bytes: metadata.used_workspace(workspace_bytes) })
    }
}

/// Bytes of all variables as the model takes them; those whose shapes are open count nothing.
fn variable_bytes(metadata: &Metadata) -> usize {
    metadata.variables.iter().filter_map(|info| Some(info.size(&info.shape()?))).sum()
}

fn to_json(metadata: &Metadata, needs: Option<&Needs>) -> Result<Json, Failure> {
    let mut told = serde_json::to_value(metadata).map_err(Failure::input)?;
    told["variable_bytes"] = json!(variable_bytes(metadata));
    if let Some(needs) = needs {
        let extents: serde_json::Map<_, _> =
            needs.extents.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        told["needs"] =
            json!({ "extents": extents, "workspace_bytes": needs.workspace_bytes, "peak_bytes": needs.peak_bytes });
    }
    Ok(told)
}

fn text(metadata: &Metadata, is_whole: bool, needs: Option<&Needs>) -> String {
    let mut text = format!("graph {}\n", metadata.graph);
    let lists = [
        ("inputs", &metadata.inputs),
        ("outputs", &metadata.outputs),
        ("variables", &metadata.variables),
        ("states", &metadata.states),
    ];
    for (role, infos) in lists.into_iter().filter(|(_, infos)| !infos.is_empty()) {
        let _ = writeln!(text, "{role}");
        for info in infos {
            let _ = writeln!(text, "  {}", declaration(info, metadata));
        }
    }
    if !metadata.extents.is_empty() {
        text += "extents\n";
    }
    for open in &metadata.extents {
        let bound = open.bound.filter(|bound| *bound < OPEN_BOUND);
        let bound = bound.map_or("without a bound".to_owned(), |bound| format!("at most {bound}"));
        let input = metadata.inputs.get(open.input).map_or("?", |info| info.name.as_str());
        let _ = writeln!(text, "  {}: {bound}, told by dimension {} of {input}", open.name, open.dimension);
    }
    text += "memory\n";
    memory(&mut text, metadata, is_whole, needs);
    target(&mut text, metadata);
    text
}

/// What the code is for, and which release made it.
fn target(text: &mut String, metadata: &Metadata) {
    let Metadata { target, cpu, features, versions, abi, release, .. } = metadata;
    let features = if features.is_empty() { "nothing in particular".to_owned() } else { features.join(", ") };
    let _ = writeln!(text, "target\n  {target}, {cpu}; needs {features}; interface {abi}, release {release}");
    if !versions.is_empty() {
        let versions: Vec<&str> = versions.iter().map(|version| version.cpu.as_str()).collect();
        let _ = writeln!(text, "  versions of the code: {}", versions.join(", "));
    }
}

fn memory(text: &mut String, metadata: &Metadata, is_whole: bool, needs: Option<&Needs>) {
    let within = if is_whole { ", within the artifact" } else { "" };
    let _ = writeln!(text, "  variables: {} bytes{within}", variable_bytes(metadata));
    let _ = writeln!(text, "  prepared: {} bytes", metadata.prepared_bytes);
    if let Some(bytes) = metadata.vtcm_bytes {
        let _ = writeln!(text, "  VTCM: {bytes} bytes");
    }
    match needs {
        Some(needs) => {
            let extents: Vec<String> = needs.extents.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let (at, workspace, peak) = (extents.join(", "), needs.workspace_bytes, needs.peak_bytes);
            let _ = writeln!(text, "  workspace: {workspace} bytes for {at}\n  peak: {peak} bytes for {at}");
        }
        None => {
            let open = if metadata.extents.is_empty() { "" } else { ", and what follows from extents: --bind" };
            let _ = writeln!(text, "  workspace: {} bytes{open}", metadata.workspace_bytes);
            let _ = writeln!(text, "  peak: {} bytes{open}", metadata.peak_bytes);
        }
    }
}

/// A tensor as the language writes it.
fn declaration(info: &TensorInfo, metadata: &Metadata) -> String {
    let extents: Vec<String> = info.extents.iter().map(|extent| shown(extent, metadata)).collect();
    let pack = if info.is_pack { "[..]" } else { "" };
    let label = if info.label.is_empty() { String::new() } else { format!(", `{}` in the model", info.label) };
    let values = info.values.map(|values| format!(", {values}")).unwrap_or_default();
    format!("{}: {}{pack}[{}]{}{values}{label}", info.name, info.element_type, extents.join(", "), info.form())
}

/// An extent; without its bound where that is none, or follows from such.
fn shown(extent: &Extent, metadata: &Metadata) -> String {
    let is_open = |name: &str| metadata.extents.iter().any(|open| open.name == name && open.bound >= Some(OPEN_BOUND));
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_open);
    match extent {
        Extent::Open { expression, bound }
            if words(expression) || bound.is_some_and(|bound| bound as i64 >= OPEN_BOUND) =>
        {
            expression.clone()
        }
        extent => extent.to_string(),
    }
}

/// Writes zeros for variables, none of which may have a file there.
fn write_template(folder: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let Metadata { graph, variables, .. } = metadata;
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let file = |info: &TensorInfo| folder.join(format!("{}.dat", info.name));
    // A variable may have its file under several names; and where a link leads, nothing is written.
    let there = |info: &TensorInfo| {
        let link = Some(file(info)).filter(|file| file.symlink_metadata().is_ok());
        link.or_else(|| files::fitting(folder, &files::names(&info.name, Some(graph))).into_iter().next())
    };
    if let Some(there) = variables.iter().find_map(there) {
        return Err(Failure::input(format!("--template: {} is there already", there.display())));
    }
    let shape = |info: &TensorInfo| {
        let shape = info.shape().filter(|shape| volume(shape).is_some_and(|count| count <= MAX_ELEMENTS));
        shape.ok_or_else(|| {
            let declared = declaration(info, metadata);
            Failure::input(format!("--template: {declared} has no shape that is known: --bind says what extents are"))
        })
    };
    let shapes = variables.iter().map(shape).collect::<Result<Vec<_>, _>>()?;
    let zeros = variables.iter().zip(shapes);
    zeros.into_iter().try_for_each(|(info, shape)| write_dat(&file(info), &info.zeros(shape)).map_err(Failure::input))
}
