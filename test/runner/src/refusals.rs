//! What a backend does not do right yet: lists that can only get shorter. Each line names a case, in which way its outcome
//! is not as it should be, and a part of what the backend says:
//!
//! ```text
//! conformance/dynamic/packs::G refused: its result has a dynamic length
//! ```
//!
//! `compiled.txt` lists what no compiled backend does right, the file with a backend's name what is so there only.

use crate::verdict::{Class, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The compiled backends.
pub const COMPILED: [&str; 2] = ["native", "hexagon"];

/// The compiled backends that run a part of the cases, with the one whose list holds for them; all cases where the
/// environment variable `SKRIPTND_WHOLE` is set.
pub const SELECTED: [(&str, &str); 6] = [
    ("schedules", "native"),
    ("htp", "native"),
    ("neon", "hexagon"),
    ("sve", "hexagon"),
    ("rvv", "rvv"),
    ("hvx", "hvx"),
];

/// Native code that rounds where the formulas do: the bits of the oracle are expected of all but [`inexact`] subjects.
pub const EXACT: &str = "exact";

/// The subjects of which not every bit is promised, with [`EXACT`] either.
///
/// # Errors
/// Where the list can't be read.
pub fn inexact() -> Result<BTreeSet<String>, String> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("inexact.txt");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect())
}

/// The list of what all of them don't do right.
const SHARED: &str = "compiled";

/// What one backend does not do right.
#[derive(Debug, Default)]
pub struct Refusals {
    entries: BTreeMap<String, Entry>,
}

/// A line of a list.
#[derive(Debug)]
struct Entry {
    class: Class,
    text: String,
    list: PathBuf,
}

/// How much of a message is proposed for the list.
const SHOWN: usize = 100;

impl Refusals {
    /// Of the compiled backend of this name.
    ///
    /// # Errors
    /// Where a list can't be read, or a line can't be understood.
    pub fn of(backend: &str) -> Result<Refusals, String> {
        let mut refusals = Refusals::default();
        refusals.read(&list(SHARED))?;
        refusals.read(&list(backend))?;
        Ok(refusals)
    }

    /// Of something that compiles nothing.
    ///
    /// # Errors
    /// As above.
    pub fn alone(name: &str) -> Result<Refusals, String> {
        let mut refusals = Refusals::default();
        refusals.read(&list(name))?;
        Ok(refusals)
    }

    fn read(&mut self, list: &Path) -> Result<(), String> {
        let text = std::fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let wrong = |reason: &str| format!("{}:{}: {reason}", list.display(), at + 1);
            let (case, rest) = line.split_once(' ').ok_or_else(|| wrong("expected `CASE CLASS: TEXT`"))?;
            let (class, text) = rest.split_once(':').ok_or_else(|| wrong("expected `CASE CLASS: TEXT`"))?;
            let class = class.parse().map_err(|reason: String| wrong(&reason))?;
            let entry = Entry { class, text: text.trim().to_owned(), list: list.to_owned() };
            if self.entries.insert(case.to_owned(), entry).is_some() {
                return Err(wrong("the case is listed twice"));
            }
        }
        Ok(())
    }

    /// The cases that are listed.
    pub fn cases(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Whether a case is listed.
    pub fn lists(&self, case: &str) -> bool {
        self.entries.contains_key(case)
    }

    /// Whether the lists say so of the case; otherwise what is to be said.
    ///
    /// # Errors
    /// Where a case that is not listed has a problem, or one that is listed has none, or another.
    pub fn judge(&self, case: &str, problem: Option<&Problem>) -> Result<(), String> {
        match (self.entries.get(case), problem) {
            (None, None) => Ok(()),
            (Some(entry), Some(problem)) if entry.class == problem.class && problem.text.contains(&entry.text) => {
                Ok(())
            }
            (Some(Entry { list, .. }), None) => Err(format!("{case} is right; delete it from {}", list.display())),
            (Some(Entry { class, text, list }), Some(problem)) => {
                let listed = format!("`{class}: {text}` of {}", list.display());
                Err(format!("{case} has another problem than {listed}\n{}", proposed(case, problem)))
            }
            (None, Some(problem)) => Err(format!("{}\n{problem}", proposed(case, problem))),
        }
    }
}

/// The list with this name.
fn list(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("refusals").join(format!("{name}.txt"))
}

/// The line for the list.
fn proposed(case: &str, problem: &Problem) -> String {
    format!("{case} {}: {}", problem.class, beginning(problem).chars().take(SHOWN).collect::<String>().trim_end())
}

/// What of a problem stays the same from run to run.
fn beginning(problem: &Problem) -> &str {
    let mut lines = problem.text.lines();
    let first = lines.next().unwrap_or_default();
    match problem.class {
        Class::Wrong => first.split(": ").next().unwrap_or_default(),
        Class::Fails | Class::Message => lines.next().unwrap_or(first),
        Class::Crash | Class::Hang => "",
        Class::Refused | Class::Silent => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(case: &str, class: Class, text: &str) -> Refusals {
        let entry = Entry { class, text: text.to_owned(), list: PathBuf::from("list") };
        Refusals { entries: BTreeMap::from([(case.to_owned(), entry)]) }
    }

    #[test]
    fn a_list_holds_for_its_cases_and_no_others() {
        let list = list("a::G", Class::Refused, "dynamic");
        let refused = Problem::new(Class::Refused, "its extent is dynamic");
        assert_eq!(list.judge("a::G", Some(&refused)), Ok(()));
        assert_eq!(list.judge("b::G", None), Ok(()));
        assert!(list.judge("a::G", None).unwrap_err().contains("delete it"));
        assert!(list.judge("b::G", Some(&refused)).unwrap_err().starts_with("b::G refused: its extent is dynamic"));
    }

    #[test]
    fn another_problem_is_not_the_one_listed() {
        let list = list("a::G", Class::Refused, "dynamic");
        let wrong = Problem::new(Class::Wrong, "y: expected 1\nfound 2");
        assert!(list.judge("a::G", Some(&wrong)).unwrap_err().contains("a::G wrong: y"));
        assert!(list.judge("a::G", Some(&Problem::new(Class::Refused, "a pack"))).is_err());
    }
}
