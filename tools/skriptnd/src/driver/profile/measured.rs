//! What was measured of each operation.

use skriptnd_runtime::operation::{Line, Operation};
use skriptnd_runtime::session::profile::Event;

/// An operation with what it took in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Its number in the model.
    pub number: usize,
    /// The lines of the model that it computes.
    operation: Operation,
    /// Microseconds of all its calls in a run: the median of all runs.
    pub us: f64,
    /// How often it is called in a run.
    pub calls: u64,
    /// Operations on numbers in a run; 0 where that is not known.
    pub work: u64,
    /// Bytes that it reads and writes in a run; 0 where that is not known.
    pub bytes: u64,
}

/// Microseconds of a run, and its calls, its work and its bytes.
type Sum = (f64, [u64; 3]);

/// Microseconds of all calls of each operation in a run.
pub fn times(operations: usize, events: &[Event]) -> Vec<f64> {
    sums(operations, events).into_iter().map(|(us, _)| us).collect()
}

fn sums(operations: usize, events: &[Event]) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); operations];
    for event in events {
        let Some((us, counts)) = sums.get_mut(event.operation) else { continue };
        *us += (event.end - event.begin).as_nanos() as f64 / 1e3;
        let own = [1, event.work, event.bytes];
        counts.iter_mut().zip(own).for_each(|(count, own): (&mut u64, u64)| *count = count.saturating_add(own));
    }
    sums
}

/// The operations of a model by what several runs took; those that did not run are left out.
pub fn of_runs<'e>(operations: &[Operation], runs: impl Iterator<Item = &'e [Event]>) -> Vec<Measured> {
    let mut all: Vec<Vec<Sum>> = vec![Vec::new(); operations.len()];
    for events in runs {
        all.iter_mut().zip(sums(operations.len(), events)).for_each(|(all, sum)| all.push(sum));
    }
    let of_operation = |(number, (operation, mut runs)): (usize, (&Operation, Vec<Sum>))| {
        runs.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (us, [calls, work, bytes]) = *runs.get(runs.len() / 2)?;
        (calls > 0).then(|| Measured { number, operation: operation.clone(), us, calls, work, bytes })
    };
    operations.iter().zip(all).enumerate().filter_map(of_operation).collect()
}

impl Measured {
    /// Whether it multiplies bytes.
    pub fn multiplies_bytes(&self) -> bool {
        self.operation.multiplies_bytes
    }

    /// The line that it begins with: `main.sknd:12`, or the node of an imported model.
    pub fn source(&self) -> Option<String> {
        self.operation.lines.first().map(Line::place)
    }

    /// The operator that is invoked there.
    pub fn operator(&self) -> Option<&str> {
        self.operation.lines.first()?.operator.as_deref()
    }

    /// All lines that it computes, with their operators.
    pub fn lines(&self) -> Vec<String> {
        self.operation.lines.iter().map(ToString::to_string).collect()
    }

    /// What it is called in tables and pictures.
    pub fn title(&self) -> String {
        title(&self.operation)
    }

    /// Operations on numbers in a nanosecond, where their number is known.
    pub fn gflops(&self) -> Option<f64> {
        (self.work > 0 && self.us > 0.0).then(|| self.work as f64 / self.us / 1e3)
    }

    /// Bytes in a nanosecond, where their number is known.
    pub fn gbytes(&self) -> Option<f64> {
        (self.bytes > 0 && self.us > 0.0).then(|| self.bytes as f64 / self.us / 1e3)
    }
}

/// What an operation is called in tables and pictures.
pub fn title(operation: &Operation) -> String {
    let [first, others @ ..] = operation.lines.as_slice() else { return "(moved between operations)".to_string() };
    let others = others.iter().map(|line| match (&line.operator, &line.origin) {
        (Some(operator), None) => format!(" + {operator}:{}", line.line),
        (Some(operator), Some(origin)) => format!(" + {operator} of {origin}"),
        (None, _) => format!(" + {}", line.place()),
    });
    let inner = first.inner.iter().filter(|inner| first.operator.as_ref() != Some(inner));
    let inner = inner.map(|inner| format!(" ({inner})"));
    [first.to_string()].into_iter().chain(inner).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn event(operation: usize, [begin, end]: [u64; 2], work: u64) -> Event {
        let [begin, end] = [begin, end].map(Duration::from_micros);
        Event { operation, begin, end, work, bytes: 2 * work }
    }

    fn named(line: usize, operator: &str) -> Operation {
        let line = Line { file: "main.sknd".into(), origin: None, line, operator: Some(operator.into()), inner: None };
        Operation { lines: vec![line], unvectorized: None, kernels: Vec::new(), multiplies_bytes: false }
    }

    #[test]
    fn times_are_the_medians_of_what_each_run_took_in_all() {
        let operations = [named(3, "nn.conv"), named(4, "nn.relu"), named(5, "nn.linear")];
        let runs = [
            vec![event(0, [0, 10], 100), event(0, [10, 15], 100), event(2, [20, 21], 0)],
            vec![event(0, [0, 8], 100), event(0, [8, 12], 100), event(2, [20, 24], 0)],
            vec![event(0, [0, 80], 100), event(0, [80, 120], 100), event(2, [120, 122], 0)],
        ];
        let found = of_runs(&operations, runs.iter().map(Vec::as_slice));
        let shown: Vec<_> = found.iter().map(|found| (found.source().unwrap(), found.us, found.calls)).collect();
        assert_eq!(shown, [("main.sknd:3".to_string(), 15.0, 2), ("main.sknd:5".to_string(), 2.0, 1)]);
        assert_eq!(times(3, &runs[0]), [15.0, 0.0, 1.0]);
        assert_eq!((found[0].work, found[0].bytes), (200, 400));
        assert_eq!((found[1].gflops(), found[1].gbytes()), (None, None));
        assert_eq!(found[0].gflops(), Some(200.0 / 15.0 / 1e3));
        assert!(of_runs(&operations, [].into_iter()).is_empty());
    }

    #[test]
    fn titles_have_all_lines() {
        let mut operation = named(3, "block");
        operation.lines[0].inner = Some("nn.conv".into());
        operation.lines.push(Line { line: 4, operator: Some("nn.relu".into()), ..operation.lines[0].clone() });
        let mut measured = Measured { number: 0, operation, us: 1.0, calls: 1, work: 0, bytes: 0 };
        assert_eq!(measured.title(), "main.sknd:3: block (nn.conv) + nn.relu:4");
        measured.operation.lines.iter_mut().for_each(|line| line.origin = Some(format!("node `{}`", line.line)));
        assert_eq!(measured.title(), "main.sknd: node `3`: block (nn.conv) + nn.relu of node `4`");
        assert_eq!(measured.source().unwrap(), "main.sknd: node `3`");
    }
}
