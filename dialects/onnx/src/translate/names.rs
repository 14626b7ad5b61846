//! Names of the language for those of a model.

use skriptnd_syntax::names::Fresh;
pub use skriptnd_syntax::names::spelled;
use std::collections::HashMap;

/// The names that a graph has.
#[derive(Debug, Default)]
pub struct Names {
    fresh: Fresh,
    /// What the model's interface is called, by its names there.
    kept: HashMap<(Side, String), String>,
}

/// A side of a model's interface: an input that is given as an output has a name on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// What a run is given.
    Input,
    /// What a run gives.
    Output,
}

impl Names {
    /// Keeps the name that is most like one of the model for its interface: what is named later gets another.
    pub fn keep(&mut self, side: Side, like: &str) {
        if self.kept(side, like).is_none() {
            let name = self.fresh(like);
            self.kept.insert((side, like.to_owned()), name);
        }
    }

    /// The name that is kept for one of the model's interface.
    pub fn kept(&self, side: Side, like: &str) -> Option<&str> {
        self.kept.get(&(side, like.to_owned())).map(String::as_str)
    }

    /// The first of these names that is new, or one that is like the first.
    pub fn name_of(&mut self, like: &[&str]) -> String {
        self.fresh.name_of(like)
    }

    /// A new name that is like one of the model: letters, digits and underscores, no keyword, and no other one.
    pub fn fresh(&mut self, like: &str) -> String {
        self.fresh.fresh(like)
    }
}

/// Whether a name is one that an exporter made up.
pub(crate) fn is_numbered(name: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(_, number)| number.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_the_language_and_differ() {
        let mut names = Names::default();
        let fresh = ["/layer1/conv/Conv_output_0", "x.y", "x_y", "12", "if", "", "π"].map(|like| names.fresh(like));
        assert_eq!(fresh, ["layer1_conv_Conv_output_0", "x_y", "x_y_2", "t12", "if_", "t", "t_"]);
        assert_eq!(names.fresh(&"a".repeat(500)).len(), skriptnd_syntax::names::LONGEST);
    }

    #[test]
    fn what_is_kept_is_given_to_nothing_else() {
        let mut names = Names::default();
        names.keep(Side::Input, "x");
        names.keep(Side::Output, "x");
        names.keep(Side::Output, "y.z");
        names.keep(Side::Output, "y.z");
        assert_eq!(names.fresh("y_z"), "y_z_2");
        let kept = [(Side::Input, "x"), (Side::Output, "x"), (Side::Output, "y.z"), (Side::Input, "y.z")];
        assert_eq!(kept.map(|(side, like)| names.kept(side, like)), [Some("x"), Some("x_2"), Some("y_z"), None]);
    }
}
