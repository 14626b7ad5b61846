//! What the text calls what a model names: its inputs and outputs come first to their names.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, Port, import};
use std::path::Path;

const FLOAT: i32 = 1;

fn typed(value: type_proto::Value) -> TypeProto {
    TypeProto { value: Some(value) }
}

/// A tensor of rank 1; an extent that is no number is a symbol.
fn vector(name: &str, extent: &str) -> ValueInfoProto {
    let value = Some(extent.parse().map_or_else(|_| Dimension::Param(extent.into()), Dimension::Value));
    let shape = Some(TensorShapeProto { dim: vec![DimensionProto { value }] });
    let tensor = type_proto::Tensor { elem_type: FLOAT, shape };
    ValueInfoProto { name: name.into(), r#type: Some(typed(type_proto::Value::Tensor(tensor))) }
}

fn node(op_type: &str, inputs: &[&str], output: &str) -> NodeProto {
    let input = inputs.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input, output: vec![output.into()], ..NodeProto::default() }
}

fn weights(name: &str, values: &[f32]) -> TensorProto {
    let dims = vec![values.len() as i64];
    TensorProto { name: name.into(), dims, data_type: FLOAT, float_data: values.to_vec(), ..TensorProto::default() }
}

/// Weights that stand in a file, as the text has only few.
fn many(name: &str) -> TensorProto {
    weights(name, &(0..100).map(|at| at as f32).collect::<Vec<_>>())
}

fn branch(name: &str, graph: GraphProto) -> AttributeProto {
    let r#type = AttributeType::Graph.into();
    AttributeProto { name: name.into(), g: Some(Box::new(graph)), r#type, ..AttributeProto::default() }
}

fn imported(graph: GraphProto) -> Imported {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 18 }];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    import(&file, &Options::default()).unwrap()
}

fn called(ports: &[Port]) -> Vec<&str> {
    ports.iter().map(|port| port.name.as_str()).collect()
}

#[test]
fn weights_and_inner_tensors_give_way() {
    let made = imported(GraphProto {
        input: vec![vector("x", "100")],
        output: vec![vector("a_b", "100"), vector("c_d", "100")],
        initializer: vec![many("a.b")],
        node: vec![node("Add", &["x", "a.b"], "c/d"), node("Relu", &["c/d"], "a_b"), node("Neg", &["c/d"], "c_d")],
        ..GraphProto::default()
    });
    assert_eq!(called(&made.outputs), ["a_b", "c_d"], "{}", made.text);
    assert_eq!(made.weights[0].0, "a_b_2");
    assert!(made.text.contains("c_d_2 = math.add(x, a_b_2);"), "{}", made.text);
}

#[test]
fn symbols_of_extents_give_way() {
    let made = imported(GraphProto {
        input: vec![vector("x", "n"), vector("n", "m")],
        output: vec![vector("m", "m"), vector("y", "n")],
        node: vec![node("Relu", &["n"], "m"), node("Relu", &["x"], "y")],
        ..GraphProto::default()
    });
    assert_eq!((called(&made.inputs), called(&made.outputs)), (vec!["x", "n"], vec!["m", "y"]), "{}", made.text);
    assert!(
        made.text.contains("x: real[n_2|2147483647];") && made.text.contains("n: real[m_2|2147483647];"),
        "{}",
        made.text
    );
}

#[test]
fn inputs_and_weights_that_are_outputs_are_copied() {
    let made = imported(GraphProto {
        input: vec![vector("x", "100")],
        output: vec![vector("x", "100"), vector("w", "100"), vector("y", "100"), vector("z", "100")],
        initializer: vec![many("w")],
        node: vec![node("Add", &["x", "w"], "y"), node("Identity", &["y"], "z")],
        ..GraphProto::default()
    });
    assert_eq!(called(&made.inputs), ["x"]);
    // The language has one name for one tensor: that of the output is another.
    assert_eq!(called(&made.outputs), ["x_2", "w", "y", "z"], "{}", made.text);
    assert_eq!(made.weights[0].0, "w_2");
}

#[test]
fn outputs_of_branches_and_functions_have_their_names() {
    let inner = |operator: &str| GraphProto {
        node: vec![node(operator, &["x"], "y"), node("Neg", &["y"], "out")],
        output: vec![ValueInfoProto { name: "out".into(), r#type: None }],
        ..GraphProto::default()
    };
    let condition = ValueInfoProto {
        name: "c".into(),
        r#type: Some(typed(type_proto::Value::Tensor(type_proto::Tensor {
            elem_type: 9,
            shape: Some(TensorShapeProto { dim: Vec::new() }),
        }))),
    };
    let attribute = vec![branch("then_branch", inner("Relu")), branch("else_branch", inner("Exp"))];
    let made = imported(GraphProto {
        input: vec![vector("x", "n"), condition],
        output: vec![vector("y", "n"), vector("z", "n")],
        node: vec![NodeProto { attribute, ..node("If", &["c"], "y") }, node("Exp", &["y"], "z")],
        ..GraphProto::default()
    });
    assert_eq!(called(&made.outputs), ["y", "z"], "{}", made.text);
    assert!(made.text.contains("z = math.exp(y);"), "{}", made.text);
}

#[test]
fn what_a_scan_gives_is_named_once() {
    let scalar = |name: &str| ValueInfoProto { name: name.into(), r#type: None };
    let body = GraphProto {
        input: vec![scalar("before"), scalar("item")],
        output: vec![scalar("after"), scalar("copy")],
        node: vec![node("Add", &["before", "item"], "after"), node("Identity", &["after"], "copy")],
        ..GraphProto::default()
    };
    let matrix = |name: &str, extents: &[i64]| {
        let dim = extents.iter().map(|extent| DimensionProto { value: Some(Dimension::Value(*extent)) }).collect();
        let tensor = type_proto::Tensor { elem_type: FLOAT, shape: Some(TensorShapeProto { dim }) };
        ValueInfoProto { name: name.into(), r#type: Some(typed(type_proto::Value::Tensor(tensor))) }
    };
    let count = AttributeProto {
        name: "num_scan_inputs".into(),
        i: 1,
        r#type: AttributeType::Int.into(),
        ..AttributeProto::default()
    };
    let attribute = vec![branch("body", body), count];
    let output = vec!["y".into(), "z".into()];
    let scan = NodeProto { attribute, output, ..node("Scan", &["", "first", "x"], "y") };
    let graph = GraphProto {
        input: vec![matrix("first", &[1, 2]), matrix("x", &[1, 3, 2])],
        output: vec![matrix("y", &[1, 2]), matrix("z", &[1, 3, 2])],
        node: vec![scan],
        ..GraphProto::default()
    };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 8 }];
    let model = ModelProto { ir_version: 3, graph: Some(graph), opset_import, ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    let made = import(&file, &Options::default()).unwrap();
    assert_eq!(called(&made.outputs), ["y", "z"], "{}", made.text);
    for name in ["y", "z"] {
        let given = format!(" {name} = ");
        assert_eq!(made.text.matches(&given).count(), 1, "{}", made.text);
        assert!(!made.text.contains(&format!(" {name}, ")), "{}", made.text);
    }
}

#[test]
fn items_have_the_numbers_of_their_places() {
    let sequence = ValueInfoProto { name: "s".into(), r#type: None };
    let made = imported(GraphProto {
        input: vec![vector("x", "4")],
        output: vec![sequence, vector("s_0", "4")],
        node: vec![node("Relu", &["x"], "s_0"), node("Neg", &["x"], "b"), node("SequenceConstruct", &["b", "x"], "s")],
        ..GraphProto::default()
    });
    assert_eq!(called(&made.outputs), ["s_0_2", "s_1", "s_0"], "{}", made.text);
}
