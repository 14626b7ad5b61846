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
    let directories = [std::path::PathBuf::from("/usr/lib/llvm-22/include")];
    Model::read(&Records::from_text(&format!("{PRELUDE}{text}"), "test.td", &directories)?)
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
    assert_eq!(elements[1], Element::Optional { then: bias, otherwise: vec![], anchor: Reference::Operand(1) });
    assert_eq!(elements[3], Element::AttributeDictionary { keyword: false });
    assert_eq!(elements[5], Element::FunctionalType(Reference::Operands, Reference::Results));
}

#[test]
fn refusals_say_where_and_why() {
    let operation = |body: &str| format!("def A : Op<T, \"a\"> {{\n{body}\n}}");
    let cases = [
        ("let arguments = (outs);", "2:5: error: 'arguments' must start with 'ins', not 'outs'"),
        ("let arguments = (ins AnyTensor);", "2:5: error: an argument needs a name"),
        ("let arguments = (ins AnyTensor:$x, I1Attr:$x);", "2:5: error: operation 't.a' has two arguments named 'x'"),
        ("let arguments = (ins T:$x);", "2:5: error: argument 'x' is 'T', which is neither a type nor an attribute"),
        ("let results = (outs I1Attr:$x);", "2:5: error: a result is 'I1Attr', which is not a type"),
        (
            "let arguments = (ins Variadic<I1>:$x, Optional<I1>:$y);",
            "1:5: error: operation 't.a' has more than one group of optional or variadic operands: it needs the trait \
             AttrSizedOperandSegments or SameVariadicOperandSize",
        ),
        ("let assemblyFormat = \"`x`\";", "2:5: error: assembly format: 'attr-dict' must stand in it once"),
        (
            "let assemblyFormat = \"attr-dict $x\";",
            "2:5: error: assembly format: '$x' is not an argument, result, region or successor of the operation",
        ),
        (
            "let assemblyFormat = \"attr-dict `a+b`\";",
            "2:5: error: assembly format: 'a+b' is neither a keyword nor punctuation",
        ),
        (
            "let assemblyFormat = \"attr-dict (`x`)?\";",
            "2:5: error: assembly format: an optional group needs an element marked with '^'",
        ),
        (
            "let assemblyFormat = \"attr-dict oilist(`x`)\";",
            "2:5: error: assembly format: the directive 'oilist' is not supported",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(refusal(&operation(body)), expected);
    }
}

#[test]
fn formats_must_say_what_cannot_be_found_again() {
    let operation = |format: &str| {
        format!(
            "def A : Op<T, \"a\"> {{ let arguments = (ins I1:$x); let results = (outs I1:$y);
             let assemblyFormat = \"{format}\"; }}"
        )
    };
    let refused = |format: &str| refusal(&operation(format)).split(": ").skip(2).collect::<Vec<_>>().join(": ");
    assert_eq!(refused("attr-dict"), "assembly format: operand #0, named 'x', is missing");
    assert_eq!(refused("$x attr-dict"), "assembly format: the type of operand #0, named 'x', is missing");
    assert_eq!(refused("$x attr-dict type($x)"), "assembly format: the type of result #0, named 'y', is missing");
    assert!(read(&operation("$x attr-dict type($x) type($y)")).is_ok());
    let same = operation("$x attr-dict `:` type($x)").replace("\"a\"", "\"a\", [SameOperandsAndResultType]");
    assert!(read(&same).is_ok());
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
