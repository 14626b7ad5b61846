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
    lowered_from(&Folder(folder), attributes, pipeline)
}

fn lowered_from(files: &dyn FileProvider, attributes: &[(&str, i64)], pipeline: &str) -> String {
    let (library, diagnostics) = Library::load(files);
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

struct Text(&'static str);

impl FileProvider for Text {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.to_owned())))
    }
}

#[test]
fn loops_of_any_length_have_one_body() {
    let model = Text(
        "import nn, layout, math;
        graph Net {
            @attrib { steps: int = 32; }
            @input { x: real[steps, 1, 4]; }
            @output { y: real[steps, 1, 3]; z: real[steps, 1, 4]; }
            @variable { w: real[12, 4]; r: real[12, 3]; b: real[12]; }
            @compose {
                y, ~, ~ = nn.lstm(x, w, r, b);
                items = layout.unstack{axis=0}(x);
                ~, sums..(steps) = with s: real[1, 4] = 0.0 for item : items do { t = math.add(s, item); yield t, t; };
                z = layout.stack{axis=0}(sums);
            }
        }",
    );
    let operations =
        |steps| lowered_from(&model, &[("steps", steps)], "builtin.module(skriptnd-to-linalg)").lines().count();
    assert_eq!(operations(20), operations(500));
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
