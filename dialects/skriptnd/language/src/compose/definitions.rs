//! The store of instances: composition, the interpreter, the dialect and editors share what has been made once.

use super::analysis::compares_tensors;
use super::binding::{Operand, drop_identity};

use super::graph::Instance;
use super::instance::InstanceKey;
use crate::library::Library;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many instances are remembered before all are forgotten: extents that the data determine may be new in each run.
const INSTANCE_LIMIT: usize = 1 << 14;

/// An instance, or why there is none.
pub type Known = Result<Arc<Instance>, Arc<Diagnostics>>;

/// The modules of a model with the instances that have been made of their operators. Clones share both.
#[derive(Debug, Clone)]
pub struct Definitions(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    library: Library,
    /// Operators for which it matters which of their operands are the same tensor.
    comparing: Mutex<HashMap<Arc<str>, bool>>,
    instances: Mutex<HashMap<InstanceKey, Known>>,
    made: AtomicUsize,
    /// What graphs compute that are composed.
    meaning: Meaning,
}

/// What graphs compute where tensors are quantized.
#[derive(Debug, Clone, Copy, Default)]
struct Meaning {
    /// Whether they compute with what `@quantize` gives tensors.
    executes_quantization: bool,
    /// Where they compute with the integers that stand for reals.
    integers: Integers,
}

/// Where graphs compute with the integers that stand for reals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integers {
    /// Nowhere.
    #[default]
    Never,
    /// Where no sum leaves 32 bits, as far as bits of tensors tell: results then are the nearest integers, but for halves. Variables that
    /// are dequantized are taken for bytes.
    Within,
    /// Wherever there are operators for it; sums beyond 32 bits count as the nearest that these have.
    Everywhere,
}

impl From<Library> for Definitions {
    fn from(library: Library) -> Self {
        Definitions::of(library, Meaning::default())
    }
}

impl Deref for Definitions {
    type Target = Library;

    fn deref(&self) -> &Library {
        &self.0.library
    }
}

impl Definitions {
    fn of(library: Library, meaning: Meaning) -> Self {
        let (comparing, instances, made) = Default::default();
        Definitions(Arc::new(Shared { library, comparing, instances, made, meaning }))
    }

    /// The same definitions, of which graphs are composed that compute with the values that `@quantize` gives tensors.
    pub fn executing_quantization(&self) -> Self {
        Definitions::of(self.0.library.clone(), Meaning { executes_quantization: true, ..self.0.meaning })
    }

    /// The same definitions, of which graphs are composed that compute with the integers that stand for reals, where tensors
    /// are quantized. A model with modules of its own in place of those of the standard library stays as it is.
    pub fn computing_integers(&self, integers: Integers) -> Self {
        let library = self.0.library.with_standard();
        match Library::standard_modules().all(|module| library.is_standard(module)) {
            true => Definitions::of(library, Meaning { integers, ..self.0.meaning }),
            false => self.clone(),
        }
    }

    /// Whether graphs compute with what `@quantize` gives tensors (section 2.14).
    pub(super) fn executes_quantization(&self) -> bool {
        self.0.meaning.executes_quantization
    }

    /// Where graphs compute with the integers that stand for reals.
    pub(super) fn integers(&self) -> Integers {
        self.0.meaning.integers
    }

    /// The operands without the variables of a formula, which may be given behind the inputs: their types follow from the
    /// declaration.
    pub(super) fn inputs<'o>(&self, operator: &str, operands: &'o [Operand]) -> &'o [Operand] {
        let definition = self.operator(operator);
        let definition = definition.filter(|definition| operands.len() == definition.operands().count());
        definition.and_then(|definition| operands.get(..definition.inputs.len())).unwrap_or(operands)
    }

    /// Whether these are the same definitions with the same store, not merely equal ones.
    pub fn is(&self, other: &Definitions) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// How many different instances have been made.
    pub fn made_instances(&self) -> usize {
        self.0.made.load(Ordering::Relaxed)
    }

    pub(crate) fn lookup(&self, key: &InstanceKey) -> Option<Known> {
        self.0.instances.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// The instance with this key, which `make` makes if there is none yet; without a key it is made in any case.
    pub(crate) fn get_or_make<E>(
        &self,
        key: Option<InstanceKey>,
        make: impl FnOnce() -> Result<Arc<Instance>, E>,
    ) -> Result<Arc<Instance>, E> {
        if let Some(Ok(known)) = key.as_ref().and_then(|key| self.lookup(key)) {
            return Ok(known);
        }
        // Not locked meanwhile: it makes those inside it.
        let instance = make()?;
        self.0.made.fetch_add(1, Ordering::Relaxed);
        if let Some(key) = key {
            self.remember(key, Ok(instance.clone()));
        }
        Ok(instance)
    }

    pub(super) fn remember(&self, key: InstanceKey, known: Known) {
        let mut instances = self.0.instances.lock().unwrap_or_else(PoisonError::into_inner);
        if instances.len() >= INSTANCE_LIMIT {
            instances.clear();
        }
        instances.insert(key, known);
    }

    /// Forgets which operands are the same tensor where the operator does not ask for it.
    pub(crate) fn drop_irrelevant(&self, operator: &str, operands: &mut [Operand]) {
        if operands.iter().any(|operand| !operand.same.is_empty()) && !self.compares_tensors(operator) {
            drop_identity(operands);
        }
    }

    /// Whether the operator, or one that it invokes, asks which tensors are the same (specification, section 2.4).
    pub fn compares_tensors(&self, operator: &str) -> bool {
        let mut known = self.0.comparing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen: HashSet<Arc<str>> = HashSet::from([operator.into()]);
        let mut open: Vec<Arc<str>> = seen.iter().cloned().collect();
        while let Some(path) = open.pop() {
            let Some(definition) = self.operator(&path) else { continue };
            match known.get(&path) {
                Some(false) => continue,
                None if !compares_tensors(definition) => {}
                _ => {
                    known.insert(operator.into(), true);
                    return true;
                }
            }
            let module = path.rsplit_once('.').map_or("", |(module, _)| module);
            let components = definition.components.iter().flatten().chain(&definition.updates);
            components.for_each(|component| {
                component.invocations(&mut |invocation| {
                    let inner: Arc<str> = invocation.operator.path_in(module).into();
                    if seen.insert(inner.clone()) {
                        open.push(inner);
                    }
                })
            });
        }
        known.extend(seen.into_iter().map(|path| (path, false)));
        false
    }
}
