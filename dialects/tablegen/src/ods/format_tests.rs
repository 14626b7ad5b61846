//! Assembly formats: what is read, and what is refused where.

use super::*;
use crate::{error::Error, records::Records};

const PRELUDE: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def T : Dialect { let name = "t"; }
"#;

/// An operation with one of everything.
const MEMBERS: &str = "
  let arguments = (ins AnyType:$x, Optional<AnyType>:$o, Variadic<AnyType>:$v, UnitAttr:$u, AnyAttr:$any, I32Attr:$n,
                   OptionalAttr<I32Attr>:$maybe, I64Prop:$prop);
  let results = (outs AnyType:$y);
  let regions = (region AnyRegion:$body);
  let successors = (successor AnySuccessor:$next);";

fn model(text: &str) -> std::result::Result<Model, Error> {
    let directories = [crate::paths::llvm_prefix().join("include")];
    Model::read(&Records::from_text(&format!("{PRELUDE}{text}"), "test.td", &directories).unwrap())
}

fn whole(format: &str) -> std::result::Result<Model, Error> {
    model(&format!(
        "def A : Op<T, \"a\", [AttrSizedOperandSegments]> {{{MEMBERS}\n  let assemblyFormat = [{{{format}}}];\n}}"
    ))
}

/// Column and message of the first error; columns begin with the format.
fn refused(format: &str) -> (usize, String) {
    let error = whole(format).expect_err(format);
    let column = error.diagnostics()[0].place().position().map_or(0, |(_, _, column)| column);
    let begin = "  let assemblyFormat = [{".len();
    (column - begin, error.message().replacen("assembly format: ", "", 1))
}

const REST: &str = "$x `,` $o $v $any `,` $n $prop $body $next attr-dict `:` type(operands) `,` type($y)";

#[test]
fn what_upstream_takes_is_taken() {
    for format in [
        REST,
        "operands custom<Foo>($any, ref($x), \"text\") $n $prop regions successors attr-dict-with-keyword functional-type(operands, results)",
        "operands oilist(`a` `(` $maybe `)` | `b` $u) $any $n prop-dict attr-dict regions successors `:` functional-type(operands, results)",
        "$x (`[` $o^ `]`):(`none`)? ($v^)? (`fast` $u^)? $any `;`",
    ] {
        let format = format.replace(" `;`", " `,` $n $prop $body $next attr-dict `:` type(operands) `,` type($y)");
        whole(&format.replace("attr-dict regions", "regions attr-dict"))
            .unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn parts_that_are_wrong_are_underlined() {
    let cases = [
        ("$x $x", 4, "operand 'x' is already bound"),
        ("attr-dict attr-dict", 11, "'attr-dict' directive has already been seen"),
        ("$x operands", 4, "'operands' directive creates overlap in format"),
        ("attr-dict $none", 11, "'$none' is not an argument, result, region or successor of the operation"),
        (
            "`a+b`",
            1,
            "expected valid literal but got 'a+b': keywords should contain only alphanum, '_', '$', or '.' characters",
        ),
        ("(`x`)?", 1, "optional group has no anchor element"),
        ("(`x` $x^)?", 6, "only variable length operands can be used within an optional group"),
        ("(`x` $n^)?", 6, "only optional or default-valued attributes can be used to anchor an optional group"),
        ("(`x` $o^ $v^)?", 12, "only one element can be marked as the anchor of an optional group"),
        (
            "(type($v) $v^)?",
            2,
            "first parsable element of an optional group must be a literal, variable, or custom directive",
        ),
        ("(`x` $o^)", 10, "expected '?' after optional group"),
        ("$y", 1, "result variables can only be used as a child to a 'type' directive"),
        ("type($n)", 6, "attributes cannot be used as children to a `type` directive"),
        ("type(type($x))", 6, "'type' cannot be used as a child of another `type`"),
        ("type($x) type($x)", 15, "'type' of 'x' is already bound"),
        ("ref($x)", 1, "'ref' is only valid within a `custom` directive"),
        ("custom<A>(ref($x))", 15, "operand 'x' must be bound before it is referenced"),
        ("custom A", 8, "expected '<' before custom directive name"),
        ("oilist(`a` $x)", 12, "only variable length operands can be used within an oilist parsing group"),
        ("qualified($x)", 11, "'qualified' directive expects an attribute or a `type` directive"),
        ("wrong", 1, "unknown directive 'wrong' in the format"),
        ("`a", 1, "a literal without its end"),
        ("results", 1, "'results' directive can only be used as a child to a 'type' directive"),
    ];
    for (format, column, message) in cases {
        assert_eq!(refused(format), (column, message.to_string()), "{format}");
    }
}

#[test]
fn ambiguous_formats_are_refused() {
    let with = |from: &str, to: &str| REST.replace(from, to);
    assert_eq!(
        refused(&with("$any `,`", "$any `:`")).1,
        "format ambiguity caused by `:` literal found after attribute `any` which does not have a buildable type"
    );
    assert_eq!(
        refused(&with("$body $next attr-dict", "attr-dict $body $next")).1,
        "format ambiguity caused by `attr-dict` directive followed by region `body`"
    );
    assert_eq!(
        refused(&with("$o", "$o oilist(`a` $u) oilist(`a` $maybe)")).1,
        "format ambiguity because a is used in two adjacent oilist elements"
    );
}

#[test]
fn all_that_is_missing_is_named() {
    let error = whole("attr-dict").unwrap_err();
    let messages: Vec<_> = error.diagnostics().iter().map(|diagnostic| diagnostic.message().to_string()).collect();
    for expected in [
        "operand #0, named 'x', is missing",
        "region #0, named 'body', is missing",
        "successor #0, named 'next', is missing",
    ] {
        assert!(messages.iter().any(|message| message.contains(expected)), "{expected}: {messages:?}");
    }
    assert!(error.to_string().contains("help: add 'type($x)' to the format"), "{error}");
}

fn sources(traits: &str, results: &str, format: &str) -> (Vec<TypeSource>, Vec<TypeSource>) {
    let text = format!(
        "def A : Op<T, \"a\", [{traits}]> {{ let arguments = (ins AnyType:$x, AnyType:$z); let results = (outs {results}:$y);
         let assemblyFormat = \"operands attr-dict {format}\"; }}"
    );
    let model = model(&text).unwrap_or_else(|error| panic!("{error}"));
    let format = model.operations[0].format.clone().unwrap_or_default();
    (format.operand_types, format.result_types)
}

#[test]
fn types_that_are_not_written_are_found_again() {
    let same = |reference| TypeSource::Same(reference);
    let (operands, results) = sources("SameOperandsAndResultType", "AnyType", "`:` type($x)");
    assert_eq!(operands, [TypeSource::Text, same(Reference::Operand(0))]);
    assert_eq!(results, [same(Reference::Operand(0))]);
    let (operands, results) = sources("AllTypesMatch<[\"x\", \"z\", \"y\"]>", "AnyType", "`:` type($y)");
    assert_eq!(operands, [same(Reference::Result(0)), same(Reference::Result(0))]);
    assert_eq!(results, [TypeSource::Text]);
    let transformed = "TypesMatchWith<\"it\", \"x\", \"y\", \"twice($_self)\">";
    let (_, results) = sources(transformed, "AnyType", "`:` type($x) `,` type($z)");
    assert_eq!(results, [TypeSource::Transformed(Reference::Operand(0), "twice($_self)".into())]);
    let (_, results) = sources("", "I32", "`:` type(operands)");
    assert_eq!(results, [TypeSource::Built("$_builder.getIntegerType(32)".into())]);
    let (_, results) = sources("DeclareOpInterfaceMethods<InferTypeOpInterface>", "AnyType", "`:` type(operands)");
    assert_eq!(results, [TypeSource::Inferred]);
}

#[test]
fn formats_put_together_show_their_text() {
    let error = model(
        "class C<string rest> : Op<T, \"a\"> { let assemblyFormat = \"attr-dict \" # rest; } def A : C<\"$none\">;",
    )
    .unwrap_err();
    assert!(error.to_string().contains("assemblyFormat:1:11: here\nattr-dict $none\n          ^"), "{error}");
}

#[test]
fn definitions_have_formats_as_well() {
    let read = |format: &str| {
        model(&format!(
            "def M : TypeDef<T, \"M\"> {{ let mnemonic = \"m\";
             let parameters = (ins \"int\":$a, OptionalParameter<\"int\">:$b); let assemblyFormat = \"{format}\"; }}"
        ))
    };
    let definition = read("`<` $a (`,` $b^)? `>`").unwrap().definitions.remove(0);
    let format = definition.format.unwrap_or_default();
    assert_eq!(format[1], DefinitionElement::Parameter { index: 0, qualified: false });
    assert!(matches!(&format[2], DefinitionElement::Optional { anchors, .. } if *anchors == [1]));
    assert!(read("`<` struct(params) `>`").is_ok());
    let refused = |format: &str| read(format).unwrap_err().message().to_string();
    assert_eq!(refused("`<` $b `>`"), "assembly format: format is missing reference to parameter: a");
    assert_eq!(refused("$a $a"), "assembly format: duplicate parameter 'a'");
    assert_eq!(refused("$a (`x` $a^)?"), "assembly format: duplicate parameter 'a'");
    assert_eq!(refused("(`x` $a^)?"), "assembly format: parameters in an optional group must be optional");
    let deep = format!("{}$b{}", "(`x` ".repeat(500), ")?".repeat(500));
    assert!(refused(&deep).contains("nested more than 16 deep"));
    assert_eq!(refused("$a params"), "assembly format: `params` captures duplicate parameter: a");
}
