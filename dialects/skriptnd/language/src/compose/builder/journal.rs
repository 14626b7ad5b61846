//! Lists and maps that can be taken back to where they stood.

use indexmap::IndexMap;
use std::borrow::Borrow;
use std::hash::Hash;

/// A state of a list or a map that was added to since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    entries: usize,
    replaced: usize,
}

/// What can be taken back to where it was.
pub(super) trait Reversible {
    fn place(&self) -> Place;

    fn go_back(&mut self, place: Place);
}

impl<T> Reversible for Vec<T> {
    fn place(&self) -> Place {
        Place { entries: self.len(), replaced: 0 }
    }

    fn go_back(&mut self, place: Place) {
        self.truncate(place.entries);
    }
}

/// A map in the order of insertion that remembers which values were replaced.
#[derive(Debug)]
pub(super) struct Journal<K, V> {
    entries: IndexMap<K, V>,
    /// The earlier values with their positions, the oldest first.
    replaced: Vec<(usize, V)>,
}

impl<K, V> Default for Journal<K, V> {
    fn default() -> Self {
        Journal { entries: IndexMap::new(), replaced: Vec::new() }
    }
}

impl<K: Hash + Eq, V> Journal<K, V> {
    pub(super) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key)
    }

    pub(super) fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.entries.contains_key(key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter()
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        if let (at, Some(before)) = self.entries.insert_full(key, value) {
            self.replaced.push((at, before));
        }
    }
}

impl<K: Hash + Eq, V> Reversible for Journal<K, V> {
    fn place(&self) -> Place {
        Place { entries: self.entries.len(), replaced: self.replaced.len() }
    }

    fn go_back(&mut self, place: Place) {
        while self.replaced.len() > place.replaced {
            if let Some((at, before)) = self.replaced.pop()
                && let Some((_, value)) = self.entries.get_index_mut(at)
            {
                *value = before;
            }
        }
        self.entries.truncate(place.entries);
    }
}

#[cfg(test)]
mod tests {
    use super::{Journal, Reversible};

    #[test]
    fn replaced_values_come_back() {
        let mut journal = Journal::default();
        journal.insert("a", 1);
        let place = journal.place();
        journal.insert("a", 2);
        journal.insert("b", 3);
        journal.insert("a", 4);
        journal.go_back(place);
        assert_eq!(journal.iter().collect::<Vec<_>>(), [(&"a", &1)]);
    }
}
