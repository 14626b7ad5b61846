use super::{GRAPH, expect, messages};
use crate::library::STANDARD;

#[test]
fn valid_formulas() {
    expect(&[
        (
            "@input { x: real[n,m]; z: optional real[n]; } @output { y: real[n]; }\n\
          @lower { y[i,] = z[i,] ?? 0.0, i < n; y[i,] += x[i,j], i < n, j < m | x[i,j] > 0.0; }",
            &[],
        ),
        (
            "@input { x: real[s..]; } @output { y: real[s..]; }\n\
          @lower { a = x[i..], y[i..] = a * `sin`(a), i < s; }",
            &[],
        ),
        (
            "@input { x: real[m,n]; } @output { k: int[]..(2); }\n\
          @lower { k[] = 0; k[] := [i, j], i < m, j < n | x[i,j] > x[k[]..]; }",
            &[],
        ),
        (
            "@input { xs: real[n]..(k); } @output { ys: real[n]..(k); }\n\
          @lower { unroll..(j -> k) ys[j][i,] = xs[j][|i - 1|,] + real(j), i < n; }",
            &[],
        ),
        (
            "@input { x: real[s..(d)]; } @output { y: real[s..]; } @using { all = [0:d]; }\n\
          @lower { y[i..] = x[i[all] <- |i - 1 <> 0 : s - 1|..], i < s; }",
            &[],
        ),
    ]);
}

#[test]
fn assignments() {
    let io = "@input { x: real[n]; } @output { y: real[n]; }\n";
    let case = |lower: &str| format!("{io}@lower {{ {lower} }}");
    let cases: [(&str, &[&str]); 13] = [
        ("y[i,] := x[i,], i < n;", &["2:10 `:=` needs an initial value of `y`"]),
        ("y[i,] <= x[i,], i < n;", &["2:10 `<=` needs an initial value of `y`"]),
        ("y[i,] += x[i,], i < n; y[i,] = 0.0, i < n;", &["2:33 `y` is assigned with `=` after another assignment"]),
        (
            "y[i,] = 0.0, i < n; y[i,] += 1.0, i < n; y[i,] += 1.0, i < n;",
            &["2:51 expected at most two assignments to `y`: `=`, then one that accumulates"],
        ),
        ("y[i,] = 1, i < n;", &["2:18 the assigned value must be real, found int"]),
        (
            "y[i,] |= true, i < n;",
            &["2:19 the assigned value must be real, found bool", "2:10 the target of `|=` must be bool, found real"],
        ),
        ("y[i,] = x, i < n;", &["2:18 expected a single value, found a real tensor"]),
        (
            "y[i] = x[i], i < n;",
            &[
                "2:10 expected a comma after the only index of a tensor",
                "2:17 expected a comma after the only index of a tensor",
            ],
        ),
        ("y[i,] = x[i,i], i < n;", &["2:18 expected 1 index for a tensor of rank 1, found 2"]),
        ("y[i,] = x[j,], i < n;", &["2:20 `j` is not declared"]),
        ("y[i,] = 0.0, i < n, k < 3;", &["2:30 warning: the index symbol `k` is never used"]),
        ("y[i,] = x[i,], i < n | x[i,];", &["2:33 the condition of an assignment must be bool, found real"]),
        ("x[i,] = 0.0, i < n; y[i,] = 0.0, i < n;", &["2:10 `@lower` can only assign outputs, found input `x`"]),
    ];
    for (lower, expected) in cases {
        expect(&[(&case(lower), expected)]);
    }
}

#[test]
fn an_index_reaches_its_place_by_intermediates() {
    let case = |lower: &str| {
        format!(
            "@input {{ x: real[n,m]; }} @output {{ y: real[n,m]; z: real[n]; }}\n@lower {{ z[i,] = 0.0, i < n; {lower} }}"
        )
    };
    let right = [
        "k = i + 0, y[k,j] = x[i,j], i < n, j < m;",
        "k = i, l = k + 0, y[l,j] = x[k,j], i < n, j < m;",
        "k = [i, j], y[k..] = x[i,j], i < n, j < m;",
        "k = [j, i], l = k[1], y[l,k[0]] = x[k[1],k[0]], i < n, j < m;",
        "k = n > 1 ? [i, j] : [i, 0], v = x[i,j], y[k..] = v, i < n, j < m;",
    ];
    for lower in right {
        expect(&[(&case(lower), &[])]);
    }
    let wrong = [
        ("k = i + 0, y[k,0] = x[i,j], i < n, j < m;", 41, "j"),
        ("k = j, v = x[i,k], y[i,0] = v, i < n, j < m;", 49, "j"),
        ("k = 0, y[k,j] = x[i,j], i < n, j < m;", 37, "i"),
    ];
    for (lower, column, index) in wrong {
        let message = "`=` assigns the same element for each";
        let told = format!("2:{column} warning: {message} `{index}`: only the value of the last one remains");
        expect(&[(&case(lower), &[&told])]);
    }
}

#[test]
fn nothing_is_said_of_formulas_of_the_standard_library() {
    for (module, text) in STANDARD {
        let mut told = messages(&format!("{text}{GRAPH}"));
        // The runtime computes those.
        told.retain(|message| !message.ends_with("so nothing says how it computes"));
        assert_eq!(told, Vec::<String>::new(), "{module}");
    }
}

#[test]
fn optional_values_must_be_resolved() {
    expect(&[
        (
            "@input { x: real[n]; z: optional real[n]; } @output { y: real[n]; }\n@lower { y[i,] = x[i,] + z[i,], i < n; }",
            &["2:18 expected a value that is never null, found an optional real: `z` is optional"],
        ),
        ("@attrib { a: optional int; } @output { y: int[]; }\n@lower { y[] = ?a ? a : 0; }", &[]),
        (
            "@attrib { a: optional int; } @output { y: int[]; }\n@lower { y[] = 0; y[] += 1 | a > 0; }",
            &["2:30 expected a value that is never null, found an optional bool: `a` is optional"],
        ),
    ]);
}

#[test]
fn every_output_is_assigned() {
    expect(&[
        ("@output { y: real[]; z: real[]; } @lower { y[] = 0.0; }", &["1:22 the output `z` is never assigned"]),
        (
            "@output { y: real[]; }",
            &["0:10 warning: `o` has neither `@compose` nor `@lower`, so nothing says how it computes"],
        ),
    ]);
}
