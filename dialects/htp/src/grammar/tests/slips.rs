//! Slips of C++ text around rules: each is told once, at its place, with a word on how to write it.

use super::{Files, RULE, strict};
use crate::grammar::{Mode, PRELUDE, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostics, Severity};

/// The only message about a text: place, severity, text and help.
fn only(text: &str) -> (String, Severity, String, String) {
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    read("main.cpp", text, Mode::Strict, &Files(&[]), None, &mut sources, &mut found);
    let all: Vec<_> = found.iter().cloned().collect();
    let [one] = all.as_slice() else { panic!("{text}: {all:?}") };
    let (line, column) = sources.position(one.span);
    (format!("{line}:{column}"), one.severity, one.message.clone(), one.help.clone().unwrap_or_default())
}

fn told(text: &str, severity: Severity, place: &str, words: &str, help: &str) {
    let (at, of, message, helped) = only(text);
    assert_eq!((at.as_str(), of), (place, severity), "{text}: {message}");
    assert!(message.contains(words), "{text}: {message}");
    assert!(helped.contains(help), "{text}: {helped}");
}

fn refused(text: &str, place: &str, words: &str, help: &str) {
    told(text, Severity::Error, place, words, help);
}

/// A rule whose replacement is given, behind other lines.
fn with(lines: &str, replacement: &str) -> String {
    format!("{lines}DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), OK, {replacement})\n")
}

#[test]
fn comments_are_closed() {
    let never = "this comment is never closed";
    refused(&format!("{RULE}\n  /* the rest\n{RULE}\n"), "2:3", never, "`*/`");
    refused("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), /* OK, Op(\"B\"))\n", "1:42", never, "`*/`");
    let (file, messages) = strict(&format!("/* a /* b */ {RULE} // /*\n"));
    assert_eq!((file.rules.len(), messages.len()), (1, 1));
}

#[test]
fn parameters_of_macros_are_names() {
    let line = |text: &str| with(&format!("#define {text}\n"), "F(\"B\", \"X\")");
    refused(&line("F(a,b Op(a,b)"), "1:15", "expected `,` or `)` behind a parameter of macro `F`", "#define F(a, b)");
    refused(&line("F(a,b"), "1:9", "the parameters of macro `F` are not closed", "`)`");
    refused(&line("F(1,b) Op(b)"), "1:11", "expected a parameter of macro `F`, found `1`", "names");
    refused(&line("F(a,) Op(a)"), "1:12", "behind a parameter of macro `F`, found `,`", "#define F(a, b)");
    refused(&line("F(a,a) Op(a)"), "1:13", "macro `F` has the parameter `a` twice", "of its own");
    refused(&line("F(...,a) Op(a)"), "1:14", "behind a parameter of macro `F`, found `,`", "#define F(a, b)");
    for good in ["F(a, b) Op(a, b)", "F(...) Op(__VA_ARGS__)", "F(a, ...) Op(a, __VA_ARGS__)"] {
        assert_eq!(strict(&line(good)).1, [""; 0], "{good}");
    }
}

#[test]
fn uses_of_macros_are_whole() {
    let opens = "this macro opens a parenthesis that it does not close";
    refused(&with("#define F(a) Op(a, \"X\"\n", "F(\"B\")"), "2:51", opens, "unless `\\` stands there");
    let closes = "this macro closes a parenthesis that it does not open";
    refused(&with("#define F(a) Op(a))\n", "F(\"B\")"), "2:51", closes, "remove a `)`");
    refused(&with("#define F(a) Op(a, \"X\")\n", "F"), "2:51", "macro `F` is used without its arguments", "F(a)");
    refused(&with("#define F (a) Op(a)\n", "F(\"B\")"), "2:51", "found `(`", "at once in #define");
    // One macro may open what another closes.
    assert_eq!(strict(&with("#define OPEN Op(\"B\",\n#define CLOSE )\n", "OPEN \"X\" CLOSE")).1, [""; 0]);
}

#[test]
fn macros_are_defined_once() {
    let twice = "#define N \"A\"\n#define N \"B\"\n";
    let again = "macro `N` is defined again, and otherwise";
    told(&with(twice, "Op(N)"), Severity::Warning, "2:9", again, "#undef");
    for good in ["#define N \"A\"\n#define N \"A\"\n", "#define N \"A\"\n#undef N\n#define N \"B\"\n"] {
        assert_eq!(strict(&with(good, "Op(N)")).1, [""; 0], "{good}");
    }
    // Those of the prelude may be replaced.
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let text = with("#define TILE_HEIGHT 16\n", "Op(\"B\", \"X\")");
    read("main.cpp", text, Mode::Sdk, &Files(&[]), Some(PRELUDE), &mut sources, &mut found);
    assert!(found.is_empty());
}

#[test]
fn directives_are_those_of_cpp() {
    let rule = with("", "Op(\"B\", \"X\")");
    let around = |before: &str, behind: &str| format!("{before}{rule}{behind}");
    refused(&around("#defin N 4\n", ""), "1:2", "`#defin` is no directive", "did you mean `#define`?");
    refused(&around("#els\n", ""), "1:2", "`#els` is no directive", "did you mean `#else`?");
    refused(&around("#else\n", ""), "1:1", "no condition whose branch this #else can be", "#endif");
    refused(&around("#if 0\n#else\n#else\n", "#endif\n"), "3:1", "whose branch this #else can be", "at most one #else");
    refused(
        &around("#if 0\n#else\n#elif 1\n", "#endif\n"),
        "3:1",
        "whose branch this #elif can be",
        "at most one #else",
    );
    let unreadable = "this condition can't be read, and is taken as false";
    for condition in ["#if FOO BAR", "#if", "#ifdef", "#ifndef", "#if (1"] {
        told(&around(&format!("{condition}\n"), "#endif\n"), Severity::Warning, "1:1", unreadable, "defined(NAME)");
    }
    told(&around("#error no\n", ""), Severity::Warning, "1:2", "a compiler of C++ stops at this #error", "condition");
    let quotes = "expected a file in quotes or in angle brackets, found `foo`";
    told(&around("#include foo.h\n", ""), Severity::Warning, "1:10", quotes, "#include \"file.h\"");
    for good in [
        "#pragma once\n#line 3\n#\n#include <vector>\n",
        "#if 0\n#error no\n#if what is this\n#else\n#endif\n#defin x\n#elifdef X\n#elifndef X\n#endif\n",
    ] {
        let (file, messages) = strict(&around(good, ""));
        assert_eq!((file.rules.len(), messages), (1, Vec::new()), "{good}");
    }
}

#[test]
fn a_rule_begins_with_its_pass() {
    let pass = |text: &str| format!("DEF_PACKAGE_OPTIMIZATION({text}, Op(\"A\"), OK, Op(\"B\"))\n");
    let offset = "the offset of a pass is a decimal constant without sign or suffix";
    refused(&pass("EARLY + N"), "1:34", offset, "EARLY + 10");
    refused(&pass("EARLY + -10"), "1:34", offset, "EARLY + 10");
    refused(&pass("EARLY +"), "1:33", offset, "EARLY + 10");
    refused(&pass("EARLY 10"), "1:32", "expected `,` behind the pass, found `10`", "EARLY + 10");
    refused(&pass("EARLY * 2"), "1:32", "expected `,` behind the pass, found `*`", "EARLY + 10");
    refused(&pass("ns::EARLY"), "1:26", "expected a pass group, found `ns`", "EARLY or EARLY + 10");
    let without = "DEF_PACKAGE_OPTIMIZATION(Op(\"A\"), OK, Op(\"B\"))\n";
    refused(without, "1:26", "expected a pass group, found `Op`", "EARLY or EARLY + 10");
}

#[test]
fn rules_are_no_cpp() {
    for (replacement, column, help) in [
        ("Op(L\"B\")", 55, "without prefix"),
        ("Op(\"B\"sv)", 57, "without suffix"),
        ("Op(\u{201c}B\u{201d})", 54, "straight quotes"),
        ("Op(\"B\"; \"X\")", 57, "behind a rule"),
        ("Op(\"B\", [](){})", 59, "EXTERNAL_REPLACE"),
        ("(Op(\"B\"))", 51, "behind names only"),
        ("Op(\"B\", (int)3)", 59, "INT(x)"),
        ("DType.QInt8", 56, "DType::QUInt8"),
        ("DType:QInt8", 56, "DType::QUInt8"),
        ("a::DType::QInt8", 59, "DType::QUInt8"),
        ("Op(\"B\") and Op(\"C\")", 59, "AND(a, b)"),
    ] {
        refused(&with("", replacement), &format!("1:{column}"), "expected", help);
    }
    // What follows belongs to the rule, and is no second mistake.
    let closed = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\")), OK, Op(\"B\", \"X\"))\n";
    refused(closed, "1:46", "found `,`", "check the parentheses");
}

#[test]
fn annotations_are_read() {
    for broken in [
        ":::EXTERNAL_SHAPEFN::: { OpRef f(OpRef, int; }",
        ":::EXTERNAL_SHAPEFN::: OpRef f(OpRef, int);",
        "::EXTERNAL_SHAPEFN:: { OpRef f(OpRef); }",
    ] {
        let text = with(&format!("  // {broken}\n"), "Op(\"B\")");
        told(&text, Severity::Warning, "1:3", "announces nothing", ":::EXTERNAL_SHAPEFN::: { type");
    }
    for good in ["// see EXTERNAL_REPLACE: it builds", "// :::EXTERNAL_CONSTRAINT::: { bool f(OpRef); }"] {
        assert_eq!(strict(&with(&format!("{good}\n"), "Op(\"B\")")).1, [""; 0], "{good}");
    }
}

#[test]
fn an_unclosed_part_of_a_rule_is_found() {
    let rule = |match_and_constraint: &str| {
        format!("DEF_PACKAGE_OPTIMIZATION(EARLY, {match_and_constraint}, Op(\"B\", \"X\"));\n{RULE}\n")
    };
    let before = "is not closed before the next part of the rule";
    refused(&rule("Op(\"A\", \"X\", OK"), "1:33", &format!("the `(` of `Op` {before}"), "`)`");
    refused(&rule("Op(\"A\", Op(\"C\", \"X\"), IS_FLOAT(\"X\")"), "1:33", &format!("the `(` of `Op` {before}"), "`)`");
    refused(&rule("Op(\"A\", \"X\"), GT(RANK_OF(\"X\"), 4"), "1:47", &format!("the `(` of `GT` {before}"), "`)`");
    refused(&rule("Op(\"A\", \"X\"), GT(RANK_OF(\"X\", 4)"), "1:47", &format!("the `(` of `GT` {before}"), "`)`");
    // What can't be told is told of the whole.
    refused(&rule("Op(\"A\", (\"X\", OK"), "1:25", "the `(` of `DEF_PACKAGE_OPTIMIZATION` is never closed", "`)`");
}
