//! Schedules that are given in files, and those that are written to files.

use super::sharded::Sharded;
use crate::error::SCHEDULE;
use crate::nest::alternatives::alternatives;
use crate::nest::parallel;
use crate::nest::random::random;
use crate::nest::search::choose;
use crate::nest::staged::Vtcm;
use crate::nest::text::{Problem, Written, parse, print};
use crate::nest::{Nest, Schedule, Space};
use crate::target::Target;
use crate::tuned::{Cache, Ignored};
use crate::{Error, notes};
use serde::{Deserialize, Serialize};
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
    /// Schedules that were measured on this machine.
    pub tuned: Option<PathBuf>,
    /// How many other schedules of each kernel are noted.
    pub alternatives: usize,
    /// Take legal schedules at random, by this number: for tests.
    pub random: Option<u64>,
    /// Whether to remark what is computed element after element.
    pub report: bool,
    /// Whether operations are marked, so that a profile can tell their times.
    pub profile: bool,
    /// How processes share the graph, if they do.
    pub sharded: Option<Sharded>,
    /// VTCM that kernels may take, if they may.
    pub vtcm: Option<Vtcm>,
}

impl Folders {
    /// Notes the folders in a module, for the pass that emits kernels; what is left for the options of the pipeline.
    ///
    /// # Errors
    /// Where a name is not UTF-8, which no attribute can hold.
    pub fn note(&self, module: OperationRef<'_, '_>) -> Result<Folders, Error> {
        let context = module.context();
        let mut entries = Vec::new();
        for (name, folder) in [("given", &self.given), ("taken", &self.taken), ("tuned", &self.tuned)] {
            let Some(folder) = folder else { continue };
            let unreadable =
                || Error::Target(format!("{}: the name of a folder of schedules must be UTF-8", folder.display()));
            entries.push((name, attributes::string(context, folder.to_str().ok_or_else(unreadable)?)));
        }
        if !entries.is_empty() {
            module.set(notes::SCHEDULES, attributes::dictionary(context, &entries));
        }
        Ok(Folders { given: None, taken: None, tuned: None, ..self.clone() })
    }

    /// The folders that were noted. The note goes: it is not part of what is compiled.
    pub fn take_noted(module: OperationRef<'_, '_>) -> Folders {
        let note = module.get(notes::SCHEDULES).and_then(attributes::as_dictionary).unwrap_or_default();
        let folder = |name: &str| {
            let found = note.iter().find(|(key, _)| *key == name)?;
            attributes::as_string(found.1).map(PathBuf::from)
        };
        let [given, taken, tuned] = ["given", "taken", "tuned"].map(folder);
        let folders = Folders { given, taken, tuned, ..Folders::default() };
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

/// Where a schedule is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It is expected to cost least.
    Chosen,
    /// A file that was given.
    Given,
    /// It was measured to be faster on this machine.
    Tuned,
}

/// A kernel with its schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled {
    /// Tells what it computes.
    pub key: String,
    /// Where its schedule is from.
    pub source: Source,
    /// The lines of the model that it was first found for.
    pub lines: Vec<Line>,
    /// Other schedules, as text.
    pub alternatives: Vec<String>,
}

/// The files of a compilation.
pub struct Files<'f, 'c> {
    context: &'c Context,
    folders: &'f Folders,
    given: BTreeMap<String, Given>,
    tuned: Option<Cache>,
    /// What is not taken of what was measured, with its file.
    ignored: Vec<(PathBuf, Ignored)>,
    /// The kernels so far.
    scheduled: Vec<Scheduled>,
}

impl<'f, 'c> Files<'f, 'c> {
    /// Reads what is given.
    ///
    /// # Errors
    /// Where the folder can't be read, or a file in it has no schedule; the latter is reported at its place.
    pub fn open(context: &'c Context, folders: &'f Folders, target: &Target) -> Result<Self, Error> {
        let tuned = folders.tuned.as_ref().map(|folder| Cache::new(folder, target));
        let (ignored, scheduled) = (Vec::new(), Vec::new());
        let mut files = Files { context, folders, given: BTreeMap::new(), tuned, ignored, scheduled };
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

    /// The schedule of a space: the one that is given, one that was measured, or one that is chosen.
    ///
    /// # Errors
    /// Where the given one does not fit; that is reported.
    pub fn schedule(&mut self, space: &Space, target: &Target) -> Result<(Schedule, Source), Error> {
        if let Some(given) = self.given_for(space, target)? {
            return Ok((given, Source::Given));
        }
        if let Some(seed) = self.folders.random {
            return Ok((random(space, target, seed), Source::Chosen));
        }
        match self.tuned_for(space, target) {
            Some(tuned) => Ok((tuned, Source::Tuned)),
            None => Ok((choose(space, target), Source::Chosen)),
        }
    }

    fn given_for(&mut self, space: &Space, target: &Target) -> Result<Option<Schedule>, Error> {
        if self.given.is_empty() {
            return Ok(None);
        }
        let key = space.key();
        let Some(given) = self.given.get_mut(&key) else { return Ok(None) };
        given.is_used = true;
        let given = &self.given[&key];
        given.written.check(space, target).map_err(|problem| self.refuse(&given.file, &problem))?;
        Ok(Some(given.written.schedule.clone()))
    }

    /// The schedule that was measured for a space; one that does not fit is noted to be said.
    fn tuned_for(&mut self, space: &Space, target: &Target) -> Option<Schedule> {
        let cache = self.tuned.as_ref()?;
        let key = space.key();
        let fitting = |written: Written| match written.check(space, target) {
            Ok(()) => Ok(written.schedule),
            // The first line is not part of the schedule's text.
            Err(Problem { place: (line, column), message: reason }) => {
                Err(Ignored { place: (line + 1, column), reason, is_old: false })
            }
        };
        let found = cache.find(&key).and_then(|found| found.map(fitting).transpose());
        found.unwrap_or_else(|ignored| {
            self.ignored.push((cache.file(&key), ignored));
            None
        })
    }

    /// Notes the schedule of a kernel, where somebody asks for that.
    pub fn note(&mut self, nest: &Nest, source: Source, target: &Target, lines: &[Line]) {
        if self.tuned.is_none() && self.folders.alternatives == 0 {
            return;
        }
        let texts: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let text =
            |schedule: Schedule| print(&Nest { space: nest.space.clone(), schedule }, &target.to_string(), &texts);
        let others = match self.folders.alternatives {
            0 => Vec::new(),
            most => alternatives(&nest.space, target, most).into_iter().map(text).collect(),
        };
        let key = nest.space.key();
        self.scheduled.push(Scheduled { key, source, lines: lines.to_vec(), alternatives: others });
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

    /// Warns of schedules that no kernel asked for, and of those that were ignored; notes which schedules kernels have.
    ///
    /// # Errors
    /// Never, as long as texts have a form in JSON.
    pub fn close(self, module: OperationRef<'c, '_>) -> Result<(), Error> {
        if !self.scheduled.is_empty() {
            let text = serde_json::to_string(&self.scheduled).map_err(|error| Error::malformed(error.to_string()))?;
            module.set(notes::SCHEDULED, attributes::string(self.context, &text));
        }
        self.warn_of_ignored();
        for given in self.given.values().filter(|given| !given.is_used) {
            let message = format!("the model has no kernel {}", given.written.key);
            self.report(&given.file, Severity::Warning, &Problem { place: given.written.place, message });
        }
        Ok(())
    }

    /// What is damaged is said one by one, what is of another release once.
    fn warn_of_ignored(&self) {
        let (old, damaged): (Vec<_>, Vec<_>) = self.ignored.iter().partition(|(_, ignored)| ignored.is_old);
        let first_old = old.first().map(|first| (*first, old.len() - 1));
        for ((file, Ignored { place, reason, .. }), more) in damaged.iter().map(|it| (*it, 0)).chain(first_old) {
            let others = if more > 0 { format!(", and {more} like it") } else { String::new() };
            let message = format!("ignored{others}: {reason}; `skriptnd tune` measures again");
            self.report(&file.display().to_string(), Severity::Warning, &Problem { place: *place, message });
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
