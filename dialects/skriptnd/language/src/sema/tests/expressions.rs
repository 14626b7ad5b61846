use super::{GRAPH, about, expect};

/// A body with `@using { v = VALUE; }` and some names to use.
fn using(value: &str) -> String {
    format!(
        "@using {{ v = {value}; }}\n@attrib {{ i: int; r: real; b: bool; s: str; p: int..(n); q: real..; \
         o: optional int; m: bool..(n); }} @input {{ x: real[h]; xs: real[h]..(k); }} @output {{ y: real[]; }}\n\
         @lower {{ y[] = 0.0; }}"
    )
}

#[test]
fn valid_expressions() {
    let valid = [
        "[1, i, p.., i ..(3), i ..(b), 2:i, (p, p)..]",
        "p[0] + p[-1] * i ** 2 % 3 \\ 2 - i / 2",
        "p[m] + ..",
        "p[::2][[0, 1]]",
        "(p[1] <- 3)[p[[0, 1]] <- [1, 2]]",
        "o ?? i",
        "?o && b ? o : 0",
        "s[0] == 'a' && s != \"{i} {r}\"",
        "p in [1, 2] && b",
        "x.shape is p",
        "x.rank + xs.size + h + k + n",
        "real(i) + `sqrt`(r) + abs(r) + real(abs(i)) + pi",
        "int(inf) << int(-inf) >> i",
        "p < .. => (q := ..) == 1.0",
        "b ? p : [i]",
        "b ? [1, 2]",
        "[] == p",
        "int() + i",
    ];
    for value in valid {
        assert_eq!(about(&using(value)), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn types_of_operands() {
    let cases = [
        ("i + r", "1:14 the operands of `+` must have the same type, found int and real"),
        ("i < r", "1:14 the operands of `<` must have the same type, found int and real"),
        ("s + s", "1:14 the operand of `+` must be int or real, found str"),
        ("i && b", "1:14 the operand of `&&` must be bool, found int"),
        ("!i", "1:15 the operand of `!` must be bool, found int"),
        ("-b", "1:15 the operand of `-` must be int or real, found bool"),
        ("i ? 1 : 2", "1:14 the condition of `?:` must be bool, found int"),
        ("b ? 1 : 2.0", "1:18 the operands of `?:` must have the same type, found int and real"),
        ("o ?? r", "1:14 the operands of `??` must have the same type, found int and real"),
        ("i in i", "1:19 only a pack can be searched by `in`, found int"),
        ("i + ..", "1:14 only a pack can be folded, found int"),
        ("m + ..", "1:14 the operand of `+ ..` must be int or real, found a pack of bool"),
        ("`sqrt`(i)", "1:21 the argument of `sqrt` must be real, found int"),
        ("int(s)", "1:18 str can't be converted to int: expected int, real or bool"),
        ("str(i)", "1:18 int can't be converted to str"),
        ("U(i)", "1:14 `U` is neither a built-in function nor a type"),
        ("num(i)", "1:14 `num` is no type of values: expected int, real, bool or str"),
    ];
    for (value, expected) in cases {
        assert_eq!(about(&using(value)), [expected], "{value}");
    }
}

#[test]
fn packs_and_tensors() {
    let cases = [
        ("[1, 2.0]", "1:18 the items of a list must have the same type: expected int, found real"),
        ("[p, 1]", "1:15 expected a single value, found a pack of int"),
        ("[i..]", "1:15 expected a pack before `..`, found int"),
        ("[i ..(r)]", "1:20 the length of a pack must be int or bool, found real"),
        ("[r:i]", "1:15 the bound of a range must be int, found real"),
        ("i[0]", "1:14 only a pack can be indexed, found int"),
        ("p[r]", "1:16 an index must be int, or a pack of bool, found real"),
        ("p[0, 1]", "1:14 a pack has one index, found 2 indices"),
        ("p[0,]", "1:14 a pack has one index, found 1 index"),
        ("p[q..]", "1:16 a pack is indexed by a pack as it is: expected no `..`"),
        ("p[0] <- r", "1:22 the new value of an item must be int, found real"),
        ("p[0] <- p", "1:22 the new value of a single item must be a single value, found a pack of int"),
        ("x + 1.0", "1:14 expected a single value, found a real tensor"),
        ("x[0,]", "1:14 elements of tensors can only be read in `@lower`"),
        ("xs.shape", "1:14 `xs.shape` doesn't exist: `xs` is a pack of real tensors"),
        ("x.size", "1:14 `x.size` doesn't exist: `x` is a real tensor"),
        ("i.rank", "1:14 `i.rank` doesn't exist: `i` is int"),
        ("[|i|]", "1:15 `| |` guards indices of tensors and belongs into `@lower`"),
    ];
    for (value, expected) in cases {
        assert_eq!(about(&using(value)), [expected], "{value}");
    }
}

#[test]
fn warnings() {
    expect(&[
        (
            &using("b || m[0] && b"),
            &["1:14 warning: `||` and `&&` have the same precedence and are read from the left"],
        ),
        (&using("(b || m[0]) && b"), &[]),
        (&using("b || (m[0] && b)"), &[]),
        (&using("i ?? 1"), &["1:14 the left operand of `??` must be optional, found int"]),
        (&using("?i ? 1 : 2"), &["1:15 warning: the operand of `?` is int, which is never null"]),
    ]);
}

#[test]
fn help_for_unknown_names() {
    use crate::library::Library;
    let help = |value: &str| {
        let text = format!("operator o {{\n{}\n}}{GRAPH}", using(value));
        let (library, _) = Library::load(&super::Text(&text));
        let found = crate::sema::check(&library).diagnostics;
        found.iter().next().and_then(|diagnostic| diagnostic.help.clone()).unwrap_or_default()
    };
    assert_eq!(help("b && True"), "did you mean `true`?");
    assert_eq!(help("xz.shape"), "did you mean `xs`?");
    assert_eq!(help("i + 1.0"), "convert one of them with `real(...)` or `int(...)`; write `1.0` for a real one");
}

#[test]
fn unknown_names_are_reported_once_with_the_nearest() {
    let cases = [("pp + i + pp", "1:14 `pp` is not declared"), ("w", "1:14 `w` is not declared")];
    for (value, expected) in cases {
        assert_eq!(about(&using(value)), [expected], "{value}");
    }
}
