//! Random rules on random graphs, in both ways. `SKRIPTND_RULES` says how many, `SKRIPTND_SEED` the first.

use super::context_of_any_ops;
use crate::commands::{RuleSet, Settings};
use crate::grammar::Mode;
use crate::trial::Random;
use crate::trial::{Verdict, try_rule};

/// How deep expressions and replacements are.
const DEPTH: usize = 3;
/// Graphs that each rule is tried on.
const GRAPHS: usize = 6;

const DTYPES: [&str; 4] = ["QUInt8", "Float32", "Float16", "Int32"];
const MACROS: [&str; 4] = ["IS_QUINT8", "IS_FLOAT", "IS_QINT16", "IS_FLOAT16"];
const DIMS: [&str; 4] = ["DIM_BATCHES", "DIM_HEIGHT", "DIM_WIDTH", "DIM_DEPTH"];
const NAMES: [&str; 4] = ["A", "B", "my::C", "$D"];

/// Writes rules.
struct Author<'r> {
    random: &'r mut Random,
    tags: Vec<&'static str>,
    /// The tags of the splits around.
    splits: Vec<String>,
    /// Splits so far.
    count: usize,
}

impl Author<'_> {
    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())]
    }

    fn join(&mut self, least: usize, part: impl Fn(&mut Self) -> String) -> String {
        let count = least + self.random.below(3);
        (0..count).map(|_| part(self)).collect::<Vec<_>>().join(", ")
    }

    fn rule(&mut self) -> String {
        let pattern = self.pattern(0);
        let condition = if self.random.below(3) == 0 { "OK".to_owned() } else { self.truth(DEPTH) };
        let replacement = self.whole();
        format!("DEF_PACKAGE_OPTIMIZATION(EARLY, {pattern}, {condition}, {replacement})")
    }

    fn pattern(&mut self, depth: usize) -> String {
        let kind = if self.random.below(4) == 0 { "OpVarIn" } else { "Op" };
        let name = if depth == 0 { "Root" } else { self.one(&NAMES) };
        let mut text = format!("{kind}(\"{name}\"");
        for _ in 0..1 + self.random.below(3) {
            let operand = match self.random.below(if depth < 2 { 6 } else { 3 }) {
                0..=2 => format!("\"{}\"", self.tag()),
                3 if self.tags.len() < 6 => {
                    let inner = self.pattern(depth + 1);
                    let tag = ["l", "m", "n"].into_iter().find(|tag| !self.tags.contains(tag));
                    tag.map_or(inner.clone(), |tag| {
                        self.tags.push(tag);
                        format!("LET(\"{tag}\", {inner})")
                    })
                }
                _ => self.pattern(depth + 1),
            };
            text += &format!(", {operand}");
        }
        if self.tags.is_empty() { text + &format!(", \"{}\")", self.tag()) } else { text + ")" }
    }

    /// A tag of an operand, which may have been used.
    fn tag(&mut self) -> &'static str {
        let tag = self.one(&["x", "y", "z"]);
        if !self.tags.contains(&tag) {
            self.tags.push(tag);
        }
        tag
    }

    fn node(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 => "\"*\"".to_owned(),
            1..=3 => {
                let tags = self.tags.clone();
                format!("\"{}\"", self.one(&tags))
            }
            4 => format!("INPUT_OF({}, {})", self.node(depth - 1), self.random.below(3)),
            _ => format!("SELECT({}, {}, {})", self.truth(depth - 1), self.node(depth - 1), self.node(depth - 1)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let deeper = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 5 } else { 13 }) {
            0 => self.one(&["OK", "true", "false"]).to_owned(),
            1 => format!("{}({})", self.one(&MACROS), self.node(deeper)),
            2 => format!("GE({}({}), {})", self.one(&DIMS), self.node(0), self.random.below(9)),
            3 => format!("{}({}, 0)", self.one(&["CONSTVAL_INT_VALID", "CONSTVAL_FLOAT_VALID"]), self.node(deeper)),
            4 => {
                let name = self.one(&["SAME_SHAPE", "SAME_ENCODING", "SAME_OP"]);
                format!("{name}({}, {})", self.node(deeper), self.node(deeper))
            }
            5..=7 => {
                let name = self.one(&["EQ", "NE", "LT", "GT", "LE", "GE"]);
                format!("{name}({}, {})", self.number(deeper), self.number(deeper))
            }
            8 => format!("{}({}, {})", self.one(&["EQ", "NE"]), self.dtype(deeper), self.dtype(deeper)),
            9 => format!("NOT({})", self.truth(deeper)),
            10 => format!("IS_POW2({})", self.whole_number(deeper)),
            11 => {
                let name = self.one(&["AND", "OR", "OR", "XOR"]);
                let operands = self.join(1, |author| author.truth(deeper));
                format!("{name}({operands})")
            }
            _ => format!("SELECT({}, {}, {})", self.truth(deeper), self.truth(deeper), self.truth(deeper)),
        }
    }

    fn dtype(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 2 } else { 4 }) {
            0 => format!("DType::{}", self.one(&DTYPES)),
            1 => format!("DTYPE_OF({})", self.node(0)),
            2 => format!("DTYPE({})", self.whole_number(depth - 1)),
            _ => format!("SELECT({}, {}, {})", self.truth(depth - 1), self.dtype(depth - 1), self.dtype(depth - 1)),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if self.random.below(3) > 0 {
            return self.whole_number(depth);
        }
        match self.random.below(if depth == 0 { 4 } else { 7 }) {
            0 => self.one(&["0.5", "-2.25f", "INF", "NEG_INF", "1e10"]).to_owned(),
            1 => format!("STEPSIZE_OF({})", self.node(0)),
            2 => format!("CONSTVAL_FLOAT({}, {})", self.node(0), self.random.below(3)),
            3 => "OPTION_FLOAT(\"ratio\")".to_owned(),
            4 => format!("FLOAT({})", self.whole_number(depth - 1)),
            5 => format!("{}({}, {})", self.one(&["SUB", "DIV", "MUL", "MAX"]), self.number(depth - 1), "0.25"),
            _ => format!("{}({})", self.one(&["NEG", "ABS"]), self.number(depth - 1)),
        }
    }

    /// Of type `int` or `size`.
    fn whole_number(&mut self, depth: usize) -> String {
        let deeper = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 6 } else { 13 }) {
            0 => self.one(&["0", "1", "4", "-3", "2u", "8u", "2147483647"]).to_owned(),
            1 => format!("{}({})", self.one(&["RANK_OF", "INPUTS_OF", "OUTPUTS_OF", "ELEMENTSIZE_OF"]), self.node(0)),
            2 => format!("DIM_OF({}, {})", self.node(0), self.random.below(5)),
            3 => format!("CONSTVAL_INT({}, {})", self.node(0), self.random.below(3)),
            4 => self.one(&["OPTION_INT(\"count\")", "OPTION_UINT(\"none\")"]).to_owned(),
            5 if !self.splits.is_empty() => {
                let splits = self.splits.clone();
                let tag = &splits[self.random.below(splits.len())];
                format!("{}(\"{tag}\")", self.one(&["SPLIT_START", "SPLIT_SIZE", "SPLIT_DIM"]))
            }
            5 | 6 => format!("DIM_OF({}, {})", self.node(0), self.whole_number(0)),
            7 => format!("INT({})", self.number(deeper)),
            8 => format!("UINT({})", self.number(deeper)),
            9 => {
                let name = self.one(&["SUB", "DIV", "REM", "MOD"]);
                format!("{name}({}, {})", self.whole_number(deeper), self.whole_number(deeper))
            }
            10 => format!("ROUNDUP({}, {})", self.whole_number(deeper), self.one(&["8", "32u", "1"])),
            11 => {
                let name = self.one(&["ADD", "MUL", "MIN", "MAX"]);
                let operands = self.join(1, |author| author.whole_number(deeper));
                format!("{name}({operands})")
            }
            _ => format!("SELECT({}, {}, 3)", self.truth(deeper), self.whole_number(deeper)),
        }
    }

    /// A whole replacement, whose output is mostly the root's.
    fn whole(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("SELECT({}, {}, {})", self.truth(1), self.op(DEPTH), self.op(DEPTH)),
            1..=3 => self.split(DEPTH),
            4 => format!("WITH_SAME_OUTPUT(\"*\", {})", self.op(DEPTH)),
            5 => format!("WrapOp(\"{}\", {})", self.one(&NAMES), self.op(DEPTH)),
            _ => self.op(DEPTH),
        }
    }

    fn op(&mut self, depth: usize) -> String {
        let inputs = self.join(1, |author| author.part(depth - 1));
        format!("Op(\"{}\", {inputs})", self.one(&NAMES))
    }

    fn split(&mut self, depth: usize) -> String {
        let tag = format!("I{}", self.count);
        self.count += 1;
        self.splits.push(tag.clone());
        let slice = match self.random.below(3) {
            0 => format!("CHANGEDIM_SLICE({}, \"{tag}\", {})", self.node(0), self.random.below(4)),
            _ => format!("TYPICAL_SLICE({}, \"{tag}\")", self.node(0)),
        };
        let body = format!("Op(\"{}\", {slice}, {})", self.one(&NAMES), self.part(depth - 1));
        self.splits.pop();
        format!("AUTOSPLIT({}, \"{tag}\", {}, {body})", self.random.below(4), self.one(&["1", "2u", "3", "32"]))
    }

    fn part(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.node(0);
        }
        match self.random.below(18) {
            0..=2 => self.node(depth),
            3..=5 => self.op(depth),
            6 => format!("gen_Shape({})", self.join(1, |author| author.whole_number(1))),
            7 => format!("gen_ShapeOf({})", self.node(1)),
            8 => format!("gen_ConstScalar_f32({})", self.number(1)),
            9 => format!("gen_ConstArr_vals_i32({})", self.join(1, |author| author.whole_number(1))),
            10 => format!("{}({}, 3)", self.one(&["gen_ConstArr_f32", "gen_ConstArr_i32"]), self.whole_number(1)),
            11 => format!("WITH_SIZE({}, {})", self.node(0), self.op(depth)),
            12 => {
                let name = self.one(&["WITH_TYPE", "WITH_SAME_OUTPUT", "WITH_SAME_ID", "WITH_SPLIT_HISTORY"]);
                format!("{name}({}, {})", self.node(0), self.op(depth))
            }
            13 => {
                let (dtype, step) = (self.one(&DTYPES), self.one(&["0.5", "1.0f", "STEPSIZE_OF(\"*\")"]));
                format!("WITH_OUTPUT_TYPE(DType::{dtype}, 0, {step}, {})", self.op(depth))
            }
            14 => format!("ResizeDim({}, {}, {})", self.random.below(4), self.whole_number(1), self.op(depth)),
            15 => format!("{}(\"A\", {})", self.one(&["WrapOp", "WrapOpAlways"]), self.op(depth)),
            16 => format!("OpMultiOut(2, {}, \"A\", {})", self.random.below(2), self.node(0)),
            _ => {
                let tag = format!("J{}", self.count);
                self.count += 1;
                let base = if self.random.below(2) == 0 { self.op(depth) } else { self.node(0) };
                format!("OP_ITER({base}, \"{tag}\", 0, INPUTS_OF(\"*\"), ITER_INPUT_OF(\"*\", \"{tag}\"))")
            }
        }
    }
}

#[test]
fn random_rules_make_the_same_in_both_ways() {
    let rules = std::env::var("SKRIPTND_RULES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let options = ["count=7", "ratio=0.25"].map(str::to_owned).to_vec();
    let settings = Settings { mode: Mode::Sdk, options, limit: Some(6), ..Settings::default() };
    let context = context_of_any_ops();
    let (mut good, mut applied) = (0, 0);
    let first = std::env::var("SKRIPTND_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    for seed in first.. {
        if good == rules {
            break;
        }
        let mut random = Random::new(seed + 1);
        let text = Author { random: &mut random, tags: Vec::new(), splits: Vec::new(), count: 0 }.rule();
        let set = RuleSet::parse("test.htp", &text, &settings);
        let set = set.for_application(&settings.environment().unwrap().functions);
        let [rule] = &set.rules[..] else { continue };
        good += 1;
        match try_rule(&context, rule, &set.sources, &settings, GRAPHS) {
            Verdict::Applied(_) => applied += 1,
            Verdict::NeverApplied(_) | Verdict::Bounded(..) | Verdict::NotEnding(_) => {}
            verdict => panic!("seed {seed}: {text}\n{verdict:?}"),
        }
    }
    // A condition at random fails as often as it holds, and few replacements fit where they are tried.
    assert!(applied * 4 > rules, "{applied} of {rules} rules applied");
}
