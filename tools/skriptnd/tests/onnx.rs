//! Commands take ONNX models in the place of models.

use prost::Message;
use skriptnd_onnx::proto::{
    Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_runtime::{Tensor, TensorData, read_tensor, write_npy};
use std::path::Path;
use std::process::{Command, Output};

const FLOAT: i32 = 1;
const INT32: i32 = 6;

fn port(name: &str, element: i32, extents: &[&str]) -> ValueInfoProto {
    let dimension = |extent: &&str| DimensionProto {
        value: Some(extent.parse().map_or_else(|_| Dimension::Param((*extent).into()), Dimension::Value)),
    };
    let shape = Some(TensorShapeProto { dim: extents.iter().map(dimension).collect() });
    let tensor = type_proto::Tensor { elem_type: element, shape };
    let r#type = Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) });
    ValueInfoProto { name: name.into(), r#type }
}

fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: owned(inputs), output: owned(outputs), ..NodeProto::default() }
}

/// `y = x * weight + x`, and `count`, integers of 32 bits that overflow.
fn model() -> Vec<u8> {
    let weight = TensorProto {
        name: "fc.weight".into(),
        dims: vec![3, 3],
        data_type: FLOAT,
        float_data: vec![1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0],
        ..TensorProto::default()
    };
    let graph = GraphProto {
        input: vec![port("x.1", FLOAT, &["batch", "3"]), port("many", INT32, &["2"])],
        output: vec![port("y", FLOAT, &["batch", "3"]), port("count", INT32, &["2"])],
        initializer: vec![weight],
        node: vec![
            node("MatMul", &["x.1", "fc.weight"], &["product"]),
            node("Add", &["product", "x.1"], &["y"]),
            node("Mul", &["many", "many"], &["count"]),
        ],
        ..GraphProto::default()
    };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    ModelProto { ir_version: 8, opset_import, graph: Some(graph), ..ModelProto::default() }.encode_to_vec()
}

fn skriptnd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skriptnd")).current_dir(folder).args(arguments).output().unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = skriptnd(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.onnx"), model()).unwrap();
    let x = Tensor { shape: vec![2, 3], data: TensorData::F32(vec![1.0, 2.0, 3.0, 0.0, 0.5, -1.0]) };
    let many = Tensor { shape: vec![2], data: TensorData::I64(vec![65536, -3]) };
    write_npy(&folder.path().join("x.npy"), &x).unwrap();
    write_npy(&folder.path().join("many.npy"), &many).unwrap();
    folder
}

fn check_outputs(folder: &Path) {
    let y = read_tensor(&folder.join("out/y.npy")).unwrap();
    assert_eq!(y.data, TensorData::F32(vec![2.0, 4.0, 14.0, 0.0, 1.0, -4.0]));
    let count = read_tensor(&folder.join("out/count.npy")).unwrap();
    assert_eq!(count.data, TensorData::I64(vec![0, 9]));
}

const GIVEN: [&str; 6] = ["--input", "x_1=x.npy", "--input", "many=many.npy", "--output-dir", "out"];

#[test]
fn models_run_on_backends_without_a_folder() {
    let folder = prepared();
    for backend in ["interpret", "native"] {
        succeeds(folder.path(), &[&["run", "model.onnx", "--backend", backend][..], &GIVEN].concat());
        check_outputs(folder.path());
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
    succeeds(folder.path(), &["check", "model.onnx"]);
}

#[test]
fn imported_models_are_folders_like_others() {
    let folder = prepared();
    let json = succeeds(folder.path(), &["import", "model.onnx", "-o", "net", "--bound", "batch=4", "--json"]);
    assert!(json.contains(r#""name":"x_1","onnx":"x.1","type":"float""#), "{json}");
    let text = std::fs::read_to_string(folder.path().join("net/main.sknd")).unwrap();
    assert!(text.contains("x_1: real[batch|4, 3];") && text.contains("y = math.add(product, x_1);"), "{text}");
    succeeds(folder.path(), &["fmt", "--check", "net/main.sknd"]);
    succeeds(folder.path(), &[&["run", "net"][..], &GIVEN].concat());
    check_outputs(folder.path());
    let shown = skriptnd(folder.path(), &["check", "net"]);
    assert!(shown.status.success() && shown.stderr.is_empty(), "{}", String::from_utf8_lossy(&shown.stderr));
}

#[test]
fn compiled_models_find_their_weights() {
    let folder = prepared();
    succeeds(folder.path(), &["compile", "model.onnx", "-o", "net.so"]);
    std::fs::remove_file(folder.path().join("model.onnx")).unwrap();
    succeeds(folder.path(), &[&["run", "net.so"][..], &GIVEN].concat());
    check_outputs(folder.path());
}

#[test]
fn what_is_wrong_is_told() {
    let folder = prepared();
    let told = |arguments: &[&str], code: i32, says: &str| {
        let output = skriptnd(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && said.contains(says), "{arguments:?}: {said}");
    };
    told(&["import", "model.onnx", "-o", "net", "--bound", "n=4"], 1, "it has no open extent `n`: there are `batch`");
    told(&["import", "model.onnx", "-o", "net", "--bound", "batch=0"], 2, "a bound must be positive");
    told(&["check", "model.onnx", "--value", "many=[1.5, 2]"], 1, "1.5 is no int32");
    told(&["check", "model.onnx", "--value", "many=[1, 2, 3]"], 1, "has shape [3]");
    std::fs::write(folder.path().join("cut.onnx"), &model()[..100]).unwrap();
    told(&["check", "cut.onnx"], 1, "cut.onnx: is no ONNX model, or is cut off (100 bytes)");
    std::fs::write(folder.path().join("main.sknd"), "graph G { @output { y: real[]; } @compose { y = 1.0; } }")
        .unwrap();
    told(&["check", "main.sknd", "--bound", "n=4"], 2, "--bound is for ONNX models");
    assert!(!folder.path().join("net").exists());
}
