//! Where TableGen crashes, which does not say so: the shortest beginning of the file on which it does ends there.

use std::{fs, io::Write};

use super::{
    Input,
    trial::{is_crash, read},
};
use crate::error::Place;

/// Words that begin a statement.
const STATEMENTS: [&str; 9] = ["def", "class", "multiclass", "defm", "defset", "defvar", "foreach", "let", "if"];

/// The statement of the file on which the tool crashes; none if it does so for the file as a whole only.
pub fn place(input: &Input<'_>) -> Option<Place> {
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
    Some(statement(&lines[..with], input.shown_name))
}

/// The name in the last statement of the lines.
fn statement(lines: &[&str], file: &str) -> Place {
    let name_of = |line: &str| {
        let (word, rest) = line.split_once(|c: char| !c.is_ascii_alphanumeric())?;
        STATEMENTS.contains(&word).then(|| line.len() - rest.trim_start().len() + 1)
    };
    let first = lines.iter().enumerate().rev().find_map(|(index, line)| Some((index + 1, name_of(line)?)));
    let (line, column) = first.unwrap_or((lines.len(), 1));
    Place::at(file, line, column, lines[line - 1])
}

#[cfg(test)]
mod tests {
    use super::super::Input;

    #[test]
    fn a_crash_has_a_place() {
        let file = tempfile::Builder::new().suffix(".td").tempfile().unwrap();
        let told = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            Input { read_name: &file.path().to_string_lossy(), shown_name: "x.td", include_directories: &[] }
                .check()
                .unwrap_err()
                .to_string()
        };
        let endless = "class Endless<int n> {\n  int size = Endless<!add(n, 1)>.size;\n}\n";
        let text = format!("class A;\n{endless}def One : A;\ndef Two : Endless<0>;\ndef Three : A;\n");
        let first = told(&text);
        assert!(first.starts_with("x.td:6:5: error: TableGen cannot evaluate this"), "{first}");
        assert!(first.contains("\ndef Two : Endless<0>;\n    ^"), "{first}");
    }
}
