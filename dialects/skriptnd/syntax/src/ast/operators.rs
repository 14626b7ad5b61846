//! The definitions of a module: found by name, and made from the text only when somebody asks for them.

use super::Operator;
use std::collections::HashMap;
use std::fmt;
use std::ops::Index;
use std::sync::{Arc, LazyLock};

/// Reads a definition's text.
type Read = Box<dyn FnOnce() -> Operator + Send>;

/// One definition.
#[derive(Clone)]
struct Entry {
    name: Arc<str>,
    operator: Arc<LazyLock<Operator, Read>>,
}

/// Operators and graphs in the order of the text.
#[derive(Clone, Default)]
pub struct Operators {
    entries: Vec<Entry>,
    /// Position of the first definition with a name.
    by_name: HashMap<Arc<str>, usize>,
}

impl Operators {
    /// Adds a definition that is read when it is first asked for.
    pub(crate) fn defer(&mut self, name: Arc<str>, read: impl FnOnce() -> Operator + Send + 'static) {
        self.by_name.entry(name.clone()).or_insert(self.entries.len());
        self.entries.push(Entry { name, operator: Arc::new(LazyLock::new(Box::new(read))) });
    }

    /// The first definition with this name.
    pub fn get(&self, name: &str) -> Option<&Operator> {
        self.by_name.get(name).map(|at| &self[*at])
    }

    /// Whether there is a definition with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// All names, also of definitions that nobody has asked for yet.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.entries.iter().map(|entry| &*entry.name)
    }

    /// All definitions.
    pub fn iter(&self) -> impl Iterator<Item = &Operator> + Clone {
        self.entries.iter().map(|entry| &**entry.operator)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many have been read.
    #[cfg(test)]
    pub(crate) fn read_count(&self) -> usize {
        self.entries.iter().filter(|entry| LazyLock::get(&entry.operator).is_some()).count()
    }
}

impl FromIterator<Operator> for Operators {
    fn from_iter<I: IntoIterator<Item = Operator>>(list: I) -> Self {
        let mut operators = Operators::default();
        for operator in list {
            operators.defer(operator.name.text.clone(), || operator);
        }
        operators
    }
}

impl Index<usize> for Operators {
    type Output = Operator;

    fn index(&self, at: usize) -> &Operator {
        &self.entries[at].operator
    }
}

impl<'a> IntoIterator for &'a Operators {
    type Item = &'a Operator;
    type IntoIter = Box<dyn Iterator<Item = &'a Operator> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl fmt::Debug for Operators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
