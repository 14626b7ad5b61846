//! Models: a compiled model with the values of its variables, and what was prepared of them.

use crate::error::ModelError;
use crate::library::Library;
use crate::memory::Memory;
use crate::metadata::Metadata;
use crate::status;
use crate::stored::Stored;
use crate::variable::note::{self, Note};
use crate::variable::{Variable, files};
use crate::view::View;
use std::ffi::c_void;
use std::path::Path;
use std::sync::Arc;

/// A compiled model that can be run: nothing of it changes any more, and any number of sessions share it, also in several
/// threads. Clones are the same model.
#[derive(Debug, Clone)]
pub struct Model(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    library: Arc<Library>,
    variables: Vec<Variable>,
    /// Those that were given in another form than the model takes.
    stored: Vec<Option<Stored>>,
    prepared: Memory,
}

impl Model {
    /// Gives the variables in the order of the metadata, and computes what depends on them only.
    ///
    /// # Errors
    /// Where a variable is not what the model takes, or memory is short.
    pub fn new(library: impl Into<Arc<Library>>, variables: Vec<Variable>) -> Result<Model, ModelError> {
        let library = library.into();
        let infos = &library.metadata().variables;
        check_count("variable", infos.len(), variables.len())?;
        let variables = infos.iter().zip(variables).map(|(info, variable)| variable.checked(info));
        let variables: Vec<Variable> = variables.collect::<Result<_, _>>()?;
        let stored = infos.iter().zip(&variables).map(|(info, variable)| variable.stored(info));
        let stored = stored.collect::<Result<Vec<_>, _>>()?;
        let mut shared = Shared { library, variables, stored, prepared: Memory::new(0, false)? };
        // SAFETY: types and extents were checked against the metadata.
        shared.prepared = unsafe { prepare(&shared.library, &shared.pointers(), false) }?;
        let model = Model(Arc::new(shared));
        model.check_files()?;
        Ok(model)
    }

    /// Takes the variables from their files in a folder: `main.G.w`, `G.w` or `w`, with `.dat` or `.npy`, for `w` of the graph G.
    ///
    /// # Errors
    /// Where some are missing, have several files that differ, or are not what the model takes; where memory is short.
    pub fn with_files(library: impl Into<Arc<Library>>, folder: &Path) -> Result<Model, ModelError> {
        let library = library.into();
        let Metadata { variables, graph, .. } = library.metadata();
        if !variables.is_empty() {
            files::check_folder(folder)?;
        }
        let found =
            variables.iter().map(|info| Variable::find(folder, &files::names(&info.name, Some(graph.as_str())), info));
        let found = Variable::all(found)?;
        Model::new(library, found)
    }

    /// Takes the variables that come with the compiled model: those in it, or else from the files that the note beside it names,
    /// or else from files beside it.
    ///
    /// # Errors
    /// As [`Model::with_files`]; where the model is linked into the program, and has no values.
    pub fn with_own_values(library: impl Into<Arc<Library>>) -> Result<Model, ModelError> {
        let library = library.into();
        let infos = &library.metadata().variables;
        if let Some(values) = (0..infos.len()).map(|number| Variable::embedded(&library, number)).collect() {
            return Model::new(library, values);
        }
        let file = library.file().ok_or(ModelError::NoValues)?;
        let failed = |source| ModelError::Io { path: Note::place(file), source };
        let (note, folder) = (Note::beside(file).map_err(failed)?.unwrap_or_default(), note::folder_of(file));
        let graph = library.metadata().graph.as_str();
        let found = infos.iter().map(|info| match note.file(&info.name, folder) {
            Some(file) => Variable::open(&file, info),
            None => Variable::find(folder, &files::names(&info.name, Some(graph)), info),
        });
        let found = Variable::all(found)?;
        Model::new(library, found)
    }

    /// What the model says about itself.
    pub fn metadata(&self) -> &Metadata {
        self.0.library.metadata()
    }

    /// Its functions.
    pub fn library(&self) -> &Arc<Library> {
        &self.0.library
    }

    /// The variables as they were given, in the order of the metadata.
    pub fn variables(&self) -> &[Variable] {
        &self.0.variables
    }

    /// Refuses what came of the variables if a file of them has become shorter since it was opened.
    pub(crate) fn check_files(&self) -> Result<(), ModelError> {
        let mut variables = self.metadata().variables.iter().zip(self.variables());
        variables.try_for_each(|(info, variable)| variable.check_file(info))
    }

    /// Where the variables lie as the model takes them.
    pub(crate) fn variable_pointers(&self) -> Vec<*const c_void> {
        self.0.pointers()
    }

    /// A variable as the model takes it, by number.
    pub(crate) fn variable_view(&self, variable: usize) -> Option<View<'_>> {
        self.0.view(variable)
    }

    pub(crate) fn prepared(&self) -> &Memory {
        &self.0.prepared
    }
}

/// Computes what depends on variables only.
///
/// # Safety
/// The pointers must be to variables as the metadata say.
pub(crate) unsafe fn prepare(
    library: &Library,
    variables: &[*const c_void],
    guarded: bool,
) -> Result<Memory, ModelError> {
    let metadata = library.metadata();
    // A process that shares a model prepares a part.
    let mut prepared = match metadata.shard.is_some() && !guarded {
        true => Memory::sparse(metadata.prepared_bytes)?,
        false => Memory::new(metadata.prepared_bytes, guarded)?,
    };
    let mut workspace = Memory::new(metadata.workspace_bytes, guarded)?;
    // SAFETY: the memory has the sizes that the metadata ask for; for the rest vouches the caller.
    let done = unsafe { (library.prepare)(variables.as_ptr(), prepared.pointer_mut(), workspace.pointer_mut()) };
    if done != 0 {
        return Err(ModelError::Status(status::Status(done)));
    }
    if !prepared.is_intact() || !workspace.is_intact() {
        return Err(ModelError::Overrun("prepared memory or workspace".into()));
    }
    Ok(prepared)
}

impl Shared {
    fn view(&self, variable: usize) -> Option<View<'_>> {
        match self.stored.get(variable)? {
            Some(stored) => Some(stored.view()),
            None => self.variables[variable].view(self.library.metadata().variables[variable].storage),
        }
    }

    fn pointers(&self) -> Vec<*const c_void> {
        let pointer = |number| self.view(number).map_or(std::ptr::null(), |view| view.pointer());
        (0..self.variables.len()).map(pointer).collect()
    }
}

pub(crate) fn check_count(role: &'static str, expected: usize, found: usize) -> Result<(), ModelError> {
    if expected == found { Ok(()) } else { Err(ModelError::Count { role, expected, found }) }
}
