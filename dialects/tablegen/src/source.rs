//! Parts of values in the text of a .td file: the character of a string, the argument of a dag.
//!
//! TableGen says where a field was given its value and no more; the rest is looked up in the text. What is put
//! together of several values (`#`, `!con`, arguments of classes) has no place of its own.

use std::{cell::RefCell, collections::HashMap, fs, rc::Rc};

use crate::error::Place;

/// The texts of files, read when a place in them is asked for.
#[derive(Default)]
pub struct Sources {
    files: RefCell<HashMap<String, Option<Rc<Source>>>>,
}

/// A text, and where its lines begin.
pub struct Source {
    /// The text.
    pub text: String,
    lines: Vec<usize>,
}

impl Source {
    /// A text.
    pub fn new(text: String) -> Rc<Self> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Rc::new(Self { text, lines })
    }

    /// The byte at a line and a column.
    pub fn offset(&self, line: usize, column: usize) -> Option<usize> {
        Some(self.lines.get(line.checked_sub(1)?)? + column.checked_sub(1)?)
    }

    /// The place of a byte of the text, in a file of this name.
    pub fn place(&self, file: &str, at: usize) -> Place {
        let line = self.lines.partition_point(|begin| *begin <= at);
        let begin = self.lines[line.saturating_sub(1)];
        Place::at(file, line, at - begin + 1, self.text[begin..].lines().next().unwrap_or_default())
    }
}

impl Sources {
    /// Keeps the text of a file that will not be there any more.
    pub fn keep(&self, read_name: &str, text: &str) {
        self.files.borrow_mut().insert(read_name.to_string(), Some(Source::new(text.into())));
    }

    /// The place `offset` bytes behind the begin of `text`, which is the value of the field at `field`.
    pub fn in_string(&self, read_name: &str, field: &Place, text: &str, offset: usize) -> Option<Place> {
        let (source, value) = self.value(read_name, field)?;
        let positions = literal(&source.text, value, text)?;
        let (shown, ..) = field.position()?;
        positions.get(offset).map(|at| source.place(shown, *at))
    }

    /// The place of the argument `index` of a dag with `count` of them, which is the value of the field at `field`.
    pub fn in_dag(&self, read_name: &str, field: &Place, index: usize, count: usize) -> Option<Place> {
        let (source, value) = self.value(read_name, field)?;
        let arguments = arguments(&source.text, value)?;
        let (shown, ..) = field.position()?;
        let at = arguments.get(index).filter(|_| arguments.len() == count)?;
        Some(source.place(shown, *at))
    }

    /// The place of the item `index` of a list with `count` of them, which is the value of the field at `field`.
    pub fn in_list(&self, read_name: &str, field: &Place, index: usize, count: usize) -> Option<Place> {
        let (source, value) = self.value(read_name, field)?;
        let inside = value + source.text[value..].strip_prefix('[').map(|_| 1)?;
        let (items, end) = list(&source.text, inside, ']')?;
        let (shown, ..) = field.position()?;
        let is_whole = items.len() == count && source.text[skip(&source.text, end + 1)..].starts_with(';');
        items.get(index).filter(|_| is_whole).map(|at| source.place(shown, *at))
    }

    /// The place of a string among the arguments of the classes that the definition at `definition` is of.
    pub fn in_head(&self, read_name: &str, definition: &Place, text: &str) -> Option<Place> {
        let (shown, line, column) = definition.position()?;
        let source = self.file(read_name)?;
        let begin = source.lines.get(line.saturating_sub(1))? + column.saturating_sub(1);
        let rest = source.text.get(begin..)?;
        let head = &rest[..rest.find([';', '{'])?];
        head.find(&format!("\"{text}\"")).map(|offset| source.place(shown, begin + offset))
    }

    /// What stands at a place, if it is a class with its arguments: `ConfinedAttr<I32Attr, [IntMinValue<0>]>`.
    pub fn instance(&self, read_name: &str, place: &Place) -> Option<String> {
        let (_, line, column) = place.position()?;
        let source = self.file(read_name)?;
        let begin = source.offset(line, column)?;
        let rest = source.text.get(begin..)?;
        let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|length| *length > 0)?;
        let open = rest[name..].starts_with('<').then(|| begin + name + 1)?;
        let end = closing(&source.text, open, '>')?;
        let words = source.text[begin..=end].split_whitespace();
        Some(words.collect::<Vec<_>>().join(" "))
    }

    /// Where the definition at `definition` has the class with arguments that `instance` is.
    pub fn instance_in(&self, read_name: &str, definition: &Place, instance: &str) -> Option<Place> {
        let (shown, line, column) = definition.position()?;
        let source = self.file(read_name)?;
        let begin = source.offset(line, column)?;
        let inside = source.text.get(begin..definition_end(&source.text, begin))?;
        let name = &instance[..instance.find('<')?];
        let mut places = inside.match_indices(name).map(|(at, _)| source.place(shown, begin + at));
        places.find(|place| self.instance(read_name, place).as_deref() == Some(instance))
    }

    /// The text of the file and where the value of the field begins.
    fn value(&self, read_name: &str, field: &Place) -> Option<(Rc<Source>, usize)> {
        let (_, line, column) = field.position()?;
        let source = self.file(read_name)?;
        let begin = source.lines.get(line.saturating_sub(1))? + column.saturating_sub(1);
        let rest = source.text.get(begin..)?;
        let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let equals = skip(&source.text, begin + name);
        let value = source.text[equals..].starts_with('=').then(|| skip(&source.text, equals + 1))?;
        Some((source, value))
    }

    /// A file, if it is there.
    pub fn file(&self, name: &str) -> Option<Rc<Source>> {
        let mut files = self.files.borrow_mut();
        if let Some(known) = files.get(name) {
            return known.clone();
        }
        let source = fs::read_to_string(name).ok().map(Source::new);
        files.insert(name.to_string(), source.clone());
        source
    }
}

/// Where the next statement begins, which stands at the begin of a line.
fn definition_end(source: &str, begin: usize) -> usize {
    const STATEMENTS: [&str; 9] = ["def", "class", "multiclass", "let", "foreach", "if", "include", "assert", "}"];
    let lines = source[begin..].match_indices('\n').map(|(at, _)| begin + at + 1);
    let begins = |at: &usize| STATEMENTS.iter().any(|statement| source[*at..].starts_with(statement));
    lines.filter(begins).find(|at| !source[*at..].starts_with("};")).unwrap_or(source.len())
}

/// Past white space and comments.
fn skip(source: &str, mut at: usize) -> usize {
    loop {
        let rest = &source[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let end = match trimmed {
            _ if trimmed.starts_with("//") => trimmed.find('\n').unwrap_or(trimmed.len()),
            _ if trimmed.starts_with("/*") => trimmed.find("*/").map_or(trimmed.len(), |end| end + 2),
            _ => return at,
        };
        at += end;
    }
}

/// The offset of each byte of `text`, and of its end, if literals at `at` are all that it is made of.
fn literal(source: &str, mut at: usize, text: &str) -> Option<Vec<usize>> {
    let (mut positions, mut decoded) = (Vec::new(), Vec::new());
    loop {
        let rest = &source[at..];
        if let Some(code) = rest.strip_prefix("[{") {
            let length = code.find("}]")?;
            positions.extend(at + 2..at + 2 + length);
            decoded.extend_from_slice(&code.as_bytes()[..length]);
            at += length + 4;
        } else if rest.starts_with('"') {
            at = quoted(source, at, &mut positions, &mut decoded)?;
        } else if rest.starts_with('#') {
            at += 1;
        } else {
            break;
        }
        at = skip(source, at);
    }
    positions.push(positions.last().map_or(at, |last| last + 1));
    (decoded == text.as_bytes()).then_some(positions)
}

/// Reads one string in quotes; where it ends.
fn quoted(source: &str, begin: usize, positions: &mut Vec<usize>, decoded: &mut Vec<u8>) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut at = begin + 1;
    while *bytes.get(at)? != b'"' {
        let escaped = bytes[at] == b'\\';
        let byte = match (escaped, *bytes.get(at + usize::from(escaped))?) {
            (true, b'n') => b'\n',
            (true, b't') => b'\t',
            (_, byte) => byte,
        };
        positions.push(at);
        decoded.push(byte);
        at += if escaped { 2 } else { 1 };
    }
    Some(at + 1)
}

/// Where each argument of the dag at `at` begins.
fn arguments(source: &str, at: usize) -> Option<Vec<usize>> {
    let inner = skip(source, at + source[at..].strip_prefix('(').map(|_| 1)?);
    let operator = source[inner..].find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '$')))?;
    list(source, skip(source, inner + operator), ')').map(|(begins, _)| begins)
}

/// Where the bracket is that closes the list which begins at `at`.
fn closing(source: &str, at: usize, close: char) -> Option<usize> {
    list(source, at, close).map(|(_, end)| end)
}

/// Where each item of a list begins, and the bracket that closes it.
pub fn list(source: &str, mut at: usize, close: char) -> Option<(Vec<usize>, usize)> {
    let (mut begins, mut depth) = (Vec::new(), 0usize);
    let mut fresh = true;
    loop {
        at = skip(source, at);
        let rest = &source[at..];
        let c = rest.chars().next()?;
        if c == close && depth == 0 {
            return Some((begins, at));
        }
        if std::mem::take(&mut fresh) {
            begins.push(at);
        }
        match c {
            '[' if rest.starts_with("[{") => at += rest.find("}]")? + 1,
            '"' => at = quoted(source, at, &mut Vec::new(), &mut Vec::new())? - 1,
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => fresh = true,
            _ => {}
        }
        at += source[at..].chars().next()?.len_utf8();
    }
}
