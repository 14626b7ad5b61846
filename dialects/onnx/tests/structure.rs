//! Graphs in graphs, sequences, optionals and recurrent networks: what the text says of them.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const INT: i32 = 7;
const BOOL: i32 = 9;

fn tensor_type(elem_type: i32, shape: &[i64]) -> TypeProto {
    let dim = shape.iter().map(|extent| DimensionProto { value: Some(Dimension::Value(*extent)) }).collect();
    let tensor = type_proto::Tensor { elem_type, shape: Some(TensorShapeProto { dim }) };
    TypeProto { value: Some(type_proto::Value::Tensor(tensor)) }
}

fn value(name: &str, elem_type: i32, shape: &[i64]) -> ValueInfoProto {
    ValueInfoProto { name: name.into(), r#type: Some(tensor_type(elem_type, shape)) }
}

fn names(names: &[&str]) -> Vec<ValueInfoProto> {
    names.iter().map(|name| ValueInfoProto { name: (*name).into(), r#type: None }).collect()
}

fn node(op_type: &str, input: &[&str], output: &[&str], attribute: Vec<AttributeProto>) -> NodeProto {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto { op_type: op_type.into(), input: owned(input), output: owned(output), attribute, ..NodeProto::default() }
}

fn graph_attribute(name: &str, graph: GraphProto) -> AttributeProto {
    let r#type = AttributeType::Graph.into();
    AttributeProto { name: name.into(), g: Some(Box::new(graph)), r#type, ..AttributeProto::default() }
}

fn int_attribute(name: &str, i: i64) -> AttributeProto {
    AttributeProto { name: name.into(), i, r#type: AttributeType::Int.into(), ..AttributeProto::default() }
}

fn number(name: &str, data_type: i32, value: i64) -> TensorProto {
    let int64_data = if data_type == INT { vec![value] } else { Vec::new() };
    let int32_data = if data_type == BOOL { vec![value as i32] } else { Vec::new() };
    TensorProto { name: name.into(), data_type, int64_data, int32_data, ..TensorProto::default() }
}

fn imported(graph: GraphProto, options: &Options) -> Result<Imported, String> {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 18 }];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    import(&file, options).map_err(|problems| problems[0].to_string())
}

fn text(graph: GraphProto) -> String {
    imported(graph, &Options::default()).unwrap().text
}

fn unary(op_type: &str, from: &str, to: &str) -> GraphProto {
    GraphProto { node: vec![node(op_type, &[from], &[to], vec![])], output: names(&[to]), ..GraphProto::default() }
}

fn branches(then: GraphProto, otherwise: GraphProto) -> NodeProto {
    let attributes = vec![graph_attribute("then_branch", then), graph_attribute("else_branch", otherwise)];
    node("If", &["c"], &["y"], attributes)
}

#[test]
fn a_known_condition_leaves_one_branch() {
    let graph = GraphProto {
        node: vec![branches(unary("Relu", "x", "a"), unary("NoSuchOperator", "x", "b"))],
        initializer: vec![number("c", BOOL, 1)],
        input: vec![value("x", FLOAT, &[2])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let text = text(graph);
    assert!(text.contains("nn.relu(x)") && !text.contains("if "), "{text}");
}

#[test]
fn branches_of_other_extents_have_what_data_tell() {
    let graph = GraphProto {
        node: vec![branches(unary("Relu", "x", "a"), unary("Neg", "z", "b"))],
        input: vec![value("c", BOOL, &[]), value("x", FLOAT, &[2]), value("z", FLOAT, &[5])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let text = text(graph);
    assert!(text.contains("y: real[~|5]") && text.contains("y = if c then {"), "{text}");
}

#[test]
fn branches_of_other_ranks_are_refused() {
    let graph = GraphProto {
        node: vec![branches(unary("Relu", "x", "a"), unary("Neg", "z", "b"))],
        input: vec![value("c", BOOL, &[]), value("x", FLOAT, &[2]), value("z", FLOAT, &[5, 1])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let error = imported(graph, &Options::default()).unwrap_err();
    assert_eq!(
        error,
        "node `y` (If): its branches give float with 1 dimensions and float with 2 dimensions, and only a run knows \
         which: give the condition by `--value`"
    );
}

/// A loop that adds `x` to what it carries, by an operator of two operands.
fn repeated(op_type: &str) -> NodeProto {
    let joined = node(op_type, &["v", "x"], &["w"], vec![int_attribute("axis", 0)]);
    let body = GraphProto {
        node: vec![joined, node("Identity", &["going"], &["goes_on"], vec![])],
        input: names(&["i", "going", "v"]),
        output: names(&["goes_on", "w"]),
        ..GraphProto::default()
    };
    node("Loop", &["m", "", "x"], &["y"], vec![graph_attribute("body", body)])
}

#[test]
fn a_number_of_iterations_from_data_makes_a_loop() {
    let graph = GraphProto {
        node: vec![repeated("Add")],
        input: vec![value("x", FLOAT, &[2]), value("m", INT, &[])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let text = text(graph);
    assert!(text.contains("with v: real[2] = x do..(index -> "), "{text}");
}

#[test]
fn what_grows_has_a_bound() {
    let graph = |initializer| GraphProto {
        node: vec![repeated("Concat")],
        initializer,
        input: vec![value("x", FLOAT, &[2]), value("m", INT, &[])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let options = Options { bounds: [("m".to_owned(), 4)].into(), ..Options::default() };
    let open = imported(graph(vec![]), &options).unwrap().text;
    assert!(open.contains("with v: real[~|10] = x") && open.contains("y: real[~|10]"), "{open}");
    // A few iterations are written out: then the extents are known.
    let known = text(graph(vec![number("m", INT, 3)]));
    assert!(known.contains(": real[8]") && !known.contains("with"), "{known}");
}

#[test]
fn sequences_and_optionals_dissolve() {
    let graph = GraphProto {
        node: vec![
            node("SequenceConstruct", &["x", "z"], &["s"], vec![]),
            node("Optional", &["s"], &["o"], vec![]),
            node("OptionalGetElement", &["o"], &["t"], vec![]),
            node("SequenceAt", &["t", "last"], &["a"], vec![]),
            node("Relu", &["a"], &["y"], vec![]),
        ],
        initializer: vec![number("last", INT, -1)],
        input: vec![value("x", FLOAT, &[2]), value("z", FLOAT, &[3])],
        output: names(&["y", "s"]),
        ..GraphProto::default()
    };
    let imported = imported(graph, &Options::default()).unwrap();
    assert!(imported.text.contains("y = nn.relu(z);"), "{}", imported.text);
    let items: Vec<Option<usize>> = imported.outputs.iter().map(|port| port.item).collect();
    assert_eq!(items, [None, Some(0), Some(1)]);
}

#[test]
fn recurrent_networks_are_those_of_the_library_where_they_can_be() {
    let graph = |attributes| GraphProto {
        node: vec![node("LSTM", &["x", "w", "r"], &["y"], attributes)],
        input: vec![value("x", FLOAT, &[5, 1, 3]), value("w", FLOAT, &[1, 16, 3]), value("r", FLOAT, &[1, 16, 4])],
        output: names(&["y"]),
        ..GraphProto::default()
    };
    let plain = text(graph(vec![]));
    assert!(plain.contains("nn.lstm(x, ") && plain.contains("y: real[5, 1, 1, 4]"), "{plain}");
    let coupled = text(graph(vec![int_attribute("input_forget", 1)]));
    assert!(coupled.contains("onnx.lstm{input_forget=true}(x, "), "{coupled}");
}
