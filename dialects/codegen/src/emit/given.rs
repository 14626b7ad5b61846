//! Schedules that are given in files, and those that are written to files.

use crate::error::SCHEDULE;
use crate::nest::parallel;
use crate::nest::random::random;
use crate::nest::search::choose;
use crate::nest::text::{Problem, Written, parse, print};
use crate::nest::{Nest, Schedule, Space};
use crate::target::Target;
use crate::{Error, notes};
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{Context, Location, OperationRef, attributes, emit};
use skriptnd_runtime::atomic;
use skriptnd_runtime::operation::Line;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The ending of files with schedules.
const ENDING: &str = "schedule";

/// Where schedules come from and go to, and what is said of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders {
    /// Schedules in place of those that would be chosen.
    pub given: Option<PathBuf>,
    /// Schedules that were taken.
    pub taken: Option<PathBuf>,
    /// Take legal schedules at random, by this number: for tests.
    pub random: Option<u64>,
    /// Whether to remark what is computed element after element.
    pub report: bool,
    /// Whether operations are marked, so that a profile can tell their times.
    pub profile: bool,
}

impl Folders {
    /// Notes the folders in a module, for the pass that emits kernels; what is left for the options of the pipeline.
    ///
    /// # Errors
    /// Where a name is not UTF-8, which no attribute can hold.
    pub fn note(&self, module: OperationRef<'_, '_>) -> Result<Folders, Error> {
        let context = module.context();
        let mut entries = Vec::new();
        for (name, folder) in [("given", &self.given), ("taken", &self.taken)] {
            let Some(folder) = folder else { continue };
            let unreadable =
                || Error::Target(format!("{}: the name of a folder of schedules must be UTF-8", folder.display()));
            entries.push((name, attributes::string(context, folder.to_str().ok_or_else(unreadable)?)));
        }
        if !entries.is_empty() {
            module.set(notes::SCHEDULES, attributes::dictionary(context, &entries));
        }
        Ok(Folders { given: None, taken: None, ..self.clone() })
    }

    /// The folders that were noted. The note goes: it is not part of what is compiled.
    pub fn take_noted(module: OperationRef<'_, '_>) -> Folders {
        let note = module.get(notes::SCHEDULES).and_then(attributes::as_dictionary).unwrap_or_default();
        let folder = |name: &str| {
            let found = note.iter().find(|(key, _)| *key == name)?;
            attributes::as_string(found.1).map(PathBuf::from)
        };
        let folders = Folders { given: folder("given"), taken: folder("taken"), ..Folders::default() };
        module.unset(notes::SCHEDULES);
        folders
    }
}

/// A schedule from a file.
struct Given {
    file: String,
    written: Written,
    is_used: bool,
}

/// The files of a compilation.
pub struct Files<'f, 'c> {
    context: &'c Context,
    folders: &'f Folders,
    given: BTreeMap<String, Given>,
}

impl<'f, 'c> Files<'f, 'c> {
    /// Reads what is given.
    ///
    /// # Errors
    /// Where the folder can't be read, or a file in it has no schedule; the latter is reported at its place.
    pub fn open(context: &'c Context, folders: &'f Folders) -> Result<Self, Error> {
        let mut files = Files { context, folders, given: BTreeMap::new() };
        let Some(folder) = &folders.given else { return Ok(files) };
        for path in schedules(folder).map_err(|error| files.unreadable(folder, &error))? {
            let file = path.display().to_string();
            let text = fs::read_to_string(&path).map_err(|error| files.unreadable(&path, &error))?;
            let written = parse(&text).map_err(|problem| files.refuse(&file, &problem))?;
            let (key, place) = (written.key.clone(), written.place);
            if let Some(other) = files.given.insert(key, Given { file: file.clone(), written, is_used: false }) {
                let message = format!("{} has a schedule for this kernel already", other.file);
                return Err(files.refuse(&file, &Problem { place, message }));
            }
        }
        if files.given.is_empty() {
            let message = format!("{SCHEDULE}{}: has no file that ends with `.{ENDING}`", folder.display());
            emit(Location::unknown(context), Severity::Warning, &message);
        }
        Ok(files)
    }

    /// Whether to remark what is computed element after element.
    pub fn reports(&self) -> bool {
        self.folders.report
    }

    /// Cycles that a range of a parallel loop takes at least; none where loops stand at random, so that all are shared.
    pub fn least_cycles(&self) -> f64 {
        if self.folders.random.is_some() { 0.0 } else { parallel::LEAST_CYCLES }
    }

    /// The schedule of a space: the one that is given, or one that is chosen.
    ///
    /// # Errors
    /// Where the given one does not fit; that is reported.
    pub fn schedule(&mut self, space: &Space, target: &Target) -> Result<Schedule, Error> {
        let other = || match self.folders.random {
            Some(seed) => random(space, target, seed),
            None => choose(space, target),
        };
        if self.given.is_empty() {
            return Ok(other());
        }
        let Some(given) = self.given.get_mut(&space.key()) else { return Ok(other()) };
        given.is_used = true;
        let given = &self.given[&space.key()];
        given.written.check(space, target).map_err(|problem| self.refuse(&given.file, &problem))?;
        Ok(given.written.schedule.clone())
    }

    /// Writes the schedule that was taken for a kernel, with the lines of the model that it was first found for.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn write(&self, nest: &Nest, target: &Target, lines: &[Line]) -> Result<(), Error> {
        let Some(folder) = &self.folders.taken else { return Ok(()) };
        let path = folder.join(nest.space.key()).with_extension(ENDING);
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let text = print(nest, &target.to_string(), &lines);
        let write = || atomic::write_file(&path, |out| out.write_all(text.as_bytes()));
        let written = fs::create_dir_all(folder).and_then(|()| write());
        written.map_err(|error| self.unreadable(&path, &error))
    }

    /// Warns of schedules that no kernel asked for.
    pub fn close(self) {
        for given in self.given.values().filter(|given| !given.is_used) {
            let message = format!("the model has no kernel {}", given.written.key);
            self.report(&given.file, Severity::Warning, &Problem { place: given.written.place, message });
        }
    }

    fn refuse(&self, file: &str, problem: &Problem) -> Error {
        self.report(file, Severity::Error, problem);
        Error::Reported
    }

    fn unreadable(&self, path: &Path, error: &std::io::Error) -> Error {
        let message = format!("{SCHEDULE}{}: {error}", path.display());
        emit(Location::unknown(self.context), Severity::Error, &message);
        Error::Reported
    }

    fn report(&self, file: &str, severity: Severity, problem: &Problem) {
        let (line, column) = problem.place;
        emit(Location::new(self.context, file, line, column), severity, &format!("{SCHEDULE}{}", problem.message));
    }
}

/// The files of a folder, in the order of their names.
fn schedules(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    paths.sort();
    Ok(paths)
}
