//! Names of the language for those that something else has.

use crate::spelling::KEYWORDS;
use std::collections::{HashMap, HashSet};

/// Longer names are cut: files of weights bear them, and file systems take 255 bytes.
pub const LONGEST: usize = 120;

/// The names that a graph has.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The last number behind each name that was wanted more than once.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Whether a name is new; it is taken then.
    pub fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// The first of these names that is new, or one that is like the first.
    pub fn fresh_of(&mut self, like: &[&str]) -> String {
        let free = like.iter().find(|name| !self.taken.contains(**name));
        self.fresh(free.or(like.first()).unwrap_or(&""))
    }

    /// A new name that is like another: letters, digits and underscores, no keyword, and no other one.
    pub fn fresh(&mut self, like: &str) -> String {
        let base = spelled(like);
        if self.take(&base) {
            return base;
        }
        let mut number = self.numbers.get(&base).copied().unwrap_or(1);
        loop {
            number += 1;
            let name = format!("{base}_{number}");
            if self.take(&name) {
                self.numbers.insert(base, number);
                return name;
            }
        }
    }
}
/// The name of the language that is most like another.
pub fn spelled(like: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = like.trim_start_matches(['/', ':', '.']).chars().map(letter).take(LONGEST).collect();
    // `_` alone stands for nothing.
    if name.chars().all(|c| c == '_') || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 't');
    }
    // Names that begin with an underscore are private, and warnings about what is not used leave them out.
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}
