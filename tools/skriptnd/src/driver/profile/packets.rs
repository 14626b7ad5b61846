//! What the emulator of Hexagon counted of each operation.

use super::measured::title;
use serde_json::{Value as Json, json};
use skriptnd_hexagon::emulator::{Answer, Counted, Counts};
use skriptnd_runtime::operation::{Line, Operation};
use std::fmt::Write;

/// The packets of a run.
pub struct Packets<'e> {
    counts: Counts,
    /// The operations that ran, in the order in which the model has them.
    operations: Vec<(&'e Operation, Counted)>,
}

impl<'e> Packets<'e> {
    /// Those of a run of a model with these operations.
    pub fn of(answer: &Answer, operations: &'e [Operation]) -> Packets<'e> {
        let counted = operations.iter().zip(answer.operations.iter().copied());
        Packets { counts: answer.counts, operations: counted.filter(|(_, counted)| counted.calls > 0).collect() }
    }

    /// What the whole run was, as JSON.
    pub fn counts_json(&self) -> Json {
        let Counts { packets, instructions, vector_instructions } = self.counts;
        json!({ "packets": packets, "instructions": instructions, "hvx_instructions": vector_instructions })
    }

    /// The operations as JSON.
    pub fn json(&self) -> Json {
        let operations = self.operations.iter().map(|(operation, counted)| {
            let Counted { calls, counts } = counted;
            json!({
                "source": operation.lines.first().map(Line::place),
                "operator": operation.lines.first().and_then(|line| line.operator.as_deref()),
                "lines": operation.lines.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "unit": unit(*counts),
                "packets": counts.packets,
                "share": self.share(*counts),
                "calls": calls,
                "instructions": counts.instructions,
                "hvx_instructions": counts.vector_instructions,
                "reason": operation.unvectorized,
            })
        });
        Json::Array(operations.collect())
    }

    /// What part of the run's packets some are.
    fn share(&self, counts: Counts) -> f64 {
        if self.counts.packets > 0 { f64::from(counts.packets) / f64::from(self.counts.packets) } else { 0.0 }
    }

    /// The operations, those of most packets first, and below them the whole run.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:>11} {:>6} {:>11} {:>11} {:>6}  {}\n",
            "packets", "share", "instrs", "of HVX", "unit", "operation"
        );
        let mut operations: Vec<_> = self.operations.iter().collect();
        operations.sort_by_key(|(_, counted)| std::cmp::Reverse(counted.counts.packets));
        // Writing to a string does not fail.
        for (operation, Counted { calls, counts }) in operations {
            let share = format!("{:.1}%", 100.0 * self.share(*counts));
            let calls = if *calls > 1 { format!(" x{calls}") } else { String::new() };
            let reason = operation.unvectorized.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            let Counts { packets, instructions, vector_instructions } = counts;
            let (unit, title) = (unit(*counts), title(operation));
            let _ = writeln!(
                text,
                "{packets:>11} {share:>6} {instructions:>11} {vector_instructions:>11} {unit:>6}  {title}{calls}{reason}"
            );
        }
        let Counts { packets, instructions, vector_instructions } = self.counts;
        let _ =
            writeln!(text, "{packets:>11} packets in all, {instructions} instructions, {vector_instructions} of HVX");
        text
    }
}

/// Where most of an operation's work is done.
fn unit(counts: Counts) -> &'static str {
    if counts.vector_instructions > 0 { "HVX" } else { "scalar" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(line: usize, unvectorized: Option<&str>) -> Operation {
        let line = Line { file: "main.sknd".into(), origin: None, line, operator: Some("nn.relu".into()), inner: None };
        Operation {
            lines: vec![line],
            unvectorized: unvectorized.map(str::to_owned),
            kernels: Vec::new(),
            multiplies_bytes: false,
        }
    }

    fn counts(packets: u32, vector_instructions: u32) -> Counts {
        Counts { packets, instructions: 2 * packets, vector_instructions }
    }

    #[test]
    fn operations_have_units_shares_and_reasons() {
        let operations = [operation(3, None), operation(4, Some("f32: HVX's floats are not used")), operation(5, None)];
        let counted = [(1, counts(25, 9)), (2, counts(50, 0)), (0, counts(0, 0))];
        let answer = Answer {
            shapes: Vec::new(),
            outputs: Vec::new(),
            fault: None,
            counts: counts(100, 9),
            operations: counted.map(|(calls, counts)| Counted { calls, counts }).to_vec(),
            workspace: 0,
        };
        let packets = Packets::of(&answer, &operations);
        let json = packets.json();
        assert_eq!(json.as_array().map(Vec::len), Some(2));
        assert_eq!(
            (&json[0]["unit"], &json[0]["share"], &json[0]["reason"]),
            (&json!("HVX"), &json!(0.25), &Json::Null)
        );
        assert_eq!((&json[1]["unit"], &json[1]["source"]), (&json!("scalar"), &json!("main.sknd:4")));
        let table = packets.table();
        let lines: Vec<&str> = table.lines().map(str::trim).collect();
        assert!(lines[1].ends_with("scalar  main.sknd:4: nn.relu x2 (f32: HVX's floats are not used)"), "{table}");
        assert_eq!(lines[3], "100 packets in all, 200 instructions, 9 of HVX");
    }
}
