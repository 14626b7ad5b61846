//! Options of a graph.

use super::Scalar;
use crate::grammar::model::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// Options of a graph by name, and which were asked for and missing.
#[derive(Debug, Default)]
pub struct Options {
    values: BTreeMap<String, Scalar>,
    missing: Mutex<BTreeSet<String>>,
}

impl Options {
    /// Reads `name=value` pairs: `true`, `false`, whole and other numbers; a string reads as 0 if empty, 1 if not.
    pub fn parse<S: AsRef<str>>(pairs: &[S]) -> Result<Self, String> {
        let mut options = Options::default();
        for pair in pairs {
            let pair = pair.as_ref();
            let named = pair.split_once('=').filter(|(name, _)| !name.is_empty());
            let (name, text) = named.ok_or_else(|| format!("expected `name=value`, found `{pair}`"))?;
            let value = match text {
                "true" => Scalar::Bool(true),
                "false" => Scalar::Bool(false),
                _ => match (text.parse(), text.parse()) {
                    (Ok(value), _) => Scalar::Int(value),
                    (_, Ok(value)) => Scalar::Float(value),
                    _ => Scalar::Int(i32::from(!text.is_empty())),
                },
            };
            if options.values.insert(name.to_owned(), value).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
        }
        Ok(options)
    }

    /// Gives an option a value, unless it has one.
    pub fn suggest(&mut self, name: &str, value: Scalar) {
        self.values.entry(name.to_owned()).or_insert(value);
    }

    /// The names of those that have values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether an option has a value.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether a rule with these flags is to be applied: unless an option of such a name is false.
    pub fn allow(&self, flags: &[String]) -> bool {
        let is_false = |flag: &String| {
            self.values.get(flag).and_then(|value| value.convert(Type::Bool)) == Some(Scalar::Bool(false))
        };
        !flags.iter().any(is_false)
    }

    /// The names that were asked for and have no value: they read as 0.
    pub fn missing(&self) -> Vec<String> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The value of an option; 0 if it is missing.
    pub fn value(&self, name: &str) -> Scalar {
        self.values.get(name).copied().unwrap_or_else(|| {
            self.missing.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
            Scalar::Int(0)
        })
    }
}
