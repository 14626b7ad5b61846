//! From patterns to PDL.

use std::collections::HashMap;

use super::{
    PdlModule,
    model::{Library, Pattern, Reference},
    natives::{NativeKind, Natives, ParameterKind},
};
use crate::error::{Error, Result};
use crate::writer::Writer;

/// The patterns as one module. Patterns of equal benefit keep their order: PDL would ignore it, so benefits decrease
/// strictly.
pub fn module(library: &Library, mut patterns: Vec<Pattern>) -> Result<PdlModule> {
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit));
    if patterns.len() > 32767 {
        return Err(Error::new("more than 32767 patterns"));
    }
    let mut natives = Natives::default();
    let mut writer = Writer::default();
    let mut names = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let lines = Emitter::new(library, &mut natives)
            .pattern(pattern)
            .map_err(|message| pattern.place.error(format!("pattern '{}': {message}", pattern.name)))?;
        let benefit = patterns.len() - index;
        writer.block(format_args!("pdl.pattern @{} : benefit({benefit}) {{", pattern.name), "}", |writer| {
            lines.iter().for_each(|line| writer.line(line));
        });
        names.push(pattern.name.clone());
    }
    Ok(PdlModule { text: writer.finish(), natives: natives.finish(), patterns: names })
}

pub(super) type Emitted<T> = std::result::Result<T, String>;

/// What a name of the pattern stands for.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// A value and its type.
    Value { name: String, r#type: String },
    /// Any number of values.
    Values { name: String },
    /// An operation, matched or made, with the types of its results.
    Operation { name: String, operation: usize, types: Vec<Option<String>> },
    /// An attribute.
    Attribute { name: String },
    /// An attribute that may be missing, of a matched operation.
    OptionalAttribute { operation: String, attribute: String },
    /// What a native function returned.
    Native { names: Vec<String> },
}

pub(super) struct Emitter<'a> {
    pub library: &'a Library,
    pub natives: &'a mut Natives,
    pub lines: Vec<String>,
    pub bindings: HashMap<String, Binding>,
    used: HashMap<String, usize>,
}

impl<'a> Emitter<'a> {
    fn new(library: &'a Library, natives: &'a mut Natives) -> Self {
        Self { library, natives, lines: Vec::new(), bindings: HashMap::new(), used: HashMap::new() }
    }

    fn pattern(mut self, pattern: &Pattern) -> Emitted<Vec<String>> {
        let root = self.source(&pattern.source)?;
        for constraint in &pattern.constraints {
            self.extra_constraint(constraint)?;
        }
        let matched = std::mem::take(&mut self.lines);
        self.results(pattern, &root)?;
        let mut lines = matched;
        lines.push(format!("pdl.rewrite {} {{", root.name));
        lines.extend(self.lines.iter().map(|line| format!("    {line}")));
        lines.push("}".into());
        Ok(lines)
    }

    pub fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A name for a value of PDL.
    pub fn fresh(&mut self, wish: &str) -> String {
        let wish: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let wish =
            if wish.is_empty() || wish.starts_with(|c: char| c.is_ascii_digit()) { format!("v{wish}") } else { wish };
        let count = self.used.entry(wish.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => format!("%{wish}"),
            count => {
                // Another wish may have asked for the numbered name already.
                let numbered = format!("{wish}_{count}");
                if self.used.contains_key(&numbered) { self.fresh(&numbered) } else { self.claim(numbered) }
            }
        }
    }

    fn claim(&mut self, name: String) -> String {
        self.used.insert(name.clone(), 1);
        format!("%{name}")
    }

    pub fn bind(&mut self, symbol: &str, binding: Binding) -> Emitted<()> {
        match self.bindings.insert(symbol.to_string(), binding) {
            None => Ok(()),
            Some(_) => Err(format!("'${symbol}' is bound twice")),
        }
    }

    pub fn lookup(&self, reference: &Reference) -> Emitted<Binding> {
        self.bindings.get(&reference.name).cloned().ok_or_else(|| format!("'${}' is not bound", reference.name))
    }

    /// A new `pdl.result`: PDL compares nothing if one is used twice.
    pub fn result(&mut self, operation: &str, index: usize) -> String {
        let name = self.fresh("result");
        self.line(format!("{name} = pdl.result {index} of {operation}"));
        name
    }

    /// The only result of an operation, or the one that the reference says.
    pub fn result_index(&self, operation: usize, reference: &Reference) -> Emitted<usize> {
        let declared = self.library.get(operation);
        match (reference.index, declared.results.len()) {
            (Some(index), count) if index < count => Ok(index),
            (Some(index), _) => Err(format!("'{}' has no result {index}", declared.name())),
            (None, 1) => Ok(0),
            (None, count) => {
                Err(format!("'{}' has {count} results: say which by '${}__N'", declared.name(), reference.name))
            }
        }
    }

    fn extra_constraint(&mut self, extra: &super::ExtraConstraint) -> Emitted<()> {
        let mut arguments = Vec::new();
        let mut kinds = Vec::new();
        for reference in &extra.arguments {
            if let (Binding::OptionalAttribute { operation, attribute }, "IsNullAttr") =
                (self.lookup(reference)?, extra.constraint.definition.as_str())
            {
                return self.absent(&operation, &attribute);
            }
            let (name, kind) = self.constrained(reference)?;
            arguments.push((name, kind));
            kinds.push(kind);
        }
        if arguments.is_empty() {
            return Err(format!("the constraint '{}' is about nothing", extra.constraint.summary));
        }
        self.constrain(&extra.constraint, arguments, extra.is_type)
    }

    fn constrained(&mut self, reference: &Reference) -> Emitted<(String, ParameterKind)> {
        Ok(match self.lookup(reference)? {
            Binding::Value { name, .. } => (name, ParameterKind::Value),
            Binding::Values { name } => (name, ParameterKind::Values),
            Binding::Attribute { name } => (name, ParameterKind::Attribute),
            Binding::Operation { name, operation, .. } => {
                let index = self.result_index(operation, reference)?;
                (self.result(&name, index), ParameterKind::Value)
            }
            Binding::OptionalAttribute { .. } | Binding::Native { .. } => {
                return Err(format!("'${}' cannot be constrained: it may be absent", reference.name));
            }
        })
    }

    /// A native constraint that does what the predicate says.
    pub fn constrain(
        &mut self,
        constraint: &crate::ods::Constraint,
        arguments: Vec<(String, ParameterKind)>,
        is_type: bool,
    ) -> Emitted<()> {
        let kinds: Vec<ParameterKind> = arguments.iter().map(|(_, kind)| *kind).collect();
        let kind = NativeKind::predicate(constraint, kinds, is_type)
            .map_err(|message| format!("cannot say in Rust: {}: {message}", constraint.predicate.text()))?;
        let function = self.natives.add(&constraint.definition, kind);
        let names: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<&str> = arguments
            .iter()
            .map(|(_, kind)| match kind {
                ParameterKind::Value => "!pdl.value",
                ParameterKind::Values => "!pdl.range<value>",
                ParameterKind::Attribute => "!pdl.attribute",
            })
            .collect();
        self.line(format!("pdl.apply_native_constraint {function:?}({} : {})", names.join(", "), types.join(", ")));
        Ok(())
    }

    pub fn absent(&mut self, operation: &str, attribute: &str) -> Emitted<()> {
        let kind = NativeKind::AttributeAbsent(attribute.to_string());
        let function = self.natives.add(&format!("absent:{attribute}"), kind);
        self.line(format!("pdl.apply_native_constraint {function:?}({operation} : !pdl.operation)"));
        Ok(())
    }
}
