//! Sample inputs: a folder of tensor files.

use crate::driver::inputs::read_graph_inputs;
use crate::driver::model::Composed;
use crate::failure::{Failure, print_message};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is given to one run, as `--input` has it.
type Given = Vec<OsString>;

/// The files of all runs.
pub struct Batches(Vec<Given>);

/// The tensor files of one folder, by the names of inputs; and numbered ones, by these and their numbers.
#[derive(Default)]
struct Files {
    plain: BTreeMap<String, PathBuf>,
    numbered: BTreeMap<u64, BTreeMap<String, PathBuf>>,
    /// Tensor files that are for no input.
    others: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

/// How folders of samples look.
const LAYOUTS: &str = "a batch is NAME.npy for each input, in DIR itself or in a folder of its own, DIR/0, DIR/1 ..; \
                       or batches are DIR/NAME.0.npy, DIR/NAME.1.npy ..";

impl Batches {
    /// Finds the files in a folder: those of each batch in a folder of its own, or all in this one. What is given once is for all
    /// batches.
    pub fn find(composed: &Composed, folder: &Path) -> Result<Batches, Failure> {
        let names = names(composed);
        let mut files = Files::of(folder, &names)?;
        let mut batches: Vec<(PathBuf, BTreeMap<String, PathBuf>)> = Vec::new();
        for inner in &files.folders {
            let own = Files::of(inner, &names)?;
            if !own.plain.is_empty() {
                batches.push((inner.clone(), own.plain));
            }
        }
        let numbered = std::mem::take(&mut files.numbered);
        if !batches.is_empty() && !numbered.is_empty() {
            let failure = format!("{}: has numbered files and folders of batches", folder.display());
            return Err(Failure::input(failure).with_help(LAYOUTS));
        }
        batches.extend(numbered.into_iter().map(|(number, own)| (folder.join(format!("*.{number}.npy")), own)));
        if batches.is_empty() && files.plain.is_empty() && !names.is_empty() {
            return Err(nothing(folder, &names, &files.others));
        }
        if batches.is_empty() {
            batches.push((folder.to_owned(), BTreeMap::new()));
        }
        warn(&files.others, &names);
        let of_batch = |(place, own): (PathBuf, BTreeMap<String, PathBuf>)| given(&place, &own, &files.plain, &names);
        Ok(Batches(batches.into_iter().map(of_batch).collect::<Result<_, _>>()?))
    }

    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The inputs of each run, read when they are asked for.
    pub fn inputs<'b>(
        &'b self,
        composed: &'b Composed,
    ) -> impl Iterator<Item = Result<Vec<Option<Argument<Tensor>>>, Failure>> + 'b {
        self.0.iter().map(|given| read_graph_inputs(composed, given)?.checked(composed))
    }
}

/// The names of the inputs, with what a model of another format calls them.
fn names(composed: &Composed) -> Vec<(String, String)> {
    let labels = &composed.labels.inputs;
    let label = |name: &str| labels.iter().find(|(own, _)| own == name).map_or(name, |(_, label)| label).to_owned();
    composed.graph.inputs.iter().map(|port| (port.name.clone(), label(&port.name))).collect()
}

impl Files {
    fn of(folder: &Path, names: &[(String, String)]) -> Result<Files, Failure> {
        let entries = folder.read_dir().map_err(|error| Failure::file(folder, &error))?;
        let paths = entries.map(|entry| Ok(entry.map_err(|error| Failure::file(folder, &error))?.path()));
        let mut paths: Vec<PathBuf> = paths.collect::<Result<_, Failure>>()?;
        paths.sort_by_key(|path| (number_of(path), path.clone()));
        let mut files = Files::default();
        for path in paths {
            files.add(path, names);
        }
        Ok(files)
    }

    fn add(&mut self, path: PathBuf, names: &[(String, String)]) {
        if path.is_dir() {
            return self.folders.push(path);
        }
        let Some(stem) = path.file_name().and_then(|name| name.to_str()) else { return };
        let Some(stem) = stem.strip_suffix(".npy").or_else(|| stem.strip_suffix(".dat")) else { return };
        let input =
            |stem: &str| names.iter().find(|(own, label)| own == stem || label == stem).map(|(own, _)| own.clone());
        let numbered = || {
            let (stem, number) = stem.rsplit_once('.')?;
            Some((input(stem)?, number.parse().ok()?))
        };
        match (input(stem), numbered()) {
            (Some(input), _) => drop(self.plain.insert(input, path)),
            (None, Some((input, number))) => drop(self.numbered.entry(number).or_default().insert(input, path)),
            (None, None) => self.others.push(path),
        }
    }
}

/// Folders are in the order of their numbers.
fn number_of(path: &Path) -> u64 {
    path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok()).unwrap_or(u64::MAX)
}

/// What is given to one run.
fn given(
    place: &Path,
    own: &BTreeMap<String, PathBuf>,
    all: &BTreeMap<String, PathBuf>,
    names: &[(String, String)],
) -> Result<Given, Failure> {
    let file = |(name, _): &(String, String)| {
        let file = own.get(name).or_else(|| all.get(name)).ok_or_else(|| {
            let failure = Failure::input(format!("{}: there is no file for the input `{name}`", place.display()));
            failure.with_help(LAYOUTS)
        })?;
        let mut text = OsString::from(format!("{name}="));
        text.push(file);
        Ok(text)
    };
    names.iter().map(file).collect()
}

fn nothing(folder: &Path, names: &[(String, String)], others: &[PathBuf]) -> Failure {
    let wanted = names.iter().map(|(name, _)| format!("{name}.npy")).collect::<Vec<_>>().join(", ");
    let found = match others.first() {
        Some(other) => format!(", but {}", other.file_name().unwrap_or_default().to_string_lossy()),
        None => String::new(),
    };
    let failure = Failure::input(format!("{}: has no sample inputs; expected {wanted}{found}", folder.display()));
    failure.with_help(LAYOUTS)
}

fn warn(others: &[PathBuf], names: &[(String, String)]) {
    let names = names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    for other in others {
        let other = other.display();
        print_message(format_args!("skriptnd: warning: {other}: is for no input and not read; there are: {names}\n"));
    }
}
