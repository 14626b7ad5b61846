//! Binding of attributes and shapes (sections 2.5 to 2.9, 2.13).

use super::{composed, composed_with, error, errors_with, shapes};
use crate::compose::ComposeOptions;
use crate::compose::graph::OperationKind;
use crate::compose::value::ScalarType;
use skriptnd_source::diagnostics::Code;

/// A graph that applies one operator `o` to what `arguments` says, with inputs `a: real[2,3,4]`, `b: real[4]`.
fn applied(operator: &str, invocation: &str) -> String {
    format!(
        "operator o {{ {operator} }}
         graph G {{ @input {{ a: real[2,3,4]; b: real[4]; }} @output {{ y: real; }} @compose {{ y = {invocation}; }} }}"
    )
}

fn shape(operator: &str, invocation: &str) -> String {
    shapes(&composed(&applied(operator, invocation)), "y").join(" ")
}

/// `@output` of the shape, filled with zeros.
fn output(shape: &str, bounds: &str) -> String {
    format!("@output {{ y: real[{shape}]; }} @lower {{ y[{bounds}..] = 0.0, {bounds} < [{shape}]; }}")
}

#[test]
fn shapes_are_bound_in_an_order_that_leaves_nothing_open() {
    let second_first = format!("@input {{ x: real[s..(d), t..]; z: real[s..(d)]; }} {}", output("t.., d", "i"));
    // `z` tells that `s` is one dimension; its extent has to agree then.
    let graph = applied(&second_first, "o(a, b)");
    let (diagnostic, place) = error(&graph);
    assert_eq!((diagnostic.code, place.as_str()), (Code::ShapeMismatch, "a"));
    assert_eq!(diagnostic.message, "dimension 0 of argument `x` of `main.o` is 2, expected 4");
    let by_attribute = format!("@attrib {{ r: int; }} @input {{ x: real[s..(r), t..]; }} {}", output("t.., s..", "i"));
    assert_eq!(shape(&by_attribute, "o{r=1}(a)"), "3x4x2");
    let ambiguous = format!("@input {{ x: real[s.., t..]; }} {}", output("t..", "i"));
    assert_eq!(error(&applied(&ambiguous, "o(a)")).0.code, Code::AmbiguousShape);
    let packed = "@attrib { a: int..(d) = 0; } @input { x: real[s..(d), t..]; }";
    assert_eq!(
        error(&applied(&format!("{packed} {}", output("t..", "i")), "o{a=[1]}(a)")).0.code,
        Code::AmbiguousShape
    );
}

#[test]
fn affine_extents_are_solved() {
    let affine = format!("@input {{ x: real[m, k + 1, 2 * h]; }} {}", output("m, k, h", "i"));
    assert_eq!(shape(&affine, "o(a)"), "2x2x2");
    let odd = format!("@input {{ x: real[m, 2 * k, h]; }} {}", output("k", "i"));
    let (diagnostic, _) = error(&applied(&odd, "o(a)"));
    assert_eq!(
        diagnostic.message,
        "dimension 1 of argument `x` of `main.o` is 3, which `2 * k` can't be for any extent `k`"
    );
    let even_rank = format!("@input {{ x: real[s..(2 * d)]; }} {}", output("d", "i"));
    assert_eq!(error(&applied(&even_rank, "o(a)")).0.code, Code::RankMismatch);
}

#[test]
fn ranks_and_optional_extents() {
    let rank = format!("@input {{ x: real^(r)[s..(r - 1), z]; }} {}", output("z, s.., r", "i"));
    assert_eq!(shape(&rank, "o(a)"), "4x2x3x3");
    let optional = "@attrib { keep: bool; } @input { x: real[s, t.., z ..(keep)]; }";
    let optional = format!("{optional} {}", output("t.., z ?? 9", "i"));
    assert_eq!(shape(&optional, "o{keep=true}(a)"), "3x4");
    assert_eq!(shape(&optional, "o{keep=false}(a)"), "3x4x9");
    let omitted = format!(
        "@attrib {{ n: optional int; }} @input {{ x: real[s..]; }} {}",
        "@output { y: real[s.., n]; } @lower { y[i.., 0 ..(?n)] = x[i..], i < s; }"
    );
    assert_eq!(shape(&omitted, "o(b)"), "4");
    assert_eq!(shape(&omitted, "o{n=1}(b)"), "4x1");
}

#[test]
fn deferred_and_uniform_attributes() {
    let operator = format!(
        "@attrib {{ r: optional int; a: int..(k) = [0:r]; m: int..(d) = 1; n: int = d * 10; }}
         @input {{ x: real[s..(d)]; }} {}",
        output("k, m + .., n", "i")
    );
    assert_eq!(shape(&operator, "o{r=3}(a)"), "3x3x30");
    assert_eq!(shape(&operator, "o{a=[1, 1], m=2, n=0}(a)"), "2x6x0");
    let (diagnostic, place) = error(&applied(&operator, "o(a)"));
    assert_eq!((diagnostic.code, place.as_str()), (Code::MissingAttribute, "o(a)"));
    assert!(diagnostic.message.contains("`a`"), "{}", diagnostic.message);
    let (diagnostic, place) = error(&applied(&operator, "o{r=1, m=[1, 2]}(a)"));
    assert_eq!(diagnostic.message, "the length of attribute `m` of `main.o` is 2, expected 3");
    assert_eq!(place, "[1, 2]");
}

#[test]
fn the_call_has_every_attribute() {
    let operator = "@dtype { T: num; } @attrib { f: T = T(2); p: optional int; q: int..(2) = 1; }
        @input { x: T[s..]; } @output { y: T[s..]; } @lower { y[i..] = f * x[i..], i < s; }";
    let graph = composed(&applied(operator, "o(b)"));
    let OperationKind::Operator(call) = &graph.body.operations[0].kind else { panic!("an operator") };
    let attributes: Vec<String> = call.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(attributes, ["f=2.0", "p=null", "q=[1, 1]"]);
    assert_eq!(call.dtypes.get("T").map(|dtype| dtype.keyword()), Some("real"));
}

#[test]
fn tensor_packs_share_extents_or_not() {
    let pack = "operator o { @input { xs: real[z, ..t]..(k); } @output { y: real[z, t + .., k]; }
            @lower { y[i..] = 0.0, i < [z, t + .., k]; } }
        graph G { @input { a: real[2,3]; b: real[2,5]; c: real[3,5]; } @output { y: real; }";
    assert_eq!(shapes(&composed(&format!("{pack} @compose {{ y = o([a, b, a]); }} }}")), "y"), ["2x11x3"]);
    let (diagnostic, place) = error(&format!("{pack} @compose {{ y = o([a, c]); }} }}"));
    assert_eq!(diagnostic.message, "dimension 0 of argument `xs[1]` of `main.o` is 3, expected 2");
    assert_eq!(place, "c");
}

#[test]
fn helper_symbols_unpack_lists() {
    let operator = format!(
        "@attrib {{ v: int..(n); }} @using {{ [head, tail..] = v; [(e, o)..] = tail; }} {}",
        output("head, e.., o..", "i")
    );
    assert_eq!(shape(&operator, "o{v=[7, 1, 2, 3, 4]}()"), "7x1x3x2x4");
    assert_eq!(error(&applied(&operator, "o{v=[7, 1]}()")).0.code, Code::PackLengths);
}

#[test]
fn assertions_come_before_what_they_protect() {
    let operator = format!(
        "@attrib {{ a: int; b: int; }} @using {{ r = a / b; }}
         @assert {{ r > 1: \"r must be large\", r; b > 0: \"b must be positive\", b, 'a + b': a + b; }} {}",
        output("r", "i")
    );
    let (diagnostic, place) = error(&applied(&operator, "o{a=4, b=0}()"));
    assert_eq!(diagnostic.message, "invalid use of `main.o`: b must be positive");
    assert_eq!(diagnostic.notes, ["b = 0", "a + b = 4"]);
    assert_eq!(place, "o{a=4, b=0}()");
    assert_eq!(error(&applied(&operator, "o{a=4, b=4}()")).0.notes, ["r = 1"]);
    assert_eq!(shape(&operator, "o{a=4, b=2}()"), "2");
}

#[test]
fn defaults_of_inputs_are_broadcast() {
    let operator = "@input { x: real[s..]; z: real[s..] = 0.5; } @output { y: real[s..]; }
        @lower { y[i..] = x[i..] + z[i..], i < s; }";
    let graph = composed(&applied(operator, "o(a)"));
    let default = graph.tensor(graph.body.operations[0].inputs[1].items()[0]);
    assert_eq!(default.ty.shape.iter().filter_map(|e| e.as_known()).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(matches!(&default.origin, crate::compose::graph::Origin::Constant(value) if value.to_string() == "0.5"));
}

#[test]
fn types_of_the_graph_come_from_outside() {
    const MODEL: &str = "import math; graph G { @dtype { T: num; } @attrib { k: T = 1; } @input { x: T[2]; }
        @output { y: T[2]; } @compose { y = math.mul(x, k); } }";
    let given = |name: &str, dtype| ComposeOptions { dtypes: vec![(name.to_owned(), dtype)], ..Default::default() };
    let graph = composed_with(MODEL, &given("T", ScalarType::Int));
    let input = graph.inputs.first().and_then(|port| port.tensors.items().first()).copied();
    assert_eq!(input.map(|id| graph.tensor(id).ty.dtype), Some(ScalarType::Int));
    // Without it, the type of the attribute's default says it.
    assert_eq!(shapes(&composed_with(MODEL, &ComposeOptions::default()), "y"), ["2"]);
    let code = |model: &str, options: &ComposeOptions| errors_with(model, options)[0].0.code;
    assert_eq!(code(MODEL, &given("T", ScalarType::Bool)), Code::TypeNotAdmitted);
    assert_eq!(code(MODEL, &given("U", ScalarType::Int)), Code::UnknownType);
    let without = MODEL.replace(" = 1", "").replace("@attrib { k: T; }", "").replace("math.mul(x, k)", "math.neg(x)");
    assert_eq!(code(&without, &ComposeOptions::default()), Code::GraphTypeMissing);
    assert_eq!(shapes(&composed_with(&without, &given("T", ScalarType::Real)), "y"), ["2"]);
}
