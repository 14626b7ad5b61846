//! Operators for what is repeated in a model: where they begin and end, what they take and give.

use prost::Message;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    StringStringEntryProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

fn value(name: &str, shape: &[Dimension]) -> ValueInfoProto {
    let dim = shape.iter().map(|extent| DimensionProto { value: Some(extent.clone()) }).collect();
    let tensor = type_proto::Tensor { elem_type: 1, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) }) }
}

fn weight(name: &str, dims: &[i64]) -> TensorProto {
    let count = dims.iter().product::<i64>();
    // Those that are all the same would be constants of the text.
    let float_data = (0..count).map(|at| at as f32 + name.len() as f32).collect();
    TensorProto { name: name.into(), dims: dims.to_vec(), data_type: 1, float_data, ..TensorProto::default() }
}

/// A node that gives what it is called, `/layer.0/Add` as `layer.0.Add`.
fn node(op_type: &str, name: &str, input: &[&str], attribute: Vec<AttributeProto>) -> NodeProto {
    let input = input.iter().map(|name| (*name).to_owned()).collect();
    let output = vec![name.trim_start_matches('/').replace('/', ".")];
    NodeProto { op_type: op_type.into(), name: name.into(), input, output, attribute, ..NodeProto::default() }
}

fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    let r#type = AttributeType::Ints.into();
    AttributeProto { name: name.into(), ints: ints.to_vec(), r#type, ..AttributeProto::default() }
}

fn imported(graph: GraphProto, options: &Options) -> Imported {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    import(&file, options).unwrap()
}

fn text(graph: GraphProto) -> String {
    imported(graph, &Options::default()).text
}

/// A graph of one input, which gives what its last node does.
fn graph(shape: &[Dimension], initializer: Vec<TensorProto>, node: Vec<NodeProto>) -> GraphProto {
    let output = vec![ValueInfoProto { name: node.last().unwrap().output[0].clone(), r#type: None }];
    GraphProto { node, initializer, input: vec![value("x", shape)], output, ..GraphProto::default() }
}

/// What each line of a section of an operator or graph says.
fn section<'t>(text: &'t str, of: &str, name: &str) -> Vec<&'t str> {
    let inside = &text[text.find(of).unwrap_or_else(|| panic!("no {of} in {text}"))..];
    let lines = inside.lines().take_while(|line| *line != "}").skip_while(|line| line.trim() != format!("@{name} {{"));
    lines.skip(1).take_while(|line| *line != "    }").map(str::trim).collect()
}

const SHAPE: [Dimension; 2] = [Dimension::Value(3), Dimension::Value(12)];

/// A layer of a perceptron with what is behind it: `relu(x w + b) x`.
fn layer(path: &str, x: &str) -> (Vec<NodeProto>, Vec<TensorProto>) {
    let (w, b) = (format!("{path}.w"), format!("{path}.b"));
    let given = |name: &str| format!("{path}.{name}").trim_start_matches('/').replace('/', ".");
    let (product, sum, relu) = (given("MatMul"), given("Add"), given("Relu"));
    let at = |name: &str| format!("{path}/{name}");
    let nodes = vec![
        node("MatMul", &at("MatMul"), &[x, &w], vec![]),
        node("Add", &at("Add"), &[&product, &b], vec![]),
        node("Relu", &at("Relu"), &[&sum], vec![]),
        node("Mul", &at("Mul"), &[&relu, x], vec![]),
        node("Tanh", &at("Tanh"), &[&given("Mul")], vec![]),
        node("Sub", &at("Sub"), &[&given("Tanh"), x], vec![]),
    ];
    (nodes, vec![weight(&w, &[12, 12]), weight(&b, &[12])])
}

/// So many layers; their paths are numbered.
fn layers(count: usize, path: impl Fn(usize) -> String) -> (Vec<NodeProto>, Vec<TensorProto>) {
    let (mut nodes, mut weights) = (Vec::new(), Vec::new());
    let mut x = "x".to_owned();
    for at in 0..count {
        let (made, taken) = layer(&path(at), &x);
        x = made.last().unwrap().output[0].clone();
        nodes.extend(made);
        weights.extend(taken);
    }
    (nodes, weights)
}

#[test]
fn layers_of_modules_become_an_operator() {
    let (nodes, weights) = layers(6, |at| format!("/encoder/stack.{at}"));
    let made = imported(graph(&SHAPE, weights, nodes), &Options::default());
    let text = &made.text;
    assert_eq!(
        section(text, "operator stack", "input"),
        ["x: real[3, 12];", "w: real[12, 12];", "b: real[12];"],
        "{text}"
    );
    assert_eq!(section(text, "operator stack", "output"), ["Sub: real[3, 12];"]);
    assert_eq!(
        section(text, "operator stack", "compose"),
        [
            "MatMul = linalg.matmul(x, w);",
            "Add = math.add(MatMul, b);",
            "Relu = nn.relu(Add);",
            "Mul = math.mul(Relu, x);",
            "Tanh = math.tanh(Mul);",
            "Sub = math.sub(Tanh, x);",
        ]
    );
    let applications = section(text, "graph Net", "compose");
    assert_eq!(applications.len(), 6);
    assert_eq!(
        applications[1],
        "encoder_stack_1_Sub = encoder_stack_1: stack(encoder_stack_0_Sub, encoder_stack_1_w, encoder_stack_1_b);"
    );
    // Weights and outputs are called like the model's.
    let names: Vec<&str> = made.weights.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names.len(), names[2]), (12, "encoder_stack_1_w"));
    assert_eq!(made.outputs[0].name, "encoder_stack_5_Sub");
}

#[test]
fn layers_are_found_without_modules() {
    let (mut nodes, weights) = layers(6, |at| format!("stack.{at}"));
    nodes.iter_mut().for_each(|node| node.name.clear());
    let text = text(graph(&SHAPE, weights, nodes));
    // What the nodes give begins with a word in common.
    assert_eq!(section(&text, "operator stack", "compose").len(), 6, "{text}");
    let applications = section(&text, "graph Net", "compose");
    assert_eq!(applications[0], "stack_0_Sub = stack(x, stack_0_w, stack_0_b);");
    assert_eq!(applications.len(), 6);
}

#[test]
fn layers_without_names_are_called_by_what_they_do() {
    let (mut nodes, weights) = layers(6, |at| format!("{at}"));
    nodes.iter_mut().for_each(|node| node.name.clear());
    let text = text(graph(&SHAPE, weights, nodes));
    assert_eq!(section(&text, "operator matmul_add_relu", "compose").len(), 6, "{text}");
}

#[test]
fn what_is_not_repeated_stays() {
    let (nodes, weights) = layers(1, |at| format!("/stack.{at}"));
    assert!(!text(graph(&SHAPE, weights, nodes)).contains("operator"));
    // Two are not shorter as an operator.
    let (nodes, weights) = layers(2, |at| format!("/stack.{at}"));
    assert!(!text(graph(&SHAPE, weights, nodes)).contains("operator"));
}

#[test]
fn nothing_is_put_together_where_that_is_not_asked_for() {
    let (nodes, weights) = layers(6, |at| format!("/stack.{at}"));
    let graph = graph(&SHAPE, weights, nodes);
    for options in
        [Options { is_flat: true, ..Options::default() }, Options { keeps_results: true, ..Options::default() }]
    {
        let text = imported(graph.clone(), &options).text;
        assert!(!text.contains("operator") && text.contains("stack_3_Relu = "), "{text}");
    }
}

#[test]
fn open_extents_are_told_by_inputs() {
    let (nodes, weights) = layers(6, |at| format!("/stack.{at}"));
    let text = text(graph(&[Dimension::Param("batch".into()), Dimension::Value(12)], weights, nodes));
    assert_eq!(section(&text, "operator stack", "input")[0], "x: real[batch, 12];", "{text}");
    assert_eq!(section(&text, "operator stack", "output"), ["Sub: real[batch, 12];"]);
}

/// A network of convolutions whose strides and channels differ.
fn convolutions(strides: &[i64]) -> GraphProto {
    let (mut nodes, mut weights) = (Vec::new(), Vec::new());
    let (mut x, mut channels) = ("x".to_owned(), 2);
    for (at, stride) in strides.iter().enumerate() {
        let name = |name: &str| format!("/b.{at}/{name}");
        let given = |name: &str| format!("b.{at}.{name}");
        let (w, next) = (format!("w{at}"), channels * stride);
        weights.push(weight(&w, &[next, channels, 1, 1]));
        nodes.extend([
            node("Conv", &name("Conv"), &[&x, &w], vec![ints("strides", &[*stride, *stride])]),
            node("Relu", &name("Relu"), &[&given("Conv")], vec![]),
            node("Tanh", &name("Tanh"), &[&given("Relu")], vec![]),
            node("Sigmoid", &name("Sigmoid"), &[&given("Tanh")], vec![]),
            node("Mul", &name("Mul"), &[&given("Sigmoid"), &given("Conv")], vec![]),
            node("Add", &name("Add"), &[&given("Mul"), &given("Conv")], vec![]),
        ]);
        (x, channels) = (given("Add"), next);
    }
    graph(&[1, 2, 512, 512].map(Dimension::Value), weights, nodes)
}

#[test]
fn what_differs_is_an_attribute_or_an_extent() {
    let text = text(convolutions(&[2, 4, 2, 4, 2, 4]));
    assert_eq!(section(&text, "operator b", "attrib")[0], "stride: int..;", "{text}");
    let inputs = section(&text, "operator b", "input");
    assert_eq!(inputs, ["x: real[1, c, h, h];", "w0: real[n, c, 1, 1];"]);
    assert!(section(&text, "operator b", "compose")[0].contains("stride=stride"), "{text}");
    assert!(section(&text, "graph Net", "compose")[1].contains("stride=[4, 4]"), "{text}");
}

#[test]
fn operators_that_differ_by_much_are_apart() {
    let (mut nodes, weights) = layers(12, |at| format!("/stack.{at}"));
    // Every second layer ends otherwise.
    for end in nodes.iter_mut().skip(5).step_by(12) {
        end.op_type = "Add".into();
    }
    let text = text(graph(&SHAPE, weights, nodes));
    let ends = |name: &str| section(&text, name, "compose").last().copied().unwrap_or_default().to_owned();
    assert_eq!(ends("operator stack "), "Sub = math.add(Tanh, x);", "{text}");
    assert_eq!(ends("operator stack_2 "), "Sub = math.sub(Tanh, x);");
}

#[test]
fn what_statements_behind_a_block_read_it_gives() {
    let (mut nodes, weights) = layers(6, |at| format!("/stack.{at}"));
    // The last node reads what is inside of the second layer.
    nodes.push(node("Add", "/Last", &["stack.5.Sub", "stack.1.Relu"], vec![]));
    let text = text(graph(&SHAPE, weights, nodes));
    assert_eq!(section(&text, "operator stack", "output"), ["Relu: real[3, 12];", "Sub: real[3, 12];"], "{text}");
    let applications = section(&text, "graph Net", "compose");
    assert!(applications[0].starts_with("~, stack_0_Sub = stack_0: stack("), "{text}");
    assert!(applications[1].starts_with("stack_1_Relu, stack_1_Sub = stack_1: stack("), "{text}");
    assert_eq!(applications[6], "Last = math.add(stack_5_Sub, stack_1_Relu);");
}

#[test]
fn constants_that_all_read_stand_in_the_operator() {
    let (mut nodes, mut weights) = layers(6, |at| format!("/stack.{at}"));
    let uniform = TensorProto { float_data: vec![0.5; 12], ..weight("half_1", &[12]) };
    weights.push(uniform);
    nodes.iter_mut().filter(|node| node.op_type == "Add").for_each(|node| node.input[1] = "half_1".into());
    let text = text(graph(&SHAPE, weights, nodes));
    assert_eq!(section(&text, "operator stack", "constant"), ["constant: real[12] = 0.5;"], "{text}");
    assert!(!text[text.find("graph Net").unwrap()..].contains("constant"), "{text}");
}

#[test]
fn blocks_stand_in_each_other() {
    let (mut nodes, mut weights) = (Vec::new(), Vec::new());
    let mut x = "x".to_owned();
    for at in 0..6 {
        for inner in 0..4 {
            let (made, taken) = layer(&format!("/stage.{at}/part.{inner}"), &x);
            x = made.last().unwrap().output[0].clone();
            nodes.extend(made);
            weights.extend(taken);
        }
        for op_type in ["Sigmoid", "Exp", "Neg", "Tanh", "Abs", "Relu", "Sqrt", "Log"] {
            nodes.push(node(op_type, &format!("/stage.{at}/{op_type}"), &[&x], vec![]));
            x = format!("stage.{at}.{op_type}");
        }
    }
    let text = text(graph(&SHAPE, weights, nodes));
    let stage = section(&text, "operator stage", "compose");
    assert_eq!(stage[0], "part_0_Sub = part_0: part(x, part_0_w, part_0_b);", "{text}");
    assert_eq!(stage.len(), 12);
    assert_eq!(section(&text, "graph Net", "compose").iter().filter(|line| line.contains("stage(")).count(), 6);
}

#[test]
fn the_exporters_classes_name_operators() {
    let (mut nodes, weights) = layers(6, |at| format!("/m/stack.{at}"));
    for node in &mut nodes {
        let path = node.name.trim_start_matches('/').replace('/', ".");
        let (module, _) = path.rsplit_once('.').unwrap();
        let entry = |key: &str, value: String| StringStringEntryProto { key: format!("pkg.torch.onnx.{key}"), value };
        node.metadata_props = vec![
            entry("name_scopes", format!("['', 'm', '{module}', 'op']")),
            entry("class_hierarchy", "['main.W', 'torch.Model', 'torch.nn.EncoderLayer', 'aten.op']".into()),
        ];
        node.name = "node".into();
    }
    let text = text(graph(&SHAPE, weights, nodes));
    assert!(section(&text, "graph Net", "compose")[0].contains("m_stack_0: encoder_layer(x, "), "{text}");
}

#[test]
fn functions_are_modules() {
    use skriptnd_onnx::proto::FunctionProto;
    let (nodes, _) = layer("/f", "x");
    let input = ["x", "/f.w", "/f.b"].map(str::to_owned).to_vec();
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 17 }];
    let function = FunctionProto {
        name: "DenseBlock".into(),
        domain: "own".into(),
        output: nodes.last().unwrap().output.clone(),
        input,
        node: nodes.into_iter().map(|node| NodeProto { name: String::new(), ..node }).collect(),
        opset_import: opset_import.clone(),
        ..FunctionProto::default()
    };
    let call = |at: usize| {
        let input = if at == 0 { "x".to_owned() } else { format!("y{}", at - 1) };
        let call = node("DenseBlock", &format!("y{at}"), &[&input, &format!("w{at}"), &format!("b{at}")], vec![]);
        NodeProto { domain: "own".into(), ..call }
    };
    let weights =
        (0..6).flat_map(|at| [weight(&format!("w{at}"), &[12, 12]), weight(&format!("b{at}"), &[12])]).collect();
    let graph = graph(&SHAPE, weights, (0..6).map(call).collect());
    let own = OperatorSetIdProto { domain: "own".into(), version: 1 };
    let opset_import = [opset_import, vec![own]].concat();
    let functions = vec![function];
    let model = ModelProto { ir_version: 8, graph: Some(graph), opset_import, functions, ..ModelProto::default() };
    let file = ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap();
    let text = import(&file, &Options::default()).unwrap().text;
    assert_eq!(section(&text, "graph Net", "compose").len(), 6, "{text}");
    assert!(text.contains("y1: dense_block("), "{text}");
}

#[test]
fn a_long_chain_of_equal_nodes_is_no_block() {
    let name = |at: usize| if at == 0 { "x".to_owned() } else { format!("y{at}") };
    let nodes = (0..2_000).map(|at| node("Tanh", &name(at + 1), &[&name(at)], vec![])).collect();
    let text = text(graph(&SHAPE, Vec::new(), nodes));
    assert_eq!(section(&text, "graph Net", "compose").len(), 2_000);
    assert!(!text.contains("operator"));
}
