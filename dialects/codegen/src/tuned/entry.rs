//! An entry: the text of a schedule below a line that says what was measured, by which release, and the sum of it all.

use crate::nest::key::fingerprint;
use crate::nest::text::{Written, parse};

/// The release whose schedules are taken: others may make other code of the same loops.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

const BEGIN: &str = "// skriptnd ";
const SUM: &str = "; sum ";

/// A schedule that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its text, as [`crate::nest::text::print`] writes it.
    pub text: String,
    /// Microseconds of a run that operations with this kernel take.
    pub us: f64,
    /// The same with the schedule that is chosen without it.
    pub chosen_us: f64,
    /// How many threads shared the work.
    pub threads: usize,
}

/// Why an entry is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// Line and column, counted from one.
    pub place: (usize, usize),
    /// The reason.
    pub reason: String,
    /// Whether it is of another release, and nothing is wrong with it.
    pub is_old: bool,
}

impl Ignored {
    /// What is wrong with the file as a whole.
    pub fn damaged(reason: impl Into<String>) -> Ignored {
        Ignored { place: (1, 1), reason: reason.into(), is_old: false }
    }
}

impl Entry {
    /// The content of its file.
    pub fn content(&self) -> String {
        self.content_of(RELEASE)
    }

    pub(super) fn content_of(&self, release: &str) -> String {
        let Entry { text, us, chosen_us, threads } = self;
        let measured = format!("measured {us:.3} us in place of {chosen_us:.3} us, threads: {threads}");
        let head = format!("{BEGIN}{release} {measured}");
        let sum = fingerprint(&format!("{head}\n{text}"));
        format!("{head}{SUM}{sum}\n{text}")
    }
}

/// The schedule in the content of a file, for the kernel of a key.
pub fn read(content: &str, key: &str) -> Result<Written, Ignored> {
    let damaged = |reason: &str| Err(Ignored::damaged(format!("it is damaged: {reason}")));
    let Some((first, text)) = content.split_once('\n') else { return damaged("it has one line") };
    let Some((release, _)) = first.strip_prefix(BEGIN).and_then(|rest| rest.split_once(' ')) else {
        return damaged("its first line says no release");
    };
    let Some((head, sum)) = first.rsplit_once(SUM) else { return damaged("its first line has no sum") };
    if sum != fingerprint(&format!("{head}\n{text}")) {
        return damaged("it is not what its sum says");
    }
    if release != RELEASE {
        let reason = format!("it was measured with skriptnd {release}, this is {RELEASE}");
        return Err(Ignored { is_old: true, ..Ignored::damaged(reason) });
    }
    let written = parse(text).map_err(|problem| Ignored {
        place: (problem.place.0 + 1, problem.place.1),
        reason: problem.message,
        is_old: false,
    })?;
    match written.key == key {
        true => Ok(written),
        false => Err(Ignored::damaged(format!("it is of another kernel, {}", written.key))),
    }
}
