//! Models on disk.

use super::graph_options::GraphOptions;
use crate::failure::{Failure, print_message};
use skriptnd_ide::lint;
#[cfg(feature = "mlir")]
use skriptnd_language::compose::graph::Argument;
use skriptnd_language::compose::graph::Graph;
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::model::CheckedModel;
#[cfg(feature = "mlir")]
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::{Diagnostics, Severity, render};
use skriptnd_source::{FileProvider, SourceMap};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// How many diagnostics are shown: nobody reads more of them at once.
const SHOWN: usize = 100;

/// The largest text that is taken for a module.
const MAX_MODULE: u64 = 256 << 20;

/// Where the modules and variables of a model lie.
#[derive(Debug, Clone)]
pub struct Model {
    /// The text of the main module.
    pub main: PathBuf,
    /// Its folder.
    pub folder: PathBuf,
}

impl Model {
    /// A folder with `main.sknd`, or one file.
    pub fn find(path: &Path) -> Result<Model, Failure> {
        let found = fs::metadata(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        if !found.is_dir() {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            return Ok(Model { main: path.to_owned(), folder });
        }
        let main = path.join("main.sknd");
        if !main.is_file() {
            return Err(Failure::input(format!("{}: the folder has no main.sknd", path.display())));
        }
        Ok(Model { main, folder: path.to_owned() })
    }

    /// Reads, checks and composes the model. What is wrong is printed.
    pub fn compose(&self, options: &GraphOptions) -> Result<Composed, Failure> {
        let (composed, diagnostics) = self.try_compose(options)?;
        // `skriptnd check` tells of what is probably not meant.
        print(&diagnostics.errors(), &composed.sources);
        match composed.graph {
            Some(graph) => Ok(Composed { definitions: composed.definitions, graph }),
            None => Err(Failure::Reported),
        }
    }

    /// Composes the model again with the extents of these inputs in place of those that it leaves open; none if there
    /// are none.
    #[cfg(feature = "mlir")]
    pub fn bind_open_extents(
        &self,
        options: &GraphOptions,
        composed: &Composed,
        inputs: &[Option<Argument<Tensor>>],
    ) -> Result<Option<Composed>, Failure> {
        let mut bound = options.clone();
        for (extent, value) in skriptnd_compiler::tensors::open_extents(&composed.graph, inputs) {
            bound.bind(&extent, value);
        }
        if bound.bindings_count() == options.bindings_count() { Ok(None) } else { self.compose(&bound).map(Some) }
    }

    /// Reads, checks and composes the model as far as possible.
    pub fn try_compose(&self, options: &GraphOptions) -> Result<(Attempt, Diagnostics), Failure> {
        let model = CheckedModel::load(self);
        let options = match options.compose_options(&model.definitions) {
            // Attributes that can't be set because of an error are no error of their own.
            Err(_) if model.diagnostics.has_errors() => ComposeOptions::default(),
            options => options?,
        };
        let (graph, further) = model.compose(&options);
        let unused = lint(&model.definitions);
        let CheckedModel { definitions, mut diagnostics } = model;
        diagnostics.extend(further);
        if !diagnostics.has_errors() {
            diagnostics.extend(unused);
        }
        Ok((Attempt { sources: definitions.sources.clone(), definitions, graph }, diagnostics))
    }
}

/// What could be made of a model.
pub struct Attempt {
    pub sources: SourceMap,
    definitions: Definitions,
    pub graph: Option<Graph>,
}

/// A model without errors.
pub struct Composed {
    pub definitions: Definitions,
    pub graph: Graph,
}

impl Composed {
    /// To compile it with the arithmetic and the rules that a model has if nothing else is asked for.
    #[cfg(feature = "mlir")]
    pub fn request<'a>(
        &'a self,
        target: skriptnd_codegen::Target,
        emit: skriptnd_codegen::Emit,
        output: &'a Path,
    ) -> skriptnd_compiler::Request<'a> {
        skriptnd_compiler::Request::new(&self.definitions, &self.graph, target, emit, output)
    }

    /// The failure that these diagnostics are; prints them.
    pub fn fail(&self, diagnostics: &Diagnostics) -> Failure {
        print(diagnostics, &self.definitions.sources);
        Failure::Reported
    }
}

impl FileProvider for Model {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = match path {
            ["main"] => self.main.clone(),
            _ => self.folder.join(path.iter().collect::<PathBuf>()).with_extension("sknd"),
        };
        let text = match read_text(&file) {
            Ok(text) => text?,
            Err(reason) => return Some(Err(reason)),
        };
        Some(Ok((file.display().to_string(), text)))
    }
}

/// None if there is no such file.
pub fn read_text(file: &Path) -> Result<Option<String>, String> {
    let failed = |error: io::Error| format!("{}: {error}", file.display());
    // Opening a pipe waits for its writer, and devices may never end.
    match fs::metadata(file) {
        Ok(found) if found.is_dir() => return Err(format!("{}: is a folder, not a file", file.display())),
        Ok(found) if !found.is_file() => return Err(format!("{}: not a regular file", file.display())),
        Ok(found) if found.len() > MAX_MODULE => {
            return Err(format!("{}: the file has {} bytes; the limit is {MAX_MODULE}", file.display(), found.len()));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).map_err(failed)?;
    opened.take(MAX_MODULE).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{}: not UTF-8 at byte {at}", file.display())
    })?;
    Ok(Some(text))
}

/// Prints diagnostics, and how many there are if there are several.
pub fn print(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics.iter().take(SHOWN) {
        print_message(render(diagnostic, sources));
    }
    let left = diagnostics.iter().count().saturating_sub(SHOWN);
    if left > 0 {
        print_message(format_args!("... and {left} more, which `skriptnd check --json` lists\n"));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        print_message(format_args!("{errors} errors\n"));
    }
}
