//! Where TableGen crashes, which does not say so: the shortest beginning of the file on which it does ends there.

use std::{fs, io::Write, path::PathBuf};

use super::{
    Input,
    llvm_tool::{is_crash, read, shown},
};
use crate::{
    error::{Error, Place},
    source,
};

/// Words that begin a statement.
const STATEMENTS: [&str; 9] = ["def", "class", "multiclass", "defm", "defset", "defvar", "foreach", "let", "if"];

/// A statement on which the tool crashes.
struct Crash {
    /// The file as far as it is needed for the crash.
    text: String,
    /// Where the statement begins.
    begin: usize,
    /// Where its name stands.
    name: usize,
}

/// What is wrong with the statement of the file on which the tool crashes; a crash of the file as a whole has no place.
pub fn error(input: &Input<'_>) -> Error {
    let Input { shown_name, include_directories, .. } = *input;
    let cause = "a class is defined by itself or nested too deep, or '?' stands where a record is needed";
    let Some(crash) = find(input) else {
        return Error::new(format!("TableGen cannot evaluate '{shown_name}': {cause}"));
    };
    crash
        .unset(shown_name, include_directories)
        .unwrap_or_else(|| crash.place(shown_name, crash.name).error(format!("TableGen cannot evaluate this: {cause}")))
}

fn find(input: &Input<'_>) -> Option<Crash> {
    let text = fs::read_to_string(input.read_name).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    // What cannot be read any more would be told, were it come to.
    let crashes = |count: usize| {
        let mut file = tempfile::Builder::new().suffix(".td").tempfile().ok()?;
        file.write_all(format!("{}\n;\n", lines[..count].join("\n")).as_bytes()).ok()?;
        read(file.path(), input.include_directories).map(|(_, errors)| is_crash(&errors))
    };
    if !crashes(lines.len())? {
        return None;
    }
    let (mut without, mut with) = (0, lines.len());
    while with - without > 1 {
        let middle = without.midpoint(with);
        if crashes(middle)? {
            with = middle;
        } else {
            without = middle;
        }
    }
    Some(Crash::of(&lines[..with]))
}

impl Crash {
    /// The last statement of the lines.
    fn of(lines: &[&str]) -> Self {
        let name_of = |line: &str| {
            let (word, rest) = line.split_once(|c: char| !c.is_ascii_alphanumeric())?;
            STATEMENTS.contains(&word).then(|| line.len() - rest.trim_start().len())
        };
        let first = lines.iter().enumerate().rev().find_map(|(index, line)| Some((index, name_of(line)?)));
        let (line, column) = first.unwrap_or((lines.len().saturating_sub(1), 0));
        let begin = lines[..line].iter().map(|line| line.len() + 1).sum();
        Self { text: lines.join("\n"), begin, name: begin + column }
    }

    fn place(&self, file: &str, at: usize) -> Place {
        source::Source::new(self.text.clone()).place(file, at)
    }

    /// The error at a `?` among the arguments of a class, which is told what it stands for.
    fn unset(&self, shown_name: &str, include_directories: &[PathBuf]) -> Option<Error> {
        let (class, index, at) = self.unset_argument()?;
        let name: String = self.text[self.name..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let error = |what: &str| {
            self.place(shown_name, at).error(format!("'?' stands for {what} of '{class}', which needs a record"))
        };
        let (parameter, field) = self.parameter(class, index, include_directories).unwrap_or_default();
        let error = error(&if parameter.is_empty() { "an argument".into() } else { format!("'{parameter}'") });
        Some(match field {
            _ if name.is_empty() => error,
            Some(field) => error.note(format!("in field '{field}' of '{name}'")),
            None => error.note(format!("in '{name}'")),
        })
    }

    /// The first argument that is `?`: its class, its index and where it stands.
    fn unset_argument(&self) -> Option<(&str, usize, usize)> {
        let statement = &self.text[self.begin..];
        statement.match_indices('<').find_map(|(at, _)| {
            let open = self.begin + at + 1;
            let before = self.text[..open - 1].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
            let class = &self.text[before..open - 1];
            let (arguments, _) = source::list(&self.text, open, '>')?;
            let is_unset = |begin: &usize| {
                let rest = self.text[*begin..].strip_prefix('?').unwrap_or_default().trim_start();
                rest.starts_with([',', '>'])
            };
            let index = arguments.iter().position(is_unset).filter(|_| !class.is_empty())?;
            Some((class, index, arguments[index]))
        })
    }

    /// The name of a parameter of a class, and of the field that it is the value of, as the tool shows the class.
    fn parameter(
        &self,
        class: &str,
        index: usize,
        include_directories: &[PathBuf],
    ) -> Option<(String, Option<String>)> {
        let mut file = tempfile::Builder::new().suffix(".td").tempfile().ok()?;
        file.write_all(&self.text.as_bytes()[..self.begin]).ok()?;
        let shown = shown(file.path(), include_directories)?;
        let begin = shown.find(&format!("\nclass {class}<"))? + class.len() + "\nclass <".len();
        let (parameters, end) = source::list(&shown, begin, '>')?;
        let parameter = shown[*parameters.get(index)?..end].split([' ', ',', '>']).nth(1)?;
        let body = &shown[end..end + shown[end..].find("\n}")?];
        let field = body.lines().find_map(|line| line.strip_suffix(&format!(" = {parameter};"))?.rsplit(' ').next());
        Some((parameter.rsplit(':').next()?.to_string(), field.map(str::to_string)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::told;

    #[test]
    fn a_crash_has_a_place() {
        let endless = "class Endless<int n> {\n  int size = Endless<!add(n, 1)>.size;\n}\n";
        let text = format!("class A;\n{endless}def One : A;\ndef Two : Endless<0>;\ndef Three : A;\n");
        let first = told(&text);
        assert!(first.starts_with("x.td:6:5: error: TableGen cannot evaluate this"), "{first}");
        assert!(first.contains("\ndef Two : Endless<0>;\n    ^"), "{first}");
    }

    #[test]
    fn what_is_unset_is_told() {
        let classes = "class A { int n = 1; }\nclass B<int count, A a> {\n  A inner = a;\n  int n = a.n;\n}\n";
        let unset = told(&format!("{classes}def One;\ndef Two : B<3, ?> {{\n}}\n"));
        assert!(unset.starts_with("x.td:7:16: error: '?' stands for 'a' of 'B', which needs a record"), "{unset}");
        assert!(unset.contains("note: in field 'inner' of 'Two'"), "{unset}");
    }
}
