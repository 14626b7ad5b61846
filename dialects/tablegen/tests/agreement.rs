//! Formats of operations, types and attributes are taken and refused as `mlir-tblgen` takes and refuses them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use skriptnd_tablegen::{Records, llvm_prefix, ods::Model, search_path};

/// The lines that upstream's tool refuses.
fn refused_upstream(prefix: &Path, generator: &str, file: &Path) -> BTreeSet<usize> {
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    command.args([generator, "-asmformat-error-is-fatal=false", "-o", "/dev/null", "-I"]);
    let output = command.arg(prefix.join("include")).arg(file).output().unwrap();
    let shown = format!("{}:", file.display());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = |line: &str| line.strip_prefix(&shown)?.split(':').next()?.parse().ok();
    let notes = errors.lines().filter(|line| line.contains("note: in custom assembly format"));
    notes.filter_map(line).collect()
}

/// Compares both on each definition; each stands on a line of its own.
fn compare(generator: &str, operations: &[String]) {
    let prefix = llvm_prefix();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("case.td");
    let text = format!("{PRELUDE}{}\n", operations.join("\n"));
    std::fs::write(&file, &text).unwrap();
    let theirs = refused_upstream(&prefix, generator, &file);
    let errors = Records::from_file(&file, &search_path(&file, &[])).and_then(|records| Model::read(&records)).err();
    let mut ours = BTreeMap::new();
    for diagnostic in errors.iter().flat_map(|error| error.diagnostics()) {
        let line = diagnostic.place().position().map_or(0, |(_, line, _)| line);
        ours.entry(line).or_insert_with(|| diagnostic.message().to_string());
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut different = Vec::new();
    for line in theirs.iter().copied().chain(ours.keys().copied()).collect::<BTreeSet<_>>() {
        let said = match (theirs.contains(&line), ours.get(&line)) {
            (true, None) => "taken here".to_string(),
            (false, Some(message)) => message.clone(),
            _ => continue,
        };
        let shown = lines.get(line - 1).unwrap_or(&"").split("assemblyFormat").nth(1).unwrap_or_default();
        different.push(format!("{shown}: {said}"));
    }
    assert!(!theirs.is_empty() && theirs.len() < operations.len(), "{} of {}", theirs.len(), operations.len());
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), operations.len(), different.join("\n"));
}

const PRELUDE: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def T : Dialect { let name = "t"; }
"#;

/// The parts of formats that are put in place of the whole, one at a time; the operation has one of everything.
const PARTS: &[&str] = &[
    "",
    "$x $x",
    "operands",
    "attr-dict",
    "prop-dict",
    "prop-dict prop-dict",
    "attr-dict-with-keyword",
    "regions",
    "successors",
    "results",
    "type(results)",
    "type(operands)",
    "functional-type(operands, results)",
    "functional-type($x, $y)",
    "type($n)",
    "type(type($x))",
    "type(`a`)",
    "`a+b`",
    "`1a`",
    "`a b`",
    "`->` `...` `|` `/` `+` `*` `?`",
    "`-`",
    "`/`",
    "`|`",
    "`+`",
    "`<` `>` `[` `]` `{` `}` `(` `)`",
    "`@`",
    "`#`",
    "`;`",
    "`~`",
    "`~b`",
    "`\\n` ` ` ``",
    "`_` `a.b` `a$b` `_a`",
    "`a-b`",
    "`:`",
    "$none",
    "$y",
    "$",
    "wrong",
    "(`a` $u^)?",
    "(`a` $u^):(`b`)?",
    "(`a`):(`b` $u^)?",
    "(`a`)?",
    "()?",
    "($u^ $maybe^)?",
    "(`a` $u^)",
    "(`a` $u^):?",
    "(`a` (`b` $u^)? $maybe^)?",
    "((`b` $u^)? $maybe^)?",
    "(attr-dict $u^)?",
    "(`a`^ $u)?",
    "(type($v2)^)?",
    "(`a` type($x)^)?",
    "(`a` type($v2)^)?",
    "(`a` $n^)?",
    "(`a` $dflt^)?",
    "(`a` $prop^)?",
    "(`a` $dprop^)?",
    "(`a` $body2^)?",
    "(`a` $next2^)?",
    "(`` $u^)?",
    "custom<A>($u)",
    "custom<A>($u, $maybe)",
    "custom<A>()",
    "custom A",
    "custom<>()",
    "custom<A>",
    "custom<A>($u $maybe)",
    "custom<A>(`a`)",
    "custom<A>(\"text\", $u)",
    "custom<A>(operands)",
    "custom<A>(ref($x))",
    "custom<A>(ref(type($x)))",
    "custom<A>(ref($u))",
    "custom<A>(custom<B>($u))",
    "custom<A>(type(operands))",
    "custom<A>(type($v2))",
    "custom<A>(attr-dict)",
    "custom<A>(ref(attr-dict))",
    "custom<A>($dprop)",
    "custom<A>(ref($prop))",
    "(custom<A>($u)^)?",
    "(custom<A>($n)^)?",
    "(custom<A>()^)?",
    "(custom<A>(ref($x), $u)^)?",
    "ref($x)",
    "oilist(`a` $u | `b` $maybe)",
    "oilist(`a` $u) oilist(`a` $maybe)",
    "oilist(`a` $u) oilist(`b` $maybe)",
    "oilist(`a` $u) `a`",
    "oilist(`a` $n)",
    "oilist(`a` $dflt)",
    "oilist(`a` $dprop)",
    "oilist(`a` $prop)",
    "oilist(`a` `(` $v2 `:` type($v2) `)`)",
    "oilist(`a` type($x))",
    "oilist($u)",
    "oilist(`a`)",
    "oilist()",
    "oilist(`a` custom<A>($u))",
    "oilist(`a` oilist(`b` $u))",
    "(oilist(`a` $u)^)?",
    "qualified($maybe)",
    "qualified($x)",
    "qualified(type($v2))",
    "qualified(`a`)",
    "qualified(qualified($maybe))",
    "$any2 `:`",
    "$any2 `,` `:`",
    "$any2 $u `:`",
    "$maybe `:`",
    "qualified($maybe) `:`",
    "(`q` $any2^)? `:`",
    "($any2^)? `:`",
    "attr-dict $body2",
    "attr-dict `a` $body2",
    "attr-dict-with-keyword $body2",
    "attr-dict regions",
];

/// The members of the operation that has one of everything.
const MEMBERS: &str = "let arguments = (ins AnyType:$x, Variadic<AnyType>:$v, Variadic<AnyType>:$v2, UnitAttr:$u, AnyAttr:$any, \
     OptionalAttr<AnyAttr>:$any2, I32Attr:$n, OptionalAttr<I32Attr>:$maybe, DefaultValuedAttr<I32Attr, \"1\">:$dflt, \
     I64Prop:$prop, DefaultValuedProp<I64Prop, \"1\">:$dprop); let results = (outs AnyType:$y); \
     let regions = (region AnyRegion:$body, VariadicRegion<AnyRegion>:$body2); \
     let successors = (successor AnySuccessor:$next, VariadicSuccessor<AnySuccessor>:$next2);";

const REST: &str = "$x `,` $v `,` $v2 $n $any $any2 $maybe $u $dflt $prop $dprop $body $body2 $next $next2 attr-dict `,` \
     type($x) `,` type($v) `,` type($v2) `,` type($y)";

#[test]
fn elements_are_taken_and_refused() {
    let mut operations = Vec::new();
    for part in PARTS {
        // What the part binds is left out of the rest, so that only the part can be wrong.
        let words: Vec<&str> = REST.split(' ').filter(|word| !part.contains(*word) || word.starts_with('`')).collect();
        let rest = words.join(" ");
        for format in [format!("{part} {rest}"), format!("{rest} {part}"), part.to_string()] {
            let index = operations.len();
            operations.push(format!(
                "def A{index} : Op<T, \"a{index}\", [AttrSizedOperandSegments]> {{ {MEMBERS} let assemblyFormat = [{{{format}}}]; }}"
            ));
        }
    }
    compare("-gen-op-defs", &operations);
}

#[test]
fn types_are_found_again_or_missed() {
    let traits = [
        "",
        "SameOperandsAndResultType",
        "SameTypeOperands",
        "AllTypesMatch<[\"x\", \"z\", \"y\"]>",
        "AllTypesMatch<[\"x\", \"y\"]>, AllTypesMatch<[\"x\", \"z\"]>",
        "TypesMatchWith<\"\", \"x\", \"y\", \"$_self\">",
        "TypesMatchWith<\"\", \"y\", \"x\", \"$_self\">, TypesMatchWith<\"\", \"y\", \"z\", \"$_self\">",
        "TypesMatchWith<\"\", \"n\", \"x\", \"$_self\">",
        "DeclareOpInterfaceMethods<InferTypeOpInterface>",
        "InferTypeOpInterface",
        "SameOperandsAndResultType, InferTypeOpInterface",
        "AllTypesMatch<[\"x\", \"y\"]>, InferTypeOpInterface",
    ];
    let formats = [
        "",
        "type($x)",
        "type($y)",
        "type($z)",
        "type($x) `,` type($z)",
        "type(operands)",
        "type(results)",
        "type($x) `,` type($y)",
        "functional-type(operands, results)",
        "custom<A>(type($x))",
        "custom<A>(type($x), type($y))",
    ];
    let kinds = [
        ("AnyType", "AnyType"),
        ("I32", "AnyType"),
        ("AnyType", "I32"),
        ("I32", "Variadic<I32>"),
        ("Variadic<I32>", "I32"),
        ("Variadic<AnyType>", "AnyType"),
    ];
    let mut operations = Vec::new();
    for given in traits {
        for format in formats {
            for (operand, result) in kinds {
                for operands in ["$x `,` $z $n", "operands $n"] {
                    let index = operations.len();
                    operations.push(format!(
                        "def A{index} : Op<T, \"a{index}\", [{given}]> {{ let arguments = (ins {operand}:$x, AnyType:$z, I32Attr:$n); \
                         let results = (outs {result}:$y); \
                         let assemblyFormat = \"{operands} attr-dict `:` {format}\"; /* {given} {operand} {result} */ }}"
                    ));
                }
            }
        }
    }
    compare("-gen-op-defs", &operations);
}

#[test]
fn formats_of_types_are_taken_and_refused() {
    let formats = [
        "$a",
        "$a $b $c",
        "$a $a",
        "$b",
        "params",
        "`<` params `>`",
        "$a params",
        "params $a",
        "struct(params)",
        "struct($a, $b, $c)",
        "struct($a) $b",
        "struct($a, $b) $c",
        "struct()",
        "struct(`a`)",
        "struct($a, struct($b))",
        "struct(custom<A>($a), $b)",
        "struct(custom<A>($a, $b))",
        "struct(params, $a)",
        "$a struct($b, $c)",
        "$a struct($b, $c) `,` `x`",
        "struct($a) `,` $b $c",
        "params `,` `x`",
        "$a (`x` struct($b, $c) `,` $d^)?",
        "`<` $a (`,` $b^)? `>`",
        "$a ($b^)?",
        "$a ($b^ $c)?",
        "$a ($b $c^)?",
        "$a ($b^ $c^)?",
        "$a (`x`)?",
        "$a (`x`^)?",
        "$a (`x` $b^):(`y`)?",
        "$a (`x`):(`y` $b^)?",
        "(`x` $a^)?",
        "$a (`x` $b^ (`y` $c^)?)?",
        "$a ((`y` $c^)? $b^)?",
        "(params^)?",
        "$a (struct($b, $c)^)?",
        "(struct($a)^)?",
        "$a (custom<A>($b)^)?",
        "(custom<A>($a)^)?",
        "$a (custom<A>(ref($a))^)?",
        "$a (custom<A>()^)?",
        "custom<A>($a)",
        "custom<A>($a, $b)",
        "custom<A>($a, \"text\")",
        "custom<A>(\"text\") $a",
        "custom<A>($a) custom<B>(ref($a))",
        "custom<A>(ref($a)) $a",
        "custom<A>(params)",
        "custom<A>(`x`)",
        "custom<A>",
        "custom A",
        "qualified($a)",
        "qualified($a) $a",
        "qualified(params)",
        "qualified(`a`)",
        "$a qualified($b)",
        "ref($a)",
        "$none",
        "wrong",
        "`a+b` $a",
        "`->` $a",
        "``",
        "$a `\\n`",
        "$a $",
        "attr-dict $a",
        "type($a)",
    ];
    let mut definitions = Vec::new();
    for format in formats {
        for parameters in [
            "\"int\":$a, OptionalParameter<\"int\">:$b, DefaultValuedParameter<\"int\", \"1\">:$c",
            "\"int\":$a",
            "OptionalParameter<\"int\">:$a, OptionalParameter<\"int\">:$b",
        ] {
            let index = definitions.len();
            definitions.push(format!(
                "def M{index} : TypeDef<T, \"M{index}\"> {{ let mnemonic = \"m{index}\"; let parameters = (ins {parameters}); \
                 let assemblyFormat = [{{{format}}}]; /* {parameters} */ }}"
            ));
        }
    }
    compare("-gen-typedef-defs", &definitions);
}
