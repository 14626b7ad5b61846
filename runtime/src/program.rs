//! Executables of one model: what `skriptnd compile --emit exe` links the model with.

mod options;
mod shared;
mod variables;

use crate::error::ModelError;
use crate::file::{TensorFile, write_npy};
use crate::library::Library;
use crate::metadata::{Metadata, TensorInfo};
use crate::model::Model;
use crate::pack;
use crate::pool::Threads;
use crate::session::Session;
use crate::storage::Storage;
use crate::stored::Stored;
use crate::tensor::{ElementType, Tensor};
use crate::variable::files;
use crate::variable::note::Note;
use crate::view::View;
use options::{Options, parsed};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use variables::variables;

/// Why a program ends.
enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// A file or the run is.
    Input(String),
    /// That has been said; with the exit code.
    Said(u8),
}

impl Failure {
    /// Says why the program of this name ends; gives the exit code.
    fn say(self, name: &str) -> u8 {
        match &self {
            Failure::Usage(text) => eprintln!("{name}: error: {text}\n\n`{name} --help` says what can be given."),
            Failure::Input(text) => eprintln!("{text}"),
            Failure::Said(_) => {}
        }
        self.code()
    }

    /// The exit code.
    fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Input(_) => 1,
            Failure::Said(code) => *code,
        }
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        match error {
            // It begins with its place and says `error` itself.
            ModelError::Failed(failed) => Failure::Input(failed.to_string()),
            ModelError::Several(errors) => {
                Failure::Input(errors.iter().map(|error| format!("error: {error}")).collect::<Vec<_>>().join("\n"))
            }
            other => Failure::Input(format!("error: {other}")),
        }
    }
}

/// Runs a model on the tensors that a command line names; gives the exit code: 0 done, 1 the input is wrong, 2 wrong usage.
/// `note` is JSON that says where the files of variables were when the model was compiled.
pub fn main(library: Library, arguments: impl Iterator<Item = OsString>, note: &str) -> u8 {
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let name = arguments.next().unwrap_or_else(|| "model".into());
    match done(library, parsed(arguments), &name, &Note::of_text(note)) {
        Ok(text) => {
            print!("{text}");
            0
        }
        Err(failure) => failure.say(&name),
    }
}

/// A session with what it is to be run on.
type Ready = (Session, Vec<Tensor>);

/// Does what a command line says; gives what is printed.
fn done(library: Library, options: Result<Options, Failure>, name: &str, note: &Note) -> Result<String, Failure> {
    let is_shared = library.metadata().shard.is_some();
    match options {
        Ok(Options { help: true, .. }) if is_shared && !shared::is_first() => Ok(String::new()),
        Ok(Options { help: true, .. }) => Ok(help(name, library.metadata())),
        options if is_shared => shared::run(library, options, name, note),
        options => run(library, &options?, note),
    }
}

fn run(library: Library, options: &Options, note: &Note) -> Result<String, Failure> {
    let (mut session, inputs) = ready(library, options, note)?;
    let outputs = session.run(&inputs)?;
    finish(&session, outputs, options)
}

/// Reads what a run needs.
fn ready(library: Library, options: &Options, note: &Note) -> Result<Ready, Failure> {
    let metadata = library.metadata().clone();
    let inputs = inputs(&metadata, options)?;
    let library = Arc::new(library);
    let variables = variables(&library, options, note)?;
    let mut session = Model::new(library, variables)?.session()?;
    session.set_threads(Threads::count(options.threads));
    if let Some(folder) = &options.load_state {
        session.load_states(folder)?;
    }
    if let Some(seed) = options.seed {
        if !metadata.takes_seed {
            eprintln!("warning: --seed: nothing is drawn that the model has no seed for");
        }
        session.set_seed(seed);
    }
    Ok((session, inputs))
}

/// Writes what a run has computed; gives what is printed.
fn finish(session: &Session, outputs: Vec<Tensor>, options: &Options) -> Result<String, Failure> {
    let outputs = named(session.model().metadata(), outputs);
    let text = match &options.output_dir {
        Some(folder) => write(folder, &outputs, options)?,
        None => outputs.iter().map(|(name, output, _)| format!("{}\n", output.summary(name))).collect(),
    };
    if let Some(folder) = &options.save_state {
        session.save_states(folder)?;
    }
    Ok(text)
}

/// Writes outputs to a folder; tells the files. None takes the place of a file that was read.
fn write(folder: &Path, outputs: &[(String, Tensor, Storage)], options: &Options) -> Result<String, Failure> {
    let failed = |error: String| Failure::Input(format!("error: {error}"));
    if folder.exists() {
        files::check_folder(folder)?;
    }
    std::fs::create_dir_all(folder).map_err(|error| failed(format!("{}: {error}", folder.display())))?;
    let whole = |file: &Path| file.canonicalize().ok();
    let inputs =
        options.inputs.iter().flat_map(|input| [Some(input.as_str()), input.split_once('=').map(|pair| pair.1)]);
    let files = inputs.flatten().flat_map(|files| files.split(',').chain([files])).map(Path::new);
    let read: Vec<PathBuf> =
        files.chain(options.variables.iter().map(|(_, file)| file.as_path())).filter_map(whole).collect();
    let files: Vec<PathBuf> = outputs.iter().map(|(name, ..)| folder.join(format!("{name}.npy"))).collect();
    if let Some(file) = files.iter().find(|file| whole(file).is_some_and(|file| read.contains(&file))) {
        let text = "is read by this run, and would be overwritten; give another folder for the outputs";
        return Err(Failure::Usage(format!("{}: {text}", file.display())));
    }
    for (file, (_, output, storage)) in files.iter().zip(outputs) {
        let stored = Stored::of(*storage, &View::from(output)).map_err(failed)?;
        write_npy(file, stored.view()).map_err(|error| failed(error.to_string()))?;
    }
    Ok(files.iter().map(|file| format!("{}\n", file.display())).collect())
}

/// The outputs with their forms; items of packs have their number behind the name.
fn named(metadata: &Metadata, outputs: Vec<Tensor>) -> Vec<(String, Tensor, Storage)> {
    let mut all = Vec::new();
    for (info, output) in metadata.outputs.iter().zip(outputs) {
        if info.is_pack {
            let items = info.items(output).into_iter().enumerate();
            all.extend(items.map(|(number, item)| (format!("{}.{number}", info.name), item, info.storage)));
        } else {
            all.push((info.name.clone(), output, info.storage));
        }
    }
    all
}

/// The input that an item of a pack belongs to: `xs` of `xs.1`.
fn port(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((port, item)) if item.bytes().all(|byte| byte.is_ascii_digit()) => port,
        _ => name,
    }
}

/// An input as the command line gives it.
struct Port<'m> {
    name: &'m str,
    /// How many tensors it takes.
    count: usize,
    /// Whether it takes as many as there are, as one tensor.
    is_pack: bool,
    /// The first of them.
    info: &'m TensorInfo,
}

impl Port<'_> {
    /// The tensors as the model takes them; one that is none is a pack without items.
    fn tensors(&self, files: &str) -> Result<Vec<Option<Tensor>>, Failure> {
        let is_file = Path::new(files).exists();
        let files: Vec<&str> = match (self.count == 1 && is_file, self.is_pack && files.is_empty()) {
            (true, _) => vec![files],
            (_, true) => return Ok(vec![None]),
            _ => files.split(',').collect(),
        };
        if files.iter().any(|file| file.is_empty()) {
            return Err(Failure::Usage(format!("input `{}`: the name of a file is missing", self.name)));
        }
        let failed = |error: String| Failure::Input(format!("error: {error}"));
        let (name, found) = (self.name, files.len());
        let read = |file: &str| {
            let TensorInfo { element_type, storage, .. } = self.info;
            let tensor = TensorFile::open(Path::new(file)).and_then(|file| file.read_as(*element_type, *storage));
            tensor.map_err(|error| {
                let help = error.help().map(|help| format!("\n  = help: {help}")).unwrap_or_default();
                failed(format!("input `{name}`: {error}{help}"))
            })
        };
        if self.is_pack {
            let items = files.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let whole = pack::stacked(&items, || Tensor::zeros(ElementType::F32, vec![0]));
            return Ok(vec![Some(whole.map_err(|reason| failed(format!("input `{name}`: {reason}")))?)]);
        }
        if found != self.count {
            let count = self.count;
            return Err(Failure::Usage(format!("input `{name}` takes {count} files; the number given is {found}")));
        }
        files.into_iter().map(|file| read(file).map(Some)).collect()
    }
}

/// The inputs with their tensors put together.
fn ports(metadata: &Metadata) -> Vec<Port<'_>> {
    let mut ports: Vec<Port<'_>> = Vec::new();
    for info in &metadata.inputs {
        let name = port(&info.name);
        match ports.last_mut().filter(|port| port.name == name) {
            Some(port) => port.count += 1,
            None => ports.push(Port { name, count: 1, is_pack: info.is_pack, info }),
        }
    }
    ports
}

/// The tensors of the inputs, from `[NAME=]FILE[,FILE...]`; those without a name stand for the inputs without a value, in order.
fn inputs(metadata: &Metadata, options: &Options) -> Result<Vec<Tensor>, Failure> {
    let ports = ports(metadata);
    let mut given: Vec<Option<&str>> = vec![None; ports.len()];
    let is_named =
        |text: &str| text.split_once('=').and_then(|(name, _)| ports.iter().position(|port| port.name == name));
    let (named, unnamed): (Vec<&String>, Vec<&String>) =
        options.inputs.iter().partition(|text| is_named(text).is_some());
    for text in named {
        let (Some(at), Some((name, files))) = (is_named(text), text.split_once('=')) else { continue };
        if given[at].replace(files).is_some() {
            return Err(Failure::Usage(format!("input `{name}` is given twice")));
        }
    }
    for text in unnamed {
        if let Some(name) = unknown(text) {
            let names = ports.iter().map(|port| port.name).collect::<Vec<_>>().join(", ");
            let inputs =
                if ports.is_empty() { "the model has none".into() } else { format!("its inputs are: {names}") };
            return Err(Failure::Usage(format!("--input {text}: there is no input `{name}`; {inputs}")));
        }
        let free = given.iter_mut().find(|given| given.is_none());
        *free.ok_or_else(|| Failure::Usage(format!("--input {text}: there are only {} inputs", ports.len())))? =
            Some(text);
    }
    let mut tensors = Vec::new();
    for (port, files) in ports.into_iter().zip(given) {
        let missing = || Failure::Usage(format!("no value is given for input `{}`", port.name));
        tensors.extend(port.tensors(files.ok_or_else(missing)?)?);
    }
    let whole = |(number, tensor): (usize, &Option<Tensor>)| {
        tensor.clone().unwrap_or_else(|| metadata.no_items(number, &tensors))
    };
    Ok(tensors.iter().enumerate().map(whole).collect())
}

/// The name of an input that there is not, where a text without a known one can't be the name of a file.
fn unknown(text: &str) -> Option<&str> {
    let (name, _) = text.split_once('=')?;
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_identifier && !Path::new(text).exists()).then_some(name)
}

fn help(name: &str, metadata: &Metadata) -> String {
    let mut text = format!(
        "Runs the compiled graph {}.

Usage: {name} [OPTIONS] --input [NAME=]FILE[,FILE...]

Options:
  --input [NAME=]FILE[,FILE...]  A .npy or .dat file for an input, in order where unnamed; commas make a tensor pack
  --variable NAME=FILE           A file for a variable
  --variables DIR                Take the variables from a folder, NAME.dat or NAME.npy, not from where they were when the
                                 model was compiled
  --load-state DIR               Begin with the variables that --save-state wrote
  --save-state DIR               Write the variables that the run changes
  --threads N                    Let so many threads share the work; without it, as many as the processor has
  --seed N                       Draw random numbers from this where the model has no seed for them
  --output-dir DIR               Write the outputs to DIR/NAME.npy; without it, their beginnings are printed
  -h, --help                     Print this

Exit codes: 0 done, 1 the input is wrong, 2 wrong usage.
",
        metadata.graph
    );
    text.extend(metadata.shard.as_ref().map(shared::help));
    let lists = [("Inputs", &metadata.inputs), ("Variables", &metadata.variables), ("Outputs", &metadata.outputs)];
    for (title, infos) in lists.into_iter().filter(|(_, infos)| !infos.is_empty()) {
        let _ = write!(text, "\n{title}:\n");
        for info in infos {
            let extents: Vec<String> = info.extents.iter().map(ToString::to_string).collect();
            let (name, extents) = (metadata.short_name(&info.name), extents.join(", "));
            let _ = writeln!(text, "  {name}: {}[{extents}]{}", info.element_type, info.form());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Result<Options, String> {
        parsed(text.split_whitespace().map(str::to_owned)).map_err(|failure| match failure {
            Failure::Usage(text) | Failure::Input(text) => text,
            Failure::Said(_) => String::new(),
        })
    }

    #[test]
    fn command_lines_are_read() {
        let found = options("--input x=a.npy --input=b.npy --variable w=c.npy --output-dir out").unwrap();
        assert_eq!(found.inputs, ["x=a.npy", "b.npy"]);
        assert_eq!(found.variables, [("w".into(), "c.npy".into())]);
        assert_eq!(found.output_dir, Some("out".into()));
        assert_eq!(options("--inputs x"), Err("there is no option --inputs".into()));
        assert_eq!(options("--input"), Err("--input wants a value".into()));
        assert_eq!(options("--variable w"), Err("--variable wants NAME=FILE".into()));
    }

    #[test]
    fn inputs_that_there_are_not_are_named() {
        let tensor = |name: &str| format!(r#"{{"name":"{name}","type":"real","storage":"f32","shape":[3]}}"#);
        let metadata = |inputs: &[&str]| {
            let inputs = inputs.iter().map(|name| tensor(name)).collect::<Vec<_>>().join(",");
            let rest = r#""variables":[],"outputs":[],"states":[],"extents":[],"takes_seed":false,"faults":[]"#;
            let sizes = r#""prepared_bytes":0,"workspace_bytes":0,"peak_bytes":0"#;
            let text = format!(
                r#"{{"abi":8,"graph":"G","target":"","cpu":"generic","features":[],"inputs":[{inputs}],{rest},{sizes}}}"#
            );
            Metadata::parse(text.as_bytes()).unwrap()
        };
        let said = |names: &[&str], text: &str| match inputs(&metadata(names), &options(text).unwrap()) {
            Err(Failure::Usage(text) | Failure::Input(text)) => text,
            Err(Failure::Said(_)) | Ok(_) => String::new(),
        };
        let unknown = "--input z=/nowhere/a.npy: there is no input `z`; ";
        assert_eq!(said(&["x", "y"], "--input z=/nowhere/a.npy"), format!("{unknown}its inputs are: x, y"));
        assert_eq!(said(&[], "--input z=/nowhere/a.npy"), format!("{unknown}the model has none"));
        assert_eq!(said(&["xs.0", "xs.1"], "--input z=/nowhere/a.npy"), format!("{unknown}its inputs are: xs"));
        for text in ["--input x=/nowhere/a.npy", "--input /nowhere/a.npy", "--input /nowhere/b=a.npy"] {
            let said = said(&["x"], text);
            assert!(said.starts_with("error: input `x`: /nowhere/"), "{said}");
            assert!(said.ends_with("help: there is no folder /nowhere"), "{said}");
        }
    }

    #[test]
    fn items_of_packs_belong_to_an_input() {
        assert_eq!(["xs.1", "x", "a.b"].map(port), ["xs", "x", "a.b"]);
    }
}
