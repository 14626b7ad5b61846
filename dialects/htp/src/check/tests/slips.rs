//! Rules as people break them: each is refused once, at the place of the slip, with a word on how to write it.

use crate::check::{Terms, check};
use crate::grammar::passes::PassTable;
use crate::grammar::{Directories, Mode, PRELUDE, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostics, Severity};

/// Place, severity, text and help of what is found in a text.
fn found_in(text: &str, mode: Mode) -> Vec<(String, Severity, String, String)> {
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let prelude = (mode == Mode::Sdk).then_some(PRELUDE);
    let file = read("test.htp", text, mode, &Directories::default(), prelude, &mut sources, &mut found);
    check(&file, Terms { mode, passes: &PassTable::default(), package: None }, &sources, &mut found);
    let told = found.iter().map(|diagnostic| {
        let (line, column) = sources.position(diagnostic.span);
        let help = diagnostic.help.clone().unwrap_or_default();
        (format!("{line}:{column}"), diagnostic.severity, diagnostic.message.clone(), help)
    });
    told.collect()
}

/// The only message is an error at this place that has these words and this help.
fn refused(text: &str, place: &str, words: &str, help: &str) {
    match found_in(text, Mode::Strict).as_slice() {
        [(at, Severity::Error, message, helped)] => {
            assert_eq!(at, place, "{text}: {message}");
            assert!(message.contains(words), "{text}: {message}");
            assert!(helped.contains(help) && !helped.is_empty(), "{text}: {helped}");
        }
        others => panic!("{text}: {others:?}"),
    }
}

fn rule(pattern: &str, constraint: &str, replacement: &str) -> String {
    format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\n{replacement})\n")
}

#[test]
fn slips_in_the_registration() {
    let rest = "Op(\"A\", \"x\"), OK, Op(\"B\", \"x\"))";
    for (head, place, words, help) in [
        ("DEF_PACKAGE_OPTIMISATION(EARLY, ", "1:1", "registers nothing", "did you mean `DEF_PACKAGE_OPTIMIZATION`?"),
        ("DEF_PACKAGE_OPTIMZATION(EARLY + 2, ", "1:1", "registers nothing", "did you mean `DEF_PACKAGE_OPTIMIZATION`?"),
        ("def_package_optimization(EARLY, ", "1:1", "registers nothing", "did you mean `DEF_PACKAGE_OPTIMIZATION`?"),
        ("DEF_PACKAGE_OPTIMIZATION(2000, ", "1:26", "expected a pass group, found `2000`", "EARLY + 10"),
        ("DEF_PACKAGE_OPTIMIZATION(\"EARLY\", ", "1:26", "expected a pass group", "EARLY + 10"),
        ("DEF_PACKAGE_OPTIMIZATION(EARLY + 1 + 1, ", "1:36", "expected `,` behind the pass", "add one number"),
        ("DEF_PACKAGE_OPTIMIZATION(EARLY + 0x10, ", "1:32", "decimal constant", "EARLY + 10"),
        ("DEF_PACKAGE_OPTIMIZATION(EARLI, ", "1:26", "`EARLI` is no pass group", "did you mean `EARLY`?"),
        (
            "DEF_PACKAGE_OPTIMIZATION(EARLY, some_flag, ",
            "1:1",
            "found 5 operands",
            "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS",
        ),
    ] {
        refused(&format!("{head}{rest}"), place, words, help);
    }
    let without = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), Op(\"B\", \"x\"))";
    refused(without, "1:1", "found 3 operands", "has the constraint OK");
    let comma = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\") OK, Op(\"B\", \"x\"))";
    refused(comma, "1:46", "found `OK`", "separated by commas");
}

#[test]
fn what_is_no_registration_is_told() {
    let rest = "(EARLY, Op(\"A\", \"x\"), OK, Op(\"B\", \"x\"))\n";
    let told = found_in(&format!("SPLIT_ALL{rest}"), Mode::Sdk);
    let [(_, Severity::Warning, message, help)] = told.as_slice() else { panic!("{told:?}") };
    assert!(message.contains("`SPLIT_ALL` registers nothing") && help.contains("-I DIR"), "{message} {help}");
    let told = found_in(&format!("DEF_PACKAGE_OPTIMIZATION{}", rest.replace('\n', ")\n")), Mode::Strict);
    let [(place, Severity::Warning, message, _)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((place.as_str(), message.contains("closes nothing")), ("1:64", true), "{message}");
    for good in [
        "static auto f = call(EARLY, make(Op(\"A\")));\n",
        "DEF_PACKAGE_PARAM_ORDER(\"A\", \"x\", true, nullptr)\n",
        "DEF_TENSOR_PROPERTIES(Op(\"A\", \"x\"), Flat(\"x\"))\nDEF_PACKAGE_OP(f, \"A\")\n",
        "#define MINE(p) DEF_PACKAGE_OPTIMIZATION(EARLY, p, OK, Op(\"B\"))\nMINE(Op(\"A\"))\n",
    ] {
        assert_eq!(found_in(good, Mode::Sdk), [], "{good}");
    }
    let flags = "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS";
    let told = found_in(&format!("{flags}{rest}"), Mode::Sdk);
    assert!(told[0].2.contains("takes pass, flags, match") && told[0].3.contains("without flags"), "{told:?}");
    assert_eq!(found_in(&format!("{flags}{}", rest.replace("EARLY", "EARLY, precise")), Mode::Sdk), []);
}

#[test]
fn slips_in_the_match() {
    for (pattern, place, words, help) in [
        ("op(\"A\", \"x\")", "2:1", "unknown name `op`", "did you mean `Op`?"),
        ("Op(A, \"x\")", "2:4", "found `A`", "put it in quotes: \"A\""),
        ("Op(\"A\", x)", "2:9", "found `x`", "in quotes: \"x\""),
        ("Op(\"A\", \"x\", 3)", "2:14", "found `3`", "give it a tag"),
        ("Op(\"A\", \"*\")", "2:9", "is the root of the match", "another tag"),
        ("Op(\"A\", LET(Op(\"C\", \"x\"), \"c\"))", "2:9", "stand in another order", "LET(\"tag\", Op(...))"),
        ("Op(\"A\", LET(\"x\", \"y\"))", "2:18", "`LET` names an Op", "needs no LET"),
        ("Op(\"A\", LET(\"c\", Op(\"C\")), LET(\"c\", Op(\"D\")))", "2:32", "given by two LETs", "a tag of its own"),
        ("Op(\"A b\", \"x\")", "2:4", "must not hold a space", "names without it"),
        ("Op(\"\", \"x\")", "2:4", "must not be empty", "name of an op"),
        ("Op(\"A\", \"x\",)", "2:13", "found `)`", "remove the comma"),
        ("Op(\"A\",, \"x\")", "2:8", "found `,`", "a comma too many"),
        ("\"x\"", "2:1", "must be Op or OpVarIn", "Op(\"Relu\", \"x\")"),
    ] {
        refused(&rule(pattern, "OK", "Op(\"B\")"), place, words, help);
    }
}

#[test]
fn slips_in_the_constraint() {
    for (constraint, column, words, help) in [
        ("EQ(DIM_OF(3, \"x\"), 1)", 4, "stand in another order", "DIM_OF(operand, dimension)"),
        ("EQ(CONSTVAL_INT(0, \"x\"), 1)", 4, "stand in another order", "CONSTVAL_INT(operand, index)"),
        ("EQ(DTYPE_OF(\"x\"), QUInt8)", 19, "is no constant", "did you mean `DType::QUInt8`?"),
        ("EQ(DTYPE_OF(\"x\"), Dtype::QUInt8)", 19, "found `Dtype::QUInt8`", "tags of DType"),
        ("EQ(DTYPE_OF(\"x\"), DType::Quint8)", 19, "is no tag of DType", "did you mean `DType::QUInt8`?"),
        ("EQ(DTYPE_OF(\"x\"), DType::Complex64)", 19, "is no tag of DType", "tags are UNKNOWN, QUInt8"),
        ("EQ(DTYPE_OF(\"x\"), 3)", 1, "found dtype and int", "compared with a dtype"),
        ("\"x\"", 1, "found `\"x\"`", "RANK_OF(\"x\")"),
        ("!IS_FLOAT(\"x\")", 1, "found `!`", "NOT(condition)"),
        ("EQ(CONSTVAL(\"x\", 0), 1)", 4, "unknown name `CONSTVAL`", "did you mean `CONSTVAL_INT`?"),
        ("OPTION(\"fast\")", 1, "unknown name `OPTION`", "did you mean `OPTION_INT`?"),
        ("OPTION_BOOL(fast)", 13, "found `fast`", "put it in quotes"),
        ("EXTERNAL_CONSTRAINT(\"f\", \"x\")", 21, "expected the name of a function", "without quotes: f"),
        ("GT(STEPSIZE_OF(\"x\"), -INF)", 23, "found `INF`", "NEG_INF"),
        ("GT(STEPSIZE_OF(\"x\"), 1e999)", 22, "beyond the range", "a float has 32 bits"),
        ("GT(RANK_OF(\"x\"), 0b10)", 18, "is no number", "0x1f"),
        ("GT(RANK_OF(\"x\"), sizeof(4))", 18, "unknown name `sizeof`", "-I DIR"),
        ("EQ(ADD(OK, 1), 2)", 8, "found bool", "SELECT(condition, 1, 0)"),
        ("EQ(ROUNDUP(RANK_OF(\"x\"), 3), 4)", 26, "power of 2", "1, 2, 4, 8"),
        ("IS_FLOAT(\"x\" \"y\")", 10, "no operand tag \"xy\"", "is a comma missing"),
    ] {
        refused(&rule("Op(\"A\", \"x\", \"y\")", constraint, "Op(\"B\")"), &format!("3:{column}"), words, help);
    }
}

#[test]
fn slips_in_the_replacement() {
    let split = |body: &str| format!("AUTOSPLIT(3, \"I\", 32, Op(\"A\", {body}))");
    for (replacement, column, words, help) in [
        ("Op(\"B\", 1.0f)".into(), 9, "found `1.0f`", "gen_ConstScalar_f32(x)"),
        ("Op(\"B\", DIM_DEPTH(\"x\"))".into(), 9, "found `DIM_DEPTH(...)`", "gen_ConstScalar_i32(x)"),
        ("Op(\"B\", x)".into(), 9, "found `x`", "in quotes: \"x\""),
        (split("TYPICAL_SLICE(\"I\", \"x\")"), 31, "stand in another order", "TYPICAL_SLICE(operand, \"split\")"),
        (split("CHANGEDIM_SLICE(\"I\", \"x\", 2)"), 31, "stand in another order", "new_dimension"),
        ("WITH_SIZE(Op(\"B\", \"x\"), \"x\")".into(), 1, "stand in another order", "WITH_SIZE(shape, replacement)"),
        ("OpMultiOut(\"B\", 2, 0, \"x\")".into(), 1, "stand in another order", "OpMultiOut(outputs, output"),
        (
            "WITH_OUTPUT_TYPE(DType::QInt8, 1.0f, 0, Op(\"B\", \"x\"))".into(),
            32,
            "the zero offset, an int, stands before the step size",
            "DType::QUInt8, 128, 0.5f",
        ),
        ("WITH_OUTPUT_TYPE(DType::QInt8, 0, 1, Op(\"B\"))".into(), 35, "expected type float, found int", "FLOAT(x)"),
        ("WITH_OUTPUT_TYPE(\"x\", 0, 1.0f, Op(\"B\"))".into(), 18, "found `\"x\"`", "RANK_OF"),
        ("Op(\"B\", SHAPEFN_APPLY(\"f\", \"x\"))".into(), 23, "the name of a function", "without quotes: f"),
        ("EXTERNAL_REPLACE(&f)".into(), 18, "found `&`", "without operators of C++"),
        ("EXTERNAL_REPLACE(ns::f)".into(), 18, "found `ns::f`", "without its namespace: f"),
        ("Op<int>(\"B\", \"x\")".into(), 3, "found `<`", "templates"),
        ("\"B\"(\"x\")".into(), 4, "found `(`", "an op is written Op"),
        ("Op(\"B\", \"x\" Op(\"C\"))".into(), 13, "found `Op`", "separated by commas"),
        ("Op(\"B\", {1, 2})".into(), 9, "found `{`", "gen_Shape(1, 2)"),
        ("Op(\"B\", \"x\" \"y\")".into(), 9, "no operand tag \"xy\"", "is a comma missing"),
    ] as [(String, u32, &str, &str); 18]
    {
        let text = rule("Op(\"A\", \"x\", \"y\")", "GT(DIM_DEPTH(\"*\"), 32)", &replacement);
        refused(&text, &format!("4:{column}"), words, help);
    }
}

#[test]
fn cpp_converts_numbers_of_an_encoding() {
    let text = rule("Op(\"A\", \"x\")", "OK", "WITH_OUTPUT_TYPE(DType::QInt8, 0u, 1, Op(\"B\", \"x\"))");
    assert_eq!(found_in(&text, Mode::Sdk), []);
    let text = rule("Op(\"A\", \"x\")", "OK", "WITH_OUTPUT_TYPE(DType::QInt8, 0.5, 1.0, Op(\"B\", \"x\"))");
    assert!(found_in(&text, Mode::Sdk)[0].2.contains("expected type int, found float"));
}

#[test]
fn a_macro_that_is_not_at_hand_is_told_once() {
    let text = rule("Op(\"A\", \"x\")", "OK", "Op(\"B\", PADDED(\"x\"), PADDED(\"x\"))");
    let told = found_in(&text, Mode::Sdk);
    let [(place, Severity::Warning, message, help)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((place.as_str(), help.contains("-I DIR")), ("4:9", true), "{message}: {help}");
}

#[test]
fn the_shape_of_a_shape_is_accepted() {
    for shape in ["gen_Shape(1, 2)", "gen_ShapeOf(\"x\")", "SELECT(OK, gen_Shape(1), gen_Shape(2))"] {
        let text = rule("Op(\"A\", \"x\")", "OK", &format!("Op(\"B\", gen_ShapeOf({shape}))"));
        let told = found_in(&text, Mode::Strict);
        let [(place, Severity::Warning, message, _)] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((place.as_str(), message.as_str()), ("4:9", "`gen_ShapeOf` of a shape is that shape"));
    }
}

#[test]
fn a_slip_in_the_use_of_a_macro_is_told_once() {
    let told = |condition: &str| {
        let text = rule("Op(\"A\", \"x\")", condition, "Op(\"B\", \"x\")");
        match <[_; 1]>::try_from(found_in(&text, Mode::Sdk)) {
            Ok([(place, Severity::Error, message, help)]) if !help.is_empty() => format!("{place} {message}"),
            other => panic!("{condition}: {other:?}"),
        }
    };
    assert_eq!(told("IS_QUANT_TYPE()"), "3:1 macro `IS_QUANT_TYPE` takes 1 argument, found 0");
    assert_eq!(told("IS_QUANT_TYPE(\"x\", \"x\")"), "3:1 macro `IS_QUANT_TYPE` takes 1 argument, found 2");
    assert_eq!(told("IS_SHAPE_1x1x1xd()"), "3:1 macro `IS_SHAPE_1x1x1xd` takes 1 argument, found 0");
    assert!(told("IS_QUANT_TYPE(\"y\")").starts_with("3:15 "));
    assert!(told("IS_QUANT_TYPE(5)").starts_with("3:15 "));
    assert!(told("IS_SCALAR(RANK_OF(\"x\"))").starts_with("3:11 "));
    // What C takes is taken where it stands for something.
    let good = "#define NAMED(SUFFIX) Op(\"A\" #SUFFIX, \"x\")\nDEF_PACKAGE_OPTIMIZATION(EARLY, NAMED(b), OK, Op(\"B\", \"x\"))\n";
    assert!(found_in(good, Mode::Sdk).is_empty());
}

#[test]
fn slips_are_told_once_with_a_way_out() {
    let condition = |text: &str| rule("Op(\"A\", \"x\", \"y\")", text, "Op(\"B\", \"x\")");
    let replacement = |text: &str| rule("Op(\"A\", \"x\", \"y\")", "GT(DIM_DEPTH(\"*\"), 4)", text);
    let split = "AUTOSPLIT(3, \"I\", 4, Op(\"B\", OP_ITER(Op(\"C\"), \"I\", 0, 2, TYPICAL_SLICE(\"x\", \"I\"))))";
    refused(&replacement(split), "4:47", "split tag \"I\" belongs to another", "give each its own tag");
    // A tag that is misspelt in the match is one slip.
    let misspelt = rule("Op(\"A\", \"in\")", "AND(IS_FLOAT(\"In\"), GT(DIM_DEPTH(\"In\"), 4))", "Op(\"B\", \"In\")");
    refused(&misspelt, "3:14", "no operand tag \"In\"", "\"in\"");
    refused(&condition("EQ(REM(STEPSIZE_OF(\"x\"), 0.5), 0.0)"), "3:8", "expected type int or size", "INT(x)");
    refused(&replacement("OUTPUT_OF(\"*\", 0)"), "4:1", "the replacement may not be", "say in the constraint");
    let deep = format!("{}OK{}", "NOT(".repeat(120), ")".repeat(120));
    refused(&condition(&deep), "3:400", "nested deeper", "take it apart");
    for text in ["and(OK, OK)", "Or(OK, OK)", "eq(RANK_OF(\"x\"), 4)"] {
        // In both modes: no macro has a name of the language in other letters.
        for mode in [Mode::Strict, Mode::Sdk] {
            let told = found_in(&condition(text), mode);
            let [(place, Severity::Error, _, help)] = told.as_slice() else { panic!("{text}: {told:?}") };
            assert!(place == "3:1" && help.contains("did you mean"), "{text}: {place} {help}");
        }
    }
    let announced = "// :::EXTERNAL_SHAPEFN::: { OpRef f(OpRef, int); }\n";
    let exchanged = replacement("Op(\"B\", SHAPEFN_APPLY(f, 1, \"x\"))");
    refused(&format!("{announced}{exchanged}"), "5:26", "in another order", "it takes (OpRef, int)");
}

#[test]
fn what_does_nothing_is_warned_of() {
    let warned = |text: &str, mode: Mode| {
        let told = found_in(text, mode);
        match told.as_slice() {
            [(place, Severity::Warning, message, help)] if !help.is_empty() => format!("{place} {message}"),
            others => panic!("{text}: {others:?}"),
        }
    };
    let replacement = |text: &str| rule("Op(\"A\", \"x\", \"y\")", "GT(DIM_DEPTH(\"*\"), 4)", text);
    let wrapped = "4:16 a wrapping op has the output of what it wraps: this modifier changes nothing";
    assert_eq!(warned(&replacement("WITH_SIZE(\"x\", WrapOp(\"B\", \"x\"))"), Mode::Strict), wrapped);
    for good in ["WITH_SAME_ID(\"x\", WrapOp(\"B\", \"x\"))", "WITH_SIZE(\"x\", WrapOp(\"B\", Op(\"C\", \"x\")))"] {
        assert_eq!(found_in(&replacement(good), Mode::Strict), [], "{good}");
    }
    let parts = warned(&replacement("Op(\"B\" \"x\")"), Mode::Strict);
    assert_eq!(parts, "4:4 string constants side by side name the op `Bx` here");
    let branch = "SELECT(IS_FLOAT(\"x\"), gen_Shape(1), Op(\"B\", \"x\"))";
    let told = warned(&replacement(branch), Mode::Strict);
    assert!(told.ends_with("the rule does not apply where it is chosen"), "{told}");
    let view = "DEF_PACKAGE_OPTIMIZATION(EARLY,\nOp(\"A\", Op(\"$Out\", \"n\", \"s\")), OK, Op(\"B\", \"n\"))\n";
    let told = found_in(view, Mode::Strict);
    let [(place, Severity::Warning, message, _)] = told.as_slice() else { panic!("{told:?}") };
    assert!(place == "2:9" && message.contains("can never match"), "{place} {message}");
    let cost = "DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, \"A\", SLOW)\n";
    assert_eq!(warned(cost, Mode::Sdk), "1:43 expected a cost, found `SLOW`");
    assert_eq!(found_in(&cost.replace("SLOW", "cost_of(4)"), Mode::Sdk), []);
}

#[test]
fn what_c_takes_is_taken() {
    let condition = |text: &str| rule("Op(\"A\", \"x\", \"y\")", text, "Op(\"B\", \"x\")");
    for text in ["GT(STEPSIZE_OF(\"x\"), 0x1p-3)", "GT(STEPSIZE_OF(\"x\"), 0X1.8P+2f)", "EQ(DIM_DEPTH(\"x\"), 0X1f)"] {
        assert_eq!(found_in(&condition(text), Mode::Strict), [], "{text}");
    }
    refused(&condition("GT(STEPSIZE_OF(\"x\"), 0x1.8)"), "3:22", "`0x1.8` is no number", "numbers are written");
    // A byte order mark stands before the first line.
    assert_eq!(found_in(&format!("\u{feff}{}", condition("OK")), Mode::Strict), []);
}
