//! The rules that come with the project, and the page about them.

use skriptnd_htp::commands::{Settings, check_rules, explain_rules, test_rules};
use skriptnd_htp::grammar::Mode;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const PACKS: [&str; 5] = ["activations", "quantization", "requantization", "tiling", "layout"];

fn pack(name: &str) -> PathBuf {
    root().join("td/htp/rules").join(format!("{name}.htp"))
}

/// One rule uses a word that public rule files have and the published grammar has not.
fn settings() -> Settings {
    Settings { mode: Mode::Sdk, ..Settings::default() }
}

#[test]
fn rules_hold_on_their_cases() {
    for name in PACKS {
        let path = pack(name);
        let (set, told) = check_rules(std::slice::from_ref(&path), &settings()).unwrap();
        assert!(set.found.is_empty(), "{}", set.messages());
        assert_eq!(told, [(set.rules.len(), format!("{}: {} rules\n", path.display(), set.rules.len()))]);
        let output = test_rules(&path, &settings(), 20, None).unwrap();
        assert!(output.good, "{}{}", output.text, output.set.messages());
        assert!(output.text.contains("case "), "{name} has no cases");
    }
}

/// Requantization is merged where the graph says so.
#[test]
fn options_allow_what_rounds_otherwise() {
    let settings = Settings { options: vec!["merge_requantize=true".to_owned()], ..settings() };
    let output = test_rules(&pack("requantization"), &settings, 5, None).unwrap();
    let failed: Vec<&str> = output.text.lines().filter(|line| line.contains("FAILED")).collect();
    assert_eq!(failed.len(), 2, "{}", output.text);
    for (failed, case) in failed.iter().zip(["case sums keep their rounding", "case a coarser type and back"]) {
        assert!(failed.contains(case), "{failed}");
    }
}

/// `SKRIPTND_WRITE=1` writes the page anew.
#[test]
fn the_page_is_what_the_rules_are() {
    let mut page = String::from(
        "<!-- Written by dialects/htp/tests/packs.rs from td/htp/rules; changes belong there. -->\n\n# Rules for quantized models\n\n\
         `skriptnd compile MODEL --quantized --mode sdk --htp-rules td/htp/rules/activations.htp ...` applies them. The cases beside each \
         file say what they do and leave alone; `skriptnd rules test --mode sdk FILE` runs them.\n\n\
         Several `--htp-rules` are the files of one op package: each pass has the rules of all of them, tried in the order of the files. \
         The pass takes them as `apply-htp-rules{file=A,B}`.\n\n\
         Public rule files use names of headers that are not public. The prelude (`--prelude FILE` gives another) defines those whose \
         meaning their use makes plain. Of others, as of `PRODUCER_FOR`, which stands in no specification, nothing is known: a rule with \
         such a name is left out with a warning.\n\n\
         ## Cases\n\n\
         The cases of `pack.htp` stand in `pack.cases`: a graph, and what all rules of the file make of it. A line is a statement, and `#` \
         begins a comment:\n\n\
         ```text\n\
         case a relu of a sum                       # begins a case\n\
         input x: Float32[1, 8, 8, 3]               # an input of the graph\n\
         k = [1, 2]                                 # a constant: integers, or reals with a point; `: TYPE` may follow\n\
         s = shape [1, 2, 2, 1]                     # a shape\n\
         y = Relu(x): QUInt8(128, 0.5)[1, 8, 8, 3]  # an op; of quantized types zero offset and step size\n\
         z = Relu(x): QInt4<-7:7>(0, 0.5)[2]        # values of 4 bits, from the negative of the largest on\n\
         w = Relu(x): QInt8(0 0, 0.5 0.25 along 1)[8, 2]  # offset and step of each index along a dimension\n\
         output y                                   # what the graph gives\n\
         becomes                                    # then the graph that is expected, with the same inputs\n\
         unchanged                                  # or, in place of that: no rule applies\n\
         ```\n\n\
         ## Registrations\n\n\
         What a package registers of its ops, `place-htp-tensors` acts on, which stands behind the rules: of the functions that \
         `DEF_PACKAGE_OP` and its kin register for an op, the cheapest that takes its tensors is taken (FREE before FAST, SNAIL and GLACIAL, \
         which also stands for costs that only C++ can tell), of several that of the fewest conversions, then the first.\n\n\
         Classes of tensors in a function's template tell what it takes: the first one is that of the result, each further one that of an \
         operand, and the last one of all behind it. `QUint8CroutonTensor_TCM` is of QUInt8, in croutons, in VTCM; `PlainFloatTensor` of Float32, \
         flat in main memory; `Tensor` takes all. `DEF_TENSOR_PROPERTIES` tells layouts (`Flat`, `Crouton`) and places (`MainMemory`, `Tcm`) \
         besides; several of one op are several ways, and a function that contradicts one is not taken for it.\n\n\
         What nothing is told of lies flat in main memory, as inputs and outputs of the graph do. Where a tensor lies otherwise than it is taken, \
         `ForceFormat_Flat`, `ForceFormat_Crouton`, `flat_to_vtcm`, `crouton_to_vtcm`, `flat_from_vtcm` and `crouton_from_vtcm` convert it. They \
         compute nothing: elements stay what they are. `place-htp-tensors{report=true}` says what was taken.\n\n\
         With `--vtcm`, what a slice of `AUTOSPLIT` reads, and what a function that was taken wants in VTCM, is there as a whole while a kernel for \
         Hexagon computes it ([hexagon.md](rationale/hexagon.md)); a warning tells where there is no room.\n\n\
         ## Functions\n\n\
         `--functions LIBRARY` binds functions that rules call by name: [skriptnd_rules.h](../runtime/include/skriptnd_rules.h) says how they are \
         declared in C, [rules.c](../runtime/examples/c/rules.c) is an example.\n",
    );
    for name in PACKS {
        let path = pack(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let about: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let explained = explain_rules(&path, &settings()).unwrap().text.replace(&*path.display().to_string(), name);
        page.push_str(&format!("\n## {name}.htp\n\n{}\n\n```text\n{explained}```\n", about.join("\n")));
    }
    let file = root().join("docs/rules.md");
    if std::env::var_os("SKRIPTND_WRITE").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "docs/rules.md: SKRIPTND_WRITE=1 cargo test -p skriptnd-htp --test all packs writes it anew"
    );
}
