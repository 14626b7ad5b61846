use super::messages;

/// Operators to invoke, on one line.
const OPERATORS: &str = "import math; \
    operator f { @dtype { T: num; } @attrib { a: int..(k) = 1; b: T; c: optional str; } @input { x: T[s..]; y: optional T[]; } \
        @output { z: T[s..]; } @lower { z[i..] = x[i..], i < s; } } \
    operator two { @input { xs: real[n]..(m); } @output { a: real[n]..(m); b: int[]; } \
        @lower { a[i,] = xs[i,], i < n; b[] = 0; } } \
    operator none { @dtype { T: num; } @output { z: T[]; } @lower { z[] = T(); } } \
    operator cond { @input { x: real[n]; } @output { c: bool[]; } @lower { c[] |= x[i,] > 0.0, i < n; } }\n";

/// Messages about statements of a graph; they are on line 3.
fn composed(statements: &str) -> Vec<String> {
    let graph = "graph G { @attrib { n: int = 2; t: optional int; } \
        @input { x: real[3]; k: int[3]; p: bool[]; xs: real[3]..(2); } @variable { w: real[3]; } \
        @output { it: real[]; } @compose {\n";
    messages(&format!("{OPERATORS}{graph}{statements} it = 0.0; }} }}"))
}

fn expect(cases: &[(&str, &[&str])]) {
    for (statements, expected) in cases {
        assert_eq!(composed(statements), *expected, "{statements}");
    }
}

#[test]
fn valid_statements() {
    expect(&[
        ("_a = f{b=1.0}(x); _b = f{b=1, a=[1, 2], c='s'}(k, ~); _c = f<real>{b=2.0}(x, 3.0);", &[]),
        ("[_a, _b], _c = two([x, xs[0]]); _d..(2), ~ = two(xs);", &[]),
        ("_a = none<int>(); _b = math.add(x, 1.0);", &[]),
        ("_a = if p then x elif cond(x) then { y = math.neg(x); yield y; } else w;", &[]),
        ("_a = if ?t && n > 1 then x else w;", &[]),
        (
            "_a, _b = with s = x, c: int[] = 0 for y : xs do..(i -> 2) { u = math.add(s, y); v = math.add(c, i); yield u, v; };",
            &[],
        ),
        ("_a = with s = x unroll..(i -> n) math.add(s, real(i));", &[]),
        ("_a..(2) = for y : xs do f{b=0.0}(y);", &[]),
        (
            "_a = with s = x while cond(s) do math.neg(s); _b = with s = x do math.neg(s) while { c = cond(s); yield c; };",
            &[],
        ),
    ]);
}

#[test]
fn operators_and_modules() {
    expect(&[
        ("_a = g(x);", &["3:6 there is no operator `g` in this module"]),
        ("_a = neg(x);", &["3:6 there is no operator `neg` in this module"]),
        ("_a = math.nge(x);", &["3:6 the module `math` has no operator `nge`"]),
        ("_a = nn.relu(x);", &["3:6 the module `nn` is not imported"]),
        ("_a = maht.neg(x);", &["3:6 the module `maht` is not imported"]),
    ]);
}

#[test]
fn attributes() {
    expect(&[
        ("_a = f(x);", &["3:6 `f` needs the attribute `b`, of type T"]),
        ("_a = f{b=1.0, b=2.0}(x);", &["3:15 the attribute `b` is given twice"]),
        ("_a = f{b=1.0, e=2.0}(x);", &["3:15 `f` has no attribute `e`"]),
        ("_a = f{b=1}(x);", &["3:13 the input `x` must be int, found a real tensor"]),
        ("_a = f{b=[1.0]}(x);", &["3:10 the attribute `b` takes a single value, found a pack of real"]),
        ("_a = f{b=1.0, c=1}(x);", &["3:17 the attribute `c` must be str, found int"]),
        ("_a = f{b=true}(x);", &["3:10 the generic type `T` must be int or real, found bool"]),
        ("_a = f{b=x}(x);", &["3:10 expected a single value, found a real tensor"]),
    ]);
}

#[test]
fn arguments() {
    expect(&[
        ("_a = f{b=1.0}();", &["3:6 `f` needs the input `x`"]),
        ("_a = f{b=1.0}(~);", &["3:15 `f` needs the input `x`"]),
        ("_a = f{b=1.0}(x, 1.0, x);", &["3:23 `f` takes 2 arguments, found 3"]),
        ("_a = f{b=1.0}(xs);", &["3:15 the input `x` takes a single value, found a pack of real tensors"]),
        ("_a, _b = two(x);", &["3:14 the input `xs` takes a pack of tensors, found a real tensor"]),
        ("_a = math.add(x, k);", &["3:18 the input `y` must be real, found an int tensor"]),
        ("_a = math.add(x, 1);", &["3:18 the input `y` must be real, found int"]),
        ("_a = g(x); _b = math.mul(_a, 2); _c = math.mul(_b, x);", &["3:6 there is no operator `g` in this module"]),
        ("_a = none();", &["3:6 the generic type `T` of `none` follows neither from attributes nor from arguments"]),
        ("_a = none<bool>();", &["3:11 the generic type `T` must be int or real, found bool"]),
        ("_a = cond<int>(x);", &["3:11 `cond` has 0 generic types, found 1 between `<` and `>`"]),
        ("_a = x + 1.0;", &["3:6 `+` doesn't apply to tensors: expected single values, found a real tensor"]),
        ("_a = x[0];", &["3:6 elements of tensors can only be read in `@lower`"]),
    ]);
}

#[test]
fn results() {
    expect(&[
        ("_a, _b = math.neg(x);", &["3:1 expected 1 name on the left of `=`, found 2"]),
        ("_a = two(xs);", &["3:1 expected 2 names on the left of `=`, found 1"]),
        ("[_a, _b] = math.neg(x);", &["3:1 only a pack can be taken apart, found a real tensor"]),
        ("_a = math.neg(x); _a = math.neg(x);", &["3:19 `_a` is assigned twice"]),
        ("w = math.neg(x);", &["3:1 the variable `w` can't be assigned in `@compose`"]),
        ("x = math.neg(w);", &["3:1 `x` is an input and can't be assigned"]),
        ("a = math.neg(x);", &["3:1 warning: `a` is never used"]),
    ]);
}

#[test]
fn branches_and_loops() {
    expect(&[
        ("_a = if x then x else x;", &["3:9 the condition of `if` must be a single bool, found a real tensor"]),
        ("_a = if p then x else k;", &["3:23 all branches must give the same types: expected real, found int"]),
        (
            "_a = if p then x else { yield x, w; };",
            &["3:23 all branches must give the same number of results: expected 1, found 2"],
        ),
        ("_a = for y : x do math.neg(y);", &["3:14 `for` runs over the items of a pack, found a real tensor"]),
        ("_a = with s = x do math.neg(s);", &["3:6 expected `for`, `while` or a count: nothing ends this loop"]),
        ("_a = with s = x unroll math.neg(s) while cond(s);", &["3:42 a loop with a condition can't be unrolled"]),
        (
            "_a = with s = x do..(x) math.neg(s);",
            &["3:22 the count of a loop must be a single int, found a real tensor"],
        ),
        ("_a = with s = k do..(3) cond(x);", &["3:25 the new value of `s` must be int, found bool"]),
        (
            "_a = with s = x, t = x do..(3) math.neg(s);",
            &["3:32 the body must give a new value of each tensor after `with`: expected 2, found 1"],
        ),
    ]);
}

#[test]
fn outputs_and_updates() {
    let graph = |blocks: &str| {
        messages(&format!("{OPERATORS}graph G {{ @input {{ x: real[3]; }} @variable {{ w: real[3]; }}\n{blocks} }}"))
    };
    assert_eq!(
        graph("@output { y: real[3]; z: int[3]; } @compose { z = math.neg(x); }"),
        ["3:47 the output `z` is an int tensor, found a real tensor", "3:11 the output `y` is never assigned",]
    );
    assert_eq!(
        graph("@output { y: real[3]; } @compose { t = math.neg(y); y = math.neg(t); y = x; }"),
        ["3:49 the output `y` is used before it is assigned", "3:70 `y` is assigned twice",]
    );
    assert_eq!(
        graph("@output { y: real[3]; } @compose { y = x; } @update { y = x; w = y; }"),
        ["3:55 the output `y` can't be assigned in `@update`",]
    );
    assert_eq!(
        graph("@quantize { x: math.neg; w: math.add; v: math.neg; } @output { y: real[3]; } @compose { y = x; }"),
        [
            "3:29 a quantization has one input and one output; `add` has 2 inputs and 1 output",
            "3:39 `v` is not declared",
        ]
    );
}

#[test]
fn graphs_without_outputs() {
    let graph = |blocks: &str| messages(&format!("import math;\ngraph G {{ @variable {{ w: real[3]; }} {blocks} }}"));
    let wrong = "2:7 the graph `G` has no output: expected `@output`, or `@update` of a variable, found neither";
    for blocks in ["", "@output { }", "@update { }", "@compose { y = math.neg(w); }"] {
        assert_eq!(graph(blocks), [wrong], "{blocks}");
    }
    assert_eq!(graph("@update { w = math.neg(w); }"), Vec::<String>::new());
    assert_eq!(graph("@output { y: real; } @compose { y = w; }"), Vec::<String>::new());
}

#[test]
fn independent_errors_in_one_run() {
    assert_eq!(composed("_a = f(z); _b = math.nge(x); _c = f{b=1.0}(x, q);").len(), 4);
    // A statement that doesn't parse hides neither the others nor brings up consequences of its absence.
    assert_eq!(
        composed("_a = f{b=1.0}(x; _b = math.nge(_a); _c = math.neg(_a);"),
        ["3:16 expected `)` or `,`, found `;`", "3:23 the module `math` has no operator `nge`",]
    );
}
