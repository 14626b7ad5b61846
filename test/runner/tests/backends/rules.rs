//! Rules that preserve what a graph computes, on random graphs: what is computed with them applied is what the oracle
//! computes, bit for bit.

use libtest_mimic::Failed;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use skriptnd_conformance::backend::Native;
use skriptnd_conformance::suite::compare_with_oracle;

/// Graphs, each with rules of its own. `SKRIPTND_GRAPHS` gives another number; the first of them are always the same.
const GRAPHS: usize = 24;
/// Numbers that tell a graph and its rules.
const NUMBERS: usize = 400;
/// Largest value that tensors may have: whole numbers up to it are exact in single precision.
const LARGEST: usize = 1 << 22;

/// What no quantization changes is equal to the last bit, as all sums are exact; and so is what quantization rounds.
pub fn preserve_meaning() -> Result<(), Failed> {
    let count = std::env::var("SKRIPTND_GRAPHS").ok().and_then(|count| count.parse().ok()).unwrap_or(GRAPHS);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("rules.htp");
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut with_rules, mut applied) = (0, 0);
    for _ in 0..count {
        let numbers = vec(any::<u16>(), NUMBERS).new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        let mut choices = Choices(numbers.into_iter());
        let (rules, text) = (choices.rules(), choices.model());
        std::fs::write(&file, &rules).map_err(|error| error.to_string())?;
        let backend = Native::through_rules(file.clone())?;
        if let Some(problem) = compare_with_oracle(&text, &backend).map_err(|reason| format!("{reason}\n{text}"))? {
            return Err(format!("{problem}\n{rules}\n{text}").into());
        }
        with_rules += usize::from(backend.rules_applied() > 0);
        applied += backend.rules_applied();
    }
    // What nothing is applied to shows nothing.
    if with_rules * 4 < count * 3 || applied < count * 3 / 2 {
        return Err(format!("{applied} rules were applied to {with_rules} of {count} graphs only").into());
    }
    Ok(())
}

/// The project's own rules that say of themselves that no bit changes.
const PACKS: [&str; 3] = [
    include_str!("../../../../td/htp/rules/activations.htp"),
    include_str!("../../../../td/htp/rules/quantization.htp"),
    include_str!("../../../../td/htp/rules/requantization.htp"),
];

/// Steps of quantization: powers of two, so that sums stay exact.
const SCALES: [&str; 4] = ["0.5", "0.5", "1.0", "0.25"];

struct Choices<N: Iterator<Item = u16>>(N);

/// An image that was computed.
#[derive(Clone)]
struct Image {
    name: String,
    extents: [usize; 2],
    /// A bound of its values.
    largest: usize,
}

impl<N: Iterator<Item = u16>> Choices<N> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().unwrap_or_default()) % limit
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Rules that split along a random dimension into random slices, and others that merge or exchange ops.
    fn rules(&mut self) -> String {
        let mut text = String::new();
        for (place, ops) in [
            &["Relu", "ElementWiseNeg", "ElementWiseAbs"][..],
            &["ElementWiseAdd", "ElementWiseSubtract", "ElementWiseMaximum", "ElementWiseMinimum"],
        ]
        .into_iter()
        .enumerate()
        {
            for op in ops {
                let tags = &["a", "b"][..=place];
                text += &self.split(op, tags, &[], "SAME_SHAPE(\"a\", \"*\")");
            }
        }
        text += &self.split("PoolMax2d", &["a"], &["size", "pads", "stride"], "OK");
        text + &self.convolution() + &self.exchanges() + &PACKS.concat()
    }

    /// Rules that leave out what changes nothing, or say it otherwise.
    fn exchanges(&mut self) -> String {
        let mut text = String::new();
        for (pattern, condition, replacement) in [
            ("Op(\"Relu\", LET(\"r\", Op(\"Relu\", \"x\")))", "SAME_ENCODING(\"*\", \"r\")", "\"r\""),
            ("Op(\"ElementWiseAbs\", LET(\"r\", Op(\"Relu\", \"x\")))", "SAME_ENCODING(\"*\", \"r\")", "\"r\""),
            ("Op(\"ElementWiseMaximum\", \"x\", \"x\")", "SAME_ENCODING(\"*\", \"x\")", "\"x\""),
            (
                "Op(\"ElementWiseSubtract\", \"a\", \"b\")",
                "AND(IS_FLOAT(\"*\"), IS_FLOAT(\"b\"))",
                "Op(\"ElementWiseAdd\", \"a\", WITH_SAME_OUTPUT(\"b\", Op(\"ElementWiseNeg\", \"b\")))",
            ),
            (
                "Op(\"Cast\", LET(\"r\", Op(\"Cast\", \"x\")))",
                "AND(EQ(DTYPE_OF(\"*\"), DTYPE_OF(\"x\")), NOT(IS_FLOAT(\"x\")), IS_FLOAT(\"r\"))",
                "\"x\"",
            ),
        ] {
            let pass = self.pick(&["GRAPH_CLEANUP", "EARLY", "LATE"]);
            text += &format!("DEF_PACKAGE_OPTIMIZATION({pass}, {pattern}, {condition}, {replacement})\n");
        }
        text
    }

    /// An op in slices: what it takes is sliced as its output is. Windows slide along rows and columns only.
    fn split(&mut self, op: &str, sliced: &[&str], others: &[&str], condition: &str) -> String {
        let dimension = if others.is_empty() { 1 + self.below(3) } else { 3 };
        let (size, pass) = (1 + self.below(4), self.pick(&["EARLY", "MIDDLE + 1", "TILING"]));
        let tags: Vec<String> = sliced.iter().chain(others).map(|tag| format!("\"{tag}\"")).collect();
        let slices = sliced.iter().map(|tag| format!("TYPICAL_SLICE(\"{tag}\", \"I\")"));
        let taken: Vec<String> = slices.chain(tags[sliced.len()..].iter().cloned()).collect();
        format!(
            "DEF_PACKAGE_OPTIMIZATION({pass}, Op(\"{op}\", {}), AND(EQ(RANK_OF(\"*\"), 4), {condition}, \
             GT(DIM_OF(\"*\", {dimension}), {size})), AUTOSPLIT({dimension}, \"I\", {size}, Op(\"{op}\", {})))\n",
            tags.join(", "),
            taken.join(", ")
        )
    }

    /// A convolution by its filters, or by rows where nothing is padded.
    fn convolution(&mut self) -> String {
        let (size, rest) = (1 + self.below(3), "\"stride\", \"pads\", \"dilation\", \"groups\"");
        let (dimension, condition, taken) = match self.below(3) {
            0 => (
                3,
                "EQ(CONSTVAL_INT(\"groups\", 0), 1)",
                "\"input\", CHANGEDIM_SLICE(\"filter\", \"I\", 3), CHANGEDIM_SLICE(\"bias\", \"I\", 0)".to_owned(),
            ),
            along => (
                along,
                "AND(EQ(CONSTVAL_INT(\"pads\", 0), 0), EQ(CONSTVAL_INT(\"pads\", 1), 0), EQ(CONSTVAL_INT(\"pads\", 2), 0), \
                 EQ(CONSTVAL_INT(\"pads\", 3), 0))",
                format!(
                    "TYPICAL_CONV_SLICE(\"input\", \"I\", \"stride\", DIM_OF(\"filter\", {})), \"filter\", \"bias\"",
                    along - 1
                ),
            ),
        };
        format!(
            "DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op(\"Conv2d\", \"input\", \"filter\", \"bias\", {rest}), \
             AND({condition}, GT(DIM_OF(\"*\", {dimension}), {size})), \
             AUTOSPLIT({dimension}, \"I\", {size}, Op(\"Conv2d\", {taken}, {rest})))\n"
        )
    }

    /// A graph of operators on images of four channels; half of them are quantized, by steps that are powers of two.
    fn model(&mut self) -> String {
        let extents = [4 + self.below(4), 4 + self.below(4)];
        let mut images = vec![Image { name: "x".to_owned(), extents, largest: 4 }];
        let mut body = String::new();
        for number in 0..3 + self.below(5) {
            let name = format!("t{number}");
            let (statements, extents, largest) = self.step(&name, &images);
            if largest < LARGEST {
                body += &statements;
                images.push(Image { name, extents, largest });
            }
        }
        let last = images.last().map(|image| image.name.clone()).unwrap_or_default();
        body += &format!("        y = nn.relu({last});\n");
        let quantization = if self.below(2) == 0 { self.quantization(&images[1..]) } else { String::new() };
        let executed = if quantization.is_empty() { "" } else { "#: quantization executed\n" };
        let [h, w] = extents;
        let (x, f, b) = (self.values(&[1, 4, h, w], 4), self.values(&[4, 4, 3, 3], 1), self.values(&[4], 3));
        format!(
            "import layout;\nimport math;\nimport nn;\nimport quant;\n\ngraph G {{\n    @input {{ x: real[1, 4, {h}, {w}]; f: real[4, 4, 3, 3]; b: real[4]; }}\n    \
             @output {{ y: real[~, ~, ~, ~]; }}\n    @compose {{\n{body}    }}\n{quantization}}}\n#: run G\n#: tolerance 0\n{executed}\
             #: input x = {x}\n#: input f = {f}\n#: input b = {b}\n"
        )
    }

    /// Statements that compute an image of this name from those that are there, its extents, and a bound of its values.
    fn step(&mut self, name: &str, images: &[Image]) -> (String, [usize; 2], usize) {
        let a = self.pick(images);
        let alike: Vec<Image> = images.iter().filter(|image| image.extents == a.extents).cloned().collect();
        let b = self.pick(&alike);
        let (call, extents, largest) = match self.below(13) {
            9 | 11 => return (self.widened(name, &a.name), a.extents, a.largest),
            10 | 12 => {
                let whole = ["layout.cast<int>", "layout.cast<real>"];
                return (chain(name, &a.name, [whole, whole].concat().into_iter()), a.extents, a.largest);
            }
            0 => (format!("nn.relu({})", a.name), a.extents, a.largest),
            1 => (format!("math.neg({})", a.name), a.extents, a.largest),
            2 => (format!("math.abs({})", a.name), a.extents, a.largest),
            3 => (format!("math.add({}, {})", a.name, b.name), a.extents, a.largest + b.largest),
            4 => (format!("math.sub({}, {})", a.name, b.name), a.extents, a.largest + b.largest),
            5 => (format!("math.max({}, {})", a.name, b.name), a.extents, a.largest.max(b.largest)),
            6 => (format!("math.min({}, {})", a.name, b.name), a.extents, a.largest.max(b.largest)),
            7 => {
                let call =
                    format!("nn.max_pool{{axes=[2, 3], size=[3, 3], stride=[1, 1], padding=[1, 1, 1, 1]}}({})", a.name);
                (call, a.extents, a.largest)
            }
            _ => {
                let padding = if a.extents.iter().any(|extent| *extent < 5) { 1 } else { self.below(2) };
                let call = format!(
                    "nn.conv{{stride=[1, 1], padding=[{padding}, {padding}, {padding}, {padding}]}}({}, f, b)",
                    a.name
                );
                (call, a.extents.map(|extent| extent + 2 * padding - 2), a.largest * 36 + 3)
            }
        };
        (format!("        {name} = {call};\n"), extents, largest)
    }

    /// Whole numbers from `-most` to `most`, nested.
    fn values(&mut self, shape: &[usize], most: usize) -> String {
        match shape.split_first() {
            Some((extent, rest)) => {
                let parts: Vec<String> = (0..*extent).map(|_| self.values(rest, most)).collect();
                format!("[{}]", parts.join(", "))
            }
            None => format!("{}.0", self.below(2 * most + 1) as i64 - most as i64),
        }
    }

    /// Quantization of most images that are computed, and of the output.
    fn quantization(&mut self, images: &[Image]) -> String {
        let mut tensors = String::new();
        for name in images.iter().map(|image| image.name.as_str()).chain(["y"]) {
            if self.below(4) > 0 || name == "y" {
                tensors += &format!("        {name}: {};\n", self.quantizer());
            }
        }
        format!("    @quantize {{\n{tensors}    }}\n")
    }

    /// An image quantized, mostly widened after that, and mostly narrowed again.
    fn widened(&mut self, name: &str, image: &str) -> String {
        let scale = self.pick(&SCALES);
        let wide = format!("quant.zero_point_linear_quantize{{zero_point=0, scale={scale}, bits=16, signed=true}}");
        let narrow = [self.narrow(scale), self.quantizer()];
        let quantizers = match self.below(4) {
            0 => vec![&narrow[0]],
            1 => vec![&narrow[0], &wide],
            _ => vec![&narrow[0], &wide, &narrow[1]],
        };
        chain(name, image, quantizers.into_iter().map(String::as_str))
    }

    fn quantizer(&mut self) -> String {
        let scale = self.pick(&SCALES);
        self.narrow(scale)
    }

    fn narrow(&mut self, scale: &str) -> String {
        let zero_point = self.pick(&["128", "128", "100", "0"]);
        format!("quant.zero_point_linear_quantize{{zero_point={zero_point}, scale={scale}, bits=8, signed=false}}")
    }
}

/// Statements that apply operators to an image, one after the other.
fn chain<'t>(name: &str, image: &str, operators: impl ExactSizeIterator<Item = &'t str>) -> String {
    let (last, mut from, mut text) = (operators.len() - 1, image.to_string(), String::new());
    for (number, operator) in operators.enumerate() {
        let to = if number == last { name.to_string() } else { format!("{name}_{number}") };
        text += &format!("        {to} = {operator}({from});\n");
        from = to;
    }
    text
}
