//! A node of an ONNX model as a model of its own, beside an archive of what it is given and shall give.

use super::Options;
use super::dump::Dump;
use super::ran::{Ran, departs};
use crate::driver::graph_options::GraphOptions;
use crate::driver::output;
use crate::driver::run_options::Options as RunOptions;
use crate::driver::variables::VariableOptions;
use crate::failure::{Failure, print_message};
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::element::ElementType;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::{Cut, NodeResult, Operand, Port, cut};
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::{Tensor, encode_npy};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The files' names.
const MODEL: &str = "node.onnx";
const TENSORS: &str = "node.npz";

/// Leaves the node of a result in a folder, and says how it is compared; none where it can't stand alone.
pub fn leave(
    options: &Options,
    folder: &Path,
    dump: &Dump,
    (ran, result): (&Ran, &NodeResult),
) -> Result<Option<PathBuf>, Failure> {
    let file = ModelFile::open(&options.run.model).map_err(Failure::input)?;
    let weights = options.run.graph.import.open_weights()?.map(|weights| weights.constants()).transpose()?;
    let told = |name: &str| told(options, dump, ran, name);
    let Cut { model, inputs, outputs } = match cut(&file, result.node, weights.as_ref(), &told) {
        Ok(cut) => cut,
        Err(reason) => {
            print_message(format_args!("note: no model of the node alone: {reason}\n"));
            return Ok(None);
        }
    };
    let names = inputs.iter().chain(&outputs);
    let tensors = names.filter_map(|name| Some((name.as_str(), tensor(dump, ran, port(ran, name)?)?)));
    let archive = archive(tensors).map_err(|error| Failure::input(format!("{TENSORS}: {error}")))?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let (model_file, tensors_file) = (folder.join(MODEL), folder.join(TENSORS));
    output::write(&model_file, Mode::Plain, model)?;
    output::write(&tensors_file, Mode::Plain, archive)?;
    let verdict = match departs(&alone(&options.run, &model_file), &Dump::open(&tensors_file)?, options.tolerance)? {
        true => "it departs alone, too",
        false => "alone, it agrees: what it is computed with matters",
    };
    let backend = options.run.backend.option();
    let (shown, tensors, tolerance) = (model_file.display(), tensors_file.display(), options.tolerance);
    print_message(format_args!(
        "note: {verdict}; `skriptnd compare {shown} --against {tensors}{backend} --tolerance={tolerance:e}`\n"
    ));
    Ok(Some(model_file))
}

/// To run the node as the model was run.
fn alone(like: &RunOptions, model: &Path) -> RunOptions {
    let mut options = like.clone();
    options.model = model.to_owned();
    options.graph = GraphOptions::default();
    options.graph.import.is_quiet = true;
    options.inputs = Vec::new();
    options.variables = VariableOptions::default();
    options
}

/// The input or result of a name.
fn port<'r>(ran: &'r Ran, name: &str) -> Option<&'r Port> {
    let results = ran.imported.results.iter().map(|result| &result.port);
    ran.imported.inputs.iter().chain(results).find(|port| port.onnx == name && port.item.is_none())
}

/// What the dump has of a tensor, or else what was computed.
fn tensor(dump: &Dump, ran: &Ran, port: &Port) -> Option<Tensor> {
    let dumped = dump.tensor(&[&port.tensor()]).ok().flatten();
    dumped.or_else(|| ran.tensor(port).map(|tensor| (**tensor).clone()))
}

/// What is known of a tensor of the model.
fn told(options: &Options, dump: &Dump, ran: &Ran, name: &str) -> Option<Operand> {
    if let Some(value) = options.run.graph.import.value(name) {
        return Some(Operand { value: value.clone(), is_known: true });
    }
    let port = port(ran, name)?;
    let is_known = ran.imported.results.iter().any(|result| result.port == *port && result.is_known);
    let element = ElementType::named(port.element)?;
    let value = Constant::of_tensor(&tensor(dump, ran, port)?).converted(element).ok()?;
    Some(Operand { value, is_known })
}

/// A .npz archive, not compressed.
fn archive<'n>(tensors: impl Iterator<Item = (&'n str, Tensor)>) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, tensor) in tensors {
        let bytes = encode_npy(&tensor);
        let is_large = u32::try_from(bytes.len()).is_err();
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(is_large);
        writer.start_file(format!("{name}.npy"), options)?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
