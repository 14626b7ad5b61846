//! Several rule files of one package.

use skriptnd_htp::apply::Environment;
use skriptnd_htp::commands::{RuleSet, Settings};
use skriptnd_htp::engine::Engine;
use skriptnd_htp::grammar::Mode;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::parse_module;
use std::path::PathBuf;

const GRAPH: &str = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  \
    %0 = htp.q.A(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n";

fn load(texts: &[&str]) -> (tempfile::TempDir, RuleSet) {
    let folder = tempfile::tempdir().unwrap();
    let files = texts.iter().enumerate().map(|(number, text)| {
        let file = folder.path().join(format!("{number}.htp"));
        std::fs::write(&file, text).unwrap();
        file
    });
    let files: Vec<PathBuf> = files.collect();
    let set = RuleSet::load_all(&files, &Settings::default()).unwrap();
    (folder, set)
}

/// The number of each rule that was applied, in order, and the graph.
fn run(set: &RuleSet) -> (Vec<usize>, String) {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    skriptnd_htp::register(&mut registry).unwrap();
    let context = registry.context();
    let mut module = parse_module(&context, GRAPH, "graph.mlir").unwrap();
    let applied = Engine::new(&set.rules, &set.sources, Environment::default()).run(&mut module.root()).unwrap();
    (applied.firings.iter().map(|firing| firing.rule).collect(), module.as_operation().to_string())
}

#[test]
fn a_pass_has_the_rules_of_all_files() {
    // By itself, the later pass of the first file would find nothing.
    let (_folder, set) = load(&[
        "#define NEXT \"C\"\nDEF_PACKAGE_OPTIMIZATION(LATE, Op(\"B\", \"x\"), OK, Op(NEXT, \"x\"))\n",
        "#define NEXT \"B\"\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), OK, Op(NEXT, \"x\"))\n",
    ]);
    assert!(set.found.is_empty(), "{}", set.messages());
    let (applied, graph) = run(&set);
    assert_eq!(applied, [1, 0]);
    assert!(graph.contains("htp.q.C("), "{graph}");
}

#[test]
fn the_first_file_is_tried_first() {
    let rule = |to: &str| format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), OK, Op(\"{to}\", \"x\"))\n");
    let (_folder, set) = load(&[&rule("B"), &rule("C")]);
    assert_eq!(run(&set).0, [0]);
    let messages = set.messages();
    assert!(messages.contains("an earlier rule of this pass applies wherever this one would"), "{messages}");
    assert!(messages.contains("0.htp:1:1") && messages.contains("1.htp:1:1"), "{messages}");
}

#[test]
fn messages_tell_their_file() {
    let (_folder, set) = load(&[
        "DEF_PACKAGE_OP(f, \"A\")\n",
        "// nothing\n",
        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(A), OK, Op(\"B\"))\n",
    ]);
    let told: Vec<String> = set
        .messages()
        .lines()
        .filter(|line| line.contains(".htp:") && !line.contains("-->"))
        .map(str::to_owned)
        .collect();
    assert!(
        matches!(&told[..], [none, wrong] if none.contains("1.htp:1:1: warning: there is no rule") && wrong.contains("2.htp:1:36: error")),
        "{told:?}"
    );
}

#[test]
fn what_a_slice_takes_is_whole() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), GT(DIM_OF(\"*\", 0), 2),\n\
                AUTOSPLIT(0, \"I\", 2, Op(\"B\", TYPICAL_SLICE(Op(\"Before\", \"x\"), \"I\"))))\n";
    let settings = Settings { mode: Mode::Sdk, ..Settings::default() };
    let set = RuleSet::parse("slices.htp", text, &settings);
    let (applied, graph) = run(&set);
    assert_eq!(applied, [0], "{}", set.messages());
    // It is the same for both slices.
    assert_eq!(graph.matches("htp.q.Before(%arg0)").count(), 1, "{graph}");
    let before = graph.lines().find(|line| line.contains("htp.q.Before(")).unwrap();
    assert!(before.ends_with("(tensor<4xf32>) -> tensor<4xf32>"), "{graph}");
    assert_eq!(graph.matches("-> tensor<2xf32>").count(), 4, "{graph}");
}
