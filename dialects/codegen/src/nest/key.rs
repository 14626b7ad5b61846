//! A short name for what a kernel computes: the same wherever and whenever it is compiled.

use super::access::{Access, Open, Step};
use super::computation::{Computation, Instruction, Ref};
use super::element::Element;
use super::space::{Dim, Operand, Rounding, Source, Space, Stage};
use std::hash::Hasher;

/// A short name for a text: the same on every machine and in every release.
pub fn fingerprint(text: &str) -> String {
    let mut hasher = Fnv(BASIS);
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

/// What FNV-1a begins with.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: its values do not change with versions of the standard library.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What there is to say of how many elements there are: of others than parts the type says it.
fn moved(is_moved: bool, count: i64) -> i64 {
    if is_moved { count } else { 0 }
}

impl Space {
    /// Tells spaces apart.
    pub fn key(&self) -> String {
        let mut hasher = Fnv(BASIS);
        for line in self.lines() {
            hasher.write(line.as_bytes());
            hasher.write(b"\n");
        }
        format!("{:016x}", hasher.finish())
    }

    /// All that there is to say of it.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for Dim { extent, is_open, is_reduced, is_shared, .. } in &self.dims {
            let extent = if *is_open { "open".to_string() } else { extent.to_string() };
            let shared = if *is_shared { " shared" } else { "" };
            lines.push(format!("dim {extent} {is_reduced}{shared}"));
        }
        lines.extend(self.block.map(|block| format!("block {block:?}")));
        for operand in &self.operands {
            lines.push(match operand {
                Operand::Passed { r#type, is_moved, count, strides: None, .. } => {
                    format!("passed {type} {is_moved} {}", moved(*is_moved, *count))
                }
                Operand::Passed { r#type, is_moved, count, strides: Some(strides), .. } => {
                    format!("fetched {type} {is_moved} {} {strides:?}", moved(*is_moved, *count))
                }
                Operand::Private { number, r#type, .. } => format!("private {number} {type}"),
                Operand::Parts { r#type, count, strides, .. } => format!("parts {type} {count} {strides:?}"),
                Operand::Constant(constant) => format!("constant {constant}"),
            });
            lines.extend((operand.room() > 0).then(|| format!("with {} behind", operand.room())));
        }
        lines.push(format!("init {}", self.init.is_some()));
        lines.extend((self.rounding == Rounding::Formula).then(|| "rounds as the formula".to_string()));
        lines.extend(self.stages().flat_map(stage));
        lines.extend(self.outputs().map(|(operand, access)| format!("writes {operand} {}", address(access))));
        lines
    }
}

fn stage(stage: &Stage) -> Vec<String> {
    let Computation { arguments, instructions, result, further } = &stage.computation;
    let texts = |elements: &[Element]| elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut lines = vec![format!("stage {}", texts(arguments))];
    for source in &stage.sources {
        lines.push(match source {
            Source::Memory(operand, access) => format!("reads {operand} {}", address(access)),
            Source::Scalar(operand) => format!("scalar {operand}"),
            Source::Chain => "chain".into(),
            Source::Further(number) => format!("further {number}"),
            Source::Unused => "unused".into(),
        });
    }
    for Instruction { op, operands, results } in instructions {
        let operands: Vec<String> = operands.iter().map(value).collect();
        lines.push(format!("{op} {} {}", operands.join(" "), texts(results)));
    }
    lines.extend([result].into_iter().chain(further).map(|given| format!("gives {}", value(given))));
    lines
}

fn value(value: &Ref) -> String {
    match value {
        Ref::Argument(number) => format!("argument {number}"),
        Ref::Result(instruction, number) => format!("result {instruction} {number}"),
        Ref::Operand(number) => format!("operand {number}"),
    }
}

fn address(access: &Access) -> String {
    let steps = access.steps.iter().map(|step| match step {
        Step::Linear(distance) => distance.to_string(),
        Step::Open(Open { stride, factor, .. }) => format!("{factor} s{stride}"),
        Step::Panel { size, outer, inner } => format!("({size} {outer} {inner})"),
    });
    let begin =
        access.open_offset.map(|Open { stride, factor, .. }| format!("{factor} s{stride} + ")).unwrap_or_default();
    format!("{begin}{} + {}", access.offset, steps.collect::<Vec<_>>().join(" "))
}
