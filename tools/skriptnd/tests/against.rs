//! `skriptnd compare --against`: with tensors that another runtime computed.

use crate::models::{FLOAT, fails, floats, model_of, node, port, skriptnd, succeeds};
use prost::Message;
use skriptnd_onnx::proto::{GraphProto, NodeProto};
use skriptnd_runtime::{Tensor, TensorData, encode_npy, write_npy};
use std::io::Write;
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// `y = relu(x * scale - one)`, with rows that the model reshapes as many as `x` has.
fn model() -> Vec<u8> {
    let named = |name: &str, node: NodeProto| NodeProto { name: name.into(), ..node };
    let graph = GraphProto {
        input: vec![port("x.1", FLOAT, &["n", "3"])],
        output: vec![port("y", FLOAT, &["n", "3"])],
        initializer: vec![floats("scale", &[3], &[1.0, 2.0, 3.0]), floats("one", &[1], &[1.0])],
        node: vec![
            named("scaling", node("Mul", &["x.1", "scale"], &["/a/scaled"])),
            node("Shape", &["x.1"], &["shape"]),
            named("shaping", node("Reshape", &["/a/scaled", "shape"], &["same"])),
            node("Sub", &["same", "one"], &["moved"]),
            named("last", node("Relu", &["moved"], &["y"])),
        ],
        ..GraphProto::default()
    };
    model_of(graph).encode_to_vec()
}

fn real(values: [f32; 6]) -> Tensor {
    Tensor { shape: vec![2, 3], data: TensorData::F32(values.to_vec()) }
}

/// What another runtime gives.
fn values() -> Vec<(&'static str, Tensor)> {
    let scaled = [0.0, 2.0, 6.0, 3.0, 8.0, -15.0];
    vec![
        ("x.1", real([0.0, 1.0, 2.0, 3.0, 4.0, -5.0])),
        ("/a/scaled", real(scaled)),
        ("shape", Tensor { shape: vec![2], data: TensorData::I64(vec![2, 3]) }),
        ("same", real(scaled)),
        ("moved", real(scaled.map(|value| value - 1.0))),
        ("y", real(scaled.map(|value| (value - 1.0).max(0.0)))),
    ]
}

fn archive(path: &Path, values: &[(&str, Tensor)]) {
    let mut writer = ZipWriter::new(std::fs::File::create(path).unwrap());
    for (number, (name, tensor)) in values.iter().enumerate() {
        let method = if number % 2 == 0 { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        writer.start_file(format!("{name}.npy"), SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(&encode_npy(tensor)).unwrap();
    }
    writer.finish().unwrap();
}

fn prepared(values: &[(&str, Tensor)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("net.onnx"), model()).unwrap();
    archive(&folder.path().join("dump.npz"), values);
    for (name, tensor) in values {
        let file = folder.path().join("dump").join(format!("{}.npy", name.trim_start_matches('/')));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        write_npy(&file, tensor).unwrap();
    }
    folder
}

const INTERPRET: [&str; 2] = ["--backend", "interpret"];

#[test]
fn what_agrees_is_told() {
    let folder = prepared(&values());
    for dump in ["dump", "dump.npz"] {
        let told = succeeds(folder.path(), &[&["compare", "net.onnx", "--against", dump][..], &INTERPRET].concat());
        assert_eq!(told, "y agrees: 0.0e0\n");
    }
    let json =
        succeeds(folder.path(), &["compare", "net.onnx", "--against", "dump", "--json", "--backend", "interpret"]);
    assert!(json.contains(r#""compared":5,"missing":[]"#), "{json}");
}

#[test]
fn the_first_node_that_departs_is_named_and_stands_alone() {
    let mut wrong = values();
    for (_, tensor) in &mut wrong[4..] {
        let TensorData::F32(values) = &mut tensor.data else { unreachable!() };
        values[4] += 1.0;
    }
    let folder = prepared(&wrong);
    let compare = ["compare", "net.onnx", "--against", "dump.npz", "--output-dir", "alone"];
    let said = fails(
        folder.path(),
        &[&compare[..], &INTERPRET].concat(),
        1,
        "net.onnx: node `moved` (Sub) is the first that departs",
    );
    assert!(said.contains("`moved[1, 1]` is 7.0, expected 8.0"), "{said}");
    assert!(
        said.contains("it departs alone, too; `skriptnd compare alone/node.onnx --against alone/node.npz"),
        "{said}"
    );
    let again = ["compare", "alone/node.onnx", "--against", "alone/node.npz", "--json", "--backend", "interpret"];
    let output = skriptnd(folder.path(), &again);
    let json = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        json.contains(r#""node":{"name":"moved","operator":"Sub","tensor":"moved","index":[1,1],"computed":"7.0""#),
        "{json}"
    );
    fails(folder.path(), &compare, 2, "--output-dir alone: the folder is not empty");
}

#[test]
#[cfg(unix)]
fn folders_are_gone_through_once() {
    let folder = prepared(&values());
    std::os::unix::fs::symlink("..", folder.path().join("dump/a/back")).unwrap();
    std::fs::write(folder.path().join("dump/y.dat"), "no tensor").unwrap();
    let compare = ["compare", "net.onnx", "--against", "dump", "--backend", "interpret"];
    assert_eq!(succeeds(folder.path(), &compare), "y agrees: 0.0e0\n");
}

#[test]
fn nodes_alone_have_the_weights_that_were_given() {
    let mut wrong = values();
    wrong[1].1 = real([0.0; 6]);
    let folder = prepared(&wrong);
    let header = r#"{"scale":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}"#;
    let scale = [5.0f32, 6.0, 7.0].map(f32::to_le_bytes).concat();
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &scale].concat();
    std::fs::write(folder.path().join("w.safetensors"), file).unwrap();
    let compare = ["compare", "net.onnx", "--against", "dump", "--backend", "interpret", "--weights", "w.safetensors"];
    let said = fails(folder.path(), &[&compare[..], &["--output-dir", "alone"]].concat(), 1, "node `scaling` (Mul)");
    assert!(said.contains("`/a/scaled[1, 2]` is -35.0, expected 0.0"), "{said}");
    let again = ["compare", "alone/node.onnx", "--against", "alone/node.npz", "--backend", "interpret"];
    fails(folder.path(), &again, 1, "`/a/scaled[1, 2]` is -35.0, expected 0.0");
}

#[test]
fn tensors_go_by_the_names_of_the_model() {
    let mut other = values();
    other[0].0 = "x_1";
    let folder = prepared(&other);
    let compare = ["compare", "net.onnx", "--against", "dump", "--backend", "interpret"];
    fails(folder.path(), &compare, 1, "dump: has no input `x.1`");
}

#[test]
fn compiled_code_is_compared_as_well() {
    let folder = prepared(&values());
    assert_eq!(succeeds(folder.path(), &["compare", "net.onnx", "--against", "dump"]), "y agrees: 0.0e0\n");
}

#[test]
fn operands_that_are_known_go_with_a_node() {
    let mut wrong = values();
    wrong[3].1 = real([0.0; 6]);
    let folder = prepared(&wrong);
    let compare = ["compare", "net.onnx", "--against", "dump", "--output-dir", "alone", "--backend", "interpret"];
    fails(folder.path(), &compare, 1, "node `shaping` (Reshape)");
    let again = ["compare", "alone/node.onnx", "--against", "alone/node.npz", "--backend", "interpret"];
    fails(folder.path(), &again, 1, "node `shaping`");
}

#[test]
fn what_is_missing_or_unknown_is_told() {
    let (all, interpret) = (values(), |folder: &Path, dump: &str| {
        skriptnd(folder, &[&["compare", "net.onnx", "--against", dump][..], &INTERPRET].concat())
    });
    let folder = prepared(&[&all[..2], &all[4..], &[("other", real([0.0; 6]))]].concat());
    let said = String::from_utf8_lossy(&interpret(folder.path(), "dump").stderr).into_owned();
    assert!(said.contains("note: dump has not 2 of 5 results: `shape`, `same`"), "{said}");
    assert!(said.contains("note: dump has 1 tensor that is neither input nor result of a node: `other`"), "{said}");
    let folder = prepared(&all[1..]);
    let compare = ["compare", "net.onnx", "--against", "dump", "--backend", "interpret"];
    fails(folder.path(), &compare, 1, "dump: has no input `x.1`");
    let folder = prepared(&all[..1]);
    fails(folder.path(), &compare, 1, "has no tensor that a node of the model gives");
    std::fs::write(folder.path().join("text.npz"), "text").unwrap();
    fails(folder.path(), &["compare", "net.onnx", "--against", "text.npz"], 1, "text.npz: is no .npz archive");
    std::fs::create_dir(folder.path().join("none")).unwrap();
    fails(folder.path(), &["compare", "net.onnx", "--against", "none"], 1, "none: there is no tensor in it");
    let random = ["compare", "net.onnx", "--against", "dump", "--random-inputs", "1"];
    fails(folder.path(), &random, 2, "the inputs are those that --against has the results of");
}

#[test]
fn models_of_the_language_are_compared_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = "import math;\n\ngraph G {\n    @input { x: real[2,3]; }\n    @output { z: real[2,3]; }\n    \
                @compose { y = math.abs(x); z = math.neg(y); }\n}\n";
    std::fs::write(folder.path().join("main.sknd"), text).unwrap();
    let x = [0.0, -1.0, 2.0, -3.0, 4.0, -5.0];
    archive(&folder.path().join("dump.npz"), &[("x", real(x)), ("y", real(x)), ("z", real(x))]);
    let compare = ["compare", "main.sknd", "--against", "dump.npz", "--backend", "interpret", "--output-dir", "alone"];
    let said = fails(folder.path(), &compare, 1, "`math.abs` is the first operation that departs from dump.npz");
    assert!(said.contains("`y[1, 2]` is 5.0, expected -5.0") && said.contains("--against alone"), "{said}");
    let again = ["compare", "alone", "--graph", "Departing", "--against", "alone", "--backend", "interpret"];
    fails(folder.path(), &again, 1, "output `y0` departs from that of alone");
}
