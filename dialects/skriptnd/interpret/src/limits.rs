//! Limits that keep a model from running for ever or taking all memory.

use skriptnd_language::compose::value::ScalarType;
use skriptnd_runtime::tensor::volume;
use std::time::{Duration, Instant};

/// What a run may take, and where it begins.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// After this time the run ends with an error.
    pub time: Option<Duration>,
    /// Tensors may take this many bytes at a time; a run that needs more ends with an error before it takes them.
    pub memory: Option<usize>,
    /// What random numbers without a seed are drawn from; others in each run where there is none.
    pub seed: Option<u64>,
}

/// When a run has to end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
}

impl Clock {
    /// Starts now.
    pub(crate) fn start(limit: Option<Duration>) -> Clock {
        Clock { deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    pub(crate) fn has_run_out(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// An empty list with room for `count` items; none if there is no memory for them.
pub(crate) fn reserve<T>(count: usize) -> Option<Vec<T>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    Some(items)
}

/// The bytes of a tensor's elements.
pub(super) fn bytes(dtype: ScalarType, shape: &[usize]) -> usize {
    let size = match dtype {
        ScalarType::Real => size_of::<f32>(),
        ScalarType::Int => size_of::<i64>(),
        ScalarType::Bool => size_of::<bool>(),
        ScalarType::Str => 0,
    };
    volume(shape).and_then(|count| count.checked_mul(size)).unwrap_or(usize::MAX)
}
