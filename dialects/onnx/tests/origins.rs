//! What the lines of a text were made of.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, FunctionProto, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const INT64: i32 = 7;
const BOOL: i32 = 9;

fn value(name: &str, element: i32, shape: &[i64]) -> ValueInfoProto {
    let dim = shape.iter().map(|extent| DimensionProto { value: Some(Dimension::Value(*extent)) }).collect();
    let tensor = type_proto::Tensor { elem_type: element, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) }) }
}

fn node(op_type: &str, name: &str, input: &[&str], output: &[&str]) -> NodeProto {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto {
        op_type: op_type.into(),
        name: name.into(),
        input: owned(input),
        output: owned(output),
        ..NodeProto::default()
    }
}

fn weight(name: &str) -> TensorProto {
    let float_data = (0..16).map(|at| at as f32).collect();
    TensorProto { name: name.into(), dims: vec![4, 4], data_type: FLOAT, float_data, ..TensorProto::default() }
}

fn imported(graph: GraphProto, functions: Vec<FunctionProto>) -> Imported {
    let set = |domain: &str| OperatorSetIdProto { domain: domain.into(), version: 17 };
    let opset_import = vec![set(""), set("own")];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, functions, ..ModelProto::default() };
    import(&ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap(), &Options::default()).unwrap()
}

/// The first line with this text, and what it was made of.
fn told(imported: &Imported, part: &str) -> String {
    let line = imported.text.lines().position(|line| line.contains(part));
    let line = line.unwrap_or_else(|| panic!("no {part} in {}", imported.text));
    imported.origins.of_line(line).map_or("nothing".to_owned(), ToString::to_string)
}

#[test]
fn lines_are_of_nodes_and_of_what_the_model_declares() {
    let graph = GraphProto {
        input: vec![value("x.1", FLOAT, &[4, 4])],
        output: vec![value("y.1", FLOAT, &[4, 4]), value("x.1", FLOAT, &[4, 4])],
        initializer: vec![weight("fc.weight")],
        node: vec![
            node("MatMul", "/fc/MatMul", &["x.1", "fc.weight"], &["p"]),
            node("HardSwish", "", &["p"], &["y.1"]),
        ],
        ..GraphProto::default()
    };
    let imported = imported(graph, Vec::new());
    assert_eq!(told(&imported, "x_1: real"), "input `x.1`");
    assert_eq!(told(&imported, "y_1: real"), "output `y.1`");
    assert_eq!(told(&imported, "fc_weight: real"), "weight `fc.weight`");
    assert_eq!(told(&imported, "linalg.matmul"), "node `/fc/MatMul` (MatMul)");
    // A node of several statements, which has no name: what it gives stands for that.
    assert_eq!(told(&imported, "nn.hard_sigmoid"), "node `y.1` (HardSwish)");
    assert_eq!(told(&imported, "math.mul"), "node `y.1` (HardSwish)");
    assert_eq!(told(&imported, "math.iden"), "output `x.1`");
    assert_eq!(told(&imported, "graph Net"), "nothing");
}

#[test]
fn lines_of_an_operator_are_of_the_nodes_that_it_stands_for() {
    let (mut nodes, mut x) = (Vec::new(), "x".to_owned());
    for layer in 0..6 {
        for (op_type, input) in [("MatMul", "w"), ("Relu", ""), ("Tanh", ""), ("Mul", "x"), ("Sub", "x")] {
            let y = format!("{layer}{op_type}");
            let inputs = [x.as_str(), input];
            let inputs = if input.is_empty() { &inputs[..1] } else { &inputs };
            nodes.push(node(op_type, &format!("/layer.{layer}/{op_type}"), inputs, &[&y]));
            x = y;
        }
    }
    let graph = GraphProto {
        input: vec![value("x", FLOAT, &[4, 4])],
        output: vec![value(&x, FLOAT, &[4, 4])],
        initializer: vec![weight("w")],
        node: nodes,
        ..GraphProto::default()
    };
    let imported = imported(graph, Vec::new());
    assert_eq!(told(&imported, "operator layer"), "node `/layer.0/MatMul` (MatMul) and 5 more");
    assert_eq!(told(&imported, "math.tanh"), "node `/layer.0/Tanh` (Tanh) and 5 more");
    assert_eq!(told(&imported, "layer_0: layer_block("), "node `/layer.0/MatMul` (MatMul) and 4 more");
    assert_eq!(told(&imported, "layer_2: layer_block("), "node `/layer.2/MatMul` (MatMul) and 4 more");
}

#[test]
fn lines_in_loops_are_of_the_nodes_in_them() {
    let body = GraphProto {
        input: vec![value("i", INT64, &[]), value("go", BOOL, &[]), value("a", FLOAT, &[4])],
        output: vec![value("going", BOOL, &[]), value("b", FLOAT, &[4])],
        node: vec![node("Identity", "", &["go"], &["going"]), node("Exp", "inner/Exp", &["a"], &["b"])],
        ..GraphProto::default()
    };
    let mut looping = node("Loop", "outer/Loop", &["n", "", "x"], &["y"]);
    looping.attribute = vec![AttributeProto {
        name: "body".into(),
        g: Some(Box::new(body)),
        r#type: AttributeType::Graph.into(),
        ..AttributeProto::default()
    }];
    let graph = GraphProto {
        input: vec![value("n", INT64, &[]), value("x", FLOAT, &[4])],
        output: vec![value("y", FLOAT, &[4])],
        node: vec![looping],
        ..GraphProto::default()
    };
    let imported = imported(graph, Vec::new());
    assert_eq!(told(&imported, "with "), "node `outer/Loop` (Loop)");
    assert_eq!(told(&imported, "math.exp"), "node `inner/Exp` (Exp)");
    assert_eq!(told(&imported, "yield"), "node `outer/Loop` (Loop)");
}

#[test]
fn what_a_function_does_is_of_the_node_that_calls_it() {
    let function = FunctionProto {
        name: "Twice".into(),
        domain: "own".into(),
        input: vec!["a".into()],
        output: vec!["c".into()],
        node: vec![node("Exp", "e", &["a"], &["b"]), node("Neg", "n", &["b"], &["c"])],
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        ..FunctionProto::default()
    };
    let mut call = node("Twice", "/first", &["x"], &["y"]);
    call.domain = "own".into();
    let graph = GraphProto {
        input: vec![value("x", FLOAT, &[4])],
        output: vec![value("y", FLOAT, &[4])],
        node: vec![call],
        ..GraphProto::default()
    };
    let imported = imported(graph, vec![function]);
    assert_eq!(told(&imported, "math.exp"), "node `/first` (own:Twice)");
    assert_eq!(told(&imported, "math.neg"), "node `/first` (own:Twice)");
}
