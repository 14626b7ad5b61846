//! What `skriptnd tune` says.

use super::search::{Found, Outcome};
use serde_json::{Value as Json, json};
use skriptnd_codegen::Scheduled;
use skriptnd_runtime::operation::Line;
use std::fmt::Write;
use std::path::Path;

/// What was found, and where it is kept.
pub struct Report<'r> {
    /// What was found.
    pub outcome: &'r Outcome,
    /// The kernels that it counts, by their numbers.
    pub kernels: &'r [Scheduled],
    /// Where it is kept.
    pub folder: &'r Path,
    /// How many threads shared the work.
    pub threads: usize,
}

/// What stands in the place of a schedule that is not changed.
const UNCHANGED: &str = "as it is";

impl Report<'_> {
    /// For people: kernels that take longest first.
    pub fn table(&self) -> String {
        let mut text = format!("{:>11} {:>11}  {:<16}  {}\n", "default us", "best us", "kernel", "operation: schedule");
        let mut kernels: Vec<&Found> = self.outcome.kernels.iter().collect();
        kernels.sort_by(|a, b| b.us[0].total_cmp(&a.us[0]));
        // Writing to a string does not fail.
        for found in kernels {
            let Found { us: [before, after], schedule, .. } = found;
            let (key, operation) = (&self.kernels[found.kernel].key, self.operation(found));
            let schedule = schedule.as_deref().map_or(UNCHANGED.to_string(), loops);
            let _ = writeln!(text, "{before:>11.2} {after:>11.2}  {key}  {operation}: {schedule}");
        }
        let [before, after] = self.outcome.us;
        let kept = self.outcome.kernels.iter().filter(|found| found.schedule.is_some()).count();
        let _ = writeln!(text, "{before:>11.2} {after:>11.2}  the whole model, threads: {}", self.threads);
        let folder = self.folder.display();
        let _ = match kept {
            0 => writeln!(text, "no schedule is better than the default; nothing is kept"),
            _ => writeln!(text, "kept {kept} of {} kernels in {folder}", self.outcome.kernels.len()),
        };
        if !self.outcome.is_complete {
            text.push_str("the time was not enough for all schedules: --seconds gives more\n");
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Json {
        let kernels = self.outcome.kernels.iter().map(|found| {
            let Scheduled { key, lines, .. } = &self.kernels[found.kernel];
            json!({
                "kernel": key,
                "source": lines.first().map(Line::place),
                "operator": lines.first().and_then(|line| line.operator.clone()),
                "default_us": found.us[0],
                "best_us": found.us[1],
                "tried": found.tried,
                "schedule": found.schedule.as_deref().map(loops),
            })
        });
        json!({
            "folder": self.folder.to_string_lossy(),
            "threads": self.threads,
            "default_us": self.outcome.us[0],
            "tuned_us": self.outcome.us[1],
            "rounds": self.outcome.rounds,
            "complete": self.outcome.is_complete,
            "kernels": kernels.collect::<Vec<_>>(),
        })
    }

    fn operation(&self, found: &Found) -> String {
        self.kernels[found.kernel]
            .lines
            .first()
            .map_or_else(|| "(moved between operations)".into(), ToString::to_string)
    }
}

/// The loops of a schedule in one line.
pub fn loops(text: &str) -> String {
    let own = text.lines().filter(|line| line.starts_with(' '));
    own.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_codegen::Source;

    fn scheduled(key: &str, line: usize) -> Scheduled {
        let line = Line { file: "main.sknd".into(), origin: None, line, operator: Some("nn.conv".into()), inner: None };
        Scheduled { key: key.into(), source: Source::Chosen, lines: vec![line], alternatives: Vec::new() }
    }

    #[test]
    fn the_table_has_a_line_for_each_kernel() {
        let kernels = [scheduled("0000000000000001", 3), scheduled("0000000000000002", 4)];
        let text = "// For it.\nkernel 0000000000000002 {\n  loop d0;\n  reduce d1;\n}\n";
        let found =
            |kernel, us, schedule: Option<&str>| Found { kernel, us, schedule: schedule.map(Into::into), tried: 3 };
        let outcome = Outcome {
            kernels: vec![found(0, [1.0, 1.0], None), found(1, [20.0, 15.0], Some(text))],
            us: [21.5, 16.25],
            rounds: 3,
            is_complete: false,
        };
        let report = Report { outcome: &outcome, kernels: &kernels, folder: Path::new("/c"), threads: 2 };
        let expected = "
 default us     best us  kernel            operation: schedule
      20.00       15.00  0000000000000002  main.sknd:4: nn.conv: loop d0; reduce d1;
       1.00        1.00  0000000000000001  main.sknd:3: nn.conv: as it is
      21.50       16.25  the whole model, threads: 2
kept 1 of 2 kernels in /c
the time was not enough for all schedules: --seconds gives more
";
        assert_eq!(report.table(), expected.trim_start_matches('\n'));
        let json = report.json();
        assert_eq!(json["kernels"][1]["schedule"], "loop d0; reduce d1;");
        assert_eq!(
            (json["kernels"][0]["source"].as_str(), json["kernels"][0]["schedule"].is_null()),
            (Some("main.sknd:3"), true)
        );
    }
}
