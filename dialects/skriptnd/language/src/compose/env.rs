//! The names that are visible while one operator is composed.

use super::tensors::FormalTensors;
use super::term::Term;
use std::collections::HashMap;
use std::sync::Arc;

/// Names and what they stand for; inner frames shadow outer ones. Copies share their frames: each sub-graph sees all
/// names around it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Env {
    base: Arc<HashMap<Arc<str>, Term>>,
    frames: Vec<Arc<HashMap<Arc<str>, Term>>>,
    /// What the names stood for when the invocation was composed, if a run knows more by now.
    composed: Option<Arc<Names>>,
}

impl Env {
    /// An environment for an invocation that has been composed before.
    pub(crate) fn composed_as(composed: Option<Arc<Names>>) -> Self {
        Env { composed, ..Env::default() }
    }

    pub(crate) fn set_composed(&mut self, composed: Option<Arc<Names>>) {
        self.composed = composed;
    }

    /// The names as they were composed, with those of inner frames as they are, and the tensors that they refer to.
    pub(crate) fn as_composed(&self) -> Option<(Env, &FormalTensors)> {
        let composed = self.composed.as_deref()?;
        let mut env = composed.env.clone();
        env.frames.extend(self.frames.iter().cloned());
        Some((env, &composed.types))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Term> {
        self.frames.iter().rev().find_map(|frame| frame.get(name)).or_else(|| self.base.get(name))
    }

    /// Whether the innermost frame itself has the name.
    pub(crate) fn has_here(&self, name: &str) -> bool {
        self.frames.last().unwrap_or(&self.base).contains_key(name)
    }

    /// Sets a name in the innermost frame.
    pub(crate) fn set(&mut self, name: &Arc<str>, term: Term) {
        Arc::make_mut(self.frames.last_mut().unwrap_or(&mut self.base)).insert(name.clone(), term);
    }

    /// Opens a frame: of a block, a loop or a sub-graph.
    pub(crate) fn push(&mut self) {
        self.frames.push(Arc::default());
    }

    pub(crate) fn pop(&mut self) {
        self.frames.pop();
    }

    /// This environment with the names of another one in front: what a sub-graph sees, which may use outer names.
    pub(crate) fn merged(&self, inner: &Env) -> Env {
        let mut merged = self.clone();
        merged.frames.push(inner.base.clone());
        merged.frames.extend(inner.frames.iter().cloned());
        merged
    }

    /// All visible names, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().flat_map(|frame| frame.keys()).chain(self.base.keys()).map(|name| &**name)
    }
}

/// The names of an invocation as they were composed: a run, which knows the extents, does not decide again what is decided
/// at compile time (specification, section 2.4), so that `is` compares what these stand for.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) env: Env,
    /// The tensors that they refer to.
    pub(crate) types: FormalTensors,
}
