//! Graphs as messages of ONNX: what they are called, which operators and functions there are, and what is refused.

use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::model::CheckedModel;
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::export::{Names, Written, write};
use skriptnd_onnx::proto::{Dimension, GraphProto, NodeProto, ValueInfoProto, type_proto};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::Diagnostics;

/// A text without other modules.
struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.to_owned())))
    }
}

/// The first graph of a text; variables are ones.
fn try_exported(text: &str) -> Result<Written, (Diagnostics, Vec<usize>)> {
    let model = CheckedModel::load(&Text(text));
    let (graph, found) = model.compose(&ComposeOptions::default());
    let graph = graph.unwrap_or_else(|| panic!("{:?}", found.iter().map(|told| &told.message).collect::<Vec<_>>()));
    let mut weight = |id| {
        let shape = graph.tensor(id).ty.shape.iter().map(|extent| extent.as_known().unwrap_or(0) as usize);
        let shape: Vec<usize> = shape.collect();
        Ok(Constant::of_reals(shape.clone(), &vec![1.0; shape.iter().product()]))
    };
    write(&model.definitions, &graph, &Names::default(), &mut weight).map_err(|found| {
        let lines = found.iter().map(|told| model.definitions.sources.position(told.span).0).collect();
        (found, lines)
    })
}

fn exported(text: &str) -> Written {
    try_exported(text).unwrap_or_else(|(found, _)| panic!("{:?}", found.iter().map(|t| &t.message).collect::<Vec<_>>()))
}

fn graph(written: &Written) -> &GraphProto {
    written.model.graph.as_ref().unwrap()
}

fn operators(nodes: &[NodeProto]) -> Vec<&str> {
    nodes.iter().map(|node| &*node.op_type).filter(|name| *name != "Constant").collect()
}

/// `x[n, 3]`
fn port(info: &ValueInfoProto) -> String {
    let Some(type_proto::Value::Tensor(tensor)) = info.r#type.as_ref().and_then(|ty| ty.value.as_ref()) else {
        return info.name.clone();
    };
    let extent = |value: &Option<Dimension>| match value {
        Some(Dimension::Value(value)) => value.to_string(),
        Some(Dimension::Param(name)) => name.clone(),
        None => "?".to_owned(),
    };
    let shape = tensor.shape.iter().flat_map(|shape| &shape.dim).map(|dimension| extent(&dimension.value));
    format!("{}[{}]", info.name, shape.collect::<Vec<_>>().join(", "))
}

#[test]
fn standard_operators_are_those_of_onnx() {
    let written = exported(
        "import math; import nn;
         graph G {
             @input { x: real[n|8, 3]; }
             @output { y: real[n|8, 2]; z: real[2 * n|16, 3]; }
             @variable { filter: real[2, 3]; unused: real[7]; }
             @compose { a = nn.linear(x, filter); y = nn.relu(a); z = twice(x); }
         }
         operator twice { @input { x: real[n, m]; } @output { y: real[2 * n, m]; }
             @lower { y[i, j] = x[i % n, j], i < 2 * n, j < m; } }",
    );
    let graph = graph(&written);
    assert_eq!(operators(&graph.node), ["Gemm", "Relu", "twice"]);
    assert_eq!(graph.input.iter().map(port).collect::<Vec<_>>(), ["x[n, 3]"]);
    assert_eq!(graph.output.iter().map(port).collect::<Vec<_>>(), ["y[n, 2]", "z[?, 3]"]);
    // What nothing uses is not there.
    assert_eq!(graph.initializer.iter().map(|tensor| &*tensor.name).collect::<Vec<_>>(), ["filter"]);
    let functions: Vec<_> = written.model.functions.iter().map(|it| (&*it.domain, &*it.name)).collect();
    assert_eq!(functions, [("skriptnd.main", "twice")]);
    let domains: Vec<_> = written.model.opset_import.iter().map(|it| (&*it.domain, it.version)).collect();
    assert_eq!(domains, [("", 21), ("skriptnd.main", 1)]);
}

#[test]
fn operands_are_broadcast_as_they_are_aligned() {
    let written = exported(
        "import math;
         graph G {
             @input { x: real[2, 3]; a: real[2]; b: real[3]; }
             @output { y: real[2, 3]; z: real[2, 3]; }
             @compose { y = math.add{rhs_align=0}(x, a); z = math.mul(x, b); }
         }",
    );
    // Dimensions in front are those that ONNX has, too; those behind are inserted.
    assert_eq!(operators(&graph(&written).node), ["Unsqueeze", "Add", "Mul"]);
}

#[test]
fn sums_of_products_are_einsum() {
    let written = exported(
        "graph G { @input { x: real[4, 3]; y: real[5, 3]; } @output { z: real[5, 4]; } @compose { z = product(x, y); } }
         operator product { @input { x: real[n, k]; y: real[m, k]; } @output { z: real[m, n]; }
             @lower { z[j, i] += x[i, l] * y[j, l], i < n, j < m, l < k; } }",
    );
    let function = &written.model.functions[0];
    assert_eq!(operators(&function.node), ["Einsum"]);
    assert_eq!(&*function.node[0].attribute[0].s, b"ac,bc->ba");
}

#[test]
fn compositions_are_written_once_for_each_shape() {
    let written = exported(
        "import math;
         graph G {
             @input { x: real[3]; y: real[4]; }
             @output { a: real[3]; b: real[3]; c: real[4]; }
             @compose { a = square(x); b = square(a); c = square(y); }
         }
         operator square { @input { x: real[s..]; } @output { y: real[s..]; } @compose { y = math.mul(x, x); } }",
    );
    assert_eq!(operators(&graph(&written).node), ["square", "square", "square_2"]);
    assert_eq!(written.model.functions.len(), 2);
}

#[test]
fn what_changes_is_an_input_and_an_output() {
    let written = exported(
        "import math;
         graph G { @input { x: real[3]; } @output { y: real[3]; } @variable { sum: real[3]; }
             @compose { y = math.add(x, sum); } @update { sum = y; } }",
    );
    let graph = graph(&written);
    assert_eq!(graph.input.iter().map(port).collect::<Vec<_>>(), ["x[3]", "sum[3]"]);
    assert_eq!(graph.output.iter().map(port).collect::<Vec<_>>(), ["y[3]", "sum.next[3]"]);
    assert_eq!(written.states.len(), 1);
}

#[test]
fn all_that_has_no_form_is_told() {
    let text = "import math; import rand;
         graph G { @input { x: real[3]; } @output { y: real[3]; z: real[3]; }
             @compose {
                 a = rand.uniform{shape=[3], seed=1}();
                 y = math.add(x, a);
                 z = noisy(x);
             } }
         operator noisy { @input { x: real[n]; } @output { y: real[n]; }
             @compose {
                 a = rand.normal{shape=[n], seed=1}();
                 y = math.add(x, a);
             } }";
    let (found, lines) = try_exported(text).err().unwrap();
    assert_eq!(lines, [4, 10]);
    let messages: Vec<_> = found.iter().map(|told| told.message.as_str()).collect();
    let why = "has no form in ONNX: the numbers that follow from its seed are others there";
    assert_eq!(messages, [format!("operator `rand.uniform` {why}"), format!("operator `rand.normal` {why}")]);
    let chains: Vec<usize> = found.iter().map(|told| told.chain.len()).collect();
    assert_eq!(chains, [0, 1]);
    assert!(found.iter().all(|told| told.help.as_deref().is_some_and(|help| help.contains("OUT.sknd"))));
}

#[test]
fn tensors_without_elements_have_a_form() {
    let written = exported(
        "import math; import layout;
         graph G { @input { x: real[0, 3]; } @output { y: real[3]; z: real[2, 3]; }
             @compose { y = math.sum_reduce{axes=[0], squeeze=true}(x); z = layout.pad{padding=[1, 0, 1, 0]}(x); } }",
    );
    assert_eq!(graph(&written).output.len(), 2);
}

#[test]
fn extents_by_way_of_reals_are_computed_in_64_bits() {
    let written = exported(
        "import layout;
         graph G { @input { x: real[n|400]; } @output { y: real[~]; }
             @compose { y = layout.uniform{shape=[int(real(n) * 0.29)]}(1.0); } }",
    );
    let types = |node: &NodeProto| node.attribute.iter().find(|it| it.name == "to").map(|it| it.i);
    let casts = graph(&written).node.iter().filter(|node| &*node.op_type == "Cast").filter_map(types);
    // To DOUBLE and back to INT64.
    assert_eq!(casts.collect::<Vec<_>>(), [11, 7]);
}

#[test]
fn no_truth_values_are_false_together() {
    let written = exported(
        "import math;
         graph G { @input { x: bool[n|4]; } @output { y: bool[]; } @compose { y = math.any_reduce{squeeze=true}(x); } }",
    );
    assert_eq!(operators(&graph(&written).node), ["Cast", "ReduceMax", "Greater"]);
}

/// The operators of a graph and of what is inside of its functions.
fn all_operators(written: &Written) -> Vec<&str> {
    let inside = written.model.functions.iter().flat_map(|function| operators(&function.node));
    operators(&graph(written).node).into_iter().chain(inside).collect()
}

#[test]
fn windows_over_open_extents_are_padded_in_the_graph() {
    let written = exported(
        "import nn;
         graph G { @input { x: real[n|4, 2, h|16, v|16]; } @variable { w: real[4, 2, 3, 3]; }
             @output { y: real[~, 4, ~, ~]; z: real[~, 2, ~, ~]; u: real[~, 2, ~, ~]; }
             @compose {
                 y = nn.conv{stride=2}(x, w);
                 z = nn.max_pool{size=[3, 3], stride=[2, 2], padding=[-1, 0, 1, 1]}(x);
                 u = nn.avg_pool{size=[2, 2], padding=[0, 0, 0, 0]}(x);
             } }",
    );
    let found = all_operators(&written);
    let count = |name: &str| found.iter().filter(|found| **found == name).count();
    assert_eq!(["Pad", "Conv", "MaxPool", "AveragePool"].map(count), [2, 1, 1, 1]);
    assert_eq!(["Einsum", "ScatterElements"].map(count), [0, 0]);
}

#[test]
fn targets_of_several_loops_are_no_scatter() {
    let written = exported(
        "import nn; import image;
         graph G { @input { x: int[1, 4, 9, 9]; w: int[6, 2, 3, 3]; } @output { y: int[1, 6, 9, 9]; }
             @compose { y = nn.conv{groups=2}(x, w); } }",
    );
    let found = all_operators(&written);
    assert!(found.contains(&"Einsum") && !found.contains(&"ScatterElements"), "{found:?}");
}

#[test]
fn what_is_scattered_is_summed_before() {
    // Of 5 * 6 * 3 products for each of 9 elements only their sums are scattered.
    let written = exported(
        "graph G { @input { x: real[5, 6]; w: real[6, 9]; at: int[9]; } @output { y: real[4]; }
             @compose { y = gathered(x, w, at); } }
         operator gathered { @input { x: real[n, k]; w: real[k, m]; at: int[m]; } @output { y: real[4]; }
             @lower { y[at[j,],] += x[i, l] * w[l, j], i < n, l < k, j < m; } }",
    );
    let function = &written.model.functions[0];
    let einsum = function.node.iter().find(|node| &*node.op_type == "Einsum").unwrap();
    assert_eq!(&*einsum.attribute[0].s, b"ab,bc->c");
}

#[test]
fn what_would_be_too_large_is_told() {
    let (found, lines) = try_exported(
        "graph G { @input { x: real[2000, 2000]; at: int[2000, 2000]; } @output { y: real[10]; }
             @compose { y = spread(x, at); } }
         operator spread { @input { x: real[n, m]; at: int[n, m]; } @output { y: real[10]; }
             @lower { y[i,] = 0.0, i < 10; y[at[i, j],] >= x[i, j] * x[k, j], i < n, j < m, k < n; } }",
    )
    .err()
    .unwrap();
    assert_eq!(lines, [2]);
    assert!(found.iter().next().unwrap().message.contains("would compute 8000000000 elements at once"));
}

#[test]
fn whole_numbers_in_few_bits_are_quantized_and_dequantized() {
    let written = exported(
        "import layout; import math; import nn; import onnx;
         graph G { @input { x: real[1, 2, 5, 5]; } @variable { w: real[3, 2, 3, 3]; } @output { y: real[3, 1, 5, 5]; }
             @compose {
                 q = onnx.quantize{least=0, most=255}(x, 0.5, 128);
                 d = onnx.dequantize(q, 0.5, 128);
                 c = nn.conv{padding=[1, 1, 1, 1]}(d, w);
                 p = onnx.quantize{least=-128, most=127}(c, 0.25);
                 t = layout.transpose{perm=[1, 0, 2, 3]}(p);
                 y = onnx.dequantize(t, 0.25);
             } }",
    );
    let expected = ["QuantizeLinear", "DequantizeLinear", "Conv", "QuantizeLinear", "Transpose", "DequantizeLinear"];
    assert_eq!(operators(&graph(&written).node), expected);
}

#[test]
fn products_of_bytes_are_requantized_by_one_node() {
    let written = exported(
        "import math; import nn; import onnx;
         graph G { @input { x: real[1, 2, 5, 5]; w: real[3, 2, 3, 3]; } @output { y: real[1, 3, 3, 3]; }
             @compose {
                 q = onnx.quantize{least=0, most=255}(x, 0.5, 7);
                 c = math.sub(q, 7);
                 f = onnx.quantize{least=-128, most=127}(w, 0.5);
                 s = nn.conv{padding=[0, 0, 0, 0]}(c, f);
                 r = onnx.requantize{least=0, most=255}(s, 0.125, 3);
                 y = onnx.dequantize(r, 0.25, 3);
             } }",
    );
    // Of one sign: there are processors on which sums of products of two leave 16 bits.
    let expected = ["QuantizeLinear", "QuantizeLinear", "Cast", "Add", "Cast", "QLinearConv", "DequantizeLinear"];
    assert_eq!(operators(&graph(&written).node), expected);
}

#[test]
fn runs_of_operations_are_the_operator_that_they_were() {
    let written = exported(
        "import math; import nn;
         graph G { @input { x: real[n|8, 6]; } @variable { scale: real[6]; bias: real[6]; } @output { y: real[n|8, 6]; }
             @compose {
                 m, v = math.moments{axes=[1]}(x);
                 c = math.sub(x, m);
                 s = math.add(v, 1e-5);
                 r = math.rsqrt(s);
                 z = math.mul(c, r);
                 scaled = math.mul(z, scale);
                 y = math.add(scaled, bias);
             } }",
    );
    assert_eq!(operators(&graph(&written).node), ["LayerNormalization"]);
}

#[test]
fn logarithms_of_probabilities_and_slopes_are_operators() {
    let written = exported(
        "import math;
         graph G { @input { x: real[n|8, 6]; slope: real[6]; } @output { y: real[n|8, 6]; z: real[n|8, 6]; }
             @compose {
                 most = math.max_reduce{axes=[1]}(x);
                 shifted = math.sub(x, most);
                 e = math.exp(shifted);
                 sum = math.sum_reduce{axes=[1]}(e);
                 l = math.log(sum);
                 y = math.sub(shifted, l);
                 sloped = math.mul(x, slope);
                 negative = math.lt(x, 0.0);
                 z = math.select(negative, sloped, x);
             } }",
    );
    assert_eq!(operators(&graph(&written).node), ["LogSoftmax", "PRelu"]);
}

#[test]
fn recurrent_networks_and_resizing_are_operators() {
    let written = exported(
        "import image; import nn; import onnx;
         graph G { @input { x: real[s|9, b|3, 4]; image: real[1, 2, h|9, 7]; }
             @variable { w: real[20, 4]; r: real[20, 5]; z: real[20]; g: real[15, 4]; u: real[15, 5]; }
             @output { y: real[~, ~, 5]; hidden: real[~, 5]; k: real[~, ~, 5]; larger: real[1, 2, 2 * h, 14]; near: real[1, 2, 3 * h, 7]; }
             @compose {
                 y, hidden, _c = nn.lstm(x, w, r, z);
                 k, _h = onnx.gru(x, g, u);
                 larger = image.linear_resize{axes=[2, 3], size=[2 * h, 14]}(image);
                 near = image.nearest_upsample{axes=[2], factor=[3]}(image);
             } }",
    );
    let found = all_operators(&written);
    let count = |name: &str| found.iter().filter(|found| **found == name).count();
    assert_eq!(["LSTM", "GRU", "Resize", "Loop", "Einsum"].map(count), [1, 1, 2, 0, 0], "{found:?}");
}

#[test]
fn names_of_another_format_are_kept() {
    let text = "import math;
         graph G { @input { t206: real[3]; y: real[3]; } @output { t9: real[3]; } @compose { t9 = math.add(t206, y); } }";
    let model = CheckedModel::load(&Text(text));
    let graph = model.compose(&ComposeOptions::default()).0.unwrap();
    let named = |own: &str, other: &str| [(own.to_owned(), other.to_owned())].into();
    let names = Names { inputs: named("t206", "206"), outputs: named("t9", "out/9") };
    let written = write(&model.definitions, &graph, &names, &mut |_| Err("no variables".to_owned())).unwrap();
    let graph = written.model.graph.unwrap();
    assert_eq!(graph.input.iter().map(port).collect::<Vec<_>>(), ["206[3]", "y[3]"]);
    assert_eq!(graph.output.iter().map(port).collect::<Vec<_>>(), ["out/9[3]"]);
    assert_eq!(graph.node[0].output, ["out/9"]);
}

#[test]
fn shapes_are_numbers_where_open_extents_stay() {
    let written = exported(
        "import layout;
         graph G { @input { x: real[n|8, 6]; } @output { y: real[n|8, 2, 3]; z: real[3 * n|24, 2]; }
             @compose { y = layout.reshape{shape=[n, 2, 3]}(x); z = layout.reshape{shape=[3 * n, 2]}(x); } }",
    );
    assert_eq!(operators(&graph(&written).node), ["Reshape", "Reshape"]);
}
