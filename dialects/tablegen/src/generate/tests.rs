use super::*;
use crate::writer::dedent;
use crate::{ods::Model, records::Records};

fn model(text: &str) -> Model {
    let text = format!(
        "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"\ninclude \"mlir/IR/EnumAttr.td\"
         include \"mlir/Interfaces/SideEffectInterfaces.td\"\ninclude \"mlir/Pass/PassBase.td\"
         def T : Dialect {{ let name = \"t\"; let cppNamespace = \"::t\"; }}\n{text}"
    );
    let directories = [crate::paths::llvm_prefix().join("include")];
    Model::read(&Records::from_text(&text, "test.td", &directories).unwrap()).unwrap()
}

#[test]
fn definitions_share_the_functions_of_equal_constraints() {
    let model = model(
        "def A : Op<T, \"a\", [Pure]> { let arguments = (ins F32Tensor:$x, F32Tensor:$y); let results = (outs I1:$z); }",
    );
    let text = operation_definitions(&model, "test.td").unwrap();
    assert_eq!(text.matches("fn is_").count(), 2, "{text}");
    assert!(text.contains("pub static A: OperationDefinition"));
    assert!(text.contains("effects: Some(&[]),"));
    assert!(text.contains("traits: &[Trait::AlwaysSpeculatable],"));
}

#[test]
fn operations_of_one_name_in_rust_are_refused() {
    let cases = [
        ("def A : Op<T, \"a\">; def B : Op<T, \"a\">;", "'A' is operation 't.a' as well"),
        ("def A : Op<T, \"a.b\">; def B : Op<T, \"a_b\">;", "operations 't.a.b' and 't.a_b' are both 'A_B' in Rust"),
        ("def T_A : Op<T, \"a\">; def U_A : Op<T, \"b\">;", "operations 't.a' and 't.b' are both 'A' in Rust"),
        (
            "def X : Op<T, \"a\">; def XBuilder : Op<T, \"b\">;",
            "operations 't.a' and 't.b' are both 'XBuilder' in Rust",
        ),
        (
            "def A : Op<T, \"a\">; def B : Op<T, \"a_signature\">;",
            "operations 't.a' and 't.a_signature' are both 'A_SIGNATURE' in Rust",
        ),
        (
            "def Foo_A : Op<T, \"foo_type\">; def B : TypeDef<T, \"Foo\"> { let mnemonic = \"b\"; }",
            "operation 't.foo_type' and type 't.b' are both 'FOO_TYPE' in Rust",
        ),
    ];
    for (text, expected) in cases {
        let model = model(text);
        let second = model.definitions.first().map_or_else(|| &model.operations[1].place, |found| &found.place);
        for made in [operation_declarations(&model, "test.td"), operation_definitions(&model, "test.td")] {
            let error = made.unwrap_err();
            let messages: Vec<_> = error.diagnostics().iter().map(|diagnostic| diagnostic.message()).collect();
            assert!(messages.contains(&expected), "{text}: {messages:?}");
            assert_eq!(error.diagnostics()[0].place().position(), second.position(), "{text}");
        }
    }
}

#[test]
fn predicates_over_operations_look_into_operands_and_results() {
    let model = model(
        "def A : Op<T, \"a\", [AllTypesMatch<[\"x\", \"z\"]>]> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$z); }",
    );
    let text = operation_definitions(&model, "test.td").unwrap();
    assert!(text.contains("summary: \"all of {x, z} have same type\""), "{text}");
    assert!(text.contains("predicate::type_of(A_SIGNATURE.operand_group(this, 0)[0])"), "{text}");
    assert!(text.contains("predicate::type_of(A_SIGNATURE.result_group(this, 0)[0])"), "{text}");
}

#[test]
fn what_cannot_be_said_in_rust_is_asked_for() {
    let model = model(
        "def Magic : Type<CPred<\"magic($_self)\">, \"magic\">;
         def A : Op<T, \"a\"> { let arguments = (ins Magic:$x); let assemblyFormat = \"custom<Wand>($x) attr-dict `:` type($x)\"; }",
    );
    let text = operation_definitions(&model, "test.td").unwrap();
    for expected in [
        "pub fn a<H: ConstraintHooks + AssemblyHooks>() -> &'static OperationDefinition {",
        "accepts: H::is_magic,",
        "pub trait ConstraintHooks {",
        "/// (magic($_self))\n",
        "fn is_magic(this: Type<'_>) -> bool;",
        "parse: H::parse_wand,",
        "fn print_wand(",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let text = dialect(&model, "test.td").unwrap();
    assert!(
        text.contains("pub trait Hooks: definitions::ConstraintHooks + definitions::AssemblyHooks + 'static {}"),
        "{text}"
    );
    assert!(text.contains(".operation(specification(definitions::a::<H>()))"), "{text}");
}

#[test]
fn what_unknown_traits_verify_is_asked_for() {
    let model = self::model("def AOp : Op<T, \"a\", [NativeOpTrait<\"Glorious\">]>;");
    let text = operation_declarations(&model, "test.td").unwrap();
    assert!(text.contains("fn verify_glorious(op: AOp<'_, '_>) -> Result<(), Failure>;"), "{text}");
}

#[test]
fn flags_become_functions_that_must_be_written() {
    let model = model(
        "def AOp : Op<T, \"a\"> { let hasVerifier = 1; let hasRegionVerifier = 1; let hasFolder = 1; let hasCanonicalizer = 1;
           let hasCanonicalizeMethod = 1; let hasCustomAssemblyFormat = 1; }
         def BOp : Op<T, \"b\">;",
    );
    let text = operation_declarations(&model, "test.td").unwrap();
    for expected in [
        "pub trait AOpHooks {",
        "fn verify(op: AOp<'_, '_>) -> Result<(), Failure>;",
        "fn verify_regions(op: AOp<'_, '_>) -> Result<(), Failure>;",
        "fn fold<'c, 'a>(",
        "fn canonicalize<'c, 'a>(",
        "fn canonicalization_patterns() -> Vec<OperationPattern>;",
        "fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure>;",
        "fn print(op: AOp<'_, '_>, printer: &mut Printer<'_>);",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("BOpHooks"));
    assert!(dialect(&model, "test.td").unwrap().contains("pub trait Hooks: operations::AOpHooks + 'static {}"));
}

#[test]
fn operations_of_two_dialects_may_share_a_mnemonic() {
    let model = model("def U : Dialect { let name = \"u\"; } def AOp : Op<T, \"a\">; def BOp : Op<U, \"a\", []>;");
    let text = operation_declarations(&model, "test.td").unwrap();
    assert!(text.contains("pub struct TAOp<'c, 'a>") && text.contains("pub struct UBOp<'c, 'a>"), "{text}");
    let text = operation_definitions(&model, "test.td").unwrap();
    assert!(text.contains("ALL: &[&OperationDefinition] = &[&T_A, &U_A];"), "{text}");
    // What belongs to one dialect does not need it.
    let text = operation_definitions(&model.of_dialect("u"), "test.td").unwrap();
    assert!(text.contains("ALL: &[&OperationDefinition] = &[&A];"), "{text}");
}

#[test]
fn several_dialects_are_not_made_at_once() {
    let model = model("def U : Dialect { let name = \"u\"; } def AOp : Op<T, \"a\">; def BOp : Op<U, \"b\">;");
    let error = dialect(&model, "test.td").unwrap_err();
    assert_eq!(error.message(), "more than one dialect is declared (t, u): choose one with -dialect");
}

#[test]
fn names_that_rust_does_not_admit_are_changed() {
    let model = model(
        "def T_ModOp : Op<T, \"x.mod\"> { let arguments = (ins AnyType:$type, I64Attr:$new); let cppNamespace = \"::t::x\"; }",
    );
    let text = operation_declarations(&model, "test.td").unwrap();
    for expected in [
        "pub mod x {",
        "pub struct ModOp<",
        "pub fn r#type(self)",
        "pub fn new_(self) -> Result<i64, Failure>",
        "name: \"t.x.mod\",",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn enumerations_become_types() {
    let model = model(
        "def Low : I32EnumAttrCase<\"very_low\", 3, \"low\">;
         def Level : I32EnumAttr<\"Level\", \"how much\", [Low]> { let genSpecializedAttr = 0; }
         def B0 : I32BitEnumAttrCaseBit<\"Fast\", 1>;
         def Flags : I32BitEnumAttr<\"Flags\", \"how\", [B0]> { let genSpecializedAttr = 0; }",
    );
    let text = enumerations(&model, "test.td").unwrap();
    for expected in [
        "pub enum Level {",
        "VeryLow = 3,",
        "3 => Some(Self::VeryLow),",
        "\"low\" => Some(Self::VeryLow),",
        "pub const FAST: Self = Self(2);",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn documentation_lists_what_is_declared() {
    let model = model(
        "def A : Op<T, \"a\", [Pure]> { let summary = \"Does a\"; let description = [{\n    First.\n\n      Second.\n  }];
           let arguments = (ins Arg<F32Tensor, \"what goes in\">:$x, OptionalAttr<I64Attr>:$n, DefaultValuedAttr<I64Attr, \"3\">:$m); }",
    );
    let text = operation_documentation(&model);
    for expected in [
        "### `t.a`\n\n_Does a_\n\nFirst.\n\n  Second.\n",
        "Traits: `AlwaysSpeculatableImplTrait`",
        "Interfaces: `ConditionallySpeculatable`, `NoMemoryEffect`",
        "| `x` | what goes in (tensor of 32-bit float values) |",
        "| `n` | 64-bit signless integer attribute, optional |",
        "| `m` | 64-bit signless integer attribute, default `3` |",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn indentation_that_all_lines_share_goes() {
    assert_eq!(dedent("\n    a\n      b\n\n    c\n  "), "a\n  b\n\nc");
}

#[test]
fn builders_and_derived_attributes_are_asked_for() {
    let model = model(
        "def AOp : Op<T, \"a\"> {
           let arguments = (ins AnyType:$x, I64Attr:$n);
           let results = (outs AnyType:$y);
           let builders = [OpBuilder<(ins \"::mlir::Value\":$x, CArg<\"int64_t\", \"1\">:$n), [{ build(x, n); }]>,
                           OpBuilder<(ins \"::llvm::function_ref<void()>\":$body)>];
         }",
    );
    let text = operation_declarations(&model, "test.td").unwrap();
    for expected in [
        "fn build_with_x_n<'c: 'a, 'a>(",
        "x: Value<'c, 'a>,",
        "n: Option<i64>,",
        "/// Builds the operation. Where `n` is not given, C++ takes `1`. Its C++:",
        "type BuildWithBodyBody;",
        "body: Self::BuildWithBodyBody,",
        "pub struct AOpBuilder<",
        "const HAS_X: bool,",
        "impl<'c: 'a, 'a> AOpBuilder<'c, 'a, true, true, true> {",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn effects_name_the_values_that_they_are_about() {
    let model = model(
        "def AOp : Op<T, \"a\", [MemoryEffects<[MemAlloc]>]> { let arguments = (ins Arg<AnyMemRef, \"\", [MemRead]>:$x); }",
    );
    let text = operation_definitions(&model, "test.td").unwrap();
    assert!(text.contains("kind: EffectKind::Allocate,"), "{text}");
    assert!(text.contains("of: Affected::Operand(0),"), "{text}");
}

#[test]
fn types_that_the_text_leaves_out_have_a_source() {
    let model = model(
        "def AOp : Op<T, \"a\", [AllTypesMatch<[\"x\", \"y\"]>]> {
           let arguments = (ins AnyType:$x, AnyType:$y, I1:$z);
           let assemblyFormat = \"$x `,` $y `,` $z attr-dict `:` type($x)\";
         }",
    );
    let text = operation_definitions(&model, "test.td").unwrap();
    assert!(text.contains("TypeSource::Same(Reference::Operand(0)),"), "{text}");
    assert!(text.contains("TypeSource::Built(\"i1\"),"), "{text}");
}

#[test]
fn effects_of_all_kinds_are_constants() {
    let effects = "def OwnBase : EffectOpInterfaceBase<\"OwnOpInterface\", \"::t::OwnEffect\"> { let trait = \"OwnOpInterface::Trait\"; let cppNamespace = \"::t\"; }
                   def OwnResource : Resource<\"::t::Device\">;
                   def Own : SideEffect<OwnBase, \"::t::OwnEffect::Concrete\", OwnResource, 2, FullEffect>;
                   def OwnTrait : SideEffectsTraitBase<OwnBase, [Own]>;";
    let view = |text: &str| operation_declarations(&model(&format!("{effects}{text}")), "test.td").unwrap();
    let text = view("def AOp : Op<T, \"a\", [OwnTrait]> { let arguments = (ins Arg<AnyType, \"\", [MemRead]>:$x); }");
    for expected in [
        "pub const SIDE_EFFECTS: &'static [SideEffect] = &[",
        "interface: \"OwnOpInterface::Trait\",",
        "effect: \"::t::OwnEffect::Concrete\",",
        "resource: \"::t::Device\",",
        "stage: 2,",
        "full: true,",
        "of: Affected::Operand(0),",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // What MLIR is told needs no constant.
    let text = view("def AOp : Op<T, \"a\"> { let arguments = (ins Arg<AnyType, \"\", [MemRead]>:$x); }");
    assert!(!text.contains("SIDE_EFFECTS"), "{text}");
    let text =
        view("def AOp : Op<T, \"a\"> { let arguments = (ins Arg<AnyType, \"\", [MemReadAt<1, PartialEffect>]>:$x); }");
    assert!(text.contains("SIDE_EFFECTS"), "{text}");
}

#[test]
fn default_methods_do_without_some_parameters_on_purpose() {
    let model = model(
        "def I : OpInterface<\"I\"> {
           let methods = [
             InterfaceMethod<\"\", \"bool\", \"one\", (ins \"int64_t\":$index), [{}], [{ return false; }]>,
             InterfaceMethod<\"\", \"bool\", \"two\", (ins \"int64_t\":$a, \"int64_t\":$type), [{}], [{ return true; }]>,
             InterfaceMethod<\"\", \"int64_t\", \"none\", (ins), [{}], [{ return 1; }]>
           ];
         }",
    );
    let text = interfaces(&model, &[crate::ods::InterfaceKind::Operation], "test.td").unwrap();
    for expected in ["let _ = index;\n", "let _ = (a, r#type);\n"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(text.matches("let _").count(), 2, "{text}");
}
