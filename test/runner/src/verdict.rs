//! What is wrong with the outcome of a case, in words that other processes and lists of refusals understand.

use std::fmt::{self, Display};
use std::str::FromStr;

/// In which way an outcome is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The backend has no code for the graph, and says so.
    Refused,
    /// There are outputs, and they are not those expected.
    Wrong,
    /// It ran, and should have failed.
    Silent,
    /// It failed, and should have run.
    Fails,
    /// It failed with another message, or at another place, than expected.
    Message,
    /// The process ended.
    Crash,
    /// It did not end.
    Hang,
}

const WORDS: [(Class, &str); 7] = [
    (Class::Refused, "refused"),
    (Class::Wrong, "wrong"),
    (Class::Silent, "silent"),
    (Class::Fails, "fails"),
    (Class::Message, "message"),
    (Class::Crash, "crash"),
    (Class::Hang, "hang"),
];

impl Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORDS.iter().find(|(class, _)| class == self).map_or("", |(_, word)| word))
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Class, String> {
        let found = WORDS.iter().find(|(_, word)| *word == text).map(|(class, _)| *class);
        found.ok_or_else(|| format!("`{text}` is no class of problems"))
    }
}

/// What is wrong with the outcome of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// In which way.
    pub class: Class,
    /// In full.
    pub text: String,
}

impl Problem {
    /// A problem.
    pub fn new(class: Class, text: impl Into<String>) -> Problem {
        Problem { class, text: text.into() }
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.text)
    }
}
