//! Names of the language for what programs write.

use crate::spelling::KEYWORDS;
use std::collections::{HashMap, HashSet};

/// Longer names are cut: files of weights bear them, and file systems take 255 bytes.
pub const LONGEST: usize = 120;

/// Names that are all different.
#[derive(Debug, Clone, Default)]
pub struct Fresh {
    taken: HashSet<String>,
    /// The last number behind each name that was wanted more than once.
    numbers: HashMap<String, usize>,
}

impl Fresh {
    /// Whether a name is new; it is taken then.
    pub fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// The first of these names that is new, or one that is like the first.
    pub fn name_of(&mut self, like: &[&str]) -> String {
        let free = like.iter().find(|name| !self.taken.contains(**name));
        self.fresh(free.or(like.first()).unwrap_or(&""))
    }

    /// A new name that is like this one: letters, digits and underscores, no keyword, and no other one.
    pub fn fresh(&mut self, like: &str) -> String {
        let base = spelled(like);
        if self.taken.insert(base.clone()) {
            return base;
        }
        let number = self.numbers.entry(base.clone()).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{base}_{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The name of the language that is most like one of the model.
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
