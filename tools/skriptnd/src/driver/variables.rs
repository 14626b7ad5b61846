//! Where the values of variables come from: options, a saved state, the model's folder, or chance.

use super::graph_options::only_once;
use super::inputs::{MAX_ELEMENTS, made_up, random_int, split_once};
use super::kept::keep;
use super::model::Model;
use crate::failure::{Failure, print_message};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use skriptnd_interpret::Variables;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph;
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{ElementType, Tensor, TensorData, read_tensor};
use skriptnd_source::diagnostics::nearest;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Default, Args)]
pub struct VariableOptions {
    /// A file for a variable in place of the model's own
    #[arg(long = "variable", value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(parse))]
    files: Vec<(String, PathBuf)>,
    /// Give the variables random values that follow from this number
    #[arg(long, value_name = "SEED")]
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
}

impl<'a> Source<'a> {
    /// Every variable that the options name must be one of the graph.
    pub fn new(options: &'a VariableOptions, model: &'a Model, graph: &graph::Graph) -> Result<Self, Failure> {
        let variables = graph.variables.iter().map(|&id| graph.tensor(id));
        let known: Vec<_> = variables.map(|declared| (names(declared), declared.name.as_str())).collect();
        options.check_names(&format!("graph {}", graph.name), &known)?;
        // Its own files stay, also where others are given in their place.
        known.iter().filter_map(|(names, _)| in_folder(&model.folder, names)).for_each(|file| keep(&file, FILE));
        Ok(Source { options, folder: &model.folder })
    }

    /// Warns of values for variables that compiled code does not read.
    #[cfg(feature = "mlir")]
    pub fn warn_unread(&self, read: &[Vec<String>]) {
        self.options.warn_unread(read);
    }

    /// The file of a variable; none if its value is random.
    pub fn file(&self, declared: &graph::Tensor) -> Result<Option<PathBuf>, String> {
        self.options.find(&names(declared), None, self.folder)
    }
}

impl VariableOptions {
    /// Whether the options name only variables that there are: all their names, and the one that is shown.
    pub fn check_names(&self, owner: &str, known: &[(Vec<String>, &str)]) -> Result<(), Failure> {
        self.check_state(owner, known)?;
        only_once("--variable", self.files.iter().map(|(name, _)| name))?;
        self.files.iter().for_each(|(_, file)| keep(file, FILE));
        let is_known = |name: &String| known.iter().any(|(names, _)| names.contains(name));
        let Some((name, _)) = self.files.iter().find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let shown: Vec<_> = known.iter().map(|(_, shown)| *shown).collect();
        let list = if shown.is_empty() { "none".to_string() } else { shown.join(", ") };
        let failure = Failure::usage(format!("{owner} has no variable `{name}`; it has: {list}"));
        Err(match nearest(name, known.iter().flat_map(|(names, _)| names.iter().map(String::as_str))) {
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

    /// Whether a saved state is there, and has something for at least one of the variables.
    fn check_state(&self, owner: &str, known: &[(Vec<String>, &str)]) -> Result<(), Failure> {
        let Some(folder) = &self.load_state else { return Ok(()) };
        let help = "--load-state takes the folder that --save-state wrote";
        let failed = |error| Failure::input(format!("{}: {error}", folder.display())).with_help(help);
        if !std::fs::metadata(folder).map_err(failed)?.is_dir() {
            let failure = Failure::input(format!("{}: expected a folder, found a file", folder.display()));
            return Err(failure.with_help(help));
        }
        match known.iter().any(|(names, _)| in_folder(folder, names).is_some()) {
            true => Ok(()),
            false => Err(no_state(folder, owner, known)),
        }
    }

    /// The file of a variable that has these names; none if its value is random.
    #[cfg(feature = "mlir")]
    pub fn file_by_name(
        &self,
        names: &VariableNames,
        noted: Option<&Path>,
        folder: &Path,
    ) -> Result<Option<PathBuf>, String> {
        self.find(&names.0, noted, folder)
    }

    /// Looks in order: options, saved state, random values, where it is known to be, the model's folder.
    fn find(&self, names: &[String], noted: Option<&Path>, folder: &Path) -> Result<Option<PathBuf>, String> {
        if let Some((_, file)) = self.files.iter().find(|(name, _)| names.contains(name)) {
            return Ok(Some(file.clone()));
        }
        if let Some(file) = self.load_state.as_deref().and_then(|folder| in_folder(folder, names)) {
            return Ok(Some(file));
        }
        if self.random_variables.is_some() {
            return Ok(None);
        }
        let found = noted.map(Path::to_owned).or_else(|| in_folder(folder, names));
        found.map(Some).ok_or_else(|| nowhere(folder, names))
    }

    /// Values that keep activations in range: weights between plus and minus `sqrt(3 / fan-in)`; vectors, which may be
    /// variances, between 0.5 and 1.5.
    pub fn random(&self, name: &str, element_type: ElementType, shape: &[usize]) -> Result<Tensor, String> {
        // Every variable has numbers of its own, whatever the order.
        let name_hash = name
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        let mut generator = Generator::new(self.random_variables.unwrap_or(0) ^ name_hash);
        let count = shape.iter().product();
        let fan_in = shape.iter().skip(1).product::<usize>().max(1);
        let range = (3.0 / fan_in as f64).sqrt();
        let is_vector = shape.len() < 2;
        let real = |generator: &mut Generator| match is_vector {
            true => (0.5 + generator.unit()) as f32,
            false => ((2.0 * generator.unit() - 1.0) * range) as f32,
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

fn no_state(folder: &Path, owner: &str, known: &[(Vec<String>, &str)]) -> Failure {
    let failure = Failure::input(format!("{}: has no variable of {owner}", folder.display()));
    match known {
        [] => failure.with_help("it has no variables: leave --load-state out"),
        [(_, name), ..] => failure.with_help(format!("a file such as {name}.npy is expected there")),
    }
}

/// Where the file of a variable was looked for.
fn nowhere(folder: &Path, names: &[String]) -> String {
    let files: Vec<_> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
    format!("there is no file {}.dat, nor .npy", files.join(".dat, nor .npy, nor "))
}

/// The file of a variable that has these names.
fn in_folder(folder: &Path, names: &[String]) -> Option<PathBuf> {
    let mut files = names.iter().flat_map(|name| ["dat", "npy"].map(|kind| folder.join(format!("{name}.{kind}"))));
    files.find(|file| file.is_file())
}

impl Variables for Source<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        match self.file(declared)? {
            Some(path) => read_tensor(&path).map_err(|error| error.to_string()),
            None => random(self.options, file, declared),
        }
    }

    fn origin(&self, declared: &graph::Tensor) -> Option<String> {
        Some(self.file(declared).ok()??.display().to_string())
    }
}

/// `main.G.a.w`, `G.a.w`, and its name in the graph that is run: `a.w` if that is G.
pub fn names(declared: &graph::Tensor) -> Vec<String> {
    let mut names = match &declared.origin {
        graph::Origin::Variable { file } => with_and_without_module(file),
        _ => Vec::new(),
    };
    if !names.contains(&declared.name) {
        names.push(declared.name.clone());
    }
    names
}

fn with_and_without_module(stem: &str) -> Vec<String> {
    std::iter::once(stem).chain(stem.strip_prefix("main.")).map(str::to_owned).collect()
}

/// The names of a variable of a compiled model, the shortest one last.
#[cfg(feature = "mlir")]
pub struct VariableNames(Vec<String>);

#[cfg(feature = "mlir")]
impl VariableNames {
    /// Of the variable whose file has this stem. `graph`: the graph that was compiled, where it is known.
    pub fn new(stem: &str, graph: Option<&str>) -> VariableNames {
        let mut names = with_and_without_module(stem);
        let path = names.last().and_then(|name| name.split_once('.'));
        let own = path.filter(|(root, _)| graph.is_none_or(|graph| graph == *root)).map(|(_, name)| name.to_owned());
        names.extend(own);
        VariableNames(names)
    }

    /// The name within its graph.
    pub fn shortest(mut self) -> String {
        self.0.pop().unwrap_or_default()
    }

    /// All of them.
    pub fn into_all(self) -> Vec<String> {
        self.0
    }
}

/// A random value for a variable of known shape.
fn random(options: &VariableOptions, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
    let extent = |extent: &Extent| usize::try_from(extent.as_known()?).ok();
    let shape: Option<Vec<usize>> = declared.ty.shape.iter().map(extent).collect();
    let shape = shape.ok_or("its shape is not known")?;
    volume(&shape)
        .filter(|&count| count <= MAX_ELEMENTS)
        .ok_or_else(|| format!("its shape {shape:?} has more than {MAX_ELEMENTS} elements"))?;
    options.random(file, declared.ty.dtype.element_type(), &shape)
}
