//! Whole numbers of 64 bits without a sign.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const UINT64: i32 = 13;

fn value(name: &str) -> ValueInfoProto {
    let dim = vec![DimensionProto { value: Some(Dimension::Value(3)) }];
    let tensor = type_proto::Tensor { elem_type: UINT64, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) }) }
}

fn imported(node: NodeProto, initializer: Vec<TensorProto>) -> Imported {
    let graph = GraphProto {
        input: vec![value("a"), value("b")],
        output: vec![ValueInfoProto { name: "y".into(), r#type: None }],
        node: vec![NodeProto { name: "/n".into(), output: vec!["y".into()], ..node }],
        initializer,
        ..GraphProto::default()
    };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    import(&ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap(), &Options::default()).unwrap()
}

fn node(op_type: &str, input: &[&str]) -> NodeProto {
    let input = input.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input, ..NodeProto::default() }
}

#[test]
fn what_takes_them_for_negative_is_told() {
    let warnings = |op_type: &str| -> Vec<String> {
        imported(node(op_type, &["a"]), Vec::new()).warnings.iter().map(ToString::to_string).collect()
    };
    let told =
        "node `/n` (ReduceMax): its elements are uint64, of which those from 2^63 on are taken for negative numbers";
    assert_eq!(warnings("ReduceMax"), [told]);
    assert_eq!(warnings("ReduceSum"), [""; 0]);
}

#[test]
fn order_and_division_are_those_of_numbers_without_a_sign() {
    for (op_type, operator) in [("Less", "math.xor"), ("Max", "math.select"), ("Div", "onnx.shift_right")] {
        let made = imported(node(op_type, &["a", "b"]), Vec::new());
        assert!(made.text.contains(operator) && made.warnings.is_empty(), "{}", made.text);
    }
    // What has no order is as cheap as with a sign.
    assert!(imported(node("Equal", &["a", "b"]), Vec::new()).text.contains("y = math.eq(a, b);"));
}

#[test]
fn what_is_known_is_not_taken_for_negative() {
    let great = |value: u64| TensorProto {
        name: "great".into(),
        dims: vec![1],
        data_type: UINT64,
        uint64_data: vec![value],
        ..TensorProto::default()
    };
    let r#type = AttributeType::Int.into();
    let to = AttributeProto { name: "to".into(), i: FLOAT.into(), r#type, ..AttributeProto::default() };
    let cast = |value: u64| {
        imported(NodeProto { attribute: vec![to.clone()], ..node("Cast", &["great"]) }, vec![great(value)])
    };
    let (small, large) = (cast(5).text, cast(u64::MAX).text);
    assert!(!small.contains("layout.cast") && small.contains("5.0"), "{small}");
    assert!(large.contains("math.select"), "{large}");
}
