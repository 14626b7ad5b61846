//! Where operators get their meaning from: the standard library, and the model's own modules, whose texts the MLIR
//! module carries in its attribute `skriptnd.sources`, so that it can be parsed, verified and lowered on its own.

use skriptnd_language::compose::graph::{Argument, OperatorCall, TensorType};
use skriptnd_language::compose::{Instance, instantiate};
use skriptnd_language::library::Library;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Context, OperationExt, OperationLike, OperationRef, attributes};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, Severity};
use skriptnd_syntax::ast::{Module, Operator, OperatorKind, QualifiedName};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The attribute of a module that holds the texts of the model's modules: a dictionary from paths to pairs of file name
/// and text.
pub const SOURCES_ATTRIBUTE: &str = "skriptnd.sources";

/// How many instances are remembered before all are forgotten.
const INSTANCE_LIMIT: usize = 1 << 14;
/// How many sets of modules are remembered before all are forgotten.
const LIBRARY_LIMIT: usize = 16;

/// An operator with the types of its operands.
type InstanceKey = (String, Vec<Argument<TensorType>>);
/// A checked invocation, or why it is wrong.
type CheckedInstance = Result<Arc<Instance>, String>;

/// The definitions of operators, with the instances made from them.
pub struct Definitions {
    library: Library,
    instances: Mutex<HashMap<InstanceKey, CheckedInstance>>,
}

impl Definitions {
    /// The standard library alone.
    pub fn standard() -> Arc<Definitions> {
        static STANDARD: LazyLock<Arc<Definitions>> = LazyLock::new(|| Arc::new(Definitions::new(Library::standard())));
        STANDARD.clone()
    }

    fn new(library: Library) -> Self {
        Definitions { library, instances: Mutex::default() }
    }

    /// The definitions that hold for an operation: those of the module around it and of the standard library.
    pub fn of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Arc<Definitions> {
        let mut current = Some(operation);
        while let Some(candidate) = current {
            if let Some(sources) = candidate.get(SOURCES_ATTRIBUTE) {
                return Definitions::of_sources(sources);
            }
            current = candidate.parent_operation();
        }
        Definitions::standard()
    }

    fn of_sources(sources: Attribute<'_>) -> Arc<Definitions> {
        static KNOWN: LazyLock<Mutex<HashMap<Vec<Source>, Arc<Definitions>>>> = LazyLock::new(Mutex::default);
        let Some(sources) = read_sources(sources) else { return Definitions::standard() };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definitions) = known.get(&sources) {
            return definitions.clone();
        }
        if known.len() >= LIBRARY_LIMIT {
            known.clear();
        }
        let definitions = Arc::new(Definitions::new(load(&sources)));
        known.insert(sources, definitions.clone());
        definitions
    }

    /// The modules.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The definition of an operator such as `nn.conv`.
    pub fn operator(&self, path: &str) -> Option<&Operator> {
        self.library.operator(path).filter(|operator| operator.kind == OperatorKind::Operator)
    }

    /// Checks an invocation; equal ones once. A failure carries the language's own message.
    pub fn instance(&self, call: &OperatorCall, operands: Vec<Argument<TensorType>>) -> Result<Arc<Instance>, Failure> {
        // Attributes have no hash; their debug output tells all values apart.
        let key = (format!("{call:?}"), operands);
        let known = self.instances.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let result = known.unwrap_or_else(|| {
            let result = instantiate(&self.library, call, &key.1).map(Arc::new).map_err(|errors| message(&errors));
            let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
            if instances.len() >= INSTANCE_LIMIT {
                instances.clear();
            }
            instances.insert(key, result.clone());
            result
        });
        result.map_err(Failure::new)
    }
}

/// The errors in one text: the first message with its notes, and how many more there are.
fn message(diagnostics: &Diagnostics) -> String {
    let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(first) = errors.next() else { return "is not a valid invocation of its operator".into() };
    let mut text = first.message.clone();
    if !first.notes.is_empty() {
        text.push_str(&format!(" ({})", first.notes.join(", ")));
    }
    match errors.count() {
        0 => text,
        more => format!("{text}; and {more} more"),
    }
}

/// One of the model's modules.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Source {
    path: String,
    file: String,
    text: String,
}

fn read_sources(attribute: Attribute<'_>) -> Option<Vec<Source>> {
    let source = |(path, value): (&str, Attribute<'_>)| match attributes::as_strings(value)?.as_slice() {
        [file, text] => Some(Source { path: path.into(), file: (*file).into(), text: (*text).into() }),
        _ => None,
    };
    attributes::as_dictionary(attribute)?.into_iter().map(source).collect()
}

/// The operators that the model defines itself, as an attribute for the MLIR module; none if there are none.
pub fn sources_attribute<'c>(context: &'c Context, library: &Library) -> Option<Attribute<'c>> {
    let own = library.modules.iter().filter(|(path, _)| !library.is_standard(path));
    let source = |(path, module): (&'_ String, &'_ Arc<Module>)| {
        let span = module.operators.iter().find(|operator| operator.kind == OperatorKind::Operator)?.span;
        let file = library.sources.file(span.file)?;
        let parts = [&*file.name, &operators_text(module, &file.text)].map(|part| attributes::string(context, part));
        Some((path.clone(), attributes::array(context, &parts)))
    };
    let entries: Vec<_> = own.filter_map(source).collect();
    let named: Vec<_> = entries.iter().map(|(path, source)| (path.as_str(), *source)).collect();
    (!named.is_empty()).then(|| attributes::dictionary(context, &named))
}

/// The text of a module without what is no operator. Operators stay where they are, so that places in messages are right.
fn operators_text(module: &Module, text: &str) -> String {
    let import = |path: &QualifiedName| path.parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join(".");
    let mut kept: String = module.imports.iter().map(|path| format!("import {}; ", import(path))).collect();
    let mut end = 0;
    for operator in module.operators.iter().filter(|operator| operator.kind == OperatorKind::Operator) {
        let (from, to) = (operator.span.start as usize, operator.span.end as usize);
        let (Some(skipped), Some(definition)) = (text.get(end..from), text.get(from..to)) else { continue };
        kept.extend(skipped.chars().filter(|c| *c == '\n'));
        let column = skipped.rsplit('\n').next().unwrap_or_default().chars().count();
        let taken = kept.rsplit('\n').next().unwrap_or_default().chars().count();
        kept.extend(std::iter::repeat_n(' ', column.saturating_sub(taken)));
        kept.push_str(definition);
        end = to;
    }
    kept
}

/// The standard library and these modules. Errors in them were reported when the model was composed.
fn load(sources: &[Source]) -> Library {
    struct Provider<'a>(&'a [Source]);
    impl FileProvider for Provider<'_> {
        fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
            let path = path.join(".");
            if let Some(source) = self.0.iter().find(|source| source.path == path) {
                return Some(Ok((source.file.clone(), source.text.clone())));
            }
            // Reaches the given modules even where `main` defines no operator of its own.
            (path == "main").then(|| {
                let imports: String = self.0.iter().map(|source| format!("import {};\n", source.path)).collect();
                Ok(("main.sknd".into(), imports))
            })
        }
    }
    let mut library = Library::load(&Provider(sources)).0;
    for (path, module) in Library::standard().modules {
        library.modules.entry(path).or_insert(module);
    }
    library
}
