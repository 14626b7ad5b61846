//! How processes share a graph, and what of its kernels: decided before the first is emitted.

use crate::error::{REFUSAL, SHARD};
use crate::nest::needed::Range;
use crate::nest::share::Share;
use crate::notes;
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{Location, OperationRef, Value, attributes, emit};
use std::collections::HashMap;

/// Along what processes share a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// The output channels of products with weights, of which each process has its own.
    Channel,
    /// The first dimension of inputs.
    Batch,
}

impl Along {
    /// All, with their names.
    pub const NAMED: [(Along, &str); 2] = [(Along::Channel, "channel"), (Along::Batch, "batch")];

    /// The one of a name.
    pub fn named(name: &str) -> Option<Along> {
        Along::NAMED.into_iter().find_map(|(along, own)| (own == name).then_some(along))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        if self == Along::Channel { "channel" } else { "batch" }
    }
}

/// How processes share a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharded {
    /// Along what.
    pub along: Along,
    /// How many they are; none for any number.
    pub processes: Option<usize>,
}

/// Units for each process.
const UNITS: usize = 2;
/// Processes for whom there are units where nobody says how many there are.
const USUAL_PROCESSES: usize = 4;

impl Sharded {
    /// How many units a loop shall have.
    pub fn units(&self) -> i64 {
        i64::try_from(self.processes.unwrap_or(USUAL_PROCESSES).saturating_mul(UNITS)).unwrap_or(i64::MAX)
    }

    /// Notes in a module that its code is shared so.
    pub fn note(&self, module: OperationRef<'_, '_>) {
        let (context, processes) = (module.context(), self.processes.unwrap_or(0));
        let processes = attributes::integer(context, i64::try_from(processes).unwrap_or(0));
        let entries = [("along", attributes::string(context, self.along.name())), ("processes", processes)];
        module.set(notes::SHARDED, attributes::dictionary(context, &entries));
    }
}

/// A loop of a kernel of which a process does a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// The loop.
    pub share: Share,
    /// The range of it, where it is not cut by itself.
    pub range: Option<Range>,
}

/// What is shared of a module.
#[derive(Debug, Default)]
pub struct Sharing {
    /// The loops, by the last operation of their kernels.
    loops: HashMap<usize, Shared>,
    /// How many functions gather what was computed.
    pub gathers: usize,
}

impl Sharing {
    /// What a process does of a kernel, of which this is the last operation.
    pub fn of(&self, last: OperationRef<'_, '_>) -> Option<&Shared> {
        self.loops.get(&last.key())
    }

    /// Whether every process does all.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Says what a process does of the kernel of which this is the last operation.
    pub fn insert(&mut self, last: OperationRef<'_, '_>, shared: Shared) {
        self.loops.insert(last.key(), shared);
    }
}

/// Memory that is gathered before an operation, with the words that describe its parts.
pub type Gathered<'c, 'a> = (OperationRef<'c, 'a>, Value<'c, 'a>, Vec<i64>);

/// Reports why processes can't share a graph.
pub fn refuse(location: Location<'_>, along: Along, reason: &str) {
    emit(location, Severity::Error, &format!("{REFUSAL}{SHARD} {}: {reason}", along.name()));
}
