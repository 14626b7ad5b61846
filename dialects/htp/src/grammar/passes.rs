//! The table of pass groups: a data file, for which a user may give another.

use indexmap::IndexMap;

/// Numbers of pass groups by name.
#[derive(Debug, Clone)]
pub struct PassTable {
    groups: IndexMap<String, i64>,
}

/// A line of a table that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the pass table: expected `NAME NUMBER`, found `{text}`")]
pub struct PassTableError {
    /// The line, from 1.
    pub line: usize,
    /// What stands in the line.
    pub text: String,
}

impl Default for PassTable {
    fn default() -> Self {
        let groups = include_str!("passes.txt").lines().filter_map(|line| entry(line).ok().flatten());
        PassTable { groups: groups.collect() }
    }
}

impl PassTable {
    /// Reads a table: lines `NAME NUMBER`, comments behind `#`.
    pub fn parse(text: &str) -> Result<Self, PassTableError> {
        let mut groups = IndexMap::new();
        for (index, line) in text.lines().enumerate() {
            match entry(line) {
                Ok(found) => groups.extend(found),
                Err(()) => return Err(PassTableError { line: index + 1, text: line.trim().to_owned() }),
            }
        }
        Ok(PassTable { groups })
    }

    /// The number of a group.
    pub fn number(&self, group: &str) -> Option<i64> {
        self.groups.get(group).copied()
    }

    /// All groups, in the order of the table.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }
}

fn entry(line: &str) -> Result<Option<(String, i64)>, ()> {
    let content = line.split('#').next().unwrap_or_default();
    let mut words = content.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some(name), Some(number), None) => {
            let number: i32 = number.parse().map_err(|_| ())?;
            Ok(Some((name.to_owned(), i64::from(number))))
        }
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_table_has_the_published_groups() {
        let table = PassTable::default();
        let number = |name| table.number(name);
        assert_eq!(number("GRAPH_CLEANUP"), Some(0));
        assert_eq!(number("EARLY"), Some(2000));
        assert_eq!(number("MIDDLE"), Some(3000));
        assert_eq!(number("LATE"), Some(4000));
        assert_eq!(number("EARLYISH"), None);
    }

    #[test]
    fn reads_a_table_of_the_user() {
        let table = PassTable::parse("# mine\n\nFIRST 10 # ten\nLAST 20\n").unwrap();
        assert_eq!(table.number("LAST"), Some(20));
        assert_eq!(table.names().collect::<Vec<_>>(), ["FIRST", "LAST"]);
        let error = PassTable::parse("FIRST 10\nLAST ten").unwrap_err();
        assert_eq!(error.to_string(), "line 2 of the pass table: expected `NAME NUMBER`, found `LAST ten`");
        assert!(PassTable::parse("A 1 2").is_err());
    }
}
