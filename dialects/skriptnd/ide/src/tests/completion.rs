//! What may be typed, in texts that are not finished.

use super::marked;

fn labels(text: &str) -> Vec<String> {
    marked(text, &[("lib", "# Doubles.\noperator twice { @attrib { a: int; b: real = 1.0; c: optional str; } @input { x: real[]; y: real[]; } @output { z: real[]; } }\noperator _hidden {}")]).labels()
}

fn has(list: &[String], label: &str) -> bool {
    list.iter().any(|known| known == label)
}

#[test]
fn outside_of_definitions() {
    assert_eq!(labels("imp$"), ["import", "operator", "graph", "public"]);
    let modules = labels("import lay$\ngraph G {}");
    assert!(has(&modules, "layout") && has(&modules, "lib.ops") && has(&modules, "nn"), "{modules:?}");
    assert!(labels("# import $").is_empty());
    assert!(labels("operator $").is_empty());
}

#[test]
fn blocks() {
    let blocks = labels("graph G {\n    @input { x: real[1]; }\n    $\n}");
    assert!(has(&blocks, "@compose") && !has(&blocks, "@input"), "{blocks:?}");
    assert!(has(&labels("graph G {\n    @comp$\n}"), "compose"));
}

#[test]
fn types_are_proposed_behind_the_colon() {
    assert!(labels("operator o { @attrib { a$").is_empty());
    let types = labels("operator o { @dtype { T: num; } @attrib { a: $; } }");
    assert!(has(&types, "int") && has(&types, "optional") && has(&types, "T"), "{types:?}");
    let values = labels("operator o { @attrib { n: int; a: int = $; } }");
    assert!(has(&values, "n") && has(&values, "`sqrt`") && !has(&values, "int"), "{values:?}");
}

#[test]
fn operators_of_a_module() {
    assert_eq!(labels("import lib; graph G { @compose { y = lib.$ } }"), ["twice"]);
    assert_eq!(labels("import lib; graph G { @compose { y = lib.tw$\n z = lib.twice(y); } }"), ["twice"]);
    assert!(has(&labels("import nn; graph G { @compose { y = nn.co$"), "conv"));
    // What is not imported has no operators.
    assert_eq!(labels("graph G { @compose { y = nn.$; } }"), ["shape", "rank", "size"]);
    assert_eq!(labels("operator o { @input { x: real[s..]; } @using { d = x.$; } }"), ["shape", "rank", "size"]);
}

#[test]
fn attributes_of_an_invocation() {
    assert_eq!(labels("import lib; graph G { @compose { y = lib.twice{$"), ["a", "b", "c"]);
    assert_eq!(labels("import lib; graph G { @compose { y = lib.twice{b=2.0, $}(x); } }"), ["a", "c"]);
    let values = labels("import lib; graph G { @attrib { n: int; } @compose { y = lib.twice{a=$}(x); } }");
    assert!(has(&values, "n") && !has(&values, "b"), "{values:?}");
}

#[test]
fn names_in_scope() {
    let text = "graph G { @input { x: real[n]; } @output { y: real[n]; } @compose { a = f(x); y = { b = f(a); yield $b; }; } }";
    let names = labels(text);
    assert!(["x", "a", "b", "n", "true"].iter().all(|name| has(&names, name)), "{names:?}");
    let names = labels("operator o { @input { x: real[s]; } @output { y: real[s]; } @lower { y[i] = x[$i], i < s; } }");
    assert!(has(&names, "i") && has(&names, "x") && !has(&names, "if"), "{names:?}");
    let names = labels("import nn; graph G { @input { x: real[1]; } @output { y: real[1]; } @compose { y = $ } }");
    assert!(["if", "with", "nn", "G", "x"].iter().all(|name| has(&names, name)), "{names:?}");
    let names = labels("graph G { @input { x: real[1]; } @output { y: real[1]; } @compose { $ } }");
    assert_eq!(names, ["y", "yield"]);
}

#[test]
fn brackets_that_are_open_are_forgotten_with_their_statement() {
    let names =
        labels("import lib; graph G { @output { y: real[1]; } @compose { a = lib.twice{a=1(x; b = lib.twice(; $ } }");
    assert_eq!(names, ["y", "yield"]);
    let names = labels("import lib; graph G { @compose { a = lib.twice{a=1 \n @update { \n$ } }");
    assert_eq!(names, ["yield"]);
}

#[test]
fn nothing_is_proposed_in_strings_and_comments() {
    assert!(labels("graph G { @assert { true: 'a $").is_empty());
    assert!(labels("graph G { # a $\n}").is_empty());
}

#[test]
fn signatures() {
    let signature = |text: &str| {
        let lib = "# Adds.\noperator add { @attrib { a: int = 1; b: real; } @input { x: real[]; y: real[]..(n); } @output { z: real[]; } }";
        let marked = marked(text, &[("lib", lib)]);
        marked.snapshot.signature(marked.file, marked.offset)
    };
    let operands = signature("import lib; graph G { @compose { y = lib.add{b=1.0}(f, [c, d], $ } }").unwrap();
    assert_eq!(operands.label, "lib.add(x: real[], y: real[]..(n))");
    assert_eq!((operands.active, operands.parameters[1]), (Some(2), (19, 33)));
    assert_eq!(operands.about, "Adds.");
    let attributes = signature("import lib; graph G { @compose { y = lib.add{b=1.0$}(f); } }").unwrap();
    assert_eq!((attributes.label.as_str(), attributes.active), ("lib.add{a: int = 1, b: real}", Some(1)));
    assert!(signature("import lib; graph G { @compose { y = $lib.add(); } }").is_none());
}
