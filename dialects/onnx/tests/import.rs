//! Models made of messages, and what they are in SkriptND.

use prost::Message;
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::proto::{
    AttributeProto, AttributeType, Dimension, DimensionProto, FunctionProto, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, StringStringEntryProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use skriptnd_onnx::{Imported, Options, import};
use std::path::Path;

const FLOAT: i32 = 1;
const INT8: i32 = 3;
const INT64: i32 = 7;

/// A name with a type; extents that are no numbers are symbols.
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

fn with(mut node: NodeProto, attribute: AttributeProto) -> NodeProto {
    node.attribute.push(attribute);
    node
}

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { name: name.into(), i: value, r#type: AttributeType::Int as i32, ..AttributeProto::default() }
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    let r#type = AttributeType::Ints as i32;
    AttributeProto { name: name.into(), ints: values.to_vec(), r#type, ..AttributeProto::default() }
}

fn integers(name: &str, values: &[i64]) -> TensorProto {
    let dims = vec![values.len() as i64];
    TensorProto { name: name.into(), dims, data_type: INT64, int64_data: values.to_vec(), ..TensorProto::default() }
}

fn reals(name: &str, dims: &[i64], values: &[f32]) -> TensorProto {
    let dims = dims.to_vec();
    TensorProto { name: name.into(), dims, data_type: FLOAT, float_data: values.to_vec(), ..TensorProto::default() }
}

fn model(graph: GraphProto) -> ModelProto {
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 20 }];
    ModelProto { ir_version: 10, opset_import, graph: Some(graph), ..ModelProto::default() }
}

fn decoded(model: &ModelProto) -> ModelFile {
    ModelFile::decode(model.encode_to_vec().into(), Path::new("")).unwrap()
}

fn imported(model: &ModelProto) -> Imported {
    import(&decoded(model), &Options::default()).unwrap()
}

fn problems(model: &ModelProto, options: &Options) -> Vec<String> {
    import(&decoded(model), options).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn a_network_is_written_as_somebody_would_have_written_it() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["batch", "1", "4", "4"])],
        output: vec![port("y", FLOAT, &["batch", "2"])],
        initializer: vec![reals("conv.weight", &[3, 1, 3, 3], &[0.5; 27]), reals("fc.weight", &[2, 12], &[0.25; 24])],
        node: vec![
            with(node("Conv", &["x", "conv.weight"], &["conv"]), ints("strides", &[2, 2])),
            node("Relu", &["conv"], &["relu"]),
            node("Flatten", &["pads"], &["flat"]),
            with(node("Gemm", &["flat", "fc.weight"], &["y"]), int("transB", 1)),
        ],
        ..GraphProto::default()
    };
    let mut graph = graph;
    graph.node[0].attribute.push(ints("pads", &[1, 1, 1, 1]));
    graph.node[2].input[0] = "relu".into();
    let made = imported(&model(graph));
    let expected = "\
import layout;
import nn;

graph Net {
    @input {
        x: real[batch|2147483647, 1, 4, 4];
    }
    @output {
        y: real[batch, 2];
    }
    @variable {
        conv_weight: real[3, 1, 3, 3];
        fc_weight: real[2, 12];
    }
    @compose {
        conv = nn.conv{stride=[2, 2], padding=[1, 1, 1, 1]}(x, conv_weight);
        relu = nn.relu(conv);
        flat = layout.reshape{shape=[batch, 12]}(relu);
        y = nn.linear(flat, fc_weight);
    }
}
";
    assert_eq!(made.text, expected);
    assert_eq!(made.weights.len(), 2);
}

#[test]
fn shapes_are_computed_with_while_translating() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["n", "3", "m"])],
        output: vec![port("y", FLOAT, &["n", "k"])],
        initializer: vec![integers("zero", &[0]), integers("rest", &[-1])],
        node: vec![
            node("Shape", &["x"], &["shape"]),
            node("Gather", &["shape", "zero"], &["first"]),
            with(node("Concat", &["first", "rest"], &["target"]), int("axis", 0)),
            node("Reshape", &["x", "target"], &["y"]),
        ],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("y = layout.reshape{shape=[n, 3 * m]}(x);") && text.contains("y: real[n, 3 * m];"), "{text}");
}

#[test]
fn one_index_has_the_rank_that_it_has() {
    for (dims, taken) in [(vec![], "y: real[3];"), (vec![1], "y: real[1, 3];"), (vec![1, 1], "y: real[1, 1, 3];")] {
        let graph = GraphProto {
            input: vec![port("x", FLOAT, &["2", "3"])],
            output: vec![port("y", FLOAT, &vec!["?"; dims.len() + 1])],
            initializer: vec![TensorProto { dims, ..integers("at", &[1]) }],
            node: vec![node("Gather", &["x", "at"], &["y"])],
            ..GraphProto::default()
        };
        let text = imported(&model(graph)).text;
        assert!(text.contains(taken), "{text}");
    }
}

#[test]
fn sizes_are_computed_with_by_way_of_reals() {
    let to = |element: i32| int("to", element.into());
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["1", "3", "6", "8"])],
        output: vec![port("y", FLOAT, &["1", "3", "9", "12"])],
        initializer: vec![reals("sides", &[2], &[6.0, 8.0]), reals("most", &[], &[12.0]), integers("front", &[1, 3])],
        node: vec![
            with(node("ReduceMax", &["sides"], &["greatest"]), int("keepdims", 0)),
            node("Reciprocal", &["greatest"], &["part"]),
            node("Mul", &["part", "most"], &["scale"]),
            node("Mul", &["sides", "scale"], &["scaled"]),
            node("Round", &["scaled"], &["rounded"]),
            with(node("Cast", &["rounded"], &["whole"]), to(INT64)),
            with(node("Concat", &["front", "whole"], &["sizes"]), int("axis", 0)),
            node("Resize", &["x", "", "", "sizes"], &["y"]),
        ],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("y: real[1, 3, 9, 12];"), "{text}");
}

#[test]
fn places_of_known_elements_are_known() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2", "3"])],
        output: vec![port("y", FLOAT, &["4"])],
        initializer: vec![reals("mask", &[2, 3], &[1.0, 0.0, 2.0, 0.0, 0.5, 1.0])],
        node: vec![
            node("NonZero", &["mask"], &["places"]),
            with(node("Transpose", &["places"], &["rows"]), ints("perm", &[1, 0])),
            node("GatherND", &["x", "rows"], &["y"]),
        ],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("y: real[4];") && !text.contains("nonzero"), "{text}");
}

#[test]
fn what_data_determine_may_be_nothing() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["4"])],
        output: vec![port("y", FLOAT, &["n", "7"]), port("z", FLOAT, &["n", "3"])],
        initializer: vec![reals("one", &[1, 3], &[1.0, 2.0, 3.0]), integers("wide", &[1, 7]), integers("last", &[3])],
        node: vec![
            node("NonZero", &["x"], &["places"]),
            with(node("Transpose", &["places"], &["rows"]), ints("perm", &[1, 0])),
            with(node("Cast", &["rows"], &["column"]), int("to", FLOAT.into())),
            node("Expand", &["column", "wide"], &["y"]),
            with(with(node("Shape", &["rows"], &["count"]), int("start", 0)), int("end", 1)),
            with(node("Concat", &["count", "last"], &["shape"]), int("axis", 0)),
            node("Expand", &["one", "shape"], &["z"]),
        ],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("y = layout.broadcast{axes=[1], shape=[7]}(column);"), "{text}");
    assert!(text.contains("z = onnx.expand{shape=[places.shape[1], 3]}(one);"), "{text}");
}

#[test]
fn functions_are_put_in_their_place_with_their_attributes() {
    let refers = AttributeProto { ref_attr_name: "by".into(), ..int("axis", 0) };
    let function = FunctionProto {
        name: "Halves".into(),
        domain: "own".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        attribute: vec!["by".into()],
        node: vec![with(node("Softmax", &["a"], &["b"]), refers)],
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 20 }],
        ..FunctionProto::default()
    };
    let mut call = with(node("Halves", &["x"], &["y"]), int("by", 0));
    call.domain = "own".into();
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2", "3"])],
        output: vec![port("y", FLOAT, &["2", "3"])],
        node: vec![call],
        ..GraphProto::default()
    };
    let mut model = model(graph);
    model.functions = vec![function];
    let text = imported(&model).text;
    assert!(text.contains("y = nn.softmax{axes=[0]}(x);"), "{text}");
    // One that calls itself ends.
    let mut again = node("Halves", &["a"], &["b"]);
    again.domain = "own".into();
    model.functions[0].node = vec![again];
    assert!(problems(&model, &Options::default())[0].contains("deep"));
}

#[test]
fn functions_that_call_each_other_twice_end() {
    let call = |name: &str, from: &str, to: &str| NodeProto { domain: "own".into(), ..node(name, &[from], &[to]) };
    let function = |level: usize| {
        let next = format!("f{}", level + 1);
        let node = match level {
            40 => vec![node("Neg", &["a"], &["b"])],
            _ => vec![call(&next, "a", "half"), call(&next, "half", "b")],
        };
        FunctionProto {
            name: format!("f{level}"),
            domain: "own".into(),
            input: vec!["a".into()],
            output: vec!["b".into()],
            node,
            opset_import: ["", "own"].map(|of| OperatorSetIdProto { domain: of.into(), version: 20 }).into(),
            ..FunctionProto::default()
        }
    };
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2", "3"])],
        output: vec![port("y", FLOAT, &["2", "3"])],
        node: vec![call("f0", "x", "y")],
        ..GraphProto::default()
    };
    let mut model = model(graph);
    model.functions = (0..=40).map(function).collect();
    let found = problems(&model, &Options::default());
    assert!(found[0].contains("functions are called more than 16384 times"), "{found:?}");
}

#[test]
fn all_that_can_not_be_said_is_said_at_once() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2"])],
        output: vec![port("y", FLOAT, &["2"]), port("z", FLOAT, &["2"])],
        node: vec![
            node("Invented", &["x"], &["a"]),
            node("Relu", &["a"], &["y"]),
            node("AlsoInvented", &["x"], &["z"]),
            node("Relu", &["nowhere"], &["w"]),
        ],
        ..GraphProto::default()
    };
    let found = problems(&model(graph), &Options::default());
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "node `a` (Invented): there is no translation of this operator");
    assert!(found[1].starts_with("node `z` (AlsoInvented)"), "{found:?}");
}

#[test]
fn the_best_one_of_an_open_extent_is_broadcast() {
    let best = with(node("TopK", &["x", "one"], &["best", "place"]), int("axis", 1));
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["1", "S", "4"])],
        output: vec![port("y", FLOAT, &["1", "S", "4"]), port("place", INT64, &["1", "1", "4"])],
        initializer: vec![integers("one", &[1])],
        node: vec![best, node("Add", &["x", "best"], &["y"])],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("best = layout.reshape{shape=[1, 1, 4]}("), "{text}");
    assert!(text.contains("place = layout.reshape{shape=[1, 1, 4]}("), "{text}");
    assert!(text.contains("y = math.add(x, best);"), "{text}");
}

#[test]
fn a_name_is_given_once() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2"])],
        output: vec![port("y", FLOAT, &["2"])],
        node: vec![node("Relu", &["x"], &["y"]), node("Neg", &["x"], &["y"]), node("Neg", &["y"], &["x"])],
        ..GraphProto::default()
    };
    let found = problems(&model(graph), &Options::default());
    let expected = ["node `y` (Neg): its result `y` is given before", "node `x` (Neg): its result `x` is given before"];
    assert_eq!(found, expected);
}

#[test]
fn values_and_bounds_are_of_names_that_there_are() {
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["n", "4"]), port("shape", INT64, &["2"])],
        output: vec![port("y", FLOAT, &["2", "k"])],
        node: vec![node("Reshape", &["x", "shape"], &["y"])],
        ..GraphProto::default()
    };
    let model = model(graph);
    let found = problems(&model, &Options::default());
    assert!(found[0].contains("operand 1 (`shape`) must be known when the model is imported"), "{found:?}");
    let mut options = Options::default();
    options.values.insert("shape".into(), Constant::of_ints(&[2, -1]));
    options.bounds.insert("n".into(), 8);
    let text = import(&decoded(&model), &options).unwrap().text;
    assert!(
        text.contains("x: real[n|8, 4];") && text.contains("layout.reshape{shape=[2, 4 * n / 2]}")
            || text.contains("2 * n"),
        "{text}"
    );
    options.bounds.insert("m".into(), 8);
    options.values.insert("z".into(), Constant::of_ints(&[1]));
    let found = problems(&model, &options);
    assert_eq!(found[..2], ["it has no input `z`: there are `shape`, `x`", "it has no open extent `m`: there are `n`"]);
}

#[test]
fn optionals_hold_nothing_where_their_bound_says_so() {
    let tensor = port("x", FLOAT, &["n"]).r#type.unwrap();
    let optional = type_proto::Element { elem_type: Some(Box::new(tensor)) };
    let r#type = Some(TypeProto { value: Some(type_proto::Value::Optional(Box::new(optional))) });
    let graph = GraphProto {
        input: vec![ValueInfoProto { name: "x".into(), r#type }],
        output: vec![port("y", 9, &[])],
        node: vec![node("OptionalHasElement", &["x"], &["y"])],
        ..GraphProto::default()
    };
    let bounded = |name: &str| Options { bounds: [(name.to_owned(), 0)].into_iter().collect(), ..Options::default() };
    let nothing = import(&decoded(&model(graph.clone())), &bounded("x")).unwrap();
    assert!(nothing.inputs.is_empty() && nothing.text.contains("false"), "{}", nothing.text);
    let told = problems(&model(graph), &bounded("n"));
    assert!(told[0].contains("`n` is expected to be positive"), "{told:?}");
}

#[test]
fn windows_that_end_behind_the_padding_count_what_is_padded() {
    let pool = ["kernel_shape", "strides", "pads"].into_iter().zip([vec![3], vec![2], vec![1, 1]]);
    let pool = pool.fold(node("AveragePool", &["x"], &["y"]), |node, (name, values)| with(node, ints(name, &values)));
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["1", "1", "6"])],
        output: vec![port("y", FLOAT, &["1", "1", "4"])],
        node: vec![with(with(pool, int("ceil_mode", 1)), int("count_include_pad", 1))],
        ..GraphProto::default()
    };
    let text = imported(&model(graph)).text;
    assert!(text.contains("layout.pad{axes=[2], padding=[1, 1]}"), "{text}");
    assert!(text.contains("padding=[0, 1]"), "{text}");
}

#[test]
fn bounds_of_extents_of_items_have_the_names_of_the_model() {
    let mut items = port("s", FLOAT, &["n", "2"]);
    items.r#type = Some(TypeProto {
        value: Some(type_proto::Value::Sequence(Box::new(type_proto::Element {
            elem_type: items.r#type.map(Box::new),
        }))),
    });
    let graph = GraphProto {
        input: vec![items],
        output: vec![port("y", FLOAT, &["m", "2"])],
        node: vec![with(node("ConcatFromSequence", &["s"], &["y"]), int("axis", 0))],
        ..GraphProto::default()
    };
    let options = |bound| Options { bounds: [("s".into(), 2), ("n".into(), bound)].into(), ..Options::default() };
    let text = import(&decoded(&model(graph.clone())), &options(4)).unwrap().text;
    assert!(text.contains("s_0: real[n_0|4, 2];") && text.contains("s_1: real[n_1|4, 2];"), "{text}");
    let expected = "`s`: the bound of `n` is expected to be positive, as it is one of extents";
    assert_eq!(problems(&model(graph), &options(0)), [expected]);
}

#[test]
fn what_is_computed_otherwise_is_warned_of() {
    const DOUBLE: i32 = 11;
    let graph = |element| GraphProto {
        input: vec![port("x", element, &["2"])],
        output: vec![port("y", element, &["2"])],
        node: vec![node("Relu", &["x"], &["z"]), node("Exp", &["z"], &["y"])],
        ..GraphProto::default()
    };
    let made = imported(&model(graph(DOUBLE)));
    let warnings: Vec<String> = made.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["`z` and 1 more are doubles, and are computed with 32 bits"]);
    assert_eq!(made.storage.get("x"), Some(&"f64"));
    // What is said of how tensors are stored goes with the model that it is said of.
    let folder = tempfile::tempdir().unwrap();
    made.write(folder.path()).unwrap();
    assert!(folder.path().join("storage.json").exists());
    Imported { storage: Default::default(), ..made }.write(folder.path()).unwrap();
    assert!(!folder.path().join("storage.json").exists());
    assert!(imported(&model(graph(FLOAT))).warnings.is_empty());
}

#[test]
fn files_that_lie_are_errors() {
    let graph = |tensor: TensorProto| GraphProto {
        input: vec![port("x", FLOAT, &["2"])],
        output: vec![port("y", FLOAT, &["2"])],
        initializer: vec![tensor],
        node: vec![node("Add", &["x", "w"], &["y"])],
        ..GraphProto::default()
    };
    let short = reals("w", &[1 << 40, 1 << 40], &[0.5]);
    assert!(problems(&model(graph(short)), &Options::default())[0].contains("more elements than memory"));
    let outside = |location: &str| {
        let entry = StringStringEntryProto { key: "location".into(), value: location.into() };
        TensorProto { data_location: 1, external_data: vec![entry], ..reals("w", &[2], &[]) }
    };
    for location in ["../secret", "/etc/passwd", "a/../../b"] {
        let found = problems(&model(graph(outside(location))), &Options::default());
        assert!(found[0].contains("outside of the model's folder"), "{found:?}");
    }
    assert!(problems(&model(graph(outside("missing.bin"))), &Options::default())[0].contains("can't be read"));
    let bytes = model(graph(reals("w", &[2], &[1.0, 2.0]))).encode_to_vec();
    let cut = ModelFile::decode(bytes[..bytes.len() - 3].to_vec().into(), Path::new("")).unwrap_err();
    assert!(cut.to_string().contains("cut off"), "{cut}");
    assert!(ModelFile::decode(Vec::new().into(), Path::new("")).unwrap_err().to_string().contains("no graph"));
    assert!(ModelFile::open(Path::new("/dev/zero")).unwrap_err().to_string().contains("no regular file"));
}

#[test]
fn external_data_lie_beside_the_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("weights"), [0u8, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64]).unwrap();
    let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let external_data = vec![entry("location", "weights"), entry("offset", "4"), entry("length", "8")];
    let tensor = TensorProto { data_location: 1, external_data, ..reals("w", &[2], &[]) };
    let graph = GraphProto {
        input: vec![port("x", FLOAT, &["2"])],
        output: vec![port("y", FLOAT, &["2"])],
        initializer: vec![tensor],
        node: vec![node("Add", &["x", "w"], &["y"])],
        ..GraphProto::default()
    };
    std::fs::write(folder.path().join("model.onnx"), model(graph).encode_to_vec()).unwrap();
    let file = ModelFile::open(&folder.path().join("model.onnx")).unwrap();
    let made = import(&file, &Options::default()).unwrap();
    let [(name, weight)] = &made.weights[..] else { panic!("{}", made.text) };
    assert_eq!((name.as_str(), weight.reals().collect::<Vec<_>>()), ("w", vec![1.0, 2.0]));
}

/// Queries of one token for two heads that share keys, with a past of 7.
fn grouped_attention(present: &str) -> String {
    let past = ["2", "1", "7", "8"];
    let longer = ["2", "1", present, "8"];
    let mut attention =
        node("GroupQueryAttention", &["q", "k", "v", "pk", "pv", "lengths", "total"], &["y", "ok", "ov"]);
    attention.domain = "com.microsoft".into();
    attention.attribute = vec![int("num_heads", 2), int("kv_num_heads", 1)];
    let total = TensorProto { dims: vec![], ..integers("total", &[8]) };
    let graph = GraphProto {
        input: vec![
            port("q", FLOAT, &["2", "1", "16"]),
            port("k", FLOAT, &["2", "1", "8"]),
            port("v", FLOAT, &["2", "1", "8"]),
            port("pk", FLOAT, &past),
            port("pv", FLOAT, &past),
            port("lengths", INT64, &["2"]),
        ],
        output: vec![port("y", FLOAT, &["2", "1", "16"]), port("ok", FLOAT, &longer), port("ov", FLOAT, &longer)],
        initializer: vec![total],
        node: vec![attention],
        ..GraphProto::default()
    };
    let mut model = model(graph);
    model.opset_import.push(OperatorSetIdProto { domain: "com.microsoft".into(), version: 1 });
    imported(&model).text
}

#[test]
fn new_keys_stand_behind_those_that_each_batch_item_has() {
    let text = grouped_attention("8");
    assert!(text.contains("ok = onnx.tensor_scatter{axis=2, circular=false}"), "{text}");
    assert!(text.contains("ok: real[2, 1, 8, 8];"), "{text}");
    assert!(text.contains("onnx.attend_near{behind=0}"), "{text}");
}

/// A network of two directions and two units, whose weights have the scales of these extents.
fn quantized_lstm(scales: &[i64]) -> String {
    let operands = ["x", "w", "r", "", "", "", "", "", "ws", "z", "rs", "z"];
    let mut network = node("DynamicQuantizeLSTM", &operands, &["y"]);
    network.domain = "com.microsoft".into();
    network.attribute = vec![
        int("hidden_size", 2),
        AttributeProto {
            name: "direction".into(),
            s: b"bidirectional".to_vec().into(),
            r#type: AttributeType::String as i32,
            ..AttributeProto::default()
        },
    ];
    let raw_data = vec![0u8; scales.iter().product::<i64>() as usize].into();
    let zeros =
        TensorProto { name: "z".into(), dims: scales.to_vec(), data_type: INT8, raw_data, ..TensorProto::default() };
    let scale = ["2".to_string(), "8".to_string()];
    let shape: Vec<&str> = scale[..scales.len()].iter().map(String::as_str).collect();
    let graph = GraphProto {
        input: vec![
            port("x", FLOAT, &["5", "1", "3"]),
            port("w", INT8, &["2", "3", "8"]),
            port("r", INT8, &["2", "2", "8"]),
            port("ws", FLOAT, &shape),
            port("rs", FLOAT, &shape),
        ],
        output: vec![port("y", FLOAT, &["5", "2", "1", "2"])],
        initializer: vec![zeros],
        node: vec![network],
        ..GraphProto::default()
    };
    let mut model = model(graph);
    model.opset_import.push(OperatorSetIdProto { domain: "com.microsoft".into(), version: 1 });
    imported(&model).text
}

#[test]
fn weights_of_quantized_networks_are_whole_until_they_are_read() {
    for (scales, shape) in [(&[2][..], "[]"), (&[2, 8], "[8, 1]")] {
        let text = quantized_lstm(scales);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let last = |name: &str| lines.iter().rposition(|line| line.contains(name)).unwrap();
        assert!(lines.iter().any(|line| line.contains("layout.transpose{perm=[0, 2, 1]}(w)")), "{text}");
        let networks: Vec<usize> =
            (0..lines.len()).filter(|at| lines[*at].contains("onnx.lstm{quantized=true}")).collect();
        assert_eq!(networks.len(), 2, "{text}");
        // What follows dequantization is the network itself.
        assert_eq!(lines.iter().filter(|line| line.contains("onnx.dequantize(")).count(), 4, "{text}");
        assert_eq!(last("onnx.dequantize(") + 1, networks[1], "{text}");
        assert!(lines.iter().any(|line| line.contains(&format!("layout.reshape{{shape={shape}}}"))), "{text}");
    }
}
