//! Commands take ONNX models in the place of models.

use crate::models::{FLOAT, INT32, floats, model_of, node, port, skriptnd, succeeds};
use prost::Message;
use skriptnd_onnx::proto::GraphProto;
use skriptnd_runtime::{Tensor, TensorData, read_tensor, write_npy};
use std::path::Path;
use std::process::{Command, Output};

/// `y = x * weight + x`, and `count`, integers of 32 bits that overflow.
fn model() -> Vec<u8> {
    let weight = floats("fc.weight", &[3, 3], &[1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0]);
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
    model_of(graph).encode_to_vec()
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

/// A rule of the package `q`.
const RULE: &str = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Relu\", \"x\")), OK, Op(\"Relu\", \"x\"))\n";

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
fn extents_without_a_bound_take_what_is_given() {
    let folder = prepared();
    let rows = 100_000;
    let x = Tensor { shape: vec![rows, 3], data: TensorData::F32(vec![1.0; 3 * rows]) };
    write_npy(&folder.path().join("x.npy"), &x).unwrap();
    succeeds(folder.path(), &[&["run", "model.onnx"][..], &GIVEN].concat());
    assert_eq!(read_tensor(&folder.path().join("out/y.npy")).unwrap().shape, [rows, 3]);
    let made_up = skriptnd(folder.path(), &["run", "model.onnx", "--random-inputs", "1"]);
    let said = String::from_utf8_lossy(&made_up.stderr);
    assert!(made_up.status.success() && said.contains("extent `batch` is open: random inputs take 32"), "{said}");
    let bounded = skriptnd(folder.path(), &["run", "model.onnx", "--bound", "batch=4", "--random-inputs", "1"]);
    assert!(bounded.status.success() && bounded.stderr.is_empty());
    assert!(String::from_utf8_lossy(&bounded.stdout).contains("y: real[4, 3]"));
}

#[test]
fn compiled_models_find_their_weights() {
    let folder = prepared();
    succeeds(folder.path(), &["compile", "model.onnx", "-o", "net.so"]);
    std::fs::remove_file(folder.path().join("model.onnx")).unwrap();
    succeeds(folder.path(), &[&["run", "net.so"][..], &GIVEN].concat());
    check_outputs(folder.path());
}

/// One of the tools, on a command line.
fn tool(folder: &Path, name: &str, arguments: &[&str]) -> Output {
    let link = folder.join(name);
    if !link.exists() {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_skriptnd"), &link).unwrap();
    }
    Command::new(&link).current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn tools_of_mlir_take_models() {
    let folder = prepared();
    for (name, arguments, says) in [
        ("skriptnd-opt", &["model.onnx", "--bound", "batch=4"][..], "skriptnd.graph @Net"),
        ("skriptnd-opt", &["--skriptnd-to-llvm", "model.onnx", "--value", "many=[1, 2]"], "llvm.func"),
        ("skriptnd-translate", &["--import-skriptnd", "model.onnx", "--bound=batch=4"], "skriptnd.graph @Net"),
        ("skriptnd-translate", &["--skriptnd-to-llvmir", "model.onnx", "-o", "-"], "define"),
    ] {
        let output = tool(folder.path(), name, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} {arguments:?}: {said}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(says), "{name} {arguments:?}");
    }
    for (name, arguments, says) in [
        ("skriptnd-opt", &["model.onnx", "--bound", "n=4"][..], "it has no open extent `n`"),
        ("skriptnd-opt", &["model.onnx", "--weights", "x.npy"], "x.npy"),
        ("skriptnd-translate", &["--import-skriptnd", "model.onnx", "--value", "many=[1.5, 2]"], "1.5 is no int32"),
        ("skriptnd-translate", &["--import-skriptnd", "--bound", "n=4"], "--bound is for ONNX models; none is given"),
        ("skriptnd-translate", &["--drr-to-pdl", "model.onnx"], "expected a SkriptND source or MLIR, found an ONNX"),
    ] {
        let output = tool(folder.path(), name, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(says), "{name} {arguments:?}: {said}");
    }
}

#[test]
fn outputs_that_are_inputs_or_weights_have_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<f32> = (0..24).map(|at| at as f32).collect();
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["24"])],
        output: vec![port("x", FLOAT, &["24"]), port("w", FLOAT, &["24"]), port("s_t", FLOAT, &["24"])],
        initializer: vec![floats("w", &[24], &values), floats("s.t", &[24], &values[..])],
        node: vec![node("Add", &["x", "s.t"], &["s_t"])],
        ..GraphProto::default()
    };
    std::fs::write(folder.path().join("model.onnx"), model_of(graph).encode_to_vec()).unwrap();
    let x = Tensor { shape: vec![24], data: TensorData::F32(vec![0.5; 24]) };
    write_npy(&folder.path().join("x.npy"), &x).unwrap();
    let run = ["run", "model.onnx", "--input", "x=x.npy", "--output-dir", "out", "--json"];
    let told = succeeds(folder.path(), &run);
    assert!(told.contains(r#""name":"x""#), "{told}");
    let read = |name: &str| read_tensor(&folder.path().join(name)).unwrap().data;
    assert_eq!(read("out/x.npy"), x.data);
    assert_eq!(read("out/w.npy"), TensorData::F32(values.clone()));
    assert_eq!(read("out/s_t.npy"), TensorData::F32(values.iter().map(|value| value + 0.5).collect()));
    let info = succeeds(folder.path(), &["info", "model.onnx"]);
    assert!(info.contains("outputs\n  x: real[24]\n  w: real[24]\n"), "{info}");
    succeeds(folder.path(), &["compile", "model.onnx", "-o", "model.so"]);
    succeeds(folder.path(), &["run", "model.so", "--input", "x=x.npy", "--output-dir", "compiled"]);
    assert_eq!(read("compiled/x.npy"), x.data);
}

/// Each command takes the model, or says why it does not.
#[test]
fn commands_take_models_or_say_why_not() {
    let folder = prepared();
    std::fs::write(folder.path().join("rules.htp"), RULE).unwrap();
    let x = ["--random-inputs", "1"];
    let taken = [
        &["info", "model.onnx"][..],
        &["graph", "model.onnx", "-o", "model.dot"],
        &["bench", "model.onnx", "--bind", "batch=2", "--iterations", "1"],
        &[&["compare", "model.onnx", "--bind", "batch=2"][..], &x].concat(),
    ];
    taken.iter().for_each(|arguments| drop(succeeds(folder.path(), arguments)));
    let told = succeeds(folder.path(), &["rules", "explain", "rules.htp", "--on", "model.onnx"]);
    assert!(told.contains("rules.htp:"), "{told}");
    for (arguments, says) in [
        (&["fmt", "model.onnx"][..], "`skriptnd import model.onnx -o DIR` makes DIR/main.sknd"),
        (&["rules", "test", "model.onnx"], "expected a file of HTP rules, found an ONNX model"),
    ] {
        let output = skriptnd(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(says), "{arguments:?}: {said}");
    }
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
    told(&["import", "model.onnx", "-o", "net", "--bound", "batch=-1"], 2, "a bound must not be negative");
    told(
        &["import", "model.onnx", "-o", "net", "--bound", "batch=0"],
        1,
        "the bound of `batch` is expected to be positive",
    );
    told(&["check", "model.onnx", "--value", "many=[1.5, 2]"], 1, "1.5 is no int32");
    told(&["check", "model.onnx", "--value", "many=[1, 2, 3]"], 1, "has shape [3]");
    std::fs::write(folder.path().join("cut.onnx"), &model()[..100]).unwrap();
    told(&["check", "cut.onnx"], 1, "cut.onnx: is no ONNX model, or is cut off (100 bytes)");
    std::fs::write(folder.path().join("main.sknd"), "graph G { @output { y: real[]; } @compose { y = 1.0; } }")
        .unwrap();
    told(&["check", "main.sknd", "--bound", "n=4"], 2, "--bound is for ONNX models");
    assert!(!folder.path().join("net").exists());
}
