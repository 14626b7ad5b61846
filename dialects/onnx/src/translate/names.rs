//! Names of the language for those of a model.

use skriptnd_syntax::spelling::KEYWORDS;
use std::collections::HashSet;

/// Longer names are cut: files of weights bear them, and file systems take 255 bytes.
const LONGEST: usize = 120;

/// The names that a graph has.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A new name that is like one of the model: letters, digits and underscores, no keyword, and no other one.
    pub fn fresh(&mut self, like: &str) -> String {
        let base = spelled(like);
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }
}

/// The name of the language that is most like one of the model.
pub fn spelled(like: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = like.trim_start_matches(['/', ':', '.']).chars().map(letter).take(LONGEST).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 't');
    }
    // Names that begin with an underscore are private, and warnings about what is not used leave them out.
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_the_language_and_differ() {
        let mut names = Names::default();
        let fresh = ["/layer1/conv/Conv_output_0", "x.y", "x_y", "12", "if", "", "π"].map(|like| names.fresh(like));
        assert_eq!(fresh, ["layer1_conv_Conv_output_0", "x_y", "x_y_2", "t12", "if_", "t", "_"]);
        assert_eq!(names.fresh(&"a".repeat(500)).len(), LONGEST);
    }
}
