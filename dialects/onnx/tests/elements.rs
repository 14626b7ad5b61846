//! What the text says of types of elements that the language has not.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const FLOAT16: i32 = 10;
const BFLOAT16: i32 = 16;

fn vector(name: &str, elem_type: i32, extent: i64) -> ValueInfoProto {
    let dimension = DimensionProto { value: Some(Dimension::Value(extent)) };
    let shape = Some(TensorShapeProto { dim: vec![dimension] });
    let value = Some(type_proto::Value::Tensor(type_proto::Tensor { elem_type, shape }));
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value }) }
}

fn node(op_type: &str, inputs: &[&str], output: &str) -> NodeProto {
    let input = inputs.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input, output: vec![output.into()], ..NodeProto::default() }
}

/// The statements of a graph from `x` of 4 elements, and their extent in the result, to `y`.
fn statements(element: i32, nodes: Vec<NodeProto>, extent: i64) -> String {
    let graph = GraphProto {
        input: vec![vector("x", element, 4)],
        output: vec![vector("y", element, extent)],
        node: nodes,
        ..GraphProto::default()
    };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 18 }];
    let model = ModelProto { ir_version: 10, opset_import, graph: Some(graph), ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    let text = import(&file, &Options::default()).unwrap().text;
    let (_, composed) = text.split_once("@compose {\n").unwrap();
    composed.lines().map(str::trim).take_while(|line| *line != "}").collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_computed_is_rounded() {
    let square = || vec![node("Mul", &["x", "x"], "y")];
    assert_eq!(statements(FLOAT16, square(), 4), "tmp = math.mul(x, x);\ny = onnx.round_f16(tmp);");
    assert_eq!(statements(BFLOAT16, square(), 4), "tmp = math.mul(x, x);\ny = onnx.round_bf16(tmp);");
    assert_eq!(statements(FLOAT, square(), 4), "y = math.mul(x, x);");
}

#[test]
fn what_is_moved_is_not_rounded() {
    let nodes = vec![node("Relu", &["x"], "a"), node("Concat", &["a", "x"], "b"), node("Neg", &["b"], "y")];
    let joined = AttributeProto { name: "axis".into(), r#type: AttributeType::Int as i32, ..AttributeProto::default() };
    let mut nodes = nodes;
    nodes[1].attribute.push(joined);
    assert!(!statements(FLOAT16, nodes, 8).contains("onnx.round"));
    // In inference it gives what it takes.
    let nodes = vec![node("Dropout", &["x"], "a"), node("Neg", &["a"], "y")];
    assert_eq!(statements(FLOAT16, nodes, 4), "y = math.neg(x);");
}

#[test]
fn what_is_known_is_rounded_at_once() {
    let third = TensorProto { dims: vec![], data_type: FLOAT, float_data: vec![1.0 / 3.0], ..TensorProto::default() };
    let mut constant = node("Constant", &[], "c");
    let (r#type, t) = (AttributeType::Tensor as i32, Some(Box::new(third)));
    constant.attribute.push(AttributeProto { name: "value".into(), t, r#type, ..AttributeProto::default() });
    let mut cast = node("Cast", &["c"], "h");
    let (r#type, i) = (AttributeType::Int as i32, i64::from(FLOAT16));
    cast.attribute.push(AttributeProto { name: "to".into(), i, r#type, ..AttributeProto::default() });
    let nodes = vec![constant, cast, node("Max", &["x", "h"], "y")];
    assert_eq!(statements(FLOAT16, nodes, 4), "y = math.max(x, 0.333251953125);");
}
