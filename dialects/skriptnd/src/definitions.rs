//! Where operators get their meaning from: the standard library, and the model's own modules, whose texts the MLIR
//! module carries in its attribute `skriptnd.sources`, so that it can be parsed, verified and lowered on its own.

use crate::generated::NAMESPACE;
use crate::generated::discardable::SourcesAttribute;
use skriptnd_language::compose::graph::OperatorCall;
use skriptnd_language::compose::{Definitions, Instance, Operand};
use skriptnd_language::library::Library;
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::instance_number;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, attributes};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, Severity};
use skriptnd_syntax::ast::{Module, Operator, OperatorKind, QualifiedName};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// How many sets of modules are remembered before all are forgotten.
const LIBRARY_LIMIT: usize = 16;

/// The standard library alone.
pub fn standard() -> Definitions {
    static STANDARD: LazyLock<Definitions> = LazyLock::new(|| Library::standard().into());
    STANDARD.clone()
}

/// The standard library with what comes with the compiler, such as `onnx`.
fn shipped() -> Definitions {
    static SHIPPED: LazyLock<Definitions> = LazyLock::new(|| Library::shipped().into());
    SHIPPED.clone()
}

/// Which context, and what of its attributes holds the sources; none for models that define nothing themselves.
type Place = (u64, Option<usize>);

/// The definitions of modules that are in use. A context never has two attributes in one place, nor two contexts one
/// number.
static KNOWN: LazyLock<Mutex<HashMap<Place, Definitions>>> = LazyLock::new(Mutex::default);

fn place(context: &Context, sources: Option<Attribute<'_>>) -> Option<Place> {
    Some((instance_number(context, NAMESPACE)?, sources.map(attributes::address)))
}

/// Hands over the definitions that a module with these sources was composed from, with the instances made of them.
pub(crate) fn provide(context: &Context, sources: Option<Attribute<'_>>, definitions: &Definitions) {
    if let Some(place) = place(context, sources) {
        remember(place, definitions);
    }
}

fn remember(place: Place, definitions: &Definitions) {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= LIBRARY_LIMIT {
        known.clear();
    }
    known.insert(place, definitions.clone());
}

/// The definitions that hold for an operator within an operation: those of the module around it, of the standard library
/// for what the model does not import, or of what else comes with the compiler.
pub fn of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, operator: &str) -> Definitions {
    let mut sources = None;
    let mut current = Some(operation);
    while let Some(candidate) = current.filter(|_| sources.is_none()) {
        sources = SourcesAttribute::get(candidate);
        current = candidate.parent_operation();
    }
    let module = operator.rsplit_once('.').map_or("", |(module, _)| module);
    let own = of_sources(operation.context(), sources);
    let has = |known: &Definitions| known.modules.contains_key(module);
    own.filter(has).or_else(|| Some(standard()).filter(has)).unwrap_or_else(shipped)
}

fn of_sources(context: &Context, sources: Option<Attribute<'_>>) -> Option<Definitions> {
    let place = place(context, sources);
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = place.and_then(|place| known.get(&place).cloned()) {
        return Some(known);
    }
    drop(known);
    let definitions = Definitions::from(load(&read_sources(sources?)?));
    if let Some(place) = place {
        remember(place, &definitions);
    }
    Some(definitions)
}

/// The definition of an operator such as `nn.conv`.
pub fn operator<'d>(definitions: &'d Definitions, path: &str) -> Option<&'d Operator> {
    definitions.operator(path).filter(|operator| operator.kind == OperatorKind::Operator)
}

/// Checks an invocation; `bounds` are those of symbols in its attributes. A failure carries the language's own message.
pub fn instance(
    definitions: &Definitions,
    call: &OperatorCall,
    operands: &[Operand],
    bounds: &[(Arc<str>, i64)],
) -> Result<Arc<Instance>, Failure> {
    definitions.instance_within(call, operands, bounds).map_err(|errors| Failure::new(message(&errors)))
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
pub(crate) struct Source {
    pub path: String,
    pub file: String,
    pub text: String,
}

/// The modules that a module carries.
pub(crate) fn sources_of(module: OperationRef<'_, '_>) -> Vec<Source> {
    SourcesAttribute::get(module).and_then(read_sources).unwrap_or_default()
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

/// These modules, and what they import. Errors in them were reported when the model was composed.
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
    Library::load(&Provider(sources)).0
}
