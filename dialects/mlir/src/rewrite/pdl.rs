//! Patterns in PDL, from text to what MLIR compiles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::native::{ALLOWED, APPLIED, BoundFunction, DONE};
use super::statistics::Rule;
use super::value::Kind;
use super::{Natives, created, guarded};
use crate::Error;
use crate::diagnostics::Position;
use crate::ir::{
    self, Attribute, BlockRef, Builder, Context, Location, Module, OperationRef, PrintForm, Value, attributes,
};

/// Patterns in PDL: the text of a module of `pdl.pattern` operations, and the native functions that they call.
#[derive(Clone)]
pub struct PdlPatterns {
    inner: Arc<Inner>,
}

struct Inner {
    text: Arc<str>,
    file_name: Arc<str>,
    natives: Natives,
    /// Tells the native functions of this set from those of others.
    id: usize,
    functions: OnceLock<Functions>,
}

/// The native functions that the patterns call, and what is known of the patterns.
#[derive(Default)]
pub(super) struct Functions {
    pub constraints: Vec<BoundFunction>,
    pub rewrites: Vec<BoundFunction>,
    pub rules: Vec<Rule>,
}

// SAFETY: the functions point to the natives beside them in `Inner`, which are `Send` and `Sync` and never changed.
unsafe impl Send for Functions {}
// SAFETY: as above.
unsafe impl Sync for Functions {}

/// The name of patterns.
const PATTERN: &str = "pdl.pattern";
/// What patterns that belong together stand in.
const MODULE: &str = "builtin.module";

/// The results of each native function, by name.
type Signatures = BTreeMap<String, Vec<Kind>>;

impl PdlPatterns {
    /// Patterns from text; the file name appears in diagnostics.
    pub fn new(text: impl Into<Arc<str>>, file_name: impl Into<Arc<str>>, natives: Natives) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let (text, file_name) = (text.into(), file_name.into());
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { inner: Arc::new(Inner { text, file_name, natives, id, functions: OnceLock::new() }) }
    }

    /// The patterns of a text: those of each module in the outermost one, which are applied one after the other, or all at
    /// once if no modules stand there. Each gets native functions of its own.
    pub fn staged(
        context: &Context,
        text: &str,
        file_name: &str,
        natives: impl Fn() -> Natives,
    ) -> Result<Vec<Self>, Error> {
        let module = ir::parse_module(context, text, file_name)?;
        let stages: Vec<_> = ir::block_operations(module.body()).collect();
        if stages.is_empty() || stages.iter().any(|stage| stage.full_name() != MODULE) {
            return Ok(vec![Self::new(text, file_name, natives())]);
        }
        let form = PrintForm { locations: true, ..PrintForm::default() };
        Ok(stages.into_iter().map(|stage| Self::new(ir::print(stage, form), file_name, natives())).collect())
    }

    /// The namespaces of what the patterns name.
    pub(crate) fn named_dialects(&self) -> BTreeSet<&str> {
        named_dialects(&self.inner.text)
    }

    /// The native functions that the patterns call; none before they were prepared.
    pub(super) fn functions(&self) -> &Functions {
        self.inner.functions.get_or_init(Functions::default)
    }

    /// Parses and checks the patterns and makes them fit for MLIR: native functions get unique names, and each rewrite
    /// first tells which pattern it is of. All ask whether they may still be applied: not after a failure, and not too
    /// often in drivers that are not ours.
    pub(super) fn prepare<'c>(&self, context: &'c Context) -> Result<Module<'c>, Error> {
        let module = ir::parse_module(context, &self.inner.text, &self.inner.file_name)?;
        self.check_operations(&module)?;
        let mut constraints = Signatures::from([(ALLOWED.to_string(), Vec::new())]);
        let mut rewrites = Signatures::from([(APPLIED.to_string(), Vec::new()), (DONE.to_string(), Vec::new())]);
        for operation in ir::walk(module.as_operation()) {
            match operation.full_name() {
                "pdl.apply_native_constraint" => self.bind(operation, &mut constraints, true)?,
                "pdl.apply_native_rewrite" => self.bind(operation, &mut rewrites, false)?,
                "pdl.rewrite" => {
                    if let Some(name) = operation.get_string("name") {
                        let reason = "a rewrite is to have a body that calls it".to_string();
                        let position = Position::of(operation.location());
                        return Err(Error::NativeFunction { name: name.into(), reason, position });
                    }
                }
                _ => {}
            }
        }
        let mut rules = Vec::new();
        for pattern in ir::operations_named(module.as_operation(), PATTERN) {
            self.guard_rewrite(pattern, &mut rewrites)?;
            rules.push(self.announce(pattern)?);
        }
        self.inner.functions.get_or_init(|| Functions {
            constraints: self.bound(constraints),
            rewrites: self.bound(rewrites),
            rules,
        });
        Ok(module)
    }

    /// Checks that there are patterns and nothing else: MLIR reads memory that is not there where it finds none.
    fn check_operations(&self, module: &Module<'_>) -> Result<(), Error> {
        let body = module.as_operation().region(0)?.first_block();
        let operations: Vec<_> = body.map(ir::block_operations).into_iter().flatten().collect();
        if operations.is_empty() {
            let reason = "there is no pattern in this text".to_string();
            let position = Position { file: self.inner.file_name.to_string(), origin: None, line: 1, column: 1 };
            return Err(Error::Patterns { reason, position: Some(position) });
        }
        match operations.into_iter().find(|operation| operation.full_name() != PATTERN) {
            Some(other) => {
                let reason = format!("expected '{PATTERN}', found '{}'", other.full_name());
                Err(Error::Patterns { reason, position: Position::of(other.location()) })
            }
            None => Ok(()),
        }
    }

    fn bound(&self, signatures: Signatures) -> Vec<BoundFunction> {
        let natives = &raw const self.inner.natives;
        let bind = |(name, results): (String, Vec<Kind>)| {
            let unique_name = self.unique(&name);
            BoundFunction { name, unique_name, results, natives }
        };
        signatures.into_iter().map(bind).collect()
    }

    fn unique(&self, name: &str) -> String {
        format!("{}:{name}", self.inner.id)
    }

    /// Checks the use of a native function and renames it.
    fn bind(
        &self,
        operation: OperationRef<'_, '_>,
        signatures: &mut Signatures,
        constraint: bool,
    ) -> Result<(), Error> {
        let name = operation.get_string("name").unwrap_or_default();
        let position = Position::of(operation.location());
        let refuse =
            |reason: String| Err(Error::NativeFunction { name: name.into(), reason, position: position.clone() });
        let natives = &self.inner.natives;
        let known =
            if constraint { natives.constraints.contains_key(name) } else { natives.rewrites.contains_key(name) };
        if !known {
            let kind = if constraint { "constraint" } else { "rewrite" };
            let help = "what patterns ask of Rust is compiled with them, by -gen-rewriters";
            return refuse(format!("there is no native {kind} of that name; {help}"));
        }
        let carried: Vec<_> = operation.operands().map(carried).collect();
        for check in &natives.checks {
            if let Err(reason) = check(name, &carried) {
                return refuse(reason);
            }
        }
        let kinds = operation.result_types().into_iter().map(Kind::of).collect::<Option<Vec<_>>>();
        let Some(kinds) = kinds else { return refuse("it has results of an unknown kind".to_string()) };
        match signatures.get(name) {
            Some(other) if *other != kinds => {
                return refuse(format!("its uses differ in their results: {other:?} and {kinds:?}"));
            }
            _ => signatures.insert(name.to_string(), kinds),
        };
        operation.set("name", attributes::string(operation.context(), &self.unique(name)));
        Ok(())
    }

    /// Makes calls of what checks itself of the operations that MLIR does not check.
    fn guard_rewrite(&self, pattern: OperationRef<'_, '_>, rewrites: &mut Signatures) -> Result<(), Error> {
        for rewrite in ir::operations_named(pattern, "pdl.rewrite") {
            for operation in ir::walk(rewrite) {
                if operation.full_name() == created::OPERATION {
                    created::announce(operation, &mut |function, kinds| {
                        rewrites.insert(function.to_string(), kinds);
                        self.unique(function)
                    })?;
                }
                if let Some((function, kind)) = guarded::checked_results(operation) {
                    rewrites.insert(function.to_string(), vec![kind]);
                    created::check(operation, &self.unique(function))?;
                }
                let Some(function) = guarded::function_of(operation) else { continue };
                let kinds = operation.result_types().into_iter().filter_map(Kind::of).collect();
                rewrites.insert(function.to_string(), kinds);
                guarded::call(operation, &self.unique(function))?;
            }
        }
        Ok(())
    }

    /// Makes the rewrite of a pattern begin by telling the pattern's name.
    fn announce(&self, pattern: OperationRef<'_, '_>) -> Result<Rule, Error> {
        let place = Position::of(pattern.location()).map(|position| position.to_string()).unwrap_or_default();
        let name = pattern.get_string("sym_name").unwrap_or(&place).to_string();
        let mut rule = Rule { name, place, root: String::new() };
        for rewrite in ir::operations_named(pattern, "pdl.rewrite") {
            let Some(root) = rewrite.operands().next() else {
                let reason = format!("the rewrite of '{}' names no root", rule.name);
                return Err(Error::Invalid(reason));
            };
            let matched = root.defining_operation();
            rule.root = matched.and_then(|matched| matched.get_string("opName")).unwrap_or_default().to_string();
            let function = [("name", attributes::string(rewrite.context(), &self.unique(ALLOWED)))];
            Builder::before(rewrite)?.operation("pdl.apply_native_constraint", &[root], &function, &[])?;
            let body = rewrite.region(0).ok().and_then(|region| region.first_block());
            if let Some(body) = body {
                self.insert_announcement(body, &rule, root, rewrite.location())?;
            }
        }
        Ok(rule)
    }

    fn insert_announcement<'c: 'a, 'a>(
        &self,
        body: BlockRef<'c, 'a>,
        rule: &Rule,
        root: Value<'c, 'a>,
        location: Location<'c>,
    ) -> Result<(), Error> {
        let context = location.context();
        let builder = match body.first_operation() {
            Some(first) => Builder::before(first)?.located(location),
            None => Builder::at_end(body, location),
        };
        let text = |text: &str| {
            let value = [("value", attributes::string(context, text))];
            Ok::<_, Error>(builder.value("pdl.attribute", &[], &value, pdl_type(context, "!pdl.attribute")?)?)
        };
        let given = [text(&rule.name)?, text(&rule.place)?, root];
        let function = [("name", attributes::string(context, &self.unique(APPLIED)))];
        builder.operation("pdl.apply_native_rewrite", &given, &function, &[])?;
        let function = [("name", attributes::string(context, &self.unique(DONE)))];
        Builder::at_end(body, location).operation("pdl.apply_native_rewrite", &[], &function, &[])?;
        Ok(())
    }
}

/// The attribute that a pattern carries as a value.
fn carried<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Attribute<'c>> {
    value.defining_operation().filter(|operation| operation.full_name() == "pdl.attribute")?.get("value")
}

/// The namespaces of what a text in PDL names, such as operations; more than those of dialects.
pub fn named_dialects(text: &str) -> BTreeSet<&str> {
    let namespaces = text.split('"').filter_map(|part| part.split_once('.')).map(|(namespace, _)| namespace);
    namespaces.filter(|namespace| namespace.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).collect()
}

/// Checks that a text is PDL; the file name appears in diagnostics. Attributes and types of dialects that the context does
/// not know are let pass.
pub fn check_pdl(context: &Context, text: &str, file_name: &str) -> Result<(), Error> {
    context.0.set_allow_unregistered_dialects(true);
    ir::parse_module(context, text, file_name).map(drop)
}

fn pdl_type<'c>(context: &'c Context, text: &str) -> Result<ir::Type<'c>, Error> {
    ir::types::parse(context, text).ok_or_else(|| Error::Invalid(format!("the context has no type {text}")))
}
