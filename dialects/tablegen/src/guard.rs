//! Checks before TableGen sees a file: its recursive parser has no limit of its own on depth or on includes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use indexmap::IndexSet;

use crate::error::{Error, Result};

/// Nesting of brackets beyond which a file is refused. Upstream's deepest file has less than 20.
const MAXIMUM_NESTING: usize = 256;
/// Steps of one statement that TableGen parses by recursion without a bracket: `#`, `in`, `then`, `else`.
const MAXIMUM_CHAIN: usize = 512;
/// Depth of includes beyond which a file is refused.
const MAXIMUM_INCLUDES: usize = 64;

/// Checks the file and what it includes, and says what that is.
pub fn check_file(path: &Path, include_directories: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let name = path.display().to_string();
    let text = read(path, &name)?;
    let mut includes = Includes { directories: include_directories, done: IndexSet::new() };
    includes.check(&text, &name, &mut vec![path.to_path_buf()])?;
    Ok(includes.done.into_iter().collect())
}

/// The text of a file.
fn read(path: &Path, name: &str) -> Result<String> {
    let bytes = fs::read(path).map_err(|error| Error::new(format!("cannot read '{name}': {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let wrong = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let (line, column) = position_of(&text, wrong);
        let message = format!("the byte 0x{:02X} is not UTF-8", error.as_bytes()[wrong]);
        Error::at_position(name, line, column, message).help("write the file in UTF-8")
    })
}

/// Checks a text and what it includes, and says what that is.
pub fn check_text(text: &str, name: &str, include_directories: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut includes = Includes { directories: include_directories, done: IndexSet::new() };
    includes.check(text, name, &mut Vec::new())?;
    Ok(includes.done.into_iter().collect())
}

struct Includes<'a> {
    directories: &'a [PathBuf],
    done: IndexSet<PathBuf>,
}

impl Includes<'_> {
    fn check(&mut self, text: &str, name: &str, open: &mut Vec<PathBuf>) -> Result<()> {
        let mut scanner = Scanner::new(text, name);
        scanner.run()?;
        for include in scanner.includes {
            // TableGen reports a missing file itself, with its place.
            let Some(path) = self.find(&include.file) else { continue };
            if open.contains(&path) || open.len() > MAXIMUM_INCLUDES {
                return Err(Error::at_position(
                    name,
                    include.line,
                    include.column,
                    format!("'{}' includes itself without an '#ifndef' around it", include.file),
                ));
            }
            if !self.done.insert(path.clone()) {
                continue;
            }
            let Ok(included) = fs::read(&path) else { continue };
            let included = String::from_utf8_lossy(&included);
            // A file with an include guard may be reached again: TableGen then skips its body.
            if included.contains("#ifndef") {
                self.check(&included, &path.display().to_string(), &mut Vec::new())?;
                continue;
            }
            open.push(path.clone());
            self.check(&included, &path.display().to_string(), open)?;
            open.pop();
        }
        Ok(())
    }

    fn find(&self, file: &str) -> Option<PathBuf> {
        let direct = PathBuf::from(file);
        if direct.is_file() {
            return Some(direct);
        }
        self.directories.iter().map(|directory| directory.join(file)).find(|path| path.is_file())
    }
}

struct Include {
    file: String,
    line: usize,
    column: usize,
}

/// A pass over the tokens that matter: brackets, strings, code blocks, comments and a few words.
struct Scanner<'a> {
    text: &'a str,
    name: &'a str,
    position: usize,
    nesting: usize,
    chain: usize,
    includes: Vec<Include>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, name: &'a str) -> Self {
        Self { text, name, position: 0, nesting: 0, chain: 0, includes: Vec::new() }
    }

    fn run(&mut self) -> Result<()> {
        // Bytes of characters that are no ASCII stand in strings and comments, or are passed over one by one.
        while let Some(byte) = self.text.as_bytes().get(self.position) {
            match byte {
                b'/' if self.rest().starts_with("//") => self.skip_past("\n"),
                b'/' if self.rest().starts_with("/*") => self.skip_past("*/"),
                b'[' if self.rest().starts_with("[{") => self.skip_past("}]"),
                b'"' => {
                    self.string();
                }
                b'(' | b'[' | b'{' | b'<' => self.open()?,
                b')' | b']' | b'}' | b'>' => self.close(),
                b';' => (self.chain, self.position) = (0, self.position + 1),
                b'#' => {
                    self.position += 1;
                    self.link()?;
                }
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.word()?,
                _ => self.position += 1,
            }
        }
        Ok(())
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip_past(&mut self, end: &str) {
        let rest = self.rest();
        // Past the opening characters, so that "/*/" does not end itself.
        let offset = rest.get(2..).and_then(|rest| rest.find(end)).map_or(rest.len(), |at| at + 2 + end.len());
        self.position += offset;
    }

    fn string(&mut self) -> &'a str {
        let inside = &self.rest()[1..];
        let mut escaped = false;
        let end = inside.bytes().position(|byte| {
            let ends = !escaped && byte == b'"';
            escaped = !escaped && byte == b'\\';
            ends
        });
        let value = &inside[..end.unwrap_or(inside.len())];
        self.position = (self.position + value.len() + 2).min(self.text.len());
        value
    }

    fn open(&mut self) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAXIMUM_NESTING {
            return Err(self.error(format!("brackets are nested more than {MAXIMUM_NESTING} deep")));
        }
        self.position += 1;
        Ok(())
    }

    fn close(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
        self.position += 1;
        if self.nesting == 0 {
            self.chain = 0;
        }
    }

    fn link(&mut self) -> Result<()> {
        self.chain += 1;
        match self.chain > MAXIMUM_CHAIN {
            true => Err(self.error(format!("a statement goes on for more than {MAXIMUM_CHAIN} parts"))),
            false => Ok(()),
        }
    }

    fn word(&mut self) -> Result<()> {
        let start = self.position;
        let rest = self.rest();
        let length =
            rest.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).unwrap_or(rest.len());
        self.position += length;
        match &rest[..length] {
            "include" => {
                let (line, column) = position_of(self.text, start);
                self.position += self.rest().len() - self.rest().trim_start().len();
                if self.rest().starts_with('"') {
                    let file = self.string().to_string();
                    self.includes.push(Include { file, line, column });
                }
                Ok(())
            }
            "in" | "then" | "else" => self.link(),
            _ => Ok(()),
        }
    }

    fn error(&self, message: String) -> Error {
        let (line, column) = position_of(self.text, self.position);
        Error::at_position(self.name, line, column, message)
    }
}

/// Line and column of a byte offset, both from one.
fn position_of(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_has_a_place() {
        let file = tempfile::Builder::new().suffix(".td").tempfile().unwrap();
        fs::write(file.path(), b"def A;\n// caf\xe9\n").unwrap();
        let error = check_file(file.path(), &[]).unwrap_err();
        let expected =
            format!("{}:2:7: error: the byte 0xE9 is not UTF-8\nhelp: write the file in UTF-8", file.path().display());
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn brackets_in_strings_and_comments_of_any_script_do_not_nest() {
        let brackets = "(".repeat(MAXIMUM_NESTING + 1);
        let quiet = format!("// é{brackets}\n/* ü{brackets} */ def é : A<\"ö\\\"{brackets}\", [{{ß{brackets}}}]>;");
        assert!(check_text(&quiet, "x.td", &[]).is_ok());
        let error = check_text(&format!("def é : A<\"ö\",\n  {brackets}"), "x.td", &[]).unwrap_err();
        assert!(error.to_string().starts_with("x.td:2:258: error: brackets are nested more than 256 deep"), "{error}");
    }
}
