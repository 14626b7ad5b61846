//! `skriptnd export`

use super::export_onnx::{self, Asked};
use super::graph_options::GraphOptions;
use super::kept;
use super::model::{Composed, Model};
use super::output::{OutputFile, check_place, finish_all, is_stream, json_name, print_json, print_line};
use super::variables::{self, VariableOptions};
use crate::failure::{Failure, print_message};
use clap::Args;
use serde_json::json;
use skriptnd_compiler::export::{Exported, Variable};
use skriptnd_compiler::tensors::stem;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::Origin;
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::encode_npy;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
    pub model: PathBuf,
    /// The file to write: SkriptND, with modules of the model and the files of its variables beside it, or ONNX with the weights
    #[arg(short, long, value_name = "OUT.sknd|OUT.onnx")]
    output: PathBuf,
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    variables: VariableOptions,
    /// Print one JSON object about what was written
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Writes one graph of operators that computes the same: attributes have their values, graphs and operators with variables are
put in place, and operators that the model defines stand with it. Files of variables are copied and named by what the text calls them.

In ONNX, operators that it has no operator for are functions of the model; what has no form there at all is told at once, and
nothing is written.

Examples:
  skriptnd export model -o plain/main.sknd
  skriptnd export model --graph Head --attr classes=10 -o head.sknd
  skriptnd export resnet.onnx -o resnet/main.sknd
  skriptnd export model -o model.onnx";

/// What storage is said by, beside a main module.
const STORAGE: &str = "storage.json";

/// Writes a model.
pub fn run(options: &Options) -> Result<(), Failure> {
    let output = &options.output;
    if output.extension().is_some_and(|ending| ending == "onnx") && !is_stream(output) {
        let Options { model, output, graph, variables, json } = options;
        return export_onnx::run(&Asked { model, output, graph, variables, json: *json });
    }
    if output.extension().is_none_or(|ending| ending != "sknd") || is_stream(output) {
        let shown = output.display();
        return Err(Failure::usage(format!(
            "-o {shown}: a model is written to a file whose name ends in .sknd or .onnx"
        )));
    }
    // A folder that is not there is made with the files.
    if output.parent().is_some_and(Path::is_dir) {
        check_place(output)?;
    }
    let model = Model::find(&options.model, &options.graph)?;
    let composed = model.compose(&options.graph)?;
    let exported = super::native::export(&composed, options.graph.is_quantized())?;
    let folder = output.parent().unwrap_or(Path::new(""));
    let mut files = vec![(output.clone(), exported.main.clone().into_bytes())];
    for (path, text) in &exported.modules {
        files.push((
            folder.join(path.split('.').collect::<PathBuf>()).with_extension("sknd"),
            text.clone().into_bytes(),
        ));
    }
    files.extend(storage(output, &exported));
    let weights = weights(&options.variables, (&model, &composed), &exported, folder)?;
    check_name(output, &composed, &exported)?;
    check_beside(output, &exported, &weights)?;
    let names: Vec<PathBuf> = files.iter().chain(&weights).map(|(file, _)| file.clone()).collect();
    // A model that is written beside itself keeps the files that it has.
    let weights = weights.into_iter().filter(|(file, content)| std::fs::read(file).ok().as_ref() != Some(content));
    write(files.into_iter().chain(weights).collect())?;
    if options.json {
        let names = names.iter().map(|file| json_name(file)).collect::<Result<Vec<_>, _>>()?;
        print_json(&json!({ "output": json_name(output)?, "graph": exported.graph, "files": names }));
    } else {
        names.iter().for_each(|file| print_line(file.display()));
    }
    Ok(())
}

/// All files, or none.
fn write(files: Vec<(PathBuf, Vec<u8>)>) -> Result<(), Failure> {
    let mut prepared = Vec::new();
    for (file, content) in files {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        kept::check(&file)?;
        prepared.push(OutputFile::prepare(&file, Mode::Plain, content)?);
    }
    finish_all(vec![prepared]).map(drop)
}

/// How tensors are stored, which a file beside a main module says; without one, options do.
fn storage(output: &Path, exported: &Exported) -> Option<(PathBuf, Vec<u8>)> {
    if exported.storage.is_empty() {
        return None;
    }
    if output.file_name().is_some_and(|name| name == "main.sknd") {
        let entries: serde_json::Map<_, _> =
            exported.storage.iter().map(|(name, form)| (name.clone(), json!(form))).collect();
        return Some((output.with_file_name(STORAGE), format!("{}\n", json!(entries)).into_bytes()));
    }
    let options: Vec<String> = exported.storage.iter().map(|(name, form)| format!("--storage {name}={form}")).collect();
    let text = format!("{} says nothing of how tensors are stored: {}", output.display(), options.join(" "));
    print_message(format_args!("skriptnd: warning: {text}\n"));
    None
}

/// The files of the variables, by the names that these have in the text; those that have none are named.
fn weights(
    given: &VariableOptions,
    (model, composed): (&Model, &Composed),
    exported: &Exported,
    folder: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let source = variables::Source::new(given, model, &composed.graph)?;
    let mut files = Vec::new();
    for Variable { name, label } in &exported.variables {
        let declared = composed.graph.variables.iter().map(|&id| composed.graph.tensor(id));
        let Some(declared) = declared.into_iter().find(|tensor| stem(tensor) == Some(label)) else { continue };
        let place = |ending: &str| folder.join(format!("main.{}.{name}.{ending}", exported.graph));
        if let Some(tensor) = source.weight(declared) {
            let tensor = tensor.and_then(|tensor| tensor.read()).map_err(Failure::input)?;
            files.push((place("npy"), encode_npy(&tensor)));
            continue;
        }
        let found = source.file(declared);
        if let Ok(None) = found {
            let Origin::Variable { file } = &declared.origin else { continue };
            files.push((place("npy"), encode_npy(&source.read(file, declared).map_err(Failure::input)?)));
            continue;
        }
        match found.ok().flatten().filter(|file| file.exists()) {
            Some(file) => {
                let ending = file.extension().map_or("dat".into(), |ending| ending.to_string_lossy().into_owned());
                let content = std::fs::read(&file).map_err(|error| Failure::file(&file, &error))?;
                files.push((place(&ending), content));
            }
            None => print_message(format_args!("skriptnd: warning: variable `{name}` has no file, and gets none\n")),
        }
    }
    Ok(files)
}

/// Refuses a text that modules would be mistaken for.
fn check_name(output: &Path, composed: &Composed, exported: &Exported) -> Result<(), Failure> {
    let name = output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if !composed.definitions.is_standard(&name) && !exported.modules.iter().any(|(path, _)| **path == *name) {
        return Ok(());
    }
    let failure = Failure::usage(format!("-o {}: `{name}` is a module that the model may import", output.display()));
    Err(failure.with_help("give the text another name, such as main.sknd"))
}

/// Refuses to write beside files of another model, which would be read as those of this one.
fn check_beside(output: &Path, exported: &Exported, weights: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    let is_main = output.file_name().is_some_and(|name| name == "main.sknd");
    let stored = (is_main && exported.storage.is_empty()).then(|| output.with_file_name(STORAGE));
    let named = exported.variables.iter().flat_map(|Variable { name, .. }| {
        ["npy", "dat"].map(|ending| output.with_file_name(format!("main.{}.{name}.{ending}", exported.graph)))
    });
    let is_foreign = |path: &PathBuf| path.exists() && !weights.iter().any(|(file, _)| file == path);
    match stored.into_iter().chain(named).find(is_foreign) {
        None => Ok(()),
        Some(path) => {
            let failure = Failure::input(format!("{}: would be read as a file of what is written", path.display()));
            Err(failure.with_help("remove it, or write to another folder"))
        }
    }
}
