//! What C++ names stand for in Rust, beyond what the translation knows itself: the classes that the read files declare,
//! and what a file of the user says.

use std::{collections::BTreeMap, fmt, path::Path};

use super::kind::Kind;
use crate::error::{Error, Place, Result};

/// How it is found out whether something is of a C++ class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassTest {
    /// A Rust function of it.
    Function(String),
    /// The name under which the type or attribute is registered: `dialect.name`.
    Registered(String),
    /// A predicate in C++ that means the same.
    Predicate(String),
    /// It is an interface of this C++ name, which Rust declares.
    Interface(String),
}

/// Classes, functions and methods of C++ with what they are in Rust.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// By the name with its namespaces, but for `mlir` and `llvm`.
    classes: BTreeMap<String, ClassTest>,
    functions: BTreeMap<String, (String, Kind)>,
    methods: BTreeMap<String, (String, Kind)>,
    /// Rust types, by the C++ name without its namespaces `mlir`, `llvm` and `std`.
    types: BTreeMap<String, String>,
    /// The Rust modules of interfaces that are declared elsewhere.
    interfaces: BTreeMap<String, String>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { classes, functions, methods, types, interfaces } = self;
        let counts = [classes.len(), functions.len(), methods.len(), types.len(), interfaces.len()];
        write!(f, "Table of {counts:?} classes, functions, methods, types and interfaces")
    }
}

impl Table {
    /// Adds a class, unless it is there already.
    pub fn add_class(&mut self, cpp: &str, test: ClassTest) {
        self.classes.entry(normalized(cpp)).or_insert(test);
    }

    /// How to test for a class: by its whole name, or by its last part where that is enough.
    pub fn class(&self, cpp: &str) -> Option<&ClassTest> {
        let name = normalized(cpp);
        let last = name.rsplit("::").next().unwrap_or_default();
        self.classes.get(&name).or_else(|| {
            let mut same = self.classes.iter().filter(|(known, _)| ends_in(known, last));
            let (known, test) = same.next()?;
            // One of the two is said within the namespace.
            let within = known.ends_with(&format!("::{name}")) || name.ends_with(&format!("::{known}"));
            (within && same.next().is_none()).then_some(test)
        })
    }

    /// The Rust path of a function and what it returns.
    pub fn function(&self, name: &str) -> Option<&(String, Kind)> {
        self.functions.get(name)
    }

    /// The Rust path of a method, which takes what it is called on first, and what it returns.
    pub fn method(&self, name: &str) -> Option<&(String, Kind)> {
        self.methods.get(name)
    }

    /// The Rust type that stands for a C++ type, which may name the lifetimes `'c` (context) and `'a` (operation).
    pub fn rust_type(&self, cpp: &str) -> Option<&str> {
        self.types.get(&normalized(cpp)).map(String::as_str)
    }

    /// The Rust module in which an interface is declared already.
    pub fn interface(&self, name: &str) -> Option<&str> {
        self.interfaces.get(name).map(String::as_str)
    }

    /// Reads a file of lines `class C++::Class = rust::path`, `function name = rust::path [-> kind]` and
    /// `method name = rust::path [-> kind]`, `type C++::Type = rust::Type`, `interface Name = rust::module`; kinds are `bool`, `integer`, `text`, `type`, `attribute`, `value`,
    /// `integers` and `types`. What follows `#` is a comment.
    pub fn read(&mut self, file: &Path) -> Result<()> {
        let shown = file.display().to_string();
        let text =
            std::fs::read_to_string(file).map_err(|error| Error::new(format!("cannot read '{shown}': {error}")))?;
        self.parse(&text, &shown)
    }

    /// The same of a text that is called `shown`.
    pub fn parse(&mut self, text: &str, shown: &str) -> Result<()> {
        let mut errors = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let said = line.split('#').next().unwrap_or_default().trim();
            if !said.is_empty() && self.line(said).is_none() {
                let column = line.len() - line.trim_start().len() + 1;
                let error = Place::at(shown, index + 1, column, line).error(format!("'{said}' is no rule"));
                errors.push(error.help(
                    "a rule is 'class NAME = PATH', 'function NAME = PATH [-> KIND]', 'method NAME = PATH [-> KIND]', \
                     'type NAME = TYPE' or 'interface NAME = MODULE'",
                ));
            }
        }
        Error::collect(errors)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (left, right) = line.split_once('=')?;
        let (what, name) = left.trim().split_once(char::is_whitespace)?;
        let (path, kind) = match right.split_once("->") {
            Some((path, kind)) => (path.trim(), kind_of(kind.trim())?),
            None => (right.trim(), Kind::Boolean),
        };
        let is_path = |path: &str| !path.is_empty() && path.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
        let name = name.trim();
        if what == "type" {
            syn::parse_str::<syn::Type>(right.trim()).ok()?;
            self.types.insert(normalized(name), right.trim().into());
            return Some(());
        }
        if !is_path(path) || !is_path(name) {
            return None;
        }
        match what {
            "class" if kind == Kind::Boolean => {
                self.classes.insert(normalized(name), ClassTest::Function(path.into()));
            }
            "function" => {
                let last = name.rsplit("::").next().unwrap_or(name);
                self.functions.insert(last.into(), (path.into(), kind));
            }
            "method" => {
                self.methods.insert(name.into(), (path.into(), kind));
            }
            "interface" if kind == Kind::Boolean => {
                self.interfaces.insert(name.into(), path.into());
            }
            _ => return None,
        }
        Some(())
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        "bool" => Kind::Boolean,
        "integer" => Kind::LONG,
        "text" => Kind::Text,
        "type" => Kind::Type,
        "attribute" => Kind::Attribute("Attribute"),
        "value" => Kind::Value,
        "integers" => Kind::List(Kind::LONG.into()),
        "types" => Kind::List(Kind::Type.into()),
        _ => return None,
    })
}

/// Whether the last part of a C++ name is `last`.
pub fn ends_in(name: &str, last: &str) -> bool {
    name.strip_suffix(last).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// A C++ name without `mlir` and `llvm`.
pub fn normalized(name: &str) -> String {
    let parts = name.trim().split("::").map(str::trim).filter(|part| !part.is_empty());
    parts.filter(|part| !matches!(*part, "mlir" | "llvm" | "std")).collect::<Vec<_>>().join("::")
}
