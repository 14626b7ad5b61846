//! Declarations with names that Rust, the runtime or the generated code have themselves, put together at random: of each file
//! Rust is made that compiles, or what is wrong with it is said at its place.

use std::{fmt::Write as _, fs};

use skriptnd_tablegen::{BuildScript, Result};

/// How many files there are.
const FILES: u64 = 24;

/// What types, operations, cases and interfaces are called.
const NAMES: &str = "\
    Value|Type|Failure|Option|Vec|Result|Some|None|Box|String|Self|Attribute|Context|OperationRef|Ok|\
    Err|Default|From|Into|Copy|V|H|Hooks|Builder|Adapted|Root|Effects|PassSpec|PassRun|Region|Parsed|\
    Parser|Signature|all|All|bool|str|u32|self|crate|definitions|types|a_b|AB|aB|Location|kNone|Fn";

/// What operands, attributes, parameters and methods are called.
const PARTS: &str = "\
    self|type|builder|context|operation|build|location|new|value|x|X|xAttribute|x_attribute|x_type|\
    parts|of|get|get_|match|box|clone|super|crate|Self|verify|fold|parse|print|new_|type_|r|this|op|\
    input|from|text";

/// What operations are called in text.
const WORDS: &str = "all|self|type|a_b|a.b|A|a|Value|match|definition|is_x|signature|ALL|crate|value_type|new";

/// What other things are called there.
const TEXTS: &str = "all|self|type|a_b|A|Value|match|is_x|ALL|crate|1d|a-b|x y|";

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap_or_default()
    }

    /// One of several words, between which `|` stands.
    fn one_of<'n>(&mut self, words: &'n str) -> &'n str {
        let count = words.split('|').count();
        words.split('|').nth(self.below(count)).unwrap_or_default()
    }

    /// Several different ones, most of the time.
    fn some_of<'n>(&mut self, words: &'n str, most: usize) -> Vec<&'n str> {
        let names: Vec<&str> = words.split('|').collect();
        let begin = self.below(names.len());
        let step = [1, 5, 7, 11][self.below(4)];
        (0..self.below(most + 1)).map(|index| names[(begin + index * step) % names.len()]).collect()
    }
}

/// The modules with what is made of the files.
pub fn modules(script: &BuildScript, folder: &str) -> Result<String> {
    let mut modules = String::new();
    let mut refused = Vec::new();
    for seed in 1..=FILES {
        let name = format!("nasty_{seed}");
        let file = format!("{folder}/{name}.td");
        let text = declarations(seed);
        // Cargo runs this again when the file is newer than the last run.
        if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            script.write(&format!("{name}.td"), &text)?;
        }
        match script.generate(&file) {
            Ok(()) => {
                let _ = writeln!(
                    modules,
                    "/// Of the seed {seed}.\npub mod {name} {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")); }}"
                );
            }
            Err(error) => {
                let has_place = error.diagnostics().iter().all(|found| found.place().position().is_some());
                assert!(has_place, "{file}: {error}");
                refused.push(error.to_string());
            }
        }
    }
    assert!(
        refused.len() < FILES as usize / 2,
        "few files were taken:
{}",
        refused.join(
            "
"
        )
    );
    Ok(modules)
}

fn declarations(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut text = String::from(
        "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/EnumAttr.td\"\ninclude \"mlir/IR/CommonAttrConstraints.td\"\n\
         include \"mlir/Pass/PassBase.td\"\ninclude \"mlir/Interfaces/SideEffectInterfaces.td\"\n",
    );
    let _ = writeln!(text, "def D : Dialect {{ let name = \"d{seed}\"; let cppNamespace = \"::d{seed}\"; }}");
    enumeration(&mut text, &mut random);
    interface(&mut text, &mut random);
    for index in 0..2 {
        definition(index, &mut text, &mut random);
    }
    let named = random.some_of(NAMES, 6).into_iter().zip(random.some_of(WORDS, 6));
    for (index, (name, word)) in named.enumerate() {
        operation(&format!("D{index}_{name}"), word, &mut text, &mut random);
    }
    pass(&mut text, &mut random);
    text
}

fn enumeration(text: &mut String, random: &mut Random) {
    let (bits, class) = (random.one_of("|Bit"), random.one_of(NAMES));
    // A text is that of one value.
    let named = random.some_of(NAMES, 8).into_iter().zip(random.some_of(TEXTS, 8));
    let cases = named.map(|(name, shown)| {
        let value = random.one_of("0|1|2|3|4|0xffffffff");
        format!("I32{bits}EnumCase<\"{name}\", {value}, \"{shown}\">")
    });
    let cases: Vec<String> = cases.collect();
    let _ = writeln!(text, "def E : I32{bits}Enum<\"{class}\", \"an enumeration\", [{}]>;", cases.join(", "));
}

fn interface(text: &mut String, random: &mut Random) {
    let class = random.one_of(NAMES);
    let methods = random.some_of(PARTS, 4).into_iter().map(|name| {
        let (kind, parameter) = (random.one_of("int|Value|Foreign"), random.one_of(PARTS));
        format!("InterfaceMethod<\"a method\", \"{kind}\", \"{name}\", (ins \"{kind}\":${parameter})>")
    });
    let methods: Vec<String> = methods.collect();
    let _ = writeln!(text, "def I : OpInterface<\"{class}\"> {{ let methods = [{}]; }}", methods.join(", "));
}

fn definition(index: usize, text: &mut String, random: &mut Random) {
    let (kind, class, word) = (random.one_of("Type|Attr"), random.one_of(NAMES), random.one_of(TEXTS));
    let parameters = random.some_of(PARTS, 4).into_iter().map(|name| {
        let class = random.one_of("int|::mlir::Type|::llvm::StringRef");
        format!("\"{class}\":${name}")
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let format = if parameters.is_empty() { "" } else { "let assemblyFormat = \"`<` params `>`\";" };
    let _ = writeln!(
        text,
        "def P{index} : {kind}Def<D, \"{class}\"> {{ let mnemonic = \"{word}\"; let cppClassName = \"{class}\"; \
         let parameters = (ins {parameters}); {format} let genVerifyDecl = {}; }}",
        random.below(2)
    );
}

fn operation(name: &str, word: &str, text: &mut String, random: &mut Random) {
    const GROUPS: &str = "I32|Variadic<I32>|Optional<I32>";
    const KINDS: &str = "I32|I64Attr|OptionalAttr<StrAttr>|UnitAttr|AnyAttr|TypeAttr";
    // Names are those of one part each.
    let mut parts = random.some_of(PARTS, 9).into_iter().enumerate();
    let mut next = |count: usize, kind: &mut dyn FnMut(usize) -> &'static str| {
        let each = parts.by_ref().take(count).map(|(index, name)| format!("{}:${name}", kind(index)));
        each.collect::<Vec<_>>().join(", ")
    };
    let arguments = next(5, &mut |index| if index == 0 { random.one_of(GROUPS) } else { random.one_of(KINDS) });
    let (results, regions) = (next(2, &mut |_| "I32"), next(2, &mut |_| "AnyRegion"));
    let traits = random.one_of("|I");
    let _ = writeln!(
        text,
        "def {name} : Op<D, \"{word}\", [{traits}]> {{ let arguments = (ins {arguments}); \
         let results = (outs {results}); let regions = (region {regions}); let hasVerifier = {}; let hasFolder = {}; \
         let builders = [OpBuilder<(ins \"int\":${}, \"Foreign\":${})>]; }}",
        random.below(2),
        random.below(2),
        random.one_of(PARTS),
        random.one_of(PARTS)
    );
}

fn pass(text: &mut String, random: &mut Random) {
    let options = random
        .some_of(PARTS, 4)
        .into_iter()
        .map(|name| format!("Option<\"{name}\", \"{name}\", \"int\", \"1\", \"an option\">"));
    let options = options.collect::<Vec<_>>().join(", ");
    let (name, word) = (random.one_of(NAMES), random.one_of(WORDS));
    let _ = writeln!(text, "def Q{name} : Pass<\"{word}\"> {{ let summary = \"a pass\"; let options = [{options}]; }}");
}
