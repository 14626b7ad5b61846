//! What becomes of each operator of the standard library: `docs/htp.md`, made of the settings in `test/operators`.

use skriptnd_language::compose::{ComposeOptions, Definitions, compose};
use skriptnd_language::library::Library;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::{Context, walk};
use skriptnd_mlir::pass::{PipelineOptions, run};
use skriptnd_source::FileProvider;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A file as the main module.
struct Single(PathBuf);

impl FileProvider for Single {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let text = std::fs::read_to_string(&self.0).ok().filter(|_| path == ["main"])?;
        Some(Ok((self.0.display().to_string(), text)))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const CONVERT: &str = "builtin.module(convert-skriptnd-to-htp{report=true})";

/// Ops that bring operands into another form; they are named where nothing else is computed.
const MOVES: [&str; 2] = ["Reshape", "Transpose"];

/// What is found of the settings of an operator.
#[derive(Default)]
struct Found {
    settings: usize,
    converted: usize,
    ops: BTreeSet<String>,
    /// How many settings stay for a reason.
    reasons: BTreeMap<String, usize>,
}

impl Found {
    fn add(&mut self, context: &Context, definitions: &Definitions, graph: &str) {
        let options = ComposeOptions { graph: Some(graph.to_owned()), ..ComposeOptions::default() };
        let (Some(graph), _) = compose(definitions, &options) else { return };
        let Ok(mut module) = skriptnd_dialect::import_model(context, definitions, &graph) else { return };
        let before = walk(module.as_operation()).iter().any(|op| is_operator(op.full_name()));
        if !before {
            return;
        }
        self.settings += 1;
        let reported = run(&mut module, CONVERT, &PipelineOptions::default()).unwrap();
        let reasons: BTreeSet<String> = reported.iter().filter_map(|remark| reason(&remark.to_string())).collect();
        self.converted += usize::from(reasons.is_empty());
        for reason in reasons {
            *self.reasons.entry(reason).or_default() += 1;
        }
        let names = walk(module.as_operation()).into_iter().filter_map(|op| op.full_name().strip_prefix("htp.q."));
        self.ops.extend(names.map(str::to_owned));
    }

    fn line(&self, operator: &str) -> String {
        let is_named = |op: &&String| !MOVES.contains(&op.as_str());
        let mut ops: Vec<&str> = self.ops.iter().filter(is_named).map(String::as_str).collect();
        if ops.is_empty() {
            ops.extend(self.ops.iter().map(String::as_str));
        }
        let becomes = match (self.settings, self.converted) {
            (0, _) => "constants, or other operators".to_owned(),
            (_, 0) => String::new(),
            _ => ops.join(", "),
        };
        let reasons: Vec<String> = self.reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
        format!("| `{operator}` | {becomes} | {} of {} | {} |\n", self.converted, self.settings, reasons.join("; "))
    }
}

fn is_operator(name: &str) -> bool {
    name.strip_prefix("skriptnd.").is_some_and(|path| path.contains('.'))
}

/// Why an operator stays, of the remark that says so.
fn reason(remark: &str) -> Option<String> {
    remark.split_once(" stays")?.1.split_once(": ").map(|(_, reason)| reason.trim().to_owned())
}

fn found(context: &Context, operator: &str) -> Found {
    let mut found = Found::default();
    let file = root().join("test/operators").join(operator.replace('.', "/")).with_extension("sknd");
    let (library, _) = Library::load(&Single(file));
    // A name that is no graph's composes to nothing.
    let names = library.modules.get("main").map(|main| main.operators.names().map(str::to_owned).collect());
    let names: Vec<String> = names.unwrap_or_default();
    let definitions = Definitions::from(library);
    for graph in names {
        found.add(context, &definitions, &graph);
    }
    found
}

const ABOUT: &str = "\
<!-- Written by dialects/htp/tests/operators.rs from the settings in test/operators; changes belong there. -->

# What the tensor processor computes

`convert-skriptnd-to-htp` converts operators to ops of the `htp` dialect ([dialects.md](dialects.md)), and `convert-htp-to-skriptnd` brings them back.
What it does not convert stays SkriptND, beside the ops; `convert-skriptnd-to-htp{report=true}` says which operators stay, and why.

- Tensors have static shapes and elements `f32`; moves, searches and sums go on `i32` and `i64` as well. There is no type of truth values: comparisons, logic and `math.select` stay.
- `quant.zero_point_linear_quantize` becomes the type of what is computed: 4, 8 and 16 bits with and without sign, 32 bits with sign; symmetric values have a range without the least one (`i8<-127:127>`). An op on quantized operands computes with what they stand for, and rounds its result as its type says.
- A type has one step and one zero, or those of each index along a dimension. Moves take them along where that dimension stays one; behind others, as a reshape that merges it with another, elements are moved as reals.
- Rules see the tags that the framework has: values of 4 bits are stored in 8, so theirs are `QInt8` and `QUInt8`. `STEPSIZE_OF` and `ZERO_OFFSET_OF` of an operand whose channels have several are undefined, and a rule that asks for them is not applied; `SAME_ENCODING` compares bits, range, steps and zeros. External functions are given NaN and the least integer.
- Weights as `skriptnd quantize` writes them, variables of whole numbers that `onnx.dequantize` makes reals of, have types where their steps are constants along one dimension: with `--htp-rules`, the steps in a model's files are, and what is compiled does not read them again. Weights of 4 bits, which an operator unpacks from bytes, and those in groups are taken as reals; the op that takes them is quantized otherwise.
- `quant.min_max_linear_quantize` stays: what stands for 0 need not be a quantized value, as it is in all types.
- Convolutions and poolings over one dimension are those of images of height 1; over three dimensions they stay.
- Reciprocals, `axpb`, `axpby`, the sum, product, least and greatest of a pack, and `clamp` with limits that are tensors become elementwise ops, one behind the other. A sum of a pack begins with 0, which is added: a sum of negative zeros is a positive one.
- `image.nearest_upsample` is `ResizeNearestNeighbor` with positions rounded down. `image.linear_upsample` stays: `ResizeBilinear` takes its weights in another order, and rounds otherwise.
- `algo.top_k` is `TopK` along the last dimension; unsorted, it stays.
- `LayerNorm` is recognized where a model writes out `(x - mean) / sqrt(variance + epsilon) * scale + bias` along the last dimensions.

## Operators

How many of an operator's settings in `test/operators` become ops, which (moves are left out where anything is computed), and why the others stay (how many of them).

| operator | becomes | settings | stays because |
|---|---|---|---|
";

/// `SKRIPTND_WRITE=1` writes the page anew.
#[test]
fn the_page_is_what_conversion_does() {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).unwrap();
    skriptnd_htp::register(&mut registry).unwrap();
    let context = registry.context();
    let mut page = String::from(ABOUT);
    for (name, module) in &Library::standard().modules {
        for operator in module.operators.names().filter(|operator| !operator.starts_with('_')) {
            let operator = format!("{name}.{operator}");
            let _ = write!(page, "{}", found(&context, &operator).line(&operator));
        }
    }
    let file = root().join("docs/htp.md");
    if std::env::var_os("SKRIPTND_WRITE").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "docs/htp.md: SKRIPTND_WRITE=1 cargo test -p skriptnd-htp --test all operators writes it anew"
    );
}
