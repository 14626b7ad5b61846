//! Where the values of variables come from: options, a saved state, the model's folder, or chance.

use super::inputs::{MAX_ELEMENTS, made_up, random_int, read_in_form, split_once};
use super::kept::keep;
use super::model::Model;
use super::numbers::number_from;
use super::once::only_once;
use super::weights::Weights;
use crate::failure::{Failure, print_message};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use skriptnd_interpret::Variables;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph;
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::variable::files;
use skriptnd_runtime::{ElementType, FileError, Storage, Tensor, TensorData, TensorFile, Values};
use skriptnd_source::diagnostics::nearest;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

#[derive(Debug, Clone, Default, Args)]
pub struct VariableOptions {
    /// A file for a variable in place of the model's own
    #[arg(long = "variable", value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(parse))]
    files: Vec<(String, PathBuf)>,
    /// Give the variables random values that follow from this number
    #[arg(long, value_name = "SEED", value_parser = number_from(0))]
    random_variables: Option<u64>,
    /// Take variables from a folder that --save-state wrote
    #[arg(long, value_name = "DIR")]
    load_state: Option<PathBuf>,
}

fn parse(text: OsString) -> Result<(String, PathBuf), String> {
    let parts = split_once(&text, b'=').and_then(|(name, file)| Some((name.to_str()?, file)));
    let (name, file) = parts.filter(|(name, _)| !name.is_empty()).ok_or("expected NAME=FILE")?;
    Ok((name.to_string(), file.into()))
}

/// What the file of a variable is to a command.
pub const FILE: &str = "the file of a variable";

/// Finds the values of a model's variables.
pub struct Source<'a> {
    options: &'a VariableOptions,
    folder: &'a Path,
    weights: Option<&'a Weights>,
    graph: String,
    /// By name, the variables that are taken in another form than they are computed with.
    stored: Vec<(String, Storage)>,
}

/// A variable that there is.
pub struct Known {
    /// All its names.
    pub names: Vec<String>,
    /// The one that is shown.
    pub shown: String,
    /// Whether runs change it.
    pub is_state: bool,
}

impl<'a> Source<'a> {
    /// Every variable that the options name must be one of the graph.
    pub fn new(options: &'a VariableOptions, model: &'a Model, graph: &graph::Graph) -> Result<Self, Failure> {
        let known = |&id: &graph::TensorId| {
            let (declared, is_state) = (graph.tensor(id), graph.updates.iter().any(|(variable, _)| *variable == id));
            Known { names: names(&graph.name, declared), shown: declared.name.clone(), is_state }
        };
        let known: Vec<Known> = graph.variables.iter().map(known).collect();
        let owner = format!("graph {}", graph.name);
        options.check_names(&owner, &known)?;
        check_weights(model.weights.as_deref(), &owner, &known)?;
        for variable in &known {
            // Its own files stay, also where others are given in their place.
            files::fitting(&model.folder, &variable.names).first().into_iter().for_each(|file| keep(file, FILE));
            options.warn_of_several(variable, None, &model.folder);
        }
        let stored = graph.storage.iter().map(|(id, storage)| (graph.tensor(*id).name.clone(), *storage)).collect();
        let weights = model.weights.as_deref();
        Ok(Source { options, folder: &model.folder, weights, graph: graph.name.clone(), stored })
    }

    /// Warns of values for variables that compiled code does not read.
    #[cfg(feature = "mlir")]
    pub fn warn_unread(&self, read: &[Vec<String>]) {
        self.options.warn_unread(read);
    }

    /// What a variable is computed with and how it may be stored, if that is another form.
    pub fn form(&self, declared: &graph::Tensor) -> Option<(ElementType, Storage)> {
        let stored = self.stored.iter().find(|(name, _)| *name == declared.name);
        stored.map(|(_, storage)| (declared.ty.dtype.element_type(), *storage))
    }

    /// Notes what is known of the numbers of variables, for code to rely on. Zeros alone are what a template has, and nothing to rely on.
    pub fn note_values(&self, graph: &mut graph::Graph) {
        let is_more = |values: &Values| (values.least, values.most) != (0, 0);
        graph.note_values(|declared, storage| self.values(declared, storage).filter(is_more));
    }

    /// The least and the greatest integer of a variable; what can't be read is told where its value is needed.
    fn values(&self, declared: &graph::Tensor, storage: Storage) -> Option<Values> {
        let Some(file) = self.open(declared).ok()? else {
            let graph::Origin::Variable { file } = &declared.origin else { return None };
            return Values::of(&(&self.read(file, declared).ok()?).into());
        };
        match file.view(storage).or_else(|| file.view(Storage::I64)) {
            Some(view) => Values::of(&view),
            None => Values::of(&(&read_in_form(&file, self.form(declared)).ok()?).into()),
        }
    }

    /// The file of a variable; none if its value is random.
    pub fn file(&self, declared: &graph::Tensor) -> Result<Option<PathBuf>, String> {
        self.options.find(&names(&self.graph, declared), None, self.folder)
    }

    /// The tensor of a variable, where it lies; none if its value is random.
    pub fn open(&self, declared: &graph::Tensor) -> Result<Option<TensorFile>, String> {
        self.options.open(&names(&self.graph, declared), self.weights, None, self.folder)
    }

    /// The tensor of a variable that is among the weights, and not given otherwise.
    pub fn weight(&self, declared: &graph::Tensor) -> Option<Result<TensorFile, FileError>> {
        self.options.weight(&names(&self.graph, declared), self.weights)
    }
}

impl VariableOptions {
    /// Whether the options name only variables that there are.
    pub fn check_names(&self, owner: &str, known: &[Known]) -> Result<(), Failure> {
        self.check_state(owner, known)?;
        only_once("--variable", self.files.iter().map(|(name, _)| name))?;
        self.files.iter().for_each(|(_, file)| keep(file, FILE));
        let is_known = |name: &String| known.iter().any(|variable| variable.names.contains(name));
        let Some((name, _)) = self.files.iter().find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let shown: Vec<_> = known.iter().map(|variable| variable.shown.as_str()).collect();
        let list = if shown.is_empty() { "none".to_string() } else { shown.join(", ") };
        let failure = Failure::usage(format!("{owner} has no variable `{name}`; it has: {list}"));
        Err(match nearest(name, known.iter().flat_map(|variable| variable.names.iter().map(String::as_str))) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure,
        })
    }

    /// Warns of values for variables that compiled code does not read; `read` has all names of those that it reads.
    #[cfg(feature = "mlir")]
    pub fn warn_unread(&self, read: &[Vec<String>]) {
        for (name, _) in self.files.iter().filter(|(name, _)| !read.iter().any(|names| names.contains(name))) {
            let text = "makes no difference: no output and no variable depends on it";
            print_message(format_args!("skriptnd: warning: --variable {name}: {text}\n"));
        }
    }

    /// Warns where a variable has several files that differ, once in a command.
    pub fn warn_of_several(&self, variable: &Known, noted: Option<&Path>, folder: &Path) {
        static SAID: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let found = self.fitting(&variable.names, noted, folder).unwrap_or_default();
        let others = files::differing(&found);
        let (Some(taken), false) = (found.first(), others.is_empty()) else { return };
        if SAID.lock().is_ok_and(|mut said| said.insert(taken.clone())) {
            let (name, text) = (&variable.shown, files::ambiguity(taken, &others));
            print_message(format_args!("skriptnd: warning: variable `{name}`: {text}; the first one is taken\n"));
        }
    }

    /// Whether a saved state is there, and has what runs change: a state of which one part is saved and another is the model's
    /// own never was.
    fn check_state(&self, owner: &str, known: &[Known]) -> Result<(), Failure> {
        let Some(folder) = &self.load_state else { return Ok(()) };
        let help = "--load-state takes the folder that --save-state wrote";
        let failed = |error| Failure::input(format!("{}: {error}", folder.display())).with_help(help);
        if !std::fs::metadata(folder).map_err(failed)?.is_dir() {
            let failure = Failure::input(format!("{}: expected a folder, found a file", folder.display()));
            return Err(failure.with_help(help));
        }
        let is_there = |variable: &&Known| !files::fitting(folder, &variable.names).is_empty();
        if !known.iter().any(|variable| is_there(&variable)) {
            return Err(no_state(folder, owner, known));
        }
        let is_given = |variable: &&Known| self.files.iter().any(|(name, _)| variable.names.contains(name));
        let states = known.iter().filter(|variable| variable.is_state);
        let missing: Vec<&str> =
            states.filter(|v| !is_there(v) && !is_given(v)).map(|variable| variable.shown.as_str()).collect();
        if missing.is_empty() { Ok(()) } else { Err(part_of_state(folder, &missing)) }
    }

    /// The tensor of a variable that has these names; none if its value is random.
    pub fn open(
        &self,
        names: &[String],
        weights: Option<&Weights>,
        noted: Option<&Path>,
        folder: &Path,
    ) -> Result<Option<TensorFile>, String> {
        if let Some(tensor) = self.weight(names, weights) {
            return tensor.map(Some).map_err(|error| error.to_string());
        }
        let lacking = |reason| match weights {
            Some(weights) => format!("{} has no tensor of it, and {reason}", weights.path().display()),
            None => reason,
        };
        let Some(file) = self.find(names, noted, folder).map_err(lacking)? else { return Ok(None) };
        TensorFile::open(&file).map(Some).map_err(|error| error.to_string())
    }

    /// The tensor among the weights of a variable that is given neither by a file nor by a saved state.
    fn weight(&self, names: &[String], weights: Option<&Weights>) -> Option<Result<TensorFile, FileError>> {
        let is_given = self.files.iter().any(|(name, _)| names.contains(name))
            || self.load_state.as_deref().is_some_and(|folder| !files::fitting(folder, names).is_empty());
        weights.filter(|_| !is_given)?.tensor(names)
    }

    /// The file of a variable that has these names; none if its value is random.
    pub fn find(&self, names: &[String], noted: Option<&Path>, folder: &Path) -> Result<Option<PathBuf>, String> {
        let Some(found) = self.fitting(names, noted, folder) else { return Ok(None) };
        found.into_iter().next().map(Some).ok_or_else(|| files::nowhere(folder, names))
    }

    /// Looks in order: options, saved state, random values, where it is known to be, the model's folder. The first file is the
    /// one that is taken; none if the value is random.
    fn fitting(&self, names: &[String], noted: Option<&Path>, folder: &Path) -> Option<Vec<PathBuf>> {
        match self.given(names) {
            Some(file) => Some(vec![file]),
            None if self.random_variables.is_some() => None,
            None => Some(noted.map_or_else(|| files::fitting(folder, names), |file| vec![file.to_owned()])),
        }
    }

    /// The file of a variable that the options give.
    fn given(&self, names: &[String]) -> Option<PathBuf> {
        let given = self.files.iter().find(|(name, _)| names.contains(name)).map(|(_, file)| file.clone());
        // --save-state writes the shortest name, perhaps beside the model's own file.
        given.or_else(|| files::fitting(self.load_state.as_deref()?, names).pop())
    }

    /// Whether a variable that has these names has the value that it was compiled with.
    #[cfg(feature = "mlir")]
    pub fn leave(&self, names: &[String]) -> bool {
        self.random_variables.is_none() && self.given(names).is_none()
    }

    /// Values that keep activations in range: weights between plus and minus `sqrt(3 / fan-in)`; vectors, which may be
    /// variances, between 0.5 and 1.5.
    /// Those that are stored as whole numbers are any of 8 bits.
    pub fn random(
        &self,
        name: &str,
        (element_type, storage): (ElementType, Storage),
        shape: &[usize],
    ) -> Result<Tensor, String> {
        // Every variable has numbers of its own, whatever the order.
        let name_hash = name
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        let mut generator = Generator::new(self.random_variables.unwrap_or(0) ^ name_hash);
        let count = shape.iter().product();
        let fan_in = shape.iter().skip(1).product::<usize>().max(1);
        let range = (3.0 / fan_in as f64).sqrt();
        let is_vector = shape.len() < 2;
        let real = |generator: &mut Generator| match (generator.unit(), is_vector) {
            (unit, _) if storage.whole(unit).is_some() => storage.whole(unit).unwrap_or_default(),
            (unit, true) => (0.5 + unit) as f32,
            (unit, false) => ((2.0 * unit - 1.0) * range) as f32,
        };
        let data = match element_type {
            ElementType::F32 => made_up(count, || real(&mut generator)).map(TensorData::F32),
            ElementType::I64 => made_up(count, || random_int(&mut generator)).map(TensorData::I64),
            ElementType::Bool => made_up(count, || generator.bits() & 1 == 1).map(TensorData::Bool),
        };
        let data = data.ok_or_else(|| format!("there is no memory for {count} elements"))?;
        Ok(Tensor { shape: shape.to_vec(), data })
    }
}

/// Whether weights, where some are given, are those of the variables.
pub fn check_weights(weights: Option<&Weights>, owner: &str, known: &[Known]) -> Result<(), Failure> {
    let known: Vec<(&[String], &str)> = known.iter().map(|known| (&known.names[..], known.shown.as_str())).collect();
    weights.map_or(Ok(()), |weights| weights.check(owner, &known))
}

fn no_state(folder: &Path, owner: &str, known: &[Known]) -> Failure {
    let failure = Failure::input(format!("{}: has no variable of {owner}", folder.display()));
    match known {
        [] => failure.with_help("it has no variables: leave --load-state out"),
        [variable, ..] => failure.with_help(format!("a file such as {}.npy is expected there", variable.shown)),
    }
}

fn part_of_state(folder: &Path, missing: &[&str]) -> Failure {
    let (what, names) = (if missing.len() == 1 { "variable" } else { "variables" }, missing.join("`, `"));
    let failure =
        Failure::input(format!("{}: has no file of the {what} `{names}`, which runs change", folder.display()));
    let first = missing.first().unwrap_or(&"NAME");
    failure.with_help(format!("--save-state writes all of them; to begin with another value: --variable {first}=FILE"))
}

impl Variables for Source<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        match self.open(declared)? {
            Some(file) => read_in_form(&file, self.form(declared)).map_err(|error| error.to_string()),
            None => random(self.options, file, (declared, self.form(declared))),
        }
    }

    fn origin(&self, declared: &graph::Tensor) -> Option<String> {
        match self.weight(declared) {
            Some(_) => self.weights?.place(&names(&self.graph, declared)),
            None => Some(self.file(declared).ok()??.display().to_string()),
        }
    }
}

/// All names of a variable of the graph that is run: `main.G.a.w`, `G.a.w` and `a.w` if that is G.
pub fn names(graph: &str, declared: &graph::Tensor) -> Vec<String> {
    let mut names = match &declared.origin {
        graph::Origin::Variable { file } => files::names(file, Some(graph)),
        _ => Vec::new(),
    };
    if !names.contains(&declared.name) {
        names.push(declared.name.clone());
    }
    names
}

/// A random value for a variable of known shape.
fn random(
    options: &VariableOptions,
    file: &str,
    (declared, form): (&graph::Tensor, Option<(ElementType, Storage)>),
) -> Result<Tensor, String> {
    let extent = |extent: &Extent| usize::try_from(extent.as_known()?).ok();
    let shape: Option<Vec<usize>> = declared.ty.shape.iter().map(extent).collect();
    let shape = shape.ok_or("its shape is not known")?;
    volume(&shape)
        .filter(|&count| count <= MAX_ELEMENTS)
        .ok_or_else(|| format!("its shape {shape:?} has more than {MAX_ELEMENTS} elements"))?;
    let element_type = declared.ty.dtype.element_type();
    options.random(file, form.unwrap_or((element_type, element_type.into())), &shape)
}
