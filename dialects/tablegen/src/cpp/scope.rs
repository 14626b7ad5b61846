//! What the names in a predicate stand for.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use super::{
    computed,
    kind::{Kind, Typed, snake_case},
    limits,
    table::Table,
};

/// What the placeholders and names of a predicate stand for: Rust text and kind.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    names: BTreeMap<String, (String, Kind)>,
    table: Option<Arc<Table>>,
}

impl Scope {
    /// A scope in which `$_self` is the Rust expression `code`.
    pub fn of_self(code: &str, kind: Kind) -> Self {
        let mut scope = Self::default();
        scope.bind("$_self", code, kind);
        scope
    }

    /// Whether `name` stands for anything.
    pub fn binds(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Lets `name` stand for the Rust expression `code`.
    pub fn bind(&mut self, name: &str, code: &str, kind: Kind) {
        self.names.insert(name.to_string(), (code.to_string(), kind));
    }

    /// The same where the parameter of a lambda stands for itself.
    pub fn with(&self, parameter: &str, kind: Kind) -> Self {
        let mut inner = self.clone();
        inner.bind(parameter, &snake_case(parameter), kind);
        inner
    }

    /// The same where a table says what other names are.
    pub fn beside(&self, table: &Table) -> Self {
        Self { table: Some(table.clone().into()), ..self.clone() }
    }

    /// What says what other names are.
    pub fn table(&self) -> Option<&Table> {
        self.table.as_deref()
    }

    /// What a name stands for.
    pub fn named(&self, name: &str) -> Result<Typed, String> {
        match (name, self.names.get(name)) {
            ("true" | "false", _) => Ok((name.to_string(), Kind::Boolean)),
            // `ShapedType::kDynamic`.
            ("kDynamic", None) => Ok(("i64::MIN".into(), Kind::LONG)),
            ("HUGE_VAL", None) => Ok(("f64::INFINITY".into(), Kind::Real)),
            ("INFINITY", None) => Ok(("f64::INFINITY".into(), Kind::Float)),
            ("NAN", None) => Ok(("f64::NAN".into(), Kind::Float)),
            (_, Some((code, kind))) => Ok((code.clone(), kind.clone())),
            _ => limits::limit(name).map(computed::constant).ok_or_else(|| format!("unknown name '{name}'")),
        }
    }

    /// Rust code with all names replaced by what they stand for.
    pub fn replaced(&self, code: &str) -> String {
        // Longer names first: `$input_shape` is not `$input` with a tail.
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_by_key(|(name, _)| Reverse(name.len()));
        names.into_iter().fold(code.to_string(), |code, (name, (with, _))| match name.starts_with('$') {
            true => code.replace(name.as_str(), with),
            false => replace_word(&code, name, with),
        })
    }
}

fn replace_word(code: &str, word: &str, with: &str) -> String {
    let boundary = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut result = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(word) {
        let whole = boundary(rest[..at].chars().next_back()) && boundary(rest[at + word.len()..].chars().next());
        result.push_str(&rest[..at]);
        result.push_str(if whole { with } else { word });
        rest = &rest[at + word.len()..];
    }
    result + rest
}
