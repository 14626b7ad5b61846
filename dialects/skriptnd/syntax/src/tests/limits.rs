use super::parse_text;
use std::time::{Duration, Instant};

fn using(value: &str) -> Vec<String> {
    parse_text(&format!("operator o {{ @using {{ v = {value}; }} }}")).1
}

#[test]
fn deep_nesting_is_refused_and_names_the_limit() {
    let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    for (open, close) in [("(", ")"), ("[", "]"), ("a[", "]"), ("f(", ")"), ("(c ? ", " : 1)")] {
        let errors = using(&deep(open, close, 100_000));
        assert!(errors[0].contains("nest deeper than the limit of 96"), "{open}: {errors:?}");
    }
    for text in ["a ? ".repeat(5000), "a ?? ".repeat(5000), "a[i] <- ".repeat(5000), "| ".repeat(5000)] {
        assert!(using(&format!("{text}1"))[0].contains("the limit of 96"));
    }
    for text in ["-".repeat(100_000), "1 + ".repeat(20_000), "a => ".repeat(100_000), "-a ** ".repeat(100_000)] {
        assert!(using(&format!("{text}1"))[0].contains("the limit of 256 operations"));
    }
}

#[test]
fn nesting_up_to_the_limit_parses() {
    for (open, close) in [("(", ")"), ("[", "]"), ("a[", "]"), ("f(", ")")] {
        let errors = using(&format!("{}1{}", open.repeat(90), close.repeat(90)));
        assert_eq!(errors, Vec::<String>::new(), "{open}");
    }
    let blocks = format!("{}yield x;{}", "y = { ".repeat(90), " }; yield y;".repeat(89));
    let (_, errors) = parse_text(&format!("graph G {{ @compose {{ {blocks} }}; }} }}"));
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn broken_nests_take_linear_time() {
    let start = Instant::now();
    for piece in ["{ a = {", "y = { z = if {", "((((", "[[[[", "'{'{", "a ? (b ? ", "f(x, {a=f(", "@compose { a = { "] {
        let _ = parse_text(&format!("graph G {{ @compose {{ {} }} }}", piece.repeat(20)));
        let _ = using(&piece.repeat(20));
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn many_errors_end() {
    let (_, errors) = parse_text(&format!("graph G {{ @compose {{ {} }} }}", "a = ; ".repeat(10_000)));
    assert_eq!(errors.len(), 100);
    assert!(errors[99].contains("more than 100 syntax errors"));
}

#[test]
fn truncated_and_mutilated_texts_do_not_panic() {
    let text = include_str!("../../../language/stdlib/linalg.sknd");
    let text = &text[..1200];
    for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
        let _ = parse_text(&text[..end]);
        let _ = parse_text(&text[end..]);
    }
    for (at, c) in text.char_indices().step_by(17) {
        for other in ["", "}", "{", "\"", ";", "..", "\u{e4}", "\0"] {
            let mutilated = format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]);
            let _ = parse_text(&mutilated);
        }
    }
}
