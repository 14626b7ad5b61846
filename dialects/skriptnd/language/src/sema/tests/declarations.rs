use super::{GRAPH, about, messages};

/// Checks that exactly these errors appear. Most operators here say nothing of their computation, which is warned about.
fn expect(cases: &[(&str, &[&str])]) {
    for (body, expected) in cases {
        let errors: Vec<String> = about(body).into_iter().filter(|message| !message.contains(" warning: ")).collect();
        assert_eq!(errors, *expected, "{body}");
    }
}

#[test]
fn names_and_blocks() {
    expect(&[
        ("@attrib { a: int; a: real; }", &["1:19 `a` is declared twice as an attribute"]),
        (
            "@attrib { s: int; } @input { x: real[s..]; } @using { x = 1; }",
            &[
                "1:38 expected a pack before `..`, found int",
                "1:55 `x` is declared as a helper symbol and is an input already",
            ],
        ),
        ("@attrib { _: int; }", &["1:11 the name `_` is reserved"]),
        ("@attrib { a: int; } @attrib { b: int; }", &["1:21 the block `@attrib` is there twice"]),
        (
            "@dtype { T: num; T: type; U: int; V: num = bool; }",
            &[
                "1:18 the type `T` is declared twice",
                "1:27 the type `U` must be restricted to type, arith or num, found int",
                "1:35 the default of `V` must be a concrete type within num, found bool",
            ],
        ),
        ("@using { a = b + 1; b = a; }", &["1:14 `b` is used before its definition in `@using`"]),
        ("@attrib { a: int = c; } @using { c = 1; }", &["1:20 `c` is used before its definition in `@using`"]),
    ]);
}

#[test]
fn attributes() {
    expect(&[
        ("@attrib { a: int = 1.5; }", &["1:20 the default of `a` must be int, found real"]),
        ("@attrib { a: int = [1]; }", &["1:20 the default of `a` must be a single value, found a pack of int"]),
        ("@attrib { a: int..(n) = 1; b: int..; c: int = n; }", &[]),
        ("@attrib { a: int[3]; }", &["1:14 the attribute `a` has a shape: attributes can't be tensors"]),
        ("@attrib { a: optional int = 1; }", &["1:29 the optional attribute `a` has a default value"]),
        ("@attrib { a: num; }", &["1:14 `num` is no type of values: expected int, real, bool or str"]),
        ("@attrib { a: U; }", &["1:14 there is no type `U`"]),
        ("@attrib { a: int..(k * j); }", &["1:20 expected at most one name that is not declared, found `k` and `j`"]),
        ("@attrib { r: int; a: int.. = [0:r]; z: int = d; } @input { x: real[s..(d)]; }", &[]),
    ]);
}

#[test]
fn tensors() {
    expect(&[
        (
            "@variable { w: real[n]; } @constant { c: real[2]; d: real[2] = 1; }\n@output { y: real[k] = 1.0; z: real[~]; u: real; }",
            &[
                "1:39 expected a value for the constant `c`",
                "1:64 the value of `d` must be real, found int",
                "1:21 `n` is not declared",
                "2:19 `k` is not declared",
                "2:24 the output `y` has a value in its declaration",
                "2:37 expected an upper bound for this extent of the output `z`",
                "2:44 expected the shape of the output `u`",
            ],
        ),
        ("@variable { w: real[2] = 1.0; }", &["1:26 the variable `w` has a value: variables are read from files"]),
        ("@constant { i: real[2,2] = k == j ? 1.0 : 0.0, k < 2, j < 2; }", &[]),
        (
            "@input { x: real[n]; } @output { y: real[n * 1.0]; }",
            &["1:42 the operands of `*` must have the same type, found int and real"],
        ),
        (
            "@input { x: real[a + 1, b * c, d ** 2]; }",
            &[
                "1:25 expected at most one name that is not declared, found `b` and `c`",
                "1:32 expected an extent that is affine in `d`, such as `2 * d + 1`",
            ],
        ),
        ("@input { x: real[n / 2]; y: real[n]; }", &[]),
    ]);
}

#[test]
fn binding_order_of_inputs() {
    let ambiguous = |input: &str, packs: &str| {
        format!("the shape of `{input}` is ambiguous: expected at most one pack of unknown length, found {packs}")
    };
    let cases = [
        ("@input { x: real[s..,t..]; }", format!("1:13 {}", ambiguous("x", "`s` and `t`"))),
        (
            "@attrib { a: int..(d) = 0; } @input { x: real[s..(d),t..]; }",
            format!("1:42 {}", ambiguous("x", "`s` and `t`")),
        ),
        (
            "@attrib { r: optional int; } @input { x: real[s..(r),t..]; }",
            format!("1:42 {}", ambiguous("x", "`s` and `t`")),
        ),
        (
            "@input { x: real[s..(d),t..]; y: optional real[s..(d)]; }",
            format!("1:13 {}", ambiguous("x", "`s` and `t`")),
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(about(body), [expected], "{body}");
    }
    expect(&[
        ("@attrib { r: int; } @input { x: real[s..(r),t..]; }", &[]),
        ("@input { x: real[s..(d),t..]; y: real[s..(d)]; }", &[]),
        ("@input { x: real[s..]; y: real[s..,t..]; }", &[]),
        ("@attrib { a: int; } @input { x: real^(r)[s..(a < 0 ? a + r : a),z,t..]; }", &[]),
        (
            "@attrib { r: int; a: optional int; b: int..(d) = 0; c: int = 2 * d + r; }\n\
             @input { x: real[s..(r),z..(d),t..]; y: real[s..(r),z..(d)]; }",
            &[],
        ),
    ]);
}

#[test]
fn using_takes_lists_apart() {
    expect(&[
        ("@attrib { p: int..; n: int; } @using { [h, t..] = p; [(e, f)..] = p; g..(n) = [h, t.., e[0]]; }", &[]),
        ("@attrib { n: int; } @using { [h, t..] = n; }", &["1:41 only a pack can be taken apart, found int"]),
        (
            "@attrib { p: int..; } @using { [h, t..] = p; v = h[0]; w = [t]; }",
            &["1:50 only a pack can be indexed, found int", "1:61 expected a single value, found a pack of int"],
        ),
    ]);
}

#[test]
fn assertions() {
    expect(&[
        ("@attrib { a: int; } @assert { a: 'no'; }", &["1:31 an assertion must be bool, found int"]),
        ("@attrib { a: int..; o: optional int; } @assert { a > 0: 'a = {a}', 'label': a, o; o > 0; }", &[]),
        ("@assert { true: '{z}', zz; }", &["1:19 `z` is not declared", "1:24 `zz` is not declared"]),
    ]);
}

#[test]
fn modules() {
    assert_eq!(
        messages("operator o { }"),
        ["1:1 the main module has no graph: expected at least one, found 1 operator"]
    );
    let twice = messages(&format!("{GRAPH}{GRAPH}"));
    assert_eq!(twice, ["3:7 `Nothing` is defined twice in this module"]);
    assert_eq!(
        messages(&format!("import nope;\nimport nm;{GRAPH}")),
        [
            "1:8 there is no module `nope`, neither in the model's folder nor in the standard library",
            "2:8 there is no module `nm`, neither in the model's folder nor in the standard library",
        ]
    );
    assert_eq!(
        messages("graph G { @lower { } @output { y: real[]; } @compose { y = 0.0; } }"),
        ["1:11 the graph `G` has a `@lower` block"]
    );
}
