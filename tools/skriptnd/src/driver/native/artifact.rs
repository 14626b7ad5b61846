//! Compiled models on disk: a shared library, and beside it a note of where the variables' files are.

use super::note::{stems_note, variables_note};
use super::values::{Values, Wanted};
use super::{fault, session};
use crate::driver::backend::Backend;
use crate::driver::compile_options;
use crate::driver::extents::Extents;
use crate::driver::finished::Finished;
use crate::driver::graph_options::GraphOptions;
use crate::driver::inputs::{Given, InputPort, possible_shape, random_tensor, read_inputs};
use crate::driver::kept::keep;
use crate::driver::model::{Composed, Model};
use crate::driver::output::{OutputFile, Results, check_place};
use crate::driver::run_options::Options;
use crate::failure::Failure;
use skriptnd_codegen::link::Contents;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::metadata::{self, Metadata, TensorInfo};
use skriptnd_runtime::variable::note::Note;
use skriptnd_runtime::{ElementType, ModelError, Session, Storage, Tensor, pack};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The runtime as programs link it.
const LIBRARY: &str = "libskriptnd.a";

/// Writes a library and its note, or neither.
pub fn write(library: &Path, code: Vec<u8>, model: &Model, composed: &Composed) -> Result<(), Failure> {
    let code = OutputFile::prepare(library, Mode::Executable, code)?;
    // A device or a pipe takes the library; there is no place beside it.
    if std::fs::metadata(library).is_ok_and(|found| !found.is_file()) {
        return code.finish();
    }
    // Weights are written on the way, but not where the rest can't be.
    check_place(&Note::place(library))?;
    let text = variables_note(library, model, composed)?;
    let note = OutputFile::prepare(&Note::place(library), Mode::Plain, text)?;
    code.finish()?;
    note.finish()
}

/// Makes a program of an object, which has the weights itself or knows where their files are.
pub fn program(
    object: &[u8],
    model: &Model,
    composed: &Composed,
    options: &compile_options::Options,
) -> Result<Vec<u8>, Failure> {
    let beside = std::env::current_exe().map_err(Failure::input)?;
    let folder = beside.parent().unwrap_or(Path::new(""));
    let mut places = [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)].into_iter();
    let library = places.find(|file| file.is_file()).ok_or_else(|| {
        let folder = folder.display();
        Failure::input(format!("{folder}: no {LIBRARY} to link the program with; `cargo xtask build` puts it there"))
    })?;
    let note = match options.embed_weights {
        true => stems_note(&options.output, composed),
        false => variables_note(&options.output, model, composed)?,
    };
    let has = Contents { weights: options.embed_weights, group: options.shard.is_some() };
    skriptnd_codegen::link::program(object, &library, &note, has).map_err(Failure::input)
}

/// Runs a compiled model on this machine.
pub fn run_here(options: &Options, wanted: Wanted<'_>) -> Result<Finished, Failure> {
    let started = Instant::now();
    check_options(options.backend, &options.graph)?;
    let (mut session, values) = opened(wanted)?;
    session.set_threads(options.threads.of_session());
    options.seed.into_iter().for_each(|seed| session.set_seed(seed));
    let (inputs, files) = inputs(session.model().metadata(), wanted)?;
    let compile = started.elapsed();
    let started = Instant::now();
    let results = session.run(&inputs).map_err(|error| with_file(error, &files))?;
    let run = started.elapsed();
    let metadata = session.model().metadata();
    let outputs = grouped(&metadata.outputs, results);
    let states = session.states().map(|(_, value)| value);
    let variables = after(options, metadata, &values, states)?;
    let (peak_bytes, draws) = (session.peak_bytes(), metadata.takes_seed);
    let stored = forms(&metadata.outputs);
    Ok(Finished { outputs, stored, variables, compile, run, peak_bytes, draws })
}

/// The variables behind a run: those that it changed, and the others if they are to be saved.
pub fn after(
    options: &Options,
    metadata: &Metadata,
    values: &Values,
    states: impl Iterator<Item = Tensor>,
) -> Result<Results, Failure> {
    let names = metadata.states.iter().map(|info| values.short_name(&info.name));
    let mut variables: Results =
        names.zip(states).map(|(name, value)| (name, Argument::Single(Arc::new(value)))).collect();
    if options.save_state.is_some() {
        let is_kept = |info: &&TensorInfo| !metadata.states.iter().any(|state| state.name == info.name);
        for (number, info) in metadata.variables.iter().enumerate().filter(|(_, info)| is_kept(info)) {
            let value = values.value(number, info)?.to_tensor(info).map_err(Failure::input)?;
            variables.push((values.short_name(&info.name), Argument::Single(Arc::new(value))));
        }
    }
    Ok(variables)
}

/// The interface of a program for Hexagon, where a compiled model is one.
pub fn of_hexagon(file: &Path) -> Result<Option<Metadata>, Failure> {
    // What can't be read or is something else is said where it is loaded.
    let Some(found) = std::fs::read(file).ok().and_then(|bytes| Metadata::of_hexagon(&bytes)) else { return Ok(None) };
    [file, &Note::place(file)].into_iter().for_each(|file| keep(file, "a file of the compiled model"));
    found.map(Some).map_err(|message| Failure::input(format!("{}: {message}", file.display())))
}

/// A session of a compiled model, with where the values of its variables are from.
pub fn opened(wanted: Wanted<'_>) -> Result<(Session, Values<'_>), Failure> {
    [wanted.file, &Note::place(wanted.file)].into_iter().for_each(|file| keep(file, "a file of the compiled model"));
    let library = Arc::new(session::load(wanted.file)?);
    let values = Values::new(wanted, library.clone())?;
    let session = session::with_variables(library, values.all()?)?;
    Ok((session, values))
}

/// What was decided when the model was compiled can't be chosen again.
pub fn check_options(backend: Backend, graph: &GraphOptions) -> Result<(), Failure> {
    if backend != Backend::Native {
        return Err(Failure::usage("a compiled model runs natively; give the model itself for other backends"));
    }
    check_fixed(graph)
}

/// Whether nothing is given that was decided when the model was compiled.
pub fn check_fixed(options: &GraphOptions) -> Result<(), Failure> {
    match options.first_given() {
        Some(option) => Err(Failure::usage(format!("{option}: a compiled model has this fixed; compile it again"))),
        None => Ok(()),
    }
}

/// Why a run ends; with the file of an input that does not fit.
pub fn with_file(error: ModelError, files: &[(String, OsString)]) -> Failure {
    let name = match &error {
        ModelError::Tensor { role: "input", name, .. }
        | ModelError::Type { role: "input", name, .. }
        | ModelError::Shape { role: "input", name, .. } => port(name).to_owned(),
        _ => return fault::failure_without_sources(error),
    };
    let file = files.iter().find(|(known, _)| *known == name);
    let failure = fault::failure_without_sources(error);
    match file {
        Some((_, file)) => failure.with_help(format!("its value is read from {}", file.to_string_lossy())),
        None => failure,
    }
}

/// Inputs one by one, and files by the names of inputs.
pub type Inputs = (Vec<Tensor>, Vec<(String, OsString)>);

/// The inputs one by one, and the files that they come from by name. Items of packs have their number behind the name, unless
/// only the run knows how many there are.
pub fn inputs(metadata: &Metadata, options: Wanted<'_>) -> Result<Inputs, Failure> {
    let mut packs: Vec<(&str, Vec<&TensorInfo>)> = Vec::new();
    for info in &metadata.inputs {
        match packs.last_mut().filter(|(name, _)| *name == port(&info.name)) {
            Some((_, items)) => items.push(info),
            None => packs.push((port(&info.name), vec![info])),
        }
    }
    let is_pack =
        |(name, items): &(&str, Vec<&TensorInfo>)| items.len() > 1 || items[0].name != *name || items[0].is_pack;
    let ports: Vec<_> = packs
        .iter()
        .map(|pack| InputPort {
            name: pack.0,
            label: &pack.1[0].label,
            is_pack: is_pack(pack),
            form: Some((pack.1[0].element_type, pack.1[0].storage)),
        })
        .collect();
    let Given { values, files } = read_inputs(&ports, "the compiled model", options.inputs)?;
    let is_missing = |(_, value): &(&InputPort, &Option<_>)| value.is_none() && options.random_inputs.is_none();
    let missing: Vec<_> = ports.iter().zip(&values).filter(is_missing).map(|(port, _)| port.name).collect();
    if !missing.is_empty() {
        return Err(no_value(&missing));
    }
    let files = ports.iter().zip(files).filter_map(|(port, file)| Some((port.name.to_owned(), file?))).collect();
    let extents = extents_of(&packs, &values);
    if options.random_inputs.is_some() {
        extents.tell_open();
    }
    let mut flat = Vec::new();
    for (number, ((name, items), given)) in packs.into_iter().zip(values).enumerate() {
        let seed = options.random_inputs.map(|seed| usize::from(seed) + 100 * number);
        match (given, items.as_slice()) {
            (Some(given), [info]) if info.is_pack => flat.push(pack_of(name, given.items())?),
            (given, items) => flat.extend(items_of(name, items, given, (seed, &extents))?.into_iter().map(Some)),
        }
    }
    let all = flat.iter().enumerate().map(|(number, given)| match given {
        Some(tensor) => tensor.clone(),
        None => metadata.no_items(number, &flat),
    });
    Ok((all.collect(), files))
}

fn no_value(missing: &[&str]) -> Failure {
    let (what, names) = (if missing.len() == 1 { "input" } else { "inputs" }, missing.join("`, `"));
    let failure = Failure::usage(format!("no value is given for {what} `{names}`"));
    failure.with_help(format!("give a file: --input {}=FILE, or any values: --random-inputs 1", missing[0]))
}

fn no_bound(name: &str, extent: &Extent) -> Failure {
    let failure = Failure::usage(format!("input `{name}`: extent {extent} is open and has no bound"));
    failure.with_help(format!("give a file: --input {name}=FILE"))
}

/// A pack of which only the run knows the length; none if it has no items.
fn pack_of(name: &str, items: &[Tensor]) -> Result<Option<Tensor>, Failure> {
    if items.is_empty() {
        return Ok(None);
    }
    let failed = |reason| Failure::input(format!("input `{name}` is a pack of tensors that differ: {reason}"));
    pack::stacked(items, || Tensor::zeros(ElementType::F32, vec![0])).map(Some).map_err(failed)
}

/// The extents that given inputs tell, and the largest of the others.
fn extents_of(packs: &[(&str, Vec<&TensorInfo>)], values: &[Option<Argument<Tensor>>]) -> Extents {
    let mut told = Vec::new();
    for ((_, infos), value) in packs.iter().zip(values) {
        let given = value.iter().flat_map(Argument::items).map(|tensor| tensor.shape.clone());
        match (value, infos.as_slice()) {
            (Some(value), [info]) if info.is_pack => {
                let mut length = declared(info);
                let item = length.split_off(length.len().min(1));
                told.push((length, vec![value.items().len()]));
                told.extend(given.map(|shape| (item.clone(), shape)));
            }
            _ => told.extend(infos.iter().map(|info| declared(info)).zip(given)),
        }
    }
    let all: Vec<_> = packs.iter().flat_map(|(_, infos)| infos).flat_map(|info| declared(info)).collect();
    let mut extents = Extents::told(&told);
    extents.settle(&all.iter().collect::<Vec<_>>());
    extents
}

/// The extents of an input as the model declares them.
fn declared(info: &TensorInfo) -> Vec<Extent> {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let declared = info.extents.iter().map(|extent| match extent {
        metadata::Extent::Known(known) => Extent::known(number(*known)),
        metadata::Extent::Open { expression, bound } => Extent {
            value: expression.parse().unwrap_or_else(|()| SymExpr::Symbol(expression.as_str().into())),
            bound: bound.map(number),
        },
    });
    declared.collect()
}

/// What is given for an input, or random values.
fn items_of(
    name: &str,
    items: &[&TensorInfo],
    given: Option<Argument<Tensor>>,
    (seed, extents): (Option<usize>, &Extents),
) -> Result<Vec<Tensor>, Failure> {
    let tensors = match given {
        None => {
            let seed = seed.ok_or_else(|| no_value(&[name]))?;
            let random = |(at, info): (usize, &&TensorInfo)| {
                let shape: Vec<_> = declared(info).iter().map(|extent| extents.decided(extent)).collect();
                let open = |extent: &Extent| no_bound(name, extent);
                random_tensor((info.element_type, info.storage), possible_shape(&shape, open)?, seed + at)
            };
            return items.iter().enumerate().map(random).collect();
        }
        Some(Argument::Null) => Vec::new(),
        Some(Argument::Single(tensor)) => vec![tensor],
        Some(Argument::Pack(tensors)) => tensors,
    };
    let (expected, found) = (items.len(), tensors.len());
    if expected == found {
        return Ok(tensors);
    }
    Err(Failure::input(format!("input `{name}` is a pack of {expected} tensors; the number given is {found}")))
}

/// `xs` of `xs.1`
fn port(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((port, item)) if item.bytes().all(|byte| byte.is_ascii_digit()) => port,
        _ => name,
    }
}

/// The forms of outputs by declared names.
pub fn forms(infos: &[TensorInfo]) -> Vec<Option<Storage>> {
    let mut infos: Vec<&TensorInfo> = infos.iter().collect();
    infos.dedup_by(|next, last| port(&next.name) != next.name && port(&next.name) == port(&last.name));
    infos.into_iter().map(|info| Some(info.storage)).collect()
}

/// Outputs by declared names, packs put together.
pub fn grouped(infos: &[TensorInfo], results: Vec<Tensor>) -> Results {
    let mut outputs = Results::new();
    for (info, tensor) in infos.iter().zip(results) {
        if info.is_pack {
            let items = info.items(tensor).into_iter().map(Arc::new).collect();
            outputs.push((info.name.clone(), Argument::Pack(items)));
            continue;
        }
        let (name, tensor) = (port(&info.name), Arc::new(tensor));
        match outputs.last_mut() {
            _ if name == info.name => outputs.push((name.to_string(), Argument::Single(tensor))),
            Some((last, Argument::Pack(items))) if last == name => items.push(tensor),
            _ => outputs.push((name.to_string(), Argument::Pack(vec![tensor]))),
        }
    }
    outputs
}
