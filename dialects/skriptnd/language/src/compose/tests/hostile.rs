//! Models that try to run away end with a message that names the limit.

use super::{composed, error, errors, graph};
use skriptnd_source::diagnostics::Code;
use std::fmt::Write;

#[test]
fn endless_recursion() {
    let own = "operator r { @input { x: real[n]; } @output { y: real[n]; } @compose { t = r(x); y = inc(t); } }";
    let text = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { y = r(x); }");
    let (diagnostic, place) = error(&format!("{own}{text}"));
    assert_eq!((diagnostic.code, place.as_str()), (Code::Recursion, "r(x)"));
    let growing = "operator r { @attrib { k: int; } @input { x: real[n]; } @output { y: real[n]; }
        @compose { t = r{k=k + 1}(x); u = r{k=k + 2}(t); y = inc(u); } }";
    let text = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { y = r{k=1}(x); }");
    let found = errors(&format!("{growing}{text}"));
    assert!(found.iter().any(|(d, _)| d.message.contains("limit of 64")), "{:?}", found[0].0.message);
    let stateful = own.replace("@output", "@variable { w: real[n]; } @output");
    let text = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { y = r(x); }");
    let found = errors(&format!("{stateful}{text}"));
    assert!(found.iter().any(|(d, _)| d.message.contains("limit of 64")), "{:?}", found[0].0.message);
}

#[test]
fn recursion_that_ends_is_fine() {
    let text = "operator tower { @attrib { k: int; } @input { x: real[n]; } @output { y: real[n]; }
        @compose { y = if k == 0 then inc(x) else { t = tower{k=k - 1}(x); u = inc(t); yield u; }; } }";
    let graph = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { y = tower{k=20}(x); }");
    composed(&format!("{text}{graph}"));
}

#[test]
fn endless_unrolling() {
    let text = graph(
        "@input { x: real[3]; } @output { y: real[3]; }
        @compose { y = with t = x unroll..(10 ** 12) inc(t); }",
    );
    let (diagnostic, _) = error(&text);
    assert!(diagnostic.message.contains("limit is 16384"), "{}", diagnostic.message);
    let lowered = "operator o { @attrib { k: int; } @input { xs: real[n]..(m); } @output { y: real[n]; }
        @lower { y[i] += xs[a][i,] * real(b), i < n, a < m, b < 1; unroll..(j -> k) y[i] := 1.0, i < n; } }";
    let text = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { y = o{k=10 ** 9}([x, x]); }");
    assert_eq!(error(&format!("{lowered}{text}")).0.code, Code::UnrollLimit);
}

#[test]
fn hostile_sizes() {
    let operator = "operator o { @attrib { v: int..(n); } @output { y: int[n]; } @lower { y[i,] = v[i], i < n; } }";
    let text = |v: &str| format!("{operator}graph G {{ @output {{ y: int; }} @compose {{ y = o{{v={v}}}(); }} }}");
    // A uniform pack stays short, whatever its length.
    composed(&text("[0 ..(10 ** 12)]"));
    assert_eq!(error(&text("[0:10 ** 12]")).0.code, Code::PackLimit);
    assert_eq!(error(&text("[0:10 ** 12] + 1")).0.code, Code::PackLimit);
    assert_eq!(error(&text("[[0 ..(10 ** 12)].., 1]")).0.code, Code::PackLimit);
    let large =
        "graph G { @output { y: real; } @constant { c: real[10 ** 9, 10 ** 9, 10 ** 9] = 0.0; } @compose { y = c; } }";
    assert_eq!(error(large).0.code, Code::TensorTooLarge);
    let indexed = "graph G { @output { y: int; } @constant { c: int[10 ** 9] = i, i < 10 ** 9; } @compose { y = c; } }";
    assert_eq!(error(indexed).0.code, Code::ConstantLimit);
    let packs = "graph G { @input { x: real[1]..(10 ** 12); } @output { y: real; } @compose { y = x[0]; } }";
    assert!(!errors(packs).is_empty());
}

#[test]
fn nested_operators_do_not_multiply() {
    // Millions of operations if each were looked at.
    composed(&doubled(22));
    let (diagnostic, place) = error(&doubled(40));
    assert!(diagnostic.message.contains("`main.l24` has more than 16777216 operations"), "{}", diagnostic.message);
    assert_eq!(place, "l23(t)");
}

/// Each level invokes the one below twice.
fn doubled(levels: usize) -> String {
    let mut text = super::OPERATORS.replace("operator inc", "operator l0");
    for level in 1..=levels {
        let below = level - 1;
        write!(
            text,
            "operator l{level} {{ @input {{ x: real[n]; }} @output {{ y: real[n]; }}
               @compose {{ t = l{below}(x); y = l{below}(t); }} }}"
        )
        .expect("a string takes everything");
    }
    format!("{text} graph G {{ @input {{ x: real[3]; }} @output {{ y: real; }} @compose {{ y = l{levels}(x); }} }}")
}

#[test]
fn tensors_of_many_dimensions() {
    let text = |rank: usize| {
        graph(&format!("@input {{ x: real[1 ..({rank})]; }} @output {{ y: real; }} @compose {{ y = inc(x); }}"))
    };
    composed(&text(256));
    let filled = "operator filled { @attrib { s: int..; } @output { y: real[s..]; } @lower { y[i..] = 1.0, i < s; } }";
    composed(&format!("{filled} {}", graph("@output { y: real[1 ..(65)]; } @compose { y = filled{s=[1 ..(65)]}(); }")));
    let (diagnostic, _) = error(&text(257));
    assert!(diagnostic.message.contains("257 dimensions; the limit is 256"), "{}", diagnostic.message);
}

#[test]
fn items_of_long_lists_share_a_place() {
    let join = "operator join { @input { xs: real[n]..(m); } @output { y: real[n]; } @lower { y[i,] += xs[k][i,], i < n, k < m; } }";
    let text = |count: usize| {
        let items = "x, ".repeat(count);
        let blocks =
            format!("@input {{ x: real[3]; z: real[4]; }} @output {{ y: real; }} @compose {{ y = join([{items}z]); }}");
        format!("{join}{}", graph(&blocks))
    };
    assert_eq!(error(&text(9)).1, "z");
    assert!(error(&text(1100)).1.starts_with("[x, x, "));
}
