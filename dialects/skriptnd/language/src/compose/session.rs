//! What one run of composition shares between graphs and nested operators: definitions looked up and analysed once,
//! and invocations that have been checked before.

use super::analysis::OperatorInfo;
use super::binding::{Binding, Bounds};
use super::definitions::Definitions;

use super::graph::Instance;
use super::instance::InstanceKey;
use super::limits;
use crate::library::Library;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Operator, OperatorKind, QualifiedName};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A definition with what follows from it.
pub(crate) struct Definition<'a> {
    /// Module path and name.
    pub(crate) path: Arc<str>,
    /// Module path.
    pub(crate) module: Arc<str>,
    pub(crate) operator: &'a Operator,
    pub(crate) info: OperatorInfo,
}

/// A checked invocation.
pub(crate) enum Resolved {
    /// The body is being checked: whoever meets it again is inside itself.
    InProgress,
    /// The invocation itself does not fit: so is every other one like it.
    Failed,
    /// The error is inside the definition, where it has been reported.
    FailedInside,
    /// It fits.
    Valid(Valid),
}

/// What an invocation determines.
pub(crate) enum Valid {
    /// The operator stays whole.
    Whole(Arc<Instance>),
    /// It is replaced by its composition.
    Inlined(Arc<Binding>),
}

impl Valid {
    pub(crate) fn binding(&self) -> &Arc<Binding> {
        match self {
            Valid::Whole(instance) => &instance.binding,
            Valid::Inlined(binding) => binding,
        }
    }
}

/// Shared state.
pub(crate) struct Session<'a> {
    pub(crate) library: &'a Library,
    store: &'a Definitions,
    definitions: RefCell<HashMap<Arc<str>, Option<Rc<Definition<'a>>>>>,
    inlined: RefCell<HashMap<Arc<str>, bool>>,
    names_inside: OnceCell<bool>,
    resolved: RefCell<HashMap<InstanceKey, Rc<Resolved>>>,
    /// Upper bounds of symbols.
    pub(crate) bounds: RefCell<Bounds>,
    /// How often a symbol of this name was asked for.
    symbols: RefCell<HashMap<String, usize>>,
    /// Places of errors that are known already, in their order.
    faults: Vec<Span>,
    depth: Cell<usize>,
    checked_bodies: Cell<usize>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(store: &'a Definitions) -> Self {
        Session::with_faults(store, Vec::new())
    }

    /// A session that goes around known errors. What it makes of definitions with errors is of no use to others: the
    /// store must be its own.
    pub(crate) fn with_faults(store: &'a Definitions, mut faults: Vec<Span>) -> Self {
        faults.sort_unstable_by_key(|fault| (fault.file.0, fault.start));
        Session {
            library: store,
            store,
            faults,
            definitions: RefCell::default(),
            inlined: RefCell::default(),
            names_inside: OnceCell::new(),
            resolved: RefCell::default(),
            bounds: RefCell::default(),
            symbols: RefCell::default(),
            depth: Cell::new(0),
            checked_bodies: Cell::new(0),
        }
    }

    /// The instances that have been made.
    pub(crate) fn store(&self) -> &'a Definitions {
        self.store
    }

    /// Whether errors are known already.
    pub(crate) fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Whether a known error lies within.
    pub(crate) fn is_faulty(&self, span: Span) -> bool {
        let first = self.faults.partition_point(|fault| (fault.file.0, fault.start) < (span.file.0, span.start));
        let following = self.faults[first..].iter();
        following.take_while(|fault| fault.file == span.file && fault.start <= span.end).any(|f| f.end <= span.end)
    }

    /// Whether it is known what a graph takes: no error is known in the blocks before its outputs.
    pub(crate) fn has_interface(&self, graph: &Operator) -> bool {
        let params = [&graph.attributes, &graph.inputs, &graph.constants, &graph.variables].into_iter().flatten();
        let spans = params.map(|param| param.span).chain(graph.usings.iter().map(|using| using.span));
        !graph.incomplete && !spans.chain([graph.name.span]).any(|span| self.is_faulty(span))
    }

    /// The definition with a full path.
    pub(crate) fn definition(&self, path: &str) -> Option<Rc<Definition<'a>>> {
        if let Some(known) = self.definitions.borrow().get(path) {
            return known.clone();
        }
        let path: Arc<str> = Arc::from(path);
        let found = self.library.operator(&path).map(|operator| {
            let module = path.rsplit_once('.').map_or("", |(module, _)| module);
            let info = OperatorInfo::of(operator);
            Rc::new(Definition { path: path.clone(), module: module.into(), operator, info })
        });
        self.definitions.borrow_mut().insert(path, found.clone());
        found
    }

    /// The definition that a name means within a module.
    pub(crate) fn resolve(&self, module: &str, name: &QualifiedName) -> Option<Rc<Definition<'a>>> {
        self.definition(&name.path_in(module))
    }

    /// Whether the operator can't stay whole: a graph, one that has variables or updates somewhere inside, or a public one
    /// whose tensors are named from outside.
    pub(crate) fn is_inlined(&self, definition: &Definition<'a>) -> bool {
        if let Some(known) = self.inlined.borrow().get(&definition.path) {
            return *known;
        }
        // An operator that contains itself doesn't become stateful by that.
        self.inlined.borrow_mut().insert(definition.path.clone(), false);
        let operator = definition.operator;
        let mut stateful = operator.kind == OperatorKind::Graph
            || !operator.variables.is_empty()
            || !operator.updates.is_empty()
            || (operator.public && operator.components.is_some() && self.names_inside());
        let mut names = Vec::new();
        for component in operator.components.iter().flatten() {
            component.invocations(&mut |invocation| names.push(&invocation.operator));
        }
        for name in names {
            if stateful || self.depth.get() > limits::INVOCATION_DEPTH {
                break;
            }
            if let Some(inner) = self.resolve(&definition.module, name) {
                let guard = self.enter();
                stateful |= self.is_inlined(&inner);
                drop(guard);
            }
        }
        self.inlined.borrow_mut().insert(definition.path.clone(), stateful);
        stateful
    }

    /// Whether a quantization of the model names tensors inside of operators: then public ones can't stay whole.
    pub(crate) fn names_inside(&self) -> bool {
        *self.names_inside.get_or_init(|| {
            let own = self.library.modules.iter().filter(|(name, _)| !self.library.is_standard(name));
            let mut quantizations = own.flat_map(|(_, module)| module.operators.iter()).flat_map(|o| &o.quantizations);
            quantizations.any(|quantization| quantization.tensor.parts.len() > 1)
        })
    }

    /// A name for a symbol that no other symbol has.
    pub(crate) fn new_symbol(&self, name: &str) -> Arc<str> {
        let mut symbols = self.symbols.borrow_mut();
        let count = symbols.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name.into();
        }
        let numbered = format!("{name}_{}", *count - 1);
        drop(symbols);
        self.new_symbol(&numbered)
    }

    /// Keeps a name for a symbol that exists.
    pub(crate) fn reserve_symbol(&self, name: &Arc<str>) {
        self.symbols.borrow_mut().entry(name.to_string()).or_insert(1);
    }

    /// Counts an operator inside another one, until the guard is dropped.
    pub(crate) fn enter(&self) -> Guard<'_> {
        self.depth.set(self.depth.get() + 1);
        Guard(&self.depth)
    }

    pub(crate) fn too_deep(&self) -> bool {
        self.depth.get() > limits::INVOCATION_DEPTH
    }

    /// Whether one more body may be checked within the invocation of a graph that is being composed.
    pub(crate) fn may_check(&self) -> bool {
        let before = if self.depth.get() == 0 { 0 } else { self.checked_bodies.get() };
        self.checked_bodies.set(before + 1);
        self.checked_bodies.get() <= limits::CHECKED_BODIES
    }

    pub(crate) fn lookup(&self, key: &InstanceKey) -> Option<Rc<Resolved>> {
        self.resolved.borrow().get(key).cloned()
    }

    pub(crate) fn remember(&self, key: InstanceKey, resolved: Resolved) -> Rc<Resolved> {
        let resolved = Rc::new(resolved);
        self.resolved.borrow_mut().insert(key, resolved.clone());
        resolved
    }
}

/// Ends an [`Session::enter`].
pub(crate) struct Guard<'s>(&'s Cell<usize>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}
