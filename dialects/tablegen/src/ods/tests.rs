use super::*;
use crate::{error::Error, predicate::Predicate, records::Records};

const PRELUDE: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"
def T : Dialect { let name = "t"; let summary = "Things"; }
"#;

fn read(text: &str) -> std::result::Result<Model, Error> {
    let directories = [crate::paths::llvm_prefix().join("include")];
    Model::read(&Records::from_text(&format!("{PRELUDE}{text}"), "test.td", &directories)?)
}

/// What is said of a text that is taken.
fn warnings_of(text: &str) -> Vec<String> {
    let directories = [crate::paths::llvm_prefix().join("include")];
    let records = Records::from_text(&format!("{PRELUDE}{text}"), "test.td", &directories).unwrap();
    Model::read(&records).unwrap();
    records.take_warnings().iter().map(|warning| warning.message().to_string()).collect()
}

/// The message, with its line counted from the start of `text`.
fn refusal(text: &str) -> String {
    let shown = read(text).unwrap_err().to_string();
    let offset = PRELUDE.matches('\n').count();
    let mut parts = shown.lines().next().unwrap().splitn(4, ':');
    match (parts.next(), parts.next().map(str::parse::<usize>), parts.next(), parts.next()) {
        (Some("test.td"), Some(Ok(line)), Some(column), Some(rest)) => format!("{}:{column}:{rest}", line - offset),
        _ => shown,
    }
}

#[test]
fn arguments_keep_their_order_and_kinds() {
    let model = read(
        "def A : Op<T, \"a\", [Pure]> {
           let arguments = (ins AnyTensor:$x, I64Attr:$n, Optional<AnyTensor>:$b, DefaultValuedAttr<StrAttr, \"\\\"z\\\"\">:$s);
           let results = (outs Variadic<AnyTensor>:$ys);
         }",
    )
    .unwrap();
    let [operation] = model.operations.as_slice() else { panic!("{model:?}") };
    assert_eq!(operation.name(), "t.a");
    let arguments: Vec<_> = operation.arguments.iter().map(|argument| operation.argument_name(*argument)).collect();
    assert_eq!(arguments, ["x", "n", "b", "s"]);
    assert_eq!(operation.operands[1].arity, Arity::Optional);
    assert_eq!(operation.results[0].arity, Arity::Variadic);
    assert_eq!(operation.results[0].constraint.summary, "variadic of tensor of any type values");
    let [n, s] = operation.attributes.as_slice() else { panic!("{operation:?}") };
    assert_eq!((n.kind, n.optional, n.default.as_deref()), (AttributeKind::Integer, false, None));
    assert_eq!((s.kind, s.default.as_deref()), (AttributeKind::String, Some("\"z\"")));
}

#[test]
fn traits_are_read_through_lists() {
    let model = read(
        "def A : Op<T, \"a\", [Pure, Commutative, HasParent<\"::mlir::ModuleOp\">, MemoryEffects<[MemWrite]>,
           PredOpTrait<\"it is so\", CPred<\"true\">>]>;",
    )
    .unwrap();
    let traits = &model.operations[0].traits;
    assert!(traits.contains(&Trait::Native("AlwaysSpeculatableImplTrait".into())));
    assert!(traits.contains(&Trait::Effects(Vec::new())));
    assert!(traits.contains(&Trait::Effects(vec![EffectKind::Write])));
    assert!(traits.contains(&Trait::Native("IsCommutative".into())));
    let parent = Trait::Parametric { name: "HasParent".into(), parameters: "::mlir::ModuleOp".into() };
    assert!(traits.contains(&parent), "{traits:?}");
    let predicate = traits.iter().find_map(|item| match item {
        Trait::Predicate { summary, predicate } => Some((summary.as_str(), predicate)),
        _ => None,
    });
    assert_eq!(predicate.map(|(summary, predicate)| (summary, predicate.is_trivial())), Some(("it is so", true)));
}

#[test]
fn conjunctions_of_nothing_always_hold() {
    assert!(Predicate::always().is_trivial());
    let model = read("def A : Op<T, \"a\"> { let arguments = (ins AnyType:$x, I32:$y); }").unwrap();
    assert!(model.operations[0].operands[0].constraint.predicate.is_trivial());
    assert!(!model.operations[0].operands[1].constraint.predicate.is_trivial());
}

#[test]
fn dialects_are_found_by_their_classes() {
    let model = read(
        "def T_Dialect : Dialect { let name = \"tea\"; let cppNamespace = \"::lib::t\"; }
         def P : Pass<\"do-it\"> {
           let dependentDialects = [\"::lib::t::TDialect\", \"::mlir::scf::SCFDialect\", \"LLVM::LLVMDialect\", \"DLTIDialect\",
                                    \"tensor\", \"llvm\", \"::lib::u::UDialect\"];
         }",
    )
    .unwrap();
    assert_eq!(model.passes[0].dependent_dialects, ["tea", "scf", "llvm", "dlti", "tensor", "llvm", "u"]);
}

#[test]
fn enumerations_and_passes() {
    let model = read(
        "def Low : I32EnumAttrCase<\"Low\", 3, \"low\">; def High : I32EnumAttrCase<\"High\", 7>;
         def Level : I32EnumAttr<\"Level\", \"how much\", [Low, High]> { let genSpecializedAttr = 0; }
         def P : Pass<\"do-it\", \"func::FuncOp\"> {
           let summary = \"Do it\";
           let dependentDialects = [\"linalg::LinalgDialect\"];
           let options = [Option<\"n\", \"count\", \"int64_t\", \"3\", \"how often\">,
                          ListOption<\"l\", \"names\", \"std::string\", \"which\">];
         }",
    )
    .unwrap();
    let level = &model.enumerations[0];
    let cases: Vec<_> = level.cases.iter().map(|case| (case.symbol.as_str(), case.value, case.text.as_str())).collect();
    assert_eq!(cases, [("Low", 3, "low"), ("High", 7, "High")]);
    let pass = &model.passes[0];
    assert_eq!((pass.argument.as_str(), pass.operation.as_str()), ("do-it", "func.func"));
    assert_eq!(pass.dependent_dialects, ["linalg"]);
    let options: Vec<_> = pass.options.iter().map(|option| (option.name.as_str(), option.is_list)).collect();
    assert_eq!(options, [("count", false), ("names", true)]);
}

#[test]
fn formats_are_read_into_elements() {
    let model = read(
        "def A : Op<T, \"a\"> {
           let arguments = (ins AnyTensor:$x, Optional<AnyTensor>:$b, UnitAttr:$fast);
           let results = (outs AnyTensor:$y);
           let assemblyFormat = \"$x (`,` $b^)? (`fast` $fast^)? attr-dict `:` functional-type(operands, results)\";
         }",
    )
    .unwrap();
    let elements = &model.operations[0].format.as_ref().unwrap().elements;
    assert_eq!(elements[0], Element::Variable(Reference::Operand(0)));
    let bias = vec![Element::Literal(",".into()), Element::Variable(Reference::Operand(1))];
    assert_eq!(
        elements[1],
        Element::Optional { then: bias, otherwise: vec![], anchors: vec![Reference::Operand(1)], inverted: false }
    );
    assert_eq!(elements[3], Element::AttributeDictionary { keyword: false });
    assert_eq!(elements[5], Element::FunctionalType(Reference::Operands, Reference::Results));
}

#[test]
fn refusals_say_where_and_why() {
    let operation = |body: &str| format!("def A : Op<T, \"a\"> {{\n{body}\n}}");
    let cases = [
        ("let arguments = (outs);", "2:5: error: 'arguments' must start with 'ins', not 'outs'"),
        ("let arguments = (ins I1Attr);", "2:22: error: an attribute needs a name"),
        ("let arguments = (ins AnyTensor:$x, I1Attr:$x);", "2:36: error: two arguments are named 'x'"),
        (
            "let arguments = (ins // (a comment, with brackets\nSI<8>:$n, T:$x);",
            "3:11: error: argument 'x' is 'T', which is neither a type nor an attribute",
        ),
        ("let results = (outs I1Attr:$x);", "2:21: error: a result is 'I1Attr', which is not a type"),
        (
            "let arguments = (ins Variadic<I1>:$x, Optional<I1>:$y);",
            "1:5: error: operation 't.a' has more than one group of optional or variadic operands: it needs the trait \
             AttrSizedOperandSegments or SameVariadicOperandSize",
        ),
        (
            "let regions = (region VariadicRegion<AnyRegion>:$a, AnyRegion:$b);",
            "2:23: error: only the last region can be variadic",
        ),
        (
            "let arguments = (ins AnyType:$x); let results = (outs AnyType:$x);",
            "2:55: error: result and operand have one name, 'x'",
        ),
        ("let skipDefaultBuilders = 1;", "2:5: error: default builders are skipped and no custom builders provided"),
        (
            "let builders = [OpBuilder<(ins CArg<\"int\", \"3\">:$a, \"int\":$b)>];",
            "2:17: error: a parameter without a default value stands behind one that has one",
        ),
        ("Attr n = I32Attr;", "2:6: error: 'n' is an attribute outside of 'arguments' that is not derived"),
    ];
    for (body, expected) in cases {
        assert_eq!(refusal(&operation(body)), expected, "{body}");
    }
}

#[test]
fn values_and_names_that_cannot_be_are_refused_at_their_place() {
    let default = |kind: &str, value: &str| {
        format!("def A : Op<T, \"a\"> {{\nlet arguments = (ins DefaultValuedAttr<{kind}, \"{value}\">:$x);\n}}")
    };
    let traits = |list: &str| format!("def A : Op<T, \"a\", [{list}]> {{ let arguments = (ins AnyType:$x); }}");
    let cases = [
        (default("I8Attr", "300"), "2:22: error: the default value 300 is no value of 'I8Attr'"),
        (default("UI8Attr", "-1"), "2:22: error: the default value -1 is no value of 'UI8Attr'"),
        (
            default("DenseI8ArrayAttr", "{1, 300}"),
            "2:22: error: the default value {1, 300} is no value of 'DenseI8ArrayAttr'",
        ),
        ("def A : Op<T, \"a b\">;".into(), "1:15: error: 'a b' is no name of an operation"),
        ("def A : Op<T, \"a..b\">;".into(), "1:15: error: 'a..b' is no name of an operation"),
        ("def U : Dialect { let name = \"a b\"; }".into(), "1:23: error: 'a b' is no name of a dialect"),
        (
            traits("AllTypesMatch<[\"x\", \"nope\"]>"),
            "1:21: error: the trait 'all of {x, nope} have same type' is about 'nope', which operation 't.a' has not",
        ),
        // TableGen makes one record of two traits that are alike.
        (
            "def A : Op<T, \"a\", [AllTypesMatch<[\"x\", \"y\"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }
             def B : Op<T, \"b\", [AllTypesMatch<[\"x\", \"y\"]>]> { let arguments = (ins AnyType:$x); }"
                .into(),
            "2:34: error: the trait 'all of {x, y} have same type' is about 'y', which operation 't.b' has not",
        ),
        (
            traits("TypesMatchWith<\"\", \"x\", \"nope\", \"$_self\">"),
            "1:21: error: the trait '' is about 'nope', which operation 't.a' has not",
        ),
        (
            traits("HasParent<\"\">"),
            "1:21: error: the trait HasParent needs names of operations, one of which is empty",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(&text), expected, "{text}");
    }
    for text in [default("I8Attr", "-128"), default("UI8Attr", "255"), default("BoolAttr", "true")] {
        assert!(read(&text).is_ok(), "{text}");
    }
}

#[test]
fn methods_that_are_declared_belong_to_their_interface() {
    let operation = |traits: &str| {
        format!(
            "def I : OpInterface<\"I\"> {{ let methods = [InterfaceMethod<\"\", \"bool\", \"holds\">]; }}
             def A : Op<T, \"a\", [{traits}]>;"
        )
    };
    let cases = [
        ("I", ""),
        ("DeclareOpInterfaceMethods<I, [\"holds\"]>", ""),
        ("DeclareOpInterfaceMethods<I, [\"nope\"]>", "the interface 'I' has no method 'nope': it is left out"),
    ];
    for (traits, expected) in cases {
        assert_eq!(warnings_of(&operation(traits)).join("\n"), expected, "{traits}");
    }
}

#[test]
fn all_that_is_wrong_is_reported() {
    let error = read(
        "def A : Op<T, \"a\"> { let arguments = (ins T:$x, T:$y); let results = (outs I1Attr:$z); }
         def Odd : Trait; def B : Op<T, \"b\", [Odd]>;",
    )
    .unwrap_err();
    let messages: Vec<_> = error.diagnostics().iter().map(crate::Diagnostic::message).collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert_eq!(messages[3], "'Odd' is no trait of operations");
}

#[test]
fn traits_stand_behind_those_that_they_need() {
    let needing = "def N : NativeOpTrait<\"N\", [Terminator]>;";
    assert!(read(&format!("{needing} def A : Op<T, \"a\", [Terminator, N]>;")).is_ok());
    let error = read(&format!("{needing} def A : Op<T, \"a\", [N, Terminator]>;")).unwrap_err();
    assert_eq!(error.message(), "N requires Terminator to precede it in the list of traits");
}

#[test]
fn other_dialects_need_not_be_right() {
    let text =
        "def U : Dialect { let name = \"u\"; } def A : Op<T, \"a\">; def B : Op<U, \"b\"> { let results = (ins); }";
    let directories = [crate::paths::llvm_prefix().join("include")];
    let records = Records::from_text(&format!("{PRELUDE}{text}"), "test.td", &directories).unwrap();
    let model = Model::read_dialect(&records, Some("t")).unwrap();
    assert_eq!(model.operations.iter().map(Operation::name).collect::<Vec<_>>(), ["t.a"]);
    assert!(Model::read_dialect(&records, None).is_err());
}

#[test]
fn what_a_dialect_does_not_use_need_not_be_right() {
    let text = "def P : PassBase<\"p\", \"::Pass\"> { let options = [Option<\"x\", \"x\", \"int\", \"y +\", \"\">]; }
                def Used : I32EnumAttr<\"Used\", \"u\", [I32EnumAttrCase<\"A\", 1>]>;
                def Twice : I32EnumAttr<\"Twice\", \"t\", [I32EnumAttrCase<\"A\", 1>, I32EnumAttrCase<\"A\", 1>]>;
                def I : OpInterface<\"I\"> { let methods = [InterfaceMethod<\"\", \"int\", \"\">]; }";
    let directories = [crate::paths::llvm_prefix().join("include")];
    let read = |operation: &str, part| {
        let prelude = format!("{PRELUDE}include \"mlir/IR/EnumAttr.td\"\ninclude \"mlir/Pass/PassBase.td\"\n");
        let records = Records::from_text(&format!("{prelude}{text}{operation}"), "test.td", &directories).unwrap();
        let model = Model::read_part(&records, Some("t"), part);
        model.map(|model| model.enumerations.len()).map_err(|error| error.message().to_string())
    };
    let operation = |argument: &str, traits: &str| {
        format!("def A : Op<T, \"a\", [{traits}]> {{ let arguments = (ins {argument}:$x); }}")
    };
    assert_eq!(read(&operation("Used", ""), Part::Dialect), Ok(1));
    for (operation, part) in [
        (operation("Twice", ""), Part::Dialect),
        (operation("Used", "I"), Part::Dialect),
        (operation("Used", ""), Part::Enumerations),
        (operation("Used", ""), Part::Interfaces),
    ] {
        assert!(read(&operation, part).is_err(), "{operation} {part:?}");
    }
}

#[test]
fn what_is_left_out_is_named() {
    let text = "class Mine<string n> : Op<T, n, [AllTypesMatch<[\"x\", \"x\"]>, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
                  let arguments = (ins AnyType:$x); string own = \"said\"; let extraClassDeclaration = \"int x();\"; }
                def A : Mine<\"a\">; def B : Mine<\"b\">;";
    assert_eq!(
        warnings_of(text),
        [
            "'extraClassDeclaration' concerns C++ only: it is left out of 'A' and 1 other",
            "'own' is no field of ODS and read by nobody: it is left out of 'A' and 1 other",
        ]
    );
}

#[test]
fn definitions_that_constrain_operands_are_read_whole() {
    let text =
        "def V : TypeDef<T, \"V\"> { let mnemonic = \"v\"; let parameters = (ins \"int\":$n); let genVerifyDecl = 1;
                  let assemblyFormat = \"params\"; string own = \"said\"; }
                def A : Op<T, \"a\"> { let arguments = (ins V:$x); }";
    assert_eq!(warnings_of(text), ["'own' is no field of ODS and read by nobody: it is left out of 'V'"]);
}

#[test]
fn hostile_files_are_refused_before_tablegen_sees_them() {
    let deep = format!("def X {{ int a = {}1{}; }}", "!add(1, ".repeat(3000), ")".repeat(3000));
    assert!(refusal(&deep).contains("nested more than 256 deep"));
    let long = format!("def X {{ string a = \"x\"{}; }}", " # \"y\"".repeat(5000));
    assert!(refusal(&long).contains("goes on for more than 512 parts"));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("self.td");
    std::fs::write(&file, "include \"self.td\"\n").unwrap();
    let error = Records::from_file(&file, &[directory.path().to_path_buf()]).err().unwrap();
    assert!(error.message().contains("includes itself"), "{error}");
}

#[test]
fn sizes_of_groups_are_said_where_several_are_open() {
    let operation =
        |traits: &str| format!("def A : Op<T, \"a\", [{traits}]> {{ let arguments = (ins Variadic<I1>:$x); }}");
    let refused = refusal(&operation("AttrSizedOperandSegments"));
    assert!(refused.contains("op must have at least two variadic operands to use 'AttrSizedOperandSegments' trait"));
    let own = format!("include \"rust/OpBase.td\"\n{}", operation("SizedOperands"));
    assert!(read(&own).unwrap().operations[0].has_trait("AttrSizedOperandSegments"));
}

#[test]
fn what_is_declared_twice_is_refused_at_the_second() {
    let cases = [
        (
            "def A : TypeDef<T, \"A\"> { let mnemonic = \"x\"; }\ndef B : TypeDef<T, \"B\"> { let mnemonic = \"x\"; }",
            "'A' and 'B' are both types '!t.x'",
        ),
        (
            "def A : AttrDef<T, \"A\"> { let mnemonic = \"x\"; }\ndef B : AttrDef<T, \"A\"> { let mnemonic = \"y\"; }",
            "'A' and 'B' are both the class 't::AAttr'",
        ),
        (
            "def A : I32EnumAttr<\"A\", \"\", [I32EnumAttrCase<\"x\", 0>,\nI32EnumAttrCase<\"x\", 1>]>;",
            "enumeration 'A' has the case 'x' twice",
        ),
        (
            "\ndef A : I32EnumAttr<\"A\", \"\", [I32EnumAttrCase<\"x\", 0x100000000>]>;",
            "enumeration 'A': 32 bits have no room for the value 4294967296 of 'x'",
        ),
    ];
    for (text, expected) in cases {
        let found = refusal(text);
        assert!(found.starts_with("2:") && found.ends_with(expected), "{text}: {found}");
    }
    // Types and attributes are told apart by what stands before their names.
    let both =
        "def A : TypeDef<T, \"A\"> { let mnemonic = \"x\"; } def B : AttrDef<T, \"A\"> { let mnemonic = \"x\"; }";
    assert!(read(both).is_ok());
}

#[test]
fn types_of_results_follow_from_relations() {
    let model = read(
        "def A : Op<T, \"a\", [AllTypesMatch<[\"x\", \"y\"]>, AllTypesMatch<[\"y\", \"z\"]>]> {
           let arguments = (ins AnyType:$x); let results = (outs AnyType:$y, AnyType:$z, I1:$w);
         }
         def B : Op<T, \"b\"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$y); }
         def C : Op<T, \"c\", [AllTypesMatch<[\"x\", \"y\"]>]> {
           let arguments = (ins AnyType:$x); let results = (outs Variadic<AnyType>:$y);
         }",
    )
    .unwrap();
    let found: Vec<_> = model.operations.iter().map(Operation::result_types).collect();
    let same = |of| TypeSource::Same(of);
    let built = TypeSource::Built("$_builder.getIntegerType(1)".into());
    assert_eq!(found, [Some(vec![same(Reference::Operand(0)), same(Reference::Result(0)), built]), None, None]);
}
