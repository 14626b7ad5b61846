//! The modules of a model and the standard library, by path.

mod diagnostics;

use diagnostics as say;
use indexmap::IndexMap;
use skriptnd_source::diagnostics::{Diagnostics, nearest};
use skriptnd_source::{FileId, FileProvider, SourceMap, Span};
use skriptnd_syntax::ast::{Module, Operator, OperatorKind, QualifiedName};
use std::sync::{Arc, OnceLock};

/// The standard library (specification, chapter 4): module paths and their texts. Module number `n` always is file
/// number `n`, so that its tree can be shared by all libraries of a process.
/// The last ones are no part of the specification, but come with the compiler: what importers write.
pub(crate) const STANDARD: [(&str, &str); 12] = [
    ("layout", include_str!("../stdlib/layout.sknd")),
    ("math", include_str!("../stdlib/math.sknd")),
    ("linalg", include_str!("../stdlib/linalg.sknd")),
    ("nn", include_str!("../stdlib/nn.sknd")),
    ("image", include_str!("../stdlib/image.sknd")),
    ("quant", include_str!("../stdlib/quant.sknd")),
    ("algo", include_str!("../stdlib/algo.sknd")),
    ("layer", include_str!("../stdlib/layer.sknd")),
    ("rand", include_str!("../stdlib/rand.sknd")),
    ("misc", include_str!("../stdlib/misc.sknd")),
    ("onnx", include_str!("../stdlib/onnx.sknd")),
    ("quantized", include_str!("../stdlib/quantized.sknd")),
];

/// How many of them the specification has.
const SPECIFIED: usize = 10;

/// The standard module of this number. A process reads each of its operators at most once.
fn standard_module(number: usize) -> &'static Arc<Module> {
    static MODULES: [OnceLock<Arc<Module>>; STANDARD.len()] = [const { OnceLock::new() }; STANDARD.len()];
    MODULES[number].get_or_init(|| Arc::new(skriptnd_syntax::outline(FileId(number as u32), STANDARD[number].1)))
}

/// A source map that holds the texts of the standard library.
fn standard_sources() -> SourceMap {
    static TEXTS: OnceLock<Vec<Arc<str>>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| STANDARD.iter().map(|(_, text)| Arc::from(*text)).collect());
    let mut sources = SourceMap::default();
    for ((name, _), text) in STANDARD.iter().zip(texts) {
        sources.add(format!("stdlib/{name}.sknd"), text.clone());
    }
    sources
}

/// Whether the standard library has a module of this name.
pub(crate) fn is_standard_name(name: &str) -> bool {
    STANDARD.iter().any(|(known, _)| *known == name)
}

/// All modules that a model reaches through imports, parsed.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// Their texts.
    pub sources: SourceMap,
    /// By module path (`main`, `nn`, `lib.ops`); `main` first.
    pub modules: IndexMap<String, Arc<Module>>,
    /// Which of them come from the standard library.
    standard: Vec<String>,
    /// The file of the main module.
    main: Option<FileId>,
    /// The files of the model's own modules, by path.
    files: IndexMap<String, FileId>,
}

impl Library {
    /// Reads `main` and, transitively, what it imports: first from the model, then from the standard library.
    pub fn load(files: &dyn FileProvider) -> (Library, Diagnostics) {
        let mut library = Library { sources: standard_sources(), ..Library::default() };
        let mut diagnostics = Diagnostics::default();
        library.load_module(files, &["main"], None, &mut diagnostics);
        if let Some((main, origins)) = library.main.zip(files.origins()) {
            library.sources.set_origins(main, origins);
        }
        // Every module is looked at once, so cyclic imports end.
        let mut next = 0;
        while let Some((_, module)) = library.modules.get_index(next) {
            for import in module.clone().imports.iter() {
                let path: Vec<&str> = import.parts.iter().map(|part| &*part.text).collect();
                if path == ["main"] {
                    diagnostics.push(say::import_of_main(import.span));
                } else if !library.modules.contains_key(&path.join(".")) {
                    library.load_module(files, &path, Some(import), &mut diagnostics);
                }
            }
            next += 1;
        }
        (library, diagnostics)
    }

    /// The standard library of the specification alone: what a dialect without a model knows.
    pub fn standard() -> Library {
        Library::of_standard(SPECIFIED)
    }

    /// The same with the modules that come with the compiler: what a model may import.
    pub fn shipped() -> Library {
        Library::of_standard(STANDARD.len())
    }

    fn of_standard(count: usize) -> Library {
        let mut library = Library { sources: standard_sources(), ..Library::default() };
        for number in 0..count {
            library.add_standard(number);
        }
        library
    }

    /// The same modules, and those of the standard library that they do not import.
    pub(crate) fn with_standard(&self) -> Library {
        let mut library = self.clone();
        for (number, (name, _)) in STANDARD.iter().enumerate() {
            if !library.modules.contains_key(*name) {
                library.add_standard(number);
            }
        }
        library
    }

    /// Whether a module comes from the standard library.
    pub fn is_standard(&self, module: &str) -> bool {
        self.standard.iter().any(|name| name == module)
    }

    /// The file of the main module, if it has one.
    pub fn main_file(&self) -> Option<FileId> {
        self.main
    }

    /// The path of the module in this file.
    pub fn path_of(&self, file: FileId) -> Option<&str> {
        let standard = STANDARD.get(file.0 as usize).map(|(name, _)| *name).filter(|name| self.is_standard(name));
        standard.or_else(|| self.files.iter().find(|(_, known)| **known == file).map(|(path, _)| path.as_str()))
    }

    /// The file of the module with this path.
    pub fn file_of(&self, path: &str) -> Option<FileId> {
        let standard = || STANDARD.iter().position(|(name, _)| *name == path && self.is_standard(path));
        self.files.get(path).copied().or_else(|| standard().map(|number| FileId(number as u32)))
    }

    /// The modules of the standard library, whether imported or not.
    pub fn standard_modules() -> impl Iterator<Item = &'static str> {
        STANDARD.iter().map(|(name, _)| *name)
    }

    /// The definition with a full path such as `nn.conv`.
    pub fn operator(&self, path: &str) -> Option<&Operator> {
        let (module, name) = path.rsplit_once('.')?;
        self.modules.get(module)?.operators.get(name)
    }

    fn load_module(
        &mut self,
        files: &dyn FileProvider,
        path: &[&str],
        import: Option<&QualifiedName>,
        diagnostics: &mut Diagnostics,
    ) {
        let name = path.join(".");
        match (files.module(path), STANDARD.iter().position(|(known, _)| *known == name)) {
            (Some(Ok((file, text))), _) => self.add(name, file, text, diagnostics),
            (Some(Err(reason)), _) => {
                let span = self.place(import, &name);
                diagnostics.push(say::unreadable_module(span, &name, &reason));
            }
            (None, Some(number)) => self.add_standard(number),
            (None, None) => {
                let known = STANDARD.iter().map(|(name, _)| *name);
                // Of `torch.nn` the last part may be meant.
                let last = known.clone().find(|known| path.last() == Some(known));
                let span = self.place(import, &name);
                diagnostics.push(say::unknown_module(span, &name, last.or_else(|| nearest(&name, known))));
            }
        }
    }

    /// Where a module is asked for; the main module is asked for by nobody, so its own file must do.
    fn place(&mut self, import: Option<&QualifiedName>, name: &str) -> Span {
        match import {
            Some(import) => import.span,
            None => Span { file: self.sources.add(format!("{name}.sknd"), ""), start: 0, end: 0 },
        }
    }

    fn add_standard(&mut self, number: usize) {
        let name = STANDARD[number].0.to_owned();
        self.standard.push(name.clone());
        self.modules.insert(name, standard_module(number).clone());
    }

    fn add(&mut self, name: String, file: String, text: String, diagnostics: &mut Diagnostics) {
        let text: Arc<str> = text.into();
        let id = self.sources.add(file, text.clone());
        self.files.insert(name.clone(), id);
        let (mut module, found) = skriptnd_syntax::parse(id, &text);
        diagnostics.extend(found);
        if name == "main" {
            self.main = Some(id);
        } else {
            for graph in module.operators.iter().filter(|o| o.kind == OperatorKind::Graph) {
                diagnostics.push(say::graph_in_module(graph.name.span, &graph.name.text, &name));
            }
            module.operators = module.operators.iter().filter(|o| o.kind != OperatorKind::Graph).cloned().collect();
        }
        self.modules.insert(name, Arc::new(module));
    }
}
