use super::{parse_text, parse_valid};
use crate::ast::{AssignOp, Body, ComponentValue, ExprKind, OperatorKind};
use std::path::{Path, PathBuf};

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "sknd") {
            found.push(path);
        }
    }
}

#[test]
fn all_models_at_hand_parse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut found = Vec::new();
    for folder in ["test/models", "../shared/models", "../shared/conformance"] {
        models(&root.join(folder), &mut found);
    }
    for path in found {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let broken = path.to_string_lossy().contains("malformed") || name.starts_with('x');
        if !broken && let Ok(text) = std::fs::read_to_string(&path) {
            assert_eq!(parse_text(&text).1, Vec::<String>::new(), "{}", path.display());
        }
    }
}

#[test]
fn a_whole_definition() {
    let module = parse_valid(
        "\u{feff}import a.b, c;\nimport d\n\n# First line.\n#   Second.\npublic operator o {\n\
         @dtype { T: num = real; }\n@attrib { p: optional dynamic int..(d); } # tail\n\
         @input { x: T^(r)[s..(d), ..z, ~|10 ..(3), static c|4]..(static k); q: int; # the q\n }\n\
         @using { [a, b..(n), (e, f)..] = p; }\n\
         @constant { i: real[2] = i == j ? 1.0 : 0.0, i < 2, j < 2; }\n\
         @assert { p > 0: 'message', 'label': p, q; p; }\n\
         @lower { unroll..(k -> 3) y[k][i,] = 0; y[i,] <?= x[i,], i < n | x[i,] > 0.0; }\n}\ngraph G { }",
    );
    assert_eq!(module.imports.iter().map(|i| i.parts.len()).collect::<Vec<_>>(), [2, 1, 1]);
    let operator = &module.operators[0];
    assert!(operator.public && operator.kind == OperatorKind::Operator);
    assert_eq!(operator.documentation, "First line.\n  Second.");
    assert_eq!(operator.inputs[1].documentation, "the q");
    assert!(operator.attributes[0].spec.optional && operator.attributes[0].spec.dynamic);
    let shape = operator.inputs[0].spec.shape.as_ref().map_or(0, Vec::len);
    assert_eq!(shape, 4);
    assert_eq!(operator.constants[0].bounds.len(), 2);
    assert_eq!(operator.asserts[0].values.len(), 2);
    assert_eq!(operator.lowerings[1].op, AssignOp::Min);
    assert!(operator.lowerings[1].condition.is_some() && operator.lowerings[0].unroll.is_some());
    let blocks: Vec<&str> = operator.blocks.iter().map(|b| &*b.text).collect();
    assert_eq!(blocks, ["dtype", "attrib", "input", "using", "constant", "assert", "lower"]);
    assert_eq!(module.operators[1].kind, OperatorKind::Graph);
}

#[test]
fn intermediate_values_in_both_spellings() {
    let old = "operator o { @lower { z = x[i,], w..(2) = z, y[i,] += z * w, i < n; } }";
    let new = "operator o { @lower { with z = x[i,], w..(2) = z: y[i,] += z * w, i < n; } }";
    for text in [old, new] {
        let module = parse_valid(text);
        let lowering = &module.operators[0].lowerings[0];
        assert_eq!(lowering.locals.iter().map(|(l, _)| &*l.name.text).collect::<Vec<_>>(), ["z", "w"], "{text}");
        assert_eq!((lowering.op, lowering.bounds.len()), (AssignOp::Add, 1));
    }
}

#[test]
fn calls_on_the_right_of_an_assignment() {
    let module = parse_valid(
        "operator f { @dtype { T: num; } @compose { a = T(x); b = sqrt(x); c = f(x); d = g(x); e = T(x) + 1; h = exp(x); } }\n\
         operator exp { }",
    );
    let kinds: Vec<&str> = module.operators[0]
        .components
        .iter()
        .flatten()
        .map(|component| match &component.value {
            ComponentValue::Body(Body::Expr(expr)) => match expr.kind {
                ExprKind::Cast(..) => "cast",
                ExprKind::Builtin(..) => "builtin",
                _ => "other",
            },
            ComponentValue::Body(Body::Invocation(_)) => "invocation",
            _ => "?",
        })
        .collect();
    assert_eq!(kinds, ["cast", "builtin", "invocation", "invocation", "other", "invocation"]);
}

#[test]
fn control_flow() {
    let module = parse_valid(
        "graph G { @compose {\n\
         a, ~, [b, c..(2)], d: real[~,3] = l: n.op<int, T>{k=1, m=[1]}(x, ~, [y..]);\n\
         e = if ?x then { yield x; } elif c then f(x) else { yield x, y; };\n\
         g..(3) = with s: real[n] = 0.0, t = x for p : q, u : v while c do..(i -> k) { w = f(s); yield w; };\n\
         h = with s = x do..(i ->) f(s) while { c = g(s); yield c; };\n\
         } }",
    );
    let components = module.operators[0].components.as_deref().unwrap_or_default();
    assert_eq!(components.len(), 4);
    let ComponentValue::Loop(looping) = &components[2].value else { panic!("not a loop") };
    assert_eq!((looping.carried.len(), looping.scans.len()), (2, 2));
    assert!(looping.while_before.is_some() && looping.while_after.is_none() && !looping.unroll);
    let ComponentValue::Loop(looping) = &components[3].value else { panic!("not a loop") };
    assert!(looping.while_after.is_some() && looping.count.as_ref().is_some_and(|c| c.count.is_none()));
}
