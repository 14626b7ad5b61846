//! Constraints as values of IRDL.

use super::admitted::Admitted;

/// The definitions of the constraints of one operation, type or attribute.
///
/// To IRDL a value is a variable: all that is constrained by one value must be equal. So a value is made for each use, but for
/// those that admit a single thing.
#[derive(Default)]
pub struct Values {
    lines: Vec<String>,
}

impl Values {
    /// A value that nothing else uses.
    pub fn fresh(&mut self, admitted: &Admitted) -> String {
        match admitted {
            Admitted::Anything => self.define("irdl.any".into()),
            Admitted::Is(text) => self.single(text),
            Admitted::Base(name) => self.define(format!("irdl.base {name}")),
            Admitted::All(items) => self.combined("all_of", items),
            Admitted::OneOf(items) => self.combined("any_of", items),
        }
    }

    /// The definitions, in order.
    pub fn finish(self) -> Vec<String> {
        self.lines
    }

    fn single(&mut self, text: &str) -> String {
        let line = format!("irdl.is {text}");
        let known = self.lines.iter().position(|known| known.split_once(" = ").is_some_and(|(_, known)| known == line));
        known.map_or_else(|| self.define(line), |index| format!("%{index}"))
    }

    fn combined(&mut self, form: &str, items: &[Admitted]) -> String {
        let values: Vec<String> = items.iter().map(|item| self.fresh(item)).collect();
        self.define(format!("irdl.{form}({})", values.join(", ")))
    }

    fn define(&mut self, line: String) -> String {
        let name = format!("%{}", self.lines.len());
        self.lines.push(format!("{name} = {line}"));
        name
    }
}
