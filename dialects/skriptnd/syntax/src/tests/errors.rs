use super::parse_text;

fn errors(text: &str) -> Vec<String> {
    parse_text(text).1
}

#[test]
fn says_what_was_expected_and_what_was_found() {
    let cases: [(&str, &[&str]); 18] = [
        ("graph G { @output { y: real[3] } @compose { y = x; } }", &["1:30 expected `;` after this, found `}`"]),
        ("operator o { @lower { y[i,] = x[i,] * k\n i < n; } }", &["1:39 expected `,` or `;` after this, found `i`"]),
        ("operator o { @attrib { k: int, l: int; } }", &["1:29 expected `;` after this, found `,`"]),
        ("graph G { @compose { y = f(x) + ; } }", &["1:33 expected an expression, found `;`"]),
        ("graph G { @compose { y = f(x; } }", &["1:29 expected `)` or `,`, found `;`"]),
        ("graph G { @input { x real[3]; } }", &["1:22 expected `:`, found `real`"]),
        ("graph G { @input { x: [3]; } }", &["1:23 expected a type, found `[`"]),
        ("graph G { @inputs { x: real[3]; } }", &["1:11 there is no block named `@inputs`"]),
        (
            "graph G { @input { x: real[3]; }",
            &["1:33 expected `}` at the end of the definition of `G`, found the end of the file"],
        ),
        (
            "graph G { @input { x: real[3]; @output { y: real[3]; } }",
            &["1:32 expected `}` at the end of the block `@input`, found `@output`"],
        ),
        ("graph G { x: real[3]; }", &["1:11 expected a block such as `@input { ... }` or `}`, found `x`"]),
        ("grph G { }", &["1:1 expected `import`, `operator` or `graph`, found `grph`"]),
        ("graph 3 { }", &["1:7 expected a name, found the number 3"]),
        (
            "graph G { @compose { y = op{a: 42}(x); } }",
            &["1:30 expected `=` between the attribute `a` and its value, found `:`"],
        ),
        (
            "graph G { @compose { y = math.add(math.mul(x, x), x); } }",
            &["1:35 the invocation of `math.mul` can't stand inside of an expression"],
        ),
        (
            "graph G { @compose { y = { z = f(x); }; } }",
            &["1:38 expected `yield` as the last statement of this block, found `}`"],
        ),
        (
            "operator o { @assert { a > 0: \"a = {a + }\"; } }",
            &["1:36 in the formatted string: expected an expression, found its end"],
        ),
        (
            "graph G { @attrib { s: str = 'abc; } }\ngraph H { @attrib { s: str = 'x'; } }",
            &["1:30 this string is never closed: expected its closing quote"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn several_errors_in_one_run() {
    let text = "\
graph G {
    @input { x: real[3; y: real[4]; z int; }
    @compose {
        a = f(x;
        b = g(x, ), y;
        c = { d = h( ; e = h(x); yield e; };
    }
    @output { a: real[3]; }
}
operator o { @lower { y[i,] ++ x[i,], i < n; } }
";
    let lines: Vec<String> = errors(text).iter().map(|e| e.split(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(lines, ["2", "2", "4", "5", "6", "10"]);
}

#[test]
fn a_broken_definition_is_marked_and_the_others_are_whole() {
    let (module, errors) = parse_text("operator a { @using { x = ; } } operator b { @using { x = 1; } }");
    assert_eq!(errors.len(), 1);
    assert_eq!(module.operators.iter().map(|o| o.incomplete).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn literals_have_limits() {
    assert_eq!(
        errors("operator o { @using { a = 9223372036854775808; b = 1e999; } }"),
        [
            "1:27 the integer 9223372036854775808 doesn't fit in 64 bits",
            "1:52 the real number is larger than the largest finite one",
        ]
    );
}

#[test]
fn folds_that_do_not_exist() {
    assert_eq!(
        errors("operator o { @using { a = x - ..; b = x < ...; } }"),
        ["1:29 `-` can't be folded over a pack", "1:41 `< ...` can't be accumulated: expected + * << >> && or ||",]
    );
}
