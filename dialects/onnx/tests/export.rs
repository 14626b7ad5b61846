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
