//! `--weights`: variables from a safetensors file.

use crate::models::{FLOAT, fails, floats, model_of, node, port, skriptnd, succeeds};
use prost::Message;
use skriptnd_onnx::proto::GraphProto;
use skriptnd_runtime::{Tensor, TensorData, read_tensor, write_npy};
use std::path::Path;

const TEXT: &str = "import math;

graph G {
    @input { x: real[3]; }
    @output { y: real[3]; }
    @variable { w: real[3]; b: real[3]; }
    @compose { scaled = math.mul(x, w); y = math.add(scaled, b); }
}
";

/// A file of tensors: name, type, shape, bytes.
fn safetensors(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
    let (mut header, mut data) = (String::from("{"), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let place = [data.len(), data.len() + bytes.len()];
        let comma = if data.is_empty() { "" } else { "," };
        header += &format!(r#"{comma}"{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":{place:?}}}"#);
        data.extend(bytes);
    }
    header.push('}');
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The upper halves of reals.
fn bf16s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()[2..].to_vec()).collect()
}

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("net")).unwrap();
    std::fs::write(folder.path().join("net/main.sknd"), TEXT).unwrap();
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["3"])],
        output: vec![port("y", FLOAT, &["3"])],
        initializer: vec![floats("fc.w", &[3], &[0.0; 3]), floats("fc.b", &[3], &[9.0, 8.0, 7.0])],
        node: vec![node("Mul", &["x", "fc.w"], &["scaled"]), node("Add", &["scaled", "fc.b"], &["y"])],
        ..GraphProto::default()
    };
    std::fs::write(folder.path().join("net.onnx"), model_of(graph).encode_to_vec()).unwrap();
    let x = Tensor { shape: vec![3], data: TensorData::F32(vec![1.0, 2.0, 3.0]) };
    write_npy(&folder.path().join("x.npy"), &x).unwrap();
    let tensors = |prefix: &str| {
        let [w, b] = ["w", "b"].map(|name| format!("{prefix}{name}"));
        safetensors(&[(&w, "F32", &[3], f32s(&[1.0, 10.0, 100.0])), (&b, "BF16", &[3], bf16s(&[0.5, -0.5, 2.0]))])
    };
    std::fs::write(folder.path().join("net.safetensors"), tensors("G.")).unwrap();
    std::fs::write(folder.path().join("fc.safetensors"), tensors("fc.")).unwrap();
    folder
}

fn check(folder: &Path, arguments: &[&str]) {
    succeeds(folder, &[&["run"][..], arguments, &["--input", "x.npy", "--output-dir", "out"]].concat());
    let y = read_tensor(&folder.join("out/y.npy")).unwrap();
    assert_eq!(y.data, TensorData::F32(vec![1.5, 19.5, 302.0]), "{arguments:?}");
    std::fs::remove_dir_all(folder.join("out")).unwrap();
}

#[test]
fn variables_are_read_where_they_lie() {
    let folder = prepared();
    for backend in ["interpret", "native"] {
        check(folder.path(), &["net", "--weights", "net.safetensors", "--backend", backend]);
        check(folder.path(), &["net.onnx", "--weights", "fc.safetensors", "--backend", backend]);
    }
    succeeds(folder.path(), &["bench", "net", "--weights", "net.safetensors", "--iterations", "1"]);
}

#[test]
fn what_is_compiled_keeps_them() {
    let folder = prepared();
    succeeds(folder.path(), &["compile", "net", "--weights", "net.safetensors", "-o", "net.so"]);
    succeeds(folder.path(), &["compile", "net.onnx", "--weights", "fc.safetensors", "-o", "onnx.so"]);
    succeeds(folder.path(), &["compile", "net", "-o", "bare.so"]);
    check(folder.path(), &["bare.so", "--weights", "net.safetensors"]);
    for file in ["net.safetensors", "fc.safetensors"] {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    check(folder.path(), &["net.so"]);
    check(folder.path(), &["onnx.so"]);
    fails(folder.path(), &["compile", "net", "--weights", "none", "-o", "net.o"], 2, "--emit so or exe");
}

#[test]
fn artifacts_of_one_stem_have_their_own() {
    let folder = prepared();
    let b = ("G.b", "F32", &[3usize][..], f32s(&[0.0; 3]));
    let others = safetensors(&[("G.w", "F32", &[3], f32s(&[7.0; 3])), b]);
    std::fs::write(folder.path().join("others.safetensors"), others).unwrap();
    succeeds(folder.path(), &["compile", "net", "--weights", "net.safetensors", "-o", "net.so"]);
    succeeds(folder.path(), &["compile", "net", "--weights", "others.safetensors", "--emit", "exe", "-o", "net.run"]);
    check(folder.path(), &["net.so"]);
    assert!(folder.path().join("net.so.weights").is_dir() && folder.path().join("net.run.weights").is_dir());
}

#[test]
fn weights_in_an_artifact_need_nothing_beside_it() {
    let folder = prepared();
    let embed = ["compile", "net", "--weights", "net.safetensors", "--embed-weights"];
    for (emit, output) in [("so", "net.so"), ("obj", "net.o"), ("exe", "net.run")] {
        succeeds(folder.path(), &[&embed[..], &["--emit", emit, "-o", output]].concat());
        assert!(!folder.path().join(format!("{output}.weights")).exists(), "{output}");
    }
    std::fs::write(folder.path().join("net.variables.json"), "no JSON").unwrap();
    check(folder.path(), &["net.so"]);
    let hexagon = [&embed[..], &["--target", "hexagon-unknown-linux-musl", "-o", "dsp.so"]].concat();
    fails(folder.path(), &hexagon, 2, "ELF files, and not of Hexagon");
}

#[test]
#[cfg(unix)]
fn a_pipe_in_the_place_of_a_note_is_refused() {
    let folder = prepared();
    succeeds(folder.path(), &["compile", "net", "--weights", "net.safetensors", "-o", "net.so"]);
    let note = folder.path().join("net.variables.json");
    std::fs::remove_file(&note).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&note).status().unwrap().success());
    fails(folder.path(), &["run", "net.so", "--input", "x.npy"], 1, "net.variables.json");
}

#[test]
fn what_does_not_fit_is_told() {
    let folder = prepared();
    let told = |model: &str, bytes: Vec<u8>, says: &str| {
        std::fs::write(folder.path().join("odd.safetensors"), bytes).unwrap();
        let run = ["run", model, "--weights", "odd.safetensors", "--input", "x.npy", "--backend", "interpret"];
        fails(folder.path(), &run, 1, says);
    };
    let three = || f32s(&[1.0; 3]);
    let (w, b) = (("w", "F32", &[3usize][..], three()), ("b", "F32", &[3usize][..], three()));
    told("net", safetensors(std::slice::from_ref(&w)), "odd.safetensors has no tensor of it");
    told("net", safetensors(&[("v", "F32", &[3], three())]), "has no variable of graph G, but `v`");
    told("net", safetensors(&[w.clone(), ("b", "F32", &[1, 3], three())]), "odd.safetensors");
    told("net", safetensors(&[w.clone(), ("b", "I32", &[3], three())]), "odd.safetensors");
    told("net", safetensors(&[w.clone(), ("b", "F8_E8M0", &[12], three())]), "elements of type F8_E8M0");
    told("net", b"text".to_vec(), "odd.safetensors: at byte 4: the file ends within the length of its header");
    told("net.onnx", safetensors(&[]), "none of the weights that are given is one of its tensors: there are none");
    told("net.onnx", safetensors(&[("v", "F32", &[3], three())]), "none of the weights that are given is one of its");
    told("net.onnx", safetensors(&[("fc.w", "F32", &[1, 3], three())]), "`fc.w`: its shape is [3], but the weights");
    told("net.onnx", safetensors(&[("fc.w", "I32", &[3], three())]), "its elements are float, but the weights");
    std::fs::write(folder.path().join("more.safetensors"), safetensors(&[w, b, ("c", "F32", &[3], three())])).unwrap();
    let run = ["run", "net", "--weights", "more.safetensors", "--input", "x.npy", "--backend", "interpret"];
    let said = String::from_utf8_lossy(&skriptnd(folder.path(), &run).stderr).into_owned();
    assert!(said.contains("warning: more.safetensors: these are no variables of graph G: `c`"), "{said}");
}
