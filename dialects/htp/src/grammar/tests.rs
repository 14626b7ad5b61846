mod slips;

use super::term::TermKind;
use super::{IncludeProvider, Mode, RuleFile, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::Diagnostics;

struct Files(&'static [(&'static str, &'static str)]);

impl IncludeProvider for Files {
    fn include(&self, _: &str, path: &str) -> Option<Result<(String, String), String>> {
        let (name, text) = self.0.iter().find(|(name, _)| *name == path)?;
        Some(Ok(((*name).to_owned(), (*text).to_owned())))
    }
}

fn read_with(text: &str, mode: Mode, files: &'static [(&'static str, &'static str)]) -> (RuleFile, Vec<String>) {
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let file = read("main.cpp", text, mode, &Files(files), None, &mut sources, &mut found);
    let messages = found.iter().map(|d| {
        let (line, column) = sources.position(d.span);
        let name = sources.file(d.span.file).map_or("?", |f| f.name.as_str());
        format!("{name}:{line}:{column}: [{}] {}", d.code, d.message)
    });
    (file, messages.collect())
}

fn strict(text: &str) -> (RuleFile, Vec<String>) {
    read_with(text, Mode::Strict, &[])
}

/// The text of all string constants of the rules.
fn strings(file: &RuleFile) -> Vec<String> {
    let mut pending: Vec<_> = file.rules.iter().flat_map(|rule| &rule.operands).collect();
    let mut found = Vec::new();
    while let Some(term) = pending.pop() {
        match &term.kind {
            TermKind::Strings(parts) => found.extend(parts.iter().map(|(text, _)| text.clone())),
            TermKind::Call { operands, .. } => pending.extend(operands),
            _ => {}
        }
    }
    found
}

const RULE: &str = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), OK, Op(\"B\", \"X\"))";

#[test]
fn all_but_rules_is_skipped() {
    let text = format!(
        "#include <vector>\nBEGIN_PKG_OP_DEFINITION(PKG_A);\n// DEF_PACKAGE_OPTIMIZATION(in a comment\n\
         /* DEF_PACKAGE_OPTIMIZATION( */ const char *s = \"DEF_PACKAGE_OPTIMIZATION(\";\n\
         auto raw = R\"x(\nDEF_PACKAGE_OPTIMIZATION(\n)x\";\nint f() {{ return ')'; }}\n{RULE};\n"
    );
    let (file, messages) = strict(&text);
    assert_eq!(messages, [""; 0]);
    assert_eq!(file.rules.len(), 1);
    assert_eq!(file.rules[0].pass.group.0, "EARLY");
    assert_eq!(file.rules[0].operands.len(), 3);
}

#[test]
fn comments_and_lines_within_a_rule_do_not_matter() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY // first\n , Op(\"A\" /* x */\n\"B\", \"X\"), OK,\n\nOp(\"C\", \"X\"))";
    let (file, messages) = strict(text);
    assert_eq!(messages, [""; 0]);
    assert_eq!(strings(&file).len(), 5);
}

#[test]
fn a_rule_stands_at_the_start_of_a_line() {
    let text = format!("  {RULE}\nint x; {RULE}\nDEF_PACKAGE_OPTIMIZATION\n(EARLY, Op(\"A\"), OK, Op(\"B\"))");
    let message = |at: &str| {
        format!(
            "main.cpp:{at}: [line-start] `DEF_PACKAGE_OPTIMIZATION` and its `(` must stand at the start of one line"
        )
    };
    assert_eq!(strict(&text).1, [message("1:3"), message("2:8"), message("3:1")]);
}

#[test]
fn an_unclosed_rule_leaves_the_next_alone() {
    let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), OK, Op(\"B\"\n{RULE}\n");
    let (file, messages) = strict(&text);
    assert_eq!(messages, ["main.cpp:1:25: [unclosed] the `(` of `DEF_PACKAGE_OPTIMIZATION` is never closed"]);
    assert_eq!(file.rules.len(), 1);
}

#[test]
fn syntax_errors_tell_expected_and_found() {
    let error = |middle: &str| {
        let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), {middle}, Op(\"B\", \"X\"))");
        strict(&text).1.join("\n")
    };
    assert_eq!(error("GT(1 2)"), "main.cpp:1:52: [syntax] expected `)` or `,`, found `2`");
    assert_eq!(error("GT(1, )"), "main.cpp:1:53: [syntax] expected an operand, found `)`");
    assert_eq!(error("A::B::C"), "main.cpp:1:51: [syntax] expected `(`, `)` or `,`, found `::`");
    assert_eq!(error("'c'"), "main.cpp:1:47: [string-constant] a character constant is no part of the rule language");
    assert_eq!(
        error("R\"(x)\""),
        "main.cpp:1:47: [string-constant] a raw string constant is no part of the rule language"
    );
    let pass = strict("DEF_PACKAGE_OPTIMIZATION(EARLY + x, OK)").1.join("\n");
    let offset = "the offset of a pass is a decimal constant without sign or suffix, found `x`";
    assert_eq!(pass, format!("main.cpp:1:34: [pass-offset] {offset}"));
}

#[test]
fn several_errors_are_found_in_one_run() {
    let text =
        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(, OK, OK)\nDEF_PACKAGE_OPTIMIZATION(EARLY + , Op(\"A\"), OK, Op(\"B\"))\n";
    let lines: Vec<String> = strict(text).1.iter().map(|m| m.split(':').nth(1).unwrap().to_owned()).collect();
    assert_eq!(lines, ["1", "2"]);
}

#[test]
fn macros_of_both_kinds_expand() {
    let text = "#define NAME \"A\"\n#define OP(n, ...) Op(n, __VA_ARGS__)\n#define JOIN(a, b) Op(#a, \"X\")\n\
                #define REST \"Y\" // with a comment\n\
                DEF_PACKAGE_OPTIMIZATION(EARLY, OP(NAME, \"X\", \\\n REST), OK, JOIN(B, c))\n\
                #undef NAME\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(NAME), OK, OK)\n";
    let (file, messages) = strict(text);
    assert_eq!(messages, [""; 0]);
    let mut found = strings(&file);
    found.sort();
    assert_eq!(found, ["\"A\"", "\"B\"", "\"X\"", "\"X\"", "\"Y\""]);
    assert!(format!("{:?}", file.rules[1].operands[0].kind).contains("Name(\"NAME\")"));
}

#[test]
fn errors_in_macros_stand_where_they_are_used() {
    let text = "#define BAD GT(1 2)\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"),\n   BAD, Op(\"B\"))";
    assert_eq!(strict(text).1, ["main.cpp:3:4: [syntax] expected `)` or `,`, found `2`"]);
    let count = "#define F(a, b) a\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), F(OK), Op(\"B\"))";
    assert_eq!(strict(count).1, ["main.cpp:2:42: [macro] macro `F` takes 2 arguments, found 1"]);
}

#[test]
fn expansion_ends() {
    let mut text = String::from("#define F0(x) x, x\n");
    for level in 1..40 {
        text.push_str(&format!("#define F{level}(x) F{}(x), F{}(x)\n", level - 1, level - 1));
    }
    text.push_str("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(F39(\"A\")), OK, OK)");
    assert_eq!(
        strict(&text).1,
        ["main.cpp:41:36: [expansion-limit] the rule grows beyond the limit of 100000 tokens by macro expansion"]
    );
    let recursive = "#define A B\n#define B A\nDEF_PACKAGE_OPTIMIZATION(EARLY, A, OK, OK)";
    assert_eq!(strict(recursive).1, [""; 0]);
    let mut pasted = String::from("#define P0(x) x##x\n");
    for level in 1..40 {
        pasted.push_str(&format!("#define P{level}(x) P{}(x##x)\n", level - 1));
    }
    pasted.push_str("DEF_PACKAGE_OPTIMIZATION(EARLY, P39(abcdefgh), OK, OK)");
    assert!(strict(&pasted).1[0].contains("limit"), "{:?}", strict(&pasted).1);
    let mut chain = String::from("#define C0 OK\n");
    for level in 1..200 {
        chain.push_str(&format!("#define C{level} C{}\n", level - 1));
    }
    chain.push_str("DEF_PACKAGE_OPTIMIZATION(EARLY, C199, OK, OK)");
    let message = "macros are nested deeper than the limit of 64 where `C135` is used";
    assert_eq!(strict(&chain).1, [format!("main.cpp:201:33: [expansion-limit] {message}")]);
}

#[test]
fn nesting_ends() {
    let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, {}{}, OK, OK)", "Op(".repeat(5000), ")".repeat(5000));
    assert_eq!(strict(&text).1.len(), 1);
    assert!(strict(&text).1[0].contains("nested deeper than the limit of 100"));
}

#[test]
fn conditionals_choose() {
    let text = format!(
        "#if 0\n{RULE}\n#elif defined(X) || 2 > 1\n{RULE}\n#else\n{RULE}\n#endif\n#ifdef NO\n{RULE}\n#endif\n\
         #define YES 1\n#if YES && !defined NO\n{RULE}\n#endif\n#ifndef YES\n#if 1\n{RULE}\n#endif\n#endif\n"
    );
    let (file, messages) = strict(&text);
    assert_eq!(messages, [""; 0]);
    assert_eq!(file.rules.len(), 2);
}

#[test]
fn includes_bring_macros() {
    const FILES: &[(&str, &str)] = &[("names.h", "#pragma once\n#define NAME \"A\"\n")];
    let text = "#include \"names.h\"\n#include \"missing.h\"\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(NAME), OK, OK)";
    let (file, messages) = read_with(text, Mode::Strict, FILES);
    assert_eq!(messages, ["main.cpp:2:10: [include] `missing.h` was not found; its macros are unknown"]);
    assert_eq!(strings(&file), ["\"A\""]);
}

#[test]
fn includes_end() {
    const FILES: &[(&str, &str)] = &[("self.h", "#include \"self.h\"\n#include \"self.h\"\n")];
    let (_, messages) = read_with("#include \"self.h\"\n", Mode::Strict, FILES);
    assert!(messages[0].contains("deeper than the limit of 32"), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("more files are included than the limit of 1000")), "{messages:?}");
}

#[test]
fn extensions_need_the_sdk_mode() {
    let text = "DEF_OPT(EARLY, Op(\"A\"), OK, Op(\"B\"))\n#define MINE(n) DEF_PACKAGE_OPTIMIZATION(EARLY, Op(n), OK, OK)\nMINE(\"C\")\n";
    let (file, messages) = read_with(text, Mode::Sdk, &[]);
    assert_eq!(messages, [""; 0]);
    assert_eq!(file.rules.len(), 2);
    let told = |place, name| format!("main.cpp:{place}: [extension] `{name}` is no part of the published grammar");
    assert_eq!(strict(text).1, [told("1:1", "DEF_OPT"), told("3:1", "MINE")]);
}

#[test]
fn strings_of_cpp_name_ops_in_sdk_mode() {
    let text = "namespace n {\nconst char *relu = \"Re\" \"lu\";\nconstexpr std::string_view clip{\"Clip\"};\n\
                static const char tanh[] = \"Tanh\";\n}\nint x = 3; if (a == \"b\") {}\n\
                DEF_PACKAGE_OP(f<T>, relu)\nDEF_OPT(EARLY, Op(relu, \"X\"), OK, Op(clip, Op(tanh, \"X\")))\n";
    let (file, messages) = read_with(text, Mode::Sdk, &[]);
    assert_eq!((messages, file.ops[0].op.as_str()), (Vec::new(), "Relu"));
    let mut found = strings(&file);
    found.sort();
    assert_eq!(found, ["\"Clip\"", "\"Re\"", "\"Tanh\"", "\"X\"", "\"X\"", "\"lu\""]);
    let (file, _) = strict(&text.replace("DEF_OPT(", "DEF_PACKAGE_OPTIMIZATION("));
    assert!(!strings(&file).contains(&"\"Clip\"".to_owned()));
}

#[test]
fn numbers_of_cpp_are_read_in_sdk_mode() {
    let text = "namespace n {\nstatic constexpr int tile = 32;\nconst size_t most{64u};\nint changes = 8;\nfor (int i = 0; i < 3;) {}\n}\n\
                DEF_OPT(EARLY, Op(\"A\", \"X\"), AND(GT(tile, most), LT(changes, 1)), \"X\")\n";
    let (file, messages) = read_with(text, Mode::Sdk, &[]);
    assert_eq!(messages, [""; 0]);
    let constraint = format!("{:?}", file.rules[0].operands[1]);
    for (part, is_there) in [("\"32\"", true), ("\"64u\"", true), ("\"8\"", false), ("Name(\"changes\")", true)] {
        assert_eq!(constraint.contains(part), is_there, "{part}: {constraint}");
    }
}

#[test]
fn a_macro_may_become_the_name_of_another() {
    let text = format!(
        "#define TWICE(x) x x\n#define NAME(k) TWICE\n#define PICK(a, b, name, ...) name\n\
         #define OF(...) PICK(__VA_ARGS__, NAME, TWICE)(__VA_ARGS__)\n{}\n",
        RULE.replace("\"A\"", "NAME(1)(\"A\")").replace("\"B\"", "OF(\"B\")"),
    );
    let (file, messages) = strict(&text);
    assert_eq!(messages, [""; 0]);
    let found = strings(&file);
    assert_eq!(found.iter().filter(|text| *text == "\"A\"").count(), 2, "{found:?}");
}

#[test]
fn ops_are_registered() {
    let text = "DEF_PACKAGE_OP((reluImpl<Tensor, A>), \"Relu\")\n\
                DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f<T, U>, \"Conv\", SNAIL, Flags::RESOURCE_HVX, IS_CONST)\n\
                DEF_TENSOR_PROPERTIES(Op(\"Relu\", \"in\"), Flat(\"*\"))\n\
                // :::EXTERNAL_SHAPEFN::: { QuickShape win_size(Replacement &, Split_Context const &, OpRef); }\n";
    let (file, messages) = strict(text);
    assert_eq!(messages, [""; 0]);
    assert_eq!(file.ops[0].function, "(reluImpl<Tensor,A>)");
    assert_eq!((file.ops[1].op.as_str(), file.ops[1].cost.as_deref()), ("Conv", Some("SNAIL")));
    assert_eq!(file.ops[1].flags, ["RESOURCE_HVX", "IS_CONST"]);
    assert_eq!((file.functions[0].name.as_str(), file.functions[0].parameters.len()), ("win_size", 3));
    assert_eq!(file.functions[0].return_type, "QuickShape");
    let bad = "DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, \"Conv\", QUICK)\nDEF_PACKAGE_OP(f)\n";
    assert_eq!(
        strict(bad).1,
        [
            "main.cpp:1:46: [unknown-cost] expected a cost, found `QUICK`",
            "main.cpp:2:1: [operand-count] `DEF_PACKAGE_OP` takes 2 operands, found 1",
        ]
    );
}

#[test]
fn no_text_is_too_hostile() {
    let rule = RULE.as_bytes();
    for cut in 0..rule.len() {
        strict(&RULE[..cut]);
        let mut changed = rule.to_vec();
        for byte in [b'(', b')', b'"', b'\\', b'#', b'\n', 0, b',', b':'] {
            changed[cut] = byte;
            strict(std::str::from_utf8(&changed).unwrap());
        }
    }
    for text in [
        "#define",
        "#define F(",
        "#define F(...",
        "#if (((",
        "#if",
        "#else",
        "#endif",
        "R\"",
        "\"",
        "DEF_PACKAGE_OP(",
        "é(",
        "// :::X::: {",
        "#define A ##\nDEF_PACKAGE_OPTIMIZATION(A)",
        "#define A(x) #x ## x\nDEF_PACKAGE_OPTIMIZATION(A(",
        "DEF_PACKAGE_OP()",
        "DEF_PACKAGE_OPTIMIZATION()",
    ] {
        strict(text);
    }
}

#[test]
fn macros_make_rules_through_macros_and_several_at_once() {
    let text = "#define ONE(m) DEF_PACKAGE_OPTIMIZATION(EARLY, m, OK, Op(\"B\"))\n#define NAMED(n) ONE(Op(n))\n\
                #define BOTH(n) NAMED(n); DEF_OPT(LATE, Op(\"Z\", n), OK, n)\nNAMED(\"A\")\nBOTH(\"x\");\n";
    let (file, messages) = read_with(text, Mode::Sdk, &[]);
    assert_eq!(messages, [""; 0]);
    let passes: Vec<&str> = file.rules.iter().map(|rule| rule.pass.group.0.as_str()).collect();
    assert_eq!(passes, ["EARLY", "EARLY", "LATE"]);
    // A macro that names itself ends.
    assert!(read_with("#define AGAIN(x) AGAIN(x)\nAGAIN(1)\n", Mode::Sdk, &[]).0.rules.is_empty());
}

#[test]
fn what_takes_rules_away_is_told() {
    let rule = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), OK, Op(\"B\"))\n";
    for (text, told) in [
        (format!("#ifdef OFF\n{rule}"), "1:1: [macro] this condition is never closed"),
        (format!("{rule}#endif\n"), "2:1: [macro] this closes no condition"),
        (
            "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), OK, Op(\"B))\n".to_owned(),
            "1:49: [string-constant] the string constant is not closed on its line",
        ),
        ("DEF_PACKGE_OP(f, \"A\")\n".to_owned(), "1:1: [unknown-name] `DEF_PACKGE_OP` registers nothing"),
        (
            "DEF_PACKAGE_OP(f, A)\n".to_owned(),
            "1:19: [string-constant] expected the name of an op as a string constant, found `A`",
        ),
    ] {
        let (_, messages) = strict(&text);
        assert!(matches!(&messages[..], [one] if one.contains(told)), "{text}: {messages:?}");
    }
    let (_, messages) = strict(&format!("#if 0\n#if 1\n{rule}#endif\n#endif\n{rule}"));
    assert_eq!(messages, [""; 0]);
}
