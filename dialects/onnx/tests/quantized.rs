//! What the text says of operators on whole numbers that stand for reals, and of activations beside what the library has.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const UINT8: i32 = 2;
const INT64: i32 = 7;
const BOOL: i32 = 9;

fn port(name: &str, elem_type: i32, extents: &[i64]) -> ValueInfoProto {
    let dimension = |extent: &i64| DimensionProto { value: Some(Dimension::Value(*extent)) };
    let shape = Some(TensorShapeProto { dim: extents.iter().map(dimension).collect() });
    let value = Some(type_proto::Value::Tensor(type_proto::Tensor { elem_type, shape }));
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value }) }
}

fn int(name: &str, i: i64) -> AttributeProto {
    AttributeProto { name: name.into(), i, r#type: AttributeType::Int as i32, ..AttributeProto::default() }
}

fn real(name: &str, f: f32) -> AttributeProto {
    AttributeProto { name: name.into(), f, r#type: AttributeType::Float as i32, ..AttributeProto::default() }
}

fn bytes(name: &str, dims: &[i64], values: &[u8]) -> TensorProto {
    let raw_data = values.to_vec().into();
    TensorProto { name: name.into(), dims: dims.to_vec(), data_type: UINT8, raw_data, ..TensorProto::default() }
}

fn scale(name: &str, value: f32) -> TensorProto {
    TensorProto { name: name.into(), data_type: FLOAT, float_data: vec![value], ..TensorProto::default() }
}

/// The statements of a graph of one node.
fn statements(
    (operator, operands): (&str, &[&str]),
    attribute: Vec<AttributeProto>,
    input: Vec<ValueInfoProto>,
    initializer: Vec<TensorProto>,
    output: ValueInfoProto,
) -> Vec<String> {
    let (domain, op_type) = operator.rsplit_once(':').unwrap_or(("", operator));
    let node = NodeProto {
        op_type: op_type.into(),
        domain: domain.into(),
        input: operands.iter().map(|name| (*name).into()).collect(),
        output: vec![output.name.clone()],
        attribute,
        ..NodeProto::default()
    };
    let graph = GraphProto { input, output: vec![output], initializer, node: vec![node], ..GraphProto::default() };
    let domain = |domain: &str, version: i64| OperatorSetIdProto { domain: domain.into(), version };
    let opset_import = vec![domain("", 18), domain("com.microsoft", 1)];
    let model = ModelProto { ir_version: 10, opset_import, graph: Some(graph), ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    let text = import(&file, &Options::default()).unwrap_or_else(|problems| panic!("{}", problems[0])).text;
    let (_, composed) = text.split_once("@compose {\n").unwrap();
    composed.lines().map(|line| line.trim().to_owned()).take_while(|line| line != "}").collect()
}

fn activation(operator: &str, alpha: f32) -> Vec<String> {
    let (input, output) = (vec![port("x", FLOAT, &[4])], port("y", FLOAT, &[4]));
    statements((operator, &["x"]), vec![real("alpha", alpha)], input, vec![], output)
}

#[test]
fn activations_have_any_slope_and_limit() {
    assert_eq!(activation("LeakyRelu", 0.5), ["y = nn.relu{alpha=0.5}(x);"]);
    assert_eq!(activation("ThresholdedRelu", 0.5), ["y = nn.thresholded_relu{theta=0.5}(x);"]);
    for alpha in [-0.5, 1.5] {
        let negative = ["tmp_2 = math.lt(x, 0.0);", "y = math.select(tmp_2, tmp, x);"];
        let lines = [&[format!("tmp = math.mul(x, {alpha:?});")][..], &negative.map(String::from)].concat();
        assert_eq!(activation("LeakyRelu", alpha), lines);
    }
    let lines = ["tmp = math.gt(x, -0.5);", "y = math.select(tmp, x, 0.0);"];
    assert_eq!(activation("ThresholdedRelu", -0.5), lines);
}

#[test]
fn what_is_chosen_is_of_the_scale_of_the_result() {
    let input = vec![port("c", BOOL, &[4]), port("x", UINT8, &[4]), port("z", UINT8, &[4])];
    let initializer = vec![scale("s", 0.5), scale("t", 0.25), bytes("b", &[], &[7])];
    let operator = ("com.microsoft:QLinearWhere", &["c", "x", "s", "b", "z", "t", "b", "s", "b"][..]);
    let lines = statements(operator, vec![], input, initializer, port("y", UINT8, &[4]));
    let expected = [
        "tmp = onnx.dequantize(x, 0.5, 7);",
        "tmp_2 = onnx.dequantize(z, 0.25, 7);",
        "tmp_3 = math.select(c, tmp, tmp_2);",
        "y = onnx.quantize{least=0, most=255}(tmp_3, 0.5, 7);",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn queries_keys_and_values_are_products_of_bytes() {
    let input = vec![port("x", UINT8, &[1, 3, 4]), port("b", FLOAT, &[12])];
    let initializer = vec![
        bytes("w", &[4, 12], &std::array::from_fn::<u8, 48, _>(|at| at as u8)),
        scale("s", 0.5),
        bytes("z", &[], &[7]),
    ];
    let operator = ("com.microsoft:QAttention", &["x", "w", "b", "s", "s", "", "z", "z"][..]);
    let lines = statements(operator, vec![int("num_heads", 2)], input, initializer, port("y", FLOAT, &[1, 3, 4]));
    let begin = ["tmp = math.sub(x, 7);", "tmp_2 = math.sub(w, 7);", "tmp_3 = linalg.matmul(tmp, tmp_2);"];
    assert_eq!(lines[..3], begin);
    assert!(lines.iter().any(|line| line.contains("softmax")), "{lines:#?}");
}

#[test]
fn rows_are_taken_before_they_are_reals() {
    let (input, output) = (vec![port("i", INT64, &[2])], port("y", FLOAT, &[2, 32]));
    let scales = TensorProto {
        name: "s".into(),
        dims: vec![3, 2],
        data_type: FLOAT,
        float_data: vec![0.5, 0.25, 1.0, 2.0, 3.0, 4.0],
        ..TensorProto::default()
    };
    let initializer = vec![bytes("w", &[3, 16], &[0x21; 48]), scales];
    let operator = ("com.microsoft:GatherBlockQuantized", &["w", "i", "s"][..]);
    let lines = statements(operator, vec![int("block_size", 16)], input, initializer, output);
    assert_eq!(lines[..2], ["tmp = layout.gather{axis=0}(s, i);", "tmp_2 = layout.gather{axis=0}(w, i);"]);
    // Bytes without a zero lie around 8.
    let last = lines.last().unwrap();
    assert!(last.starts_with("y = onnx.dequantize(tmp_2, ") && last.ends_with(", 8);"), "{last}");
}

#[test]
fn pools_may_have_channels_behind_their_windows() {
    let (input, output) = (vec![port("x", UINT8, &[1, 4, 4, 3])], port("y", UINT8, &[1, 3, 3, 3]));
    let kernel = AttributeProto {
        name: "kernel_shape".into(),
        ints: vec![2, 2],
        r#type: AttributeType::Ints as i32,
        ..AttributeProto::default()
    };
    let lines = statements(("com.microsoft:NhwcMaxPool", &["x"]), vec![kernel], input, vec![], output);
    assert_eq!(lines[0], "tmp = layout.transpose{perm=[0, 3, 1, 2]}(x);");
    assert!(lines.last().unwrap().starts_with("y = layout.transpose{perm=[0, 2, 3, 1]}("), "{lines:#?}");
}
