//! What a backend does not do right yet: a list that can only get shorter. Each line names a case, in which way its outcome
//! is not as it should be, and a part of what the backend says:
//!
//! ```text
//! conformance/dynamic/packs::G refused: its result has a dynamic length
//! ```

use crate::verdict::{Class, Problem};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The list of one backend.
#[derive(Debug, Default)]
pub struct Refusals {
    path: PathBuf,
    entries: BTreeMap<String, (Class, String)>,
}

/// How much of a message is proposed for the list.
const SHOWN: usize = 100;

impl Refusals {
    /// The list of the backend of this name.
    ///
    /// # Errors
    /// Where it can't be read, or a line can't be understood.
    pub fn of(backend: &str) -> Result<Refusals, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("refusals").join(format!("{backend}.txt"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut entries = BTreeMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let wrong = |reason: &str| format!("{}:{}: {reason}", path.display(), at + 1);
            let (case, rest) = line.split_once(' ').ok_or_else(|| wrong("expected `CASE CLASS: TEXT`"))?;
            let (class, text) = rest.split_once(':').ok_or_else(|| wrong("expected `CASE CLASS: TEXT`"))?;
            let class = class.parse().map_err(|reason: String| wrong(&reason))?;
            if entries.insert(case.to_owned(), (class, text.trim().to_owned())).is_some() {
                return Err(wrong("the case is listed twice"));
            }
        }
        Ok(Refusals { path, entries })
    }

    /// The cases of the list.
    pub fn cases(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Whether a case is in the list.
    pub fn lists(&self, case: &str) -> bool {
        self.entries.contains_key(case)
    }

    /// Whether the list says so of the case; otherwise what is to be said.
    ///
    /// # Errors
    /// Where a case that is not listed has a problem, or one that is listed has none, or another.
    pub fn judge(&self, case: &str, problem: Option<&Problem>) -> Result<(), String> {
        let list = self.path.display();
        match (self.entries.get(case), problem) {
            (None, None) => Ok(()),
            (Some((class, text)), Some(problem)) if *class == problem.class && problem.text.contains(text) => Ok(()),
            (Some(_), None) => Err(format!("{case} is right; delete it from {list}")),
            (Some((class, text)), Some(problem)) => {
                Err(format!("{case} has another problem than `{class}: {text}` of {list}\n{}", proposed(case, problem)))
            }
            (None, Some(problem)) => Err(format!("{}\n{problem}", proposed(case, problem))),
        }
    }
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
        let entries = BTreeMap::from([(case.to_owned(), (class, text.to_owned()))]);
        Refusals { path: PathBuf::from("list"), entries }
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
