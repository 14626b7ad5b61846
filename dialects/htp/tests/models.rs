//! The test models in the form of the tensor processor, with our rules applied, and back.

use skriptnd_htp::apply::Functions;
use skriptnd_htp::commands::{RuleSet, Settings};
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const SMALL_ALEXNET: &[(&str, i64)] = &[("size", 67), ("width", 4), ("tail", 1), ("hidden", 16), ("classes", 5)];

/// A model behind a pipeline, and what was reported meanwhile.
fn after(model: &str, attributes: &[(&str, i64)], pipeline: &str) -> (String, Vec<String>) {
    let (library, diagnostics) = Library::load(&Folder(root().join("test/models").join(model)));
    let definitions = Definitions::from(library);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), Value::Int(*value))).collect();
    let (graph, diagnostics) = compose(&definitions, &ComposeOptions { attributes, ..ComposeOptions::default() });
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    skriptnd_htp::register(&mut registry).unwrap();
    let context = registry.context();
    let mut module = skriptnd_dialect::import_model(&context, &definitions, &graph.unwrap()).unwrap();
    let reported = run(&mut module, pipeline, &PipelineOptions::default()).unwrap();
    verify(module.as_operation()).unwrap();
    let text = print(module.as_operation(), PrintForm::default());
    (text, reported.iter().map(ToString::to_string).collect())
}

fn rules() -> String {
    root().join("test/Rules/skriptnd.htp").display().to_string()
}

/// How often each op of the `htp` dialect stands in a text.
fn count(text: &str, op: &str) -> usize {
    text.matches(&format!(" htp.{op}(")).count()
}

#[test]
fn models_have_their_ops() {
    for (model, attributes, ops) in [
        (
            "digits",
            &[][..],
            [("q.Conv2d", 2), ("q.Relu", 2), ("q.PoolMax2d", 2), ("q.FullyConnected", 1), ("q.Softmax", 1)],
        ),
        (
            "alexnet",
            SMALL_ALEXNET,
            [("q.Conv2d", 6), ("q.Relu", 7), ("q.PoolMax2d", 3), ("q.FullyConnected", 2), ("q.Softmax", 1)],
        ),
    ] {
        let (text, _) = after(model, attributes, "builtin.module(skriptnd-rewrite,convert-skriptnd-to-htp)");
        for (op, expected) in ops {
            assert_eq!(count(&text, op), expected, "{model} {op}: {text}");
        }
        // Of the transposes around images, those at the input and before the linear layers are left.
        let of_images = text.lines().filter(|l| l.contains("htp.q.Transpose(") && l.contains(": (tensor<1x")).count();
        assert_eq!(of_images, 2, "{text}");
    }
}

#[test]
fn rules_fire() {
    let apply = format!("apply-htp-rules{{file=\"{}\" report=true}}", rules());
    // How often the rule of each line is applied.
    let digits: &[(usize, usize)] = &[(4, 2), (16, 3), (27, 1)];
    let alexnet: &[(usize, usize)] = &[(4, 6), (10, 1), (16, 1), (27, 1)];
    for (model, attributes, expected) in [("digits", &[][..], digits), ("alexnet", SMALL_ALEXNET, alexnet)] {
        let pipeline = format!("builtin.module(skriptnd-rewrite,convert-skriptnd-to-htp,{apply})");
        let (text, reported) = after(model, attributes, &pipeline);
        assert_eq!(reported.len(), expected.len(), "{reported:#?}");
        for (remark, (line, times)) in reported.iter().zip(expected) {
            let often = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            let told = format!("skriptnd.htp:{line} applied {often}: ");
            assert!(remark.contains(&told) && remark.contains("main.sknd:"), "{remark}");
        }
        assert_eq!(count(&text, "q.Relu"), 0, "{text}");
        assert_eq!(count(&text, "q.Conv2d.relu"), expected[0].1, "{text}");
    }
}

#[test]
fn and_back() {
    let apply = format!("apply-htp-rules{{file=\"{}\"}}", rules());
    for (model, attributes) in [("digits", &[][..]), ("alexnet", SMALL_ALEXNET)] {
        let pipeline =
            format!("builtin.module(skriptnd-rewrite,convert-skriptnd-to-htp,{apply},convert-htp-to-linalg)");
        let (text, _) = after(model, attributes, &pipeline);
        assert!(text.contains("linalg.generic") && !text.contains("htp.") && !text.contains(" skriptnd."), "{text}");
    }
}

#[test]
fn rules_are_good() {
    let set = RuleSet::load(Path::new(&rules()), &Settings::default()).unwrap().for_application(&Functions::default());
    assert!(set.found.is_empty(), "{}", set.messages());
}

/// The other models are small: all that they compute fits into the memory beside the processor.
#[test]
fn large_results_are_tiled() {
    let pack = |name: &str| format!("\"{}\"", root().join("td/htp/rules").join(name).display());
    let files = [pack("activations.htp"), pack("tiling.htp")].join(",");
    let apply = format!("apply-htp-rules{{file={{{files}}} mode=sdk report=true}}");
    let pipeline = format!("builtin.module(skriptnd-rewrite,convert-skriptnd-to-htp,{apply})");
    let (text, reported) = after("alexnet", &[], &pipeline);
    let tiled: Vec<&String> = reported.iter().filter(|remark| remark.contains("tiling.htp:")).collect();
    assert_eq!(tiled.len(), 2, "{reported:?}");
    // Rows of the first convolution, 8 at a time, and the last layer's outputs, 256 at a time.
    assert_eq!(text.matches("-> tensor<1x8x54x64xf32>").count(), 6, "{text}");
    assert_eq!(text.matches("-> tensor<1x256xf32>").count(), 3, "{text}");
}
