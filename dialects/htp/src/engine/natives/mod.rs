//! The native functions that all patterns of rules share. They read what they need from their arguments: nodes, and texts
//! that the pattern carries, so that a pattern can be applied by itself.

mod questions;
mod rewrites;
mod texts;

use super::graph::{self, Ids};
use crate::apply::{Environment, Identity};
use crate::to_pdl::names::native;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{OperationRef, Value};
use skriptnd_mlir::rewrite::{Natives, PdlValue};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use texts::Texts;

/// An op that a rewrite made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The op's name.
    pub op: String,
    /// Its op id and split history.
    pub identity: Identity,
}

impl Made {
    fn of(op: OperationRef<'_, '_>) -> Self {
        Made { op: op.full_name().to_owned(), identity: graph::identity(op) }
    }
}

/// One application of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The pattern's symbol.
    pub pattern: String,
    /// The op that was replaced.
    pub operation: String,
    /// Where the model's source has it, if that is known.
    pub position: Option<Position>,
    /// The new ops; none where an op is left out.
    pub made: Vec<Made>,
}

/// What native functions share while patterns are applied.
#[derive(Debug)]
pub struct Session {
    pub environment: Environment,
    pub ids: Ids,
    texts: Texts,
    /// How many patterns may still be applied.
    remaining: AtomicUsize,
    changes: Mutex<Vec<Change>>,
    /// What the rewrite at work has made so far.
    made: Mutex<Vec<Made>>,
    /// The ops that native functions have built in the rewrite at work, by their keys.
    built: Mutex<HashSet<usize>>,
    /// Where the rules stand, by their indices.
    places: Vec<Position>,
}

impl Session {
    /// Without a limit, for rules that stand at these places.
    pub fn new(environment: Environment, places: Vec<Position>) -> Self {
        Session {
            environment,
            ids: Ids::default(),
            texts: Texts::default(),
            remaining: AtomicUsize::new(usize::MAX),
            changes: Mutex::default(),
            made: Mutex::default(),
            built: Mutex::default(),
            places,
        }
    }

    /// Sets how many patterns may be applied from now on.
    pub fn allow(&self, applications: usize) {
        self.remaining.store(applications, Ordering::Relaxed);
    }

    /// What was applied since this was last asked.
    pub fn take_changes(&self) -> Vec<Change> {
        std::mem::take(&mut self.changes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn may_go_on(&self) -> bool {
        self.remaining.load(Ordering::Relaxed) > 0
    }

    fn note_made(&self, made: impl IntoIterator<Item = Made>) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).extend(made);
    }

    fn note_built(&self, ops: &[OperationRef<'_, '_>]) {
        self.built.lock().unwrap_or_else(PoisonError::into_inner).extend(ops.iter().map(|op| op.key()));
        self.note_made(ops.iter().copied().map(Made::of));
    }

    /// Ends a rewrite.
    fn note(&self, mut change: Change) {
        change.made = std::mem::take(&mut self.made.lock().unwrap_or_else(PoisonError::into_inner));
        self.remaining.fetch_sub(1, Ordering::Relaxed);
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).push(change);
    }
}

/// The native functions, for patterns in files: without options of a graph.
pub fn standing_alone() -> Natives {
    natives(&Arc::new(Session::new(Environment::default(), Vec::new())))
}

/// The native functions of a session.
pub fn natives(session: &Arc<Session>) -> Natives {
    let mut natives = questions::natives(Natives::new());
    for name in [native::TENSOR, native::ALLOWED, native::HOLDS, native::DEFINED] {
        let session = Arc::clone(session);
        natives = natives.constraint(name, move |context, arguments| {
            let holds = match name {
                native::TENSOR => session.may_go_on() && questions::is_tensor(arguments)?,
                native::ALLOWED => questions::is_allowed(&session.environment, arguments)?,
                native::HOLDS => texts::holds(&session, arguments)?,
                _ => texts::is_defined(&session, context, arguments)?,
            };
            holds.then(Vec::new)
        });
    }
    let [typing, building, replacing] = [(); 3].map(|()| Arc::clone(session));
    natives
        .rewrite(native::TYPE, move |editor, arguments| texts::type_of(&typing, editor, arguments))
        .rewrite(native::BUILD, move |editor, arguments| texts::build(&building, editor, arguments))
        .rewrite(native::REPLACED, move |editor, arguments| rewrites::replaced(&replacing, editor, arguments))
        .checked(questions::check)
        .checked(texts::check)
}

/// The values at the end of some arguments.
fn values<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<Value<'c, 'a>>> {
    let value = |argument: &PdlValue<'c, 'a>| match argument {
        PdlValue::Value(value) => Some(*value),
        _ => None,
    };
    arguments.iter().map(value).collect()
}
