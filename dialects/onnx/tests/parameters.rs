//! Which tensors that a model holds are variables of the text, and which stand in it.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const INT64: i32 = 7;

fn value(name: &str, element: i32, shape: &[i64]) -> ValueInfoProto {
    let dim = shape.iter().map(|extent| DimensionProto { value: Some(Dimension::Value(*extent)) }).collect();
    let tensor = type_proto::Tensor { elem_type: element, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) }) }
}

fn node(op_type: &str, input: &[&str], output: &str) -> NodeProto {
    let input = input.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input, output: vec![output.into()], ..NodeProto::default() }
}

fn reals(name: &str, dims: &[i64], float_data: &[f32]) -> TensorProto {
    let (dims, float_data) = (dims.to_vec(), float_data.to_vec());
    TensorProto { name: name.into(), dims, data_type: FLOAT, float_data, ..TensorProto::default() }
}

fn ints(name: &str, values: &[i64]) -> TensorProto {
    let (dims, int64_data) = (vec![values.len() as i64], values.to_vec());
    TensorProto { name: name.into(), dims, data_type: INT64, int64_data, ..TensorProto::default() }
}

fn imported(graph: GraphProto) -> Imported {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    import(&ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap(), &Options::default()).unwrap()
}

/// What a graph of one input holds, and its text.
fn kept(nodes: Vec<NodeProto>, initializer: Vec<TensorProto>) -> (Vec<String>, String) {
    let output = vec![ValueInfoProto { name: nodes.last().unwrap().output[0].clone(), r#type: None }];
    let input = vec![value("x", FLOAT, &[1, 2, 4, 4])];
    let imported = imported(GraphProto { input, output, initializer, node: nodes, ..GraphProto::default() });
    (imported.weights.iter().map(|(name, _)| name.clone()).collect(), imported.text)
}

#[test]
fn weights_of_few_elements_are_variables() {
    let nodes = vec![
        node("Conv", &["x", "conv.weight", "conv.bias"], "c"),
        node("BatchNormalization", &["c", "bn.weight", "bn.bias", "bn.mean", "bn.var"], "n"),
        node("PRelu", &["n", "slope"], "p"),
        node("Mul", &["p", "gamma"], "y"),
    ];
    // Those of a network that was not trained are all the same.
    let weights = vec![
        reals("conv.weight", &[2, 2, 1, 1], &[0.5; 4]),
        reals("conv.bias", &[2], &[0.0; 2]),
        reals("bn.weight", &[2], &[1.0; 2]),
        reals("bn.bias", &[2], &[0.0; 2]),
        reals("bn.mean", &[2], &[0.0, 0.5]),
        reals("bn.var", &[2], &[1.0; 2]),
        reals("slope", &[2, 1, 1], &[0.25; 2]),
        reals("gamma", &[2, 1, 1], &[1.0, 2.0]),
    ];
    let (names, text) = kept(nodes, weights);
    let expected =
        ["conv_weight", "conv_bias", "bn_mean", "bn_var", "bn_bias", "bn_weight", "slope", "gamma"].map(str::to_owned);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_eq!(sorted(names), sorted(expected.to_vec()), "{text}");
}

#[test]
fn normalization_that_was_not_trained_has_its_weights() {
    let nodes = vec![node("LayerNormalization", &["x", "ln.weight", "ln.bias"], "y")];
    let (names, text) = kept(nodes, vec![reals("ln.weight", &[4], &[1.0; 4]), reals("ln.bias", &[4], &[0.0; 4])]);
    assert_eq!(names, ["ln_weight", "ln_bias"], "{text}");
}

#[test]
fn shapes_limits_and_what_exporters_made_stand_in_the_text() {
    let nodes = vec![
        node("Mul", &["x", "onnx::Mul_7"], "m"),
        node("Add", &["m", "one"], "a"),
        node("Clip", &["a", "least", ""], "c"),
        node("Reshape", &["c", "shape"], "y"),
    ];
    let weights = vec![
        reals("onnx::Mul_7", &[2, 1, 1], &[2.0, 3.0]),
        reals("one", &[1], &[1.0]),
        reals("least", &[], &[0.5]),
        ints("shape", &[2, 16]),
    ];
    let (names, text) = kept(nodes, weights);
    // Those with several dimensions are variables, as ever.
    assert_eq!(names, ["onnx__Mul_7"], "{text}");
    assert!(text.contains("math.add(m, 1.0)") && text.contains("[2, 16]"), "{text}");
}
