//! Translations for `skriptnd-translate`.

use crate::import::import_model;
use crate::register;
use skriptnd_language::compose::{ComposeOptions, compose};
use skriptnd_language::diagnostics::{Diagnostics, render};
use skriptnd_language::library::Library;
use skriptnd_language::source::FileProvider;
use skriptnd_mlir::ir::{PrintForm, print, verify};
use skriptnd_mlir::tools::{Source, Translation};
use skriptnd_mlir::{Failure, Registry};
use std::path::Path;

/// The translations of this dialect.
pub fn translations() -> Vec<Translation> {
    vec![Translation::new("import-skriptnd", "Import a SkriptND document: its first graph, composed", import_text)]
}

/// The main module from a text, the others from the files beside it.
struct Document<'a>(Source<'a>);

impl FileProvider for Document<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        if path == ["main"] {
            return Some(Ok((self.0.name.to_owned(), self.0.text.to_owned())));
        }
        let mut file = Path::new(self.0.name).parent()?.to_path_buf();
        file.extend(path);
        file.set_extension("sknd");
        if !file.is_file() {
            return None;
        }
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        Some(text.map(|text| (file.display().to_string(), text)))
    }
}

fn import_text(source: Source<'_>) -> Result<String, Failure> {
    let (library, mut diagnostics) = Library::load(&Document(source));
    if diagnostics.has_errors() {
        return Err(failure(&library, &diagnostics));
    }
    let (graph, found) = compose(&library, &ComposeOptions::default());
    diagnostics.extend(found);
    let Some(graph) = graph.filter(|_| !diagnostics.has_errors()) else {
        return Err(failure(&library, &diagnostics));
    };
    let mut registry = Registry::new();
    register(&mut registry)?;
    let context = registry.context();
    let module = import_model(&context, &library, &graph)?;
    verify(&module.as_operation())?;
    Ok(print(&module.as_operation(), PrintForm { locations: true, ..PrintForm::default() }))
}

fn failure(library: &Library, diagnostics: &Diagnostics) -> Failure {
    Failure::new(diagnostics.iter().map(|diagnostic| render(diagnostic, &library.sources)).collect::<String>())
}
