//! What is said of ONNX models names their nodes.

use crate::models::{FLOAT, INT64, fails, floats, model_of, node, port, skriptnd, succeeds};
use prost::Message;
use skriptnd_onnx::proto::{GraphProto, NodeProto};
use skriptnd_runtime::{Tensor, TensorData, write_npy};
use std::path::Path;

fn named(name: &str, node: NodeProto) -> NodeProto {
    NodeProto { name: name.into(), ..node }
}

/// Takes rows of a table by indices that a run is given.
fn prepared(index: i64) -> tempfile::TempDir {
    let graph = GraphProto {
        input: vec![port("i.1", INT64, &["2"])],
        output: vec![port("y", FLOAT, &["2", "4"])],
        initializer: vec![floats("table", &[5, 4], &(0..20u8).map(f32::from).collect::<Vec<_>>())],
        node: vec![
            named("/emb/Gather", node("Gather", &["table", "i.1"], &["e"])),
            named("/act/Relu", node("Relu", &["e"], &["y"])),
        ],
        ..GraphProto::default()
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.onnx"), model_of(graph).encode_to_vec()).unwrap();
    let i = Tensor { shape: vec![2], data: TensorData::I64(vec![1, index]) };
    write_npy(&folder.path().join("i.npy"), &i).unwrap();
    folder
}

const PLACE: &str = "model.onnx: node `/emb/Gather` (Gather)";
const GIVEN: [&str; 4] = ["--input", "i.npy", "--output-dir", "out"];

/// No folder of another time is named.
fn names_the_node(said: &str) {
    assert!(said.starts_with(PLACE) && !said.contains("/tmp"), "{said}");
}

#[test]
fn faults_of_runs_name_the_node() {
    let folder = prepared(7);
    for backend in ["interpret", "native"] {
        let said = fails(folder.path(), &[&["run", "model.onnx", "--backend", backend][..], &GIVEN].concat(), 1, "7");
        names_the_node(&said);
        assert!(said.contains("layout.gather"), "the text: {said}");
    }
    let json = skriptnd(folder.path(), &[&["run", "model.onnx", "--json"][..], &GIVEN].concat());
    let told: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let found = &told["diagnostics"][0];
    assert_eq!(found["origin"], "node `/emb/Gather` (Gather)");
    assert_eq!(found["chain"][0]["file"], "model.onnx");
}

#[test]
fn artifacts_know_the_nodes() {
    let folder = prepared(7);
    succeeds(folder.path(), &["compile", "model.onnx", "-o", "model.so"]);
    std::fs::remove_file(folder.path().join("model.onnx")).unwrap();
    let said = fails(folder.path(), &[&["run", "model.so"][..], &GIVEN].concat(), 1, "7");
    names_the_node(&said);
}

/// `x + y`, whose extents only a run knows.
fn sum(folder: &Path) {
    let graph = GraphProto {
        input: vec![port("x.1", FLOAT, &["n", "3"]), port("x.2", FLOAT, &["m", "3"])],
        output: vec![port("y.1", FLOAT, &["n", "3"])],
        node: vec![named("/m/Add", node("Add", &["x.1", "x.2"], &["y.1"]))],
        ..GraphProto::default()
    };
    std::fs::write(folder.join("model.onnx"), model_of(graph).encode_to_vec()).unwrap();
}

#[test]
fn what_composition_finds_names_the_node_and_shows_the_text() {
    let folder = tempfile::tempdir().unwrap();
    sum(folder.path());
    let said =
        fails(folder.path(), &["check", "model.onnx", "--bind", "n=4", "--bind", "m=5"], 1, "node `/m/Add` (Add)");
    assert!(said.contains("math.add(x_1, x_2)") && !said.contains("/tmp"), "{said}");
    // What is imported to a folder is a text like others.
    succeeds(folder.path(), &["import", "model.onnx", "-o", "kept"]);
    let said = fails(folder.path(), &["check", "kept", "--bind", "n=4", "--bind", "m=5"], 1, "kept/main.sknd:");
    assert!(!said.contains("/m/Add"), "{said}");
}

#[test]
fn inputs_and_outputs_have_the_names_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    sum(folder.path());
    for (name, shape) in [("x", [2, 3]), ("wide", [2, 4])] {
        let x = Tensor { shape: shape.to_vec(), data: TensorData::F32(vec![1.0; shape[0] * shape[1]]) };
        write_npy(&folder.path().join(name).with_extension("npy"), &x).unwrap();
    }
    succeeds(folder.path(), &["compile", "model.onnx", "-o", "model.so"]);
    for model in ["model.onnx", "model.so"] {
        let given =
            |second: &'static str| ["run", model, "--input", "x.1=x.npy", "--input", second, "--output-dir", "out"];
        succeeds(folder.path(), &given("x_2=x.npy"));
        fails(folder.path(), &given("x.2=wide.npy"), 1, "input `x.2`");
        fails(folder.path(), &given("x.1=x.npy"), 2, "is given twice");
        let told = succeeds(folder.path(), &["info", model]);
        assert!(
            told.contains("x_2: real[m, 3], `x.2` in the model\n") && told.contains("`y.1` in the model"),
            "{told}"
        );
    }
}
