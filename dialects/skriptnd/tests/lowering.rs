//! From the test models to linalg: every stage verifies, and nothing of the dialect is left at the end.

use skriptnd_dialect::{import_model, register};
use skriptnd_language::compose::value::Value;
use skriptnd_language::compose::{ComposeOptions, Definitions, compose};
use skriptnd_language::library::Library;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::{PrintForm, print, verify};
use skriptnd_mlir::pass::{PipelineOptions, run};
use skriptnd_source::FileProvider;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl FileProvider for Folder {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = self.0.join(path.join("/")).with_extension("sknd");
        let text = std::fs::read_to_string(&file).ok()?;
        Some(Ok((file.display().to_string(), text)))
    }
}

fn lowered(model: &str, attributes: &[(&str, i64)], pipeline: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/models").join(model);
    let (library, diagnostics) = Library::load(&Folder(folder));
    let definitions = Definitions::from(library);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), Value::Int(*value))).collect();
    let (graph, diagnostics) = compose(&definitions, &ComposeOptions { attributes, ..ComposeOptions::default() });
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let mut registry = Registry::new();
    register(&mut registry).unwrap();
    let context = registry.context();
    let mut module = import_model(&context, &definitions, &graph.unwrap()).unwrap();
    verify(module.as_operation()).unwrap();
    run(&mut module, pipeline, &PipelineOptions::default()).unwrap();
    print(module.as_operation(), PrintForm::default())
}

#[test]
fn models_become_linalg() {
    let small: &[(&str, i64)] = &[("size", 67), ("width", 4), ("tail", 1), ("hidden", 16), ("classes", 5)];
    for (model, attributes) in
        [("digits", &[][..]), ("alexnet", small), ("mlp", &[]), ("resnet", &[]), ("mobilenet", &[])]
    {
        let text = lowered(model, attributes, "builtin.module(skriptnd-to-linalg)");
        assert!(text.contains("func.func @") && text.contains("linalg.generic"), "{model}: {text}");
        assert!(!text.contains(" skriptnd.") && !text.contains("\"skriptnd."), "{model}: {text}");
    }
}
