//! The models that open texts belong to.

use super::documents::Documents;
use skriptnd_ide::Snapshot;
use skriptnd_source::FileId;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// So far up from a file its model's main file is looked for.
const MAX_LEVELS: usize = 6;

/// Models by their main file.
#[derive(Default)]
pub struct Models {
    known: HashMap<PathBuf, Known>,
    /// Main files of the models of open texts.
    mains: HashMap<PathBuf, PathBuf>,
}

struct Known {
    snapshot: Snapshot,
    /// It is of the texts as they are now.
    current: bool,
    /// It has been checked and composed.
    checked: bool,
}

impl Models {
    /// Texts have changed.
    pub fn outdate(&mut self) {
        self.known.values_mut().for_each(|known| known.current = false);
        self.mains.clear();
    }

    /// Forgets models that no open text belongs to.
    pub fn retain(&mut self, mains: &[PathBuf]) {
        self.known.retain(|main, _| mains.contains(main));
    }

    /// The main file of a text's model: of the folder's model if that has the text, else the text itself.
    pub fn main_of(&mut self, documents: &Documents, path: &Path) -> PathBuf {
        if let Some(known) = self.mains.get(path) {
            return known.clone();
        }
        let folders = path.ancestors().skip(1).take(MAX_LEVELS);
        let candidates = folders.map(|folder| folder.join("main.sknd")).filter(|main| documents.exists(main));
        let mut main = path.to_owned();
        for candidate in candidates {
            if candidate == path || self.file(documents, &candidate, path).is_some() {
                main = candidate;
                break;
            }
        }
        self.mains.insert(path.to_owned(), main.clone());
        main
    }

    /// Which file of a model this is.
    fn file(&mut self, documents: &Documents, main: &Path, path: &Path) -> Option<FileId> {
        file_in(self.read(documents, main), path)
    }

    /// A model as far as it can be known quickly.
    pub fn read(&mut self, documents: &Documents, main: &Path) -> &Snapshot {
        let known = self.known.remove(main);
        let known = match known {
            Some(known) if known.current => known,
            earlier => {
                let snapshot = Snapshot::read(&documents.model(main));
                let snapshot = match earlier {
                    Some(earlier) => snapshot.with_graph_of(earlier.snapshot),
                    None => snapshot,
                };
                Known { snapshot, current: true, checked: false }
            }
        };
        &self.known.entry(main.to_owned()).or_insert(known).snapshot
    }

    /// A model with all that is wrong with it.
    pub fn check(&mut self, documents: &Documents, main: &Path) -> &Snapshot {
        let known = match self.known.remove(main) {
            Some(known) if known.current && known.checked => known,
            earlier => {
                let snapshot = Snapshot::checked(&documents.model(main));
                let snapshot = match earlier {
                    Some(earlier) => snapshot.with_graph_of(earlier.snapshot),
                    None => snapshot,
                };
                Known { snapshot, current: true, checked: true }
            }
        };
        &self.known.entry(main.to_owned()).or_insert(known).snapshot
    }

    /// The same, composed if it has never been: what is known of values and types must not wait for a pause of typing.
    pub fn composed(&mut self, documents: &Documents, path: &Path) -> Option<(&Snapshot, FileId)> {
        let main = self.main_of(documents, path);
        if !self.read(documents, &main).is_composed() {
            self.check(documents, &main);
        }
        self.of(documents, path)
    }

    /// The model of an open text, and which of its files the text is.
    pub fn of(&mut self, documents: &Documents, path: &Path) -> Option<(&Snapshot, FileId)> {
        let main = self.main_of(documents, path);
        let snapshot = self.read(documents, &main);
        let file = file_in(snapshot, path)?;
        Some((snapshot, file))
    }
}

fn file_in(snapshot: &Snapshot, path: &Path) -> Option<FileId> {
    let library = &snapshot.definitions;
    let files = library.modules.keys().filter(|module| !library.is_standard(module));
    let mut files = files.filter_map(|module| library.file_of(module));
    files.find(|file| library.sources.file(*file).is_some_and(|source| Path::new(&source.name) == path))
}
