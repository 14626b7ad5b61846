//! What may be typed at a place.

use super::context::{Bracket, Context, KEYWORDS};
use crate::snapshot::Snapshot;
use skriptnd_language::library::Library;
use skriptnd_language::sema::SymbolKind;
use skriptnd_source::FileId;
use skriptnd_syntax::ast::{Builtin, Module, Operator, OperatorKind, Param};
use std::collections::HashSet;

/// What is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CompletionKind {
    Module,
    Operator,
    Attribute,
    Tensor,
    Symbol,
    Type,
    Function,
    Keyword,
    Block,
    Member,
}

/// Something that may be typed at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is shown and, unless `insert` says otherwise, inserted in place of the word that is being typed.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// The type of what is proposed, or what else is worth a few words.
    pub detail: String,
    /// What the comment above its declaration says.
    pub documentation: String,
    /// A snippet with `$0` where typing goes on; empty if it is the label.
    pub insert: String,
}

impl Completion {
    fn new(label: impl Into<String>, kind: CompletionKind) -> Self {
        Completion {
            label: label.into(),
            kind,
            detail: String::new(),
            documentation: String::new(),
            insert: String::new(),
        }
    }

    fn detail(self, detail: impl Into<String>) -> Self {
        Completion { detail: detail.into(), ..self }
    }

    fn documentation(self, documentation: impl Into<String>) -> Self {
        Completion { documentation: documentation.into(), ..self }
    }

    fn insert(self, insert: impl Into<String>) -> Self {
        Completion { insert: insert.into(), ..self }
    }
}

/// The blocks of a definition, in their natural order, and what is in them.
const BLOCKS: [(&str, &str); 12] = [
    ("dtype", "generic types"),
    ("attrib", "attributes, known when composing"),
    ("input", "tensors that are given"),
    ("output", "tensors that are computed"),
    ("using", "helper symbols"),
    ("constant", "constant tensors"),
    ("variable", "tensors that are stored beside the model"),
    ("assert", "what makes an invocation valid"),
    ("lower", "the formula"),
    ("compose", "invocations of other operators"),
    ("update", "new values of variables"),
    ("quantize", "how tensors are quantized"),
];

const TYPES: [&str; 7] = ["int", "real", "bool", "str", "type", "arith", "num"];

impl Snapshot {
    /// What may be typed at this byte, and where the word begins that it replaces. `modules`: paths of modules that the
    /// model's folder has.
    pub fn completions(&self, file: FileId, offset: u32, modules: &[String]) -> (u32, Vec<Completion>) {
        let context = Context::at(self.text(file), offset as usize);
        let word = context.word as u32;
        let Some((_, module)) = self.module(file).filter(|_| !context.silent) else { return (word, Vec::new()) };
        let operator =
            module.operators.iter().find(|operator| operator.span.start <= offset && offset <= operator.span.end);
        let place = Place { snapshot: self, file, offset, module, operator, context };
        (word, place.completions(modules))
    }
}

/// The place where somebody types.
struct Place<'a> {
    snapshot: &'a Snapshot,
    file: FileId,
    offset: u32,
    module: &'a Module,
    operator: Option<&'a Operator>,
    context: Context<'a>,
}

impl Place<'_> {
    fn completions(&self, modules: &[String]) -> Vec<Completion> {
        let before = self.context.before();
        if before.ends_with('@') {
            return self.blocks("");
        }
        if let Some(path) = before.strip_suffix('.').filter(|rest| !rest.ends_with('.')) {
            return self.members(self.context.callee(path.len() + self.context.word - before.len()), before);
        }
        if !self.context.in_definition {
            return match before.split_whitespace().next() {
                Some("import") => imports(modules),
                Some("operator" | "graph") => Vec::new(),
                _ => keywords(&["import", "operator", "graph", "public"]),
            };
        }
        match self.context.block {
            None => self.blocks("@"),
            Some(block) => self.in_block(block, before),
        }
    }

    fn in_block(&self, block: &str, before: &str) -> Vec<Completion> {
        if let Some(bracket) = self.context.brackets.last().filter(|bracket| bracket.kind == b'{')
            && !self.context.item(bracket).contains('=')
        {
            return self.attributes(bracket);
        }
        let declares = matches!(block, "attrib" | "input" | "output" | "constant" | "variable");
        let in_brackets = !self.context.brackets.is_empty();
        if block == "dtype" || (declares && !in_brackets && !before.contains('=')) {
            return if before.contains([':', '=']) { self.types() } else { Vec::new() };
        }
        if matches!(block, "compose" | "update") && before.is_empty() {
            let mut list = self.results(block);
            list.extend(keywords(&["yield"]));
            return list;
        }
        if block == "quantize" && before.ends_with(':') {
            return self.operators_and_modules();
        }
        self.values(block, in_brackets)
    }

    /// What an expression or the right side of a statement may begin with.
    fn values(&self, block: &str, in_brackets: bool) -> Vec<Completion> {
        let mut list = self.names();
        for name in Builtin::names() {
            let function = Completion::new(format!("`{name}`"), CompletionKind::Function);
            list.push(function.detail("built-in function").insert(format!("`{name}`($0)")));
        }
        list.extend(keywords(&["true", "false", "inf", "pi"]));
        if matches!(block, "compose" | "update") && !in_brackets {
            list.extend(keywords(&["if", "then", "elif", "else", "with", "for", "while", "do", "unroll"]));
            list.extend(self.operators_and_modules());
        }
        if block == "lower" {
            list.extend(keywords(&["unroll"]));
        }
        list
    }

    /// Names that are visible here.
    fn names(&self) -> Vec<Completion> {
        let Some(names) = self.snapshot.names(self.file) else { return Vec::new() };
        let mut seen = HashSet::new();
        let mut list = Vec::new();
        for own in names.introduced.iter().rev() {
            let visible = own.scope.start <= self.offset && self.offset <= own.scope.end;
            if !visible || own.kind == SymbolKind::Label || !seen.insert(own.name.clone()) {
                continue;
            }
            let kind = match own.kind {
                SymbolKind::Dtype => CompletionKind::Type,
                kind if kind.is_tensor() => CompletionKind::Tensor,
                _ => CompletionKind::Symbol,
            };
            let detail = format!("{}: {}", own.kind.words(), self.snapshot.excerpt(own.declaration));
            list.push(Completion::new(&*own.name, kind).detail(shortened(detail)));
        }
        list
    }

    /// Outputs or variables that a statement may assign.
    fn results(&self, block: &str) -> Vec<Completion> {
        let Some(operator) = self.operator else { return Vec::new() };
        let params = if block == "compose" { &operator.outputs } else { &operator.variables };
        let describe = |param: &Param| {
            Completion::new(&*param.name.text, CompletionKind::Tensor).detail(self.snapshot.parameter_detail(param))
        };
        params.iter().map(describe).collect()
    }

    fn operators_and_modules(&self) -> Vec<Completion> {
        let mut list: Vec<Completion> = self.module.operators.iter().map(|o| self.operator(o)).collect();
        for import in &self.module.imports {
            list.push(Completion::new(import.to_string(), CompletionKind::Module).detail("module"));
        }
        list
    }

    fn operator(&self, operator: &Operator) -> Completion {
        let names =
            |params: &[Param]| params.iter().map(|param| param.name.text.to_string()).collect::<Vec<_>>().join(", ");
        let detail = format!("({}) -> {}", names(&operator.inputs), names(&operator.outputs));
        let required = operator.attributes.iter().filter(|param| param.value.is_none() && !param.spec.optional);
        let required: Vec<String> =
            required.enumerate().map(|(at, param)| format!("{}=${}", param.name.text, at + 1)).collect();
        let attributes = if required.is_empty() { String::new() } else { format!("{{{}}}", required.join(", ")) };
        let kind = match operator.kind {
            OperatorKind::Operator | OperatorKind::Graph => CompletionKind::Operator,
        };
        Completion::new(&*operator.name.text, kind)
            .detail(detail)
            .documentation(&operator.documentation)
            .insert(format!("{}{attributes}($0)", operator.name.text))
    }

    /// Behind `base.`: the operators of a module, modules within it, or the properties of a tensor.
    fn members(&self, base: &str, before: &str) -> Vec<Completion> {
        let mut list = Vec::new();
        let prefix = format!("{base}.");
        for import in &self.module.imports {
            let path = import.to_string();
            if let Some(rest) = path.strip_prefix(&prefix) {
                let next = rest.split('.').next().unwrap_or(rest);
                list.push(Completion::new(next, CompletionKind::Module).detail("module"));
            }
        }
        if before.starts_with("import ") {
            return list;
        }
        let imported = self.module.imports.iter().any(|import| self.snapshot.excerpt(import.span) == base);
        if let Some(module) = self.snapshot.definitions.modules.get(base).filter(|_| imported) {
            let open = module.operators.iter().filter(|operator| !operator.name.text.starts_with('_'));
            list.extend(open.map(|operator| self.operator(operator)));
        }
        if list.is_empty() {
            let members = [("shape", "extents"), ("rank", "number of dimensions"), ("size", "length of a tensor pack")];
            list.extend(members.map(|(name, what)| Completion::new(name, CompletionKind::Member).detail(what)));
        }
        list
    }

    /// Attributes that the invocation does not give yet.
    fn attributes(&self, bracket: &Bracket) -> Vec<Completion> {
        let Some(operator) = self.snapshot.callee(self.file, self.context.callee(bracket.at)) else {
            return Vec::new();
        };
        let given: HashSet<&str> = self.context.inside(bracket).split([',', '=']).map(str::trim).collect();
        let open = operator.1.attributes.iter().filter(|param| !given.contains(&*param.name.text));
        let describe = |param: &Param| {
            Completion::new(&*param.name.text, CompletionKind::Attribute)
                .detail(self.snapshot.parameter_detail(param))
                .documentation(&param.documentation)
                .insert(format!("{}=$0", param.name.text))
        };
        open.map(describe).collect()
    }

    fn blocks(&self, prefix: &str) -> Vec<Completion> {
        let written: HashSet<&str> = self.operator.iter().flat_map(|o| &o.blocks).map(|block| &*block.text).collect();
        let open = BLOCKS.iter().filter(|(name, _)| !written.contains(name));
        let describe = |(name, what): &(&str, &str)| {
            let label = format!("{prefix}{name}");
            let insert = format!("{label} {{\n    $0\n}}");
            Completion::new(label, CompletionKind::Block).detail(*what).insert(insert)
        };
        open.map(describe).collect()
    }

    fn types(&self) -> Vec<Completion> {
        let mut list: Vec<Completion> = TYPES.iter().map(|name| Completion::new(*name, CompletionKind::Type)).collect();
        list.extend(keywords(&["optional"]));
        for dtype in self.operator.iter().flat_map(|operator| &operator.dtypes) {
            list.push(Completion::new(&*dtype.name.text, CompletionKind::Type).detail("generic type"));
        }
        list
    }
}

impl Snapshot {
    /// The operator that is written so in a file, and its full path.
    pub(super) fn callee(&self, file: FileId, written: &str) -> Option<(String, &Operator)> {
        let (own, _) = self.module(file)?;
        let path = if written.contains('.') { written.to_owned() } else { format!("{own}.{written}") };
        let operator = self.definitions.operator(&path)?;
        Some((path, operator))
    }
}

/// Modules of the folder, and of the standard library.
fn imports(modules: &[String]) -> Vec<Completion> {
    let own = modules.iter().map(|path| Completion::new(path, CompletionKind::Module).detail("module of this model"));
    let standard = Library::standard_modules().filter(|name| !modules.iter().any(|own| own == name));
    let standard = standard.map(|name| Completion::new(name, CompletionKind::Module).detail("standard library"));
    own.chain(standard).collect()
}

fn keywords(words: &[&str]) -> Vec<Completion> {
    debug_assert!(words.iter().all(|word| KEYWORDS.contains(word)));
    words.iter().map(|word| Completion::new(*word, CompletionKind::Keyword)).collect()
}

fn shortened(text: String) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
