//! Files that were changed at random go through every generator: what is wrong with them is an error, and nothing panics,
//! ends the process or takes without end. `SKRIPTND_MUTANTS=5000` tries more of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use skriptnd_tablegen::generate;
use skriptnd_tablegen::ods::{DefinitionKind, InterfaceKind, Model};
use skriptnd_tablegen::{Records, Result, drr, search_path};

/// A declaration of everything.
const SEED: &str = r#"
include "rust/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"
def T : Dialect { let name = "t"; let summary = "all"; let cppNamespace = "::t"; let hasConstantMaterializer = 1; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def Even : AttrConstraint<RustPred<"crate::is_even($_self)">, "even">;
def Long : Type<And<[CPred<"$_self.isInteger(64)">, Neg<CPred<"$_self.isIndex()">>]>, "long">;
def Kind : I32EnumAttr<"Kind", "a kind", [I32EnumAttrCase<"Red", 0, "red">, I32EnumAttrCase<"Blue", 4>]> { let cppNamespace = "::t"; }
def Bits : I32BitEnumAttr<"Bits", "bits", [I32BitEnumAttrCaseBit<"A", 0>, I32BitEnumAttrCaseBit<"B", 1>]> { let cppNamespace = "::t"; }
def Point : TypeDef<T, "Point"> { let mnemonic = "point"; let parameters = (ins "int":$x, "mlir::Type":$y); let assemblyFormat = "`<` $x `,` $y `>`"; }
def Shape : OpInterface<"Shape"> { let methods = [InterfaceMethod<"the rank", "unsigned", "rank", (ins "int":$a)>]; }
def Add : TOp<"add", [Commutative, Pure, SameOperandsAndResultType]> {
  let summary = "adds"; let arguments = (ins AnyTensor:$x, AnyTensor:$y, DefaultValuedAttr<I64Attr, "3">:$by);
  let results = (outs AnyTensor:$z); let assemblyFormat = "$x `,` $y attr-dict `:` type($z)"; let hasFolder = 1; let hasVerifier = 1;
}
def Scale : TOp<"scale", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<Shape>]> {
  let arguments = (ins Variadic<AnyType>:$xs, Optional<I32>:$o, ConfinedAttr<I64Attr, [IntMinValue<2>]>:$n, OptionalAttr<StrAttr>:$s, UnitAttr:$u, Kind:$kind);
  let results = (outs Variadic<AnyType>:$zs); let regions = (region SizedRegion<1>:$body); let builders = [OpBuilder<(ins "int":$a)>];
  let assemblyFormat = "($xs^ `:` type($xs))? (`o` $o^)? `n` $n (`s` $s^)? (`u` $u^)? $kind $body attr-dict `->` type($zs)";
}
def Two : TOp<"two"> { let arguments = (ins I64Attr:$a); let results = (outs I32:$p, I32:$q); }
def AddTwice : Pat<(Add:$z (Add $x, $y, $b), $y, ConstantAttr<I64Attr, "3">), (Add $x, $y, $b, (location $z)), [(Constraint<CPred<"$0 != $1">> $x, $y)], [], (addBenefit 2)>;
def Make : NativeCodeCall<"make($_builder, $0)">;
def AddSame : Pat<(Add $x, $x, $b), (Add (Add $x, $x, (Make $b)), $x, $b)>;
def Go : Pass<"go", "ModuleOp"> { let summary = "goes"; let options = [Option<"level", "level", "int", "2", "how far">]; let dependentDialects = ["t::T"]; }
"#;

/// What stands in for a part of the text, or beside it.
const PARTS: &[&str] = &[
    "",
    "?",
    "0",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "1000000000",
    "\"\"",
    "\"$\"",
    "\"`\"",
    "\"{}\"",
    "\"r#\"",
    "\"\\\"\"",
    "\"super\"",
    "\"self\"",
    "\"Self\"",
    "\"crate\"",
    "\"_\"",
    "\"type\"",
    "\"fn\"",
    "\"a-b\"",
    "\"ü\"",
    "\"a b\"",
    "\"1\"",
    "\"a.b.c\"",
    "[]",
    "[{}]",
    "(ins)",
    "(outs)",
    "(region)",
    "(ins I32:$self)",
    "(ins I32:$super)",
    "(ins I32:$type)",
    "(ins I32)",
    "(ins I32:$a, I32:$a)",
    "$x",
    "$_",
    "$x__9",
    "$x__99999999999999999999",
    "Variadic<",
    "Optional<",
    "VariadicOfVariadic<",
    "OptionalAttr<",
    "DefaultValuedAttr<",
    ">",
    ";",
    "{",
    "}",
    "(",
    ")",
    "let ",
    "def ",
    "class ",
    "AnyType",
    "I32",
    "I64Attr",
    "(variadic $a)",
    "(either $a, $b)",
    "(returnType $x)",
    "(location \"a\")",
    "(replaceWithValue $x)",
    "AttrSizedOperandSegments",
    "Terminator",
    "IsolatedFromAbove",
    "CPred<\"((((\">",
    "CPred<\"isa<\">",
    "CPred<\"$_self.x(\">",
    "And<[]>",
    "Or<[]>",
    "NativeCodeCall<\"$0 $99999999999999999999\">",
    "`",
    "^",
    "attr-dict",
    "type(",
    "functional-type(",
    "custom<X>(",
    "oilist(",
];

/// A generator of numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// The places between tokens.
fn tokens(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

fn mutant(seed: &str, numbers: &mut Numbers) -> String {
    // What is included stays, or nothing else would be read.
    let begin = seed.rfind("include").and_then(|at| Some(at + seed[at..].find('\n')?)).unwrap_or(0);
    let mut tokens: Vec<String> = tokens(&seed[begin..]).into_iter().map(str::to_owned).collect();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(tokens.len());
        let part = PARTS[numbers.below(PARTS.len())].to_owned();
        match numbers.below(4) {
            0 => tokens[at] = part,
            1 => tokens.insert(at, part),
            2 => drop(tokens.remove(at)),
            _ => tokens[at] = tokens[numbers.below(tokens.len())].clone(),
        }
    }
    format!("{}{}", &seed[..begin], tokens.concat())
}

/// Everything that can be made of a file.
fn generate(file: &Path) -> Result<()> {
    let records = Records::from_file(file, &search_path(file, &[]))?;
    let patterns = generate::rewriters(&records, None).map(drop).and(drr::to_pdl(&records).map(drop));
    let model = Model::read(&records)?;
    let made = [
        generate::check(&model),
        generate::operation_declarations(&model, "x.td").map(drop),
        generate::operation_definitions(&model, "x.td").map(drop),
        generate::dialect(&model, "x.td").map(drop),
        generate::passes(&model, "x.td").map(drop),
        generate::enumerations(&model, "x.td").map(drop),
        patterns,
    ];
    generate::irdl(&model);
    generate::dialect_documentation(&model);
    generate::operation_documentation(&model);
    generate::pass_documentation(&model);
    generate::enumeration_documentation(&model);
    generate::definition_documentation(&model, DefinitionKind::Type);
    generate::interface_documentation(&model, InterfaceKind::Operation);
    generate::print_records(&records);
    records.take_warnings();
    made.into_iter().collect()
}

/// Why a text is not taken or refused as it should be.
fn fault(text: &[u8], file: &Path) -> Option<String> {
    std::fs::write(file, text).unwrap();
    let begin = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| generate(file)));
    match outcome {
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Some(format!("panic: {}", message.unwrap_or_default()))
        }
        Ok(Err(error)) if error.to_string().is_empty() => Some("an error without a message".into()),
        _ if begin.elapsed() > Duration::from_secs(600) => Some("takes too long".into()),
        _ => None,
    }
}

#[test]
fn mutants_are_taken_or_refused() {
    let count = std::env::var("SKRIPTND_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mutant.td");
    assert_eq!(fault(SEED.as_bytes(), &file), None);
    let mut faults = Vec::new();
    for seed in 0..count {
        let text = mutant(SEED, &mut Numbers(seed));
        faults.extend(fault(text.as_bytes(), &file).map(|fault| format!("seed {seed}: {fault}")));
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn hostile_files_are_refused() {
    let operation = |body: &str| format!("{SEED}def H : TOp<\"h\"> {{ {body} }}");
    let deep = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(200), close.repeat(200));
    let words = [
        "super",
        "self",
        "Self",
        "crate",
        "_",
        "type",
        "fn",
        "async",
        "try",
        "dyn",
        "static",
        "new",
        "build",
        "operation",
    ];
    let mut texts: Vec<String> = words
        .iter()
        .flat_map(|word| {
            [
                operation(&format!("let arguments = (ins I32:${word}, I64Attr:${word}_a); let results = (outs I32:${word}_r);")),
                operation(&format!("let arguments = (ins I64Attr:${word}); let regions = (region AnyRegion:${word}_b);")),
                format!("{SEED}def W : TOp<\"{word}\">; def {word}_p : Pass<\"{word}\">;"),
                format!("{SEED}def W : TOp<\"{word}.{word}\">;"),
                format!("{SEED}def W : I32EnumAttr<\"{word}\", \"\", [I32EnumAttrCase<\"{word}\", 0>, I32EnumAttrCase<\"a-{word}\", 1>]>;"),
            ]
        })
        .collect();
    texts.extend([
        format!("{SEED}class C<int n> {{ list<C> next = [C<!add(n, 1)>]; }} def X : C<0>;"),
        format!("{SEED}class C; def X : C {{ C self = X; }}"),
        format!("{SEED}def X {{ list<int> l = !range(0, 100000000); }}"),
        format!("{SEED}foreach i = 0-100000 in def X#i;"),
        operation(&format!("let assemblyFormat = \"{}\";", deep("(", "`a`", ")?"))),
        operation(&format!("let assemblyFormat = \"{}\";", "`a` ".repeat(20000))),
        operation(&format!("let arguments = (ins {}:$x);", deep("Variadic<", "I32", ">"))),
        operation(&format!(
            "let arguments = (ins Type<CPred<\"{}true{}\">, \"\">:$x);",
            "(".repeat(100_000),
            ")".repeat(100_000)
        )),
        operation(&format!("let arguments = (ins Type<CPred<\"{}true\">, \"\">:$x);", "!".repeat(100_000))),
        operation(&format!("let arguments = (ins Type<CPred<\"true{}\">, \"\">:$x);", " && true".repeat(100_000))),
        format!("{SEED}def P : Pat<{}, (replaceWithValue $x)>;", deep("(Add ", "$x", ", $_, $_)")),
        format!("{SEED}def P : Pat<(Add $x, $_, $_), {}>;", deep("(Add ", "$x", ", $x, (Make $x))")),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.td");
    let mut all: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    all.push(b"def X { string s = \"\xff\xfe\"; }".to_vec());
    all.push(b"\0\0\0".to_vec());
    all.push(b"/* never closed".to_vec());
    all.push(b"def X { code c = [{ never closed".to_vec());
    let shown = |text: &[u8]| String::from_utf8_lossy(&text[text.len().saturating_sub(160)..]).into_owned();
    let faults: Vec<String> =
        all.iter().filter_map(|text| Some(format!("{}\n  in {}", fault(text, &file)?, shown(text)))).collect();
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
    let message = |text: &str| {
        std::fs::write(&file, text).unwrap();
        generate(&file).unwrap_err().message().to_owned()
    };
    let range = message("def X { list<int> l = !range(0, 100000000); }");
    assert!(range.ends_with("takes more than 2000 MB of memory to evaluate"), "{range}");
}
