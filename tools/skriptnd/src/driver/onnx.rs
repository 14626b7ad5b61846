//! Models of ONNX: `skriptnd import`, and what all commands make of an .onnx file in the place of a model.

use super::import_options::ImportOptions;
use super::output::{check_folder, json_name, print_json, print_line};
use crate::failure::Failure;
use clap::Args;
use serde_json::json;
use skriptnd_onnx::Imported;
use skriptnd_onnx::translate::names::spelled;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The ONNX model
    pub model: PathBuf,
    #[command(flatten)]
    import: ImportOptions,
    /// The folder for `main.sknd` and the weights
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Print one JSON object about the interface
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  skriptnd import resnet.onnx -o resnet
  skriptnd import detector.onnx -o detector --bound batch=8 --bound height=1024
  skriptnd import vad.onnx -o vad --value sr=16000

All other commands take an .onnx file in the place of MODEL, with the same options.";

/// Writes a model as SkriptND.
pub fn run(options: &Options) -> Result<(), Failure> {
    check_folder("-o", &options.output)?;
    let imported = options.import.import(&options.model)?;
    write(&imported, &options.output)?;
    if options.json {
        print_json(&json!({
            "output": json_name(&options.output)?,
            "inputs": imported.inputs,
            "outputs": imported.outputs,
            "variables": imported.weights.len(),
            "warnings": imported.warnings,
        }));
    } else {
        print_line(options.output.join("main.sknd").display());
    }
    Ok(())
}

/// Writes an imported model to a folder.
pub fn write(imported: &Imported, folder: &Path) -> Result<(), Failure> {
    imported.write(folder).map_err(|error| Failure::file(folder, &error))
}

/// What files call outputs that the text has to call otherwise, as those are that are inputs, too.
pub fn names_of_outputs(imported: &Imported) -> HashMap<String, String> {
    let mut taken: HashSet<String> = imported.outputs.iter().map(|port| port.name.clone()).collect();
    let tensors = imported.outputs.iter().filter(|port| port.item.is_none());
    let renamed = tensors.map(|port| (port.name.clone(), spelled(&port.onnx)));
    renamed.filter(|(_, name)| taken.insert(name.clone())).collect()
}

/// Whether a path is that of an ONNX model.
pub fn is_onnx(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|ending| ending == "onnx")
}
