//! From patterns to PDL.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::{
    PdlModule, Rule, again,
    library::Library,
    model::{Pattern, Reference},
    natives::Natives,
    overlap,
    parts::{Part, Side, is_told_apart},
    pdl::{ATTRIBUTE, Binding, OPERATION, Passed, TYPE, VALUE, VALUES},
    uses::Uses,
};
use crate::{
    error::{Diagnostic, Error, Place, Result},
    ods::{Arity, Operation},
    writer::Writer,
};

/// The patterns as one module, those of greater benefit first and those of equal benefit in the order of the file.
pub fn module(library: &Library<'_>, mut patterns: Vec<Pattern>, mut errors: Vec<Error>) -> Result<PdlModule> {
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit));
    let mut natives = Natives::default();
    let uses = Uses::of(&patterns, library);
    let mut writer = Writer::default();
    let (mut rules, mut warnings) = (Vec::new(), Vec::new());
    for pattern in &patterns {
        match Emitter::new(library, &mut natives, &uses, pattern).pattern() {
            Ok((lines, told)) => {
                warnings.extend(told);
                let place = pattern.place.position();
                let close = place.map_or("}".to_string(), |(file, line, column)| {
                    format!("}} loc({:?}:{line}:{column})", short(file))
                });
                let open = format!("pdl.pattern @{} : benefit({}) {{", symbol_name(&pattern.name), pattern.benefit);
                writer.block(open, &close, |writer| lines.iter().for_each(|line| writer.line(line)));
                rules.push(Rule {
                    name: pattern.name.clone(),
                    benefit: pattern.benefit,
                    line: place.map(|(_, line, _)| line),
                });
            }
            Err(error) => errors.push(error),
        }
    }
    Error::collect(errors)?;
    let told = overlap::told(&patterns);
    warnings.extend(told.warnings);
    let operation = |index| library.get(index).operation.clone();
    warnings.extend(again::warnings(&patterns, |index| !told.never.contains(&index), &operation));
    // The orders of 'either' are wrong, or odd, in the same way.
    let mut told = Vec::new();
    warnings.retain(|warning| {
        let is_new = !told.contains(warning);
        if is_new {
            told.push(warning.clone());
        }
        is_new
    });
    Ok(PdlModule { text: writer.finish(), natives: natives.finish(), rules, warnings })
}

/// The name of a file without its folder, so that what is generated does not depend on where it is generated.
fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The name as MLIR writes it behind `@`.
fn symbol_name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !name.starts_with(|c: char| c.is_ascii_digit()) { name.to_string() } else { format!("{name:?}") }
}

/// A matched operation.
pub(super) struct MatchedOperation {
    pub name: String,
    pub operation: usize,
    /// The types of its declared results.
    pub types: Vec<Passed>,
}

pub(super) struct Emitter<'e, 'a> {
    pub library: &'e Library<'a>,
    pub natives: &'e mut Natives,
    /// What native calls return, by all patterns.
    pub uses: &'e Uses,
    pub pattern: &'e Pattern,
    pub lines: Vec<String>,
    /// The operations matched, whose fused place `$_loc` stands for.
    pub matched: Vec<String>,
    /// The types of values, where PDL has a name for them.
    pub types: HashMap<String, String>,
    /// The types of the results of operations, where PDL has names for them.
    pub result_types: HashMap<String, Vec<Passed>>,
    /// The results that are matched, by operation and index.
    pub results: HashMap<(String, usize), String>,
    /// The results that stand for the operations that make them, as PDL does not know these.
    pub inner: HashSet<String>,
    /// The ranges of one value at most.
    pub optional: HashSet<String>,
    /// Whether what is emitted makes something, in place of matching it.
    pub rewriting: bool,
    /// The results of the root that something made so far takes: which one if it says so, and where.
    pub root_uses: Vec<(Option<usize>, Place)>,
    /// Whether it is not known which results of the root are replaced, and so of which types they are.
    pub is_open: bool,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
    pub bindings: IndexMap<String, Binding>,
    used: HashMap<String, usize>,
    /// The constants of this section, by their texts.
    texts: HashMap<String, String>,
}

impl<'e, 'a> Emitter<'e, 'a> {
    fn new(library: &'e Library<'a>, natives: &'e mut Natives, uses: &'e Uses, pattern: &'e Pattern) -> Self {
        Self {
            library,
            natives,
            uses,
            pattern,
            lines: Vec::new(),
            matched: Vec::new(),
            types: HashMap::new(),
            result_types: HashMap::new(),
            results: HashMap::new(),
            inner: HashSet::new(),
            optional: HashSet::new(),
            rewriting: false,
            root_uses: Vec::new(),
            is_open: false,
            warnings: Vec::new(),
            bindings: IndexMap::new(),
            used: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    fn pattern(mut self) -> Result<(Vec<String>, Vec<Diagnostic>)> {
        let pattern = self.pattern;
        let root = self.source(&pattern.source)?;
        let mut errors = Vec::new();
        for constraint in &pattern.constraints {
            errors.extend(self.extra_constraint(constraint).err());
        }
        let matched = std::mem::take(&mut self.lines);
        self.rewriting = true;
        self.texts.clear();
        errors.extend(self.results(&root).err());
        Error::collect(errors)?;
        Ok((self.whole(matched, &root), self.warnings))
    }

    /// Both sections, without the types of operands that nothing asks for.
    fn whole(&self, matched: Vec<String>, root: &MatchedOperation) -> Vec<String> {
        let mut lines = matched;
        lines.push(format!("pdl.rewrite {} {{", root.name));
        lines.extend(self.lines.iter().map(|line| format!("    {line}")));
        lines.push("}".into());
        let text = lines.join("\n");
        let declared = |line: &String| line.strip_suffix(" = pdl.type").map(str::to_string);
        let unused: Vec<String> = lines.iter().filter_map(declared).filter(|name| mentions(&text, name) == 2).collect();
        let behind = |line: &String| {
            let (head, tail) = line.rsplit_once(" : ")?;
            (line.contains(" = pdl.operand : ") && unused.iter().any(|name| name == tail)).then(|| head.to_string())
        };
        let dropped: Vec<&str> =
            lines.iter().filter_map(|line| line.split_once(" = pdl.operand : ").map(|(_, name)| name)).collect();
        let kept = |line: &&String| {
            declared(line).is_none_or(|name| !unused.contains(&name) || !dropped.contains(&name.as_str()))
        };
        lines.iter().filter(kept).map(|line| behind(line).unwrap_or_else(|| line.clone())).collect()
    }

    /// An error of this pattern at a place.
    pub fn error<T>(&self, place: &Place, message: impl std::fmt::Display) -> Result<T> {
        Err(place.error(format!("pattern '{}': {message}", self.pattern.definition)))
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

    /// A result of an operation. What is matched has each once: of several, PDL asks for one before it knows that the
    /// operation is there.
    pub fn result(&mut self, operation: &str, index: usize) -> String {
        let of = (operation.to_string(), index);
        if let Some(known) = self.results.get(&of).filter(|_| !self.rewriting) {
            return known.clone();
        }
        let name = self.fresh(&format!("{}_result", operation.trim_start_matches('%')));
        self.line(format!("{name} = pdl.result {index} of {operation}"));
        if let Some((r#type, TYPE)) = self.result_types.get(operation).and_then(|types| types.get(index)) {
            self.types.insert(name.clone(), r#type.clone());
        }
        self.results.insert(of, name.clone());
        name
    }

    /// A value or the values of a declared result.
    pub fn group_of(&mut self, operation: &str, declared: &Operation, index: usize) -> Passed {
        if !is_told_apart(declared, Side::Results) && self.rewriting {
            return self.taken(operation, &Part::of(declared, Side::Results, index));
        }
        if declared.results[index].arity == Arity::One {
            return (self.result(operation, index), VALUE);
        }
        let of = (operation.to_string(), index);
        if let Some(known) = self.results.get(&of).filter(|_| !self.rewriting) {
            return (known.clone(), VALUES);
        }
        let name = self.fresh(&format!("{}_results", operation.trim_start_matches('%')));
        self.line(format!("{name} = pdl.results {index} of {operation} -> {VALUES}"));
        self.results.insert(of, name.clone());
        (name, VALUES)
    }

    /// The values that a reference to an operation stands for: one declared result, or all.
    pub fn results_of(&mut self, name: &str, operation: usize, reference: &Reference) -> Result<Vec<Passed>> {
        let declared = self.library.get(operation);
        let count = declared.operation.results.len();
        match reference.index {
            Some(index) if index < count => Ok(vec![self.group_of(name, &declared.operation, index)]),
            Some(index) => {
                self.error(&reference.place, format!("'{}' has no result {index}", declared.operation.name()))
            }
            None => Ok((0..count).map(|index| self.group_of(name, &declared.operation, index)).collect()),
        }
    }

    /// What PDL has for a matched operation: itself, or a result of what only a native constraint found.
    pub fn matched_as(&self, operation: &str) -> Passed {
        let kind = if self.inner.contains(operation) { VALUE } else { OPERATION };
        (operation.to_string(), kind)
    }

    /// A string as an attribute, once in each section.
    pub fn text(&mut self, text: &str) -> String {
        if let Some(name) = self.texts.get(text) {
            return name.clone();
        }
        let name = self.fresh(&format!("{text}_name"));
        self.line(format!("{name} = pdl.attribute = {text:?}"));
        self.texts.insert(text.to_string(), name.clone());
        name
    }

    /// A constant attribute in MLIR's syntax, once in each section.
    pub fn constant(&mut self, text: &str) -> String {
        self.constant_called("constant", text)
    }

    /// A constant with a name that tells what it is for.
    pub fn constant_called(&mut self, wish: &str, text: &str) -> String {
        let key = format!("{wish} = {text}");
        if let Some(name) = self.texts.get(&key) {
            return name.clone();
        }
        let name = self.fresh(wish);
        self.line(format!("{name} = pdl.attribute = {text}"));
        self.texts.insert(key, name.clone());
        name
    }

    /// Calls a native function.
    pub fn apply(&mut self, function: &str, given: &[Passed], returned: &[Passed]) {
        let names = |items: &[Passed]| items.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let kinds = |items: &[Passed]| items.iter().map(|(_, kind)| *kind).collect::<Vec<_>>().join(", ");
        let given = match given {
            [] if self.rewriting => String::new(),
            given => format!("({} : {})", names(given), kinds(given)),
        };
        let (left, right) = match returned {
            [] => (String::new(), String::new()),
            returned => (format!("{} = ", names(returned)), format!(" : {}", kinds(returned))),
        };
        let operation = if self.rewriting { "pdl.apply_native_rewrite" } else { "pdl.apply_native_constraint" };
        let line = format!("{left}{operation} {function:?}{given}{right}");
        // What is asked twice would be asked early.
        if self.rewriting || !self.lines.contains(&line) {
            self.line(line);
        }
    }

    /// Calls a function of the library; the name of what it returns, if anything.
    pub fn library(&mut self, function: &str, given: &[Passed], returned: Option<(&str, &'static str)>) -> String {
        self.natives.library(function, !self.rewriting);
        let returned: Vec<Passed> = returned.into_iter().map(|(wish, kind)| (self.fresh(wish), kind)).collect();
        self.apply(function, given, &returned);
        returned.into_iter().next().map(|(name, _)| name).unwrap_or_default()
    }

    /// An attribute that has a default value where it is absent.
    pub fn or_default(&mut self, operation: &str, attribute: &str, default: &str) -> String {
        let (name, constant) = (self.text(attribute), self.constant(default));
        let given = [self.matched_as(operation), (name, ATTRIBUTE), (constant, ATTRIBUTE)];
        self.library("drr.default", &given, Some((attribute, ATTRIBUTE)))
    }
}

/// How often a name of PDL stands in a text.
fn mentions(text: &str, name: &str) -> usize {
    let ends = |at: usize| !text[at + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    text.match_indices(name).filter(|(at, _)| ends(*at)).count()
}
